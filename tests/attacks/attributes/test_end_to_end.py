"""The attack through the public names alone, on frames and rows of people with ids."""

import random
from fractions import Fraction
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import giveaway as ga

COLUMNS = ["education", "sex", "city"]
ATTACKER = ga.KnowsAttributes(columns=COLUMNS, trusts_support_above=3, knows_method=False)
TOLERANCE = ga.Tolerance(attribute=0.6)


def people(seed: int = 3, number: int = 300) -> list[dict[str, str]]:
    """Make up people whose job follows from their education more often than not."""
    draw = random.Random(seed)  # noqa: S311 - made-up people, not secrets
    rows = []
    for place in range(number):
        education = draw.choice(["Masters", "Bachelors", "School"])
        likely = [6, 2, 1, 1] if education == "Masters" else [1, 2, 3, 4]
        rows.append(
            {
                "person": f"p{place}",
                "education": education,
                "sex": draw.choice("fm"),
                "city": draw.choice(["Bonn", "Ulm", "Kiel", ""]),
                "job": draw.choices(["teacher", "nurse", "clerk", "cook"], likely)[0],
            }
        )
    return rows


def release(table: ga.Table, **more: Any) -> ga.Release:
    return ga.Release(table, secrets=[f"p{place}" for place in range(0, 300, 10)], **more)


def chances(shown: ga.Release) -> list[tuple[object, object]]:
    found = ga.assess(shown, ATTACKER, TOLERANCE)
    return [(one.target, one.chance) for one in found.exposures]


def test_rows_and_frames_give_the_same_answer() -> None:
    rows = people()
    made = [
        ga.Table.from_rows(rows, sensitive="job", id="person"),
        ga.Table.from_frame(pd.DataFrame(rows), sensitive="job", id="person"),
        ga.Table.from_frame(pl.DataFrame(rows), sensitive="job", id="person"),
    ]
    answers = [chances(release(table)) for table in made]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0][1] > Fraction(3, 5)
    assert {str(target)[0] for target, _ in answers[0]} == {"p"}


def test_protecting_makes_it_safe_and_the_summary_tells_it() -> None:
    table = ga.Table.from_rows(people(), sensitive="job", id="person")
    safer = ga.protect(release(table), ATTACKER, TOLERANCE)
    summary = safer.to_dict()
    (before,), (after,) = summary["before"], summary["findings"]
    assert (before["safe"], after["safe"]) == (False, True)
    assert after["figures"]["hidden_entries"] == len(safer.withheld.cells) > 0
    assert after["figures"]["lower_bound"] <= after["figures"]["hidden_entries"]
    assert safer.kept["attributes"]["cells_total"] - safer.kept["attributes"]["cells"] == len(
        safer.withheld.cells
    )
    over = [one for one in before["exposures"] if one["chance"] > 0.6]
    assert len(over) == before["exposures_total"]
    assert all(one["after"] <= 0.6 for one in before["exposures"])
    assert {"hidden", "limits", "kept"} <= {curve["name"] for curve in after["curves"]}
    assert before["figures"]["rules"][0]["confidence"] > 0.6
    assert before["figures"]["rules"][0]["condition"]["education"] == "Masters"
    assert after["figures"]["rules"] == []


def test_a_stricter_limit_hides_no_less_and_a_wider_region_no_more() -> None:
    table = ga.Table.from_rows(people(), sensitive="job", id="person")

    def cost(limit: float, hideable: str) -> int:
        tolerance = ga.Tolerance(attribute=limit)
        need = ga.NeedsCells(hideable=hideable)
        safer = ga.protect(release(table), ATTACKER, tolerance, need=need)
        made = safer.findings[0].protection
        assert made is None or made.figures["optimal"]
        return len(safer.withheld.cells)

    assert cost(0.7, "a") <= cost(0.6, "a") <= cost(0.5, "a")
    assert cost(0.6, "e") <= min(cost(0.6, "a"), cost(0.6, "c"))


def test_the_breaking_point_counts_columns() -> None:
    table = ga.Table.from_rows(people(), sensitive="job", id="person")
    point = ga.breaking_point(release(table), ATTACKER, ga.Tolerance(attribute="0.67"))
    assert (point.value, point.unit, point.at_least) == (2, "columns", False)


def test_two_attackers_are_protected_against_together() -> None:
    table = ga.Table.from_rows(people(), sensitive="job", id="person")
    other = ga.KnowsAttributes(columns=["sex", "city"], knows_method=False)
    limits = [TOLERANCE, ga.Tolerance(attribute="0.3")]
    need = ga.NeedsCells(hideable="g")
    safer = ga.protect(release(table), [ATTACKER, other], limits, need=need)
    assert [finding.safe for finding in safer.findings] == [True, True]
    assert safer.to_dict()["before"][0]["exposures"][0]["after"] <= 0.6


def test_a_secret_that_does_not_exist_and_marks_that_contradict_are_refused() -> None:
    table = ga.Table.from_rows(people(), sensitive="job", id="person")
    with pytest.raises(ga.ScenarioError, match="No record has the person 'p999'"):
        ga.Release(table, secrets=["p999"])
    with pytest.raises(ga.ScenarioError, match="marked to be published"):
        release(table, must_publish=[("p10", "job")])
    with pytest.raises(ga.ScenarioError, match="trusts_support_above = -1"):
        ga.KnowsAttributes(columns=COLUMNS, trusts_support_above=-1, knows_method=False)


@settings(max_examples=25)
@given(seed=st.integers(0, 1000), letter=st.sampled_from("abcdefg"), marks=st.sets(st.integers(0, 59)))
def test_random_people_are_safe_afterwards_by_plain_counting(seed: int, letter: str, marks: set[int]) -> None:
    rows = people(seed, 60)
    table = ga.Table.from_rows(rows, sensitive="job", id="person")
    secrets = range(0, 60, 7)
    marked = [(f"p{place}", "city") for place in marks]
    shown = ga.Release(table, secrets=[f"p{place}" for place in secrets], must_publish=marked)
    try:
        safer = ga.protect(shown, ATTACKER, TOLERANCE, need=ga.NeedsCells(hideable=letter))
    except ga.NoSafeRelease:
        return
    gone = {(row - 1, column) for row, column in safer.release.hidden}
    assert not gone & {(place, "city") for place in marks}
    seen = [
        {name: "" if (place, name) in gone else row[name] for name in (*COLUMNS, "job")}
        for place, row in enumerate(rows)
    ]
    for place in secrets:
        for mask in range(1, 8):
            columns = [name for bit, name in enumerate(COLUMNS) if mask >> bit & 1]
            if any(not seen[place][name] for name in columns):
                continue
            alike = [one for one in seen if all(one[name] == seen[place][name] for name in columns)]
            showing = sum(one["job"] == rows[place]["job"] for one in alike)
            assert showing <= 3 or showing * 5 <= 3 * len(alike)
