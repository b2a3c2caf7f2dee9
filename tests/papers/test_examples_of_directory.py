"""What Lebanon et al. prove, and where the paper's words need care: small examples."""

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.directory.cases import people, table
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.protecting.plan import Planner
from giveaway.attacks.directory.question import ask
from giveaway.papers.directory.choose_together import least_directory
from giveaway.papers.directory.theorem1 import TrueDirectory, precedes

NAMES = ("c0", "c1")
ANY = ga.Tolerance(identity="999/1000")
ENTRY = st.fixed_dictionaries({name: st.sampled_from(["a", "b", None]) for name in NAMES})
Line = tuple[str, dict[str, Any]]


def release(original: ga.Table, *withheld: ga.Withheld, **more: Any) -> ga.Release:
    """A release with the paper's reading of missing values."""
    return ga.Release(original, *withheld, gaps="agree", **more)


def figures(shown: ga.Release, attacker: ga.KnowsDirectory) -> dict[str, Any]:
    found = ga.assess(shown, attacker, ANY).findings[0].risk
    assert found is not None
    return dict(found.figures)


@sized(60)
@given(
    st.lists(ENTRY, min_size=1, max_size=4),
    st.lists(ENTRY, max_size=3),
    st.lists(st.booleans(), min_size=16, max_size=16),
    st.lists(st.booleans(), min_size=8, max_size=8),
)
def test_theorem_1_the_estimate_is_an_upper_bound(
    records: list[dict[str, Any]], more: list[dict[str, Any]], blank: list[bool], hide: list[bool]
) -> None:
    """The estimate's directory holds the records, the true one everybody of it, with more people and fewer values."""
    lines: list[Line] = [(f"r{place}", record) for place, record in enumerate(records)]
    flags = iter(blank)
    true: list[Line] = [
        (person, {name: None if next(flags) else value for name, value in entry.items()})
        for person, entry in lines
    ]
    true += [(f"x{place}", entry) for place, entry in enumerate(more)]
    shown = table(records, NAMES)
    hidden = [
        (row + 1, name) for row in range(len(records)) for at, name in enumerate(NAMES) if hide[2 * row + at]
    ]
    attacker = ga.KnowsDirectory(
        knows_method=False, people=people(lines, NAMES), true_people=people(true, NAMES, "true.csv"), on=NAMES
    )
    question = ask(release(shown, ga.Withheld(cells=hidden)), attacker)
    estimate = judged(question, ANY)
    assert attacker.true_directory is not None
    true = TrueDirectory(question=question, estimate=estimate, people=attacker.true_directory)
    assert true.is_bound
    assert true.tally.risk <= estimate.risk
    assert (true.losses[0] <= true.losses[1] + 1e-12).all()


def test_without_the_record_in_it_the_estimate_is_no_bound_and_that_is_said() -> None:
    """Theorem 1 needs the same id with values that agree: an estimate without the record is 0, and the truth is 1."""
    record = {"c0": "a", "c1": "a"}
    other, listed = ("x", {"c0": "b", "c1": "b"}), ("r0", record)
    shown = release(table([record], NAMES))
    wrong = ga.KnowsDirectory(
        knows_method=False, people=people([other], NAMES), true_people=people([other, listed], NAMES, "t.csv")
    )
    found = ga.assess(shown, wrong, ANY).findings[0].risk
    assert (found.figures["risk"], found.figures["true_risk"]) == (0, 1)
    assert "need not be above it (Theorem 1): not every record is in the directory" in found.how.detail
    cloud = next(curve for curve in found.curves if curve.name == "estimated")
    assert (cloud.x, cloud.y) == ((1.0,), (0.0,))
    right = ga.KnowsDirectory(
        knows_method=False,
        people=people([listed], NAMES),
        true_people=people([other, listed], NAMES, "t.csv"),
    )
    assert (
        "upper bound of it (Theorem 1): checked" in ga.assess(shown, right, ANY).findings[0].risk.how.detail
    )


def test_the_table_as_its_own_directory_says_what_its_bound_rests_on() -> None:
    said = ga.assess(
        release(table([{"c0": "a", "c1": "b"}], NAMES)), ga.KnowsDirectory(knows_method=False), ANY
    ).findings[0]
    assert "Checked: every record is in it, and no id appears twice." in said.risk.how.detail
    assert "It cannot be checked, and must be true," in said.risk.how.detail


def test_definition_8_orders_directories() -> None:
    small = people([("1", {"c0": "a", "c1": "b"})], NAMES)
    blanked = people([("1", {"c0": None, "c1": "b"}), ("2", {"c0": "a", "c1": "a"})], NAMES)
    changed = people([("1", {"c0": "b", "c1": "b"})], NAMES)
    assert precedes(small, blanked, NAMES, "agree")
    assert precedes(small, small, NAMES, "agree")
    assert not precedes(blanked, small, NAMES, "agree")
    assert not precedes(small, changed, NAMES, "agree")
    assert not precedes(small, people([("2", {"c0": "a", "c1": "b"})], NAMES), NAMES, "agree")


