"""Judge the attack `items` by plain counting of every known itemset."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from giveaway.checker.check import Check, Opened
from giveaway.checker.files.transactions import private as written_private
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.checker.together import baskets
from giveaway.checker.together.given import Given, Seen, one_by_one_and_all
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell

Ints = NDArray[np.int64]
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


def _keeps(opened: Opened, promise: Promise) -> bool:
    original = opened.release.original
    assert isinstance(original, Transactions)  # noqa: S101 # called for transactions
    return keeps(opened.content, written_private(original, opened.codes), promise)


def _together(given: Given, promise: Promise) -> Iterator[Seen]:
    """Give the rows joined with those of earlier releases, and of the same transactions those that only one release shows.

    Of another period, rows that nobody can join tell no more together than each alone: every way to join them is possible.
    """
    whenever = promise.tolerance.attribute is not None
    for one in given.release.earlier:
        if one.ways and one.facts == "same" and one.linked != "rows":
            raise unconfirmed(
                f"What rows of {one.name} tell that only may belong to the same transactions is not checked."
            )
    for some in one_by_one_and_all([one for one in given.release.earlier if "rows" in one.ways]):
        opened = baskets.joined(given, some, whenever=whenever)
        before = partial(baskets.joined, given, some, whenever=whenever, before=True)
        yield Seen(
            earlier=some,
            keeps=partial(_keeps, opened, promise),
            adds_nothing=partial(_adds_nothing, opened, before, promise),
        )
    for one in given.release.earlier:
        if one.ways and one.facts == "same":
            for opened in baskets.by_difference(given, one):
                yield Seen(earlier=(one,), keeps=partial(_keeps, opened, promise))


def _adds_nothing(opened: Opened, before: Callable[[], Opened], promise: Promise) -> bool:
    """Tell whether nothing that one item tells is over a limit, or worse, because of the release now.

    Of several items all that hold what is out are over the limit too, and would have to be listed.
    """
    if promise.attacker["at_most"] > 1:
        return False
    was = _told_by_one(before(), promise)
    return all(chance <= was.get(what, 0) for what, chance in _told_by_one(opened, promise).items())


def _told_by_one(opened: Opened, promise: Promise) -> dict[tuple[str, str | None], Fraction]:
    """Return what is over a limit for somebody who knows one item, or none: who it is, or a private item, and its chance."""
    original = opened.release.original
    assert isinstance(original, Transactions)  # noqa: S101 # called for transactions
    private = written_private(original, opened.codes)
    support, both = Counter[str](), Counter[tuple[str, str]]()
    for row, weight in opened.content.items():
        for item in ("", *(row - private)):
            support[item] += weight
            both.update({(item, held): weight for held in row & private})
    crowd, limit = promise.tolerance.smallest_crowd, promise.tolerance.attribute or Fraction(1)
    found: dict[tuple[str, str | None], Fraction] = {
        (item, None): Fraction(1, many) for item, many in support.items() if item and many < crowd
    }
    for (item, held), many in both.items():
        if many > limit * support[item]:
            found[item, held] = Fraction(many, support[item])
    return found


CHECK = Check(
    attack="items", form="transactions", limits=("identity", "attribute"), keeps=_keeps, together=_together
)
