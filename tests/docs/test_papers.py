"""Every paper, item by item: the pages keep one form, and the index counts them."""

import re
from pathlib import Path

import pytest
from tests.docs.pages import name_of
from tests.docs.papers import FORMS, INDEX, code, counts, lines, papers, rows, summary, tables

from giveaway import reproducing

PAGES = pytest.mark.parametrize("page", papers(), ids=name_of)
COMMAND = re.compile(r"`giveaway reproduce (?P<paper>\d{3})(?: (?P<figure>\"[^\"]+\"|\w+))?[ `]")


@PAGES
def test_a_page_keeps_the_form_of_these_pages(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.splitlines()[0].endswith(", item by item")
    assert re.findall(r"\n\n(\|.*)\n(?!\|-)", text) == []  # rows outside a table
    assert {form for form, _ in tables(page)} <= set(FORMS)
    assert [row.cells for row in rows(page) if len(row.cells) != len(row.form) or not all(row.cells)] == []
    assert all(code(cell) for row in lines(page) for cell in row.cells[2:])


@PAGES
def test_a_command_that_a_page_names_is_there(page: Path) -> None:
    for found in COMMAND.finditer(page.read_text(encoding="utf-8")):
        figure = found["figure"].strip('"') if found["figure"] else None
        assert reproducing.studies_of(reproducing.paper_of(found["paper"]), figure)


def test_the_index_counts_what_the_pages_have() -> None:
    # `python -m tests.docs.papers` prints the table as it must be.
    assert summary() in INDEX.read_text(encoding="utf-8")


def test_nearly_everything_that_can_be_run_is() -> None:
    every, works, reasons, statements = map(sum, zip(*map(counts, papers()), strict=True))
    assert every == works + reasons + statements
    assert works >= 0.94 * (works + reasons)
