"""What is counted where the data are equals what is found in rows, figure by figure, and no row is looked at."""

from dataclasses import fields
from fractions import Fraction
from functools import cached_property

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles.build import transactions
from tests.oracles.counting import held_transactions
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.measure import measure
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.risk import Details, HoldsUpTo, Risk
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import limited
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

Rows = list[set[str]]
PRIVATE = ("x", "y", "z")

some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefxyz")), st.integers(1, 4)), min_size=1, max_size=9
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = st.one_of(st.none(), fractions(Fraction(1, 5), 1, max_denominator=5))
crowds = st.one_of(st.none(), st.integers(1, 5))
shares = st.sampled_from([Fraction(0), Fraction(1, 3)])


def risk_of(data: Transactions, at_most: int, tolerance: Tolerance, withheld: Withheld = Withheld()) -> Risk:
    return measure(Release(data, withheld), KnowsItems(at_most=at_most), tolerance, None, Effort())


PARTS = [field.name for field in fields(Risk) if field.name != "details"] + [
    name for name, part in vars(Details).items() if isinstance(part, cached_property) and name != "lists"
]
"""All but the lists: naming every mole takes rows."""


def everything(risk: Risk) -> dict[str, object]:
    """Return all that a risk says, its exposures one by one."""
    return {name: getattr(risk, name) for name in PARTS} | {"exposures": list(risk.exposures)}


def private_in(rows: Rows) -> list[str]:
    return [item for item in PRIVATE if any(item in row for row in rows)]


@sized(400)
@given(rows=some_rows, at_most=st.integers(1, 2), crowd=crowds, limit=limits, share=shares)
def test_counts_say_the_same_as_rows(
    rows: Rows, at_most: int, crowd: int | None, limit: Fraction | None, share: Fraction
) -> None:
    if (crowd is None and limit is None) or not set().union(*rows) - set(PRIVATE):
        return
    tolerance = Tolerance(
        identity=None if crowd is None else Fraction(1, crowd), attribute=limit, share=share
    )
    held, _ = held_transactions(rows, private_in(rows))

    counted = risk_of(held, at_most, tolerance)

    assert everything(counted) == everything(
        risk_of(transactions(rows, private_in(rows)), at_most, tolerance)
    )


@settings(max_examples=50)
@given(rows=some_rows, withheld=st.sets(st.sampled_from("abcxy")))
def test_the_same_holds_when_items_are_withheld(rows: Rows, withheld: set[str]) -> None:
    gone = Withheld(items=sorted(withheld & set().union(*rows)))
    if not set().union(*rows) - {*PRIVATE, *withheld}:
        return
    tolerance = Tolerance(identity="1/3", attribute="1/2")
    held, _ = held_transactions(rows, private_in(rows))
    plain = transactions(rows, private_in(rows))

    assert everything(risk_of(held, 2, tolerance, gone)) == everything(risk_of(plain, 2, tolerance, gone))


@pytest.mark.parametrize("at_most", [1, 2])
def test_no_row_is_brought_for_one_or_two_items(at_most: int) -> None:
    held, asked = held_transactions([{"a", "b", "z"}, {"a", "b"}, {"a", "c"}, {"c"}], ["z"])

    risk = risk_of(held, at_most, Tolerance(identity="1/2", attribute="1/3"))
    list(risk.exposures)

    assert risk.over > 0
    assert "moles" not in risk.lists
    assert "rows" not in asked
    assert all(asked.count(what) == 1 for what in asked if what != "holders")


def test_the_breaking_point_beyond_two_items_brings_rows_when_they_fit() -> None:
    rows = [{"a", "b", "c"}, {"a", "b"}, {"b", "c"}, {"a", "c"}] * 2
    held, asked = held_transactions(rows)

    risk = risk_of(held, 2, Tolerance(identity="1/3"))

    assert "rows" not in asked
    assert risk.holds_up_to == HoldsUpTo(value=2, unit="items")
    assert asked.count("rows") == 1


def test_the_breaking_point_is_at_least_what_was_counted_when_rows_do_not_fit() -> None:
    rows = [{"a", "b", "c"}, {"a", "b"}, {"b", "c"}, {"a", "c"}] * 50
    held, asked = held_transactions(rows)

    with limited(memory=20_000):
        risk = risk_of(held, 2, Tolerance(identity="1/60"))
        assert risk.holds_up_to == HoldsUpTo(value=2, unit="items", at_least=True)

    assert "rows" not in asked
    assert "knows 3 items was not judged" in risk.how.detail
    assert "about 31 kB of memory, and 20 kB are allowed" in risk.how.detail


def test_more_than_two_items_are_refused_with_the_number_when_rows_do_not_fit() -> None:
    held, asked = held_transactions([{f"item{n}" for n in range(50)}] * 1000)

    with (
        limited(memory=2_000_000),
        pytest.raises(BudgetExceeded, match="about 2,448 kB of memory, and 2,000 kB"),
    ):
        risk_of(held, 3, Tolerance(identity="1/3"))
    assert asked == []


def test_a_need_and_protection_bring_rows_and_end_like_rows() -> None:
    rows = [{"a", "b", "z"}, {"a", "b"}, {"a", "b"}, {"a", "c"}, {"a", "c"}, {"d"}]
    tolerance, need = Tolerance(identity="1/2", attribute="1/2"), NeedsItemsets(min_support=2)
    held, asked = held_transactions(rows, ["z"])

    safer, plain = (
        ga.protect(Release(data), KnowsItems(at_most=2), tolerance, need=need)
        for data in (held, transactions(rows, ["z"]))
    )

    assert asked.count("rows") == 1
    assert safer.withheld == plain.withheld
    assert everything(safer.findings[0].risk) == everything(plain.findings[0].risk)


def test_pairs_that_do_not_fit_are_refused_with_their_number() -> None:
    held, asked = held_transactions([{f"item{n}" for n in range(8)}] * 3)

    with limited(memory=2000), pytest.raises(BudgetExceeded, match="The 28 pairs of items"):
        risk_of(held, 2, Tolerance(identity="1/2"))
    assert "pairs" not in asked


def test_what_held_transactions_say_of_themselves_needs_no_rows() -> None:
    held, asked = held_transactions([{"a"}, {"a", "b"}, set()], [])

    assert len(held) == 3
    assert held.occurrences == 3
    assert repr(held) == "<Transactions: 3 rows, 2 items>"
    assert held.without(["a"]).labels == ("b",)
    assert asked == []
    assert held.weights.tolist() == [1, 1, 1]
    assert held.without(["a"]).weights.tolist() == [2, 1]
