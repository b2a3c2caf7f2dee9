"""Results of the algorithm of Xu et al. on public data sets, to the printed digit.

The private items are the whole numbers that end in 3 and are not more frequent than the limit allows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from tests.oracles import levelwise
from tests.oracles.build import shared_rows, transactions
from tests.sizes import first, long

from giveaway.attacks.items.attacker import ItemsOptions, KnowsItems
from giveaway.attacks.items.measure import measure
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.protect import protect
from giveaway.attacks.items.protecting import plan
from giveaway.model.answer.risk import Protection
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release, Withheld


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of the table of known results; shares of the nuggets kept are in per cent."""

    data: str
    h: str
    k: int
    p: int
    min_support: int
    minimal_moles: int
    moles: int
    nuggets: int
    infrequent: int
    greedy: int
    paper: str
    reinstated: str
    minimal: str | None

    def __str__(self) -> str:
        return f"{self.data}-{self.h}-{self.k}-{self.p}-{self.min_support}"

    @property
    def tolerance(self) -> Tolerance:
        return Tolerance(identity=Fraction(1, self.k), attribute=self.h)

    def share(self, nuggets_kept: int) -> str:
        return f"{100 * nuggets_kept / self.nuggets:.1f}"


@cache
def protected(row: Row, **options: Any) -> Protection:
    return _protected(row, Release(data_of(row.data, row.h)), options)


@cache
def after_observation_2(row: Row, **options: Any) -> Protection:
    """Start where Observation 2 ends, which is quicker: the search need not look at rare items."""
    return _protected(row, without_infrequent(row), options)


def kept_after_observation_2(row: Row, **options: Any) -> int:
    kept: int = after_observation_2(row, **options).figures["nuggets_kept"]
    return kept


def _protected(row: Row, release: Release, options: dict[str, Any]) -> Protection:
    need = NeedsItemsets(min_support=row.min_support)
    return protect(release, KnowsItems(at_most=row.p), row.tolerance, need, Effort(), ItemsOptions(**options))


@cache
def without_infrequent(row: Row) -> Release:
    data = data_of(row.data, row.h)
    rare = (data.supports < max(row.k, row.min_support)) & ~data.is_private
    infrequent = [label for label, gone in zip(data.labels, rare, strict=True) if gone]
    return Release(data).withholding(Withheld(items=infrequent))


@cache
def data_of(name: str, h: str) -> Transactions:
    rows = shared_rows(name)
    return transactions(rows, levelwise.private_items(rows, Fraction(h)))


ROWS = [
    Row(
        data="mushroom",
        h="4/5",
        k=10,
        p=3,
        min_support=812,
        minimal_moles=366,
        moles=9_266,
        nuggets=574_513,
        infrequent=58,
        greedy=40,
        paper="1.5",
        reinstated="9.6",
        minimal="9.6",
    ),
    Row(
        data="mushroom",
        h="1",
        k=50,
        p=3,
        min_support=812,
        minimal_moles=713,
        moles=1_321,
        nuggets=574_513,
        infrequent=58,
        greedy=25,
        paper="38.7",
        reinstated="44.6",
        minimal="44.6",
    ),
    Row(
        data="groceries",
        h="4/5",
        k=5,
        p=2,
        min_support=10,
        minimal_moles=3_610,
        moles=3_610,
        nuggets=13_492,
        infrequent=11,
        greedy=87,
        paper="85.3",
        reinstated="85.3",
        minimal="85.3",
    ),
    Row(
        data="retail",
        h="4/5",
        k=10,
        p=2,
        min_support=88,
        minimal_moles=818_136,
        moles=818_136,
        nuggets=7_712,
        infrequent=12_908,
        greedy=1_871,
        paper="22.8",
        reinstated="22.8",
        minimal="22.8",
    ),
    Row(
        data="retail",
        h="4/5",
        k=5,
        p=4,
        min_support=88,
        minimal_moles=1_944_079,
        moles=68_060_761,
        nuggets=7_712,
        infrequent=12_908,
        greedy=1_908,
        paper="10.3",
        reinstated="10.8",
        minimal=None,
    ),
    Row(
        data="chess",
        h="9/10",
        k=50,
        p=3,
        min_support=2238,
        minimal_moles=40,
        moles=903,
        nuggets=48_731,
        infrequent=44,
        greedy=10,
        paper="11.8",
        reinstated="13.1",
        minimal="17.9",
    ),
]


@pytest.fixture(scope="module", autouse=True)
def _choosing_once() -> Iterator[None]:
    """Choose what to suppress once for what is printed and for what is put back after it."""
    chosen: dict[tuple[Any, ...], Any] = {}
    choose = plan.choose

    def once(data: Transactions, moles: Any, useful: Any, **how: Any) -> Any:
        key = (id(data), id(moles), useful is None, repr(sorted(how.items())))
        if key not in chosen:
            chosen[key] = (
                data,
                moles,
                choose(data, moles, useful, **how),
            )  # kept, so that their ids stay theirs
        return chosen[key][-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "choose", once)
        yield


LARGE = ("mushroom", "retail")
"""The data that take long."""
EVERY = [pytest.param(row, marks=long) if row.data in LARGE else row for row in ROWS]
EVERY_ROW = pytest.mark.parametrize("row", EVERY, ids=str)


@EVERY_ROW
def test_moles_and_nuggets_are_counted_to_the_last_one(row: Row) -> None:
    release = without_infrequent(row)
    need = NeedsItemsets(min_support=row.min_support)

    found = measure(release, KnowsItems(at_most=row.p), row.tolerance, need, Effort())

    assert len(release.withheld.items) == row.infrequent
    assert found.figures["minimal_moles"] == row.minimal_moles
    assert found.figures["moles"] == row.moles
    assert found.figures["nuggets"] == row.nuggets


@EVERY_ROW
def test_the_algorithm_as_printed_suppresses_and_keeps_what_it_always_did(row: Row) -> None:
    if row.data == "retail":
        answer, infrequent = after_observation_2(row, score="paper", reinstate=False), row.infrequent
    else:
        answer, infrequent = protected(row, score="paper", reinstate=False), 0

    assert answer.figures["infrequent_withheld"] + infrequent == row.infrequent
    assert len(answer.release.withheld.items) == row.infrequent + row.greedy
    assert row.share(answer.figures["nuggets_kept"]) == row.paper


@EVERY_ROW
def test_putting_back_items_that_are_not_needed_keeps_more(row: Row) -> None:
    assert row.share(kept_after_observation_2(row, score="paper", reinstate=True)) == row.reinstated


@pytest.mark.parametrize("row", first(0, [row for row in ROWS if row.minimal]), ids=str)
def test_charging_minimal_moles_alone_keeps_as_much_or_more(row: Row) -> None:
    assert row.share(kept_after_observation_2(row, score="minimal", reinstate=True)) == row.minimal


@pytest.mark.parametrize(("row", "kept"), [(ROWS[0], 8_793), (ROWS[5], 5_735)], ids=str)
def test_the_nuggets_kept_by_the_printed_algorithm_are_exact(row: Row, kept: int) -> None:
    assert protected(row, score="paper", reinstate=False).figures["nuggets_kept"] == kept


@pytest.mark.parametrize(("row", "kept"), [(ROWS[1], 256_033), (ROWS[3], 1_756)], ids=str)
def test_the_nuggets_kept_by_default_are_exact(row: Row, kept: int) -> None:
    assert kept_after_observation_2(row, score="minimal", reinstate=True) == kept
