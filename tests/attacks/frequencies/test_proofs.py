"""What is called proved, optimal or a lower bound, against every choice of items that could be withheld."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import TOTAL, baskets, papers_attacker
from tests.oracles import cracks as oracle
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.frequencies.protecting import choose
from giveaway.attacks.frequencies.protecting.choose import ChosenItems

some_counts = st.lists(st.integers(0, 8), min_size=1, max_size=6).filter(any)
limits = st.sampled_from(
    [
        {"average": "2/5"},
        {"average": "1/4"},
        {"identity": "1/2"},
        {"identity": "1/3"},
        {"identity": "2/5", "share": "1/4"},
        {"identity": "1/2", "share": "1/2"},
        {"identity": "3/4", "average": "1/2"},
        {"identity": "1/2", "share": "1/3", "average": "1/3"},
    ]
)
widths = st.sampled_from([Fraction(0), Fraction(1), Fraction(2)])


def within(
    chances: dict[int, Fraction], counts: list[int], attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance
) -> bool:
    """Judge the chances of the items that are kept, by the definitions; withheld targets are not recognised."""
    wanted = {int(str(label)[1:]) for label in attacker.of_interest} or set(chances)
    judged = [item for item in chances if item in wanted]
    if not judged:
        return True
    values = {item: chance if item in wanted else Fraction(0) for item, chance in chances.items()}
    part, shown = attacker.compliance, list(values)
    if attacker.order != "random" and part < 1:
        keys: dict[str, Any] = {
            "worst": lambda item: -values[item],
            "best": values.__getitem__,
            "frequency": counts.__getitem__,
        }
        shown, part = sorted(values, key=keys[attacker.order])[: ceil(part * len(values))], Fraction(1)
    if tolerance.average is not None:
        expected = part * sum((values[item] for item in shown), Fraction(0))
        if expected > tolerance.average * len(judged):
            return False
    limit = tolerance.identity
    over = 0 if limit is None else sum(values[item] >= limit for item in shown)
    return part * over <= tolerance.share * len(judged)


def around(counts: list[int], kept: list[int], width: Fraction) -> dict[int, Fraction]:
    some = [
        {j for j, other in enumerate(kept) if abs(counts[other] - counts[item]) <= width} for item in kept
    ]
    return dict(zip(kept, oracle.crack_chances(some), strict=True))


def kept_items(counts: list[int]) -> Iterator[tuple[int, list[int]]]:
    """Give every choice of items that may be kept, the largest first; an item that never occurs cannot be withheld."""
    may_go = [item for item, count in enumerate(counts) if count]
    for size in range(len(may_go)):
        for gone in combinations(may_go, size):
            yield size, [item for item in range(len(counts)) if item not in gone]


@sized(300)
@given(
    counts=some_counts,
    width=widths,
    limit=limits,
    wanted=st.sets(st.integers(0, 5), max_size=3),
    compliance=st.sampled_from([Fraction(1), Fraction(1), Fraction(1, 2), Fraction(2, 3)]),
    order=st.sampled_from(["random", "worst", "best", "frequency"]),
    keep=st.sets(st.integers(0, 5), max_size=2),
)
def test_what_is_said_of_withholding_is_true_of_every_choice(
    counts: list[int],
    width: Fraction,
    limit: dict[str, str],
    wanted: set[int],
    compliance: Fraction,
    order: Any,
    keep: set[int],
) -> None:
    keep = {item for item in keep if item < len(counts) and counts[item]}
    tolerance = ga.Tolerance(**limit)
    attacker = papers_attacker(
        belief=ga.Belief.around(width / TOTAL),
        compliance=compliance,
        order=order,
        of_interest=[f"i{item}" for item in sorted(wanted) if item < len(counts)],
    )
    safe = (
        size
        for size, kept in kept_items(counts)
        if keep <= set(kept) and within(around(counts, kept, width), counts, attacker, tolerance)
    )
    check(ga.Release(baskets(counts)), attacker, tolerance, next(safe, None), [f"i{item}" for item in keep])


def protected(
    release: ga.Release, attacker: ga.KnowsFrequencies, tolerance: ga.Tolerance, keep: Sequence[str] = ()
) -> ga.Assessment | ga.NoSafeRelease:
    try:
        return ga.protect(release, attacker, tolerance, need=ga.NeedsItems(keep=keep) if keep else None)
    except ga.NoSafeRelease as error:
        return error


def check(
    release: ga.Release,
    attacker: ga.KnowsFrequencies,
    tolerance: ga.Tolerance,
    fewest: int | None,
    keep: Sequence[str] = (),
) -> None:
    """Compare what is said with the fewest items that any safe release withholds, None when there is none."""
    safer = protected(release, attacker, tolerance, keep)
    if isinstance(safer, ga.NoSafeRelease):
        assert not (safer.proved and fewest is not None)
        return
    assert not {*keep} & {*safer.withheld.items}
    assume(safer.safe)
    assert fewest is not None
    protection = safer.findings[0].protection
    gone = len(safer.withheld.items)
    assert gone >= fewest
    if protection is None or "lower_bound" not in protection.figures:
        return
    least = protection.figures["lower_bound"]
    assert least <= fewest
    assert protection.figures["optimal"] == (gone == least)
    assert ("It is proved" in protection.detail) <= (gone == fewest)
    if protection.figures["optimal"]:
        assert gone == fewest


rows_of_items = st.lists(st.sets(st.integers(0, 4)), min_size=3, max_size=8).filter(
    lambda rows: any(len(row) > 1 for row in rows)
)


@settings(max_examples=60)
@given(rows=rows_of_items, top=st.integers(1, 3), limit=limits)
def test_with_known_pairs_nothing_is_called_proved_that_is_not(
    rows: list[set[int]], top: int, limit: dict[str, str]
) -> None:
    counts = Counter(item for row in rows for item in row)
    together = Counter(pair for row in rows for pair in combinations(sorted(row), 2))
    ranked = sorted(together, key=lambda pair: (-together[pair], pair))[:top]
    tolerance = ga.Tolerance(**limit)
    width = Fraction(1)
    attacker = papers_attacker(belief=ga.Belief.around(width / len(rows)), known_pairs=ga.KnownPairs(top=top))

    def is_safe(kept: list[int]) -> bool:
        left = {pair: number for pair, number in together.items() if set(pair) <= set(kept)}
        first = sorted(left, key=lambda pair: (-left[pair], pair))[:top]
        bound = {item for pair in ranked if set(pair) <= set(kept) for item in pair}
        allowed = {item for pair in first for item in pair} if bound else set(kept)
        some = [
            {
                j
                for j, other in enumerate(kept)
                if abs(counts[other] - counts[item]) <= width and (item not in bound or other in allowed)
            }
            for item in kept
        ]
        if next(oracle.mappings(some), None) is None:
            return False
        chances = dict(zip(kept, oracle.crack_chances(some), strict=True))
        return within(chances, [counts[item] for item in range(5)], attacker, tolerance)

    items = sorted(counts)
    choices = (
        (size, [item for item in items if item not in gone])
        for size in range(len(items))
        for gone in combinations(items, size)
    )
    fewest = next((size for size, kept in choices if is_safe(kept)), None)
    data = ga.Transactions.from_lists([[f"i{item}" for item in sorted(row)] for row in rows])
    check(ga.Release(data), attacker, tolerance, fewest)


@settings(max_examples=60)
@given(counts=some_counts, width=widths, limit=limits, size=st.integers(1, 3))
def test_of_sets_nothing_is_called_proved_that_is_not(
    counts: list[int], width: Fraction, limit: dict[str, str], size: int
) -> None:
    assume("identity" in limit and "average" not in limit and len(counts) >= size)
    tolerance = ga.Tolerance(**limit)
    attacker = papers_attacker(belief=ga.Belief.around(width / TOTAL), targets=ga.Itemsets(size=size))

    def is_safe(kept: list[int]) -> bool:
        some = [
            {j for j, other in enumerate(kept) if abs(counts[other] - counts[item]) <= width} for item in kept
        ]
        sets = list(combinations(range(len(kept)), size))
        over = sum(oracle.set_chance(some, one) >= (tolerance.identity or 1) for one in sets)
        return over <= tolerance.share * len(sets)

    fewest = next((number for number, kept in kept_items(counts) if is_safe(kept)), None)
    check(ga.Release(baskets(counts)), attacker, tolerance, fewest)


@pytest.mark.parametrize(
    ("counts", "limit", "needed", "chosen"),
    [
        ([4, 2, 4, 1, 9], {"identity": "2/5", "share": "1/4"}, 1, 2),
        ([1, 7, 5, 1, 9, 8, 10, 5, 11], {"identity": "2/5", "share": "1/4"}, 1, 3),
        ([2, 3, 10, 1, 6, 11, 5, 4, 6], {"identity": "2/5", "share": "1/4"}, 1, 3),
        ([9, 11, 7, 10, 6, 1], {"identity": "1/2", "share": "1/5"}, 1, 3),
        ([11, 10, 1, 3, 3, 2, 7], {"identity": "1/2", "share": "1/5"}, 2, 3),
        ([1, 6, 8, 1, 1, 9, 11], {"average": "2/5"}, 2, 4),
    ],
)
def test_items_that_were_not_needed_are_put_back(
    counts: list[int], limit: dict[str, str], needed: int, chosen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search withholds one of each component at a time, or whole components, and fewer are enough."""
    release = ga.Release(baskets(counts))
    attacker = papers_attacker(belief=ga.Belief.around("1/6"))
    tolerance = ga.Tolerance(**limit)

    assert len(ga.protect(release, attacker, tolerance).withheld.items) == needed
    monkeypatch.setattr(
        choose, "_put_back", lambda _, order, trial: ChosenItems(order=order, trial=trial, nearest=trial)
    )
    assert len(ga.protect(release, attacker, tolerance).withheld.items) == chosen
