from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import exp, isinf, log
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.profiles.oracle import World, case, mined
from tests.attacks.profiles.paper.test_examples import EXAMPLE_1 as FIGURE_1
from tests.oracles import maxent as oracle

import giveaway as ga
from giveaway.attacks.profiles.judged_people import JudgedPeople
from giveaway.attacks.profiles.measure import after, measure
from giveaway.attacks.profiles.posterior import believed
from giveaway.attacks.profiles.question import ask
from giveaway.attacks.profiles.reporting import curves, details, figures
from giveaway.maximum_entropy import solve
from giveaway.model.answer.risk import Curve, HoldsUpTo, Risk

COLUMNS = ("age", "job", "sex")
FIGURE_1_RULES = [
    ga.Rule({"education": "Doctorate"}, "50K+"),
    ga.Rule({"education": "Doctorate", "gender": "Female"}, "50K+"),
    ga.Rule({"gender": "Female"}, "50K+"),
]

quick = settings(max_examples=30)
thorough = settings(max_examples=60)

some_worlds = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("cd"), st.sampled_from("ef"), st.sampled_from("xyz")),
    min_size=2,
    max_size=12,
).map(
    lambda rows: World(
        rows=[dict(zip((*COLUMNS, "ill"), row, strict=True)) for row in rows],
        columns=COLUMNS,
        sensitive="ill",
        values=tuple(sorted({row[-1] for row in rows})),
    )
)
some_terms = st.fixed_dictionaries(
    {
        "min_support": st.sampled_from(["0.1", "1/4", "0.5"]),
        "min_confidence": st.sampled_from(["0.5", "2/3", "0.9", "1"]),
        "inclusive": st.booleans(),
        "scores": st.sampled_from(["withheld", "exact", 1, 2]),
        "distribution": st.sampled_from(["withheld", "published"]),
    }
)


def published_of(world: World, terms: dict[str, Any]) -> ga.PublishedRules:
    empty = ga.PublishedRules([], **terms)
    return replace(empty, rules=tuple(mined(world, empty)))


@pytest.fixture(autouse=True, scope="module")
def _without_the_curves_of_the_paper() -> Iterator[None]:
    """They take most of the time."""
    with patch.object(curves, "FEW", 0):
        yield


def measured(
    release: ga.Release,
    columns: tuple[str, ...] = COLUMNS,
    tolerance: ga.Tolerance | None = None,
    **knows: Any,
) -> Risk:
    attacker = ga.KnowsProfiles(columns=columns, **knows)
    return measure(release, attacker, tolerance or ga.Tolerance(attribute="0.7"), None, ga.Effort())


def figure_1(**published: Any) -> ga.Release:
    rows = [dict(zip(("education", "gender", "salary"), row, strict=True)) for row in FIGURE_1]
    terms = {"min_support": "0.3", "min_confidence": "0.8", "inclusive": False} | published
    rules = ga.PublishedRules(terms.pop("rules", FIGURE_1_RULES), **terms)
    return ga.Release(ga.Table.from_rows(rows, sensitive="salary"), rules=rules)


def chances(risk: Risk, value: str) -> dict[tuple[Any, ...], float]:
    """The chance of one of two values for each profile."""
    return {
        tuple(one.target.values()): one.chance if one.value == value else 1 - one.chance
        for one in risk.exposures
    }


def curve(risk: Risk, name: str) -> Curve:
    return next(curve for curve in risk.curves if curve.name == name)


@thorough
@given(world=some_worlds, terms=some_terms, integers=st.booleans(), silence=st.booleans())
def test_what_is_believed_agrees_with_all_that_is_said_and_has_maximum_entropy(
    world: World, terms: dict[str, Any], integers: bool, silence: bool
) -> None:
    published = published_of(world, terms)
    attacker = ga.KnowsProfiles(columns=COLUMNS, whole_numbers=integers, non_rules=silence)
    belief = believed(ask(ga.Release(world.table, rules=published), attacker))
    truth = case(world, published, whole=integers, silence=silence)
    chance = belief.solution.chance
    assert oracle.violation(truth, chance) < 1e-6
    assert oracle.entropy_bound(truth, chance) - oracle.entropy(chance, truth.weights) < 1e-5


