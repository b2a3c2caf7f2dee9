"""Judge the attack `items` by plain counting of every known itemset."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from giveaway.checker.check import Check, ReadBack
from giveaway.checker.files.transactions import private as written_private
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.checker.together import baskets
from giveaway.checker.together.written import SeenTogether, Some, WrittenNow, one_by_one_and_all
from giveaway.model.data.arrays import Ints
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell

Rows = Counter[frozenset[str]]


@dataclass(frozen=True)
class _Counts:
    """Released rows as arrays: items of each row ascending, public and private apart."""

    weights: Ints
    public: tuple[Ints, Ints]
    private: tuple[Ints, Ints]
    privates: int


def keeps(rows: Rows, private: set[str], promise: Promise) -> bool:
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
    rows, items, starts = _by_item(counts, cohort, last)
    if not len(items):
        return
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


def _by_item(counts: _Counts, cohort: Ints, last: int) -> tuple[Ints, Ints, Ints]:
    """Return the rows of a cohort with each public item beyond `last` that they hold, item by item, and where each begins."""
    rows, items = _entries(counts.public, cohort)
    rows, items = rows[items > last], items[items > last]
    order = np.argsort(items, kind="stable")
    rows, items = rows[order], items[order]
    return rows, items, np.flatnonzero(np.r_[True, items[1:] != items[:-1]]) if len(items) else order


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


# Rows that cannot be joined -------------------------------------------------------------------------------------


def _surest(rows: Rows, private: set[str], most: int) -> dict[str, Fraction]:
    """Return of each private item the largest part of the rows that hold some known items, or are any, that hold it too."""
    counts = _encode(rows, private)
    names, surest = sorted(frozenset().union(*rows)), dict[int, Fraction]()

    def look(cohort: Ints, last: int, more: int) -> None:
        held, items = _entries(counts.private, cohort)
        times = np.zeros(counts.privates, np.int64)
        np.add.at(times, items, counts.weights[held])
        support = int(counts.weights[cohort].sum())
        for item in np.flatnonzero(times).tolist():
            surest[item] = max(surest.get(item, Fraction(0)), Fraction(int(times[item]), support))
        if not more or not len(held):  # rows without a private item tell of none, nor does a part of them
            return
        holding, items, starts = _by_item(counts, cohort, last)
        for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(items)], strict=False):
            look(holding[start:end], int(items[start]), more - 1)

    look(np.arange(len(counts.weights)), -1, most)
    return {names[item]: chance for item, chance in surest.items()}


def _unjoined(written: WrittenNow, promise: Promise) -> Iterator[SeenTogether]:
    """Give what is told of a private item at some time by files of other periods whose rows cannot be joined.

    With all ways to join them equally likely, somebody's rows there are independent of each other: the item is in none with
    the product of the chances that it is not in each.
    """
    earlier = [one for one in written.release.earlier if one.ways]
    private, most = baskets.private_in_some(written), promise.attacker["at_most"]
    limit = promise.tolerance.attribute or Fraction(1)

    def chances_of(rows: Some, apart: Some, *, before: bool = False) -> dict[str, Fraction]:
        parts = [Counter(frozenset(row) for row in baskets.named(one)) for one in apart]
        hidden = private
        if rows or not before:
            opened = baskets.joined(written, rows, whenever=True, before=before)
            parts.append(opened.content)
            hidden = _private(opened) | private
        by_part = [_surest(part, hidden, most) for part in parts]
        names = {item: {item, baskets.whenever(item)} for item in private}
        chances = (
            [
                max((part.get(name, Fraction(0)) for name in names[item]), default=Fraction(0))
                for part in by_part
            ]
            for item in names
        )
        return {
            item: 1 - prod((1 - one for one in each), start=Fraction(1))
            for item, each in zip(names, chances, strict=True)
        }

    def keeps(rows: Some, apart: Some) -> bool:
        return all(chance <= limit for chance in chances_of(rows, apart).values())

    def adds_nothing(rows: Some, apart: Some) -> bool:
        was = chances_of(rows, apart, before=True)
        return all(chance <= max(limit, was[item]) for item, chance in chances_of(rows, apart).items())

    for ways in product(*(one.ways for one in earlier)):
        apart = tuple(one for one, way in zip(earlier, ways, strict=True) if way == "people")
        rows = tuple(one for one in earlier if one not in apart)
        if apart:
            yield SeenTogether(
                earlier=(*rows, *apart),
                keeps=partial(keeps, rows, apart),
                adds_nothing=partial(adds_nothing, rows, apart),
            )


def _keeps(opened: ReadBack, promise: Promise) -> bool:
    return keeps(opened.content, _private(opened), promise)


def _private(opened: ReadBack) -> set[str]:
    original = opened.release.original
    assert isinstance(original, Transactions)  # noqa: S101 # called for transactions
    return written_private(original, opened.codes)


def _together(written: WrittenNow, promise: Promise) -> Iterator[SeenTogether]:
    """Give the rows joined with those of earlier releases, and of the same transactions those that only one release shows.

    Of another period, rows that nobody can join tell of a private item at some time only: every way to join them is possible.
    """
    whenever = promise.tolerance.attribute is not None
    for one in written.release.earlier:
        if one.ways and one.facts == "same" and one.linked != "rows":
            raise unconfirmed(
                f"What rows of {one.name} tell that only may belong to the same transactions is not checked."
            )
    for some in one_by_one_and_all([one for one in written.release.earlier if "rows" in one.ways]):
        opened = baskets.joined(written, some, whenever=whenever)
        before = partial(baskets.joined, written, some, whenever=whenever, before=True)
        yield SeenTogether(
            earlier=some,
            keeps=partial(_keeps, opened, promise),
            adds_nothing=partial(_adds_nothing, opened, before, promise),
        )
    if whenever:
        yield from _unjoined(written, promise)
    for one in written.release.earlier:
        if one.ways and one.facts == "same":
            for opened in baskets.by_difference(written, one):
                yield SeenTogether(earlier=(one,), keeps=partial(_keeps, opened, promise))


def _adds_nothing(opened: ReadBack, before: Callable[[], ReadBack], promise: Promise) -> bool:
    """Tell whether nothing that one item tells is over a limit, or worse, because of the release now.

    Of several items all that hold what is out are over the limit too, and would have to be listed.
    """
    if promise.attacker["at_most"] > 1:
        return False
    was = _told_by_one(before(), promise)
    return all(chance <= was.get(what, 0) for what, chance in _told_by_one(opened, promise).items())


def _told_by_one(opened: ReadBack, promise: Promise) -> dict[tuple[str, str | None], Fraction]:
    """Return what is over a limit for somebody who knows one item, or none: who it is, or a private item, and its chance."""
    private = _private(opened)
    support, both = Counter[str](), Counter[tuple[str, str]]()
    for row, weight in opened.content.items():
        for item in ("", *(row - private)):
            support[item] += weight
            both.update({(item, held): weight for held in row & private})
    crowd, limit = promise.tolerance.smallest_crowd, promise.tolerance.attribute or Fraction(1)
    over: dict[tuple[str, str | None], Fraction] = {
        (item, None): Fraction(1, many) for item, many in support.items() if item and many < crowd
    }
    for (item, held), many in both.items():
        if many > limit * support[item]:
            over[item, held] = Fraction(many, support[item])
    return over


CHECK = Check(
    attack="items", form="transactions", limits=("identity", "attribute"), keeps=_keeps, together=_together
)
