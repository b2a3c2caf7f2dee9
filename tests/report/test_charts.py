import operator
from functools import partial
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report import samples
from tests.sizes import sized

from giveaway.report.charts import charts, lines, svg
from giveaway.report.charts.curves import DrawnCurve, curves, limit_label
from giveaway.report.wording.phrases import is_over

SVG = {"w": svg.WIDTH, "h": svg.HEIGHT}


def curve(**changes: object) -> DrawnCurve:
    raw = samples.chances_curve(samples.PLANNED_BINS, "They are many.") | changes
    return curves({"curves": [raw]})[str(raw["name"])]


def marks(drawing: str, tag: str, class_: str) -> list[ET.Element]:
    root = ET.fromstring(drawing)  # noqa: S314 - drawn by us
    return [one for one in root.iter(tag) if class_ in (one.get("class") or "").split()]


def test_bars_beyond_the_limit_are_marked_and_those_up_to_it_are_not() -> None:
    drawing = charts.histogram("Chances", curve(), None).drawing

    over = marks(drawing, "rect", "over")
    assert len(over) == sum(1 for value in samples.PLANNED_BINS[4:] if value)
    assert len(marks(drawing, "rect", "bar")) == sum(1 for value in samples.PLANNED_BINS if value)


def test_a_limit_inside_a_bar_is_not_counted_as_if_it_were_an_edge() -> None:
    drawing = str(charts.histogram("Chances", curve(limit=1 / 3), None).drawing)

    assert "over</text>" not in drawing


def test_the_count_over_the_limit_is_the_sum_of_the_bars() -> None:
    assert "4,542 over" in charts.histogram("Chances", curve(), None).drawing


def test_before_and_after_differ_in_form() -> None:
    drawing = charts.histogram("Chances", curve(y=samples.AFTER_BINS), curve()).drawing
    wide = {float(bar.get("width") or 0) for bar in marks(drawing, "rect", "before")}
    narrow = {float(bar.get("width") or 0) for bar in marks(drawing, "rect", "after")}

    assert min(wide) > max(narrow)


def test_a_limit_on_the_average_tints_nothing() -> None:
    drawing = charts.histogram("Chances", curve(), None, average=True).drawing

    assert marks(drawing, "rect", "wash") == []
    assert marks(drawing, "rect", "over") == []
    assert "limit on the average" in drawing


def test_the_stated_strength_is_an_inverted_label_and_the_breaking_point_a_line() -> None:
    found = samples.finding_after()
    drawn = lines.strength("Stronger", curves(found)["strength"], None, found, 2)

    assert [one.text for one in marks(drawn.drawing, "text", "stated-text")] == ["2"]
    assert [one.text for one in marks(drawn.drawing, "text", "after-text")] == ["holds up to 2"]


def test_the_path_of_the_cost_runs_from_hollow_to_filled() -> None:
    drawing = lines.cost("Cost", curve(**samples.KEPT_CURVE)).drawing
    hollow, filled = marks(drawing, "circle", "hollow"), marks(drawing, "circle", "filled")

    assert float(hollow[0].get("cx") or 0) > float(filled[0].get("cx") or 0)
    assert float(hollow[0].get("cy") or 0) < float(filled[0].get("cy") or 0)


def test_a_label_on_an_axis_stands_at_its_value() -> None:
    xs = tuple(float(value) for value in range(1, 12))
    long = curve(**(samples.strength_curve([0.0], "") | {"x": xs, "y": [value / 11 for value in xs]}))
    drawing = lines.strength("Stronger", long, None, {}, None).drawing
    labels = {
        one.text: float(one.get("x") or 0)
        for one in marks(drawing, "text", "tick")
        if one.get("text-anchor") == "middle"
    }

    assert set(labels) <= {str(value) for value in range(1, 12)}
    for text, place in labels.items():
        assert place == pytest.approx(svg.LEFT + (int(text or 0) - 1) / 10 * (svg.RIGHT - svg.LEFT), abs=0.1)


def test_a_path_of_many_steps_is_thinned_and_says_so() -> None:
    steps = 15_000
    long = curve(
        **(
            samples.KEPT_CURVE
            | {"x": [1 - i / 20_000 for i in range(steps)], "y": [1 - i / steps for i in range(steps)]}
        )
    )
    made = lines.cost("Cost", long)

    assert made.head[0] == "needed combinations kept (240 of 15,000 steps)"
    assert len(made.rows) == 240
    assert made.rows[0][0].startswith("100")
    assert made.rows[-1][0].startswith("25")


@pytest.mark.parametrize("points", [([1.0], [1.0]), ([1.0, 1.0], [0.0, 0.0]), ([500.0, 400.0], [30.0, 0.0])])
def test_short_and_flat_curves_are_drawn(points: tuple[list[float], list[float]]) -> None:
    x, y = points
    small = curve(**(samples.KEPT_CURVE | {"x": x, "y": y}))

    for made in (lines.cost("Cost", small), lines.strength("Stronger", small, small, samples.finding(), 1.0)):
        assert "nan" not in made.drawing
        ET.fromstring(made.drawing)  # noqa: S314 - drawn by us


def test_a_dumbbell_colours_each_end_by_its_side_of_the_limit() -> None:
    over, within = (
        samples.level("identity", "1/2", "1/5", "1/9"),
        samples.level("identity", "1/5", "1/5", "1/9"),
    )
    drawing = charts.dumbbell(within, over, name="singled out", over=operator.gt)

    assert [one.get("class") for one in marks(drawing, "circle", "hollow")] == ["hollow over"]
    assert [one.get("class") for one in marks(drawing, "circle", "filled")] == ["filled"]