def planned(records: list[dict[str, Any]], directories: list[list[Line]], **weights: Any) -> tuple[Any, Any]:
    held = [people(lines, NAMES, f"d{place}") for place, lines in enumerate(directories)]
    shown = release(table(records, NAMES), sensitivity=ga.Sensitivity(**weights))
    question = ask(shown, ga.KnowsDirectory(knows_method=False, people=held))
    planner = Planner(
        question=question,
        tolerance=ga.Tolerance(average="999/1000"),
        need=ga.NeedsColumns(per_record=1, fill=False),
        options=DirectoryOptions(),
    )
    return question, planner.plan()


def test_with_a_least_directory_the_minimax_rule_is_the_best_one_against_it() -> None:
    records = [{"c0": "a", "c1": "a"}, {"c0": "b", "c1": "a"}]
    small = [(f"r{place}", record) for place, record in enumerate(records)]
    large = [*small, *[(f"x{place}", {"c0": "a", "c1": None}) for place in range(3)]]
    question, best = planned(records, [large, small])
    assert least_directory(question) == 1
    alone = planned(records, [small])[1]
    assert best.chosen.masks.tolist() == alone.chosen.masks.tolist()
    assert best.chosen.least == pytest.approx(alone.chosen.least)


def test_the_minimax_rule_is_no_choice_for_each_record_by_itself() -> None:
    """Two alike records do best to disclose different columns: each column is rare in one of two directories."""
    records = [{"c0": "a", "c1": "a"}, {"c0": "a", "c1": "a"}]

    def lines(rare: str) -> list[Line]:
        common = "c1" if rare == "c0" else "c0"
        return [("r0", {rare: "a", common: "a"}), *((f"x{at}", {rare: "b", common: "a"}) for at in range(3))]

    question, best = planned(records, [lines("c0"), lines("c1")])
    assert sorted(best.chosen.masks.tolist()) == [1, 2]
    risk = judged(ask(best.release, question.attacker), ANY).risk
    assert risk == Fraction(5, 8)
    assert risk < 1


def test_theorem_3_anonymity_rules_lose_no_more_than_others_that_break_it() -> None:
    records = [{"c0": one, "c1": other} for one, other in ("aa", "aa", "ab", "ba")]
    shown = table(records, NAMES)
    for size in range(3):
        for columns in combinations(NAMES, size):
            hidden = [(row, name) for row in range(1, 5) for name in NAMES if name not in columns]
            question = ask(
                release(shown, ga.Withheld(cells=hidden)), ga.KnowsDirectory(knows_method=False, on=NAMES)
            )
            tally = judged(question, ANY)
            for crowd, chance in zip(question.crowds[:, 0].tolist(), tally.chances.tolist(), strict=True):
                assert (crowd >= 2) == (chance <= 1 / 2)
    everything = judged(ask(release(shown), ga.KnowsDirectory(knows_method=False, on=NAMES)), ANY)
    nothing = [(row, name) for row in range(1, 5) for name in NAMES]
    less = judged(
        ask(release(shown, ga.Withheld(cells=nothing)), ga.KnowsDirectory(knows_method=False, on=NAMES)), ANY
    )
    assert less.risk == Fraction(1, 4) < everything.risk


def test_equation_4_is_not_anonymity_of_the_release() -> None:
    """(a,-), (-,y), (-,y) of (a,x), (a,y), (b,y): everybody agrees with two of the original, one stands alone."""
    records = [{"c0": "a", "c1": "x"}, {"c0": "a", "c1": "y"}, {"c0": "b", "c1": "y"}]
    hidden = ga.Withheld(cells=[(1, "c1"), (2, "c0"), (3, "c0")])
    found = figures(release(table(records, NAMES), hidden), ga.KnowsDirectory(knows_method=False, on=NAMES))
    assert (found["k_in_original"], found["k_in_release"]) == (2, 1)


def test_nothing_disclosed_weighs_nothing_in_sums_and_one_in_products() -> None:
    records = [{"c0": "a", "c1": "x"}, {"c0": "b", "c1": "y"}]
    hidden = ga.Withheld(cells=[(row, name) for row in (1, 2) for name in NAMES])
    weights = {"columns": {"c0": 2, "c1": 3}}
    for form, risk in (("additive", 0), ("multiplicative", Fraction(1, 2))):
        shown = release(table(records, NAMES), hidden, sensitivity=ga.Sensitivity(**weights, form=form))
        assert judged(ask(shown, ga.KnowsDirectory(knows_method=False, on=NAMES)), ANY).risk == risk


def test_pairs_count_once_whichever_column_is_named_first() -> None:
    records = [{"c0": "a", "c1": "x"}]
    both = {"r0": {("c0", "c1"): 5, ("c1", "c0"): 5}}
    weights = ga.Sensitivity(cells={"r0": {"c0": 1, "c1": 2}}, pairs=both)
    assert (
        figures(release(table(records, NAMES), sensitivity=weights), ga.KnowsDirectory(knows_method=False))[
            "risk"
        ]
        == 8
    )


def test_products_that_no_float_holds_are_infinite_and_not_safe() -> None:
    weights = ga.Sensitivity(columns={"c0": 800}, form="multiplicative")
    shown = release(table([{"c0": "a", "c1": "b"}], NAMES), sensitivity=weights)
    found = ga.assess(
        shown, ga.KnowsDirectory(knows_method=False, on=NAMES), ga.Tolerance(average="999/1000")
    )
    assert (found.safe, found.findings[0].risk.figures["risk"]) == (False, math.inf)
