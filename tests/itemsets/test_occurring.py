from collections import Counter
from math import comb

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.oracles.build import transactions

from giveaway.errors import BudgetExceeded
from giveaway.itemsets import occurring
from giveaway.itemsets.ranked import rank
from giveaway.model.progress import watched

Rows = list[set[str]]

some_rows = st.lists(st.tuples(st.sets(st.sampled_from("abcdefgz")), st.integers(1, 3)), max_size=8).map(
    lambda pairs: [row for row, times in pairs for _ in range(times)]
)
moduli = st.sampled_from([None, [1 << 62, (1 << 62) - 1], [101, 7, 103, 11]])
quick = settings(max_examples=200)


def private_in(rows: Rows) -> list[str]:
    return ["z"] if any("z" in row for row in rows) else []


@quick
@given(rows=some_rows, size=st.integers(1, 8), parts=moduli)
@example(rows=[set("abcd"), set("bcde")], size=3, parts=None)
@example(rows=[set("abcd"), set("bcd")], size=2, parts=None)
@example(rows=[set("abc"), set("abc"), set("abcd")], size=4, parts=None)
def test_counts_by_size_support_and_item_equal_brute_force(
    rows: Rows, size: int, parts: list[int] | None
) -> None:
    data = transactions(rows, private_in(rows))
    ranked = rank(data)
    counter = occurring.counter(ranked, size)
    counter._moduli = parts or counter._moduli
    counted = counter.count()
    expected = oracle.occurring(rows, private_in(rows), size)
    sizes, supports = Counter(map(len, expected)), Counter(expected.values())
    assert counted.total == len(expected)
    assert counted.sizes == tuple(sizes[i] for i in range(len(counted.sizes)))
    assert counted.supports == tuple(supports[i] for i in range(occurring.RARE + 1))
    assert counted.least == min(expected.values(), default=0)
    labels = [data.labels[code] for code in ranked.codes]
    assert counted.items == tuple(oracle.containing(expected, label) for label in labels)


@quick
@given(rows=some_rows, size=st.integers(1, 5), order=st.permutations("abcdefg"), parts=moduli)
def test_counts_stay_right_while_items_are_withheld(
    rows: Rows, size: int, order: list[str], parts: list[int] | None
) -> None:
    data = transactions(rows, private_in(rows))
    ranked = rank(data)
    counter = occurring.counter(ranked, size)
    counter._moduli = parts or counter._moduli
    counts = list(counter.count().items)
    labels = [data.labels[code] for code in ranked.codes]
    gone: list[str] = []
    for item in (item for item in order if item in data.code_of):
        place = labels.index(item)
        others, shared = counter.withhold(place)
        counts[place] = 0
        for other, sets in zip(others.tolist(), shared.tolist(), strict=True):
            counts[other] -= sets
        gone.append(item)
        left = oracle.occurring(oracle.without(rows, gone), private_in(rows), size)
        assert counts == [oracle.containing(left, label) for label in labels]


def test_counts_beyond_64_bits_are_exact() -> None:
    longest, size = 400, 12
    rows = [{str(i) for i in range(longest)}, {str(i) for i in range(200, longest + 200)}]
    counted = occurring.counter(rank(transactions(rows)), size).count()

    def upto(many: int) -> int:
        return sum(comb(many, i) for i in range(1, size + 1))

    assert counted.total == 2 * upto(400) - upto(200) > 1 << 64
    assert counted.supports[2] == upto(200)
    assert sum(counted.items) == sum(i * n for i, n in enumerate(counted.sizes))


def test_a_count_that_pauses_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{f"{(i * j) % 23}" for j in range(1, 9)} for i in range(1, 40)]
    ranked = rank(transactions(rows))
    whole = occurring.counter(ranked, 4).count()
    calls = []
    monkeypatch.setattr(occurring, "_BLOCK", 50)
    with watched(lambda *told: calls.append(told[1])):
        paused = occurring.counter(ranked, 4).count()
    assert len(calls) > 20
    assert whole == paused


def test_a_count_over_budget_says_what_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occurring, "_BLOCK", 50)
    rows = [{f"{(i * j) % 23}" for j in range(1, 9)} for i in range(1, 40)]
    with pytest.raises(BudgetExceeded, match="smaller at_most"):
        occurring.counter(rank(transactions(rows)), 4, budget=100).count()


def test_items_left_out_are_not_counted() -> None:
    rows = [set("abc"), set("abd"), set("cd")]
    ranked = rank(transactions(rows))
    without = ranked.codes == 0
    counted = occurring.counter(ranked, 3, without=without).count()
    assert counted.total == len(oracle.occurring(oracle.without(rows, "a"), (), 3))
