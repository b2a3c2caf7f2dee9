import operator
from fractions import Fraction

import pytest
from tests.report import samples
from tests.report.test_charts import curve, marks

from giveaway.report.charts import charts, lines, svg, together
from giveaway.report.charts.curves import curves
from giveaway.report.html import document
from giveaway.report.terminal import screen
from giveaway.report.wording import sentences, words


def losing(worst: float | str, limit: float) -> samples.Summary:
    kind = {"kind": "loss", "worst": worst, "limit": limit, "baseline": None}
    made = samples.finding_after(attack="directory", kinds=[kind], average=worst)
    made["tolerance"] = {"identity": None, "attribute": None, "share": 0.0, "average": limit}
    made["figures"] = {"columns": [{"column": "zip", "identifies": 0.75}]}
    return made


@pytest.mark.parametrize(
    ("value", "limit", "written"),
    [
        (492.317, None, "492"),
        (12345.0, None, "1.23e+04"),
        (Fraction(1, 8), None, "0.125"),
        (float("inf"), None, "without bound"),
        (0.10000001, 0.1, "0.10000001"),
        (Fraction(1, 10), Fraction(1, 10), "0.1"),
    ],
)
def test_a_loss_is_a_plain_number_that_does_not_look_nicer_than_it_is(
    value: float, limit: float | None, written: str
) -> None:
    assert words.amount("loss", value, limit=limit) == written


def test_a_loss_is_told_beside_its_limit() -> None:
    finding = losing(3.25, 2.0)
    assert sentences.exposed(finding) == "3.25 is lost on average; you tolerate 2."
    assert sentences.over_short(finding) == "3.25 on average"
    assert sentences.only_average(finding)
    assert "3.25 lost on average; you tolerate 2" in (sentences.tightest(finding) or "")


@pytest.mark.parametrize("worst", [3.25, "inf"])
def test_a_loss_is_drawn_and_listed(worst: float | str) -> None:
    finding = losing(worst, 2.0)
    summary = samples.at_risk() | {"findings": [finding]}
    page = document.render(summary, edition="owner")
    assert "Which columns identify most" in page
    assert "75.0" in page
    assert ("without bound" if worst == "inf" else "3.25") in page
    assert ("without bound" if worst == "inf" else "3.25") in screen.render(
        summary, exposures=True, quiet=False
    )


def test_a_kind_without_limit_has_no_line_in_the_table() -> None:
    finding = losing(3.25, 2.0)
    finding["kinds"].insert(0, {"kind": "identity", "worst": 1.0, "limit": None, "baseline": None})
    shown = screen.render(samples.at_risk() | {"findings": [finding]}, exposures=True, quiet=False)
    assert "2 lost on average" in shown
    assert "(identity)" not in shown


def test_values_of_different_magnitudes_stand_on_a_scale_of_decades() -> None:
    scale = svg.decades([0.0003, 492, 0])
    assert scale is not None
    assert (scale.low, scale.high) == (-4, 3)
    assert scale(0.0001) > scale(0.01) > scale(100)
    assert scale(0) == scale(0.0001)
    assert len(scale.ticks()) <= 5
    assert svg.decades([1, 999]) is None


def test_what_is_infinite_is_not_drawn() -> None:
    drawn = together.together("Risk", [curve(name="disclosed", x=[1, 2, 3], y=[0.1, 0.2, "inf"])])
    assert len(drawn.rows) == 2
    assert len(marks(drawn.drawing, "polyline", "curve")) == 1
    assert curves({"curves": [{"name": "strength", "x": [1], "y": ["inf"]}]}) == {}


def test_a_limit_on_a_loss_is_a_plain_number() -> None:
    drawn = lines.cost("Cost", curve(name="kept", x=[1, 0.5], y=[0.9, 0.4], limit=0.5, y_label="risk"))
    assert "limit 0.5<" in drawn.drawing
    assert "%" not in drawn.rows[0][1]


def test_pairs_are_points_beside_the_line_of_equality() -> None:
    drawn = together.scatter("Losses", curve(name="estimated", x=[0.0, 0.5, 1], y=[0.1, 0.5, "inf"]))
    assert len(marks(drawn.drawing, "circle", "point")) == 2
    assert drawn.rows == (("0", "0.1"), ("0.5", "0.5"))


def test_the_dot_of_an_unbounded_loss_stands_at_the_end() -> None:
    kind = {"kind": "loss", "worst": "inf", "limit": 2.0, "baseline": None}
    drawing = charts.dumbbell(kind, None, name="average loss", over=operator.gt)
    assert [float(dot.get("cx") or 0) for dot in marks(drawing, "circle", "over")] == [242.0]
