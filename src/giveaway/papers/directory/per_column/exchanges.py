"""A rule for many records with a number of values of each column, and its improvement by exchanges between two records."""

from collections.abc import Sequence

import numpy as np

from giveaway.attacks.directory.disclosure.problem import Floats, Masks
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import memory, tell
from giveaway.papers.directory.per_column.options import RecordOptions

_WORK = 2_000_000_000
"""How many costs may be looked at in all exchanges."""
_AT_ONCE = 8
"""Of the values that a column still misses, one in this many is added at once."""
_LEAST_GAIN = 1e-12
"""The least gain of an exchange as a part of the loss, so that rounding cannot go on for ever."""


class DisclosureRule:
    """One disclosure for each record, a set of its open attributes, and what changes would cost.

    `costs[record, out, into]` is what the loss rises by when one column is taken out and another is put in, infinite
    where that is not possible; the place after the last column stands for none.
    """

    def __init__(self, options: Sequence[RecordOptions], columns: int, sets: Sequence[int]) -> None:
        self.options = options
        self.columns = columns
        self.sets = list(sets)
        self.losses = np.empty(len(options))
        if 8 * len(options) * (columns + 1) ** 2 > memory() // 4:
            raise BudgetExceeded(
                f"A rule with this many values of each of {columns} columns takes too much memory for {len(options):,} {nouns().records}.",
                hint=f"ask for values of each {nouns().record} or in total, or compare fewer columns.",
            )
        self.costs = np.empty((len(options), columns + 1, columns + 1))
        for record in range(len(options)):
            self._look(record)

    @property
    def loss(self) -> float:
        """The sum of the losses, nan when a disclosure is not allowed."""
        return float(self.losses.sum())

    def masks(self) -> Masks:
        """Return the attributes that each record discloses."""
        both = zip(self.options, self.sets, strict=True)
        return np.array([one.mask(chosen) for one, chosen in both], np.uint64)

    def repair(self, counts: Ints) -> bool:
        """Make the cheapest changes until each column is disclosed this many times; say whether that was possible."""
        bits = np.arange(self.columns, dtype=np.uint64)
        missing = counts - ((self.masks()[:, None] >> bits) & np.uint64(1)).sum(axis=0).astype(np.int64)
        while missing.any():
            tell("completing a rule", int(np.abs(missing).sum()))
            if (missing >= 0).all() and missing.max() >= _AT_ONCE:
                if not self._add(int(np.argmax(missing)), missing):
                    return False
                continue
            out = np.append(np.flatnonzero(missing < 0), self.columns)
            into = np.append(np.flatnonzero(missing > 0), self.columns)
            costs = self.costs[:, out[:, None], into]
            record, row, column = np.unravel_index(int(np.argmin(costs)), costs.shape)
            if costs[record, row, column] == np.inf:
                return False
            self._change(int(record), int(out[row]), int(into[column]))
            missing[out[row] : out[row] + 1] += 1
            missing[into[column] : into[column] + 1] -= 1
        return True

    def improve(self) -> None:
        """Let two records exchange columns while the loss falls."""
        for done in range(max(_WORK // self.costs.size, 1)):
            tell(f"exchanging columns between {nouns().records}", done)
            lows = self.costs.min(axis=0)
            change = lows + lows.T
            out, into = np.unravel_index(int(np.argmin(change)), change.shape)
            if not change[out, into] < -_LEAST_GAIN * self.loss:
                return
            first, second = np.argmin(self.costs[:, out, into]), np.argmin(self.costs[:, into, out])
            self._change(int(first), int(out), int(into))
            self._change(int(second), int(into), int(out))

    def _add(self, column: int, missing: Ints) -> bool:
        """Add some of the values that a column misses where they are cheapest; say whether that was possible."""
        costs = self.costs[:, self.columns, column]
        many = int(missing[column]) // _AT_ONCE
        cheapest = np.argsort(costs, kind="stable")[:many]
        cheapest = cheapest[costs[cheapest] < np.inf]
        for record in cheapest.tolist():
            self._change(record, self.columns, column)
        missing[column] -= len(cheapest)
        return len(cheapest) > 0

    def _change(self, record: int, out: int, into: int) -> None:
        for column in (out, into):
            if column < self.columns:
                place = int(np.searchsorted(self.options[record].posed.places, column))
                self.sets[record] ^= 1 << place
        self._look(record)

    def _look(self, record: int) -> None:
        """Ask for the losses of all sets that are one change away."""
        posed, chosen = self.options[record].posed, self.sets[record]
        places = [place for place in range(posed.open) if chosen >> place & 1]
        others = [place for place in range(posed.open) if not chosen >> place & 1]
        columns = posed.places.astype(np.int64)
        outs = np.append(columns[places], self.columns)
        into = np.append(columns[others], self.columns)
        less = [chosen & ~(1 << place) for place in places] + [chosen]
        sets = [one | more for one in less for more in [*(1 << place for place in others), 0]]
        losses = self.options[record].losses(sets).reshape(len(outs), len(into))
        self.losses[record] = losses[-1, -1]
        self.costs[record] = np.inf
        rises: Floats = np.where(np.isnan(losses), np.inf, losses) - self.losses[record]
        self.costs[record][outs[:, None], into] = np.where(np.isnan(rises), np.inf, rises)
        self.costs[record, self.columns, self.columns] = np.inf
