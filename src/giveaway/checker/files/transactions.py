"""Released transactions compared with the original minus the withheld items."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.checker.files.reading import is_stored, lines, records
from giveaway.checker.files.stored import QUOTED, Written, layout_of
from giveaway.checker.promise import disagree
from giveaway.errors import CheckFailed
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Layout
from giveaway.model.release.release import Release

Rows = Counter[frozenset[str]]
Codes = Mapping[Label, str] | None

_YES = {"1", "true", "True", "TRUE"}
_NO = {"0", "false", "False", "FALSE"}


def same(file: Written, release: Release, original: Transactions, codes: Codes) -> Rows:
    """Return the written transactions, once they are the original ones without what is withheld of the items."""
    rows: Rows = Counter(read(file, layout_of(file, original.origin), only=True))
    if rows != expected(original, release.withheld.items, codes, categories(release, original)):
        raise disagree(f"{file.name} is not the original minus what is withheld.")
    return rows


def private(original: Transactions, codes: Codes) -> set[str]:
    """Return the private items as they are written; one that is withheld has no code."""
    labels = (original.labels[code] for code in original.private)
    return {_text(label, codes) for label in labels if codes is None or label in codes}


def categories(release: Release, original: Transactions) -> dict[Label, Label]:
    """Find the category under which each item must have been written that has one, by the lines of the hierarchy."""
    lines = {str(item): labels for of in release.hierarchies.values() for item, labels in of.of.items()}
    private = {original.labels[code] for code in original.private}
    mixed = {label for item in private for label in lines.get(str(item), ())}
    category_of: dict[Label, Label] = {}
    for item, level in release.withheld.item_levels.items():
        if item in private:
            raise disagree("A private item is given as its category.")
        label = lines[str(item)][level - 1]
        if label in mixed:
            raise disagree("A category holds a private item.")
        if str(label) != str(item):
            category_of[item] = label
    return category_of


def expected(
    original: Transactions,
    withheld: Iterable[Label],
    codes: Codes,
    under: Mapping[Label, Label] | None = None,
) -> Rows:
    """Return the rows that must have been written, items under their category where they have one."""
    gone, under = set(withheld), under or {}
    labels = [None if label in gone else under.get(label, label) for label in original.labels]
    texts = [None if label is None else _text(label, codes) for label in labels]
    shown = {label: text for label, text in zip(labels, texts, strict=True) if text is not None}
    own = [label for label in original.labels if label not in gone and label not in under]
    if len(set(shown.values())) < len(shown) or set(own) & set(under.values()):
        raise CheckFailed(
            "Two different labels are written in the same way.", hint="make the labels distinct as text."
        )
    rows: Rows = Counter()
    for row, weight in enumerate(original.weights.tolist()):
        items = original.codes[original.offsets[row] : original.offsets[row + 1]].tolist()
        rows[frozenset(text for code in items if (text := texts[code]) is not None)] += weight
    return rows


def read(
    file: Written,
    layout: Layout,
    plain: Iterable[Mapping[str, Any]] | None = None,
    *,
    only: bool = False,
) -> Iterator[frozenset[str]]:
    """Give the written transactions, once each item has one written form.

    `plain` are the records of a file that need not be written as ours are; `only` refuses columns that are not published.
    """
    if layout.shape == "baskets" and isinstance(file, Path):
        return (_basket(line, layout) for line in lines(file))
    forms = _ItemForms()
    if layout.shape == "long" and plain is None and is_stored(layout):
        return _sorted_long(file, layout, forms, only=only)
    read_back = records(file, layout) if plain is None else plain
    if layout.shape not in ("long", "lists"):
        return _one_hot(read_back, layout)
    if only:
        read_back = _known(read_back, layout)
    if layout.shape == "long":
        return _long(read_back, layout, forms)
    return (_once(_lists(record, layout, forms)) for record in read_back)


def _known(records: Iterable[Any], layout: Layout) -> Iterator[Any]:
    """Refuse a column that nobody said was published next to the items."""
    known = {layout.id, layout.item, *layout.others}
    for record in records:
        if isinstance(record, Mapping) and not record.keys() <= known:
            raise disagree("A column stands next to the items that is not published.")
        yield record


class _ItemForms(dict[str, object]):
    """How the text of each item is written: in quotes, or as a value of which type."""

    def text(self, item: Any) -> str:
        """Return the text of an item."""
        quoted = isinstance(item, tuple)
        text, form = (item[1], QUOTED) if quoted else (str(item), type(item))
        if self.setdefault(text, form) != form:
            raise disagree("An item has two written forms.")
        return str(text)


def _once(items: Iterable[str]) -> frozenset[str]:
    listed = list(items)
    if len(set(listed)) < len(listed):
        raise disagree("An item appears twice in a transaction.")
    return frozenset(listed)


def _text(label: Label, codes: Codes) -> str:
    return str(label) if codes is None else codes[label]


def _basket(line: bytes, layout: Layout) -> frozenset[str]:
    words = line.split()
    if b" ".join(words) + b"\n" != line:
        raise disagree("Items are not separated in the same way everywhere.")
    return _once(word.decode(layout.encoding) for word in words)


def _lists(record: Any, layout: Layout, forms: _ItemForms) -> Iterator[str]:
    return map(forms.text, record if layout.item is None else record[layout.item])


def _sorted_long(file: Written, layout: Layout, forms: _ItemForms, *, only: bool) -> Iterator[frozenset[str]]:
    whose = itemgetter(layout.id or "")
    in_order = records(file, layout, by=layout.id)
    for _, rows in groupby(_known(in_order, layout) if only else in_order, whose):
        yield frozenset(_items(rows, layout, forms))


def _long(
    records: Iterable[Mapping[str, Any]], layout: Layout, forms: _ItemForms
) -> Iterator[frozenset[str]]:
    """Gather rows that come in any order, as numbers, which need less room than sets."""
    numbers: dict[Any, int] = {}
    codes: dict[str, int] = {}
    whose, what = array("q"), array("q")
    for record in records:
        number = numbers.setdefault(record[layout.id or ""], len(numbers))
        for item in _items([record], layout, forms):
            whose.append(number)
            what.append(codes.setdefault(item, len(codes)))
    labels = np.array(list(codes), object)
    items = np.array(what)[np.argsort(whose, kind="stable")]
    ends = np.cumsum(np.bincount(np.array(whose, np.int64), minlength=len(numbers))).tolist()
    for start, end in pairwise([0, *ends]):
        yield frozenset(labels[items[start:end]].tolist())


def _items(records: Iterable[Mapping[str, Any]], layout: Layout, forms: _ItemForms) -> Iterator[str]:
    items = (record[layout.item or ""] for record in records)
    return (forms.text(item) for item in items if item != layout.nothing)


def _one_hot(records: Iterable[Mapping[str, Any]], layout: Layout) -> Iterator[frozenset[str]]:
    """Give the columns that say yes; yes and no have one form each in a column."""
    forms: defaultdict[tuple[str, bool], _ItemForms] = defaultdict(_ItemForms)
    for record in records:
        held = set()
        for name, value in record.items():
            if name in layout.others:
                continue
            text = str(value)
            if text not in _YES | _NO:
                raise disagree(f"The column {name} says neither yes nor no.")
            forms[name, text in _YES].text(value)
            if len(forms[name, text in _YES]) > 1:
                raise disagree(f"The column {name} has two written forms of yes or of no.")
            if text in _YES:
                held.add(name)
        yield frozenset(held)
