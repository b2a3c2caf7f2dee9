from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import items as oracle
from tests.oracles.build import transactions
from tests.sizes import sized

from giveaway.attacks.items.attacker import ItemsOptions, KnowsItems
from giveaway.attacks.items.measure import measure
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.protect import protect
from giveaway.attacks.items.protecting import ledger
from giveaway.attacks.items.protecting.greedy import best
from giveaway.errors import BudgetExceeded, NoSafeRelease, ScenarioError
from giveaway.model.answer.risk import Protection
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release, Withheld

Rows = list[set[str]]
PRIVATE = ("y", "z")

some_rows = st.lists(
    st.tuples(st.sets(st.sampled_from("abcdefyz")), st.integers(1, 3)), min_size=1, max_size=8
).map(lambda pairs: [row for row, times in pairs for _ in range(times)])
limits = fractions(Fraction(1, 3), 1, max_denominator=5)
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


@sized(200)
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
        return  # what is released then is the question of a test of its own
    found = protect(*arguments, chosen)
    assert list(found.release.withheld.items) == infrequent + order
    assert found.figures["infrequent_withheld"] == len(infrequent)
    left = oracle.without(rows, infrequent + order)
    assert oracle.coherent(left, private, limit, crowd, at_most)
    if need is not None:
        assert found.figures["nuggets_kept"] == len(oracle.nuggets(left, need.min_support, need.max_size))


@sized(200)
@given(
    rows=some_rows,
    at_most=st.integers(1, 3),
    crowd=st.integers(2, 4),
    limit=limits,
    need=needs,
    chosen=options,
)
def test_the_ledger_and_the_curve_follow_every_step(
    rows: Rows, at_most: int, crowd: int, limit: Fraction, need: NeedsItemsets | None, chosen: ItemsOptions
) -> None:
    private = private_in(rows)
    if not has_public(rows):
        return
    try:
        found = protected(
            rows, at_most, Tolerance(identity=Fraction(1, crowd), attribute=limit), need, **vars(chosen)
        )
    except NoSafeRelease:
        return
    order = list(found.release.withheld.items)
    assert [line.withheld for line in found.ledger] == order
    steps = [oracle.without(rows, order[:step]) for step in range(len(order) + 1)]
    charged = oracle.moles if chosen.score == "paper" else oracle.minimal_moles
    moles = [len(charged(step, private, limit, crowd, at_most)) for step in steps]
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


def subsets(items: list[Any]) -> Iterator[list[Any]]:
    for size in range(len(items) + 1):
        yield from map(list, combinations(items, size))


def exposed_after(rows: Rows, withheld: Iterable[Any], tolerance: Tolerance, at_most: int) -> int:
    h = Fraction(1) if tolerance.attribute is None else tolerance.attribute
    left = oracle.without(rows, set(withheld))
    return len(oracle.exposed_rows(left, private_in(rows), h, tolerance.smallest_crowd, at_most))


tolerances = st.builds(
    Tolerance,
    identity=st.sampled_from(["1/1", "1/2", "1/3", "1/4"]),
    attribute=st.one_of(st.none(), limits),
    share=st.sampled_from(["0", "1/5", "1/3", "1/2"]),
) | st.builds(Tolerance, attribute=limits, share=st.sampled_from(["0", "1/5", "1/3", "1/2"]))


@sized(300)
@given(
    rows=some_rows,
    at_most=st.integers(1, 3),
    tolerance=tolerances,
    need=needs,
    chosen=options,
    exact=st.booleans(),
)
def test_whenever_a_safe_release_exists_one_is_found_and_otherwise_it_is_proved(
    rows: Rows,
    at_most: int,
    tolerance: Tolerance,
    need: NeedsItemsets | None,
    chosen: ItemsOptions,
    exact: bool,
) -> None:
    if not has_public(rows):
        return
    public = oracle.public_items(rows, private_in(rows))
    allowed = tolerance.share * len(rows)
    exists = any(
        exposed_after(rows, withheld, tolerance, at_most) <= allowed
        for withheld in subsets(public)
        if withheld != public
    )
    arguments = Release(transactions(rows, private_in(rows))), KnowsItems(at_most=at_most), tolerance, need
    if not exists:
        with pytest.raises(NoSafeRelease) as refused:
            protect(*arguments, Effort(exact=exact), chosen)
        assert refused.value.proved
        return
    withheld = protect(*arguments, Effort(exact=exact), chosen).release.withheld.items
    assert set(withheld) < set(public)
    assert exposed_after(rows, withheld, tolerance, at_most) <= allowed