def test_worked_bars_shrink_with_the_crowd() -> None:
    widths = charts.bar_lengths([9835, 246, 2, 2])

    assert widths[0] == 100
    assert widths == sorted(widths, reverse=True)
    assert charts.bar_lengths([0, 0]) == [1, 1]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.floats(0, 1e7), st.floats(1e-4, 1e7))
def test_ticks_are_few_round_and_cover_the_range(low: float, span: float) -> None:
    found = svg.ticks(low, low + span)

    assert 2 <= len(found) <= 8
    assert found[0] <= low + span * 1e-3
    assert found[-1] >= (low + span) * (1 - 1e-6)


@sized(80)
@given(
    st.lists(st.integers(0, 10**6), min_size=20, max_size=20),
    st.lists(st.floats(0, 1), min_size=4, max_size=4),
    st.floats(0.001, 1),
)
def test_any_numbers_give_a_drawing_inside_its_frame(
    bins: list[int], shares: list[float], limit: float
) -> None:
    found = samples.finding(curves=[samples.chances_curve(bins, ""), samples.strength_curve(shares, "")])
    drawn = curves(found)
    chances = curve(y=bins, limit=limit)
    for made in (
        charts.histogram("Chances", chances, drawn["chances"]),
        lines.strength("Stronger", drawn["strength"], drawn["strength"], found, 2),
        lines.cost(
            "Cost",
            curve(**(samples.KEPT_CURVE | {"x": sorted(shares, reverse=True), "y": shares, "limit": limit})),
        ),
    ):
        for one in ET.fromstring(made.drawing).iter("rect"):  # noqa: S314 - drawn by us
            x, width = float(one.get("x") or 0), float(one.get("width") or 0)
            y, height = float(one.get("y") or 0), float(one.get("height") or 0)
            assert 0 <= x <= x + width <= SVG["w"] + 1
            assert 0 <= y <= y + height <= SVG["h"]


@pytest.mark.parametrize(
    ("limit", "written"), [(0.2, "1 in 5"), (1 / 3, "1 in 3"), (0.6, "60 %"), (2 / 3, "2/3")]
)
def test_a_limit_on_a_chart_is_written_as_the_fraction_it_is(limit: float, written: str) -> None:
    assert limit_label(limit).replace("\u00a0", " ") == written


def test_a_chance_at_the_limit_is_over_it_where_the_attack_says_so() -> None:
    at = {"kind": "identity", "worst_exact": "1/2", "limit_exact": "1/2"}
    strict, usual = ({"breach_at_limit": kinds} for kinds in (["identity"], []))

    assert "over" in charts.dumbbell(at, None, name="recognised", over=partial(is_over, strict, "identity"))
    assert "over" not in charts.dumbbell(
        at, None, name="singled out", over=partial(is_over, usual, "identity")
    )


def test_a_bar_at_a_limit_near_the_end_can_be_seen_beyond_it() -> None:
    ends = (*samples.EDGES[:-1], 0.999, 1.0)
    near = curve(x=ends, y=(*samples.PLANNED_BINS[:-1], 100, 17), limit=0.999)
    drawing = charts.histogram("Chances", near, None).drawing
    (over,), (limit,) = marks(drawing, "rect", "over"), marks(drawing, "line", "limit")

    assert float(over.get("x") or 0) > float(limit.get("x1") or 0)
    assert float(over.get("width") or 0) > 2
    assert "limit 99.9\u00a0%, 17 over</text>" in drawing


def test_numbers_stay_with_their_unit_in_the_sentence_of_a_chart() -> None:
    says = "3 of 9 are over the limit of 20 %, or 1 in 5."

    assert curve(says=says).says == "3 of 9 are over the limit of 20\u00a0%, or 1\u00a0in\u00a05."


def test_a_band_too_thin_to_be_seen_is_neither_drawn_nor_spoken_of() -> None:
    def drawn(thick: float) -> charts.Chart:
        shares = [0.1, 0.2, 0.5, 0.6]
        raw = samples.strength_curve(shares, "It grows. The band counts more of them. It breaks.")
        band = [shares, [share + thick for share in shares]]
        return lines.strength("Stronger", curve(**(raw | {"band": band})), None, samples.finding(), 2)

    thin, broad = drawn(0.001), drawn(0.2)
    assert (thin.says, marks(thin.drawing, "polygon", "band")) == ("It grows. It breaks.", [])
    assert "The band" in broad.says
    assert len(marks(broad.drawing, "polygon", "before")) == 1


@pytest.mark.parametrize(
    ("limit", "written", "anchor"), [("1/6001", "1 in 6,001", "start"), ("999/1000", "99.9 %", "end")]
)
def test_the_limit_of_a_slider_stays_inside_of_it(limit: str, written: str, anchor: str) -> None:
    drawing = charts.dumbbell(
        samples.level("identity", "1/2", limit, "1/9"), None, name="singled out", over=operator.gt
    )
    (label,) = marks(drawing, "text", "strong")

    assert (label.text or "").replace("\u00a0", " ") == written
    assert label.get("text-anchor") == anchor


def test_the_margin_of_an_estimate_is_drawn_from_its_value() -> None:
    level = samples.level("average", "199/1000", "1/5", "1/169")
    across, _ = marks(
        charts.dumbbell(level, None, name="average", over=operator.gt, margin=0.1), "line", "margin"
    )

    assert float(across.get("x2") or 0) - float(across.get("x1") or 0) == pytest.approx(23.4, abs=0.2)
    assert not marks(charts.dumbbell(level, None, name="average", over=operator.gt), "line", "margin")
