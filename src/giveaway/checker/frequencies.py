"""Judge the attack `frequencies`: count the codes in the file, and work the chances out from the other end."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement, pairwise
from math import ceil, comb, floor
from statistics import median
from typing import Any

from giveaway.checker.mappings import Kind, chances
from giveaway.checker.promise import Promise, disagree
from giveaway.model.labels import Label
from giveaway.model.progress import tell
from giveaway.model.transactions import Transactions

Rows = Counter[frozenset[str]]
Interval = tuple[int, int]

ESTIMATED = Fraction(21, 20)
"""How much larger a total may be than the limit when parts of it are estimated."""

SINGLE = Fraction(3, 2)
"""How much larger an estimated single chance may be."""

_TOLD = 10_000


@dataclass(frozen=True)
class _Item:
    """A published item: how often its code stands in the file, and the doubled counts that are believed of it."""

    label: Label
    count: int
    low: int
    high: int

    @property
    def right(self) -> bool:
        return self.low <= 2 * self.count <= self.high


def keeps(
    rows: Rows,
    original: Transactions,
    withheld: Collection[Label],
    codes: Mapping[Label, str] | None,
    promise: Promise,
) -> bool:
    """Tell whether no more items are recognised in the written file than was promised."""
    if codes is None:
        raise disagree("The items are not renamed, which is what was promised.")
    counted: Counter[str] = Counter()
    for row, weight in rows.items():
        for code in row:
            counted[code] += weight
    items = _items(original, set(withheld), codes, counted, rows.total(), promise.attacker["belief"])
    if promise.attacker["targets"] != "items":
        return _sets_kept(items, promise)
    return _items_kept(items, promise)


def _items(
    original: Transactions,
    gone: set[Label],
    codes: Mapping[Label, str],
    counted: Mapping[str, int],
    total: int,
    belief: Any,
) -> list[_Item]:
    """Set the counts in the file beside what is believed; the half-width is that of the original data."""
    known = dict(zip(original.labels, original.supports.tolist(), strict=True))
    before = {label: known.get(label, 0) for label in (*original.labels, *original.domain)}
    believed = _believed(belief, before, total)
    made = []
    for label, support in before.items():
        if label in gone:
            continue
        count = counted.get(codes[label], 0) if label in codes else 0
        if count != support:
            raise disagree("A code does not stand for as many items in the file as in the original.")
        made.append(_Item(label, count, *believed(label)))
    return made


def _believed(belief: Any, counts: Mapping[Label, int], total: int) -> Callable[[Label], Interval]:
    """Return a function that tells the interval of doubled counts that is believed of an item."""
    if belief.kind == "intervals":
        given = {label: (ceil(2 * total * low), floor(2 * total * high)) for label, low, high in belief.given}
        return lambda label: given.get(label, (0, 2 * total))
    if belief.kind == "from sample":
        sample = belief.sample
        held = dict(zip(sample.labels, sample.supports.tolist(), strict=True))
        seen = {label: held.get(label, 0) for label in counts}
        width, size = _gaps(seen.values(), "median gap"), len(sample)
        return lambda label: (
            ceil(Fraction(2 * total, size) * (seen[label] - width)),
            floor(Fraction(2 * total, size) * (seen[label] + width)),
        )
    if belief.kind == "ignorant":
        return lambda _: (0, 2 * total)
    width = Fraction(0)
    if belief.kind == "around":
        given_width = belief.width
        width = _gaps(counts.values(), given_width) if isinstance(given_width, str) else given_width * total
    return lambda label: (2 * counts[label] - floor(2 * width), 2 * counts[label] + floor(2 * width))


def _gaps(counts: Iterable[int], which: str) -> Fraction:
    groups = sorted(set(counts))
    gaps = [Fraction(high - low) for low, high in pairwise(groups)]
    if not gaps:
        return Fraction(0)
    return Fraction(median(gaps)) if which == "median gap" else sum(gaps, Fraction(0)) / len(gaps)


def _ranges(items: list[_Item]) -> tuple[list[int], list[Kind]]:
    """Return the sizes of the groups from the most frequent down, and the range and own group of each item."""
    falling = sorted({item.count for item in items}, reverse=True)
    rising = [-2 * count for count in falling]
    sizes = Counter(item.count for item in items)
    found = [
        (
            (bisect_left(rising, -item.high), bisect_right(rising, -item.low) - 1),
            bisect_left(rising, -2 * item.count),
        )
        for item in items
    ]
    return [sizes[count] for count in falling], found


def _candidates(sizes: list[int], found: list[Kind]) -> list[int]:
    """Count the codes that may stand for each item."""
    before = [0, *accumulate(sizes)]
    return [max(before[last + 1] - before[first], 0) for (first, last), _ in found]


def _items_kept(items: list[_Item], promise: Promise) -> bool:
    """Judge single items: the expected share that is recognised, and the share of those at the limit."""
    attacker, tolerance = promise.attacker, promise.tolerance
    sizes, found = _ranges(items)
    if all(item.right for item in items):
        exact, guessed = chances(sizes, Counter(found))
        values = [exact[kind] if kind in exact else Fraction(guessed[kind]) for kind in found]
        roughly = ESTIMATED if guessed or attacker["known_pairs"] is not None else Fraction(1)
    else:
        # Wrong beliefs leave no mapping that could be counted: one in the number of candidates stands for the chance.
        degrees = _candidates(sizes, found)
        values = [
            Fraction(1, many) if item.right and many else Fraction(0)
            for item, many in zip(items, degrees, strict=True)
        ]
        roughly = SINGLE
    wanted = set(attacker["of_interest"]) or {item.label for item in items}
    counts = [item.label in wanted for item in items]
    values = [value if inside else Fraction(0) for value, inside in zip(values, counts, strict=True)]
    part, shown = _believed_rightly(items, values, attacker)
    number = max(sum(counts), 1)
    average = part * sum(shown, Fraction(0)) / number
    if tolerance.average is not None and average > tolerance.average * roughly:
        return False
    if tolerance.identity is None:
        return True
    limit = tolerance.identity * (1 if roughly == 1 else SINGLE)
    return part * Fraction(sum(value >= limit for value in shown), number) <= tolerance.share


def _believed_rightly(
    items: list[_Item], values: list[Fraction], attacker: Mapping[str, Any]
) -> tuple[Fraction, list[Fraction]]:
    """Return which part of the items is believed rightly and the chances that count, or those of the first in an order."""
    share, order = attacker["compliance"], attacker["order"]
    if order == "random" or share == 1:
        return share, values
    keys: list[Fraction] = {
        "worst": [-value for value in values],
        "best": values,
        "frequency": [Fraction(item.count) for item in items],
    }[order]
    first = sorted(range(len(items)), key=keys.__getitem__)[: ceil(share * len(items))]
    return Fraction(1), [values[place] for place in first]


def _sets_kept(items: list[_Item], promise: Promise) -> bool:
    """Judge sets of items by the product of the shares of candidates inside the set, which was found to be too low.

    Pairs and listed sets are judged; of sets that were drawn at random nobody knows here which they were.
    """
    limit, wanted = promise.tolerance.identity, promise.attacker["targets"]
    if limit is None:
        return False
    sizes, found = _ranges(items)
    degrees = dict(zip(found, _candidates(sizes, found), strict=True))

    def vulnerable(members: Sequence[Kind]) -> bool:
        inside, whole = 1, 1
        for (first, last), own in members:
            inside *= sum(first <= other <= last for _, other in members)
            whole *= max(degrees[(first, last), own], 1)
        return Fraction(inside, whole) >= limit

    if wanted == "pairs":
        over, number = {2: _pairs(Counter(found), vulnerable)}, comb(len(items), 2)
    elif isinstance(wanted, Iterable):
        kind_of = dict(zip((item.label for item in items), found, strict=True))
        sets = [[kind_of[label] for label in one] for one in wanted if all(x in kind_of for x in one)]
        over, number = Counter(len(one) for one in sets if vulnerable(one)), len(sets)
    else:
        return True
    right = ceil(promise.attacker["compliance"] * len(items))
    shares = (Fraction(many * comb(right, size), comb(len(items), size)) for size, many in over.items())
    return sum(shares, Fraction(0)) <= promise.tolerance.share * number * ESTIMATED


def _pairs(many: Mapping[Kind, int], vulnerable: Callable[[Sequence[Kind]], bool]) -> int:
    """Count the vulnerable pairs, kind by kind."""
    found = 0
    for number, (one, other) in enumerate(combinations_with_replacement(many, 2)):
        if number % _TOLD == 0:
            tell("checking the written files", number)
        pairs = comb(many[one], 2) if one == other else many[one] * many[other]
        found += pairs if pairs and vulnerable((one, other)) else 0
    return found
