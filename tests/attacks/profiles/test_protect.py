from dataclasses import replace
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.profiles.oracle import World, subsets
from tests.attacks.profiles.test_claims import ROWS, published, table
from tests.attacks.profiles.test_measure import (
    COLUMNS,
    figure_1,
    measured,
    published_of,
    some_terms,
    some_worlds,
)
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.profiles.attacker import ProfilesOptions
from giveaway.attacks.profiles.protect import protect
from giveaway.attacks.profiles.protecting import choose
from giveaway.model.answer.risk import Protection
from giveaway.model.release.withheld import Withheld


def protected(
    release: ga.Release,
    tolerance: ga.Tolerance,
    columns: tuple[str, ...] = COLUMNS,
    must_publish: tuple[ga.Rule, ...] = (),
    **knows: Any,
) -> Protection:
    need = ga.NeedsRules(must_publish=must_publish) if must_publish else None
    attacker = ga.KnowsProfiles(columns=columns, **knows)
    return protect(release, attacker, tolerance, need, ga.Effort(), ProfilesOptions())


@sized(25)
@given(
    world=some_worlds,
    terms=some_terms,
    limit=st.sampled_from(["0.6", "0.75"]),
    share=st.sampled_from(["0", "1/4"]),
    judges=st.sampled_from(["any", "true"]),
)
def test_what_is_left_is_within_tolerance_and_the_rest_is_in_the_ledger(
    world: World, terms: dict[str, Any], limit: str, share: str, judges: Any
) -> None:
    release = ga.Release(world.table, rules=published_of(world, terms))
    tolerance = ga.Tolerance(attribute=limit, share=share)
    planned = measured(release, tolerance=tolerance, judges=judges)
    if planned.share <= tolerance.share:
        return
    try:
        found = protected(release, tolerance, judges=judges)
    except ga.NoSafeRelease:
        return
    left = measured(found.release, tolerance=tolerance, judges=judges)
    withheld = found.release.withheld.rules
    assert left.share <= tolerance.share
    assert left.kept["rules"] == len(release.rules.rules) - len(withheld) > 0
    assert withheld
    assert [line.withheld for line in found.ledger] == [str(rule) for rule in withheld]
    supports = [world.holding(rule.condition, rule.value) for rule in withheld]
    assert [line.lost for line in found.ledger] == supports == sorted(supports, reverse=True)
    assert all(line.removed > 0 for line in found.ledger)
    (curve,) = found.curves
    assert (curve.x[0], curve.x[-1]) == (len(release.rules.rules), left.kept["rules"])
    assert (curve.y[0], curve.y[-1]) == (float(planned.share), float(left.share))


@st.composite
def small_lists(draw: st.DrawFn) -> tuple[ga.Release, tuple[ga.Rule, ...]]:
    """A release of few rules, with what may be stated besides, and rules that must be published."""
    world, terms = draw(some_worlds), draw(some_terms)
    whole = published_of(world, terms)
    cut = draw(st.booleans()) or len(whole.rules) > 5
    rules = replace(whole, rules=whole.rules[:4], complete=False) if cut else whole
    said = [
        ga.Statement(where={"sex": sex}, value=value, count=world.holding((("sex", sex),), value))
        for sex, value in draw(st.sets(st.sampled_from([("e", "x"), ("f", "y")])))
        if world.meeting((("sex", sex),)) and value in world.values
    ]
    must = tuple(rule for rule in rules.rules if draw(st.integers(0, 5)) == 0)
    return ga.Release(world.table, rules=rules, statements=said), must


