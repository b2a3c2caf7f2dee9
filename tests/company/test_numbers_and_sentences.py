"""Sentences name what is so, and numbers are no better than what everybody could guess."""

from fractions import Fraction
from typing import Any

import pytest

import giveaway as ga
from giveaway.recipients.planning import _joined

FORCED = {"1": (0.25, 0.25), "2": (0.25, 0.5), "3": (0.25, 0.75), "4": (0.25, 1)}
"""Figure 6 (a) of the paper: every code is forced, one after the other."""


def flat(text: object) -> str:
    return " ".join(str(text).replace("\u00a0", " ").split())


@pytest.mark.parametrize("with_earlier", [False, True])
def test_only_columns_that_can_be_guessed_are_named(with_earlier: bool) -> None:
    rows = zip("aabb", ("hiv", "flu", "hiv", "flu"), "ppqq", strict=True)
    table = ga.Table.from_rows(
        [{"age": age, "ill": ill, "drug": drug} for age, ill, drug in rows], sensitive=["ill", "drug"]
    )
    before = ga.Earlier(table, name="2025", linked="rows")
    found = ga.assess(
        ga.Release(table),
        ga.KnowsDirectory(columns=["age"]),
        ga.Tolerance(attribute="1/2"),
        earlier=before if with_earlier else None,
    )
    said = " ".join(found.findings[0].reasons)
    assert "For 4 of 4 people, drug can be guessed with a chance above 50 %." in said
    assert "ill" not in said


@pytest.mark.parametrize(("limit", "verdict"), [("2/3", "safe"), ("1/2", "safe"), ("2/5", "at risk")])
def test_who_knows_who_asked_guesses_no_worse_than_by_all_that_is_visible(limit: str, verdict: str) -> None:
    rows = [
        {"who": str(place), "A": a, "S": s} for place, (a, s) in enumerate(zip("zxxxx", "uuvuv", strict=True))
    ]
    table = ga.Table.from_rows(rows, id="who", sensitive="S")
    knows = ga.KnowsAttributes(columns=["A"], asking="independent", asking_known=True)
    found = ga.assess(ga.Release(table, secrets=["0"]), knows, ga.Tolerance(attribute=limit))
    risk = found.findings[0].risk
    assert risk is not None
    assert risk.figures["worst_informed"] == Fraction(1, 2)
    assert risk.exposures[0].chance == risk.exposures[0].baseline
    assert risk.exposures[0].because.startswith("50 % of all visible rows have S ")
    assert found.verdict == verdict


def test_what_is_accepted_of_an_earlier_release_is_named_where_it_leaves_no_safe_one() -> None:
    def table(**columns: str) -> ga.Table:
        rows = zip(*columns.values(), strict=True)
        return ga.Table.from_rows(
            [{"who": str(place)} | dict(zip(columns, row, strict=True)) for place, row in enumerate(rows)],
            id="who",
        )

    before = ga.Earlier(table(A="xyyy"), name="2025", linked="rows", already="accept")
    knows = ga.KnowsDirectory(columns=["A", "B"])
    with pytest.raises(
        ga.NoSafeRelease, match=r"^2025 already gave away what is over the limit\. That is accepted"
    ):
        ga.protect(
            ga.Release(table(A="xyyy", B="pqpq"), earlier=[before]), knows, ga.Tolerance(identity="1/2")
        )


def test_a_secret_that_an_earlier_file_shows_is_not_denied_on_the_screen() -> None:
    def table(values: list[str | None]) -> ga.Table:
        rows = [{"who": str(place), "A": "x", "S": value} for place, value in enumerate(values)]
        return ga.Table.from_rows(rows, id="who", sensitive="S")

    before = ga.Earlier(table(["u", None, "u", "v", "u", "v"]), name="2025", linked="rows")
    release = ga.Release(table([*"uvuvuv"]), secrets=["0", "1"], earlier=[before])
    found = ga.assess(release, ga.KnowsAttributes(columns=["A"]), ga.Tolerance(attribute="2/3"))
    assert found.verdict == "at risk"
    for text in (flat(found), flat(found.to_html())):
        assert "o exposures over the limit by this release alone" in text
        assert "o exposures over the limit;" not in text
        assert "o exposures over the limit." not in text


def test_the_strictest_of_several_questions_has_all_limits_and_the_smallest_of_each() -> None:
    def question(**limits: Any) -> Any:
        release = ga.Release(ga.Table.from_rows([{"age": "1", "ill": "x"}], sensitive="ill"))
        from giveaway.attacks.asked import questions

        return questions(release, ga.KnowsDirectory(columns=["age"]), ga.Tolerance(**limits), (), {})[0]

    several = [
        question(identity="1/3"),
        question(attribute="1/2"),
        question(identity="1/5", attribute="9/10"),
    ]
    assert _joined(several).tolerance == ga.Tolerance(identity="1/5", attribute="1/2")
    shared = [question(identity="1/3", share="1/10"), question(identity="1/2", attribute="1/2")]
    assert _joined(shared).tolerance == ga.Tolerance(identity="1/3", attribute="1/2")


@pytest.mark.papers
def test_how_much_may_be_right_supposes_that_forced_pairs_are_used() -> None:
    shop = ga.Transactions.from_lists([list(row) for row in ("4", "34", "234", "1234")])
    knows = ga.KnowsFrequencies(belief=ga.Belief.intervals(FORCED), knows_method=False)
    risk = ga.assess(ga.Release(shop), knows, ga.Tolerance(average="3/4")).findings[0].risk
    assert risk is not None
    assert risk.figures["breaking_point"] == Fraction(3, 4)
    assert any("up to 75 % of the items, drawn at random, by the O-estimate" in step for step in risk.recipe)
    by_share = ga.assess(ga.Release(shop), knows, ga.Tolerance(identity="9/10", share="1/2")).findings[0]
    assert by_share.risk is not None
    assert by_share.risk.figures["breaking_point"] == Fraction(1, 2)


@pytest.mark.papers
def test_the_second_step_of_the_recipe_is_without_pairs_and_the_third_with_them() -> None:
    rows = [["a", "b"], ["a", "b"], ["a", "c"], ["b"], ["c", "d"], ["d"], ["a", "b", "d"]]
    shop, limit = ga.Transactions.from_lists(rows), ga.Tolerance(average="1/10")

    def steps(**more: Any) -> tuple[str, ...]:
        knows = ga.KnowsFrequencies(belief=ga.Belief.around("1/4"), knows_method=False, **more)
        risk = ga.assess(ga.Release(shop), knows, limit).findings[0].risk
        assert risk is not None
        return risk.recipe

    plain, with_pairs = steps(), steps(known_pairs=ga.KnownPairs(top=1))
    assert with_pairs[:2] == plain[:2]
    (third,) = (step for step in with_pairs if step.startswith("With the known pairs: "))
    assert "by the O-estimate" in third
    assert "by the chances found" in third
    assert third.partition(": ")[2] != plain[1].partition(": ")[2]
