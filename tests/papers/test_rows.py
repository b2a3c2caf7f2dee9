"""Every paper, item by item: the pages keep one form, and the index counts them."""

import re
import shlex
from pathlib import Path

import pytest
from tests.docs.pages import ROOT, name_of
from tests.docs.papers import (
    FORMS,
    INDEX,
    Row,
    State,
    code,
    commands,
    counts,
    files,
    lines,
    names_thing,
    papers,
    rows,
    summary,
    tables,
)
from typer.testing import CliRunner

from giveaway.cli.main import app
from giveaway.papers import running

PAGES = pytest.mark.parametrize("page", papers(), ids=name_of)
LIST = ROOT.parent / "shared" / "findings" / "papers-list.md"
"""What an independent reading of the papers lists: a section for each, a thing a line."""
COMMAND = re.compile(r"`giveaway reproduce (?P<paper>\d{3})(?: (?P<figure>\"[^\"]+\"|\w+))?[ `]")


@PAGES
def test_a_page_keeps_the_form_of_these_pages(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.splitlines()[0].endswith(", item by item")
    assert re.findall(r"\n\n(\|.*)\n(?!\|-)", text) == []  # rows outside a table
    assert {form for form, _ in tables(page)} <= set(FORMS)
    assert [row.cells for row in rows(page) if len(row.cells) != len(row.form) or not all(row.cells)] == []
    assert all(code(cell) for row in (*lines(page), *commands(page)) for cell in row.cells[2:])


@PAGES
def test_a_command_that_a_page_names_is_there(page: Path) -> None:
    for found in COMMAND.finditer(page.read_text(encoding="utf-8")):
        figure = found["figure"].strip('"') if found["figure"] else None
        assert running.studies_of(running.paper_of(found["paper"]), figure)


@PAGES
def test_what_is_left_to_data_needs_them(page: Path) -> None:
    # What can be run without data has a row that is run.
    for row in rows(page):
        named = list(COMMAND.finditer(row.cells[2])) if row.form[2] == "how" else []
        assert named or row.form[2] != "how", row.cells
        for found in named:
            studies = running.studies_of(running.paper_of(found["paper"]), found["figure"].strip('"'))
            assert all(study.data for study in studies), row.cells


@PAGES
def test_a_page_names_every_thing_of_its_paper(page: Path) -> None:
    if not LIST.is_file():
        pytest.skip(f"{LIST.name} is not at hand")
    (section,) = re.findall(
        rf"^## {page.stem[:3]} .*\n((?:\n|- .*\n)+)", f"{LIST.read_text()}\n", re.MULTILINE
    )
    things = re.findall(r"^- (.*)", section, re.MULTILINE)
    assert len(things) > 30
    for thing in things:
        if thing.endswith("**different**"):
            states: tuple[State, ...] = ("reason",)
        elif thing.endswith("**a statement**"):
            states = ("statement",)
        else:
            states = ("works", "reason") if thing.endswith("**missing**") else ("works",)
        assert names_thing(page, thing, *states), thing


@pytest.mark.parametrize(
    "row", [row for page in papers() for row in commands(page)], ids=lambda row: f"{row.page} {row.cells[1]}"
)
def test_a_command_gives_what_the_page_says(
    row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (page,) = [page for page in papers() if page.stem == row.page]
    for name, text in files(page).items():
        (tmp_path / name).write_text(text)
    words = shlex.split(code(row.cells[2]))
    assert words.pop(0) == "giveaway"
    shown = CliRunner().invoke(app, words).output
    assert "".join(code(row.cells[3]).split()) in "".join(shown.split()), shown


def test_the_index_counts_what_the_pages_have() -> None:
    # `python -m tests.docs.papers` prints the table as it must be.
    assert summary() in INDEX.read_text(encoding="utf-8")


def test_everything_that_can_be_run_is() -> None:
    every, works, reasons, statements = map(sum, zip(*map(counts, papers()), strict=True))
    assert every == works + reasons + statements
    assert (reasons <= 10, statements) == (True, 5)
