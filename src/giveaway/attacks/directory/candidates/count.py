"""How many people of a directory are consistent with disclosed records.

Somebody is consistent if one of their entries agrees in every disclosed attribute (Lebanon et al., Definition 6, with
people distinguished by their identifiers). What is not disclosed agrees with everybody. A missing value of somebody agrees
with nothing that is disclosed, or with everything as in the paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.agreement import MISSING, Agreement
from giveaway.attacks.directory.candidates.by_groups import counted
from giveaway.attacks.directory.candidates.columns import EVERYBODY, Columns
from giveaway.attacks.directory.candidates.rows import numbered, split
from giveaway.attacks.directory.candidates.signatures import MaskTally, Signature
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.people import Gaps, People
from giveaway.model.progress import tell

WIDEST = 64
"""Attributes that fit in a mask."""


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