@quick
@given(
    world=some_worlds,
    terms=some_terms,
    judges=st.sampled_from(["any", "true"]),
    only=st.booleans(),
    limit=st.sampled_from(["0.5", "0.7", "0.9"]),
)
def test_people_are_judged_one_by_one(
    world: World, terms: dict[str, Any], judges: Any, only: bool, limit: str
) -> None:
    published = published_of(world, terms)
    release = ga.Release(world.table, rules=published, sensitive_values=world.values[:1] if only else ())
    attacker = ga.KnowsProfiles(columns=COLUMNS, judges=judges)
    chance = believed(ask(release, attacker)).solution.chance
    risk = measured(release, tolerance=ga.Tolerance(attribute=limit), judges=judges)
    judged = world.values[:1] if only else world.values

    def worst(row: dict[str, str]) -> float:
        place = world.profiles.index(world.profile(row))
        values = judged if judges == "any" else [v for v in judged if v == row["ill"]]
        return max((chance[place, world.values.index(value)] for value in values), default=-1.0)

    found = [worst(row) for row in world.rows]
    above = sum(one > float(Fraction(limit)) + 1e-7 for one in found)
    assert risk.figures["people_above"] == above
    listed = [exposure.chance > float(Fraction(limit)) + 1e-7 for exposure in risk.exposures]
    assert risk.over == sum(listed)
    assert risk.share == risk.figures["share_above"] == Fraction(above, len(world.rows))
    assert float(risk.levels[0].worst) == pytest.approx(max(0.0, *found), abs=2e-7)
    assert risk.levels[0].baseline == Fraction(1, len(world.values))
    per_bin = curve(risk, "chances").y
    assert sum(per_bin) == len(world.rows)
    assert sum(per_bin[int(20 * float(Fraction(limit))) :]) == above


@quick
@given(world=some_worlds, terms=some_terms)
def test_figures_follow_from_the_chances(world: World, terms: dict[str, Any]) -> None:
    release = ga.Release(world.table, rules=published_of(world, terms))
    risk = measured(release)
    chance = believed(ask(release, ga.KnowsProfiles(columns=COLUMNS))).solution.chance
    counts = world.counts
    truth = oracle.Case(counts)
    shown = risk.figures
    assert (shown["records"], shown["profiles"], shown["values"]) == (len(world.rows), *counts.shape)
    assert shown["overall_divergence"] == pytest.approx(oracle.divergence(truth, chance))
    uniform = np.full_like(chance, 1 / chance.shape[1])
    assert shown["baseline_divergence"] == pytest.approx(oracle.divergence(truth, uniform))
    assert shown["baseline_divergence"] == pytest.approx(log(len(world.values)) - truth.entropy)
    entropies = [-sum(p * log(p) for p in row if p > 0) for row in chance]
    assert shown["entropy_l"] == pytest.approx(exp(min(entropies)), abs=1e-6)
    small = [max(row) for row, many in zip(chance, truth.weights, strict=True) if many < 5]
    assert shown["alpha_k"] == pytest.approx(max(small), abs=1e-7) if small else shown["alpha_k"] is None
    assert risk.average == pytest.approx((counts * chance).sum() / counts.sum(), abs=1e-7)
    assert shown["non_rules"] == len(world.conditions) * len(world.values) - shown["rules"]
    assert shown["max_violation"] < 1e-8
    assert abs(shown["duality_gap"]) < 1e-8


