"""What `giveaway init` writes of an attack into a proposed scenario file."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Form = Literal["rows", "rules", "transactions", "supports"]
"""What may be published: the rows of a table, rules instead of them, transactions, or how often items occur."""


@dataclass(frozen=True, kw_only=True)
class DataFound:
    """What was found in the data, each text as a scenario file writes it."""

    rows: int
    data: str
    known: str = "[]"
    """The columns that somebody may know."""
    known_in_lines: str = "columns = []"
    """The same as a field, a line for each column with what it was taken for."""
    person: str | None = None
    """The column that numbers people who have several rows."""
    sensitive: int = 0
    """How many columns are taken for sensitive."""
    commonest: tuple[tuple[str, Fraction], ...] = ()
    """Those of them with few values, and the part of all that have the most common one."""
    many_values: tuple[str, ...] = ()
    """Those of them that are numbers with many values."""
    gaps: bool = False
    """Whether some known column has gaps."""


def nothing(_: DataFound) -> str:
    """Propose nothing."""
    return ""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """The lines of an attack in a proposed scenario file; where others come before it, they are commented out."""

    knows: Callable[[DataFound], str]
    """Its entries of [[knows]]; empty where the data are not such."""
    tolerates: str = ""
    """The section [tolerates], for the attack that stands first."""
    limits: Callable[[DataFound], str] = nothing
    """Further lines of it that depend on the data, commented out."""
    needs: Callable[[DataFound], str] = nothing
    """Its lines of the section [needs], commented out."""
