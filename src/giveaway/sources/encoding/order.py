"""Orders of rows and items in a release that must not follow those of the original."""

import mmap
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label, label_key

_AT_ONCE = 1 << 14
_NEWLINE = 10


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
