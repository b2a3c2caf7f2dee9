"""Released transactions compared with the original minus the withheld items."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.checker.promise import disagree
from giveaway.checker.reading import is_stored, lines, records
from giveaway.checker.stored import Written, layout_of
from giveaway.errors import CheckFailed
from giveaway.model.labels import Label
from giveaway.model.origin import Layout
from giveaway.model.transactions import Transactions

Rows = Counter[frozenset[str]]
Codes = Mapping[Label, str] | None

_YES = {"1", "true", "True", "TRUE"}


def same(file: Written, original: Transactions, withheld: Iterable[Label], codes: Codes) -> Rows:
    """Return the written transactions, once they are the original ones without the withheld items."""
    rows: Rows = Counter(read(file, layout_of(file, original.origin)))
    if rows != expected(original, withheld, codes):
        raise disagree(f"{file.name} is not the original minus what is withheld.")
    return rows


def private(original: Transactions, codes: Codes) -> set[str]:
    """Return the private items as they are written; one that is withheld has no code."""
    labels = (original.labels[code] for code in original.private)
    return {_text(label, codes) for label in labels if codes is None or label in codes}


def expected(original: Transactions, withheld: Iterable[Label], codes: Codes) -> Rows:
    """Return the rows that must have been written."""
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


def read(file: Written, layout: Layout) -> Iterator[frozenset[str]]:
    """Give the written transactions."""
    if layout.shape == "baskets" and isinstance(file, Path):
        return (frozenset(part.decode(layout.encoding) for part in line.split()) for line in lines(file))
    if layout.shape == "long":
        return _sorted_long(file, layout) if is_stored(layout) else _long(records(file, layout), layout)
    found = records(file, layout)
    if layout.shape == "lists":
        return (frozenset(_lists(record, layout)) for record in found)
    return _one_hot(found, layout)


def _text(label: Label, codes: Codes) -> str:
    return str(label) if codes is None else codes[label]


def _lists(record: Any, layout: Layout) -> Iterator[str]:
    items = record if layout.item is None else record[layout.item]
    return (str(item) for item in items or ())


def _sorted_long(file: Written, layout: Layout) -> Iterator[frozenset[str]]:
    whose = itemgetter(layout.id or "")
    for _, rows in groupby(records(file, layout, by=layout.id), whose):
        yield frozenset(_items(rows, layout))


def _long(records: Iterable[Mapping[str, Any]], layout: Layout) -> Iterator[frozenset[str]]:
    """Gather rows that come in any order, as numbers, which need less room than sets."""
    numbers: dict[Any, int] = {}
    codes: dict[str, int] = {}
    whose, what = array("q"), array("q")
    for record in records:
        number = numbers.setdefault(record[layout.id or ""], len(numbers))
        for item in _items([record], layout):
            whose.append(number)
            what.append(codes.setdefault(item, len(codes)))
    labels = np.array(list(codes), object)
    items = np.array(what)[np.argsort(whose, kind="stable")]
    ends = np.cumsum(np.bincount(np.array(whose, np.int64), minlength=len(numbers))).tolist()
    for start, end in pairwise([0, *ends]):
        yield frozenset(labels[items[start:end]].tolist())


def _items(records: Iterable[Mapping[str, Any]], layout: Layout) -> Iterator[str]:
    items = (record[layout.item or ""] for record in records)
    return (str(item) for item in items if item is not None and str(item) not in layout.missing)


def _one_hot(records: Iterable[Mapping[str, Any]], layout: Layout) -> Iterator[frozenset[str]]:
    for record in records:
        yield frozenset(
            name for name, value in record.items() if name not in layout.others and str(value) in _YES
        )
