"""The page of the paper: every line of its tables runs, and gives what stands next to it."""

import re
from functools import cache
from typing import Any

import pytest
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "reference" / "papers" / "002-directory.md"
_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| `([^`]+)` \| `([^`]+)` \|$", re.MULTILINE)
ROWS = _ROW.findall(PAGE.read_text(encoding="utf-8"))


@cache
def names() -> dict[str, Any]:
    made: dict[str, Any] = {}
    for block in blocks(PAGE):
        if block.language == "python":
            exec(block.text, made)  # noqa: S102 # the page is ours, and this is its test
    return made


def test_the_page_has_its_tables() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert len(ROWS) == sum(line.count("` | `") == 1 for line in lines)
    assert len(ROWS) > 40


@pytest.mark.parametrize(("where", "what", "line", "gives"), ROWS, ids=[f"{row[0]} {row[1]}" for row in ROWS])
def test_a_line_gives_what_the_page_says(where: str, what: str, line: str, gives: str) -> None:
    assert eval(line, names()) == eval(gives), (where, what)  # noqa: S307 # as above
