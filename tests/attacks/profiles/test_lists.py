"""Lists and curves that are shown when they are asked for, each against plain counting."""

from fractions import Fraction
from itertools import combinations, product
from math import log, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.profiles.oracle import Condition, World, is_rule
from tests.attacks.profiles.test_measure import (
    COLUMNS,
    curve,
    figure_1,
    measured,
    published_of,
    some_terms,
    some_worlds,
)
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.profiles.posterior import believed
from giveaway.attacks.profiles.question import ask
from giveaway.attacks.profiles.reporting import curves

quick = settings(max_examples=30)
EDUCATION = ("education", "gender")


def release_of(world: World, terms: dict[str, Any]) -> ga.Release:
    return ga.Release(world.table, rules=published_of(world, terms))


def kullback_leibler(truth: list[float], chance: list[float]) -> float:
    return sum(p * log(p / q) for p, q in zip(truth, chance, strict=True) if p > 0)


@quick
@given(world=some_worlds, terms=some_terms)
def test_the_table_of_chances_has_every_profile_and_value(world: World, terms: dict[str, Any]) -> None:
    release = release_of(world, terms)
    shown = measured(release, show=["chances", "joint_chances"]).figures
    chance = believed(ask(release, ga.KnowsProfiles(columns=COLUMNS))).chance
    pairs = product(enumerate(world.profiles), enumerate(world.values))
    for line, ((q, profile), (x, value)) in zip(shown["chances"], pairs, strict=True):
        people = [row for row in world.rows if world.profile(row) == profile]
        assert tuple(line["target"].values()) == profile
        assert (line["people"], line["column"], line["value"]) == (len(people), "ill", value)
        assert line["chance"] == chance[q, x]
        assert line["truth"] == pytest.approx(sum(row["ill"] == value for row in people) / len(people))
    assert [line["chance"] for line in shown["joint_chances"]] == [
        line["chance"] for line in shown["chances"]
    ]
    assert [line["together"]["ill"] for line in shown["joint_chances"]] == [
        line["value"] for line in shown["chances"]
    ]


@quick
@given(world=some_worlds, terms=some_terms)
def test_divergences_by_profile_and_by_person(world: World, terms: dict[str, Any]) -> None:
    release = release_of(world, terms)
    shown = measured(release, show=["divergences", "people", "chances"]).figures
    chance, truth = (
        {(tuple(line["target"].values()), line["value"]): line[name] for line in shown["chances"]}
        for name in ("chance", "truth")
    )
    each = {}
    for line in shown["divergences"]:
        profile = tuple(line["target"].values())
        kinds = [[table[profile, value] for value in world.values] for table in (truth, chance)]
        each[profile] = line["divergence"]
        assert line["divergence"] == pytest.approx(kullback_leibler(*kinds), abs=1e-6)
    found = [line["divergence"] for line in shown["divergences"]]
    assert found == sorted(found)
    for place, (line, row) in enumerate(zip(shown["people"], world.rows, strict=True), 1):
        assert (line["record"], line["column"], line["value"]) == (place, "ill", row["ill"])
        assert line["chance"] == chance[world.profile(row), row["ill"]]
        assert line["divergence"] == each[world.profile(row)]
    mean = sum(line["divergence"] for line in shown["people"]) / len(world.rows)
    assert shown["overall_divergence"] == pytest.approx(mean)
    assert shown["largest_individual_divergence"] == max(each.values())


