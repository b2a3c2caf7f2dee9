"""What reports say of sensitive values that are guessed: why, in steps, and how many columns may be known."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

import giveaway as ga
from giveaway.report.schema import misfits

LIMIT = "1/2"
COLUMNS = ("age", "sex", "zip")


def clinic(rows: list[tuple[str, ...]], **further: Any) -> ga.Release:
    made = [dict(zip(("who", *COLUMNS, "ill"), (f"p{n}", *row), strict=True)) for n, row in enumerate(rows)]
    return ga.Release(ga.Table.from_rows(made, sensitive="ill", id="who"), **further)


ROWS = [
    ("30", "f", "1", "flu"),
    ("30", "f", "1", "flu"),
    ("30", "f", "1", "hiv"),
    ("30", "m", "1", "asthma"),
    ("40", "f", "2", "hiv"),
    ("40", "f", "2", "asthma"),
    ("40", "m", "2", "asthma"),
    ("40", "m", "2", "flu"),
]


def found(
    rows: list[tuple[str, ...]],
    tolerance: ga.Tolerance,
    further: dict[str, Any] | None = None,
    **attacker: Any,
) -> dict[str, Any]:
    answer = ga.assess(
        clinic(rows, **(further or {})), ga.KnowsDirectory(columns=COLUMNS, **attacker), tolerance
    )
    summary: dict[str, Any] = json.loads(json.dumps(answer.to_dict()))
    assert misfits(summary) == []
    (finding,) = summary["findings"]
    return dict(finding)


def test_a_worked_person_is_told_by_released_records() -> None:
    finding = found(ROWS, ga.Tolerance(attribute=LIMIT))

    assert finding["exposures"][0]["target"] == "p3"
    assert finding["exposures"][0]["because"] == (
        "Only one released record may be theirs by age, sex and zip; it shows ill asthma."
    )
    assert [(step["label"], step["count"]) for step in finding["worked"]] == [
        ("all released records", 8),
        ("with age 30", 4),
        ("with zip 1", 4),
        ("with sex m", 1),
        ("that show ill asthma", 1),
    ]
    assert finding["reasons"] == ["For 4 of 8 people, ill can be guessed with a chance above 50 %."]


def test_the_first_exposure_and_the_worked_person_are_of_the_larger_chance() -> None:
    both = ga.Tolerance(identity=LIMIT, attribute=LIMIT)

    assert found(ROWS, both)["exposures"][0]["kind"] == "identity"
    alike = [row for row in ROWS if row[:2] != ("30", "m")]
    finding = found(alike, both)
    assert finding["exposures"][0]["kind"] == "attribute"
    assert finding["worked"][-1] == {"label": "that show ill flu", "count": 2}


def test_whoever_knows_two_columns_is_told_by_which() -> None:
    finding = found(ROWS, ga.Tolerance(identity="1/3", attribute="3/4"), at_most=2)
    by_kind = {one["kind"]: one["because"] for one in reversed(finding["exposures"])}

    assert by_kind["identity"] == "Only this record shows exactly this age and sex."
    assert by_kind["attribute"].startswith("Only one released record may be theirs by age and sex")


def test_a_class_is_named_as_one() -> None:
    finding = found(
        ROWS,
        ga.Tolerance(attribute="3/4"),
        {"sensitive_values": [], "sensitive_classes": {"ill": {"lungs": ["flu", "asthma"]}}},
    )

    assert "it shows an ill of the class lungs" in finding["exposures"][0]["because"]


@pytest.mark.parametrize(
    ("salaries", "because", "value"),
    [
        ([30_000, 33_000, 70_000], "2 of the 3 released records that may be theirs by age", 31_500),
        (
            [30_000, 31_000, 32_000],
            "for all 3 released records that may be theirs by age, against 100 % of all",
            31_000,
        ),
    ],
)
def test_a_guess_of_a_number_is_short_and_right_for_as_many(
    salaries: list[int], because: str, value: int
) -> None:
    rows = [{"age": "30", "salary": str(salary)} for salary in salaries]
    release = ga.Release(ga.Table.from_rows(rows, sensitive="salary"))
    attacker = ga.KnowsDirectory(columns=["age"], within={"salary": "10 %"})
    first = ga.assess(release, attacker, ga.Tolerance(attribute=LIMIT)).exposures[0]

    right = [salary for salary in salaries if abs(salary - float(str(first.value))) <= salary / 10]
    assert first.chance * len(salaries) == len(right)
    assert because in first.because
    assert len(str(first.value).rstrip("0")) <= len(str(value).rstrip("0"))


def test_limits_hold_for_fewer_columns_than_records_alone() -> None:
    """Whoever knows the sex alone guesses asthma of the men; nobody singles anybody out by that."""
    rows = [
        ("30", "m", "1", "asthma"),
        ("40", "m", "1", "asthma"),
        ("30", "f", "1", "flu"),
        ("40", "f", "1", "hiv"),
    ]

    assert found(rows, ga.Tolerance(identity=LIMIT))["holds_up_to"]["value"] == 1
    finding = found(rows, ga.Tolerance(identity=LIMIT, attribute="3/4"))
    assert finding["holds_up_to"]["value"] is None
    (curve,) = [curve for curve in finding["curves"] if curve["name"] == "strength"]
    assert curve["y"] == [0.0, 0.5, 1.0, 1.0]
    assert curve["y_label"] == "share of records or people over the limit"


@sized(60)
@given(
    rows=st.lists(
        st.tuples(*map(st.sampled_from, (["30", "40"], "fm", "12", ["flu", "hiv", "asthma"]))),
        min_size=3,
        max_size=10,
    ),
    identity=st.sampled_from([None, "1/2", "1/3"]),
    knows_method=st.booleans(),
)
def test_it_holds_up_to_as_many_columns_as_somebody_may_know(
    rows: list[tuple[str, ...]], identity: str | None, knows_method: bool
) -> None:
    tolerance = ga.Tolerance(identity=identity, attribute="2/3")
    attackers = [
        ga.KnowsDirectory(columns=COLUMNS, at_most=most, knows_method=knows_method) for most in range(1, 4)
    ]
    holds = [ga.assess(clinic(rows), attacker, tolerance).findings[0].safe for attacker in attackers]
    expected = next((most for most, safe in enumerate(holds) if not safe), 3) or None
    finding = found(rows, tolerance, knows_method=knows_method)

    assert finding["holds_up_to"]["value"] == expected
    assert bool(finding["holds_up_to"]["whole_scale"]) == (expected == 3)


def test_the_public_edition_and_the_manifest_tell_nothing_of_people(tmp_path: Path) -> None:
    ill_by_zip = {"1": "flu", "2": "hiv", "3": "asthma"}.items()
    rows = [(age, sex, *both) for age in ("30", "40") for sex in "fm" for both in ill_by_zip] * 4
    tolerance = ga.Tolerance(identity="1/3", attribute=LIMIT)
    answer = ga.protect(clinic(rows), ga.KnowsDirectory(columns=COLUMNS), tolerance).publish(tmp_path / "out")
    (before,) = answer.to_dict()["before"]
    shown = answer.to_html(public=True) + (tmp_path / "out" / "manifest.json").read_text()

    assert before["figures"]["exposed_people"]
    assert "guess somebody&#39;s sensitive value" in shown
    people = f"{before['figures']['exposed_people']} of {before['figures']['people']} people"
    told = [people, *(exposure["because"] for exposure in before["exposures"])]
    own = answer.to_html()
    assert [said for said in told if said in own]
    assert [said for said in [*told, "asthma", "hiv"] if said in shown] == []
    assert re.search(r"\bp\d+\b", shown) is None
