"""The papers run again: examples that need no data, and figures where the data are at hand."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.oracles.shared import SHARED
from tests.sizes import long

import giveaway as ga
from giveaway.papers import running
from giveaway.papers.reporting.lines import told
from giveaway.papers.reporting.page import drawing
from giveaway.papers.study import Compared, FigureLine, Outcome, Picture, Ran, Study
from giveaway.report.html import document

NOT_REPRODUCED = {
    "alpha_max of chess, a tenth tolerated",
    "alpha_max of mushroom, a tenth tolerated",
    "alpha_max of pumsb, a tenth tolerated",
}
"""What the notes of the attack say does not come out, with the evidence."""

QUICK = [
    ("000", "10"),
    ("000", "13"),
    ("000", "20"),
    ("002", "1 left, products"),
    ("003", "Section VI"),
    ("004", "3f"),
]


def compared(runs: list[Ran]) -> list[Compared]:
    return [one for ran in runs if ran.outcome is not None for one in ran.outcome.compared]


@long
@pytest.mark.parametrize("number", ["000", "001", "002", "003", "004"])
def test_what_a_paper_prints_with_its_data_comes_out(number: str) -> None:
    paper = running.paper_of(number)
    runs = list(running.run(paper.studies(), None))
    assert any(ran.outcome is not None for ran in runs)
    assert all(ran.missing for ran in runs if ran.outcome is None)
    assert {one.status for one in compared(runs)} <= {"equal", "erratum", "no number is printed"}
    # What a paper prints about its own data is never set next to what others give.
    others = [ran for ran in runs if ran.missing and ran.outcome is not None]
    assert all("made-up" in ran.about for ran in others)
    assert {one.status for one in compared(others)} <= {"no number is printed"}


@long
@pytest.mark.parametrize(("number", "figure"), QUICK)
def test_figures_on_the_data_of_the_papers(number: str, figure: str) -> None:
    studies = running.studies_of(running.paper_of(number), figure)
    runs = list(running.run(studies, SHARED))
    if any(ran.missing for ran in runs):
        pytest.skip("the data sets of the papers are not at hand")
    different = {one.what for one in compared(runs) if one.status == "does not reproduce"}
    assert different <= NOT_REPRODUCED
    # Where the paper may have had another file, it is not in error.
    assert {one.status for one in compared(runs) if "retail" in one.what} <= {
        "equal",
        "about",
        "not stated in the paper",
    }


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
        Compared(what="one", printed=0.5, ours=0.52, within=0.05),
        Compared(what="two", printed=2, ours=3, note="a slip", erratum=True),
        Compared(what="three", printed="x", ours="y", note="nobody knows"),
    )
    text = told(Ran(study=study, outcome=Outcome(compared=rows)))
    assert [one.status for one in rows] == ["equal", "erratum", "does not reproduce"]
    assert "a slip" in text
    assert "nobody knows" in text
    # What rests on a choice says so also where it comes out.
    chosen = Compared(what="four", printed=4, ours=4, choice=True, note="if it is meant so")
    assert "if it is meant so" in told(Ran(study=study, outcome=Outcome(compared=[chosen])))


def test_a_figure_has_a_line_for_each_series_and_open_circles_for_the_paper() -> None:
    picture = Picture(
        title="t",
        x_label="x",
        y_label="y",
        lines=(
            FigureLine(name="ours", x=[0, 1], y=[0, 2]),
            FigureLine(name="printed", x=[0, 1], y=[1, 2], printed=True),
        ),
        limit=1.5,
    )
    svg = str(drawing(picture))
    assert svg.count("<polyline") == 1
    assert svg.count('class="point before"') == 3
    assert svg.count('class="point after"') == 2
    assert "ours: 0, 2; printed: 1, 2" in svg


def test_other_data_are_never_compared_with_what_the_paper_prints() -> None:
    whole = Outcome(
        compared=(Compared(what="one", printed=1, ours=2, note="why"),),
        pictures=(
            Picture(
                title="t",
                x_label="x",
                y_label="y",
                lines=(
                    FigureLine(name="ours", x=[0], y=[0]),
                    FigureLine(name="printed", x=[0], y=[1], printed=True),
                ),
                says="as printed",
            ),
        ),
    )
    other = whole.on_other_data()
    assert [(one.status, one.note) for one in other.compared] == [("no number is printed", "")]
    assert [line.name for line in other.pictures[0].lines] == ["ours"]
    assert other.pictures[0].says == ""


def test_every_line_of_a_figure_can_be_told_from_the_others() -> None:
    lines = [FigureLine(name=str(place), x=[0, 1], y=[place, place]) for place in range(4)]
    svg = str(drawing(Picture(title="t", x_label="x", y_label="y", lines=lines)))
    style = (Path(document.__file__).parent / "templates" / "style.css.jinja").read_text("utf-8")
    drawn = set(re.findall(r'class="curve (\w+)"', svg))
    assert len(drawn) == 4
    assert all(f".curve.{name} {{ stroke:" in style for name in drawn)


def test_points_of_ours_have_no_line() -> None:
    cloud = FigureLine(name="ours", x=[0, 1], y=[0, 2], points=True)
    svg = str(drawing(Picture(title="t", x_label="x", y_label="y", lines=(cloud,))))
    assert "<polyline" not in svg
    assert svg.count('class="point after"') == 3


@pytest.mark.parametrize(
    ("paper", "figure", "chosen"),
    [
        ("000", "figure 3", ["Figure 3"]),
        ("000", "Fig. 6", ["Figure 6"]),
        ("000", "lemma 3.5", ["Lemma 3.5"]),
        ("000", "3.5", ["Lemma 3.5"]),
        ("000", "section 7", ["Section 7.1"]),
        ("000", "8", ["Figure 8"]),
        ("000", "1", []),
        ("000", "figure 7", []),
        ("000", "section 4", ["Section 4.3"]),
        ("001", "figure 3", ["Figure 3"]),
        ("001", "example 2", ["Example 2"]),
        ("002", "1", ["Figure 1 left", "Figure 1 right", "Figure 1 left, products", "Figure 1 right, products",
                      "Figure 1 left, cars", "Figure 1 right, cars"]),
        ("003", "5", ["Figure 5a", "Figure 5b", "Figure 5c"]),
        ("003", "section vi", ["Section VI"]),
        ("003", "section v", ["Section V.A"]),
        ("003", "section i", []),
        ("004", "section 6", ["Section 6"]),
        ("004", "3a", ["Figure 3a"]),
    ],
)  # fmt: skip
def test_the_words_of_a_figure_are_matched_whole(paper: str, figure: str, chosen: list[str]) -> None:
    of = running.paper_of(paper)
    if not chosen:
        with pytest.raises(ga.ScenarioError, match="that can be run again"):
            running.studies_of(of, figure)
    else:
        assert [one.where for one in running.studies_of(of, figure)] == chosen


@pytest.mark.parametrize(
    ("row", "status"),
    [
        (Compared(what="x", printed=0.45, ours=0.4532), "equal"),  # to the digits that are printed
        (Compared(what="x", printed=0.006, ours=0.0148, within=0.02), "about"),
        (Compared(what="x", printed=0.1, ours=0.063, within=0.06, roughly=True), "about"),
        (Compared(what="x", printed=0.1, ours=0.101, within=0.06, roughly=True), "about"),
        (Compared(what="x", printed=7, ours=8, choice=True), "not stated in the paper"),
        (Compared(what="x", printed=7, ours=8, choice=True, erratum=True), "erratum"),
        (Compared(what="x", printed=None, ours=8, choice=True), "no number is printed"),
        (Compared(what="x", printed="yes", ours="no"), "does not reproduce"),
        (Compared(what="x", printed="yes", ours="yes", roughly=True), "about"),
        (Compared(what="x", printed="0.850", ours="0.848", erratum=True), "erratum"),
    ],
)
def test_equal_means_the_digits_that_are_printed(row: Compared, status: str) -> None:
    assert row.status == status


def test_what_the_papers_do_not_print_does_not_stand_in_their_column(invoke: Any) -> None:
    for words, what in (
        (("001", "figure 2"), "items deleted by score"),
        (("000", "figure 2"), "expected cracks of f, every frequency"),
        (("000", "figure 2"), "O-estimate of h, ranges"),
    ):
        line = next(one for one in invoke("reproduce", *words).stdout.splitlines() if what in one)
        assert re.search(rf"{re.escape(what)} +-  ", line)


def test_steps_of_a_recipe_have_lines_of_their_own(invoke: Any) -> None:
    lines = invoke("reproduce", "000", "figure 8").stdout.splitlines()
    assert max(map(len, lines)) <= 100
    assert any(line.startswith("      comfortable up to 50") for line in lines)


def test_all_papers_run_at_once_and_the_last_line_counts_the_words(invoke: Any) -> None:
    done = invoke("reproduce", "all", "figure 2")
    assert done.exit_code == 2
    assert "Not run: A figure, and a page with --html, are of one paper." in done.output
    one = invoke("reproduce", "001", "example 2").stdout.splitlines()[-1]
    assert one == "1 equal, 0 about, 1 erratum, 0 do not reproduce, 0 not stated in the paper."
