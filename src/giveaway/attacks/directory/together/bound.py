"""Rows that somebody can join while the owner does not know any more whose earlier row is whose.

Everybody's own earlier row is one of those that agree with what the owner knows of them. With the worst of these a
crowd is at most as large as it is, so that a release that is safe with them is safe.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.question import ask
from giveaway.attacks.directory.together import rows as joined_rows
from giveaway.attacks.directory.together.knowing import compared
from giveaway.attacks.together import View
from giveaway.errors import NothingToJudge
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import join_rows, table_of_rows
from giveaway.model.release.release import Release

Flags = NDArray[np.bool_]

_MOST_PATTERNS = 256
_OTHER = -2
"""The code of a value that nobody has now."""
_LEDGER = "say whose row is whose, with a ledger, an id or rows."


def bound_view(
    release: Release, attacker: KnowsDirectory, tolerance: Tolerance, earlier: Sequence[Earlier]
) -> View:
    """Return the view in which each person has the earlier rows that leave them in the smallest crowd."""
    _check(release, attacker, tolerance, earlier)
    known = [(one, rows) for one in earlier if (rows := one.row_now(release)[0]) is not None]
    unknown = [one for one in earlier if one.row_now(release)[0] is None]
    if len(earlier) > 1:
        parts = [*known, *(_with_all(release, attacker, one) for one in unknown)]
    else:
        parts = [_with_worst(release, attacker, tolerance, unknown[0])]
    view = joined_rows.joined_view(join_rows(release, parts), attacker, tolerance)
    return replace(view, before=None, bound=True, rest=None, figures={})


def _check(
    release: Release, attacker: KnowsDirectory, tolerance: Tolerance, earlier: Sequence[Earlier]
) -> None:
    name = next(one.name for one in earlier if one.row_now(release)[0] is None)
    if attacker.knows_method:
        raise NothingToJudge(
            f"Nobody knows whose row of {name} is whose, and somebody who knows the method may.",
            hint=f"{_LEDGER[:-1]}; or set knows_method = false.",
        )
    if tolerance.attribute is not None:
        raise NothingToJudge(
            f"Nobody knows whose row of {name} is whose, and so not what joined rows tell of sensitive values.",
            hint=_LEDGER,
        )
    for one in earlier:
        same = one.shown is not None and len(one.shown) == len(release.original)
        if not same or one.population.joined or one.population.left:
            raise NothingToJudge(
                f"Nobody knows whose row of {one.name} is whose, and not everybody is in both releases.",
                hint=_LEDGER,
            )


def _with_worst(
    release: Release, attacker: KnowsDirectory, tolerance: Tolerance, one: Earlier
) -> tuple[Earlier, Ints]:
    """Return rows of an earlier release as they would be if everybody had the worst that fits them."""
    truth = _Truth(release, attacker, one)
    fewest = np.full(len(release.original), np.iinfo(np.int64).max)
    worst = np.zeros((len(fewest), len(truth.names)), np.bool_)
    for columns, fits in truth.patterns():
        part = truth.showing(np.outer(fits, columns))
        seen = joined_rows.JoinedView(joined=join_rows(release, [part]), asked=attacker, tolerance=tolerance)
        question = ask(seen.joined.release, seen.attacker)
        crowds = question.crowds.min(axis=1)[question.groups.group_of]
        fewer = fits & (crowds < fewest)
        fewest[fewer], worst[fewer] = crowds[fewer], columns
    return truth.showing(worst)


def _with_all(release: Release, attacker: KnowsDirectory, one: Earlier) -> tuple[Earlier, Ints]:
    """Return rows that show all that any earlier row shows which fits a person: no crowd is smaller."""
    truth = _Truth(release, attacker, one)
    shown = np.zeros((len(release.original), len(truth.names)), np.bool_)
    for columns, fits in truth.patterns():
        shown |= np.outer(fits, columns)
    return truth.showing(shown)


class _Truth:
    """What the owner knows of everybody now in the columns of an earlier release that are compared."""

    def __init__(self, release: Release, attacker: KnowsDirectory, one: Earlier) -> None:
        table, shown = release.original, one.shown
        assert isinstance(table, Table) and isinstance(shown, Table)  # noqa: S101, PT018 # rows of tables
        self._one, self._table, self._shown = one, table, shown
        looked_at = compared(attacker, shown, [one]) if attacker.columns else attacker.looks_at(shown)
        self.names = [name for name in shown.columns if name in looked_at]
        self._codes: dict[str, Codes] = {}
        self._labels: dict[str, tuple[Label, ...]] = {}
        self._earlier: dict[str, Codes] = {}
        for name in self.names:
            self._know(release, name)

    def _know(self, release: Release, name: str) -> None:
        one, known = self._one, self._table
        if name not in known.columns and isinstance(one.original, Table) and one.in_order_of_now:
            known = one.original
        there = name in known.columns
        codes = known.columns[name][known.record_of] if there else np.zeros(0, np.int32)
        if name in one.changes or len(codes) != len(self._table) or (codes < 0).any():
            raise NothingToJudge(
                f"Nobody knows whose row of {one.name} is whose, and what everybody's {name} was is not known either.",
                hint=_LEDGER,
            )
        number = {str(label): code for code, label in enumerate(known.labels[name])}
        theirs = [number.get(str(label), _OTHER) for label in self._shown.labels[name]]
        if _OTHER in theirs and name in release.hierarchies:
            raise NothingToJudge(
                f"Nobody knows whose row of {one.name} is whose, and it shows coarser labels of {name}.",
                hint=_LEDGER,
            )
        self._codes[name], self._labels[name] = codes, known.labels[name]
        self._earlier[name] = np.array([*theirs, -1], np.int32)[
            self._shown.columns[name][self._shown.record_of]
        ]

    def patterns(self) -> Iterator[tuple[Flags, Flags]]:
        """Give each set of columns that an earlier row shows, with the people whom some such row fits."""
        shown = np.stack([self._earlier[name] != -1 for name in self.names], axis=1)
        kind, first = alike(list(shown.T))
        if len(first) > _MOST_PATTERNS:
            raise NothingToJudge(
                f"Nobody knows whose row of {self._one.name} is whose, and its rows show too many different sets of columns.",
                hint=_LEDGER,
            )
        size = len(self._table)
        somebody = np.zeros(size, np.bool_)
        for number, row in enumerate(first.tolist()):
            columns, rows = shown[row], np.flatnonzero(kind == number)
            parts = [
                np.concatenate([self._codes[name], self._earlier[name][rows]])
                for name, there in zip(self.names, columns, strict=True)
                if there
            ]
            fits = np.ones(size, np.bool_)
            if parts:
                of = alike([part + 2 for part in parts])[0]
                fits = np.isin(of[:size], of[size:])
            somebody |= fits
            yield columns, fits
        if not somebody.all():
            raise NothingToJudge(
                f"No row of {self._one.name} fits row {int(np.argmin(somebody)) + 1} of the release now.",
                hint="name columns whose values may differ in changes, and who joined in population; or "
                + _LEDGER,
            )

    def showing(self, shown: Flags) -> tuple[Earlier, Ints]:
        """Return an earlier release, row by row of the release now, that shows some entries."""
        codes = {
            name: np.where(shown[:, place], self._codes[name], -1) for place, name in enumerate(self.names)
        }
        rows = range(1, len(self._table) + 1)
        earlier = Earlier(
            table_of_rows(self._table, codes, self._labels, ()),
            original=table_of_rows(self._table, self._codes, self._labels, ()),
            name=self._one.name,
            linked="rows",
            rows=rows,
            already=self._one.already,
        )
        return earlier, np.arange(len(rows))