@sized(30)
@given(world=some_worlds, terms=some_terms)
def test_whom_silence_and_scores_hurt_is_the_difference_of_two_releases(
    world: World, terms: dict[str, Any]
) -> None:
    def divergences(silence: bool, **other: Any) -> dict[tuple[Any, ...], float]:
        risk = measured(release_of(world, terms | other), show=["divergences"], non_rules=silence)
        return {tuple(line["target"].values()): line["divergence"] for line in risk.figures["divergences"]}

    shown = measured(release_of(world, terms), show=["silence", "scores"]).figures
    pairs = {
        "silence": (divergences(silence=True), divergences(silence=False)),
        "scores": (divergences(silence=True, scores="exact"), divergences(silence=True, scores="withheld")),
    }
    for name, (near, far) in pairs.items():
        differences = [line["difference"] for line in shown[name]]
        assert differences == sorted(differences, reverse=True)
        assert len(differences) == len(world.profiles)
        for line in shown[name]:
            profile = tuple(line["target"].values())
            assert line["divergence"] == pytest.approx(near[profile], abs=1e-6)
            assert line["divergence_without"] == pytest.approx(far[profile], abs=1e-6)
            assert line["difference"] == pytest.approx(far[profile] - near[profile], abs=1e-6)
            assert [value["value"] for value in line["values"]] == list(world.values)
            for column in ("truth", "chance", "chance_without"):
                assert sum(value[column] for value in line["values"]) == pytest.approx(1, abs=1e-6)


@sized(30)
@given(world=some_worlds, terms=some_terms)
def test_the_mean_over_those_hurt_most(world: World, terms: dict[str, Any]) -> None:
    risk = measured(release_of(world, terms), show=["silence"])
    differences = [line["difference"] for line in risk.figures["silence"]]
    drawn = curve(risk, "hurt_most_by_silence")
    assert drawn.x == tuple(range(1, len(differences) + 1))
    means = [sum(differences[:many]) / many for many in range(1, len(differences) + 1)]
    assert drawn.y == pytest.approx(means)


def implied(world: World, published: ga.PublishedRules, condition: Condition, value: str) -> bool:
    """Tell whether the absence of a rule with a part of the condition says as much (Theorem 3)."""
    parts = (part for size in range(1, len(condition)) for part in combinations(condition, size))
    least = published.min_support * len(world.rows)
    return any(
        not is_rule(world, published, part, value)
        and published.min_confidence * len(world.meeting(part)) <= least
        for part in parts
    )


@quick
@given(world=some_worlds, terms=some_terms, whole=st.booleans())
def test_the_absences_are_those_that_no_shorter_one_implies(
    world: World, terms: dict[str, Any], whole: bool
) -> None:
    release = release_of(world, terms)
    shown = measured(release, show=["absences"], whole_numbers=whole).figures
    published = published_of(world, terms)
    wanted = {
        (condition, value)
        for condition, value in product(world.conditions, world.values)
        if not is_rule(world, published, condition, value) and not implied(world, published, condition, value)
    }
    lines = shown["absences"]
    assert {(tuple(sorted(line["condition"].items())), line["value"]) for line in lines} == wanted
    assert len(lines) == len(wanted) == shown["constraints_kept"]
    assert sum(line["profiles"] for line in lines) == shown["constraint_variables"]
    for line in lines:
        condition = tuple(sorted(line["condition"].items()))
        holding, people = world.holding(condition, line["value"]), len(world.meeting(condition))
        assert line["people"] == people
        assert holding <= line["at_most"] <= people
        if whole and line["at_most"] < people:
            limit = max(published.min_support * len(world.rows), published.min_confidence * people)
            assert line["at_most"] + 1 >= limit


@quick
@given(world=some_worlds, terms=some_terms, few=st.integers(1, 6))
def test_closeness_and_small_profiles_follow_from_the_chances(
    world: World, terms: dict[str, Any], few: int
) -> None:
    shown = measured(release_of(world, terms), show=["chances"], small_profiles=few).figures
    lines = shown["chances"]
    whole = dict.fromkeys(world.values, 0.0)
    for line in lines:
        whole[line["value"]] += line["people"] * line["chance"] / len(world.rows)
    apart: dict[tuple[Any, ...], float] = {}
    for line in lines:
        profile = tuple(line["target"].values())
        apart[profile] = apart.get(profile, 0) + abs(line["chance"] - whole[line["value"]]) / 2
    assert shown["t_closeness"] == pytest.approx(max(apart.values()), abs=1e-7)
    small = [line["chance"] for line in lines if line["people"] < few]
    assert shown["alpha_k"] == (max(small) if small else None)
    sizes = [len({row[column] for row in world.rows}) for column in COLUMNS]
    assert [line["values"] for line in shown["distinct_values"]] == [*sizes, len(world.values)]
    assert shown["patterns_possible"] == len(world.values) * (prod(size + 1 for size in sizes) - 1)


