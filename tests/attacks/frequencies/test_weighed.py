"""Ranges whose parts have weights: a mapping is as likely as the product of its weights, by all permutations."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import giveaway as ga
from giveaway.checker.attacks.frequencies.judge import keeps
from giveaway.checker.promise import Promise
from giveaway.errors import ScenarioError

TRANSACTIONS = 4
Range = tuple[int, int, int, int, int]
"""Three ends of two parts, in transactions, and their weights."""


def data(counts: Mapping[str, int]) -> ga.Transactions:
    """Return transactions in which each item occurs so often."""
    rows = [[item for item, count in counts.items() if row < count] for row in range(TRANSACTIONS)]
    return ga.Transactions.from_lists(rows)


def enumerated(
    counts: Mapping[str, int], believed: Mapping[str, Range]
) -> dict[tuple[str, str], Fraction] | None:
    """Return how likely each item has each code, by trying all mappings."""

    def weight(item: str, count: int) -> int:
        if item not in believed:
            return 1
        low, middle, high, first, second = believed[item]
        return max(first if low <= count <= middle else 0, second if middle <= count <= high else 0)

    items, hits, total = list(counts), dict[tuple[str, str], int](), 0
    for order in permutations(items):
        worth = 1
        for item, code in zip(items, order, strict=True):
            worth *= weight(item, counts[code])
        total += worth
        for item, code in zip(items, order, strict=True):
            hits[item, code] = hits.get((item, code), 0) + worth
    return {key: Fraction(number, total) for key, number in hits.items()} if total else None


ENDS = st.lists(st.integers(0, TRANSACTIONS), min_size=3, max_size=3).map(sorted)
RANGES = st.builds(lambda ends, one, two: (*ends, one, two), ENDS, st.integers(1, 4), st.integers(1, 4))


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, int], dict[str, Range]]:
    """Draw how often items occur, and what is believed of some."""
    counts = {item: draw(st.integers(1, TRANSACTIONS)) for item in "abcde"[: draw(st.integers(2, 5))]}
    believed = {item: draw(RANGES) for item in counts if item == "a" or draw(st.booleans())}
    return counts, believed


def belief(believed: Mapping[str, Range]) -> ga.Belief:
    """Return what is believed."""
    share = Fraction(1, TRANSACTIONS)
    return ga.Belief.intervals(
        {
            item: [(low * share, middle * share, one), (middle * share, high * share, two)]
            for item, (low, middle, high, one, two) in believed.items()
        }
    )


@settings(max_examples=50, deadline=None)
@given(cases(), st.booleans())
def test_chances_are_those_of_all_permutations(
    case: tuple[dict[str, int], dict[str, Range]], informed: bool
) -> None:
    counts, believed = case
    expected = enumerated(counts, believed)
    who = ga.KnowsFrequencies(belief=belief(believed), knows_method=informed)
    found = ga.assess(ga.Release(data(counts)), who, ga.Tolerance(average="1/2"))
    if expected is None:
        assert found.verdict == "cannot judge"
        return
    chances = {
        item: max(expected[item, code] for code in counts) if informed else expected[item, item]
        for item in counts
    }
    assert {one.target: one.chance for one in found.exposures} == chances
    mean = sum(chances.values(), Fraction(0)) / len(chances)
    assert found.verdict == ("safe" if mean <= Fraction(1, 2) else "at risk")
    # The checker comes to the same number from the written codes.
    codes = {item: item for item in counts}
    written = Counter(frozenset(item for item in counts if row < counts[item]) for row in range(TRANSACTIONS))

    def confirmed(limit: Fraction) -> bool:
        promise = Promise(attack="frequencies", attacker=fields(who), tolerance=ga.Tolerance(average=limit))
        return keeps(written, data(counts), [], codes, promise)

    near = Fraction(1, 10_000)
    assert confirmed(max(mean, near))
    assert mean <= near or not confirmed(mean - near)


def fields(who: ga.KnowsFrequencies) -> dict[str, Any]:
    """Return the fields of an attacker by name."""
    names = ("belief", "compliance", "order", "targets", "known_pairs", "of_interest", "knows_method")
    return {name: getattr(who, name) for name in names}


def test_equal_weights_change_nothing() -> None:
    counts = {"a": 1, "b": 2, "c": 2, "d": 4}
    plain = ga.Belief.intervals({"a": (0, 0.75), "b": (0.5, 1), "d": (0.25, 1)})
    parts = ga.Belief.intervals(
        {
            "a": [(0, 0.5, 3), (0.5, 0.75, 3)],
            "b": [(0.5, 1, 1)],
            "d": [(0.25, 0.5, "1/7"), (0.5, 1, "1/7")],
        }
    )
    one, other = (
        ga.assess(ga.Release(data(counts)), ga.KnowsFrequencies(belief=each), ga.Tolerance(average="1/2"))
        for each in (plain, parts)
    )
    assert [e.chance for e in one.exposures] == [e.chance for e in other.exposures]


def test_protecting_with_weights_is_written_and_confirmed(tmp_path: Path) -> None:
    rows = ["1 2 3", "1 2 3 4", "4 6", "3 4 5 6", "5 6", "6", "1 2", "1 3 4", "1 3 5", "2 4 6"]
    release = ga.Release(ga.Transactions.from_lists(map(str.split, rows)))
    leaning = ga.Belief.intervals(
        {"2": [(0.35, 0.45, 9), (0.45, 0.5, 1)], "5": [(0.2, 0.35, 9), (0.35, 0.5, 1)]}
    )
    who = ga.KnowsFrequencies(belief=leaning, knows_method=False)
    assert ga.assess(release, who, ga.Tolerance(identity="1/2")).verdict == "at risk"
    safer = ga.protect(release, who, ga.Tolerance(identity="1/2"))
    assert safer.verdict == "safe"
    safer.publish(tmp_path / "out")


@pytest.mark.parametrize(
    ("given_ranges", "said"),
    [
        ({"a": []}, "not a list of parts"),
        ({"a": [(0, 1)]}, "not a list of parts"),
        ({"a": [(0, 0.5, 1), (0.6, 1, 1)]}, "do not meet"),
        ({"a": [(0, 0.5, 0)]}, "not above 0"),
        ({"a": [(0.5, 0.2, 1)]}, "lower"),
    ],
)
def test_wrong_parts_are_refused(given_ranges: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        ga.Belief.intervals(given_ranges)


@pytest.mark.papers
def test_sets_and_pairs_are_refused_with_weights() -> None:
    leaning = ga.Belief.intervals({"a": [(0, 0.5, 1), (0.5, 1, 2)]})
    with pytest.raises(ScenarioError, match="single items"):
        ga.KnowsFrequencies(belief=leaning, targets="pairs")
    release = ga.Release(ga.Transactions.from_lists([["a"], ["b"]]))
    with pytest.raises(ScenarioError, match="weights"):
        ga.simulate(release, ga.KnowsFrequencies(belief=leaning))


def test_a_file_of_parts(tmp_path: Path) -> None:
    file = tmp_path / "ranges.csv"
    file.write_text("item,low,high,weight\na,0,1/2,1\na,1/2,1,2\n")
    assert ga.Belief.intervals(file) == ga.Belief.intervals({"a": [(0, 0.5, 1), (0.5, 1, 2)]})
