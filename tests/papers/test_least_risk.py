"""The least risk without a limit: that of every rule tried, one after the other."""

from contextlib import suppress
from fractions import Fraction
from itertools import combinations, product
from math import inf, isinf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.directory.cases import attacker, release, worlds
from tests.attacks.directory.oracle import Shown, World
from tests.sizes import sized

import giveaway as ga

Given = tuple[World, ga.Sensitivity, bool]
UNINFORMED = ga.KnowsDirectory(knows_method=False)
NUMBERS = ("per_record", "total", "per_column")


def least(world: World, **number: int) -> Any:
    """The least risk of all rules that disclose as many values; None where there is none."""
    ((name, many),) = number.items()

    def serves(rule: tuple[Shown, ...]) -> bool:
        if name == "total":
            return sum(map(len, rule)) == many
        if name == "per_record":
            return all(len(shown) == many for shown in rule)
        return all(sum(column in shown for shown in rule) == many for column in world.columns)

    risks = [world.risk(rule, listed=True) for rule in world.rules() if serves(rule)]
    return min(risks) if risks else None


@sized(60)
@given(worlds(own=False, most=3), st.sampled_from(NUMBERS), st.integers(0, 3))
def test_no_rule_has_a_smaller_risk(given_: Given, name: str, many: int) -> None:
    world, sensitivity, own = given_
    number = {name: many}
    expected = least(world, **number)
    question = release(world, sensitivity), attacker(world, own=own), ga.NeedsColumns(**number)
    if expected is None:
        with pytest.raises(ga.ScenarioError):
            ga.least_risk(*question)
        return
    if isinf(expected) and name != "per_record":
        with suppress(ga.NoSafeRelease):  # nothing with a finite risk discloses so many, and that is said
            assert ga.least_risk(*question).risk_if_listed == inf
        return
    found = ga.least_risk(*question)
    assert found.values == (
        many if name == "total" else many * len(world.records if name == "per_record" else world.columns)
    )
    assert float(found.risk_if_listed) >= float(expected) * (1 - 1e-9)
    if found.proved:
        assert float(found.risk_if_listed) == pytest.approx(float(expected), rel=1e-9)
    if found.lower_bound is not None:
        assert found.lower_bound <= float(expected) * (1 + 1e-9)
    one = len(world.directories) == 1 or bool(world.prior)
    assert found.proved or isinf(expected) or not one


@sized(30)
@given(worlds(own=True, most=3, infinite=False), st.sampled_from(NUMBERS), st.integers(1, 3))
def test_a_limit_at_the_least_risk_publishes_that_rule(given_: Given, name: str, many: int) -> None:
    """What is asked without a limit, and what is protected with one just above it, are the same."""
    world, sensitivity, own = given_
    if least(world, **{name: many}) is None:
        return
    planned, somebody = release(world, sensitivity), attacker(world, own=own)
    found = ga.least_risk(planned, somebody, ga.NeedsColumns(**{name: many}))
    limit = ga.Tolerance(average=Fraction(found.risk_if_listed) * Fraction(1001, 1000) + Fraction(1, 10**6))
    need = ga.NeedsColumns(**{name: many}, fill=False)
    answer = ga.protect(planned, somebody, limit, need=need)
    if answer.verdict != "safe":
        assert answer.findings[0].risk is None  # the limit allows everything, or nothing is left to judge
        return
    assert answer.release.withheld.cells == found.release.withheld.cells


def test_exactly_so_many_values_are_disclosed_of_a_release_that_is_safe_as_planned() -> None:
    """Three columns of six records, and a limit that even everything is within: Delta1, Delta2 and Delta3 all the same."""
    rows = [dict(zip("abc", line, strict=True)) for line in ("xux", "xvy", "xux", "yvy", "yux", "yvy")]
    planned = ga.Release(ga.Table.from_rows(rows), sensitivity=ga.Sensitivity(columns={"a": 700, "b": 700}))
    limit = ga.Tolerance(average=1000)
    assert ga.assess(planned, UNINFORMED, limit).verdict == "safe"
    for name, many, left in (("per_record", 1, 6), ("total", 7, 7), ("per_column", 2, 6)):
        answer = ga.protect(planned, UNINFORMED, limit, need=ga.NeedsColumns(**{name: many}, fill=False))
        assert (answer.verdict, answer.findings[0].risk.kept["cells"]) == ("safe", left)
        found = ga.least_risk(planned, UNINFORMED, ga.NeedsColumns(**{name: many}))
        assert answer.release.withheld.cells == found.release.withheld.cells
    kept = ga.protect(planned, UNINFORMED, limit, need=ga.NeedsColumns(per_record=1))
    assert not kept.release.withheld


def test_crowds_and_levels_do_not_disclose_exactly_so_many() -> None:
    rows = [{"a": "x"}, {"a": "x"}, {"a": "y"}, {"a": "y"}]
    for attacker_, options in ((ga.KnowsDirectory(), {}), (UNINFORMED, {"method": "levels"})):
        with pytest.raises(ga.ScenarioError, match="fill = false"):
            ga.protect(
                ga.Release(ga.Table.from_rows(rows)),
                attacker_,
                ga.Tolerance(identity="1/2"),
                need=ga.NeedsColumns(per_record=1, fill=False),
                directory=options,
            )


def test_nothing_is_judged_without_a_limit() -> None:
    table = ga.Table.from_rows([{"a": "x", "b": "u"}, {"a": "x", "b": "v"}])
    found = ga.least_risk(ga.Release(table), UNINFORMED, ga.NeedsColumns(per_record=1))
    assert not hasattr(found, "verdict")
    assert found.says == (
        "2 values of the columns compared or weighed carry a risk of 0.5; no rule that discloses as many has a smaller "
        "one; that is proved. No limit was asked, so that this is not a verdict."
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"attacker": ga.KnowsDirectory()}, "does not know how values are chosen"),
        ({"attacker": ga.KnowsDirectory(at_most=1, knows_method=False)}, "at_most is given"),
        ({"need": ga.NeedsColumns()}, "a number of values"),
        ({"need": None}, "A NoneType is not a NeedsColumns"),
        ({"attacker": {"x": 1}}, "A dict is not a KnowsDirectory"),
    ],
)
def test_questions_that_have_no_least_risk_are_refused(changes: dict[str, Any], said: str) -> None:
    table = ga.Table.from_rows([{"a": "x", "b": "u"}, {"a": "x", "b": "v"}])
    asked = {"release": ga.Release(table), "attacker": UNINFORMED, "need": ga.NeedsColumns(per_record=1)}
    with pytest.raises(ga.ScenarioError, match=said):
        ga.least_risk(**(asked | changes))


@sized(40)
@given(worlds(own=True, most=4, infinite=False))
def test_the_curve_of_the_best_rules_is_the_least_risk_for_every_number_of_values(given_: Given) -> None:
    world, sensitivity, own = given_
    risk = (
        ga.assess(release(world, sensitivity), attacker(world, own=own), ga.Tolerance(identity="999/1000"))
        .findings[0]
        .risk
    )
    curves = {curve.name: curve for curve in risk.curves}
    best, minrisk = curves["disclosed_best"], curves["disclosed"]
    assert best.x == minrisk.x
    for many, least, chosen in zip(best.x, best.y, minrisk.y, strict=True):
        rules = [list(combinations(there, min(int(many), len(there)))) for there in world.everything()]
        assert least == pytest.approx(float(min(world.risk(rule) for rule in product(*rules))), rel=1e-9)
        assert least <= chosen * (1 + 1e-9)
