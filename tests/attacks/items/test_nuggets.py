from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.oracles import items as oracle
from tests.oracles.build import packed, shared_rows, transactions
from tests.sizes import sized

from giveaway.attacks.items.nuggets import counts
from giveaway.errors import BudgetExceeded
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import limited, watched

BOTH_ENGINES = pytest.mark.parametrize("dense", [True, False], ids=["bitmaps", "occurrences"])
PRIVATE = ("y", "z")
Rows = list[set[str]]

some_rows = st.lists(st.tuples(st.sets(st.sampled_from("abcdefyz")), st.integers(1, 3)), max_size=8).map(
    lambda pairs: [row for row, times in pairs for _ in range(times)]
)
sizes = st.sampled_from([1, 2, 3, None])


def per_label(data: Transactions, counted: counts.Nuggets) -> dict[Label, int]:
    return {
        label: number
        for label, number in zip(data.labels, counted.per_item().tolist(), strict=True)
        if number
    }


def by_item(itemsets: Iterable[oracle.Itemset]) -> dict[oracle.Item, int]:
    return dict(Counter(item for itemset in itemsets for item in itemset))


@BOTH_ENGINES
@sized(150)
@given(rows=some_rows, min_support=st.integers(1, 5), max_size=sizes, order=st.permutations("abcdefyz"))
@example(rows=[set("abc")] * 5, min_support=2, max_size=None, order=list("abcdefyz"))
@example(
    rows=[set("abcd"), set("abcd"), set("bcd"), set("ad")], min_support=1, max_size=None, order=list("dcba")
)
def test_counts_and_losses_equal_brute_force_however_items_are_withheld(
    dense: bool, rows: Rows, min_support: int, max_size: int | None, order: list[str]
) -> None:
    data = transactions(rows, [item for item in PRIVATE if any(item in row for row in rows)])
    counted = counts.count(data, min_support, max_size, dense=dense)
    expected = oracle.nuggets(rows, min_support, max_size)
    assert counted.total == len(expected)
    assert per_label(data, counted) == by_item(expected)

    for item in order:
        if item not in data.code_of:
            continue
        lost = sum(item in itemset for itemset in expected)
        expected = {itemset: n for itemset, n in expected.items() if item not in itemset}

        assert counted.withhold(data.code_of[item]) == lost
        assert counted.total == len(expected)
        assert per_label(data, counted) == by_item(expected)


@BOTH_ENGINES
@sized(150)
@given(
    rows=some_rows, min_support=st.integers(1, 4), max_size=sizes, k=st.integers(1, 3), p=st.integers(1, 3)
)
def test_nuggets_without_moles_are_those_whose_public_part_holds_none(
    dense: bool, rows: Rows, min_support: int, max_size: int | None, k: int, p: int
) -> None:
    data = transactions(rows, [item for item in PRIVATE if any(item in row for row in rows)])
    moles = oracle.minimal_moles(rows, PRIVATE, Fraction(1, 2), k, p)
    offsets, codes = packed([[data.code_of[item] for item in mole] for mole in moles])

    found = counts.without_moles(data, min_support, max_size, offsets, codes, dense=dense)

    free = [s for s in oracle.nuggets(rows, min_support, max_size) if not any(mole <= s for mole in moles)]
    parts = Counter(frozenset(s - set(PRIVATE)) for s in free)
    private_only = parts.pop(frozenset(), 0)
    listed = [
        frozenset(data.labels[code] for code in found.part_codes[a:b])
        for a, b in zip(found.part_offsets, found.part_offsets[1:], strict=False)
    ]
    assert found.total == len(free)
    assert found.base == private_only
    assert len(set(listed)) == len(listed)
    assert dict(zip(listed, found.part_weights.tolist(), strict=True)) == dict(parts)


@BOTH_ENGINES
def test_counts_beyond_64_bits_are_exact(dense: bool) -> None:
    long, short = [f"{i}" for i in range(100)], [f"{i}" for i in range(50, 170)]
    data = transactions([long, long, short])

    counted = counts.count(data, 1, dense=dense)

    assert counted.total == 2**100 + 2**120 - 2**50 - 1
    assert counted.per_item()[data.code_of["0"]] == 2**99
    assert counted.per_item()[data.code_of["60"]] == 2**99 + 2**119 - 2**49
    assert counted.per_item()[data.code_of["160"]] == 2**119
    assert counted.withhold(data.code_of["60"]) == 2**99 + 2**119 - 2**49
    assert counted.withhold(data.code_of["0"]) == 2**98
    assert counted.total == 2**98 + 2**119 - 2**49 - 1
    for item in data.labels:
        counted.withhold(data.code_of[item])
    assert counted.total == 0
    assert set(counted.per_item()) == {0}


