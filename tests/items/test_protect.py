from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.oracles.build import transactions

from giveaway.attacks.items import replaying
from giveaway.attacks.items.attacker import ItemsOptions, KnowsItems
from giveaway.attacks.items.choosing import best
from giveaway.attacks.items.measure import measure
from giveaway.attacks.items.protect import protect
from giveaway.errors import NoSafeRelease
from giveaway.model.effort import Effort
from giveaway.model.need import NeedsItemsets
from giveaway.model.release import Release, Withheld
from giveaway.model.risk import Protection
from giveaway.model.tolerance import Tolerance

Rows = list[set[str]]
PRIVATE = ("y", "z")

some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefyz")), st.integers(1, 3)), min_size=1, max_size=8
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = st.fractions(Fraction(1, 3), 1, max_denominator=5)
needs = st.one_of(
    st.none(),
    st.builds(NeedsItemsets, min_support=st.integers(1, 5), max_size=st.sampled_from([None, 1, 2, 3])),
)
options = st.builds(
    ItemsOptions,
    score=st.sampled_from(["minimal", "paper"]),
    reinstate=st.booleans(),
    keep_infrequent=st.booleans(),
)
quick = settings(max_examples=200)


def private_in(rows: Rows) -> list[str]:
    return [item for item in PRIVATE if any(item in row for row in rows)]


def has_public(rows: Rows) -> bool:
    return bool(set().union(*rows) - set(PRIVATE))


def protected(
    rows: Rows,
    at_most: int,
    tolerance: Tolerance,
    need: NeedsItemsets | None = None,
    *,
    exact: bool = False,
    **chosen: Any,
) -> Protection:
    release = Release(transactions(rows, private_in(rows)))
    return protect(
        release, KnowsItems(at_most=at_most), tolerance, need, Effort(exact=exact), ItemsOptions(**chosen)
    )


def greedy(
    rows: Rows, h: Fraction, k: int, p: int, need: NeedsItemsets | None, chosen: ItemsOptions
) -> tuple[list[Any], list[Any]]:
    observation: Literal[True, "k only"] = "k only" if chosen.keep_infrequent else True
    return oracle.greedy(
        rows,
        private_in(rows),
        h,
        k,
        p,
        1 if need is None else need.min_support,
        None if need is None else need.max_size,
        score=chosen.score,
        observation2=observation,
        reinstate=chosen.reinstate,
        need=need is not None,
    )


@quick
@given(
    rows=some_rows,
    at_most=st.integers(1, 4),
    crowd=st.integers(1, 4),
    limit=limits,
    need=needs,
    chosen=options,
)
def test_what_is_withheld_equals_the_greedy_by_brute_force_order_included(
    rows: Rows, at_most: int, crowd: int, limit: Fraction, need: NeedsItemsets | None, chosen: ItemsOptions
) -> None:
    private = private_in(rows)
    if not has_public(rows) or oracle.empty_set_is_mole(rows, private, limit, crowd):
        return
    infrequent, order = greedy(rows, limit, crowd, at_most, need, chosen)
    tolerance = Tolerance(identity=Fraction(1, crowd), attribute=limit)
    arguments = (Release(transactions(rows, private)), KnowsItems(at_most=at_most), tolerance, need, Effort())
    public = oracle.public_items(rows, private)
    if sorted(infrequent + order) == public:
        with pytest.raises(NoSafeRelease) as refused:
            protect(*arguments, chosen)
        alone = (oracle.without(rows, [other for other in public if other != one]) for one in public)
        exists = any(oracle.coherent(single, private, limit, crowd, at_most) for single in alone)
        assert refused.value.proved == (not exists)
        return
    found = protect(*arguments, chosen)
    assert list(found.release.withheld.items) == infrequent + order
    assert found.figures["infrequent_withheld"] == len(infrequent)
    left = oracle.without(rows, infrequent + order)
    assert oracle.coherent(left, private, limit, crowd, at_most)
    if need is not None:
        assert found.figures["nuggets_kept"] == len(oracle.nuggets(left, need.min_support, need.max_size))


