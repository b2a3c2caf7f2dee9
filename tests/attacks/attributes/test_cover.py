from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

from giveaway.attacks.attributes.hiding.alike_records import Class, Moves, in_groups
from giveaway.attacks.attributes.hiding.cover import Rules, cover, coverable
from giveaway.attacks.attributes.unsafe_rules.limits import RuleLimits

SENSITIVE = 1 << 3
"""The bitmask of the sensitive entry beside three conditions."""

Kind = tuple[int, int, frozenset[int]]
"""How many records, what may be hidden in them, and the rules that they show."""


def classes(kinds: Sequence[Kind], mask: Sequence[int]) -> list[Class]:
    made = []
    for place, (count, useful, rules) in enumerate(kinds):
        by_value = bool(useful & SENSITIVE)
        own = sorted(rule for rule in rules if by_value or mask[rule] & useful)
        made.append(
            Class(
                groups=np.array([2 * place, 2 * place + 1]),
                counts=np.array([count // 2, count - count // 2]),
                useful=SENSITIVE if by_value else useful,
                own=np.array(own, np.int64),
                matched=np.zeros(0, np.int64),
                secret=False,
                value=useful & SENSITIVE,
                count=count,
            )
        )
    return made


def after(mask: Sequence[int], kinds: Sequence[Kind], rules: Rules, moves: Moves) -> list[bool]:
    """Tell which rules are unsafe after moves, by the definitions."""
    unsafe = []
    for rule, pattern in enumerate(mask):
        showing, matching = int(rules.showing[rule]), int(rules.matching[rule])
        for (one, hidden), times in moves.items():
            if rule in kinds[one][2]:
                lost = hidden & (pattern | SENSITIVE)
                showing -= times if lost else 0
                matching -= times if hidden & pattern else 0
        share = Fraction(rules.limits.above, rules.limits.of)
        unsafe.append(showing > rules.limits.least and Fraction(showing, matching) > share)
    return unsafe


@st.composite
def problems(draw: st.DrawFn, count: int = 6) -> tuple[list[int], list[Kind], Rules]:
    mask = draw(st.lists(st.integers(1, 7), min_size=1, max_size=4))
    kind = st.tuples(
        st.integers(1, count),
        st.sampled_from([SENSITIVE, 1, 3, 7, SENSITIVE | 1]),
        st.frozensets(st.integers(0, len(mask) - 1), min_size=1),
    )
    kinds = draw(st.lists(kind, min_size=1, max_size=3))
    showing = [
        sum(many for many, _, rules in kinds if rule in rules) + draw(st.integers(0, 2))
        for rule in range(len(mask))
    ]
    others = [draw(st.integers(1, 4)) for _ in mask]
    limits = draw(
        st.sampled_from([RuleLimits(0, 1, 0), RuleLimits(1, 2, 0), RuleLimits(3, 5, 1), RuleLimits(1, 3, 2)])
    )
    rules = Rules(
        mask=np.array(mask),
        showing=np.array(showing),
        matching=np.array(showing) + others,
        limits=limits,
    )
    return mask, kinds, rules


@sized()
@given(problem=problems())
def test_all_rules_that_can_be_covered_are_and_nothing_hidden_is_needless(
    problem: tuple[list[int], list[Kind], Rules],
) -> None:
    mask, kinds, rules = problem
    everything = {(one, useful & SENSITIVE or useful): many for one, (many, useful, _) in enumerate(kinds)}
    made = classes(kinds, mask)

    can = coverable(rules, made)
    moves = cover(rules, made).moves

    assert can.tolist() == [not unsafe for unsafe in after(mask, kinds, rules, everything)]
    assert after(mask, kinds, rules, moves) == (~can).tolist()
    if can.all():
        assert all(any(after(mask, kinds, rules, {**moves, state: moves[state] - 1})) for state in moves)


@given(problem=problems())
def test_the_shares_of_the_rules_are_what_was_hidden_before_anything_was_shown_again(
    problem: tuple[list[int], list[Kind], Rules],
) -> None:
    mask, kinds, rules = problem

    found = cover(rules, classes(kinds, mask))

    entries = sum(hidden.bit_count() * times for (_, hidden), times in found.moves.items())
    assert found.share.sum() >= entries - 1e-9
    assert (found.share[~rules.limits.is_unsafe(rules.showing, rules.matching)] == 0).all()


def fewest(mask: Sequence[int], kinds: Sequence[Kind], rules: Rules) -> int:
    """Return the fewest sensitive entries whose hiding makes all rules safe, trying all numbers of each kind."""
    tried = product(*(range(many + 1) for many, _, _ in kinds))
    return min(
        sum(times)
        for times in tried
        if not any(after(mask, kinds, rules, {(one, SENSITIVE): many for one, many in enumerate(times)}))
    )


@given(problem=problems())
def test_hiding_sensitive_entries_is_a_multi_cover_within_the_known_factor(
    problem: tuple[list[int], list[Kind], Rules],
) -> None:
    """At most H_k times the fewest, k being the number of rules a record shows (section 4.1)."""
    mask, given_kinds, rules = problem
    kinds = [(many, SENSITIVE, shown) for many, _, shown in given_kinds]
    made = classes(kinds, mask)
    if not coverable(rules, made).all():
        return

    moves = cover(rules, made).moves

    most = max(len(shown) for _, _, shown in kinds)
    harmonic = sum(Fraction(1, size) for size in range(1, most + 1))
    assert fewest(mask, kinds, rules) <= sum(moves.values()) <= harmonic * fewest(mask, kinds, rules)


def test_a_record_in_more_rules_is_hidden_first() -> None:
    kinds = [
        (3, SENSITIVE, frozenset({0})),
        (3, SENSITIVE, frozenset({0, 1})),
        (3, SENSITIVE, frozenset({1})),
    ]
    rules = Rules(
        mask=np.array([1, 2]), showing=np.array([6, 6]), matching=np.array([8, 8]), limits=RuleLimits(1, 2, 0)
    )

    assert cover(rules, classes(kinds, [1, 2])).moves == {(1, SENSITIVE): 2}


def test_what_later_choices_make_needless_is_shown_again() -> None:
    """The record in the most rules is hidden first, but the other two are needed and enough."""
    shown = [frozenset({0, 1, 2, 3}), frozenset({0, 1, 4}), frozenset({2, 3, 5})]
    kinds = [(1, SENSITIVE, rules) for rules in shown]
    mask = [1, 2, 3, 4, 5, 6]
    rules = Rules(
        mask=np.array(mask),
        showing=np.array([2, 2, 2, 2, 1, 1]),
        matching=np.array([3, 3, 3, 3, 2, 2]),
        limits=RuleLimits(2, 5, 0),
    )

    assert cover(rules, classes(kinds, mask)).moves == {(1, SENSITIVE): 1, (2, SENSITIVE): 1}


def test_hiding_conditions_takes_the_record_from_the_denominator_as_well() -> None:
    kinds = [(6, 1, frozenset({0}))]
    rules = Rules(
        mask=np.array([1]), showing=np.array([6]), matching=np.array([8]), limits=RuleLimits(1, 2, 0)
    )

    assert cover(rules, classes(kinds, [1])).moves == {(0, 1): 4}


def test_what_is_hidden_in_a_class_goes_to_its_lowest_groups() -> None:
    made = classes([(5, 7, frozenset({0}))], [7])

    assert in_groups({(0, 1): 3, (0, 2): 1}, made) == [(0, 1, 2), (1, 1, 1), (1, 2, 1)]
