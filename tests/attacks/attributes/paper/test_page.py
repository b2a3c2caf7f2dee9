"""Every line of the page about the paper shows what the page says."""

import re
from typing import Any

import pytest
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "reference" / "papers" / "004-attributes.md"
CELL = re.compile(r"`(.*)`")


def lines() -> list[tuple[str, str, str]]:
    """Return where, the line, and what it shows, of the rows of the table that have a line."""
    rows = [row.split(" | ") for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| ")]
    found = []
    for row in rows[1:]:
        line, shows = CELL.fullmatch(row[2].strip()), CELL.fullmatch(row[3].strip())
        if line and shows:
            found.append((f"{row[0].strip('| ')} {row[1]}", line[1], shows[1]))
    return found


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    made: dict[str, Any] = {}
    for block in blocks(PAGE):
        if block.language == "python":
            exec(block.text, made)  # noqa: S102 # the examples of the page
    return made


def test_most_rows_have_a_line() -> None:
    assert len(lines()) > 25


@pytest.mark.parametrize(("line", "shows"), [row[1:] for row in lines()], ids=[row[0] for row in lines()])
def test_a_line_shows_what_the_page_says(line: str, shows: str, names: dict[str, Any]) -> None:
    assert repr(eval(line, names)) == shows  # noqa: S307 # the examples of the page