def test_theorem_2_for_columns_of_the_same_number_of_values() -> None:
    rows = [dict(zip("abcx", row, strict=True)) for row in product("01", "01", "01", "yn")]
    release = ga.Release(
        ga.Table.from_rows(rows, sensitive="x"),
        rules=ga.PublishedRules([], min_support=1, min_confidence=1),
    )
    assert measured(release, ("a", "b", "c")).figures["patterns_possible"] == 2 * (3**3 - 1)


def test_example_2_names_whom_the_silence_hurts() -> None:
    names = ("education", "gender", "salary")
    rows = ["Doctorate Female 50K+", "Doctorate Male 50K+", "Masters Female 50K-"]
    table = ga.Table.from_rows(
        [dict(zip(names, row.split(), strict=True)) for row in rows], sensitive="salary"
    )
    rules = ga.PublishedRules(
        [ga.Rule({"education": "Doctorate"}, "50K+")], min_support=0.6, min_confidence=0.9, scores="exact"
    )
    shown = measured(ga.Release(table, rules=rules), EDUCATION, show=["silence", "absences"]).figures
    first, *others = shown["silence"]
    assert first["target"] == {"education": "Masters", "gender": "Female"}
    assert first["difference"] == pytest.approx(log(2), abs=1e-6)
    assert [line["difference"] for line in others] == pytest.approx([0, 0], abs=1e-6)
    assert {"condition": {"gender": "Female"}, "column": "salary", "value": "50K+"}.items() <= next(
        line for line in shown["absences"] if line["condition"] == {"gender": "Female"}
    ).items()


def test_nothing_is_listed_that_was_not_asked_for_or_is_not_there() -> None:
    plain = measured(figure_1(), EDUCATION).figures
    assert not {"chances", "joint_chances", "divergences", "people", "silence", "scores"} & plain.keys()
    risk = measured(figure_1(complete=False), EDUCATION, show=["silence", "absences"])
    assert risk.figures["silence"] is None
    assert risk.figures["absences"] is None
    assert not [drawn for drawn in risk.curves if drawn.name.startswith("hurt_most")]


def test_two_sensitive_columns_have_a_table_of_their_combinations() -> None:
    rows = [
        {"sex": sex, "ill": ill, "pay": pay}
        for sex, ill, pay in ("fyh", "fyh", "fyl", "fnl", "mnh", "mnl", "mnl", "myl")
    ]
    table = ga.Table.from_rows(rows, sensitive=["ill", "pay"])
    terms = {"min_support": "1/4", "min_confidence": "3/5"}
    rules = ga.PublishedRules(
        [ga.Rule({"sex": "f"}, "y", sensitive="ill"), ga.Rule({"sex": "m"}, "n", sensitive="ill")],
        scores="exact",
        complete=False,
        **terms,
    )
    shown = measured(
        ga.Release(table, rules=rules), ("sex",), show=["joint_chances", "chances", "people"]
    ).figures
    together = {
        (line["target"]["sex"], *line["together"].values()): (line["chance"], line["truth"])
        for line in shown["joint_chances"]
    }
    assert len(together) == 8
    assert together["f", "y", "h"] == (0.375, 0.5)
    alone = {
        (line["target"]["sex"], line["column"], line["value"]): (line["chance"], line["truth"])
        for line in shown["chances"]
    }
    assert alone["f", "ill", "y"] == (0.75, 0.75)
    assert alone["m", "pay", "h"] == (0.5, 0.25)
    assert [line["column"] for line in shown["people"][:2]] == ["ill", "pay"]