@sized(40)
@given(
    made=small_lists(),
    limit=st.sampled_from(["0.31", "0.41", "0.61", "0.76"]),
    share=st.sampled_from(["0", "1/4", "1/2"]),
    judges=st.sampled_from(["any", "true"]),
    whole_numbers=st.booleans(),
)
def test_of_few_rules_a_safe_list_is_found_whenever_there_is_one_and_otherwise_it_is_proved(
    made: tuple[ga.Release, tuple[ga.Rule, ...]], limit: str, share: str, judges: Any, whole_numbers: bool
) -> None:
    release, must = made
    tolerance = ga.Tolerance(attribute=limit, share=share)
    knows = {"judges": judges, "whole_numbers": whole_numbers}

    def safe(shown: ga.Release) -> bool:
        return measured(shown, tolerance=tolerance, **knows).share <= tolerance.share

    rules = release.rules.rules
    if not rules or safe(release):
        return
    exists = any(
        safe(release.withholding(Withheld(rules=[rule for rule in rules if rule not in kept])))
        for kept in subsets(rules)
        if set(must) <= set(kept) and len(kept) < len(rules)
    )
    if exists:
        found = protected(release, tolerance, must_publish=must, **knows).release
        assert safe(found)
        assert set(must) <= set(found.published.rules) < set(rules)
    else:
        with pytest.raises(ga.NoSafeRelease) as refused:
            protected(release, tolerance, must_publish=must, **knows)
        assert refused.value.proved


@settings(max_examples=20)
@given(
    world=some_worlds,
    terms=some_terms,
    limit=st.sampled_from(["0.31", "0.41", "0.61"]),
    share=st.sampled_from(["0", "1/4"]),
)
def test_of_many_rules_what_the_search_finds_is_safe_and_only_a_bound_proves_that_there_is_none(
    world: World, terms: dict[str, Any], limit: str, share: str
) -> None:
    whole = published_of(world, terms)
    some = replace(whole, rules=whole.rules[:5], complete=False)
    release, tolerance = ga.Release(world.table, rules=some), ga.Tolerance(attribute=limit, share=share)
    if not some.rules or measured(release, tolerance=tolerance).share <= tolerance.share:
        return
    try:
        with patch.object(choose, "FEW", -1):
            found = protected(release, tolerance)
    except ga.NoSafeRelease as error:
        if error.proved:
            for rules in subsets(some.rules):
                fewer = ga.Release(world.table, rules=replace(some, rules=rules))
                assert measured(fewer, tolerance=tolerance).share > tolerance.share
        return
    assert measured(found.release, tolerance=tolerance).share <= tolerance.share
    assert found.release.withheld.rules
    assert all(line.removed > 0 for line in found.ledger)


def even_out() -> tuple[ga.Release, ga.Tolerance]:
    """A distribution by which everybody most likely has x, and rules that tell some people from others."""
    rows = [("a", "d", "f", "x"), ("a", "d", "f", "y"), ("a", "c", "f", "x"), ("a", "d", "e", "z")]
    made = table(rows, (*COLUMNS, "ill"), sensitive="ill")
    terms = {"min_support": "1/4", "min_confidence": "0.5"}
    rules = ga.PublishedRules(
        ga.mine_rules(made, columns=COLUMNS, **terms)[:6], complete=False, distribution="published", **terms
    )
    return ga.Release(made, rules=rules), ga.Tolerance(attribute="9/20", share="1/4")


def test_a_list_whose_rules_lower_chances_is_found_though_nothing_is_safe_without_rules() -> None:
    release, tolerance = even_out()
    with patch.object(choose, "FEW", -1):
        searched = protected(release, tolerance)
    tried = protected(release, tolerance)
    assert "every shorter list was tried, the largest support first" in tried.detail
    assert "taken from the whole list one by one" in searched.detail
    for found in (tried, searched):
        assert measured(found.release, tolerance=tolerance).share <= tolerance.share
        assert 0 < len(found.release.published.rules) < len(release.rules.rules)


def test_rules_of_large_support_are_kept_and_the_rule_that_decides_is_withheld() -> None:
    release = figure_1(scores="exact", complete=False)
    found = protected(release, ga.Tolerance(attribute="0.95"), ("education", "gender"))
    assert [str(rule) for rule in found.release.withheld.rules] == [
        "education=Doctorate, gender=Female => 50K+"
    ]
    assert {"rules_tried": 3, "rules_withheld": 1, "solves": 8}.items() <= found.figures.items()
    assert "not proved largest" in found.detail
    assert found.curves[0].says == (
        "Withholding 1 rule keeps 2 of 3; people above the limit: 4 before, 0 after."
    )


