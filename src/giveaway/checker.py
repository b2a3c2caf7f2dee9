"""The independent judge of released files.

It reads them back from disk with its own plain readers, compares them with the original minus what is withheld, and
counts again what was promised. It shares no code with the readers, the engines and the protectors.
"""

import csv
import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import CheckFailed
from giveaway.model.labels import Label
from giveaway.model.origin import Layout
from giveaway.model.progress import tell
from giveaway.model.release import Release
from giveaway.model.tolerance import Tolerance
from giveaway.model.transactions import Transactions

Ints = NDArray[np.int64]
Rows = Counter[frozenset[str]]

_YES = {"1", "true", "True", "TRUE"}


@dataclass(frozen=True, kw_only=True)
class Promise:
    """What was promised against one attacker."""

    attack: str
    attacker: Mapping[str, Any]
    tolerance: Tolerance


def judge(
    file: Path, release: Release, promises: Sequence[Promise], codes: Mapping[Label, str] | None = None
) -> int:
    """Judge a written file and return its number of rows; raise `CheckFailed` where a promise does not hold."""
    original = release.original
    if not isinstance(original, Transactions) or original.origin is None:
        raise CheckFailed("The checker does not know this kind of release.")
    rows: Rows = Counter(_read(file, original.origin.layout))
    if rows != _expected(original, release.withheld.items, codes):
        raise CheckFailed(
            f"{file.name} is not the original minus what is withheld.", hint="do not release it."
        )
    private = {_text(original.labels[code], codes) for code in original.private}
    for number, promise in enumerate(promises, start=1):
        if not _CHECKS[promise.attack](rows, private, promise):
            raise CheckFailed(
                f"{file.name} breaks the promise against attacker {number}.", hint="do not release it."
            )
    return rows.total()


def _text(label: Label, codes: Mapping[Label, str] | None) -> str:
    return str(label) if codes is None else codes[label]


def _expected(original: Transactions, withheld: Iterable[Label], codes: Mapping[Label, str] | None) -> Rows:
    gone = set(withheld)
    texts = [None if label in gone else _text(label, codes) for label in original.labels]
    shown = [text for text in texts if text is not None]
    if len(set(shown)) < len(shown):
        raise CheckFailed("Two different labels are written alike.", hint="make the labels distinct as text.")
    rows: Rows = Counter()
    for row, weight in enumerate(original.weights.tolist()):
        items = original.codes[original.offsets[row] : original.offsets[row + 1]].tolist()
        rows[frozenset(text for code in items if (text := texts[code]) is not None)] += weight
    return rows


# Reading back ---------------------------------------------------------------------------------------------------


def _read(file: Path, layout: Layout) -> Iterator[frozenset[str]]:
    if layout.shape == "baskets":
        return _baskets(file, layout)
    records = _RECORDS[layout.format](file, layout)
    if layout.shape == "lists":
        return (frozenset(_lists(record, layout)) for record in records)
    return _long(records, layout) if layout.shape == "long" else _one_hot(records, layout)


def _open(file: Path) -> IO[bytes]:
    return gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb")  # type: ignore[return-value] # a GzipFile reads like a file


def _baskets(file: Path, layout: Layout) -> Iterator[frozenset[str]]:
    with _open(file) as lines:
        for line in lines:
            yield frozenset(part.decode(layout.encoding) for part in line.split())


def _csv(file: Path, layout: Layout) -> Iterator[dict[str, Any]]:
    with _open(file) as raw:
        lines = (line.decode(layout.encoding) for line in raw)
        csv.field_size_limit(sys.maxsize)
        table = csv.reader(lines, delimiter=layout.separator)
        names: list[str] | None = None
        for cells in table:
            if names is None:
                names = cells if layout.header else [f"c{place}" for place in range(1, len(cells) + 1)]
                if layout.header:
                    continue
            if cells:
                yield dict(zip(names, cells, strict=True))


def _jsonl(file: Path, layout: Layout) -> Iterator[Any]:
    with _open(file) as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line.decode(layout.encoding))


def _parquet(file: Path, layout: Layout) -> Iterator[dict[str, Any]]:  # noqa: ARG001 # one signature for all formats
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SELECT * FROM read_parquet(?)", [str(file)])
        names = [column[0] for column in connection.description or ()]
        while part := connection.fetchmany(10_000):
            yield from (dict(zip(names, cells, strict=True)) for cells in part)


_RECORDS: dict[str, Callable[[Path, Layout], Iterator[Any]]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "parquet": _parquet,
}


def _lists(record: Any, layout: Layout) -> Iterator[str]:
    items = record if layout.item is None else record[layout.item]
    return (str(item) for item in items or ())


