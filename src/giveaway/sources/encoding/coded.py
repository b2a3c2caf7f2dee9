"""From labels to codes: numbering labels, gathering distinct rows, making Transactions of them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.origin import Origin
from giveaway.model.data.table import Numbers, number_type
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


class Merged(NamedTuple):
    """Distinct rows with their weights, and for each row the distinct row that it became."""

    offsets: Ints
    codes: Codes
    weights: Ints
    record_of: Numbers


class Gather:
    """Distinct rows with their weights, gathered from chunks of rows in the order of their first occurrence."""

    def __init__(self) -> None:
        nothing = np.zeros(0, np.int32)
        self._parts = [Merged(np.zeros(1, np.int64), nothing, np.zeros(0, np.int64), nothing)]

    def add(self, offsets: Ints, codes: Codes) -> None:
        """Add rows, which may be in any order inside and repeat codes."""
        self._parts.append(merged_rows(*arrays.ascending(offsets, codes)))
        if sum(len(part.codes) for part in self._parts[1:]) > len(self._parts[0].codes):
            self._parts = [self.merged()]

    def merged(self) -> Merged:
        """Return the distinct rows."""
        if len(self._parts) == 1:
            return self._parts[0]
        offsets, codes, weights, became = arrays.merge(*_joined(self._parts))
        first = np.cumsum([0, *(len(part.weights) for part in self._parts)])
        record_of = [became[part.record_of + at] for part, at in zip(self._parts, first, strict=False)]
        return Merged(offsets, codes, weights, _small(np.concatenate(record_of), len(weights)))


def merged_rows(offsets: Ints, codes: Codes) -> Merged:
    """Merge rows, which are ascending."""
    offsets, codes, weights, became = arrays.merge(offsets, codes, np.ones(len(offsets) - 1, np.int64))
    return Merged(offsets, codes, weights, _small(became, len(weights)))


def _small(numbers: Ints, size: int) -> Numbers:
    return numbers.astype(number_type(size))


def _joined(parts: Iterable[Merged]) -> tuple[Ints, Codes, Ints]:
    """Put rows one after the other."""
    offsets, codes, weights, _ = zip(*parts, strict=True)
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
    merged: Merged,
    labels: Sequence[Label],
    roles: Roles,
    origin: Origin | None,
    columns: Iterable[Label] = (),
) -> Transactions:
    """Make Transactions of distinct rows whose codes number `labels` in any order.

    Labels that no row holds, and further `columns` that are items, belong to the domain.
    """
    offsets, codes, weights, record_of = merged
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
        record_of=record_of,
        labels=ordered,
        private=roles.private_codes(code_of, domain),
        domain=domain,
        origin=origin,
    )
