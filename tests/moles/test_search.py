from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import items as oracle
from tests.oracles.build import transactions
from tests.sizes import sized

from giveaway.errors import BudgetExceeded
from giveaway.itemsets.ranked import below, rank
from giveaway.model.progress import limited, watched
from giveaway.moles.remaining import LiveMoles, MoleCounts, exposed_after
from giveaway.moles.search import Moles, mine
from giveaway.moles.worst_breach import most_telling, rarest

Rows = list[set[str]]
PRIVATE = ("y", "z")

some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefyz")), st.integers(1, 3)), min_size=1, max_size=8
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = fractions(Fraction(1, 6), 1, max_denominator=6)
quick = settings(max_examples=200)


def private_in(rows: Rows) -> list[str]:
    return [item for item in PRIVATE if any(item in row for row in rows)]


def mined(rows: Rows, at_most: int, crowd: int, limit: Fraction) -> Moles:
    return mine(rank(transactions(rows, private_in(rows))), at_most, crowd, limit)


def spelled(rows: Rows, moles: Moles, *, free: bool = False) -> dict[frozenset[str], int]:
    labels = transactions(rows, private_in(rows)).labels
    sets = moles.free if free else moles.harmful
    offsets, codes = moles.decoded(sets.parent, sets.item)
    return {
        frozenset(str(labels[code]) for code in codes[begin:end]): int(support)
        for begin, end, support in zip(offsets[:-1], offsets[1:], sets.support, strict=True)
    }


@sized(200)
@given(rows=some_rows, at_most=st.integers(1, 7), crowd=st.integers(1, 6), limit=limits)
@example(rows=[set("abc"), set("ab"), set("bc"), set("ac")], at_most=3, crowd=2, limit=Fraction(1))
@example(rows=[set("abz"), set("az"), set("b"), set("ab"), set()], at_most=2, crowd=1, limit=Fraction(1, 2))
def test_minimal_moles_and_free_sets_equal_brute_force(
    rows: Rows, at_most: int, crowd: int, limit: Fraction
) -> None:
    private = private_in(rows)
    found = mined(rows, at_most, crowd, limit)
    everything = oracle.occurring(rows, private, at_most)
    if oracle.empty_set_is_mole(rows, private, limit, crowd):
        assert found.everything
        assert spelled(rows, found) == {one: n for one, n in everything.items() if len(one) == 1}
        assert spelled(rows, found, free=True) == {}
    else:
        harmful = oracle.moles(rows, private, limit, crowd, at_most)
        assert spelled(rows, found) == {one: harmful[one] for one in oracle.minimal(harmful)}
        assert spelled(rows, found, free=True) == {
            one: n for one, n in everything.items() if one not in harmful
        }


@sized(200)
@given(rows=some_rows, at_most=st.integers(1, 5), crowd=st.integers(1, 6), limit=limits)
def test_one_search_tells_the_exposed_transactions_of_every_weaker_attacker(
    rows: Rows, at_most: int, crowd: int, limit: Fraction
) -> None:
    found = mined(rows, at_most, crowd, limit)
    for known in range(1, at_most + 1):
        expected = oracle.exposed_rows(rows, private_in(rows), limit, crowd, known)
        assert found.exposed(known) == len(expected)


@quick
@given(
    rows=some_rows,
    at_most=st.integers(1, 5),
    above=st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)]),
)
def test_the_most_telling_set_equals_brute_force(rows: Rows, at_most: int, above: Fraction) -> None:
    data, private = transactions(rows, private_in(rows)), private_in(rows)
    occurring = oracle.occurring(rows, private, at_most)
    breaches = {one: oracle.own_breach(rows, private, one) for one in occurring}
    worst = max(breaches.values(), default=Fraction(0))

    found = most_telling(rank(data), at_most, above)

    if worst <= above:
        assert found is None
        return
    assert found is not None
    named = frozenset(data.labels[code] for code in found.codes)
    assert (found.breach, found.support) == (worst, occurring[named])
    assert breaches[named] == worst
    secret = sorted(private)[found.secret]
    assert found.holding == oracle.support(rows, {*named, secret})
    if at_most <= 2:
        ties = [one for one, breach in breaches.items() if breach == worst]
        assert named == min(ties, key=lambda one: (len(one), -occurring[one], sorted(one)))


@quick
@given(rows=some_rows, at_most=st.integers(1, 5))
def test_the_rarest_set_equals_brute_force(rows: Rows, at_most: int) -> None:
    data = transactions(rows, private_in(rows))
    occurring = oracle.occurring(rows, private_in(rows), at_most)
    if not occurring:
        return
    least = min(occurring.values())

    found = rarest(rank(data), at_most, least)

    assert found is not None
    named = frozenset(data.labels[code] for code in found.codes)
    assert found.support == occurring[named] == least
    assert least == 1 or rarest(rank(data), at_most, least - 1) is None
    if at_most <= 2:
        ties = [one for one, support in occurring.items() if support == least]
        assert named == min(ties, key=lambda one: (len(one), sorted(one)))


