"""What is disclosed is best by brute force over every rule, on everything small."""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.directory.cases import attacker, is_safe, release, worlds
from tests.attacks.directory.oracle import Shown, World, values

import giveaway as ga
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.protecting.plan import Planner
from giveaway.attacks.directory.question import ask

Given = tuple[World, ga.Sensitivity, bool]

LIMITS = st.sampled_from(
    [
        {"identity": Fraction(1, 2)},
        {"identity": Fraction(1, 3)},
        {"average": Fraction(1, 2)},
        {"average": Fraction(3, 4)},
        {"identity": Fraction(1, 2), "average": Fraction(1, 2)},
        {"identity": Fraction(1, 2), "share": Fraction(1, 3)},
    ]
)


def within(world: World, rule: Sequence[Shown], limits: dict[str, Fraction]) -> bool:
    """Tell whether a rule is safe: with everybody counted as listed."""
    over = world.over(rule, limits.get("identity", Fraction(1)), listed=True)
    if Fraction(over, len(rule)) > limits.get("share", 0):
        return False
    return "average" not in limits or world.risk(rule, listed=True) <= limits["average"]


def finite(world: World, rule: Sequence[Shown]) -> bool:
    return world.risk(rule, listed=True) != float("inf")


def protected(
    given_: Given, limits: dict[str, Fraction], need: ga.NeedsColumns | None, method: Any = "auto"
) -> tuple[list[Shown] | None, Any]:
    """Return what each record discloses then, None where it is refused, and what was planned."""
    world, sensitivity, own = given_
    question = ask(release(world, sensitivity), attacker(world, own=own))
    tolerance, options = ga.Tolerance(**limits), DirectoryOptions(method=method)
    planner = Planner(question=question, tolerance=tolerance, need=need, options=options)
    try:
        planned = planner.plan()
    except ga.NoSafeRelease as error:
        return None, error
    hidden = planned.release.hidden
    rule = [
        tuple(name for name in there if (place + 1, name) not in hidden)
        for place, there in enumerate(world.everything())
    ]
    assert is_safe(planned.release, question.attacker, tolerance) == (
        within(world, rule, limits) and finite(world, rule) and 2 * world.without(rule) <= len(rule)
    )
    return (rule, planned.chosen) if within(world, rule, limits) else (None, planned)


def best(world: World, fits: Callable[[Sequence[Shown]], bool]) -> tuple[int, list[tuple[Shown, ...]]]:
    """Return the most values of any rule that fits, and all rules that fit."""
    rules = [rule for rule in world.rules() if fits(rule)]
    return max(map(values, rules), default=-1), rules


@settings(max_examples=80)
@given(worlds(own=True, most=3), LIMITS)
def test_without_a_need_as_much_as_possible_is_disclosed(given_: Given, limits: dict[str, Fraction]) -> None:
    world = given_[0]
    most, _ = best(world, lambda rule: within(world, rule, limits) and finite(world, rule))
    rule, chosen = protected(given_, limits, None)
    if rule is None:
        assert most < 0
        assert chosen.proved
    else:
        assert values(rule) == most
        assert chosen.most in (None, most)


@settings(max_examples=80)
@given(worlds(own=True, most=3, infinite=False), LIMITS, st.integers(0, 3), st.booleans())
def test_so_many_values_of_each_record(
    given_: Given, limits: dict[str, Fraction], wanted: int, fill: bool
) -> None:
    """Delta2: the least risk, or the most values beyond the need."""
    world = given_[0]
    wanted = min(wanted, len(world.columns))
    assume(not within(world, world.everything(), limits))
    need = ga.NeedsColumns(per_record=wanted, clip=True, fill=fill)

    def serves(rule: Sequence[Shown]) -> bool:
        least = [min(wanted, len(there)) for there in world.everything()]
        each = zip(rule, least, strict=True)
        return all(len(shown) >= size if fill else len(shown) == size for shown, size in each)

    most, rules = best(world, lambda rule: serves(rule) and within(world, rule, limits))
    rule, chosen = protected(given_, limits, need)
    if rule is None:
        assert not rules
        assert chosen.proved
        return
    assert serves(rule)
    if fill:
        assert values(rule) == most
    elif "share" not in limits:
        least = min(float(world.risk(one, listed=True)) for one in rules)
        assert float(world.risk(rule, listed=True)) == pytest.approx(least)
        assert chosen.least == pytest.approx(least)


@pytest.mark.papers
@settings(max_examples=80)
@given(worlds(own=True, most=3, infinite=False), LIMITS, st.integers(1, 9), st.booleans())
def test_so_many_values_in_all(given_: Given, limits: dict[str, Fraction], wanted: int, fill: bool) -> None:
    """Delta1."""
    world = given_[0]
    wanted = min(wanted, values(world.everything()))
    assume(wanted > 0 and "share" not in limits and not within(world, world.everything(), limits))
    need = ga.NeedsColumns(total=wanted, fill=fill)
    most, rules = best(
        world,
        lambda rule: (
            (values(rule) >= wanted if fill else values(rule) == wanted) and within(world, rule, limits)
        ),
    )
    rule, _ = protected(given_, limits, need)
    if rule is None:
        assert not rules
    elif fill:
        assert values(rule) == most
    else:
        least = min(float(world.risk(one, listed=True)) for one in rules)
        assert float(world.risk(rule, listed=True)) == pytest.approx(least)


