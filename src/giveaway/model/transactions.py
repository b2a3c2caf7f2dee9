"""Transactions: rows of items, identical rows merged."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import ScenarioError
from giveaway.model import rows
from giveaway.model.doors import through
from giveaway.model.labels import Label
from giveaway.model.memory import Remembering
from giveaway.model.origin import Origin
from giveaway.model.rows import Codes, Ints


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

    @classmethod
    def from_lists(
        cls, lists: Iterable[Iterable[Label]], *, private: Iterable[Label] = (), domain: Iterable[Label] = ()
    ) -> "Transactions":
        """Make transactions from collections of labels; labels keep their type.

        >>> import giveaway as ga
        >>> ga.Transactions.from_lists([["a", "s"], ["a"], ["a"]], private=["s"]).supports.tolist()
        [3, 1]
        """
        made: Transactions = through("lists")(lists, private=private, domain=domain)
        return made

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
        made: Transactions = through("frame")(
            frame,
            id=id,
            item=item,
            private=private,
            domain=domain,
            publish_unjudged=publish_unjudged,
            leave_out=leave_out,
            labels=labels,
        )
        return made

    def __len__(self) -> int:
        """Count the transactions, empty ones included."""
        return int(self.weights.sum())

    @cached_property
    def supports(self) -> Ints:
        """The number of transactions that hold each item."""
        weight = np.repeat(self.weights, rows.lengths(self.offsets))
        counted = np.zeros(len(self.labels), np.int64)
        np.add.at(counted, self.codes, weight)
        return counted

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
        unknown = [label for label in items if label not in self.code_of]
        if unknown:
            raise ScenarioError(f"The item {unknown[0]!r} is not in the data and cannot be withheld.")
        dropped = np.zeros(len(self.labels), np.bool_)
        dropped[[self.code_of[label] for label in items]] = True
        renumbered = np.cumsum(~dropped) - 1
        offsets, codes = rows.drop(self.offsets, self.codes, dropped)
        offsets, codes, weights, _ = rows.merge(offsets, renumbered[codes].astype(np.int32), self.weights)
        return Transactions(
            offsets=offsets,
            codes=codes,
            weights=weights,
            labels=tuple(label for label, gone in zip(self.labels, dropped, strict=True) if not gone),
            private=frozenset(int(renumbered[code]) for code in self.private if not dropped[code]),
            domain=self.domain,
        )
