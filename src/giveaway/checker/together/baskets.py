"""The transactions of a written release joined with those of earlier ones: items of another period are other items."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from giveaway.checker.check import ReadBack
from giveaway.checker.files import transactions
from giveaway.checker.files.stored import layout_of
from giveaway.checker.promise import disagree, unconfirmed
from giveaway.checker.together.reading import read_baskets
from giveaway.checker.together.written import Some, WrittenNow
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.withheld import Withheld

_WHENEVER = " at some time"
"""What ends the name of an item that somebody has in some release, whichever it is."""


def joined(written: WrittenNow, earlier: Some, *, whenever: bool, before: bool = False) -> ReadBack:
    """Join transactions; with `whenever` items are also those of no period: known, and private, at some time.

    With `before` nothing of the release now is in them. Who has left hides nobody whom the release now shows.
    """
    rows: list[set[str]] = [set() for _ in range(len(written.release.original))] if before else shown(written)
    private = private_in_some(written)
    hidden = private | {f"{item}{_WHENEVER}" for item in private}
    own = frozenset().union(*rows)
    whole = [(row, row) for row in rows]
    for one in earlier:
        left: list[tuple[set[str], set[str]]] = []
        for now, items in zip(written.rows_now(one).tolist(), named(one), strict=True):
            called = {*items} if one.facts == "same" else {f"{item}@{one.name}" for item in items}
            if one.facts == "other" and not own.isdisjoint(called):
                raise unconfirmed(f"An item is called like one of {one.name}.")
            hidden |= {f"{item}@{one.name}" for item in items & private if one.facts == "other"}
            if now < 0:
                left.append((called, items))
            else:
                whole[now] = whole[now][0] | called, whole[now][1] | items
        whole += left if before else []
    if whenever and any(one.facts == "other" for one in earlier):
        return opened(written, [row | {f"{item}{_WHENEVER}" for item in some} for row, some in whole], hidden)
    return opened(written, [row for row, _ in whole], hidden)


def shown(written: WrittenNow) -> list[set[str]]:
    """Return what the written file shows, row by row of the original, items by their names."""
    original = written.release.original
    assert isinstance(original, Transactions)  # noqa: S101 # asked of transactions
    if not isinstance(written.file, Path):
        return _planned(written, original)
    names = {} if written.codes is None else {code: str(label) for label, code in written.codes.items()}
    baskets = list(transactions.read(written.file, layout_of(written.file, original.origin)))
    if len(baskets) != len(original):
        raise disagree(f"{written.file.name} does not have the rows of the original.")
    places = (np.arange(len(original)) if written.order is None else written.order).tolist()
    rows: list[set[str]] = [set() for _ in baskets]
    for place, basket in zip(places, baskets, strict=True):
        rows[place] = {names.get(item, item) for item in basket}
    return rows


def _planned(written: WrittenNow, original: Transactions) -> list[set[str]]:
    """Return what is to be shown: a table has no order, and that its rows are these was compared."""
    if original.record_of is None:
        raise unconfirmed("The transactions are not known one by one.")
    gone, under = {*written.release.withheld.items}, transactions.categories(written.release, original)
    texts = [None if label in gone else str(under.get(label, label)) for label in original.labels]
    kinds = []
    for record in range(len(original.weights)):
        held = original.codes[original.offsets[record] : original.offsets[record + 1]].tolist()
        kinds.append({text for code in held if (text := texts[code]) is not None})
    return [kinds[record] for record in original.record_of.tolist()]


def named(one: Earlier) -> Iterator[set[str]]:
    """Give the transactions of an earlier release with the names of items, where they are known."""
    names = {} if one.codes is None else {code: str(label) for label, code in one.codes.items()}
    return ({names.get(item, item) for item in basket} for basket in read_baskets(one))


def private_in_some(written: WrittenNow) -> set[str]:
    """Return the items that are private in some release: they are a person's, whichever shows them."""
    every = [written.release.original, *(one.shown for one in written.release.earlier)]
    return {str(one.labels[code]) for one in every if isinstance(one, Transactions) for code in one.private}


def whenever(item: str) -> str:
    """Return how joined rows call an item that somebody has in some release."""
    return f"{item}{_WHENEVER}"


def opened(written: WrittenNow, rows: Sequence[set[str]], hidden: set[str]) -> ReadBack:
    """Make a release of rows, of which some items are private."""
    content = Counter(frozenset(row) for row in rows)
    labels = tuple(sorted({item for row in content for item in row}))
    nothing = np.zeros(0, np.int64)
    original = Transactions(
        offsets=np.zeros(1, np.int64),
        codes=nothing.astype(np.int32),
        weights=nothing,
        labels=labels,
        private=frozenset(at for at, item in enumerate(labels) if item in hidden),
    )
    release = replace(
        written.release,
        original=original,
        withheld=Withheld(),
        stated=Withheld(),
        hierarchies={},
        keep=(),
        earlier=(),
    )
    return ReadBack(form="transactions", content=content, release=release, codes=None)


def by_difference(written: WrittenNow, one: Earlier) -> Iterator[ReadBack]:
    """Give the rows that only one of two releases of the same transactions shows, of the items that both show.

    Each row takes one like it from the other release.
    """
    now, then = [frozenset(row) for row in shown(written)], [frozenset(row) for row in named(one)]
    common = frozenset().union(*now) & frozenset().union(*then)
    first, second = (Counter(row & common for row in rows) for rows in (now, then))
    private = private_in_some(written)
    for left in (first - second, second - first):
        rows = [set(row) for row in left.elements()]
        if any(row - private for row in rows):
            yield opened(written, rows, private)
