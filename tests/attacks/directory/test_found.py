"""Releases that were once refused, or refused for a false reason, with numbers that can be typed in."""

import math
from fractions import Fraction
from typing import Any

import pytest
from tests.attacks.directory.cases import people, table

import giveaway as ga
from giveaway.model.data.people import People


def of(*rows: str) -> ga.Table:
    return table([dict(zip("AB", row, strict=False)) for row in rows], list("AB"[: len(rows[0])]))


def listed(*rows: str, name: str = "d") -> People:
    lines = [(f"r{place}", dict(zip("AB", row, strict=False))) for place, row in enumerate(rows)]
    return people(lines, list("AB"[: len(rows[0])]), name)


def told(answer: ga.Assessment) -> tuple[list[Any], dict[str, Any], str]:
    """Return what is withheld, what is said to be proved of it, and in which words."""
    made = answer.findings[0].protection
    assert made is not None
    return sorted(answer.withheld.cells), dict(made.figures), made.detail


@pytest.mark.papers
def test_somebody_tolerated_over_the_limit_leaves_room_for_a_total() -> None:
    """Rows xu, xv with half of them tolerated: one entry is enough, and that there is none was called proved."""
    need = ga.NeedsColumns(total=3, fill=False)
    some = ga.Tolerance(identity="1/2", share="1/2")
    answer = ga.protect(ga.Release(of("xu", "xv")), ga.KnowsDirectory(knows_method=False), some, need=need)
    assert answer.safe
    assert len(answer.withheld.cells) == 1
    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect(
            ga.Release(of("xu", "xv")),
            ga.KnowsDirectory(knows_method=False),
            ga.Tolerance(identity="1/2"),
            need=need,
        )
    assert refused.value.proved
    assert refused.value.reason == (
        "Within the limit of identity 2 values can be disclosed, and 3 are needed."
    )


def test_the_worst_sum_may_be_below_the_sum_of_the_worst() -> None:
    rows = ("yy", "xx", "yy")
    attacker = ga.KnowsDirectory(
        knows_method=False, people=[listed(*rows, "yx"), listed(*rows, "yy", "yy", name="e")]
    )
    answer = ga.protect(ga.Release(of(*rows)), attacker, ga.Tolerance(average="0.6"))
    cells, figures, detail = told(answer)
    assert (answer.safe, cells, figures["lower_bound"], figures["gap"]) == (True, [(2, "A")], 1, 0)
    assert "It is proved that no safe release discloses more values." in detail
    assert answer.findings[0].risk.figures["risk"] == Fraction(1, 2)


@pytest.mark.papers
def test_the_least_risk_in_the_worst_directory_is_not_that_of_the_worst_losses() -> None:
    rows = ("x", "y", "x")
    attacker = ga.KnowsDirectory(
        knows_method=False, people=[listed(*rows, "y", "y"), listed(*rows, "x", "x", "y", name="e")]
    )
    need = ga.NeedsColumns(total=1, fill=False)
    for limit in ("0.28", "0.29"):
        answer = ga.protect(ga.Release(of(*rows)), attacker, ga.Tolerance(average=limit), need=need)
        _, figures, detail = told(answer)
        assert answer.safe
        assert answer.findings[0].risk.figures["risk"] == Fraction(5, 18)
        assert figures["least_risk"] <= 5 / 18
        assert "is not proved to have the least risk" in detail
    with pytest.raises(ga.NoSafeRelease) as refused:
        ga.protect(ga.Release(of(*rows)), attacker, ga.Tolerance(average="0.26"), need=need)
    assert not refused.value.proved


def test_marks_that_leave_no_room_are_a_mistake_of_the_question() -> None:
    marked = ga.Release(of("xu", "xu", "xv", "yw"), must_publish=[("r0", "A"), ("r1", "A")])
    for need, words in (
        ({"total": 0}, "2 values, more than total = 0, must be published"),
        ({"per_column": 1}, "2 values of a column, more than per_column = 1, must be published"),
    ):
        with pytest.raises(ga.ScenarioError, match=words):
            ga.protect(
                marked,
                ga.KnowsDirectory(knows_method=False),
                ga.Tolerance(identity="1/2"),
                need=ga.NeedsColumns(**need, fill=False),
            )


@pytest.mark.papers
def test_more_marks_in_a_column_than_are_needed_are_no_obstacle() -> None:
    marked = ga.Release(of("xu", "xu", "xv", "yw"), must_publish=[("r0", "A"), ("r1", "A")])
    for limit in ({"average": "1/2"}, {"identity": "1/2"}):
        answer = ga.protect(
            marked,
            ga.KnowsDirectory(knows_method=False),
            ga.Tolerance(**limit),
            need=ga.NeedsColumns(per_column=1),
        )
        assert answer.safe
        assert not {(1, "A"), (2, "A")} & {*answer.withheld.cells}


def test_a_least_risk_that_is_the_limit_itself_is_within_it() -> None:
    """Nobody agrees with the record; with B blank one person does, whose risk of 1 is what is tolerated."""
    attacker = ga.KnowsDirectory(knows_method=False, people=listed("xv"))
    weighed = ga.Release(of("xu"), sensitivity=ga.Sensitivity(columns={"A": 1, "B": 1}))
    answer = ga.protect(weighed, attacker, ga.Tolerance(average=1))
    assert (answer.safe, sorted(answer.withheld.cells)) == (True, [(1, "B")])


def test_with_a_prior_the_mean_chance_is_judged_and_searched_by() -> None:
    """With A alone 1 and 2 people agree: 3/4, as tolerated, though one of the directories leaves nobody else."""
    attacker = ga.KnowsDirectory(
        knows_method=False, people=[listed("xu", "yv"), listed("xu", "xv", name="e")], prior=["1/2", "1/2"]
    )
    answer = ga.protect(ga.Release(of("xu", "xu")), attacker, ga.Tolerance(identity="3/4"))
    cells, figures, _ = told(answer)
    assert (answer.safe, cells) == (True, [(1, "B"), (2, "B")])
    assert (figures["lower_bound"], figures["gap"]) == (2, 0)
    with pytest.raises(ga.NoSafeRelease, match="keep the chance within 40 %") as refused:
        ga.protect(ga.Release(of("xu", "xu"), must_publish=["A"]), attacker, ga.Tolerance(identity="2/5"))
    assert refused.value.proved


@pytest.mark.parametrize("nudge", [-1e-12, 0, 1e-12])
def test_floats_that_cannot_be_told_apart_from_the_limit_give_no_verdict_on_either_side(nudge: float) -> None:
    weights = ga.Sensitivity(columns={"A": 1}, form="multiplicative")
    shown = ga.Release(of("x", "x"), sensitivity=weights)
    limit = Fraction(math.e) / 2 * (1 + Fraction(nudge))
    found = ga.assess(shown, ga.KnowsDirectory(knows_method=False), ga.Tolerance(average=limit))
    assert found.verdict == "cannot judge"
    assert found.findings[0].reasons[-1] == (
        "The risk of 1.359 is computed in floats and is too close to your limit to be distinguished from it."
    )
    far = [
        ga.assess(shown, ga.KnowsDirectory(knows_method=False), ga.Tolerance(average=limit * part)).verdict
        for part in (Fraction(99, 100), Fraction(101, 100))
    ]
    assert far == ["at risk", "safe"]
