"""Disguising a release of rules: coarser scores, higher thresholds, fewer statements, and which of them keeps most."""

import csv
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.profiles.oracle import World, mined
from tests.attacks.profiles.test_measure import (
    COLUMNS,
    figure_1,
    measured,
    published_of,
    some_terms,
    some_worlds,
)

import giveaway as ga
from giveaway.attacks.profiles.attacker import ProfilesOptions
from giveaway.attacks.profiles.protect import protect
from giveaway.attacks.profiles.protecting.ways import higher_confidences, higher_supports
from giveaway.model.answer.risk import Protection

quick = settings(max_examples=30, deadline=None)
EDUCATION = ("education", "gender")
WAYS = ("rules", "scores", "min_support", "min_confidence")
limits = st.sampled_from(["0.6", "0.75", "0.9"])
shares = st.sampled_from(["0", "1/4"])


def disguised(
    release: ga.Release,
    tolerance: ga.Tolerance,
    ways: tuple[str, ...],
    columns: tuple[str, ...] = COLUMNS,
    need: ga.NeedsRules | None = None,
    **options: Any,
) -> Protection:
    attacker = ga.KnowsProfiles(columns=columns)
    return protect(release, attacker, tolerance, need, ga.Effort(), ProfilesOptions(ways=ways, **options))


def is_safe(release: ga.Release, tolerance: ga.Tolerance) -> bool:
    try:
        return measured(release, tolerance=tolerance).share <= tolerance.share
    except ga.BudgetExceeded:
        return False


@quick
@given(
    world=some_worlds,
    terms=some_terms,
    limit=limits,
    share=shares,
    ways=st.sets(st.sampled_from(WAYS), min_size=1),
    prefers=st.sampled_from(["support", "divergence"]),
)
def test_what_is_left_is_safe_and_keeps_most_of_all_ways(
    world: World, terms: dict[str, Any], limit: str, share: str, ways: set[str], prefers: str
) -> None:
    release = ga.Release(world.table, rules=published_of(world, terms))
    tolerance = ga.Tolerance(attribute=limit, share=share)
    if not release.rules.rules or is_safe(release, tolerance):
        return
    try:
        found = disguised(release, tolerance, tuple(ways), prefers=prefers)
    except ga.NoSafeRelease:
        return
    assert is_safe(found.release, tolerance)
    published = found.release.published
    lines = found.figures["ways"]
    (chosen,) = [line for line in lines if line["chosen"]]
    assert {line["way"] for line in lines} <= ways
    assert (chosen["scores"], chosen["rules"]) == (published.scores, len(published.rules))
    assert (chosen["min_support"], chosen["min_confidence"]) == (
        published.min_support,
        published.min_confidence,
    )
    support = sum(world.holding(rule.condition, rule.value) for rule in published.rules)
    assert chosen["rules_support"] == support
    best = max(lines, key=lambda line: line["rules_support"])
    if prefers == "support":
        assert chosen["rules_support"] == best["rules_support"]
    else:
        assert chosen["divergence"] == min(line["divergence"] for line in lines)
    left = measured(found.release, tolerance=tolerance)
    assert chosen["divergence"] == pytest.approx(left.figures["overall_divergence"], abs=1e-6)
    assert chosen["people_above"] == left.figures["people_above"]
    assert found.ledger
    if chosen["way"] in ("min_support", "min_confidence"):
        assert published.complete
        assert set(published.rules) == set(mined(world, published))
        (curve,) = found.curves
        assert (curve.x[-1], curve.y[-1]) == (len(published.rules), float(left.share))


@quick
@given(world=some_worlds, terms=some_terms, limit=limits, share=shares)
def test_scores_keep_as_many_digits_as_are_safe(
    world: World, terms: dict[str, Any], limit: str, share: str
) -> None:
    rules, tolerance = published_of(world, terms), ga.Tolerance(attribute=limit, share=share)
    release = ga.Release(world.table, rules=rules)
    finer = {"exact": [4, 3, 2, 1, "withheld"], 2: [1, "withheld"], 1: ["withheld"], "withheld": []}
    wanted = next(
        (
            scores
            for scores in finer[terms["scores"]]
            if is_safe(ga.Release(world.table, rules=replace(rules, scores=scores)), tolerance)
        ),
        None,
    )
    if not rules.rules or is_safe(release, tolerance):
        return
    if wanted is None:
        with pytest.raises(ga.NoSafeRelease) as refused:
            disguised(release, tolerance, ("scores",))
        assert not refused.value.proved
    else:
        found = disguised(release, tolerance, ("scores",)).release
        assert found.withheld == ga.Withheld(scores=wanted)
        assert found.published.complete
        assert set(found.published.rules) == set(rules.rules)