@sized(200)
@given(rows=some_rows, at_most=st.integers(1, 3), tolerance=tolerances, reinstate=st.booleans(), need=needs)
def test_a_tolerated_share_withholds_the_shortest_part_of_the_order_and_puts_back_what_it_can(
    rows: Rows, at_most: int, tolerance: Tolerance, reinstate: bool, need: NeedsItemsets | None
) -> None:
    private = private_in(rows)
    limit = Fraction(1) if tolerance.attribute is None else tolerance.attribute
    crowd, allowed = tolerance.smallest_crowd, tolerance.share * len(rows)
    if not has_public(rows) or oracle.empty_set_is_mole(rows, private, limit, crowd) or not allowed:
        return
    infrequent, chosen = greedy(rows, limit, crowd, at_most, need, ItemsOptions(reinstate=False))
    order = infrequent + chosen
    steps = next(
        step
        for step in range(len(order) + 1)
        if exposed_after(rows, order[:step], tolerance, at_most) <= allowed
    )
    expected = order[:steps]
    for item in reversed(expected[len(infrequent) :] if reinstate else []):
        others = [other for other in expected if other != item]
        if exposed_after(rows, others, tolerance, at_most) <= allowed:
            expected = others
    if len(expected) == len(oracle.public_items(rows, private)):
        return  # what is released then is the question of a test of its own
    found = protected(rows, at_most, tolerance, need, reinstate=reinstate)
    assert list(found.release.withheld.items) == expected


def test_items_are_put_back_that_expose_only_who_is_exposed_already() -> None:
    """All of b to f are held by one person, as many as are tolerated: whoever knows c learns of nobody else than with b."""
    rows = [set(), set(), set(), {"a"}, set("abcdef") | {"y"}]
    found = protected(rows, 1, Tolerance(attribute="2/5", share="1/5"))
    assert found.release.withheld.items == ("a",)


def test_what_would_withhold_everything_releases_the_item_that_is_safe_alone() -> None:
    found = protected([{"a", "b"}, set(), {"b"}], 1, Tolerance(identity="1/3", share="1/3"))
    assert found.release.withheld.items == ("b",)
    assert found.detail.endswith("which leaves no release. 1 item was put back.")


def test_from_nothing_the_items_most_useful_for_the_need_are_put_back_first() -> None:
    rows = [set("ab"), set("ab"), set("ac"), set("ac"), set("ac"), {"b"}, {"b"}]
    found = protected(rows, 2, Tolerance(identity="1/2"), NeedsItemsets(min_support=6))
    assert found.release.withheld.items == ()
    limited = protected([set("ab"), {"a"}, {"b"}, {"b"}], 1, Tolerance(identity="1/4", share="3/4"))
    assert limited.release.withheld.items == ("a",)


@quick
@given(rows=some_rows, at_most=st.integers(1, 3), tolerance=tolerances)
def test_the_change_that_is_said_to_help_helps_and_a_smaller_one_does_not(
    rows: Rows, at_most: int, tolerance: Tolerance
) -> None:
    if not has_public(rows):
        return
    try:
        protected(rows, at_most, tolerance)
    except NoSafeRelease as refused:
        (said,) = refused.helps
    else:
        return
    ways = said.removeprefix("The smallest change that helps: ").removesuffix(".").split(" or ")
    for way in ways:
        changes = {
            part.split("=")[0].removeprefix("tolerates."): Fraction(part.split("=")[1])
            for part in way.split(" and ")
        }
        protected(rows, at_most, replace(tolerance, **changes))
        if len(changes) == 1:
            ((name, value),) = changes.items()
            less = Fraction(1, int(1 / value) + 1) if name == "identity" else value - Fraction(1, 10**6)
            with pytest.raises(NoSafeRelease):
                protected(rows, at_most, replace(tolerance, **{name: less}))


@sized(200)
@given(
    rows=some_rows,
    at_most=st.integers(1, 3),
    tolerance=tolerances,
    need=needs.filter(bool),
    chosen=options,
    exact=st.booleans(),
)
def test_no_safe_release_keeps_more_than_is_proved_and_the_best_is_called_so(
    rows: Rows, at_most: int, tolerance: Tolerance, need: NeedsItemsets, chosen: ItemsOptions, exact: bool
) -> None:
    if not has_public(rows):
        return
    arguments = Release(transactions(rows, private_in(rows))), KnowsItems(at_most=at_most), tolerance, need
    try:
        plain, found = (protect(*arguments, Effort(exact=also), chosen) for also in (False, exact))
    except NoSafeRelease:
        return
    kept = found.figures["nuggets_kept"]
    left = oracle.without(rows, set(found.release.withheld.items))
    assert plain.figures["nuggets_kept"] <= kept == len(oracle.nuggets(left, need.min_support, need.max_size))
    if tolerance.share:
        assert found.figures["nuggets_ceiling"] is None
        assert "optimal" not in found.figures
        return
    most = max(
        len(oracle.nuggets(oracle.without(rows, withheld), need.min_support, need.max_size))
        for withheld in subsets(oracle.public_items(rows, private_in(rows)))
        if exposed_after(rows, withheld, tolerance, at_most) == 0
    )
    assert most <= found.figures["nuggets_ceiling"]
    assert "optimal" in found.figures or not exact
    assert most <= found.figures.get("nuggets_upper_bound", most)
    assert found.figures.get("optimal", kept == most) == (kept == most)
    assert not exact or kept == most


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
    monkeypatch.setattr(ledger, "CURVE_BUDGET", -1)
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


