"""From labels to codes: numbering labels, gathering distinct rows, making Transactions of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.origin import Origin
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell
from giveaway.sources.encoding.roles import Roles

BLOCK = 1 << 17


class Numbering(dict[Label, int]):
    """Labels numbered in the order of their first occurrence."""

    def __missing__(self, label: Label) -> int:
        self[label] = number = len(self)
        return number

    def codes(self, labels: Sequence[Label]) -> Codes:
        """Return the number of each label."""
        try:
            return np.fromiter(map(self.__getitem__, labels), np.int32, len(labels))
        except TypeError as error:
            raise DataError(
                f"A label cannot be used as one: {error}.", hint="labels are text, numbers or tuples of them."
            ) from None


class Gather:
    """Distinct rows with their weights, gathered from chunks of rows in the order of their first occurrence."""

    def __init__(self) -> None:
        self._parts = [(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64))]

    def add(self, offsets: Ints, codes: Codes, weights: Ints | None = None) -> None:
        """Add rows, which may be in any order inside and repeat codes."""
        offsets, codes = arrays.ascending(offsets, codes)
        weights = np.ones(len(offsets) - 1, np.int64) if weights is None else weights
        self._parts.append(arrays.merge(offsets, codes, weights)[:3])
        if sum(len(part[1]) for part in self._parts[1:]) > len(self._parts[0][1]):
            self._parts = [self.merged()]

    def merged(self) -> tuple[Ints, Codes, Ints]:
        """Return offsets, codes and weights of the distinct rows."""
        if len(self._parts) == 1:
            return self._parts[0]
        return arrays.merge(*joined(self._parts))[:3]


def joined(parts: Iterable[tuple[Ints, Codes, Ints]]) -> tuple[Ints, Codes, Ints]:
    """Put rows one after the other."""
    offsets, codes, weights = zip(*parts, strict=True)
    size = np.concatenate([np.diff(part) for part in offsets])
    whole = np.zeros(len(size) + 1, np.int64)
    np.cumsum(size, out=whole[1:])
    return whole, np.concatenate(codes), np.concatenate(weights)


def gathered(lists: Iterable[Iterable[Label]], numbering: Numbering) -> tuple[Ints, Codes]:
    """Number the labels of all lists, keeping their order."""
    size: list[int] = []
    parts: list[Codes] = []
    flat: list[Label] = []
    for labels in lists:
        before = len(flat)
        flat.extend(labels)
        size.append(len(flat) - before)
        if len(flat) > BLOCK:
            parts.append(numbering.codes(flat))
            flat = []
            tell("reading", len(size))
    parts.append(numbering.codes(flat))
    offsets = np.zeros(len(size) + 1, np.int64)
    np.cumsum(size, out=offsets[1:])
    return offsets, np.concatenate(parts)


def blocks(count: int) -> Iterator[slice]:
    """Give slices that cover `count` rows, telling how far they have come."""
    for start in range(0, count, BLOCK):
        yield slice(start, min(start + BLOCK, count))
        tell("reading", min(start + BLOCK, count), count)


def transactions(
    merged: tuple[Ints, Codes, Ints],
    labels: Sequence[Label],
    roles: Roles,
    origin: Origin | None,
    columns: Iterable[Label] = (),
) -> Transactions:
    """Make Transactions of distinct rows whose codes number `labels` in any order.

    Labels that no row holds, and further `columns` that are items, belong to the domain.
    """
    offsets, codes, weights = merged
    occurs = np.zeros(len(labels), np.bool_)
    occurs[codes] = True
    present = [label for label, seen in zip(labels, occurs.tolist(), strict=True) if seen]
    ordered = tuple(in_order(present))
    code_of = {label: code for code, label in enumerate(ordered)}
    renumbered: NDArray[Any] = np.array([code_of.get(label, -1) for label in labels], np.int32)
    offsets, codes = arrays.ascending(offsets, renumbered[codes] if len(labels) else codes)
    silent = [label for label in (*labels, *columns) if label not in code_of]
    domain = tuple(in_order([*silent, *(label for label in roles.domain if label not in code_of)]))
    return Transactions(
        offsets=offsets,
        codes=codes,
        weights=weights,
        labels=ordered,
        private=roles.private_codes(code_of, domain),
        domain=domain,
        origin=origin,
    )
