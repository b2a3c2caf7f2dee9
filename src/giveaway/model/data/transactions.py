"""Transactions: rows of items, identical rows merged."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import BudgetExceeded, DataError, ScenarioError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.counting import Counting
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.memory import Remembering
from giveaway.model.data.origin import Origin, Rest
from giveaway.model.progress import memory

BYTES_AN_OCCURRENCE = 48
BYTES_A_TRANSACTION = 48
"""What bringing rows here, merging and ranking them takes at most, item by item and row by row."""

_MANY_BYTES = 10_000_000
_LISTS = "giveaway.sources.frames.lists"
_FRAMES = "giveaway.sources.frames.read"
"""Readers that lie above the model, imported by name when they are first used."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Transactions(Remembering):
    """Distinct transactions, each with the number of times it occurs.

    Row `i` holds the item codes `codes[offsets[i]:offsets[i + 1]]`, ascending and without repetition, and stands for
    `weights[i]` identical transactions. Codes index `labels`, which are in label order. Empty rows count.
    """

    offsets: Ints
    codes: Codes
    weights: Ints
    labels: tuple[Label, ...]
    private: frozenset[int] = frozenset()
    domain: tuple[Label, ...] = ()
    origin: Origin | None = field(default=None, repr=False)
    record_of: NDArray[np.signedinteger[Any]] | None = field(default=None, repr=False)
    """For each transaction of the original the row that it became; None where their order is not known."""

    @classmethod
    def from_lists(
        cls, lists: Iterable[Iterable[Label]], *, private: Iterable[Label] = (), domain: Iterable[Label] = ()
    ) -> "Transactions":
        """Make transactions from collections of labels; labels keep their type.

        >>> import giveaway as ga
        >>> ga.Transactions.from_lists([["a", "s"], ["a"], ["a"]], private=["s"]).supports.tolist()
        [3, 1]
        """
        transactions: Transactions = import_module(_LISTS).from_lists(lists, private=private, domain=domain)
        return transactions

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        id: str | None = None,
        item: str | None = None,
        private: Iterable[Label] = (),
        domain: Iterable[Label] = (),
        publish_unjudged: Iterable[str] = (),
        leave_out: Iterable[str] = (),
        rest: Rest | None = None,
        labels: Iterable[Label] | None = None,
    ) -> "Transactions":
        """Make transactions from a pandas, polars or Arrow frame, or a scipy sparse matrix.

        With `id` and `item` the frame is long, with `item` alone that column holds lists, with neither every column
        is an item and tells whether the row has it. Further columns are published as they are or left out. The
        columns of a matrix are numbered from 0 unless `labels` names them.

        >>> import giveaway as ga, polars as pl
        >>> frame = pl.DataFrame({"basket": [1, 1, 2], "product": ["a", "b", "a"]})
        >>> ga.Transactions.from_frame(frame, id="basket", item="product").supports.tolist()
        [2, 1]
        """
        transactions: Transactions = import_module(_FRAMES).from_frame(
            frame,
            id=id,
            item=item,
            private=private,
            domain=domain,
            publish_unjudged=publish_unjudged,
            leave_out=leave_out,
            rest=rest,
            labels=labels,
        )
        return transactions

    def __repr__(self) -> str:
        return f"<Transactions: {len(self):,} rows, {len(self.labels):,} items>"

    def __len__(self) -> int:
        """Count the transactions, empty ones included."""
        return int(self.weights.sum())

    @property
    def counting(self) -> Counting | None:
        """Who counts transactions whose rows are not here; None when they are."""
        return None

    @cached_property
    def supports(self) -> Ints:
        """The number of transactions that hold each item."""
        return _supports(self.offsets, self.codes, self.weights, len(self.labels))

    @cached_property
    def is_private(self) -> NDArray[np.bool_]:
        """Whether each item is private."""
        mask = np.zeros(len(self.labels), np.bool_)
        mask[list(self.private)] = True
        return mask

    @property
    def occurrences(self) -> int:
        """The number of item occurrences."""
        return int(self.supports.sum())

    @cached_property
    def code_of(self) -> dict[Label, int]:
        """The code of each label."""
        return {label: code for code, label in enumerate(self.labels)}

    def without(self, items: Collection[Label]) -> "Transactions":
        """Return the transactions with some items removed everywhere, from the labels too; emptied rows stay."""
        if not items:
            return self
        dropped = self._dropped(items)
        renumbered = np.cumsum(~dropped) - 1
        offsets, codes = arrays.drop(self.offsets, self.codes, dropped)
        return self._merged(offsets, renumbered[codes].astype(np.int32), self._labelled(~dropped))

    def under(self, categories: Mapping[Label, Label]) -> "Transactions":
        """Return the transactions with some public items replaced by their categories everywhere.

        A transaction that holds several items of a category shows it once. Rows are looked at, also those of an engine.

        >>> import giveaway as ga
        >>> shop = ga.Transactions.from_lists([["cola", "tea"], ["tea"], ["bread"]])
        >>> shown = shop.under({"cola": "drinks", "tea": "drinks"})
        >>> shown.labels, shown.supports.tolist()
        (('bread', 'drinks'), [1, 2])
        """
        if not categories:
            return self
        shown = [categories.get(label, label) for label in self.labels]
        labels = tuple(in_order(shown))
        code_of = {label: code for code, label in enumerate(labels)}
        new = np.array([code_of[label] for label in shown], np.int32)
        offsets, codes = arrays.ascending(self.offsets, new[self.codes])
        private = frozenset(int(new[code]) for code in self.private)
        return self._merged(offsets, codes, {"labels": labels, "private": private})

    def _merged(self, offsets: Ints, codes: Codes, labelled: Mapping[str, Any]) -> "Transactions":
        """Return the transactions with other rows, those that have become equal merged."""
        offsets, codes, weights, became = arrays.merge(offsets, codes, self.weights)
        before = self.record_of
        return Transactions(
            offsets=offsets,
            codes=codes,
            weights=weights,
            record_of=None if before is None else became[before].astype(before.dtype),
            domain=self.domain,
            **labelled,
        )

    def _dropped(self, items: Collection[Label]) -> NDArray[np.bool_]:
        """Mark items, and refuse those that do not occur."""
        unknown = [label for label in items if label not in self.code_of]
        if unknown:
            raise ScenarioError(f"The item {unknown[0]!r} is not in the data and cannot be withheld.")
        dropped = np.zeros(len(self.labels), np.bool_)
        dropped[[self.code_of[label] for label in items]] = True
        return dropped

    def _labelled(self, stays: NDArray[np.bool_]) -> dict[str, Any]:
        """Return the labels and the private items when only some items stay."""
        renumbered = np.cumsum(stays) - 1
        return {
            "labels": tuple(label for label, kept in zip(self.labels, stays, strict=True) if kept),
            "private": frozenset(int(renumbered[code]) for code in self.private if stays[code]),
        }


