"""Every sentence with a number in a public edition is true of the released files, for each kind of release."""

import csv
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.browser import scenes
from tests.report.reading import Page

from giveaway.report.html import document

Said = dict[str, str]

_NUMBER = re.compile(r"\d[\d,]*")


def _counts(text: str) -> list[int]:
    return [int(found.replace(",", "")) for found in _NUMBER.findall(text)]


def _rows(folder: Path, name: str = "release.csv") -> list[dict[str, str]]:
    with (folder / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _told(text: str, pattern: str) -> list[int]:
    """Return the numbers of the one sentence that fits."""
    found = re.findall(pattern, text)
    assert len(found) == 1, (pattern, found)
    return _counts(found[0])


def _by_column(text: str, pattern: str) -> dict[str, int]:
    (found,) = re.findall(pattern, text)
    return {column: int(size.replace(",", "")) for size, column in re.findall(r"([\d,]+) in (\w+)", found)}


def _original(name: str) -> list[dict[str, str]]:
    return _rows(scenes.folder() / name, f"{'teachers' if name == 'teachers' else 'patients'}.csv")


def _baskets(folder: Path, text: str) -> set[str]:
    lines = (folder / "release.dat").read_text(encoding="utf-8").splitlines()
    items = {item for line in lines for item in line.split()}
    assert _told(text, r"It holds [^.]*\.") == [len(lines), len(items)]
    assert _told(text, r"All [\d,]+ transactions are there") == [len(lines)]
    return items


def _named_baskets(folder: Path, text: str) -> None:
    items = _baskets(folder, text)
    assert _told(text, r"[\d,]+ items with their names") == [len(items)]
    original = (scenes.folder() / "pharmacy" / "baskets.dat").read_text(encoding="utf-8").splitlines()
    left = Counter(" ".join(sorted(item for item in line.split() if item in items)) for line in original)
    lines = (folder / "release.dat").read_text(encoding="utf-8").splitlines()
    assert Counter(" ".join(sorted(line.split())) for line in lines) == left, "nothing was altered or added"


def _coded_baskets(folder: Path, text: str) -> None:
    items = _baskets(folder, text)
    original = (scenes.folder() / "pharmacy" / "baskets.dat").read_text(encoding="utf-8").split()
    assert "Items carry random codes" in text
    assert "with their names" not in text
    assert not items & set(original)


def _table(folder: Path, text: str, name: str) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    rows, original = _rows(folder), _original(name)
    assert _told(text, r"It holds [^.]*\.") == [len(rows), len(rows[0])]
    assert _told(text, r"All [\d,]+ records are there") == [len(rows)]
    assert len(rows) == len(original)
    empty = Counter(column for row in rows for column, value in row.items() if value == "")
    if empty:
        assert _by_column(text, r"Empty [\d,]+ entries (.*?)\. An entry is empty") == dict(empty)
        assert _told(text, r"Empty [\d,]+ entries")[0] == sum(empty.values())
    else:
        assert "An entry is empty" not in text
    return rows, original


def _with_blanks(folder: Path, text: str, name: str) -> None:
    rows, original = _table(folder, text, name)
    for column in rows[0]:
        shown = Counter(row[column] for row in rows if row[column])
        assert not shown - Counter(row[column] for row in original), "nothing was altered or added"
    assert "nothing was altered or added" in text
    assert "coarser" not in text


def _with_coarser_labels(folder: Path, text: str) -> None:
    rows, original = _table(folder, text, "clinic")
    coarser = {
        column: sum(1 for row in rows if row[column] and row[column] not in {one[column] for one in original})
        for column in rows[0]
    }
    told = _by_column(text, r"Given less exactly [\d,]+ entries (.*?)\. They are given by a coarser label")
    assert told == {column: size for column, size in coarser.items() if size}
    assert "nothing was altered" not in text


def _with_levels(folder: Path, text: str) -> None:
    rows, _ = _table(folder, text, "patients")
    assert "Published in classes: age" in text
    assert all("-" in row["age"] or not row["age"] or row["age"][-1] == "+" for row in rows)


def _rules(folder: Path, text: str) -> None:
    rules = _rows(folder, "rules.csv")
    assert _told(text, r"It holds [^.;]*;")[0] == len(rules)
    assert "no record is published" in text
    assert _told(text, r"What is published [\d,]+ rules") == [len(rules)]
    assert not (folder / "release.csv").exists()


def _statements(folder: Path, text: str) -> None:
    (file,) = [path for path in folder.iterdir() if path.suffix == ".csv" and path.name != "rules.csv"] or [
        folder / "rules.csv"
    ]
    with file.open(newline="", encoding="utf-8") as opened:
        said = len(list(csv.DictReader(opened)))
    assert _told(text, r"It holds [^.;]*;")[0] == said
    assert (
        "rules"
        not in text.split("What was not tested", maxsplit=1)[0].split("It holds")[1].split(";", maxsplit=1)[0]
    )
    assert "no record is published" in text


KINDS: dict[str, Callable[[Path, str], None]] = {
    "items, protected": _named_baskets,
    "frequencies, protected": _coded_baskets,
    "directory, protected": lambda folder, text: _with_blanks(folder, text, "clinic"),
    "attributes, protected": lambda folder, text: _with_blanks(folder, text, "teachers"),
    "coarser labels, protected": _with_coarser_labels,
    "levels, protected": _with_levels,
    "profiles, protected": _rules,
    "statements, protected": _statements,
}


@pytest.mark.parametrize("name", KINDS)
def test_what_is_counted_in_public_can_be_counted_in_the_files(name: str) -> None:
    answered = scenes.answered(name)
    page = Page(document.render(answered.summary, edition="public"))
    assert answered.released is not None
    KINDS[name](answered.released, page.text)
    for file in answered.summary["written"]:
        assert file["sha256"] in page.text