@settings(max_examples=12)
@given(world=some_worlds, terms=some_terms)
def test_effects_are_differences_of_measured_divergences(world: World, terms: dict[str, Any]) -> None:
    release = ga.Release(world.table, rules=published_of(world, terms))
    risk = measured(release)

    def divergence(**changed: Any) -> float:
        knows = {"non_rules": changed.pop("non_rules", True)}
        other = ga.Release(world.table, rules=replace(release.rules, **changed))
        found: float = measured(other, **knows).figures["overall_divergence"]
        return found

    now = risk.figures["overall_divergence"]
    silent = divergence(non_rules=False)
    assert risk.figures["non_rules_effect"] == pytest.approx(0 if silent == now else silent - now, abs=1e-9)
    scores = [divergence(scores=scores) for scores in ("withheld", "exact")]
    if not any(map(isinf, scores)):
        assert risk.figures["scores_effect"] == pytest.approx(scores[0] - scores[1], abs=1e-6)


@quick
@given(world=some_worlds, terms=some_terms, seed=st.randoms(use_true_random=False))
def test_the_order_of_rows_and_rules_changes_nothing(world: World, terms: dict[str, Any], seed: Any) -> None:
    published = published_of(world, terms)
    rows, rules = list(world.rows), list(published.rules)
    seed.shuffle(rows)
    seed.shuffle(rules)
    first = measured(ga.Release(world.table, rules=published))
    second = measured(
        ga.Release(replace(world, rows=rows).table, rules=replace(published, rules=tuple(rules)))
    )
    assert first.share == second.share
    assert [one.target for one in first.exposures] == [one.target for one in second.exposures]
    assert [one.chance for one in first.exposures] == pytest.approx([one.chance for one in second.exposures])
    assert curve(first, "strength").y == curve(second, "strength").y


@quick
@given(world=some_worlds, terms=some_terms)
def test_exposures_are_the_profiles_worst_first_with_their_likeliest_value(
    world: World, terms: dict[str, Any]
) -> None:
    release = ga.Release(world.table, rules=published_of(world, terms))
    listed = list(measured(release).exposures)
    belief = believed(ask(release, ga.KnowsProfiles(columns=COLUMNS)))
    keys = [(-one.chance, tuple(one.target.values())) for one in listed]
    assert keys == sorted(keys)
    assert sorted(tuple(one.target.values()) for one in listed) == world.profiles
    for one in listed:
        row = belief.chance[world.profiles.index(tuple(one.target.values()))]
        assert one.chance == row.max()
        assert one.value == world.values[int(np.argmax(row))]
        assert one.baseline == Fraction(1, len(world.values))


@quick
@given(world=some_worlds, terms=some_terms, share=st.sampled_from(["0", "1/3"]))
def test_the_release_holds_up_to_the_last_number_of_rules_before_it_breaks(
    world: World, terms: dict[str, Any], share: str
) -> None:
    published = published_of(world, terms)
    tolerance = ga.Tolerance(attribute="0.7", share=share)
    risk = measured(ga.Release(world.table, rules=published), tolerance=tolerance)
    drawn = curve(risk, "strength")
    by_support = sorted(
        published.rules, key=lambda rule: (-world.holding(rule.condition, rule.value), rule.condition)
    )
    supports = [world.holding(rule.condition, rule.value) for rule in by_support]
    read = [int(number) for number in drawn.x]
    assert (read[0], read[-1]) == (0, len(supports))
    assert len(read) >= min(curves.POINTS, len(supports) + 1)
    for number, part in zip(read[:-1], drawn.y, strict=False):
        some = replace(published, rules=tuple(by_support[:number]), complete=False)
        assert float(measured(ga.Release(world.table, rules=some), tolerance=tolerance).share) == part
    assert drawn.y[-1] == float(risk.share)
    broken = [place for place, part in enumerate(drawn.y) if part > float(Fraction(share))]
    if not broken:
        assert risk.holds_up_to == HoldsUpTo(value=read[-1], unit="rules", at_least=True, whole_scale=True)
    else:
        value = read[broken[0] - 1] if broken[0] else None
        assert value is None or read[broken[0]] == value + 1
        assert risk.holds_up_to == HoldsUpTo(value=value, unit="rules")


