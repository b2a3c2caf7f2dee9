"""What a document consists of, whatever it is written as."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Mark = Literal["measured", "stated by the owner", "not assessed"]
"""The only three kinds of statement: each field carries one."""

MEASURED: Mark = "measured"
STATED: Mark = "stated by the owner"
OPEN: Mark = "not assessed"


@dataclass(frozen=True, kw_only=True)
class Field:
    """A named statement; one without text is a line to fill in."""

    name: str
    lines: tuple[str, ...]
    mark: Mark
    kind: Literal["field"] = "field"


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A table of statements of one kind; the columns in `right` hold numbers."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    mark: Mark
    right: frozenset[int] = frozenset()
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True, kw_only=True)
class Code:
    """A text that is kept letter by letter."""

    name: str
    text: str
    mark: Mark
    kind: Literal["code"] = "code"


Block = Field | Grid | Code


@dataclass(frozen=True, kw_only=True)
class Section:
    """A numbered part."""

    number: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, kw_only=True)
class Document:
    """The whole: its title, what stands under it, and its parts."""

    title: str
    verdict: str
    under: str
    sections: tuple[Section, ...]


def field(name: str, text: str | Sequence[str] | None, mark: Mark) -> Field:
    """Make a field of one text or several lines; empty ones are left out."""
    lines = [text] if isinstance(text, str) else text or []
    return Field(name=name, lines=tuple(line for line in lines if line), mark=mark)


def grid(
    name: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    mark: Mark,
    *,
    right: Sequence[int] = (),
) -> Grid:
    """Make a table."""
    return Grid(name=name, head=tuple(head), rows=tuple(map(tuple, rows)), mark=mark, right=frozenset(right))
