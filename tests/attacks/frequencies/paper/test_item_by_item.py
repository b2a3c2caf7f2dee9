"""The page that goes through the paper item by item: every line of its tables gives what it says."""

import ast
import re
from functools import cache
from typing import Any

import pytest
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "reference" / "papers" / "000-frequencies.md"
LINES = re.findall(
    r"^\| ([^|]+) \| ([^|]+) \| `([^`]+)` \| `([^`]+)` \|$", PAGE.read_text("utf-8"), re.MULTILINE
)


@cache
def names() -> dict[str, Any]:
    made: dict[str, Any] = {}
    for block in blocks(PAGE):
        exec(block.text, made)  # noqa: S102 # the page is ours, and this is its test
    return made


def test_the_page_has_the_lines_of_its_tables() -> None:
    assert len(LINES) == 62


@pytest.mark.parametrize(("where", "what", "line", "gives"), LINES)
def test_a_line_of_the_page_gives_what_it_says(where: str, what: str, line: str, gives: str) -> None:
    assert eval(line, names()) == ast.literal_eval(gives), f"{where}: {what}"  # noqa: S307 # as above