class HeldTransactions(Transactions):
    """Transactions that stay in the engine that holds them and are counted there.

    Their rows are brought here when they are first looked at, unless that would take more memory than is allowed.
    """

    def __init__(
        self,
        counting: Counting,
        *,
        transactions: int,
        supports: Ints,
        labels: tuple[Label, ...],
        private: frozenset[int] = frozenset(),
        domain: tuple[Label, ...] = (),
        origin: Origin | None = None,
    ) -> None:
        vars(self).update(labels=labels, private=private, domain=domain, origin=origin)
        self._held, self._transactions, self._supports = counting, transactions, supports

    def __len__(self) -> int:
        return self._transactions

    @property
    def counting(self) -> Counting | None:
        """Who counts them, until their rows are here."""
        return None if "_rows" in vars(self) else self._held

    @cached_property
    def supports(self) -> Ints:
        """The number of transactions that hold each item."""
        return self._supports

    @cached_property
    def offsets(self) -> Ints:
        """Where each row begins in `codes`."""
        return self._rows[0]

    @cached_property
    def codes(self) -> Codes:
        """The items of all rows."""
        return self._rows[1]

    @cached_property
    def weights(self) -> Ints:
        """How many transactions each row stands for."""
        return self._rows[2]

    @cached_property
    def _rows(self) -> tuple[Ints, Codes, Ints]:
        """Bring the rows here, within the memory that the work may take."""
        needed = self.occurrences * BYTES_AN_OCCURRENCE + len(self) * BYTES_A_TRANSACTION
        if needed > memory():
            raise BudgetExceeded(
                f"The rows of {len(self):,} transactions with {self.occurrences:,} item occurrences would take about "
                f"{in_bytes(needed)} of memory, and {in_bytes(memory())} are allowed.",
                hint="allow more with --memory; what an attacker learns from up to 2 items is counted without rows.",
            )
        rows = self._held.rows()
        offsets, codes, weights = rows
        supports = _supports(offsets, codes, weights, len(self.labels))
        if int(weights.sum()) != len(self) or not np.array_equal(supports, self.supports):
            raise DataError(
                "The transactions have changed since they were counted.",
                hint="read them again, and judge what they hold now.",
            )
        return rows

    def without(self, items: Collection[Label]) -> Transactions:
        """Return the transactions with some items removed everywhere; they stay where they are."""
        if not items or self.counting is None:
            return super().without(items)
        stays = ~self._dropped(items)
        return HeldTransactions(
            self._held.only(np.flatnonzero(stays).astype(np.int32)),
            transactions=self._transactions,
            supports=self._supports[stays],
            domain=self.domain,
            **self._labelled(stays),
        )


def _supports(offsets: Ints, codes: Codes, weights: Ints, items: int) -> Ints:
    return arrays.added(codes, np.repeat(weights, arrays.lengths(offsets)), items)


def in_bytes(size: int) -> str:
    """Write an amount of memory, rounded down.

    >>> in_bytes(2_500_000_000), in_bytes(2_500_000)
    ('2,500 MB', '2,500 kB')
    """
    return f"{size // 1_000_000:,} MB" if size >= _MANY_BYTES else f"{size // 1000:,} kB"