def test_rules_that_must_be_published_are_chosen_first() -> None:
    release = figure_1(scores="exact", complete=False)
    must = ga.Rule({"education": "Doctorate"}, "50K+", sensitive="salary")
    tolerance = ga.Tolerance(attribute="0.9")
    free = protected(release, tolerance, ("education", "gender"))
    bound = protected(release, tolerance, ("education", "gender"), (must,))
    assert [str(rule) for rule in free.release.published.rules] == ["gender=Female => 50K+"]
    assert [str(rule) for rule in bound.release.published.rules] == ["education=Doctorate => 50K+"]


def test_a_rule_that_must_be_published_has_to_be_in_the_list() -> None:
    other = ga.Rule({"education": "Masters"}, "50K+")
    with pytest.raises(ga.ScenarioError, match="must be published, but it is not in the list"):
        protected(figure_1(), ga.Tolerance(attribute="0.9"), ("education", "gender"), (other,))


def test_rules_that_must_be_published_and_break_the_limit_are_refused_and_it_is_proved() -> None:
    must = ga.Rule({"education": "Doctorate", "gender": "Female"}, "50K+")
    with pytest.raises(ga.NoSafeRelease, match="1 rule that must be published put 4 of 12 people") as error:
        protected(figure_1(scores="exact"), ga.Tolerance(attribute="0.9"), ("education", "gender"), (must,))
    assert error.value.proved
    assert error.value.helps == (
        "With these rules alone the limits hold from tolerates.attribute=1 or tolerates.share=1/3 on.",
    )


def test_more_values_than_the_limit_allows_for_is_proved_hopeless() -> None:
    with pytest.raises(
        ga.NoSafeRelease, match=r"With 2 possible values .* 50 %, above the limit of 40 %"
    ) as error:
        protected(figure_1(), ga.Tolerance(attribute="0.4"), ("education", "gender"))
    assert error.value.proved
    assert error.value.helps == (
        "No limit below that can hold, whatever is published: tolerate more for attribute.",
    )


def test_a_statement_that_breaks_the_limit_alone_is_proved_hopeless() -> None:
    said = ga.Statement(where={"gender": "Female"}, value="50K+", count=8)
    release = figure_1()
    release = ga.Release(release.original, rules=release.rules, statements=[said])
    with pytest.raises(
        ga.NoSafeRelease, match=r"Without any rule, .* 9 of 12 people over the limit"
    ) as error:
        protected(release, ga.Tolerance(attribute="0.8"), ("education", "gender"))
    assert error.value.proved
    assert "whatever further rules say" in str(error.value)
    evened = protected(release, ga.Tolerance(attribute="0.8", share="1/2"), ("education", "gender"))
    assert evened.release.withheld.rules == ()
    with pytest.raises(ga.NoSafeRelease, match="Every shorter list was tried") as error:
        protected(release, ga.Tolerance(attribute="0.8"), ("education", "gender"), judges="true")
    assert error.value.proved
    with (
        patch.object(choose, "FEW", -1),
        pytest.raises(ga.NoSafeRelease, match="Some other lists") as error,
    ):
        protected(release, ga.Tolerance(attribute="0.8"), ("education", "gender"), judges="true")
    assert not error.value.proved


def test_an_upper_bound_proves_the_other_of_two_values() -> None:
    said = ga.Statement(where={"gender": "Female"}, value="50K-", at_most="1/9")
    release = ga.Release(figure_1().original, rules=figure_1().rules, statements=[said])
    with pytest.raises(ga.NoSafeRelease) as error:
        protected(release, ga.Tolerance(attribute="0.8"), ("education", "gender"))
    assert error.value.proved


