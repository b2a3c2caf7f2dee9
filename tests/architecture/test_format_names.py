"""The row of a format carries what others ask: outside its folder, nothing knows a format by its name or ending."""

import ast
from pathlib import Path

import giveaway
from giveaway.sources.formats import FORMATS

SOURCE = Path(giveaway.__file__).parent

HOMES = ("sources/formats/", "papers/", "engines/")
"""Where formats are known by name; engines keep the rows that they fetch as Parquet."""
EXCEPTED = {
    "checker/files/reading.py": "the checker's own table of readers",
    "publish/folder.py": "what a spreadsheet opens",
    "page/session.py": "the ending of a table of a database, which has none",
    "scenario/proposal/propose.py": "the side files that it proposes",
    "sources/frames/access.py": "frames are written by their own libraries",
}
NAMES = {name for row in FORMATS.values() for name in (row.name, *row.endings, *row.also)} - {".txt"}


def test_no_format_is_known_by_its_name() -> None:
    known = [
        f"{name}:{node.lineno}: {node.value}"
        for path in sorted(SOURCE.rglob("*.py"))
        if not (name := path.relative_to(SOURCE).as_posix()).startswith(HOMES) and name not in EXCEPTED
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in NAMES
    ]

    assert known == []