def _long(records: Iterable[Mapping[str, Any]], layout: Layout) -> Iterator[frozenset[str]]:
    found: dict[Any, set[str]] = {}
    for record in records:
        items = found.setdefault(record[layout.id or ""], set())
        item = record[layout.item or ""]
        if item is not None and str(item) not in layout.missing:
            items.add(str(item))
    return map(frozenset, found.values())


def _one_hot(records: Iterable[Mapping[str, Any]], layout: Layout) -> Iterator[frozenset[str]]:
    for record in records:
        yield frozenset(
            name for name, value in record.items() if name not in layout.others and str(value) in _YES
        )


# Counting again -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Counts:
    """Released rows as arrays: items of each row ascending, public and private apart."""

    weights: Ints
    public: tuple[Ints, Ints]
    private: tuple[Ints, Ints]
    privates: int


def _keeps_items(rows: Rows, private: set[str], promise: Promise) -> bool:
    """Tell whether the rows are coherent: Definition 1 of the paper, by plain counting of every known itemset."""
    counts = _encode(rows, private)
    crowd, limit = promise.tolerance.smallest_crowd, promise.tolerance.attribute or Fraction(1)
    everybody = np.arange(len(counts.weights))
    total = int(counts.weights.sum())
    nobody_known = np.zeros(len(everybody), np.int64)
    if _breaches(counts, everybody, nobody_known, np.array([total]), crowd, limit).any():
        return False
    exposed = np.zeros(len(counts.weights), np.bool_)
    _mark(counts, everybody, -1, promise.attacker["at_most"], crowd, limit, exposed)
    return int(counts.weights[exposed].sum()) <= promise.tolerance.share * total


def _encode(rows: Rows, private: set[str]) -> _Counts:
    number = {label: code for code, label in enumerate(sorted(frozenset().union(*rows)))}

    def side(of: Callable[[str], bool]) -> tuple[Ints, Ints]:
        parts = [sorted(number[label] for label in row if of(label)) for row in rows]
        offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
        return offsets, np.array([code for part in parts for code in part], np.int64)

    return _Counts(
        np.array(list(rows.values()), np.int64),
        side(lambda label: label not in private),
        side(lambda label: label in private),
        len(number),
    )


def _mark(
    counts: _Counts,
    cohort: Ints,
    last: int,
    more: int,
    crowd: int,
    limit: Fraction,
    exposed: NDArray[np.bool_],
) -> None:
    """Mark the rows of every mole that adds up to `more` items beyond `last` to what the cohort is known to hold."""
    rows, items = _entries(counts.public, cohort)
    rows, items = rows[items > last], items[items > last]
    if not len(items):
        return
    order = np.argsort(items, kind="stable")
    rows, items = rows[order], items[order]
    starts = np.flatnonzero(np.r_[True, items[1:] != items[:-1]])
    ends = np.r_[starts[1:], len(items)]
    supports = np.add.reduceat(counts.weights[rows], starts)
    group = np.repeat(np.arange(len(starts)), ends - starts)
    bad = _breaches(counts, rows, group, supports, crowd, limit)
    exposed[rows[bad[group]]] = True
    if more == 1:
        return
    for place in np.flatnonzero(~bad).tolist():
        if last < 0:
            tell("checking the written files", place, len(starts))
        start, end = starts[place], ends[place]
        _mark(counts, rows[start:end], int(items[start]), more - 1, crowd, limit, exposed)


def _entries(side: tuple[Ints, Ints], rows: Ints) -> tuple[Ints, Ints]:
    """Return (row, item) for every item of some rows."""
    offsets, codes = side
    size = offsets[rows + 1] - offsets[rows]
    begin = np.repeat(offsets[rows] - (np.cumsum(size) - size), size)
    return np.repeat(rows, size), codes[begin + np.arange(int(size.sum()))]


def _breaches(
    counts: _Counts, rows: Ints, group: Ints, supports: Ints, crowd: int, limit: Fraction
) -> NDArray[np.bool_]:
    """Tell for each group of rows whether it is too small a crowd, or holds a private item too often."""
    bad = supports < crowd
    held, private = _entries(counts.private, rows)
    if not len(private):
        return bad
    size = counts.private[0][rows + 1] - counts.private[0][rows]
    keys, place = np.unique(np.repeat(group, size) * counts.privates + private, return_inverse=True)
    times = np.zeros(len(keys), np.int64)
    np.add.at(times, place, counts.weights[held])
    most = np.zeros(len(supports), np.int64)
    np.maximum.at(most, keys // counts.privates, times)
    allowed = np.array([limit.numerator * int(size) // limit.denominator for size in supports], np.int64)
    breached: NDArray[np.bool_] = bad | (most > allowed)
    return breached


_CHECKS: dict[str, Callable[[Rows, set[str], Promise], bool]] = {"items": _keeps_items}
