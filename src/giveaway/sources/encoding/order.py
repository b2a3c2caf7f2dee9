"""Orders of rows and items in a release that must not follow those of the original."""

import mmap
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import numpy as np

from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label, label_key
from giveaway.model.data.origin import Coarser
from giveaway.model.release.cells import Cells

Renaming = Mapping[Hashable, str]
Named = TypeVar("Named", bound=Hashable)

_AT_ONCE = 1 << 14
_NEWLINE = 10


@dataclass(frozen=True)
class Published:
    """What is written of each item: its label or what stands for it, nothing where it is withheld; entries empty or coarser."""

    without: Collection[Hashable]
    renaming: Renaming | None = None
    """What is written instead of each label; several labels may be written alike, and a row then has them once."""
    order: Ints | None = None
    """The number, from 0, of the original row that stands at each place of the release; None when their order is kept."""
    cells: Cells = Cells()
    levels: Coarser = field(default_factory=dict)

    @property
    def shuffled(self) -> bool:
        """Whether the rows stand in another order than the original ones."""
        return self.order is not None

    @property
    def sorts_items(self) -> bool:
        """Whether the items of a row stand in an order of their own, which tells nothing of the original one."""
        return self.shuffled or self.renaming is not None

    @property
    def key(self) -> Callable[[Any], Any]:
        """The sort key of what is written of items: codes and labels have different orders."""
        return label_key if self.renaming is None else code_key

    def named(self, labels: Iterable[Named]) -> dict[str, list[Named]]:
        """Return the labels that are written as each name, in the order of their first occurrence."""
        names: dict[str, list[Named]] = {}
        for label in labels:
            name = self.name(label)
            if name is not None:
                names.setdefault(str(name), []).append(label)
        return names

    def places(self, count: int) -> Ints:
        """Return the place, from 0, of each of `count` original rows in the release."""
        return np.arange(count) if self.order is None else np.argsort(self.order)

    def name(self, label: Hashable) -> Hashable:
        """Return what stands for a label in the release, None where it is withheld."""
        if label in self.without:
            return None
        return label if self.renaming is None else self.renaming.get(label)

    def in_row(self, labels: list[Hashable]) -> list[Hashable]:
        """Return what is written of a row: each name once, in an order of their own unless the given one is kept."""
        names = [name for name in dict.fromkeys(map(self.name, labels)) if name is not None]
        return sorted(names, key=self.key) if self.sorts_items else names


def code_key(code: object) -> tuple[int, str]:
    """Return the sort key of a code; the order of renamed items must not follow that of their labels."""
    return len(str(code)), str(code)


def ranks(labels: Collection[Label], key: Callable[[Any], Any] = label_key) -> Ints:
    """Return the place of each of some distinct labels in their order."""
    numbers = {label: number for number, label in enumerate(sorted(labels, key=key))}
    return np.array([numbers[label] for label in labels], np.int64)


def in_order(lines: Iterable[bytes], order: Ints, folder: Path) -> Iterator[bytes]:
    """Give lines, which come in chunks of whole ones, in another order.

    They are put aside in a file without name, so that only their ends are in memory.
    """
    with TemporaryFile(dir=folder) as aside:
        ends = [np.zeros(1, np.int64)]
        size = 0
        for chunk in lines:
            aside.write(chunk)
            ends.append(size + 1 + np.flatnonzero(np.frombuffer(chunk, np.uint8) == _NEWLINE))
            size += len(chunk)
        if not size:
            return
        aside.flush()
        bounds = np.concatenate(ends)
        with mmap.mmap(aside.fileno(), 0, access=mmap.ACCESS_READ) as held:
            for start in range(0, len(order), _AT_ONCE):
                rows = order[start : start + _AT_ONCE]
                between = zip(bounds[rows].tolist(), bounds[rows + 1].tolist(), strict=True)
                yield b"".join(held[begin:end] for begin, end in between)


def in_chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Join lines to chunks of many."""
    waiting = iter(lines)
    while chunk := b"".join(islice(waiting, _AT_ONCE)):
        yield chunk