@sized(200)
@given(
    rows=some_rows,
    at_most=st.integers(1, 4),
    crowd=st.integers(1, 5),
    limit=limits,
    order=st.permutations("abcdef"),
    dropped=st.integers(0, 2),
)
def test_counts_of_moles_stay_right_while_items_are_withheld(
    rows: Rows, at_most: int, crowd: int, limit: Fraction, order: list[str], dropped: int
) -> None:
    private = private_in(rows)
    if oracle.empty_set_is_mole(rows, private, limit, crowd):
        return
    data = transactions(rows, private)
    found = mine(rank(data), at_most, crowd, limit)
    order = [item for item in order if item in data.code_of]
    codes = [data.code_of[item] for item in order]
    live = LiveMoles(*found.minimal, len(data.labels))
    counts = MoleCounts(found, np.isin(found.ranked.codes, codes[:dropped]))
    for code in codes[:dropped]:
        live.withhold(code)
    for step in range(dropped, len(order) + 1):
        harmful = oracle.moles(oracle.without(rows, order[:step]), private, limit, crowd, at_most)
        for counted, itemsets in (
            (live.counts, oracle.minimal(harmful)),
            (counts.counts(len(data.labels)), harmful),
        ):
            expected = [
                0 if label in private else oracle.containing(itemsets, label) for label in data.labels
            ]
            assert counted.tolist() == expected
        if step < len(order):
            before = live.left
            assert live.withhold(codes[step]) == before - live.left
            counts.withhold(codes[step])


@quick
@given(
    rows=some_rows,
    at_most=st.integers(1, 4),
    crowd=st.integers(1, 5),
    limit=limits,
    order=st.permutations("abcdef"),
)
def test_exposed_transactions_are_followed_through_every_step_of_withholding(
    rows: Rows, at_most: int, crowd: int, limit: Fraction, order: list[str]
) -> None:
    private = private_in(rows)
    if oracle.empty_set_is_mole(rows, private, limit, crowd):
        return
    data = transactions(rows, private)
    order = [item for item in order if item in data.code_of]
    found = mine(rank(data), at_most, crowd, limit)
    exposed = exposed_after(found, [data.code_of[item] for item in order], budget=10**9)
    assert exposed is not None
    assert exposed.tolist() == [
        len(oracle.exposed_rows(oracle.without(rows, order[:step]), private, limit, crowd, at_most))
        for step in range(len(order) + 1)
    ]


@given(limit=st.fractions(Fraction(1, 1000), 1, max_denominator=1000), largest=st.integers(1, 40))
def test_the_fraction_below_a_limit_separates_the_same_counts(limit: Fraction, largest: int) -> None:
    near = Fraction(*below(limit, largest))
    assert near.denominator <= largest
    for support in range(1, largest + 1):
        for count in range(support + 1):
            assert (Fraction(count, support) > limit) == (Fraction(count, support) > near)


@given(st.permutations(range(6)))
def test_the_order_of_rows_changes_nothing(order: list[int]) -> None:
    rows = [set("abz"), set("ab"), set("bc"), set("abc"), set("cz"), set("a")]
    shuffled = [rows[place] for place in order]
    first, second = (mined(some, 3, 2, Fraction(1, 2)) for some in (rows, shuffled))
    assert spelled(rows, first) == spelled(shuffled, second)
    assert first.minimal[1].tolist() == second.minimal[1].tolist()


def test_a_search_that_pauses_and_grows_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{f"{(i * j) % 23}" for j in range(1, 9)} for i in range(1, 40)]
    whole = mined(rows, 4, 3, Fraction(1))
    calls = []
    monkeypatch.setattr("giveaway.moles.search._BLOCK", 50)
    with watched(lambda *told: calls.append(told[1])):
        paused = mined(rows, 4, 3, Fraction(1))
    assert len(calls) > 20
    assert calls == sorted(calls)
    for one, other in zip((*whole.free, *whole.harmful), (*paused.free, *paused.harmful), strict=True):
        assert one.tolist() == other.tolist()


def test_a_search_over_budget_says_what_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.moles.search._BLOCK", 50)
    rows = [{f"{(i * j) % 23}" for j in range(1, 9)} for i in range(1, 40)]
    data = transactions(rows)
    monkeypatch.setattr("giveaway.moles.search.refuse_blow_up", lambda *_, **__: None)
    with pytest.raises(BudgetExceeded, match="smaller at_most"):
        mine(rank(data), 4, 3, Fraction(1), budget=100)
    with limited(memory=1000), pytest.raises(BudgetExceeded, match="memory"):
        mine(rank(data), 4, 3, Fraction(1))


def test_a_tie_with_the_limit_is_no_breach_however_the_limit_is_written() -> None:
    rows = [{"a", "z"}] * 7 + [{"a"}] * 3 + [set()] * 5
    assert len(mined(rows, 1, 1, Fraction("0.7")).harmful.item) == 0
    assert len(mined(rows, 1, 1, Fraction("0.6999999999999999999999")).harmful.item) == 1
