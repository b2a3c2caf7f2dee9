"""What differs between two releases, as one frozen answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from giveaway._version import __version__
from giveaway.model.answer.plain import plain
from giveaway.publish import EVERYBODYS, OWNERS, Outputs, Text, write_texts
from giveaway.releases.entries import Entry
from giveaway.releases.pairing import PairedBy

if TYPE_CHECKING:
    from giveaway.report.comparing import SideBySide

SCHEMA = 1
LISTED = 100
"""How many of a kind are listed one by one."""

_WITHHELD = ("again", "no_more", "now_too")
_SHOWN = 20
"""How many entries the page shows."""


@dataclass(frozen=True, kw_only=True)
class ThingsOfBoth:
    """Things of two releases: how many both have, and those of one alone; None where that is not known.

    >>> ThingsOfBoth.of(["age", "job"], ["age", "pay"])
    ThingsOfBoth(both=1, gone=1, new=1, gone_listed=('job',), new_listed=('pay',))
    """

    both: int | None = None
    gone: int | None = None
    new: int | None = None
    gone_listed: tuple[Any, ...] = ()
    """The first of those that only the old one has."""
    new_listed: tuple[Any, ...] = ()

    @classmethod
    def of(cls, old: Sequence[Any], new: Sequence[Any]) -> "ThingsOfBoth":
        """Compare things that can be hashed."""
        before, after = dict.fromkeys(old), dict.fromkeys(new)
        gone, more = [one for one in before if one not in after], [one for one in after if one not in before]
        return cls(
            both=len(before) - len(gone),
            gone=len(gone),
            new=len(more),
            gone_listed=tuple(gone[:LISTED]),
            new_listed=tuple(more[:LISTED]),
        )

    def to_dict(
        self, *, public: bool, words: tuple[str, str, str] = ("both", "gone", "new")
    ) -> dict[str, Any]:
        """Return it as plain values, under the words for these things; of a public answer the counts alone."""
        both, gone, new = words
        counts = {both: self.both, gone: self.gone, new: self.new}
        if public:
            return counts
        return counts | {f"{gone}_listed": plain(self.gone_listed), f"{new}_listed": plain(self.new_listed)}


@dataclass(frozen=True, kw_only=True)
class RowsOfBoth:
    """The rows of two releases."""

    old: int | None = None
    new: int | None = None
    both: int | None = None
    """People in both, where it is known whose rows they are; so are the next two."""
    joined: int | None = None
    left: int | None = None
    only_old: int | None = None
    """Rows of OLD beyond those of NEW, in the columns or items of both, whosever they are."""
    only_new: int | None = None
    paired_by: PairedBy | None = None


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number of one attacker that is another now."""

    attack: str
    knows: str
    figure: str
    old: Any
    new: Any


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """What cannot be told, why, and what would tell it."""

    what: tuple[str, ...]
    why: str
    hint: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Difference:
    """What differs between an old release and a new one; a number that is None is not known, and `unknown` says why.

    >>> import giveaway as ga
    >>> data = ga.Transactions.from_lists([["a", "b"], ["a"], ["a", "b"], ["b"]])
    >>> one = ga.assess(ga.Release(data), ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))
    >>> two = ga.assess(ga.Release(data), ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))
    >>> ga.diff(one, two)
    <Difference of two Summaries: 0 withheld no more, 0 newly exposed>
    """

    compares: Literal["releases", "summaries"]
    names: tuple[str, str]
    verdicts: tuple[str, str]
    attackers: ThingsOfBoth
    other_tolerance: tuple[Mapping[str, Any], ...] = ()
    """Attackers of both that are judged by other limits."""
    figures: tuple[Figure, ...] | None = None
    """The numbers of attackers of both that changed; of Summaries only."""
    withheld: Mapping[str, ThingsOfBoth] | None = None
    """What is withheld, by kind: again (both), no more (gone), now too (new); of Summaries only."""
    exposures: ThingsOfBoth | None = None
    """What is over a limit; of Summaries only."""
    rows: RowsOfBoth = RowsOfBoth()
    columns: ThingsOfBoth | None = None
    items: ThingsOfBoth | None = None
    lines: ThingsOfBoth | None = None
    """The lines of lists that are published instead of rows."""
    filled_in: int | None = None
    """Blanks of OLD that NEW shows."""
    hides_nothing: int | None = None
    """Blanks of NEW that OLD shows."""
    finer: int | None = None
    """Entries that OLD shows by a coarser label than NEW."""
    coarser: int | None = None
    changed: int | None = None
    """Entries that both show, with different values."""
    joinable_rows: int | None = None
    """Rows alike in what both show, and unique in both."""
    by_column: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    """The first of the entries that differ."""
    taken: tuple[str, ...] = ()
    """What is taken to be so without being known."""
    unknown: tuple[Unknown, ...] = ()
    sides: tuple[Mapping[str, Any], ...] = ()
    """What the two say of themselves, for the side-by-side table."""

    @property
    def shows_more(self) -> bool | None:
        """Whether anything that OLD hides is shown, or somebody is newly exposed; None where that cannot be told."""
        numbers = [self.filled_in, self.finer] if self.compares == "releases" else self._of_summaries()
        if any(numbers):
            return True
        return None if None in numbers else False

    def _of_summaries(self) -> list[int | None]:
        exposed = self.exposures or ThingsOfBoth()
        gone = [(of.gone, of.gone_listed) for of in (self.withheld or {}).values()]
        return [
            total if total is not None else len(listed) or None
            for total, listed in [(exposed.new, exposed.new_listed), *gone]
        ]

    def to_dict(self, *, public: bool = False) -> dict[str, Any]:
        """Return everything as plain values; with `public` counts only: no value, no name, no row number."""
        return {
            "schema": SCHEMA,
            "giveaway": __version__,
            "compares": self.compares,
            "old": None if public else self.names[0],
            "new": None if public else self.names[1],
            "verdicts": {"old": self.verdicts[0], "new": self.verdicts[1]},
            "shows_more": self.shows_more,
            "attackers": self.attackers.to_dict(public=public)
            | {"other_tolerance": _listed(self.other_tolerance, public=public)},
            "figures": None if self.figures is None else _listed(self.figures, public=public),
            "withheld": None
            if self.withheld is None
            else {kind: of.to_dict(public=public, words=_WITHHELD) for kind, of in self.withheld.items()},
            "exposures": self.exposures and self.exposures.to_dict(public=public),
            "rows": asdict(self.rows),
            "columns": self.columns and self.columns.to_dict(public=public),
            "items": self.items and self.items.to_dict(public=public),
            "lines": self.lines and self.lines.to_dict(public=public),
            "filled_in": self.filled_in,
            "hides_nothing": self.hides_nothing,
            "finer": self.finer,
            "coarser": self.coarser,
            "changed": self.changed,
            "joinable_rows": self.joinable_rows,
            "by_column": {} if public else plain(self.by_column),
            "entries": [] if public else [plain(entry) for entry in self.entries],
            "taken": list(self.taken),
            "unknown": [
                {"what": list(one.what)} | ({} if public else {"why": one.why, "hint": one.hint})
                for one in self.unknown
            ],
        }

    def to_json(self, path: str | Path | None = None, *, public: bool = False) -> str:
        """Return the same as JSON text, and write it when a path is given, for its owner alone unless it is public."""
        text = json.dumps(self.to_dict(public=public), indent=1, ensure_ascii=False, allow_nan=False)
        return self._written(path, text + "\n", public=public)

    def to_text(self, *, public: bool = False, values: bool = True, **screen: Any) -> str:
        """Return it as text, `width` characters wide; without `values` no label of the data is in it."""
        from giveaway.report.terminal import compare

        return compare.drawn(self._drawn(public=public, values=values), **screen)

    def to_html(self, path: str | Path | None = None, *, public: bool = False) -> str:
        """Return it as one HTML page, and write it when a path is given, for its owner alone unless it is public."""
        from giveaway.report.html import compare

        page = compare.drawn(self._drawn(public=public, listed=_SHOWN), public=public)
        return self._written(path, page, public=public)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.to_text())}</pre>"

    def _written(self, path: str | Path | None, text: str, *, public: bool) -> str:
        """Write a text when a path is given, never over what was compared, and return it."""
        if path is not None:
            inputs = [Path(name) for name in self.names if Path(name).exists()]
            Outputs(files={"the file": Path(path)}, force=True).check(inputs)
            write_texts([Text(path=Path(path), text=text, mode=EVERYBODYS if public else OWNERS)])
        return text

    def _drawn(self, *, public: bool, values: bool = True, listed: int = 0) -> "SideBySide":
        from giveaway.report.differing import drawn

        sides = () if public and self.compares == "summaries" else self.sides
        return drawn(self.to_dict(public=public), sides, public=public, values=values, listed=listed)

    def __repr__(self) -> str:
        if self.compares == "summaries":
            gone = [of.gone for of in (self.withheld or {}).values()]
            no_more = None if None in gone else sum(map(int, filter(None, gone)))
            new = None if self.exposures is None else self.exposures.new
            return f"<Difference of two Summaries: {_in_words(no_more)} withheld no more, {_in_words(new)} newly exposed>"
        return (
            f"<Difference of two releases: {_in_words(self.filled_in)} filled in, "
            f"{_in_words(self.hides_nothing)} hide nothing, {_in_words(self.joinable_rows)} joinable rows>"
        )


def _listed(things: Sequence[Any], *, public: bool) -> Any:
    return len(things) if public else [plain(one) for one in things]


def _in_words(number: int | None) -> str:
    return "an unknown number of" if number is None else f"{number:,}"