@BOTH_ENGINES
def test_a_limited_size_counts_beyond_64_bits_too(dense: bool) -> None:
    counted = counts.count(transactions([[f"{i}" for i in range(150)]]), 1, 40, dense=dense)

    assert counted.total == sum(comb(150, size) for size in range(1, 41))
    assert counted.withhold(7) == sum(comb(149, size) for size in range(40))


@BOTH_ENGINES
def test_weights_with_many_bits_are_added_exactly(dense: bool) -> None:
    rows = [list("ab")] * 1000 + [list("bc")] * 77 + [list("abc")] * 13

    for min_support, total in (
        (13, 7),
        (14, 5),
        (90, 5),
        (91, 3),
        (1013, 3),
        (1014, 1),
        (1090, 1),
        (1091, 0),
    ):
        assert counts.count(transactions(rows), min_support, dense=dense).total == total


@BOTH_ENGINES
def test_arrays_grow_without_changing_the_counts(dense: bool) -> None:
    rng = np.random.default_rng(5)
    rows = [set(map(str, np.flatnonzero(rng.random(40) < 0.5))) for _ in range(60)]

    counted = counts.count(transactions(rows), 8, 5, dense=dense)

    supports = np.array([[str(i) in row for i in range(40)] for row in rows])
    assert len(counted._sets.heads) > 5000
    assert counted.total == frequent_sets(supports, 8, 5)


def frequent_sets(columns: NDArray[np.bool_], min_support: int, max_size: int) -> int:
    def extend(cover: NDArray[np.bool_], start: int, size: int) -> int:
        found = 0
        for item in range(start, columns.shape[1]):
            both = cover & columns[:, item]
            if both.sum() >= min_support:
                found += 1 + (extend(both, item + 1, size + 1) if size + 1 < max_size else 0)
        return found

    return extend(np.ones(len(columns), bool), 0, 0)


@pytest.mark.parametrize(
    ("name", "min_support", "total", "intervals"),
    [
        ("mushroom", 813, 574_431, 11_225),
        ("mushroom", 812, 574_513, 11_242),
        ("mushroom", 400, 3_771_727, 34_401),
        ("chess", 1600, 1_261_227, 370_223),
    ],
)
def test_known_numbers_of_frequent_itemsets(name: str, min_support: int, total: int, intervals: int) -> None:
    counted = counts.count(transactions(shared_rows(name)), min_support)

    assert (counted.total, len(counted._sets.heads)) == (total, intervals)


@BOTH_ENGINES
def test_too_much_work_is_refused_with_a_hint(dense: bool) -> None:
    rng = np.random.default_rng(1)
    data = transactions([set(map(str, np.flatnonzero(rng.random(60) < 0.9))) for _ in range(300)])

    with pytest.raises(BudgetExceeded, match="larger min_support"):
        counts.count(data, 20, budget=100_000, dense=dense)
    nothing = packed([])
    assert counts.without_moles(data, 20, None, *nothing, budget=100_000, dense=dense) is None


def test_too_little_memory_is_refused_with_a_hint() -> None:
    rng = np.random.default_rng(1)
    data = transactions([set(map(str, np.flatnonzero(rng.random(40) < 0.7))) for _ in range(300)])

    with limited(memory=5_000_000), pytest.raises(BudgetExceeded, match="larger min_support"):
        counts.count(data, 20)


def test_a_long_count_tells_its_progress() -> None:
    rng = np.random.default_rng(1)
    data = transactions([set(map(str, np.flatnonzero(rng.random(40) < 0.7))) for _ in range(300)])
    seen = []

    with watched(lambda stage, done, total: seen.append((stage, done, total))):
        counts.count(data, 60)

    assert len(seen) > 2
    assert {stage for stage, _, _ in seen} - {"compiling, once for all later runs"} == {
        "counting combinations that stay"
    }


def test_no_rows_and_empty_rows_have_no_nuggets() -> None:
    assert counts.count(transactions([]), 1).total == 0
    assert counts.count(transactions([[], []]), 1).per_item().tolist() == []
    assert counts.count(transactions([["a"], []]), 2).per_item().tolist() == [0]
    assert counts.count(transactions([["a"], []]), 2).withhold(0) == 0
