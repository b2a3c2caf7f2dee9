"""Released transactions compared with the original minus the withheld items."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from giveaway.checker.promise import disagree
from giveaway.checker.reading import lines, records
from giveaway.errors import CheckFailed
from giveaway.model.labels import Label
from giveaway.model.origin import Layout
from giveaway.model.transactions import Transactions

Rows = Counter[frozenset[str]]
Codes = Mapping[Label, str] | None

_YES = {"1", "true", "True", "TRUE"}


def same(file: Path, original: Transactions, withheld: Iterable[Label], codes: Codes) -> Rows:
    """Return the written transactions, once they are the original ones without the withheld items."""
    assert original.origin is not None  # noqa: S101 # data without a form cannot have been written
    rows: Rows = Counter(read(file, original.origin.layout))
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


def read(file: Path, layout: Layout) -> Iterator[frozenset[str]]:
    """Give the written transactions."""
    if layout.shape == "baskets":
        return (frozenset(part.decode(layout.encoding) for part in line.split()) for line in lines(file))
    found = records(file, layout)
    if layout.shape == "lists":
        return (frozenset(_lists(record, layout)) for record in found)
    return _long(found, layout) if layout.shape == "long" else _one_hot(found, layout)


def _text(label: Label, codes: Codes) -> str:
    return str(label) if codes is None else codes[label]


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