@quick
@given(
    world=some_worlds,
    terms=some_terms,
    limit=limits,
    share=shares,
    name=st.sampled_from(["min_support", "min_confidence"]),
)
def test_a_threshold_is_raised_to_the_first_step_that_is_safe(
    world: World, terms: dict[str, Any], limit: str, share: str, name: str
) -> None:
    rules, tolerance = published_of(world, terms), ga.Tolerance(attribute=limit, share=share)
    release = ga.Release(world.table, rules=rules)
    if not rules.rules or is_safe(release, tolerance):
        return
    steps = (higher_supports if name == "min_support" else higher_confidences)(getattr(rules, name))
    wanted, before = None, len(rules.rules)
    for step in steps:
        higher = replace(rules, **{name: step})
        higher = replace(higher, rules=tuple(mined(world, higher)))
        if not higher.rules:
            break
        if len(higher.rules) < before and is_safe(ga.Release(world.table, rules=higher), tolerance):
            wanted = higher
            break
        before = len(higher.rules)
    if wanted is None:
        with pytest.raises(ga.NoSafeRelease):
            disguised(release, tolerance, (name,))
    else:
        found = disguised(release, tolerance, (name,)).release.published
        assert getattr(found, name) == getattr(wanted, name)
        assert set(found.rules) == set(wanted.rules)


@pytest.mark.parametrize(
    ("limit", "first"), [("0.1", "0.11"), ("0.02", "0.022"), ("0", "0.001"), ("0.99", "1")]
)
def test_supports_are_raised_by_a_tenth(limit: str, first: str) -> None:
    steps = list(higher_supports(Fraction(limit)))
    assert steps[0] == Fraction(first)
    assert steps[-1] == 1
    assert all(later == 1 or later >= earlier * Fraction(11, 10) for earlier, later in pairwise(steps))
    assert list(higher_confidences(Fraction("0.985"))) == [Fraction("0.99"), 1]
    assert list(higher_supports(Fraction(1))) == list(higher_confidences(Fraction(1))) == []


def salaries() -> ga.Release:
    """Men and women of two jobs: exact scores tell much more than the rules alone."""
    rows = [
        {"job": job, "sex": sex, "pay": pay}
        for job, sex, high, low in (
            ("boss", "f", 18, 2),
            ("boss", "m", 12, 8),
            ("clerk", "f", 4, 16),
            ("clerk", "m", 8, 12),
        )
        for pay, many in (("high", high), ("low", low))
        for _ in range(many)
    ]
    table = ga.Table.from_rows(rows, sensitive="pay")
    terms = {"min_support": "0.1", "min_confidence": "0.6"}
    return ga.Release(table, rules=ga.PublishedRules(ga.mine_rules(table, **terms), **terms, scores="exact"))


def test_withholding_scores_costs_least_and_is_written_and_checked(tmp_path: Path) -> None:
    tolerance, reader = ga.Tolerance(attribute="0.85"), ga.KnowsProfiles(columns=["job", "sex"])
    safer = ga.protect(salaries(), reader, tolerance, profiles={"ways": list(WAYS)})
    assert safer.verdict == "safe"
    assert str(safer.withheld) == "all but 1 digit of the scores"
    assert safer.kept["profiles"]["rules"] == safer.kept["profiles"]["rules_total"]
    lines = safer.to_dict()["findings"][0]["figures"]["ways"]
    assert {line["way"] for line in lines} == {"scores", "min_support", "rules"}
    assert [line["way"] for line in lines if line["chosen"]] == ["scores"]
    safer.publish(tmp_path / "out")
    with (tmp_path / "out" / "rules.csv").open(encoding="utf-8") as file:
        assert all(len(line["confidence"]) == 3 for line in csv.DictReader(file))
    assert safer.to_dict()["withheld"]["scores"] == 1
    assert "once all but 1 digit of the scores are withheld" in safer.to_html()


def test_a_higher_confidence_ends_what_two_weak_rules_say_together(tmp_path: Path) -> None:
    counts = {"ab": (9, 1), "a": (19, 11), "b": (21, 9), "": (3, 7)}
    rows = [
        {"a": "a" in has, "b": "b" in has, "ill": ill}
        for has, both in counts.items()
        for ill, many in zip("yn", both, strict=True)
        for _ in range(many)
    ]
    table = ga.Table.from_rows(rows, sensitive="ill")
    terms = {"min_support": "0.3", "min_confidence": "0.65"}
    rules = ga.PublishedRules(ga.mine_rules(table, **terms), **terms, scores="exact")
    reader, tolerance = ga.KnowsProfiles(columns=["a", "b"]), ga.Tolerance(attribute="0.8")
    safer = ga.protect(
        ga.Release(table, rules=rules), reader, tolerance, profiles={"ways": ["min_confidence"]}
    )
    assert safer.release.published.min_confidence == Fraction("0.71")
    assert [str(rule) for rule in safer.release.published.rules] == ["b=True => ill=y"]
    assert safer.publish(tmp_path / "out").written
    held = safer.to_dict()["withheld"]
    assert held["thresholds"] == {"min_confidence": 0.71, "min_confidence_exact": "71/100"}
    assert len(held["rules"]) == 1