@quick
@given(rows=some_rows, at_most=st.integers(1, 3), crowd=st.integers(2, 4), limit=limits, need=needs)
def test_the_ledger_and_the_curve_follow_every_step(
    rows: Rows, at_most: int, crowd: int, limit: Fraction, need: NeedsItemsets | None
) -> None:
    private = private_in(rows)
    if not has_public(rows):
        return
    try:
        found = protected(rows, at_most, Tolerance(identity=Fraction(1, crowd), attribute=limit), need)
    except NoSafeRelease:
        return
    order = list(found.release.withheld.items)
    assert [line.withheld for line in found.ledger] == order
    steps = [oracle.without(rows, order[:step]) for step in range(len(order) + 1)]
    moles = [len(oracle.minimal_moles(step, private, limit, crowd, at_most)) for step in steps]
    worth = [
        sum(map(len, step)) if need is None else len(oracle.nuggets(step, need.min_support, need.max_size))
        for step in steps
    ]
    exposed = [len(oracle.exposed_rows(step, private, limit, crowd, at_most)) for step in steps]
    assert [line.removed for line in found.ledger] == [a - b for a, b in pairwise(moles)]
    assert [line.lost for line in found.ledger] == [a - b for a, b in pairwise(worth)]
    (curve,) = found.curves
    assert curve.x == tuple(number / max(worth[0], 1) for number in worth)
    assert curve.y == tuple(number / len(rows) for number in exposed)


@quick
@given(
    rows=some_rows, at_most=st.integers(1, 3), crowd=st.integers(2, 4), share=st.sampled_from(["1/5", "1/2"])
)
def test_a_tolerated_share_takes_the_shortest_part_of_the_order(
    rows: Rows, at_most: int, crowd: int, share: str
) -> None:
    private, whole = private_in(rows), Fraction(1)
    if not has_public(rows) or oracle.empty_set_is_mole(rows, private, whole, crowd):
        return
    options = ItemsOptions(reinstate=False)
    order = [one for part in greedy(rows, whole, crowd, at_most, None, options) for one in part]
    exposed = [
        len(oracle.exposed_rows(oracle.without(rows, order[:step]), private, whole, crowd, at_most))
        for step in range(len(order) + 1)
    ]
    steps = next(step for step, count in enumerate(exposed) if count <= Fraction(share) * len(rows))
    tolerance = Tolerance(identity=Fraction(1, crowd), share=share)
    if steps == len(oracle.public_items(rows, private)):
        with pytest.raises(NoSafeRelease):
            protected(rows, at_most, tolerance)
    else:
        assert list(protected(rows, at_most, tolerance).release.withheld.items) == order[:steps]


@settings(max_examples=40)
@given(rows=some_rows, at_most=st.integers(1, 3), crowd=st.integers(2, 4), min_support=st.integers(1, 3))
def test_the_exact_search_is_never_worse_and_proves_what_it_says(
    rows: Rows, at_most: int, crowd: int, min_support: int
) -> None:
    private = private_in(rows)
    if not has_public(rows):
        return
    tolerance = Tolerance(identity=Fraction(1, crowd))
    need = NeedsItemsets(min_support=min_support)
    try:
        plain = protected(rows, at_most, tolerance, need)
        found = protected(rows, at_most, tolerance, need, exact=True)
    except NoSafeRelease:
        return
    public = oracle.public_items(rows, private)
    choices = (
        [item for place, item in enumerate(public) if bits >> place & 1] for bits in range(1 << len(public))
    )
    most = max(
        len(oracle.nuggets(oracle.without(rows, choice), min_support))
        for choice in choices
        if oracle.coherent(oracle.without(rows, choice), private, Fraction(1), crowd, at_most)
    )
    assert plain.figures["nuggets_kept"] <= found.figures["nuggets_kept"] == most
    assert found.figures["optimal"]
    assert found.figures["nuggets_upper_bound"] == most <= found.figures["nuggets_ceiling"]
    left = oracle.without(rows, found.release.withheld.items)
    assert oracle.coherent(left, private, Fraction(1), crowd, at_most)


@given(
    numbers=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=8
    ),
    scale=st.sampled_from([1, 1 << 40, 1 << 80]),
)
def test_the_best_item_is_found_by_exact_ratios_and_the_tie_rule(
    numbers: list[tuple[int, int, int]], scale: int
) -> None:
    if not any(charge for charge, _, _ in numbers):
        return
    kind = np.int64 if scale < 1 << 62 else object
    charged = np.array([charge * scale for charge, _, _ in numbers], kind)
    costs = np.array([cost * scale + (cost > 0) for _, cost, _ in numbers], kind)
    supports = np.array([support for _, _, support in numbers], np.int64)

    def worth(place: int) -> tuple[Any, ...]:
        charge, cost = int(charged[place]), int(costs[place])
        ratio = (1, Fraction(0)) if cost == 0 else (0, Fraction(charge, cost))
        return (*ratio, charge, -int(supports[place]), -place)

    assert best(charged, costs, supports) == max(np.flatnonzero(charged > 0).tolist(), key=worth)


