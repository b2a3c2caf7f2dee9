"""How useful what is left is: the loss by column, and what to try when hardly anything is left."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from giveaway.report.wording.phrases import kept_noun, phrases
from giveaway.report.wording.tidy import Finding, Summary, label
from giveaway.report.wording.words import Number, count, joined, percent

LITTLE = Fraction(1, 4)
"""Below this part, hardly anything is left."""
_GONE = Fraction(9, 10)
"""From this part on, a column is as good as gone."""
_COSTS = "giveaway assess --suggest says what other limits would cost."

_SHOWN = 8


def kept_percent(kept: int, total: int) -> str:
    """Write which part of a whole is kept."""
    whole: Number = kept / total if total else 1
    return percent(1 if kept == total else whole)


@dataclass(frozen=True, kw_only=True)
class PartKept:
    """How much of something is kept."""

    noun: str
    kept: int
    total: int

    @property
    def share(self) -> str:
        """The part that is kept."""
        return kept_percent(self.kept, self.total)

    @property
    def is_little(self) -> bool:
        """Whether hardly anything is left."""
        return self.total > 0 and self.kept < LITTLE * self.total


@dataclass(frozen=True, kw_only=True)
class ColumnKept:
    """What became of one column: how many of its entries are as they were, less exact, and hidden."""

    name: str
    rows: int
    hidden: int
    coarser: int

    @property
    def kept(self) -> int:
        """How many entries are as they were."""
        return max(self.rows - self.hidden - self.coarser, 0)

    @property
    def is_little(self) -> bool:
        """Whether it is as good as gone."""
        return self.hidden + self.coarser >= _GONE * self.rows > 0

    def width(self, part: int) -> float:
        """Return a part in percent of the rows."""
        return round(100 * part / self.rows, 1) if self.rows else 0.0

    @property
    def says(self) -> str:
        """The loss in words."""
        if self.hidden >= self.rows > 0:
            return "nothing is left"
        parts = {"hidden": self.hidden, "given less exactly": self.coarser}
        changes = [f"{count(size)} {how}" for how, size in parts.items() if size]
        return f"{joined(changes)} of {count(self.rows)}"


def kept(summary: Summary) -> list[PartKept]:
    """Return what is kept of each thing that is counted, what the reader needs first."""
    parts: dict[str, PartKept] = {}
    for finding in summary.get("findings") or []:
        counts = finding.get("kept") or {}
        for name, value in counts.items():
            total = counts.get(f"{name}_total")
            if value is not None and total is not None:
                parts.setdefault(name, PartKept(noun=kept_noun(name, finding), kept=value, total=total))
    return [parts[name] for name in sorted(parts, key=lambda name: name == "item_occurrences")]


def changed_columns(summary: Summary) -> dict[str, ColumnKept]:
    """Return what became of each column of which something is counted as hidden or less exact."""
    held, rows = summary.get("withheld") or {}, (summary.get("data") or {}).get("rows") or 0
    hidden: Mapping[str, int] = held.get("cells_by_column") or {}
    coarser: Mapping[str, int] = held.get("coarser_by_column") or {}
    return {
        name: ColumnKept(
            name=label(name), rows=rows, hidden=hidden.get(name) or 0, coarser=coarser.get(name) or 0
        )
        for name in dict.fromkeys([*hidden, *coarser])
    }


def columns(summary: Summary) -> list[ColumnKept]:
    """Return the columns that lose something, those that lose most first; secrets that are hidden in any case aside."""
    losing = [column for column in changed_columns(summary).values() if column.hidden or column.coarser]
    return sorted(losing, key=lambda column: (column.kept, -column.hidden))[:_SHOWN]


def advice(summary: Summary) -> list[str]:
    """Say that hardly anything is left, or that a column is gone, and what to try."""
    losing = columns(summary)
    lines = [f"{column.name} is gone." for column in losing if column.hidden >= column.rows > 0]
    nearly = [column.name for column in losing if column.rows > column.hidden and column.is_little]
    lines += [f"Hardly anything is left of {joined(nearly)}."] if nearly else []
    first = kept(summary)[:1]
    lines += [f"Hardly anything is left: {one.share} of {one.noun}." for one in first if one.is_little]
    if not lines:
        return []
    findings: list[Finding] = summary.get("findings") or []
    blamed = [finding for finding in findings if finding.get("ledger")] or findings
    tries = dict.fromkeys(words for finding in blamed if (words := phrases(finding).little_left))
    return [*lines, *tries, _COSTS]