@pytest.mark.parametrize("way", ["scores", "min_support", "rules"])
def test_each_way_is_written_and_checked(way: str, tmp_path: Path) -> None:
    tolerance, reader = ga.Tolerance(attribute="0.85"), ga.KnowsProfiles(columns=["job", "sex"])
    safer = ga.protect(salaries(), reader, tolerance, profiles={"ways": [way]})
    assert safer.publish(tmp_path / "out").written
    assert safer.verdict == "safe"
    assert safer.to_json()


def test_rules_that_must_be_published_stay_above_raised_thresholds() -> None:
    release, tolerance = salaries(), ga.Tolerance(attribute="0.85")
    free = disguised(release, tolerance, ("min_support",), ("job", "sex")).release
    rule = free.withheld.rules[0]
    must = ga.NeedsRules(must_publish=[ga.Rule(rule.condition, rule.value)])
    kept = ga.NeedsRules(
        must_publish=[ga.Rule(free.published.rules[0].condition, free.published.rules[0].value)]
    )
    assert (
        disguised(release, tolerance, ("min_support",), ("job", "sex"), need=kept).release.withheld
        == free.withheld
    )
    with pytest.raises(ga.NoSafeRelease, match="tried"):
        disguised(release, tolerance, ("min_support",), ("job", "sex"), need=must)


def test_rules_without_scores_where_scores_alone_are_not_enough() -> None:
    release, tolerance = figure_1(scores="exact"), ga.Tolerance(attribute="0.95")
    found = disguised(release, tolerance, ("scores", "rules"), EDUCATION)
    assert [(line["way"], line["scores"]) for line in found.figures["ways"]] == [
        ("rules", "exact"),
        ("rules", "withheld"),
    ]
    only = disguised(release, tolerance, ("rules",), EDUCATION)
    assert "Of 2 safe releases found in 2 ways" in found.detail
    assert "Of 2" not in only.detail


def test_leaves_are_withheld_where_most_people_are_exposed(tmp_path: Path) -> None:
    table = salaries().original
    assert isinstance(table, ga.Table)
    leaves = [
        ga.Statement(where={"job": job, "sex": sex}, value="high", count=count)
        for job, sex, count in (("boss", "f", 18), ("boss", "m", 12), ("clerk", "f", 4), ("clerk", "m", 8))
    ]
    release = ga.Release(table, statements=leaves)
    reader, tolerance = ga.KnowsProfiles(columns=["job", "sex"]), ga.Tolerance(attribute="0.7")
    safer = ga.protect(release, reader, tolerance, profiles={"ways": ["statements"]})
    assert [said.where for said in safer.withheld.statements] == [
        {"job": "boss", "sex": "f"},
        {"job": "clerk", "sex": "f"},
    ]
    safer.publish(tmp_path / "out")
    assert (tmp_path / "out" / "statements.csv").read_text(encoding="utf-8").count("\n") == 3
    assert safer.to_dict()["withheld"]["statements"] == [str(said) for said in safer.withheld.statements]
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(release, reader, tolerance, profiles={"ways": ["scores"]})
    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect(release, reader, tolerance)
    assert 'ways = ["statements", "rules"]' in refused.value.helps[-1]


def test_leaves_that_look_the_same_are_distinguished_by_their_rows() -> None:
    table = salaries().original
    assert isinstance(table, ga.Table)
    first, second = (
        ga.Statement(value="high", count=1, rows=rows)  # type: ignore[arg-type] # a list is enough
        for rows in ([0, 30], [1, 31])
    )
    release = ga.Release(table, ga.Withheld(statements=[first]), statements=[first, second])
    assert [said.key for said in release.published_statements] == [second.key]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"ways": ["score"]}, "'score', which is unknown"),
        ({"ways": []}, "ways names no way"),
        ({"prefers": "beauty"}, "prefers = 'beauty' is unknown"),
    ],
)
def test_unknown_ways_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ga.ScenarioError, match=says):
        ProfilesOptions(**options)
