"""The papers run again: examples that need no data, and figures where the data are at hand."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.oracles.shared import SHARED

from giveaway import reproducing
from giveaway.model.answer.study import Compared, Line, Outcome, Picture, Ran, Study
from giveaway.report.html import studies as page_of
from giveaway.report.html.studies import drawing
from giveaway.report.terminal.studies import told

NOT_REPRODUCED = {
    "alpha_max of chess, a tenth tolerated",
    "alpha_max of mushroom, a tenth tolerated",
    "alpha_max of pumsb, a tenth tolerated",
}
"""What the notes of the attack say does not come out, with the evidence."""

QUICK = [("000", "10"), ("000", "13"), ("002", "1 left, products"), ("003", "Section VI"), ("004", "3f")]


def compared(runs: list[Ran]) -> list[Compared]:
    return [one for ran in runs if ran.outcome is not None for one in ran.outcome.compared]


@pytest.mark.parametrize("number", ["000", "001", "002", "003", "004"])
def test_what_a_paper_prints_with_its_data_comes_out(number: str) -> None:
    attack = reproducing.paper_of(number)
    runs = list(reproducing.run(attack.studies(), None))
    assert any(ran.outcome is not None for ran in runs)
    assert all(ran.missing for ran in runs if ran.outcome is None)
    assert {one.status for one in compared(runs)} <= {"equal", "erratum", "no number is printed"}
    # What a paper prints about its own data is never set next to what others give.
    others = [ran for ran in runs if ran.missing and ran.outcome is not None]
    assert all("made-up" in ran.about for ran in others)
    assert {one.status for one in compared(others)} <= {"no number is printed"}


@pytest.mark.parametrize(("number", "figure"), QUICK)
def test_figures_on_the_data_of_the_papers(number: str, figure: str) -> None:
    studies = reproducing.studies_of(reproducing.paper_of(number), figure)
    runs = list(reproducing.run(studies, SHARED))
    if any(ran.missing for ran in runs):
        pytest.skip("the data sets of the papers are not at hand")
    different = {one.what for one in compared(runs) if one.status == "does not reproduce"}
    assert different <= NOT_REPRODUCED


def test_the_command_lists_runs_and_draws(invoke: Any, tmp_path: Path) -> None:
    listing = invoke("reproduce")
    assert listing.exit_code == 0
    assert all(number in listing.stdout for number in ("000", "001", "002", "003", "004"))
    page = tmp_path / "page.html"
    done = invoke("reproduce", "003", "5a", "--html", str(page))
    assert done.exit_code == 0
    assert "on 300 made-up people, because adult/adult_train_complete.csv.gz is not there" in done.stdout
    assert "1 on other data than the paper's." in done.stdout
    bank = invoke("reproduce", "004", "section 6")
    assert "not run: it needs bank/bank-full.csv.gz" in bank.stdout
    text = page.read_text(encoding="utf-8")
    assert "Paper 003, run again" in text
    assert "On 300 made-up people" in text
    assert not re.search(r"https?://(?!www\.w3\.org)", text)
    one = invoke("reproduce", "items", "figure 2")
    assert "items deleted by score" in one.stdout
    assert "moles" not in one.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("reproduce", "005"), "There is no paper 005."),
        (("reproduce", "001", "figure 99"), "has no figure 99 that can be run again"),
        (("reproduce", "001", "--data", "nowhere"), "nowhere is not a folder"),
    ],
)
def test_what_there_is_not_is_one_clear_error(invoke: Any, words: tuple[str, ...], said: str) -> None:
    done = invoke(*words)
    assert done.exit_code == 2
    assert said in done.output


def test_a_study_says_how_numbers_compare_and_why_they_differ() -> None:
    study = Study(where="Figure 1", title="a line", run=lambda _: Outcome())
    rows = (
        Compared(what="one", printed=0.5, found=0.52, within=0.05),
        Compared(what="two", printed=2, found=3, note="a slip", erratum=True),
        Compared(what="three", printed="x", found="y", note="nobody knows"),
    )
    text = told(Ran(study=study, outcome=Outcome(compared=rows)))
    assert [one.status for one in rows] == ["equal", "erratum", "does not reproduce"]
    assert "a slip" in text
    assert "nobody knows" in text


def test_a_figure_has_a_line_for_each_series_and_open_circles_for_the_paper() -> None:
    picture = Picture(
        title="t",
        x_label="x",
        y_label="y",
        lines=(Line(name="ours", x=[0, 1], y=[0, 2]), Line(name="printed", x=[0, 1], y=[1, 2], printed=True)),
        limit=1.5,
    )
    svg = str(drawing(picture))
    assert svg.count("<polyline") == 1
    assert svg.count('class="point before"') == 3
    assert svg.count('class="point after"') == 2
    assert "ours: 0, 2; printed: 1, 2" in svg


def test_other_data_are_never_compared_with_what_the_paper_prints() -> None:
    whole = Outcome(
        compared=(Compared(what="one", printed=1, found=2, note="why"),),
        pictures=(
            Picture(
                title="t",
                x_label="x",
                y_label="y",
                lines=(Line(name="ours", x=[0], y=[0]), Line(name="printed", x=[0], y=[1], printed=True)),
                says="as printed",
            ),
        ),
    )
    other = whole.on_other_data()
    assert [(one.status, one.note) for one in other.compared] == [("no number is printed", "")]
    assert [line.name for line in other.pictures[0].lines] == ["ours"]
    assert other.pictures[0].says == ""


def test_every_line_of_a_figure_can_be_told_from_the_others() -> None:
    lines = [Line(name=str(place), x=[0, 1], y=[place, place]) for place in range(4)]
    svg = str(drawing(Picture(title="t", x_label="x", y_label="y", lines=lines)))
    style = (Path(page_of.__file__).parent / "templates" / "style.css.jinja").read_text(encoding="utf-8")
    drawn = set(re.findall(r'class="curve (\w+)"', svg))
    assert len(drawn) == 4
    assert all(f".curve.{name} {{ stroke:" in style for name in drawn)


def test_points_of_ours_have_no_line() -> None:
    cloud = Line(name="ours", x=[0, 1], y=[0, 2], points=True)
    svg = str(drawing(Picture(title="t", x_label="x", y_label="y", lines=(cloud,))))
    assert "<polyline" not in svg
    assert svg.count('class="point after"') == 3