def test_protecting_twice_withholds_nothing_more() -> None:
    rows = [set("abz"), set("abc"), set("bc"), set("abc"), set("ac"), set("ab")]
    tolerance = Tolerance(identity="1/3")
    once = protected(rows, 2, tolerance).release
    again = protect(once, KnowsItems(at_most=2), tolerance, None, Effort(), ItemsOptions())
    assert again.release.withheld == once.withheld
    assert measure(once, KnowsItems(at_most=2), tolerance, None, Effort()).over == 0


def test_what_was_withheld_before_stays_withheld_and_counts_as_lost() -> None:
    rows = [set("abd"), set("abc"), set("bcd"), set("ab")]
    release = Release(transactions(rows), Withheld(items=["d"]))
    found = protect(release, KnowsItems(at_most=1), Tolerance(identity="1/3"), None, Effort(), ItemsOptions())
    assert found.release.withheld.items == ("d", "c")
    assert found.curves[0].x == (9 / 11, 7 / 11)


def test_a_curve_that_costs_too_much_shows_moles_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "CURVE_BUDGET", -1)
    (curve,) = protected([set("ab"), set("a"), set("a")], 1, Tolerance(identity="1/2")).curves
    assert curve.y_label == "share of minimal moles left"
    assert curve.y == (1.0, 0.0)


def test_a_private_item_too_frequent_is_named_with_the_smallest_change_that_helps() -> None:
    rows = [{"a", "z"}, {"a", "z"}, {"b", "z"}, {"a", "b"}]
    with pytest.raises(NoSafeRelease, match="'z' is in 3 of 4") as refused:
        protected(rows, 1, Tolerance(attribute="1/2"))
    assert refused.value.proved
    assert refused.value.helps == ("The smallest change that helps: tolerates.attribute=3/4.",)
    protected(rows, 1, Tolerance(attribute="3/4"))


def test_too_few_transactions_are_refused_with_the_smallest_change_that_helps() -> None:
    rows = [{"a"}, {"a", "b"}, set()]
    with pytest.raises(NoSafeRelease, match="only 3 transactions") as refused:
        protected(rows, 1, Tolerance(identity="1/5"))
    assert refused.value.proved
    assert "tolerates.identity=1/2" in refused.value.helps[0]
    protected(rows, 1, Tolerance(identity="1/2"))


def test_when_no_public_item_is_safe_alone_either_limit_may_be_relaxed() -> None:
    rows = [{"a", "z"}, {"a", "z"}, {"a"}, {"b"}, set(), set()]
    tolerance = Tolerance(identity="1/2", attribute="1/2")
    with pytest.raises(NoSafeRelease, match="Every public item") as refused:
        protected(rows, 1, tolerance)
    assert refused.value.proved
    assert refused.value.helps == (
        "The smallest change that helps: tolerates.attribute=2/3 or tolerates.identity=1/1.",
    )
    protected(rows, 1, Tolerance(identity="1/2", attribute="2/3"))
    protected(rows, 1, Tolerance(identity="1/1", attribute="1/2"))


def test_when_both_limits_must_be_relaxed_both_are_said() -> None:
    rows = [{"a", "z"}, {"a", "z"}, set(), set()]
    with pytest.raises(NoSafeRelease) as refused:
        protected(rows, 1, Tolerance(identity="1/3", attribute="1/2"))
    assert refused.value.helps == (
        "The smallest change that helps: tolerates.identity=1/2 and tolerates.attribute=1/1.",
    )
    protected(rows, 1, Tolerance(identity="1/2", attribute=1))


def test_an_empty_result_is_not_called_proved_while_a_rare_item_could_be_released() -> None:
    rows = [set("ab"), set("ab"), {"a"}]
    with pytest.raises(NoSafeRelease) as refused:
        protected(rows, 1, Tolerance(identity="1/2"), NeedsItemsets(min_support=5))
    assert not refused.value.proved
    assert "keep_infrequent" in refused.value.helps[0]
