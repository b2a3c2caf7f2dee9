"""Reports tell how classes were made, which have few rows, and where nearly everybody is alone."""

from pathlib import Path
from typing import Any

import pytest

import giveaway as ga
from giveaway.report.schema import misfits

ROWS = [{"age": age, "price": age + 0.5, "day": f"d{age}", "sex": "fm"[age % 2]} for age in range(10, 90)]
TOLERANCE = ga.Tolerance(identity="1/5")


def found(columns: list[str], **groups: Any) -> ga.Assessment:
    table = ga.Table.from_rows(ROWS, rest="leave_out", **groups)
    return ga.assess(ga.Release(table), ga.KnowsDirectory(columns=columns), TOLERANCE)


def test_a_summary_tells_classes_and_fits_the_schema() -> None:
    told = found(
        ["age", "price"], classes={"age": [12, 40], "price": "quantiles 4"}, ladders={"age": "auto"}
    ).to_dict()

    assert misfits(told) == []
    assert told["data"]["classes"] == [
        {
            "column": "age",
            "says": "cut at 12 and 40",
            "classes": 3,
            "asked": None,
            "whole": True,
            "small": [{"class": "<12", "rows": 2}],
            "small_total": 1,
        },
        {
            "column": "price",
            "says": "in 4 quantiles",
            "classes": 4,
            "asked": 4,
            "whole": False,
            "small": [],
            "small_total": 0,
        },
    ]
    assert told["data"]["ladders"] == [{"column": "age", "says": "its classes joined in pairs"}]
    assert "alone" not in told["data"]


def test_the_owner_reads_which_classes_are_small_and_the_public_does_not() -> None:
    answer = found(["age", "price"], classes={"age": [12, 40], "price": "quantiles 4"})
    owner, public = answer.to_html(), answer.to_html(public=True)
    said = "Published in classes: age cut at 12 and 40 (3 classes); price in 4 quantiles (4 classes, written [a, b) since"

    assert said in owner
    assert "fewer rows than the smallest crowd that you tolerate: age &lt;12 (2)." in owner
    assert "Published in classes: age cut at 12 and 40; price in 4 quantiles." in public
    assert "smallest crowd that you tolerate" not in public
    assert said.partition(" (3")[0] in " ".join(str(answer).split())


def test_fewer_quantiles_than_asked_for_are_told() -> None:
    rows = [{"n": n} for n in (1, 1, 1, 1, 2, 3)]
    table = ga.Table.from_rows(rows, classes={"n": "quantiles 3"})
    answer = ga.assess(ga.Release(table), ga.KnowsDirectory(columns=["n"]), TOLERANCE)

    assert (
        "(2 classes, fewer than asked for: equal values stay together, and so do those between which rounded cuts are equal)"
        in answer.to_html()
    )


def test_columns_in_which_everybody_is_alone_are_pointed_out() -> None:
    answer = found(["day", "sex"])

    assert answer.to_dict()["data"]["alone"] == [{"column": "day", "values": 80, "rows": 80}]
    said = "day has 80 values in 80 rows: nearly everybody is alone; see classes."
    assert said in answer.to_html()
    assert said in " ".join(str(answer).split())


def test_a_manifest_tells_given_cuts_and_never_found_ones(tmp_path: Path) -> None:
    answer = found(["age", "price"], classes={"age": [40], "price": "quantiles 2"})
    assert answer.safe
    answer.publish(tmp_path / "out")
    text = (tmp_path / "out" / "manifest.json").read_text()

    assert '"cuts": [\n    40\n   ]' in text
    assert "50.5" not in text  # the cut that was found


def test_the_unjudged_exact_values_of_a_column_are_pointed_out() -> None:
    table = ga.Table.from_rows(
        [{"age": row["age"], "born": 2025 - int(str(row["age"]))} for row in ROWS],
        classes={"age": [40]},
        publish_unjudged=["born"],
    )
    answer = ga.assess(ga.Release(table), ga.KnowsDirectory(columns=["age"]), TOLERANCE)

    assert "born looks like the exact age." in answer.to_html()


@pytest.mark.parametrize("attack", ["attributes", "profiles"])
def test_the_other_attacks_on_tables_judge_classes(attack: str, tmp_path: Path) -> None:
    rows = [{"age": age, "pay": 1000 * (age // 10), "ok": "yes"} for age in range(20, 60)]
    table = ga.Table.from_rows(rows, sensitive="pay", leave_out=["ok"], classes={"age": 10, "pay": [3000]})
    limits = {"min_support": "1/10", "min_confidence": "1/2"}
    asked: tuple[ga.Release, Any] = (
        (ga.Release(table, secrets=[1, 30]), ga.KnowsAttributes(columns=["age"]))
        if attack == "attributes"
        else (
            ga.Release(table, rules=ga.PublishedRules(ga.mine_rules(table, **limits), **limits)),
            ga.KnowsProfiles(columns=["age"]),
        )
    )
    answer = ga.assess(*asked, ga.Tolerance(attribute="1/2"))

    assert answer.safe is False  # a decade tells on which side of 3000 somebody is
    assert {*table.labels["pay"]} == {"<3000", "3000+"}
