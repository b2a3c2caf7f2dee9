"""How many people of a directory are consistent with disclosed records.

Somebody is consistent if one of their entries agrees in every disclosed attribute (Lebanon et al., Definition 6, with
people distinguished by their identifiers). What is not disclosed agrees with everybody. A missing value of somebody agrees
with nothing that is disclosed, or with everything as in the paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING, Agreement
from giveaway.attacks.directory.candidates.columns import EVERYBODY, Columns, KeyRows, numbered, split, spread
from giveaway.attacks.directory.candidates.signatures import MaskTally, Signature
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.people import Gaps, People
from giveaway.model.progress import tell

WIDEST = 64
"""Attributes that fit in a mask."""

_AT_ONCE = 2_000_000
"""So many pairs of disclosures and entries are compared at once."""
_FEW = 50_000
"""To group this many entries costs less than to find out what is quickest."""
_STEP = 4
"""To visit an entry somewhere costs as much as to go through this many entries in order."""
_SEVERAL = 10
"""To count somebody's several entries once costs as much as to go through this many entries for each."""
_FEW_ENTRIES = 4
"""The most entries of one person that are joined in all ways, where some are missing values."""


def counted(columns: Columns, chosen: Ints, wanted: Codes) -> Ints:
    """Count the people who agree with each disclosure, whose keys in the chosen columns are `wanted[:, disclosure]`."""
    if len(chosen) == 0:
        return np.full(wanted.shape[1], len(columns.people), np.int64)
    if _are_few(columns, chosen, wanted.shape[1]):
        totals = _grouped(columns, chosen, wanted, [np.zeros(1, np.int64)])
        if totals is not None:
            return totals
    group, first = numbered(wanted)
    distinct = wanted[:, first]
    agreeing = columns.agreeing(chosen, distinct)
    telling = np.argsort(agreeing.sum(axis=1), kind="stable")
    chosen, distinct, agreeing = chosen[telling], distinct[telling], agreeing[telling]
    kinds = _kinds_worth_grouping(columns, chosen, distinct.shape[1], int(agreeing.min(axis=0).sum()))
    totals = None if kinds is None else _grouped(columns, chosen, distinct, kinds)
    return (_visited(columns, chosen, distinct, agreeing) if totals is None else totals)[group]


def _are_few(columns: Columns, chosen: Ints, disclosures: int) -> bool:
    """Tell whether all entries are so few that nothing is quicker than to group them, and equal keys alone agree."""
    entries = len(chosen) * (len(columns.alone) + len(columns.several_entry) + disclosures)
    return 0 < entries <= _FEW and not columns.has_missing and not columns.has_near(chosen)


def _kinds_worth_grouping(columns: Columns, chosen: Ints, disclosures: int, steps: int) -> list[Ints] | None:
    """Return the kinds of missing values if counting by groups is possible and quicker than visiting this many entries."""
    cost = _STEP * steps
    rows = len(columns.alone) + _SEVERAL * len(columns.several_entry)
    if columns.has_near(chosen) or cost <= rows:
        return None
    kinds = columns.rows.kinds(chosen)
    return kinds if rows + len(kinds) * disclosures < cost else None


def _visited(columns: Columns, chosen: Ints, wanted: Codes, agreeing: Ints) -> Ints:
    """Count for each disclosure by going through the entries that agree in the column where fewest do.

    Lebanon et al., Definition 6, word for word.
    """
    lead = np.argmin(agreeing, axis=0)
    part = np.cumsum(agreeing.min(axis=0)) // _AT_ONCE
    totals = np.empty(len(part), np.int64)
    end = 0
    while end < len(part):
        begin, end = end, int(np.searchsorted(part, part[end], "right"))
        totals[begin:end] = _visited_at_once(columns, chosen, wanted[:, begin:end], lead[begin:end])
        if end < len(part):
            tell("comparing entries", end, len(part))
    return totals


