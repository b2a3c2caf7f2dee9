"""What is published besides rules, what is missing, several sensitive columns, and everything that is refused."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.attacks.profiles.test_measure import FIGURE_1_RULES, figure_1, measured

import giveaway as ga
from giveaway.attacks.profiles.posterior import PRECISION, ProfileBelief, believed
from giveaway.attacks.profiles.question import ask
from giveaway.attacks.profiles.reporting import curves
from giveaway.maximum_entropy import solve
from giveaway.model.progress import limited

ROWS = [
    ("cook", 20, "yes"),
    ("cook", 30, "no"),
    ("cook", 30, "no"),
    ("cook", 40, "no"),
    ("smith", 20, "yes"),
    ("smith", 30, "yes"),
    ("smith", 40, "yes"),
    ("smith", 40, "no"),
]


def table(
    rows: list[tuple[Any, ...]] = ROWS, names: tuple[str, ...] = ("job", "age", "ill"), **words: Any
) -> ga.Table:
    made = [dict(zip(names, row, strict=True)) for row in rows]
    return ga.Table.from_rows(made, **({"sensitive": "ill"} | words))


def published(*rules: ga.Rule, **terms: Any) -> ga.PublishedRules:
    return ga.PublishedRules(
        rules, **({"min_support": "1/8", "min_confidence": "1/2", "complete": False} | terms)
    )


def believes(
    release: ga.Release, *, columns: tuple[str, ...] = ("job", "age"), **knows: Any
) -> ProfileBelief:
    return believed(ask(release, ga.KnowsProfiles(columns=columns, **knows)))


def share(belief: ProfileBelief, value: str, **condition: Any) -> float:
    """The part of the people who meet a condition and are believed to have a value."""
    known = belief.people
    targets = [known.target(profile) for profile in range(len(known.profiles.weights))]
    met = np.array([all(target[name] == value for name, value in condition.items()) for target in targets])
    weights = known.profiles.weights * met
    answer = known.domain.labels[0].index(value)
    return float(weights @ belief.chance[:, answer] / weights.sum())


@pytest.mark.parametrize(
    ("statement", "condition", "expected"),
    [
        ({"where": {"job": "smith"}, "share": "3/4"}, {"job": "smith"}, 0.75),
        ({"where": {"job": "smith"}, "count": 1}, {"job": "smith"}, 0.25),
        ({"where": {"job": "smith"}, "at_least": "0.6"}, {"job": "smith"}, 0.75),
        ({"where": {"job": "smith"}, "at_most": "0.4", "at_least": 0}, {"job": "smith"}, 0.25),
        ({"count": 2}, {}, 0.25),
        ({"where": {"age": "30..40"}, "count": 0}, {"age": 40}, 0.0),
        ({"where": {"age": "30..40"}, "count": 0}, {"age": 20}, 0.5),
        ({"where": {"age": [20, 30]}, "share": "1/1"}, {"age": 40}, 0.5),
        ({"where": {"age": [20, 30]}, "share": "1/1"}, {"age": 30}, 1.0),
    ],
)
def test_a_statement_is_read_as_it_is_written(
    statement: dict[str, Any], condition: dict[str, Any], expected: float
) -> None:
    release = ga.Release(table(), rules=published(), statements=[ga.Statement(value="yes", **statement)])
    assert share(believes(release), "yes", **condition) == pytest.approx(expected, abs=1e-7)


def test_bounds_on_shares_are_real_numbers_when_the_attacker_does_not_count() -> None:
    said = ga.Statement(where={"job": "smith"}, value="yes", at_least="0.6")
    release = ga.Release(table(), rules=published())
    belief = believes(release, background=[said], whole_numbers=False)
    assert share(belief, "yes", job="smith") == pytest.approx(0.6, abs=1e-7)


def test_background_counts_like_a_statement_of_the_release() -> None:
    said = ga.Statement(where={"job": "smith", "age": 40}, value="yes", share="1/2")
    published_too = ga.Release(table(), rules=published(), statements=[said])
    first = believes(published_too).chance
    second = believes(ga.Release(table(), rules=published()), background=[said]).chance
    assert first.tolist() == second.tolist()


def test_a_rounded_share_leaves_every_number_that_rounds_to_it() -> None:
    said = ga.Statement(where={"job": "smith"}, value="yes", share="0.8")
    release = ga.Release(table(), rules=published(), statements=[said])
    assert share(believes(release), "yes", job="smith") == pytest.approx(0.75)
    loose = believes(release, whole_numbers=False)
    assert share(loose, "yes", job="smith") == pytest.approx(0.75, abs=1e-7)


def test_a_statement_about_rows_tells_people_of_one_profile_apart() -> None:
    said = ga.Statement(value="yes", count=1, rows=np.array([2]))
    release = ga.Release(table(), rules=published(), statements=[said])
    belief = believes(release)
    profile = belief.people.profile_of
    yes = belief.people.domain.labels[0].index("yes")
    assert belief.chance[profile[2], yes] == 1
    assert belief.chance[profile[1], yes] == 0.5
    assert belief.people.target(int(profile[1])) == belief.people.target(int(profile[2]))


def test_the_published_distribution_is_an_equation_for_each_value() -> None:
    belief = believes(ga.Release(table(), rules=published(distribution="published")))
    assert share(belief, "yes") == pytest.approx(0.5)
    uneven = table([*ROWS, ("smith", 40, "no"), ("smith", 40, "no")])
    belief = believes(ga.Release(uneven, rules=published(distribution="published")))
    assert share(belief, "yes") == pytest.approx(0.4)


def test_a_record_without_a_sensitive_value_counts_in_its_profile_only() -> None:
    rows = [*ROWS, ("smith", 20, ""), ("smith", 50, "")]
    rule = ga.Rule({"job": "smith"}, "yes")
    release = ga.Release(table(rows), rules=published(rule, scores="exact"))
    risk = measured(release, ("job", "age"))
    assert share(believes(release), "yes", job="smith") == pytest.approx(3 / 6)
    assert (risk.figures["records"], risk.figures["profiles"], risk.figures["values"]) == (10, 7, 2)
    belief = believes(release)
    known = belief.people.profiles.values
    assert known.sum() == 8
    assert risk.average == pytest.approx((known * belief.chance).sum() / 8)
    assert measured(release, ("job", "age"), judges="true").figures["records"] == 10


def test_nobody_infers_a_value_that_a_person_does_not_have() -> None:
    rows = [("cook", 20, "yes"), ("cook", 20, "yes"), ("cook", 20, ""), ("smith", 20, "no")]
    release = ga.Release(table(rows), rules=published(ga.Rule({"job": "cook"}, "yes")))
    tolerance = ga.Tolerance(attribute="0.6")
    found = measured(release, ("job", "age"), tolerance)
    assert (found.figures["people_above"], found.over) == (3, 1)
    found = measured(release, ("job", "age"), tolerance, judges="true")
    assert (found.figures["people_above"], found.over) == (2, 1)


MISSING = [*ROWS, ("cook", "", "yes"), ("", 20, "no")]


def test_profiles_that_miss_a_value_are_refused_with_their_number() -> None:
    with pytest.raises(
        ga.ScenarioError, match=r"2 of 10 records miss a value of their profile.*missing_profiles"
    ):
        measured(ga.Release(table(MISSING), rules=published()), ("job", "age"))


def test_a_missing_value_is_a_value_or_keeps_people_from_being_judged() -> None:
    rule = ga.Rule({"job": "smith"}, "yes", support="0.3")
    release = ga.Release(table(MISSING), rules=published(rule, scores="exact"))
    valued = measured(release, ("job", "age"), missing_profiles="value")
    dropped = measured(release, ("job", "age"), missing_profiles="drop")
    assert (valued.figures["records"], valued.figures["profiles"]) == (10, 8)
    assert (dropped.figures["records"], dropped.figures["profiles"]) == (8, 6)
    assert {"job": "cook", "age": None} in [one.target for one in valued.exposures]
    known = {tuple(one.target.values()): one.chance for one in valued.exposures}
    assert all(known[tuple(one.target.values())] == one.chance for one in dropped.exposures)
    assert sum(dropped.curves[0].y) == 8


def test_no_rule_is_absent_for_people_who_miss_a_value_of_its_condition() -> None:
    rows = [("cook", ""), ("cook", ""), ("smith", "")]
    release = ga.Release(
        table([(job, age, "yes") for job, age in rows] + [("smith", 30, "no")]),
        rules=ga.PublishedRules(
            [ga.Rule({"job": "cook"}, "yes")], min_support="1/2", min_confidence="1", complete=True
        ),
    )
    belief = believes(release, missing_profiles="value")
    conditions = [belief.claims.rule(row).condition for row in range(len(belief.claims))]
    assert all(value is not None for condition in conditions for _, value in condition)


TWO = [
    ("cook", "yes", "high"),
    ("cook", "no", "low"),
    ("cook", "no", ""),
    ("smith", "yes", "low"),
    ("smith", "yes", "low"),
    ("smith", "no", "high"),
]


def two(*rules: ga.Rule, **terms: Any) -> ga.Release:
    made = table(TWO, ("job", "ill", "pay"), sensitive=["ill", "pay"])
    return ga.Release(made, rules=published(*rules, **terms))


def test_several_sensitive_columns_are_judged_each_and_the_worst_counts() -> None:
    release = two(
        ga.Rule({"job": "smith"}, "yes", sensitive="ill"),
        ga.Rule({"job": "smith"}, "low", sensitive="pay"),
        scores="exact",
    )
    risk = measured(release, ("job",))
    assert risk.figures["values"] == 4
    worst = risk.exposures[0]
    assert (worst.target, worst.value, worst.baseline) == ({"job": "smith"}, "yes", Fraction(1, 2))
    assert worst.chance == pytest.approx(2 / 3)
    belief = believes(release, columns=("job",))
    assert belief.chance[1].tolist() == pytest.approx([1 / 3, 2 / 3, 1 / 3, 2 / 3])
    assert risk.average == pytest.approx(max((3 * 0.5 + 1 / 3 + 4 / 3) / 6, (2 * 0.5 + 1 / 3 + 4 / 3) / 5))


def test_a_person_is_over_the_limit_when_one_of_the_true_values_is() -> None:
    release = two(ga.Rule({"job": "smith"}, "low", sensitive="pay"), scores="exact")
    risk = measured(release, ("job",), ga.Tolerance(attribute="0.6"), judges="true")
    assert (risk.figures["people_above"], risk.over) == (2, 1)


def test_sensitive_values_limit_what_is_judged() -> None:
    rule = ga.Rule({"job": "smith"}, "yes")
    release = ga.Release(table(), rules=published(rule, scores="exact"), sensitive_values=["no"])
    risk = measured(release, ("job", "age"))
    assert {one.value for one in risk.exposures} == {"no"}
    assert float(risk.levels[0].worst) == 0.5


def refused(release: ga.Release, message: str, **knows: Any) -> None:
    knows = {"columns": ("job", "age")} | knows
    with pytest.raises((ga.ScenarioError, ga.DataError), match=message):
        measured(release, knows.pop("columns"), **knows)


@pytest.mark.parametrize(
    ("make", "message", "knows"),
    [
        (lambda: ga.Release(table()), "No rules are published", {}),
        (lambda: ga.Release(table(), rules=published()), 'no column "zip"', {"columns": ("zip",)}),
        (lambda: ga.Release(table(), rules=published()), "ill is sensitive", {"columns": ("ill",)}),
        (
            lambda: ga.Release(table(id="job"), rules=published()),
            "job is the identifier",
            {"columns": ("job",)},
        ),
        (lambda: ga.Release(table(sensitive=()), rules=published()), "no sensitive column", {}),
        (
            lambda: ga.Release(table([("cook", 20, "")]), rules=published()),
            "ill has no value in any record",
            {},
        ),
        (
            lambda: ga.Release(table([("", 20, "yes")]), rules=published()),
            "nobody is left to be judged",
            {"missing_profiles": "drop"},
        ),
        (
            lambda: ga.Release(table(), rules=published(), sensitive_values=["perhaps"]),
            "'perhaps', which no record has",
            {},
        ),
        (
            lambda: ga.Release(table(), rules=published(ga.Rule({"job": "cook"}, "no"))),
            'about the column job, which the attacker does not know.*add "job"',
            {"columns": ("age",)},
        ),
        (lambda: ga.Release(table(), rules=published()), "There is no row 99", {"ranges_for": [99]}),
        (
            lambda: ga.Release(
                table(),
                rules=published(),
                statements=[ga.Statement(value="yes", count=1, rows=np.array([8]))],
            ),
            "a row that the table does not have",
            {},
        ),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    make: Callable[[], ga.Release], message: str, knows: dict[str, Any]
) -> None:
    refused(make(), message, **knows)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (ga.Rule({"job": "king"}, "no"), "about nobody: job is never king"),
        (ga.Rule({"job": "cook", "age": 50}, "no"), "about nobody: age is never 50"),
        (ga.Rule({"job": "cook"}, "perhaps"), "'perhaps', which is not a value of ill"),
        (ga.Rule({"job": "cook"}, "no", sensitive="job"), "job, which is not sensitive"),
        (
            ga.Rule({"job": "cook"}, "yes"),
            "holds for 1 of 4 records, which is below the 2 that the thresholds",
        ),
        (ga.Rule({"job": "cook"}, "no", sensitive="ill"), "listed twice"),
    ],
)
def test_a_rule_that_does_not_fit_the_data_is_refused(rule: ga.Rule, message: str) -> None:
    refused(ga.Release(table(), rules=published(ga.Rule({"job": "cook"}, "no"), rule)), message)


def test_a_condition_whose_parts_occur_but_never_together_is_refused() -> None:
    rows = [("cook", 20, "yes"), ("smith", 30, "no")]
    rule = ga.Rule({"job": "cook", "age": 30}, "yes")
    refused(ga.Release(table(rows), rules=published(rule)), "no record meets its condition")


def test_a_rule_exactly_at_the_threshold_needs_an_inclusive_list() -> None:
    rule = ga.Rule({"job": "cook"}, "no")
    terms = {"min_confidence": "3/4"}
    assert measured(ga.Release(table(), rules=published(rule, **terms)), ("job", "age")).kept["rules"] == 1
    refused(ga.Release(table(), rules=published(rule, inclusive=False, **terms)), "not above the 3")


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            {"support": "0.38", "confidence": "0.20"},
            "support 0.38 means 3 to 3.08 records, confidence 0.20 means 0.78 to 0.82 records, and the list says 2 to 4",
        ),
        ({"support": "0.10"}, "support 0.10 means 0.76 to 0.84 records"),
        ({"confidence": "0.60"}, "leave no whole number of records: support 0.38 means"),
    ],
)
def test_scores_that_leave_no_number_of_records_are_refused(scores: dict[str, str], message: str) -> None:
    rule = ga.Rule({"job": "cook"}, "no", **scores)
    refused(ga.Release(table(), rules=published(rule, scores=2)), message)


def test_a_rule_is_read_with_the_text_of_its_own_scores() -> None:
    rule = ga.Rule({"job": "cook"}, "no", support="0.50", confidence="1.00")
    belief = believes(ga.Release(table(), rules=published(rule, scores=2)), whole_numbers=False)
    assert share(belief, "no", job="cook") == pytest.approx(0.995, abs=1e-7)
    withheld = believes(ga.Release(table(), rules=published(rule)), whole_numbers=False)
    assert share(withheld, "no", job="cook") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ({"where": {"job": "king"}, "count": 1}, "is about nobody"),
        ({"where": {"age": "50..60"}, "count": 1}, "is about nobody"),
        ({"where": {"zip": "1"}, "count": 1}, "column zip, which the attacker does not know"),
        ({"where": {"job": "cook"}, "count": 5}, "leaves no whole number of the 4 people"),
        (
            {"where": {"job": "cook"}, "share": "2/3"},
            "leaves no whole number of the 4 people.*whole_numbers = false",
        ),
        ({"where": {"job": "cook"}, "at_least": 0.8, "at_most": 0.9}, "leaves no whole number"),
    ],
)
def test_a_statement_that_cannot_be_true_is_refused(statement: dict[str, Any], message: str) -> None:
    said = ga.Statement(value="yes", **statement)
    refused(ga.Release(table(), rules=published(), statements=[said]), message)
    refused(ga.Release(table(), rules=published()), message, background=[said])


def test_a_rule_or_statement_says_which_of_several_sensitive_columns_it_is_about() -> None:
    refused(two(ga.Rule({"job": "smith"}, "yes")), "which sensitive column.*ill, pay", columns=("job",))


def test_a_published_distribution_and_missing_sensitive_values_contradict_each_other() -> None:
    release = ga.Release(table([*ROWS, ("cook", 20, "")]), rules=published(distribution="published"))
    refused(release, "1 records? miss|but 1")


def test_a_contradiction_is_named_with_its_bounds_and_the_rules_that_are_not_listed() -> None:
    release = figure_1(scores="exact", inclusive=True)
    with pytest.raises(ga.ScenarioError) as error:
        measured(release, ("education", "gender"))
    text = str(error.value)
    assert "the rule gender=Female => 50K+ (exactly 8 of 9 records)" in text
    # All with a Masters are female, so that the two absent rules say the same.
    assert "the absence of education=Masters" in text
    assert "=> salary=50K+ (at most 3 of 5 records) cannot all hold" in text
    assert "2 rules above its thresholds are not in it" in text
    assert "complete = false" in text


def test_a_false_statement_that_contradicts_the_rules_is_named() -> None:
    said = ga.Statement(where={"gender": "Female"}, value="50K-", count=9)
    with pytest.raises(ga.ScenarioError) as error:
        measured(figure_1(), ("education", "gender"), background=[said])
    assert '"9 of those with gender Female have the value 50K-" (exactly 9 of 9 records)' in str(error.value)
    assert "the rule" in str(error.value)


def test_missing_values_that_make_exact_scores_contradict_are_named_in_the_hint() -> None:
    rows = [("cook", 20, "yes"), ("cook", 20, "no"), ("cook", 20, "")]
    rules = (ga.Rule({"job": "cook"}, "yes"), ga.Rule({"job": "cook"}, "no"))
    release = ga.Release(table(rows), rules=published(*rules, scores="exact", min_confidence="0.3"))
    refused(release, "1 record misses a value of ill")


def test_a_list_that_is_said_to_be_complete_and_is_not_is_reported() -> None:
    release = figure_1(rules=FIGURE_1_RULES[1:])
    risk = measured(release, ("education", "gender"))
    assert "1 rule above the thresholds is not in the list" in risk.how.detail


def test_precision_that_is_not_reached_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.attacks.profiles.posterior.PRECISION", -1.0)
    found = ga.assess(
        figure_1(), ga.KnowsProfiles(columns=["education", "gender"]), ga.Tolerance(attribute="0.99")
    )
    assert found.safe is None
    assert "precision" in found.findings[0].reasons[0]


@pytest.mark.parametrize("left", ["violation", "gap"])
def test_a_solution_is_not_judged_with_too_large_a_violation_or_gap(
    left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = solve.solve

    def verdict(by: float) -> bool | None:
        monkeypatch.setattr(
            solve, "solve", lambda *how, **start: replace(honest(*how, **start), **{left: by})
        )
        return ga.assess(
            figure_1(), ga.KnowsProfiles(columns=["education", "gender"]), ga.Tolerance(attribute="0.99")
        ).safe

    assert verdict(PRECISION / 2) is False
    assert verdict(2 * PRECISION) is None


def test_what_is_absent_tells_something_of_just_as_many_people_as_make_a_rule() -> None:
    """Of two people nobody is said to be ill or well, which two of two would be: so one of them is ill.

    Without that, the belief that 6 of 8 people of an age are ill would be spread over all of them.
    """
    rows = [("cook", 20, "yes"), ("cook", 20, "no"), *[("smith", 20, "yes"), ("smith", 20, "no")] * 3]
    rules = published(min_support=Fraction(2, 8), min_confidence="0.9", complete=True)
    said = ga.Statement(where={"age": 20}, value="yes", at_least="3/4")
    belief = believes(ga.Release(table(rows), rules=rules), background=[said])
    assert share(belief, "yes", job="cook") == pytest.approx(1 / 2)
    assert share(belief, "yes", job="smith") == pytest.approx(5 / 6)
    fewer = replace(rules, min_support=Fraction(3, 8))
    belief = believes(ga.Release(table(rows), rules=fewer), background=[said])
    assert share(belief, "yes", job="cook") == share(belief, "yes", job="smith") == pytest.approx(3 / 4)


def test_too_many_values_for_the_memory_are_no_verdict() -> None:
    with limited(memory=100), pytest.raises(ga.BudgetExceeded, match="do not fit in the memory"):
        measured(figure_1(), ("education", "gender"))


def test_nothing_is_computed_over_the_time_allowed() -> None:
    found = ga.assess(
        figure_1(),
        ga.KnowsProfiles(columns=["education", "gender"]),
        ga.Tolerance(attribute="0.99"),
        effort=ga.Effort(seconds=1e-9),
    )
    assert found.safe is None


def test_what_only_stands_beside_the_verdict_may_fail_without_it() -> None:
    """Exact scores would contradict the missing value, scores withheld do not."""
    rows = [("cook", 20, "yes")] * 2 + [("cook", 20, "no")] * 2 + [("cook", 20, "")]
    rules = (ga.Rule({"job": "cook"}, "yes"), ga.Rule({"job": "cook"}, "no"))
    terms = {"min_support": "0.2", "min_confidence": "0.2"}
    release = ga.Release(table(rows), rules=ga.PublishedRules(rules, complete=False, **terms))
    risk = measured(release, ("job", "age"), ga.Tolerance(attribute="0.7"))
    assert risk.over == 0
    assert risk.figures["scores_effect"] is None


def test_a_number_of_rules_that_cannot_be_read_ends_what_is_known_to_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = figure_1(complete=False)
    honest = curves.believe

    def failing(claims: Any, rows: Any = None) -> ProfileBelief:
        if len(rows) == 2:
            raise ga.BudgetExceeded("Too much.", hint="ask for less.")
        return honest(claims, rows)

    monkeypatch.setattr(curves, "believe", failing)
    risk = measured(release, ("education", "gender"), ga.Tolerance(attribute="0.9"))
    strength = next(curve for curve in risk.curves if curve.name == "strength")
    assert strength.x == (0, 1, 3)
    assert (risk.holds_up_to.value, risk.holds_up_to.at_least) == (1, True)
    assert risk.share > 0


def test_a_false_belief_may_be_infinitely_far_from_the_truth() -> None:
    said = ga.Statement(where={"education": "Bachelors"}, value="50K+", count=1)
    risk = measured(figure_1(), ("education", "gender"), background=[said], non_rules=False)
    assert risk.figures["overall_divergence"] == float("inf")
    assert all(np.isfinite(curve.y).all() for curve in risk.curves)
