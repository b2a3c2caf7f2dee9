"""The pages that go through a paper item by item: their common form, their rows, and what became of each."""

import re
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tests.docs.pages import ROOT, blocks

INDEX = ROOT / "docs" / "reference" / "papers.md"
FOLDER = ROOT / "docs" / "reference" / "papers"
FORMS = (
    ("where", "what", "command", "gives"),
    ("where", "what", "line", "gives"),
    ("where", "what", "how", "result"),
    ("where", "what", "why"),
)
"""The columns that a table of items has: shown by a command, by a line of Python, on data of the paper, or not shown."""

State = Literal["works", "reason", "statement"]
_HOLDS = re.compile(r"^`([^`]+)` holds\n\n```text\n(.*?)```$", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(
    r"((?:Fig|Ex|Def|Thm|Obs|Prop|Alg|Lemma|Problem|fn) ?\d[.\d]*[a-h]?(?: left| right)?"
    r"|L\d\.\d(?: \(\d\))?|\(\d\)|[IVX]+(?:\.[A-D])?|[1-9](?:\.\d)*(?!,\d))(?:[ ,]+|$)"
)
_BETWEEN = re.compile(r"(?<!\\) \| ")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One item of a paper."""

    page: str
    form: tuple[str, ...]
    cells: tuple[str, ...]

    @property
    def state(self) -> State:
        """What became of the item: only what can be run works."""
        if self.form[2] != "why":
            return "works"
        return "statement" if self.cells[2].casefold().startswith("a statement") else "reason"


def papers() -> list[Path]:
    """List the pages that there are."""
    return sorted(FOLDER.glob("*.md"))


@cache
def tables(page: Path) -> list[tuple[tuple[str, ...], list[Row]]]:
    """Return the tables of items of a page, their columns and their rows; other tables list numbers."""
    found: list[tuple[tuple[str, ...], list[Row]]] = []
    inside = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        cells = tuple(
            cell.strip() for cell in _BETWEEN.split(line.strip().removeprefix("|").removesuffix("|"))
        )
        if not inside:
            found.append((cells, []))
            inside = True
        elif not set(line) <= set("|-"):
            form, rows = found[-1]
            rows.append(Row(page=page.stem, form=form, cells=cells))
    return [(form, rows) for form, rows in found if form[:2] == FORMS[0][:2]]


def rows(page: Path) -> list[Row]:
    """Return the items of a page."""
    return [row for _, of in tables(page) for row in of]


def lines(page: Path) -> list[Row]:
    """Return the items that a line of Python shows."""
    return [row for row in rows(page) if row.form[2] == "line"]


def commands(page: Path) -> list[Row]:
    """Return the items that a command shows."""
    return [row for row in rows(page) if row.form[2] == "command"]


def places(thing: str) -> list[str]:
    """Return the places of a paper that a text begins with: two of "Fig 1, Ex 1 the data", none of "MinHide"."""
    found: list[str] = []
    while at := _PLACE.match(thing):
        found.append(at[1])
        thing = thing[at.end() :]
    return found


def names_thing(page: Path, thing: str, *states: State) -> bool:
    """Tell whether rows name a thing of the paper by its places, or, where it has none, by its first word."""
    every = [row for row in rows(page) if row.state in states]
    where = {place for row in every for place in _latin(row.cells[0]).split(", ")}
    told = _latin(" ".join(cell for row in every for cell in row.cells[:2])).casefold()
    word = re.findall(r"[\w-]+", thing.casefold())[0]
    return set(places(thing)) <= where if places(thing) else word in re.findall(r"[\w-]+", told)


def _latin(text: str) -> str:
    return text.replace("Δ", "Delta").replace("Φ", "Phi")


def files(page: Path) -> dict[str, str]:
    """Return the files that a page says its commands are run with."""
    return dict(_HOLDS.findall(page.read_text(encoding="utf-8")))


def counts(page: Path) -> tuple[int, int, int, int]:
    """Return the number of rows, of those that work, of those with a reason, and of statements."""
    states = Counter(row.state for row in rows(page))
    return sum(states.values()), states["works"], states["reason"], states["statement"]


def heading(page: Path) -> str:
    """Name a page by its paper and its attack."""
    number, attack = page.stem.split("-", 1)
    authors = page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").split(", item by item")[0]
    return f"[{number} {authors} ({attack})](papers/{page.name})"


def summary() -> str:
    """Write the table of the index: every page that there is, counted."""
    every = [(heading(page), counts(page)) for page in papers()]
    total = tuple(map(sum, zip(*(numbers for _, numbers in every), strict=True)))
    lines = [f"| {' | '.join([name, *map(str, numbers)])} |" for name, numbers in [*every, ("all", total)]]
    return "\n".join(
        ["| paper | rows | works | documented reason | statement only |", "|---|---|---|---|---|", *lines]
    )


@cache
def names(page: Path) -> dict[str, Any]:
    """Run the Python of a page, from which its lines go on."""
    made: dict[str, Any] = {}
    for block in blocks(page):
        if block.language == "python":
            exec(block.text, made)  # noqa: S102 # the pages are ours, and this is their test
    return made


def code(cell: str) -> str:
    """Return the code of a cell that is nothing but code."""
    assert re.fullmatch(r"`[^`]+`", cell), cell
    return cell[1:-1]


if __name__ == "__main__":
    sys.stdout.write(f"{summary()}\n")