def test_a_list_from_which_every_rule_would_be_withheld_is_refused_and_it_is_proved() -> None:
    rows = [("cook", 20, "yes"), ("cook", 20, "yes"), ("smith", 20, "no"), ("smith", 20, "no")]
    rules = published(ga.Rule({"job": "cook"}, "yes"), ga.Rule({"job": "smith"}, "no"), scores="exact")
    with pytest.raises(ga.NoSafeRelease, match="Every rule would be withheld") as error:
        protected(ga.Release(table(rows), rules=rules), ga.Tolerance(attribute="0.9"), ("job", "age"))
    assert error.value.proved
    assert error.value.helps == (
        "With one rule the limits hold from tolerates.attribute=1 or tolerates.share=1/2 on.",
    )


def silent(columns: tuple[str, ...]) -> ga.Release:
    """A list whose silence gives the master away, as in Example 2: with them all women would make a rule."""
    rows = [("Doctorate", "F", "x", "+"), ("Doctorate", "M", "x", "+")] * 2 + [("Masters", "F", "y", "-")]
    made = table(rows, ("education", "gender", "area", "salary"), sensitive="salary")
    terms = {"min_support": "0.6", "min_confidence": "0.7"}
    rules = ga.mine_rules(made, columns=columns, **terms)
    return ga.Release(made, rules=ga.PublishedRules(rules, scores="exact", **terms))


def test_a_list_that_only_its_silence_makes_unsafe_loses_one_rule_and_its_completeness() -> None:
    columns = ("education", "gender", "area")
    release, tolerance = silent(columns), ga.Tolerance(attribute="0.9", share="4/5")
    assert measured(release, columns, tolerance).share == 1
    found = protected(release, tolerance, columns)
    assert len(release.rules.rules) == 3
    assert len(found.release.withheld.rules) == 1
    assert not found.release.published.complete
    assert measured(found.release, columns, tolerance).share == Fraction(4, 5)
    assert found.ledger[0].removed == 5


def test_silence_that_no_shorter_list_mends_is_refused() -> None:
    columns = ("education", "gender")
    release = silent(columns)
    assert len(release.rules.rules) == 1
    with pytest.raises(ga.NoSafeRelease, match="because of what it does not list") as error:
        protected(release, ga.Tolerance(attribute="0.9", share="4/5"), columns)
    assert error.value.helps == ("Do not say that the list is complete: complete = false.",)


def test_a_rejected_rule_is_tried_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    release = figure_1(scores="exact", complete=False)
    asked = (release, ga.Tolerance(attribute="0.95"), ("education", "gender"))
    again = protected(*asked).figures["solves"]
    monkeypatch.setattr(choose, "AGAIN", 0)
    assert protected(*asked).figures["solves"] == again - 1


def test_blocks_do_not_change_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ga.mine_rules(table(ROWS), min_support="1/8", min_confidence="1/2")
    release = ga.Release(table(ROWS), rules=published(*rules, scores="exact"))
    asked = (release, ga.Tolerance(attribute="0.8", share="1/4"), ("job", "age"))
    first = protected(*asked).release.withheld
    monkeypatch.setattr(choose, "BLOCK", 1)
    single = protected(*asked).release.withheld
    assert first.rules
    assert len(first.rules) <= len(single.rules)


def test_the_whole_path_measures_again_and_follows_exposures() -> None:
    release = figure_1(scores="exact", complete=False)
    attacker = ga.KnowsProfiles(columns=["education", "gender"])
    safer = ga.protect(release, attacker, ga.Tolerance(attribute="0.95"))
    assert safer.safe
    assert safer.kept["profiles"]["rules"] == 2
    before = safer.to_dict()["before"][0]
    assert before["exposures"][0]["chance"] == 1
    assert before["exposures"][0]["after"] == pytest.approx(0.9224, abs=1e-4)
    again = ga.protect(safer.release, attacker, ga.Tolerance(attribute="0.95"))
    assert again.withheld == safer.withheld