def test_sentences_name_the_rules_that_push() -> None:
    listed = list(measured(figure_1(), ("education", "gender"), whole_numbers=False).exposures)
    assert listed[0].target == {"education": "Doctorate", "gender": "Female"}
    assert listed[0].because == (
        "The rule gender=Female => 50K+ and the rule education=Doctorate, gender=Female => 50K+ put the chance at 90 %; "
        "without the release it would be 50 %, and 75 % of all people have it."
    )
    assert listed[-1].because == (
        "Nothing that is published changes the chance of 50 %; 75 % of all people have it."
    )


def test_a_rule_that_decides_is_named_alone() -> None:
    worst = measured(figure_1(scores="exact"), ("education", "gender")).exposures[0]
    assert worst.because == (
        "The rule education=Doctorate, gender=Female => 50K+ puts the chance at 100 %; "
        "without the release it would be 50 %, and 75 % of all people have it."
    )


def test_the_factors_of_the_odds_multiply_to_the_odds() -> None:
    risk = measured(figure_1(), ("education", "gender"), whole_numbers=False)
    for one in risk.figures["explained"]:
        factor = np.prod([push["odds"] for push in one["pushed_by"]])
        assert factor == pytest.approx(one["chance"] / (1 - one["chance"]), abs=1e-6)


def test_a_worked_person_is_told_step_by_step() -> None:
    risk = measured(figure_1(scores="exact"), ("education", "gender"))
    assert [(step.label, step.count) for step in risk.worked] == [
        ("all people", 12),
        ("with education Doctorate and gender Female", 4),
        ("with the whole profile", 4),
        ("of them expected with 50K+", 4),
    ]


def test_certain_ranges_hold_the_truth_and_the_chance() -> None:
    risk = measured(figure_1(), ("education", "gender"), ranges_for=[1, "3"])
    ranges = risk.figures["ranges"]
    assert [(one["record"], one["value"]) for one in ranges] == [
        (1, "50K+"),
        (1, "50K-"),
        ("3", "50K+"),
        ("3", "50K-"),
    ]
    truth = [0.5, 0.5, 1, 0]
    for one, share in zip(ranges, truth, strict=True):
        assert one["low"] - 1e-9 <= one["chance"] <= one["high"] + 1e-9
        assert one["low"] - 1e-9 <= share <= one["high"] + 1e-9
    assert ranges[2]["low"] == pytest.approx(1)


def test_a_withheld_rule_that_does_not_hold_is_refused_when_it_is_measured() -> None:
    false = ga.Rule({"gender": "Female"}, "50K-")
    release = figure_1(rules=[*FIGURE_1_RULES, false]).withholding(ga.Withheld(rules=[false]))
    with pytest.raises(ga.ScenarioError, match="gender=Female => 50K- is listed, but it holds for"):
        measured(release, ("education", "gender"))


def test_a_verdict_reads_the_rules_once_and_leaves_other_lists_to_the_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    for module, name in ((curves, "believe"), (figures, "believe"), (details, "certain_range")):
        honest = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *how, do=honest, **more: asked.append(do) or do(*how, **more)
        )
    risk = measured(figure_1(), ("education", "gender"), ranges_for=[1])
    assert (risk.share, risk.over) == (Fraction(3, 4), 2)
    assert len(risk.exposures) == 4
    assert not asked
    assert risk.holds_up_to.value == 0
    assert asked


def test_an_exposure_is_followed_to_a_release_that_withholds_more() -> None:
    release = figure_1(scores="exact")
    worst = measured(release, ("education", "gender")).exposures[0]
    assert after(worst, release) == worst.chance == 1
    less = release.withholding(ga.Withheld(rules=[FIGURE_1_RULES[1]]))
    followed = after(worst, less)
    now = {
        tuple(one.target.values()): one.chance for one in measured(less, ("education", "gender")).exposures
    }
    assert isinstance(followed, float)
    assert followed == now["Doctorate", "Female"] < 1


