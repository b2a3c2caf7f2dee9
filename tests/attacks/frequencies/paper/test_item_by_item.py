"""The page of the paper: every line of its tables runs, and gives what stands next to it."""

import ast

import pytest
from tests.docs.papers import FOLDER, Row, code, lines, names

pytestmark = pytest.mark.papers

PAGE = FOLDER / "000-frequencies.md"


def test_the_page_has_its_lines() -> None:
    assert len(lines(PAGE)) == 23


@pytest.mark.parametrize("row", lines(PAGE), ids=lambda row: " ".join(row.cells[:2]))
def test_a_line_gives_what_the_page_says(row: Row) -> None:
    assert eval(code(row.cells[2]), names(PAGE)) == ast.literal_eval(code(row.cells[3]))  # noqa: S307 # the page is ours
