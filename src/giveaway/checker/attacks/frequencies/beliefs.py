"""What somebody believes of the codes in a written file: how often each item occurs, and which go together."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from math import ceil, floor
from statistics import median
from typing import Any

from giveaway.checker.attacks.frequencies.chances import Kind, MappingGraph
from giveaway.checker.attacks.frequencies.mappings import ItemCode, Window
from giveaway.checker.promise import disagree
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell

Rows = Counter[frozenset[str]]
Interval = tuple[int, int]
Pair = tuple[Label, Label]

_TOLD = 10_000


@dataclass(frozen=True)
class Item:
    """A published item: its code, how often that stands in the file, and the doubled counts that are believed of it.

    Each list of candidates for known pairs is a bit: an item of these pairs is bound to it, a code of the list is marked with
    it, and an item may only be codes with all the marks that it is bound to.
    """

    label: Label
    code: str | None
    count: int
    low: int
    high: int
    bound: int = 0
    marked: int = 0


@dataclass(frozen=True)
class BelievedItems:
    """All published items in label order, and the pairs of them, by place, that no mapping may put onto pairs of `together`."""

    items: Sequence[Item]
    never: Sequence[tuple[int, int]] = ()
    together: Collection[frozenset[int]] = ()
    likeliest: bool = False
    """Whether the likeliest codes are judged, true or not."""

    @property
    def paired(self) -> bool:
        """Whether known pairs rule codes or mappings out."""
        return bool(self.never) or any(item.bound for item in self.items)

    @cached_property
    def kinds(self) -> list[Kind]:
        """The window and the code of each item; groups are numbered from the most frequent one down."""
        rising = sorted({-2 * item.count for item in self.items})
        return [
            (
                Window(
                    bisect_left(rising, -item.high), bisect_right(rising, -item.low) - 1, bound=item.bound
                ),
                ItemCode(bisect_left(rising, -2 * item.count), marked=item.marked),
            )
            for item in self.items
        ]

    @cached_property
    def graph(self) -> MappingGraph:
        """Which items may be which codes."""
        groups = len({item.count for item in self.items})
        return MappingGraph(Counter(self.kinds), groups, likeliest=self.likeliest)


def believed(
    rows: Rows,
    original: Transactions,
    withheld: Collection[Label],
    codes: Mapping[Label, str],
    attacker: Mapping[str, Any],
) -> BelievedItems:
    """Set the counts in the file next to what is believed; widths and known pairs are those of the original data."""
    items = _items(rows, original, set(withheld), codes, attacker["belief"])
    known = attacker["known_pairs"]
    believed = BelievedItems(items) if known is None else _Pairs(rows, original, items, known).used()
    return replace(believed, likeliest=attacker["knows_method"])


def _items(
    rows: Rows, original: Transactions, gone: set[Label], codes: Mapping[Label, str], belief: Any
) -> list[Item]:
    counted: Counter[str] = Counter()
    for row, weight in rows.items():
        for code in row:
            counted[code] += weight
    known = dict(zip(original.labels, original.supports.tolist(), strict=True))
    before = {label: known.get(label, 0) for label in in_order([*original.labels, *original.domain])}
    believe = _intervals(belief, before, rows.total())
    items = []
    for label, support in before.items():
        if label in gone:
            continue
        written = codes.get(label)
        count = 0 if written is None else counted.get(written, 0)
        if count != support:
            raise disagree("A code does not stand for as many items in the file as in the original.")
        items.append(Item(label, written, count, *believe(label)))
    return items


def _intervals(belief: Any, counts: Mapping[Label, int], total: int) -> Callable[[Label], Interval]:
    """Return a function that tells the interval of doubled counts that is believed of an item."""
    if belief.kind == "intervals":
        ends = {label: (ceil(2 * total * low), floor(2 * total * high)) for label, low, high in belief.given}
        return lambda label: ends.get(label, (0, 2 * total))
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
    if belief.kind == "exact":
        return lambda label: (2 * counts[label], 2 * counts[label])
    if belief.kind == "around":
        wide = belief.width
        width = _gaps(counts.values(), wide) if isinstance(wide, str) else wide * total
        return lambda label: (2 * counts[label] - floor(2 * width), 2 * counts[label] + floor(2 * width))
    raise disagree("The checker does not know this belief.")


def _gaps(counts: Iterable[int], which: str) -> Fraction:
    groups = sorted(set(counts))
    gaps = [Fraction(high - low) for low, high in pairwise(groups)]
    if not gaps:
        return Fraction(0)
    return Fraction(median(gaps)) if which == "median gap" else sum(gaps, Fraction(0)) / len(gaps)


class _Pairs:
    """What somebody makes of known pairs: candidates that go, beliefs that become narrower, mappings that are ruled out."""

    def __init__(self, rows: Rows, original: Transactions, items: Sequence[Item], known: Any) -> None:
        self._rows, self._original, self._items, self._known = rows, original, items, known
        self._place = {item.label: place for place, item in enumerate(items)}
        self._of_code = {item.code: place for place, item in enumerate(items)}

    def used(self) -> BelievedItems:
        """Return what is believed once the pairs are used."""
        known = self._known
        items = list(self._items)
        if known.use == "refine":
            items = self._refined(items)
        elif known.top is not None or known.pairs:
            items = self._filtered(items)
        never = self._published(known.never)
        together = {frozenset(pair) for pair in self._in_file} if never else frozenset[frozenset[int]]()
        return BelievedItems(items, never, together)

    def _published(self, pairs: Iterable[Pair]) -> list[tuple[int, int]]:
        """Return pairs by the places of their items; a pair with a withheld item is forgotten."""
        place = self._place
        return [(place[one], place[other]) for one, other in pairs if one in place and other in place]

    @cached_property
    def _in_file(self) -> Counter[tuple[int, int]]:
        """How often two codes stand in a row of the file."""
        counted: Counter[tuple[int, int]] = Counter()
        for number, (row, weight) in enumerate(self._rows.items()):
            if number % _TOLD == 0:
                tell("checking the written files", number, len(self._rows))
            for pair in combinations(sorted(self._of_code[code] for code in row), 2):
                counted[pair] += weight
        return counted

    @cached_property
    def _in_original(self) -> Counter[tuple[int, int]]:
        """How often two items are in a transaction of the original, by their numbers there."""
        data, counted = self._original, Counter[tuple[int, int]]()
        for row, weight in enumerate(data.weights.tolist()):
            held = sorted(data.codes[data.offsets[row] : data.offsets[row + 1]].tolist())
            for pair in combinations(held, 2):
                counted[pair] += weight
        return counted

    def _named(self, pairs: Iterable[tuple[int, int]]) -> Iterator[Pair]:
        labels = self._original.labels
        return ((labels[one], labels[other]) for one, other in pairs)

    def _filtered(self, items: Sequence[Item]) -> list[Item]:
        """Bind the items of known pairs to the codes of the pairs that they are among, by list."""
        known = self._known
        named = known.pairs if known.top is None else self._named(_top(self._in_original, known.top))
        pairs = self._published(named)
        if not pairs:
            return [*items]
        bound, marked = [0] * len(items), [0] * len(items)
        for number, (among, codes) in enumerate(self._own() or [(pairs, self._candidates())]):
            for places, marks in ((among, bound), (codes, marked)):
                for place in {place for pair in places for place in pair}:
                    marks[place] |= 1 << number
        return [replace(item, bound=bound[place], marked=marked[place]) for place, item in enumerate(items)]

    def _own(self) -> list[tuple[Iterable[tuple[int, int]], Iterable[tuple[int, int]]]]:
        """Return each published known pair with its own candidates, where each has some, by the places of their items."""
        own: dict[frozenset[Label], tuple[list[Pair], list[Pair]]] = {}
        for line in self._known.candidate_pairs:
            if len(line) > len(("first", "second")):
                pairs, codes = own.setdefault(frozenset(line[:2]), ([], []))
                pairs.append(line[:2])
                codes.append(line[2:])
        return [(self._published(pairs), self._published(codes)) for pairs, codes in own.values()]

    def _candidates(self) -> Iterable[tuple[int, int]]:
        """Return the pairs of codes that the known pairs are among, by the places of their items."""
        known = self._known
        if known.candidate_pairs:
            return self._published(known.candidate_pairs)
        if known.candidates_at_least is not None:
            least = known.candidates_at_least * self._rows.total()
            return (pair for pair, times in self._in_file.items() if times >= least)
        number = known.candidates or (known.top if known.top is not None else len(known.pairs))
        return _top(self._in_file, number)

    def _refined(self, items: Sequence[Item]) -> list[Item]:
        """Believe the same of items that imply each other, again and again while something becomes narrower."""
        known, supports = self._known, self._original.supports.tolist()
        implying = known.pairs or self._named(
            pair
            for pair, together in sorted(self._in_original.items())
            if together >= known.at_least * max(supports[pair[0]], supports[pair[1]])
        )
        pairs = self._published(implying)
        refined, changed = [*items], True
        while changed:
            changed = False
            for one, other in pairs:
                low = max(refined[one].low, refined[other].low)
                high = min(refined[one].high, refined[other].high)
                narrower = [replace(refined[place], low=low, high=high) for place in (one, other)]
                if low <= high and narrower != [refined[one], refined[other]]:
                    refined[one], refined[other] = narrower
                    changed = True
        return refined


def _top(counted: Counter[tuple[int, int]], number: int) -> list[tuple[int, int]]:
    """Return the most frequent pairs, ties in item order."""
    return sorted(counted, key=lambda pair: (-counted[pair], pair))[:number]