def test_rules_about_combinations_are_found_published_and_judged(tmp_path: Path) -> None:
    """Footnote 1: every combination is a value of one sensitive column."""
    rows = [
        {"sex": sex, "ill": ill, "pay": pay}
        for sex, ill, pay in ("fyh", "fyh", "fyh", "fnl", "mnh", "mnl", "mnl", "myl", "mnl")
    ]
    rows += [{"sex": "m", "ill": None, "pay": "l"}]
    table = ga.Table.from_rows(rows, sensitive=["ill", "pay"]).together()
    assert table.sensitive == ("ill & pay",)
    assert table.labels["ill & pay"] == ("n & h", "n & l", "y & h", "y & l")
    terms = {"min_support": "1/4", "min_confidence": "1/2"}
    rules = ga.PublishedRules(ga.mine_rules(table, **terms), **terms, scores="exact")
    assert [str(rule) for rule in rules.rules] == ["sex=f => ill & pay=y & h", "sex=m => ill & pay=n & l"]
    release, reader = ga.Release(table, rules=rules), ga.KnowsProfiles(columns=["sex"], show=["chances"])
    assessed = ga.assess(release, reader, ga.Tolerance(attribute="0.8"))
    chances = {
        (line["target"]["sex"], line["value"]): line["chance"]
        for line in assessed.findings[0].risk.figures["chances"]
    }
    assert chances["f", "y & h"] == 0.75
    assert chances["m", "n & l"] == 0.5
    assert assessed.findings[0].risk.levels[0].baseline == Fraction(1, 4)
    assert assessed.publish(tmp_path / "out").verdict == "safe"
    with pytest.raises(ga.ScenarioError, match="Only several sensitive columns"):
        table.together()
    with pytest.raises(ga.ScenarioError, match="here rows are"):
        ga.Release(table)
    alike = [{"a": "1 & 2", "b": "3"}, {"a": "1", "b": "2 & 3"}]
    with pytest.raises(ga.ScenarioError, match="names of their own"):
        ga.Table.from_rows(alike, sensitive=["a", "b"]).together()


def test_what_is_missing_has_no_truth() -> None:
    rows = [{"sex": "f", "ill": "y"}, {"sex": "f", "ill": None}, {"sex": "m", "ill": None}]
    rows += [{"sex": "f", "ill": "n"}]
    rules = ga.PublishedRules([], min_support=1, min_confidence=1, complete=False, distribution="withheld")
    release = ga.Release(ga.Table.from_rows(rows, sensitive="ill"), rules=rules)
    shown = measured(release, ("sex",), show=["chances", "divergences", "people", "scores"]).figures
    assert [line["truth"] for line in shown["chances"]] == [0.5, 0.5, None, None]
    assert [line["divergence"] for line in shown["divergences"]] == [0.0, None]
    assert [line["chance"] for line in shown["people"]] == [0.5, None, None, 0.5]
    assert [line["target"]["sex"] for line in shown["scores"]] == ["f"]


def test_the_surest_rules_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    risk = measured(figure_1(), EDUCATION, show=["surest_rules"])
    drawn = curve(risk, "divergence_by_rules")
    assert drawn.x == (0.0, 1.0, 2.0, 3.0)
    ordered = (
        {"education": "Doctorate", "gender": "Female"},
        {"gender": "Female"},
        {"education": "Doctorate"},
    )
    rules = [ga.Rule(condition, "50K+") for condition in ordered]
    for many, divergence in zip(range(4), drawn.y, strict=True):
        part = figure_1(rules=rules[:many], scores="exact", complete=False)
        assert measured(part, EDUCATION).figures["overall_divergence"] == pytest.approx(divergence, abs=1e-7)
    monkeypatch.setattr(curves, "FEW", 2)
    asked = measured(figure_1(), EDUCATION, show=["thresholds"])
    assert curve(asked, "divergence_by_support").x[0] == 0.3


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ({"show": ["chance"]}, "'chance', which is unknown"),
        ({"small_profiles": 0}, "at least 1"),
        ({"small_profiles": True}, "at least 1"),
    ],
)
def test_what_cannot_be_shown_is_refused(field: dict[str, Any], says: str) -> None:
    with pytest.raises(ga.ScenarioError, match=says):
        ga.KnowsProfiles(columns=["a"], **field)


def test_one_word_may_stand_for_a_list_of_it() -> None:
    assert ga.KnowsProfiles(columns=["a"], show="chances").show == ("chances",)  # type: ignore[arg-type] # a text