@pytest.mark.papers
@settings(max_examples=60)
@given(worlds(own=True, most=3, infinite=False), LIMITS, st.integers(1, 3))
def test_so_many_values_of_each_column(given_: Given, limits: dict[str, Fraction], wanted: int) -> None:
    """Delta3."""
    world = given_[0]
    assume("share" not in limits and not within(world, world.everything(), limits))
    there = {name: sum(name in one for one in world.everything()) for name in world.columns}

    def serves(rule: Sequence[Shown]) -> bool:
        return all(sum(name in one for one in rule) == min(wanted, there[name]) for name in world.columns)

    _, rules = best(world, lambda rule: serves(rule) and within(world, rule, limits))
    rule, _ = protected(given_, limits, ga.NeedsColumns(per_column=wanted, clip=True, fill=False))
    if rule is None:
        assert not rules
        return
    assert serves(rule)
    least = min(float(world.risk(one, listed=True)) for one in rules)
    assert float(world.risk(rule, listed=True)) == pytest.approx(least)
    more, _ = protected(given_, limits, ga.NeedsColumns(per_column=wanted, clip=True))
    assert more is not None
    assert values(more) >= values(rule)


@settings(max_examples=80)
@given(worlds(own=False, most=3, infinite=False), LIMITS, st.integers(0, 2))
def test_other_directories_one_or_several(given_: Given, limits: dict[str, Fraction], wanted: int) -> None:
    world = given_[0]
    wanted = min(wanted, len(world.columns))
    assume("share" not in limits and not within(world, world.everything(), limits))
    least = [min(wanted, len(there)) for there in world.everything()]
    most, _ = best(
        world,
        lambda rule: (
            within(world, rule, limits)
            and all(len(shown) >= size for shown, size in zip(rule, least, strict=True))
        ),
    )
    rule, _ = protected(given_, limits, ga.NeedsColumns(per_record=wanted, clip=True))
    if rule is None:
        # A record that nobody agrees with may be in the way, and the worst of several directories is judged by a bound.
        assert most < 0 or (len(world.directories) > 1 and not world.prior) or "identity" not in limits
    else:
        assert values(rule) <= most
        if len(world.directories) == 1 and "identity" in limits:
            assert values(rule) == most


@pytest.mark.papers
@settings(max_examples=60)
@given(worlds(own=True, most=3, infinite=False), LIMITS, st.integers(1, 3))
def test_minrisk_is_never_better_than_the_best_and_the_best_with_one_value(
    given_: Given, limits: dict[str, Fraction], wanted: int
) -> None:
    world = given_[0]
    wanted = min(wanted, len(world.columns))
    assume(not within(world, world.everything(), limits))
    need = ga.NeedsColumns(per_record=wanted, clip=True, fill=False)
    chosen, _ = protected(given_, limits, need, method="minrisk")
    optimal, _ = protected(given_, limits, need)
    if chosen is None:
        return
    assert optimal is not None
    risks = [float(world.risk(one, listed=True)) for one in (chosen, optimal)]
    assert risks[0] >= risks[1] - 1e-12
    if wanted == 1 and "identity" not in limits and world.form != "additive":
        assert risks[0] == pytest.approx(risks[1])


@pytest.mark.papers
@settings(max_examples=60)
@given(worlds(own=False, most=3, infinite=False, several=True), st.integers(1, 2))
def test_the_worst_of_several_directories_is_the_least_there_is(given_: Given, wanted: int) -> None:
    """The minimax rule, which is no choice for each record by itself."""
    world = given_[0]
    wanted = min(wanted, len(world.columns))
    need = ga.NeedsColumns(per_record=wanted, clip=True, fill=False)
    least = [min(wanted, len(there)) for there in world.everything()]
    rules = [
        rule for rule in world.rules() if all(len(one) == size for one, size in zip(rule, least, strict=True))
    ]
    risk = min(float(world.risk(rule, listed=True)) for rule in rules)
    limits = {"average": Fraction(str(round(risk * 1.001 + 1e-6, 9)))}
    rule, chosen = protected(given_, limits, need)
    assert rule is not None
    if rule in map(list, rules):
        assert float(world.risk(rule, listed=True)) == pytest.approx(risk)
        assert chosen.least is None or chosen.least <= risk + 1e-9
    else:
        assert any(2 * world.without(one) > len(one) for one in rules)


def test_many_columns_are_protected_and_the_bound_is_sound() -> None:
    draw = random.Random(3)  # noqa: S311 # made-up people, not secrets
    names = [f"c{place}" for place in range(23)]
    rows = [{name: draw.choice("ab") for name in names} for _ in range(12)]
    safer = ga.protect(
        ga.Release(ga.Table.from_rows(rows)),
        ga.KnowsDirectory(knows_method=False),
        ga.Tolerance(identity="1/3"),
    )
    figures = safer.findings[0].risk.figures
    assert figures["min_candidates"] >= 3
    assert safer.kept["directory"]["cells"] > 12
    bound = safer.findings[0].protection.figures["lower_bound"]
    assert bound <= len(safer.withheld.cells)
