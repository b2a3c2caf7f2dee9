from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.directory.cases import people, table

import giveaway as ga
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.question import ask
from giveaway.papers.directory.theorem1 import TrueDirectory, precedes

NAMES = ("c0", "c1")
Line = tuple[str, dict[str, Any]]
ENTRY = st.fixed_dictionaries({name: st.sampled_from(["a", "b", None]) for name in NAMES})


@settings(max_examples=60)
@given(
    st.lists(ENTRY, min_size=1, max_size=4),
    st.lists(ENTRY, max_size=3),
    st.lists(st.sampled_from(["a", "b", None]), min_size=8, max_size=8),
    st.lists(st.booleans(), min_size=8, max_size=8),
)
def test_a_directory_with_more_people_and_more_values_is_never_the_riskier_one(
    records: list[dict[str, Any]], more: list[dict[str, Any]], known: list[str | None], hide: list[bool]
) -> None:
    """Theorem 1 where gaps are apart: people of whom more is known can be lost by nobody."""
    lines: list[Line] = [(f"r{place}", record) for place, record in enumerate(records)]
    values = iter(known)
    true: list[Line] = [
        (person, {name: value or next(values) for name, value in entry.items()}) for person, entry in lines
    ]
    true += [(f"x{place}", entry) for place, entry in enumerate(more)]
    hidden = [
        (row + 1, name) for row in range(len(records)) for at, name in enumerate(NAMES) if hide[2 * row + at]
    ]
    attacker = ga.KnowsDirectory(
        knows_method=False, people=people(lines, NAMES), true_people=people(true, NAMES, "true.csv"), on=NAMES
    )
    question = ask(ga.Release(table(records, NAMES), ga.Withheld(cells=hidden)), attacker)
    estimate = judged(question, ga.Tolerance(identity="999/1000"))
    assert attacker.true_directory is not None
    true = TrueDirectory(question=question, estimate=estimate, people=attacker.true_directory)
    assert true.is_bound
    assert (true.losses[0] <= true.losses[1] + 1e-12).all()


def test_fewer_values_make_a_directory_no_larger_one_where_gaps_are_apart() -> None:
    small = people([("1", {"c0": "a", "c1": "b"})], NAMES)
    blanked = people([("1", {"c0": None, "c1": "b"}), ("2", {"c0": "a", "c1": "a"})], NAMES)
    assert not precedes(small, blanked, NAMES, "apart")
    assert precedes(
        blanked,
        people([*(("1", {"c0": "a", "c1": "b"}), ("2", {"c0": "a", "c1": "a"}))], NAMES),
        NAMES,
        "apart",
    )
    assert precedes(small, blanked, NAMES, "agree")