def _visited_at_once(columns: Columns, chosen: Ints, wanted: Codes, lead: Ints) -> Ints:
    row, entry = _leading(columns, chosen, wanted, lead)
    for column, keys in zip(chosen.tolist(), wanted, strict=True):
        agrees = columns.agree(column, keys[row], columns.keys[column, entry])
        row, entry = row[agrees], entry[agrees]
    totals = np.zeros(len(lead), np.int64)
    np.add.at(totals, row, columns.alone[entry])
    if len(columns.several_entry):
        starts, holders = columns.holders
        place, at = spread(starts[entry], starts[entry + 1] - starts[entry])
        people = np.unique(row[place] * columns.people.several + holders[at])
        totals += np.bincount(people // columns.people.several, minlength=len(lead))
    return totals


def _leading(columns: Columns, chosen: Ints, wanted: Codes, lead: Ints) -> tuple[Ints, Ints]:
    """Return pairs of a wanted row and an entry that agrees with it in its leading column."""
    pairs = []
    for at, column in enumerate(chosen.tolist()):
        here = np.flatnonzero(lead == at)
        if not len(here):
            continue
        row, code = columns.codes_agreeing(column, wanted[at, here])
        order, starts = columns.by_key(column)
        begins = np.concatenate([np.full(len(here), starts[0]), starts[code + 1]])
        ends = np.concatenate([np.full(len(here), starts[1]), starts[code + 2]])
        place, entry = spread(begins, ends - begins)
        pairs.append((here[np.append(np.arange(len(here)), row)[place]], order[entry]))
    rows, entries = zip(*pairs, strict=True)
    return np.concatenate(rows), np.concatenate(entries)


def _grouped(columns: Columns, chosen: Ints, wanted: Codes, kinds: list[Ints]) -> Ints | None:
    """Count for all disclosures at once, by groups of equal rows; None where somebody has too many entries for that."""
    totals = np.zeros(wanted.shape[1], np.int64)
    if columns.alone.any():
        columns.rows.add_up(chosen, kinds, wanted, totals)
    if len(columns.several_entry):
        several = _several(columns, chosen)
        if several is None:
            return None
        places = np.arange(len(chosen))
        several.add_up(places, several.kinds(places), wanted, totals)
    return totals


def _several(columns: Columns, chosen: Ints) -> KeyRows | None:
    """Return the rows of people with several entries, each person counted once; None where somebody has too many.

    Without missing values nothing agrees with two different rows. What agrees with several rows agrees with the row of the
    known values of all, so that somebody's rows are joined in all ways, and counted with alternating signs.
    """
    keys, person = columns.keys[np.ix_(chosen, columns.several_entry)], columns.people.several_person
    if not (keys == MISSING).any():
        _, first = numbered(np.concatenate([keys, person[None].astype(np.int32)]))
        return KeyRows(np.ascontiguousarray(keys[:, first]), np.ones(len(first), np.int64))
    if int(np.diff(columns.starts).max()) > _FEW_ENTRIES:
        return None
    rows, signs = [], []
    for entries, sign in _joined(columns):
        every = columns.keys[chosen][:, entries]
        meet = every.max(axis=2)
        agree = ((every == MISSING) | (every == meet[:, :, None])).all(axis=(0, 2))
        rows.append(meet[:, agree])
        signs.append(np.full(int(agree.sum()), sign))
    return KeyRows.ordered(np.concatenate(rows, axis=1), np.concatenate(signs))


def _joined(columns: Columns) -> Iterator[tuple[Ints, int]]:
    """Give each choice of somebody's entries, of all who have as many together, and the sign with which it counts."""
    sizes = np.diff(columns.starts)
    for size in np.unique(sizes).tolist():
        begins = columns.starts[:-1][sizes == size]
        for many in range(1, size + 1):
            for part in combinations(range(size), many):
                yield columns.several_entry[begins[:, None] + np.array(part)], 1 if many % 2 else -1


@dataclass(frozen=True, kw_only=True, eq=False)
class Matching:
    """A directory and how records are compared with it, attribute by attribute.

    `names[j]` is the column of people for attribute j, None where the directory has none. `agreements[j]` is the
    agreement of the values themselves, then of the levels 1, 2, ... of their hierarchy.
    """

    people: People
    names: tuple[str | None, ...]
    agreements: tuple[tuple[Agreement, ...], ...]
    gaps: Gaps = "apart"

    def candidates(self, values: Codes, levels: NDArray[np.int8] | None = None) -> Ints:
        """Count the people who are consistent with each disclosed record, a row of `values`.

        Values are codes of the level they are disclosed at, 0 for the values themselves, and -1 where hidden.
        """
        keys, columns = self._columns.disclosed(values, levels)
        kind, first = numbered(columns)
        totals = np.empty(len(values), np.int64)
        done = 0
        for chosen, rows in zip(columns[:, first].T, split(kind, len(first)), strict=True):
            tell("counting who agrees", done, len(values))
            shown = np.flatnonzero(chosen != EVERYBODY)
            totals[rows] = counted(self._columns, chosen[shown].astype(np.int64), keys[np.ix_(shown, rows)])
            done += len(rows)
        return totals

    def alone(self, values: Codes) -> Ints:
        """Count the people who are consistent with each attribute of each record, were only that disclosed."""
        totals = np.empty(values.shape, np.int64)
        for j in range(values.shape[1]):
            codes, place = np.unique(values[:, j], return_inverse=True)
            only = np.full((len(codes), values.shape[1]), MISSING, np.int32)
            only[:, j] = codes
            totals[:, j] = self.candidates(only)[place]
        return totals

    def signature(self, values: Codes) -> Signature:
        """Return how everybody agrees with one record, given all its values."""
        return next(self.signatures(values[None, :]))

    def signatures(self, values: Codes) -> Iterator[Signature]:
        """Return how everybody agrees with each record, a row of `values`."""
        if len(self.names) > WIDEST:
            raise ScenarioError(
                f"{len(self.names)} columns are compared with {self.people.name}.",
                exists=f"room for {WIDEST}",
                hint='name only the columns that matter, as in columns = ["age", "sex"].',
            )
        keys = np.ascontiguousarray(self._columns.disclosed(values, None)[0].T)
        for row, wanted in enumerate(keys):
            tell(f"comparing {nouns().records} with the directory", row, len(keys))
            yield self._tally.signature(wanted)

    @cached_property
    def _tally(self) -> MaskTally:
        return MaskTally(self._columns)

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self.people, self.names, self.agreements, self.gaps)