def test_what_is_withheld_is_not_read_and_the_list_is_no_longer_complete() -> None:
    less = figure_1().withholding(ga.Withheld(rules=[FIGURE_1_RULES[0]]))
    risk = measured(less, ("education", "gender"))
    assert risk.kept == {"rules": 2, "rules_total": 3, "rules_support": 12, "rules_support_total": 17}
    assert risk.figures["rules"] == 2
    for name in ("non_rules", "constraints_kept", "constraint_variables", "non_rules_effect"):
        assert risk.figures[name] is None


def test_the_curves_of_the_paper_are_drawn_for_a_complete_list_of_few_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(curves, "FEW", 3)
    risk = measured(figure_1(), ("education", "gender"))
    exact, withheld = curve(risk, "divergence_by_confidence"), curve(risk, "divergence_withheld")
    assert exact.x == withheld.x == (0.8, 0.9, 0.95, 1.0)
    assert withheld.beside == curve(risk, "divergence_with_silence").beside == exact.name
    assert curve(risk, "divergence_by_support").x[0] == 0.3
    assert all(first <= second + 1e-9 for first, second in pairwise(exact.y))
    assert risk.figures["scores_effect"] == pytest.approx(
        curve(risk, "divergence_with_silence").y[0] - exact.y[0], abs=1e-6
    )
    shorter = measured(figure_1(complete=False), ("education", "gender"))
    assert {one.name for one in shorter.curves} == {"chances", "strength"}
    monkeypatch.setattr(curves, "FEW", 2)
    assert {one.name for one in measured(figure_1(), ("education", "gender")).curves} == {
        "chances",
        "strength",
    }


def test_a_long_list_is_read_at_its_ends_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "AFFORDABLE", 2)
    risk = measured(figure_1(), ("education", "gender"))
    assert curve(risk, "strength").x == (0.0, 3.0)
    assert risk.figures["scores_effect"] is None
    assert risk.share == Fraction(3, 4)


def test_an_empty_list_says_nothing_but_its_silence() -> None:
    release = figure_1(rules=[], complete=False)
    risk = measured(release, ("education", "gender"))
    assert set(chances(risk, "50K+").values()) == {0.5}
    assert risk.figures["overall_divergence"] == risk.figures["baseline_divergence"]
    assert risk.holds_up_to == HoldsUpTo(value=0, unit="rules", at_least=True, whole_scale=True)
    assert risk.over == 0


def test_reasons_count_the_people() -> None:
    risk = measured(figure_1(), ("education", "gender"))
    assert risk.reasons == ("A sensitive value of 9 of 12 people is inferred with a chance above 70 %.",)
    assert "It is a reasoned guess of a careful reader, not a proof" in risk.how.detail


def test_measuring_again_costs_nothing_and_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    release = figure_1()
    attacker = ga.KnowsProfiles(columns=["education", "gender"])
    first = believed(ask(release, attacker))
    monkeypatch.setattr("giveaway.maximum_entropy.solve.solve", pytest.fail)
    assert believed(ask(release, attacker)) is first
    other = replace(
        release.rules, rules=tuple(ga.Rule(r.condition, r.value, support="0.5") for r in FIGURE_1_RULES)
    )
    monkeypatch.undo()
    again = believed(ask(ga.Release(release.original, rules=other), attacker))
    assert again is not first


@pytest.mark.parametrize("unsure", ["gap", "violation"])
def test_chances_are_believed_with_their_certificate_only(
    unsure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = solve.solve
    monkeypatch.setattr(solve, "solve", lambda *how, **more: replace(solved(*how, **more), **{unsure: 1e-7}))
    with pytest.raises(ga.BudgetExceeded, match="precision that a verdict needs"):
        measured(figure_1(), ("education", "gender"), whole_numbers=False)


def test_a_chance_above_the_limit_by_more_than_noise_is_over_it() -> None:
    chance = np.array([0.5, 0.5 + 5e-8, 0.5 + 2e-7, 0.6])
    people = np.array([1, 10, 100, 1000])
    found = JudgedPeople(
        worst=chance, answer=np.zeros(4, np.int64), number=people, chance=chance, people=1111
    )
    assert (found.above(Fraction(1, 2)), found.profiles_above(Fraction(1, 2))) == (1100, 2)
