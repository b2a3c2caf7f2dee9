"""Somebody who knows how giveaway chooses: published items tell nothing more, withheld ones may."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.sizes import long, sized

import giveaway as ga

HALF = Fraction(1, 2)
Row = frozenset[str]


def protected(
    rows: list[Row], categories: dict[str, list[str]] | None = None, **how: bool
) -> ga.Assessment | None:
    """Withhold until nobody is singled out, nor told to hold the private item s, with a chance above a half."""
    private = ["s"] if any("s" in row for row in rows) else []
    data = ga.Transactions.from_lists([sorted(row) for row in rows], private=private)
    limits = ga.Tolerance(identity=HALF, attribute=HALF) if private else ga.Tolerance(identity=HALF)
    release = ga.Release(data, hierarchies={"item": categories} if categories else None)
    try:
        return ga.protect(release, ga.KnowsItems(at_most=2, **how), limits)
    except ga.NoSafeRelease:
        return None


def known_sets(public: str) -> Iterator[Row]:
    return (frozenset(some) for size in (1, 2) for some in combinations(public, size))


def informed_chances(public: str, rows: int) -> Iterator[tuple[Fraction, Fraction, bool]]:
    """Run giveaway on every table, and give what somebody who did so makes of a release and one or two known items.

    It is the chance of a transaction and of the private item, and whether a withheld item is among those known. All
    tables are equally likely, and the person is any of the transactions that hold the known items.
    """
    everything = [
        frozenset(some) for size in range(len(public) + 2) for some in combinations(f"{public}s", size)
    ]
    releases = defaultdict(list)
    for table in combinations_with_replacement(everything, rows):
        safe = protected(list(table)) if any(row - {"s"} for row in table) else None
        if safe is not None:
            gone = frozenset(safe.withheld.items)
            releases[gone, tuple(sorted(tuple(sorted(row - gone)) for row in table))].append(table)
    for (gone, shown), tables in releases.items():
        for known in known_sets(public):
            holders = [row for table in tables for row in table if known <= row]
            if not holders:
                continue
            private = Fraction(sum("s" in row for row in holders), len(holders))
            forms = Counter(tuple(sorted(row - gone)) for row in holders)
            alone = max(Fraction(times, shown.count(form) * len(holders)) for form, times in forms.items())
            yield alone, private, bool(known & gone)


@long
def test_published_items_tell_nothing_more_and_withheld_ones_may() -> None:
    found = list(informed_chances("abc", 4))
    published = [max(chances) for *chances, withheld in found if not withheld]
    withheld = [max(chances) for *chances, withheld in found if withheld]

    assert (len(published), max(published)) == (2_274, HALF)
    assert (len(withheld), sum(chance > HALF for chance in withheld)) == (783, 183)
    assert max(withheld) == Fraction(4, 5)


rows_with_a_private_item = st.lists(st.frozensets(st.sampled_from("abcds")), min_size=3, max_size=9)


@sized(150)
@given(rows=rows_with_a_private_item, knows_method=st.booleans())
def test_the_worst_of_somebody_who_knows_withheld_items(rows: list[Row], knows_method: bool) -> None:
    assume(any(row - {"s"} for row in rows))
    safe = protected(rows, knows_method=knows_method)
    assume(safe is not None)
    assert safe is not None
    finding, gone = safe.findings[0], set(safe.withheld.items)
    assert finding.risk is not None
    private = [item for item in "s" if any(item in row for row in rows)]
    sets = [some for some in oracle.occurring(rows, private, 2) if some & gone]
    if not sets or not knows_method:
        assert "withheld_known_worst" not in finding.risk.figures
        assert finding.risk.against is finding.risk.warning is None
        return
    alone = max(Fraction(1, oracle.support(rows, some)) for some in sets)
    private_chance = max(oracle.own_breach(rows, private, some) for some in sets)

    assert finding.risk.figures["withheld_known_worst"] == max(alone, private_chance)
    over = max(alone, private_chance) > HALF
    assert (finding.against == "somebody who knows published items only") == over
    assert (finding.risk.warning is not None) == over


@pytest.mark.parametrize("at_most", [1, 2, 3, 4])
def test_the_worst_is_found_whatever_may_be_known(at_most: int) -> None:
    rows = ["abcs", "abc", "abd", "acds", "bcd", "abcd", "e", "ae", "be"]
    data = ga.Transactions.from_lists([list(row) for row in rows], private=["s"])
    release = ga.Release(data, withheld=ga.Withheld(items=["d", "e"]))
    limits = ga.Tolerance(identity="1/2", attribute="1/2", share="9/10")
    risk = ga.assess(release, ga.KnowsItems(at_most=at_most), limits).findings[0].risk
    sets = [some for some in oracle.occurring([set(row) for row in rows], "s", at_most) if some & {"d", "e"}]

    assert risk is not None
    assert risk.figures["withheld_known_worst"] == max(
        max(Fraction(1, oracle.support(rows, some)), oracle.own_breach(rows, "s", some)) for some in sets
    )


def test_categories_tell_nothing_more_and_the_items_behind_them_may() -> None:
    """Run giveaway on every table of four rows in which a and b, both public, may become x."""
    everything = [frozenset(some) for size in range(4) for some in combinations("abs", size)]
    data_of: dict[tuple[object, ...], list[tuple[Row, ...]]] = defaultdict(list)
    for table in combinations_with_replacement(everything, 4):
        if not any(row - {"s"} for row in table):
            continue
        safe = protected(list(table), categories={"a": ["x"], "b": ["x"]})
        if safe is not None:
            shown = {**dict.fromkeys(safe.withheld.items), **safe.release.categories}
            rows = sorted(tuple(sorted(row)) for row in oracle.under(table, shown))
            data_of[tuple(sorted(shown.items(), key=str)), tuple(rows)].append(table)
    labels, items = [], []
    for (choice, rows), tables in data_of.items():
        shown = dict(choice)
        for known in (frozenset(some) for size in (1, 2) for some in combinations("abx", size)):
            fitting = [row for row in rows if known <= set(row)]
            if fitting:
                labels.append(
                    max(Fraction(1, len(fitting)), Fraction(sum("s" in r for r in fitting), len(fitting)))
                )
            holders = [row for table in tables for row in table if known <= row]
            if holders and any(shown.get(item, item) != item for item in known):
                items.append(Fraction(sum("s" in row for row in holders), len(holders)))

    assert any("x" in row for _, rows in data_of for row in rows)
    assert max(labels) == HALF
    assert max(items) > HALF
