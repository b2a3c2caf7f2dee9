"""The disclosures of one record as a program over many records asks for them: what they lose, which is the cheapest."""

from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from giveaway.attacks.directory.disclosure.per_record.all_subsets import (
    MOST,
    best_by_size,
    losses_of_all,
    sums,
)
from giveaway.attacks.directory.disclosure.per_record.search import beam, sought_of, worths
from giveaway.attacks.directory.disclosure.problem import YES, Costs, Floats, Posed, places_of
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import room, tell

if TYPE_CHECKING:
    from giveaway.attacks.directory.disclosure.per_record.search_kernels import Sought

_WIDTH = 8
"""The number of sets that a beam keeps."""


class RecordOptions:
    """The disclosures of one record; a set is a bit mask of its open attributes.

    Those that lose more than `limit` are left out. With a table of all losses the cheapest is the cheapest of all,
    otherwise (not `exact`) of those that a beam looks at.
    """

    def __init__(self, posed: Posed, *, exact: bool, infinite: float) -> None:
        self.posed = posed
        self.exact = exact
        self.limit = float(np.finfo(np.float64).max)
        self._infinite = infinite
        self._table = self._read(losses_of_all(posed)) if exact else np.empty(0)
        self._sought = None if exact else sought_of(posed)

    def mask(self, chosen: int) -> int:
        """Return the attributes that are disclosed with a set."""
        return self.posed.mask(chosen)

    def worth(self, chosen: int, prices: Floats) -> float:
        """Return the prices of the attributes that are disclosed with a set."""
        return float(prices[places_of(self.mask(chosen))].sum())

    def losses(self, sets: Sequence[int]) -> Floats:
        """Return the losses of some sets, nan where one is not allowed."""
        if self._sought is None:
            losses = self._table[np.array(sets, np.int64)]
        else:
            losses = self._read(np.array([_loss(self._sought, chosen) for chosen in sets]))
        return np.where(losses <= self.limit, losses, np.nan)

    def cheapest(self, prices: Floats, *, losing: bool) -> tuple[int, float]:
        """Return the set with the least loss (0 if not `losing`) less prices, and that; -1 when none is allowed."""
        here = prices[self.posed.places.astype(np.int64)]
        always = self.worth(0, prices)
        if self._sought is None:
            worths_of_all = _worths_of_all(here)
            fits = self._table <= self.limit
            values = np.where(fits, (self._table if losing else 0.0) - worths_of_all, np.inf)
            at = int(np.argmin(values))
            return at if fits[at] else -1, float(values[at]) - always
        reached = beam(self._sought, self.posed.open, width=_WIDTH, prices=here)
        losses = self._read(reached.losses)
        if not (fits := losses <= self.limit).any():
            return -1, np.inf
        values = np.where(fits, losses if losing else 0.0, np.inf) - worths(reached.sets, here)
        return int(reached.sets[np.argmin(values)]), float(values.min()) - always

    def cheap(self, prices: Floats, most: float) -> tuple[Ints, Floats]:
        """Return all sets whose loss less prices is at most `most`, with these values; only of a table of all."""
        here = prices[self.posed.places.astype(np.int64)]
        always = self.worth(0, prices)
        values = self._table - _worths_of_all(here)
        sets = np.flatnonzero((self._table <= self.limit) & (values <= most + always))
        return sets, values[sets] - always

    def best_sets(self) -> list[int]:
        """Return the sets with the least losses, one for each size."""
        if self._sought is None:
            sets = best_by_size(self.posed).sets
        else:
            sets = beam(self._sought, self.posed.open, width=_WIDTH).sets
        return [int(chosen) for chosen in sets]

    def _read(self, losses: Floats) -> Floats:
        return np.where(np.isinf(losses), self._infinite, losses)


def _worths_of_all(prices: Floats) -> Floats:
    """Add up the prices of the attributes in each set."""
    nothing = np.zeros(0)
    return sums(Costs(0.0, prices, np.zeros((0, 0)), nothing.astype(np.uint64), nothing))


def _loss(sought: "Sought", chosen: int) -> float:
    from giveaway.attacks.directory.disclosure.per_record import search_kernels as kernels

    _, loss, allowed = kernels.judge(sought, np.uint64(chosen))
    return float(loss) if allowed == YES else np.nan


def options_of(posed: Sequence[Posed], *, infinite: float = nan) -> list[RecordOptions]:
    """Return the disclosures of many records, with tables of all losses if there is room for them.

    An infinite loss is read as `infinite`; nan: not allowed.
    """
    exact = all(one.open <= MOST for one in posed)
    exact = exact and sum(8 << one.open for one in posed) <= room()
    options = []
    for record, one in enumerate(posed):
        tell("looking at all disclosures", record, len(posed))
        options.append(RecordOptions(one, exact=exact, infinite=infinite))
    return options