def test_the_refusal_of_what_the_paper_returns_names_it() -> None:
    rows = [{"a", "z"}, {"a", "z"}, {"a"}, {"b"}, set(), set()]
    as_printed = {"score": "paper", "reinstate": False}
    with pytest.raises(
        NoSafeRelease, match="a cohesion; but a release without public items is not a release"
    ):
        protected(rows, 1, Tolerance(identity="1/2", attribute="1/2"), **as_printed)
    assert oracle.greedy(
        rows, ["z"], Fraction(1, 2), 2, 1, 1, score="paper", reinstate=False, observation2=True
    ) == (["b"], ["a"])


def test_moles_too_many_to_count_leave_the_minimal_ones_in_the_ledger(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [set("abc"), set("bcd"), set("abd"), set("bcd")]
    asked = rows, 2, Tolerance(identity="1/3"), None
    whole = protected(*asked, score="paper")
    monkeypatch.setattr(ledger, "_all_removed", lambda *_: None)
    minimal = protected(*asked, score="paper")
    assert [line.removed for line in minimal.ledger] != [line.removed for line in whole.ledger]
    assert "all were too many to count" in minimal.detail
    assert "all were too many to count" not in whole.detail


def test_when_both_limits_must_be_relaxed_both_are_said() -> None:
    rows = [{"a", "z"}, {"a", "z"}, set(), set()]
    with pytest.raises(NoSafeRelease) as refused:
        protected(rows, 1, Tolerance(identity="1/3", attribute="1/2"))
    assert refused.value.helps == (
        "The smallest change that helps: tolerates.identity=1/2 and tolerates.attribute=1/1.",
    )
    protected(rows, 1, Tolerance(identity="1/2", attribute=1))


def test_items_too_rare_for_the_need_are_released_when_nothing_else_is_left() -> None:
    found = protected(
        [set("ab"), set("ab"), {"a"}], 1, Tolerance(identity="1/2"), NeedsItemsets(min_support=5)
    )
    assert found.release.withheld.items == ()
    assert found.figures["nuggets_kept"] == 0


def outcome(
    rows: Rows, at_most: int, tolerance: Tolerance, need: NeedsItemsets, chosen: ItemsOptions
) -> Protection | str:
    """Return what is proposed, or the reason why nothing is."""
    try:
        return protected(rows, at_most, tolerance, need, **vars(chosen))
    except NoSafeRelease as refused:
        return refused.reason


@pytest.mark.papers
@sized(200)
@given(
    rows=some_rows,
    at_most=st.integers(1, 4),
    tolerance=tolerances,
    need=needs.filter(bool),
    chosen=options,
)
def test_borders_choose_what_counts_choose(
    rows: Rows, at_most: int, tolerance: Tolerance, need: NeedsItemsets, chosen: ItemsOptions
) -> None:
    if not has_public(rows):
        return
    on_borders = replace(chosen, method="borders")
    counted, found = (outcome(rows, at_most, tolerance, need, one) for one in (chosen, on_borders))
    if isinstance(counted, str) or isinstance(found, str):
        assert found == counted
        return
    assert found.release.withheld == counted.release.withheld
    assert (found.ledger, found.figures) == (counted.ledger, counted.figures)
    assert set(found.lists) == {"mole_border", "nugget_border", "scores"}


@pytest.mark.papers
def test_borders_need_nuggets_and_small_data() -> None:
    with pytest.raises(ScenarioError, match="no itemsets are needed"):
        protected([set("ab"), {"a"}], 1, Tolerance(identity="1/2"), method="borders")
    with pytest.raises(ScenarioError, match="method = 'border' is unknown"):
        ItemsOptions(method="border")  # type: ignore[arg-type]
    many = [{f"{a:02}", f"{b:02}"} for a in range(40) for b in range(a)] * 2
    with pytest.raises(BudgetExceeded, match="edges") as refused:
        protected(many, 2, Tolerance(identity="1/3"), NeedsItemsets(min_support=1), method="borders")
    assert 'method = "counts"' in refused.value.hint
