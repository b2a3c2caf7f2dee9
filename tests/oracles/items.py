"""The attack `items` by brute force: slow, obvious, on lists of sets, sharing no code with the product."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Literal

Item = str | int
Itemset = frozenset[Item]
Rows = Sequence[Collection[Item]]


class NoCohesion(Exception):
    """The empty set is a mole: no choice of public items to withhold helps."""


def item_key(item: Item) -> tuple[int, int, str]:
    """Order items: whole numbers by value, then text."""
    text = str(item)
    return (0, int(text), text) if text.removeprefix("-").isdigit() else (1, 0, text)


def support(rows: Rows, itemset: Iterable[Item]) -> int:
    wanted = set(itemset)
    return sum(wanted <= set(row) for row in rows)


def public_items(rows: Rows, private: Collection[Item]) -> list[Item]:
    return sorted({item for row in rows for item in row} - set(private), key=item_key)


def occurring(rows: Rows, private: Collection[Item], p: int) -> dict[Itemset, int]:
    """Map every public itemset of 1 to p items that some row holds to its support."""
    counted: Counter[Itemset] = Counter()
    for row in rows:
        public = set(row) - set(private)
        for size in range(1, min(p, len(public)) + 1):
            counted.update(frozenset(chosen) for chosen in combinations(public, size))
    return dict(counted)


def own_breach(rows: Rows, private: Collection[Item], itemset: Iterable[Item]) -> Fraction:
    """Return the largest probability of a private item among the rows that hold the itemset."""
    cohort = [set(row) for row in rows if set(itemset) <= set(row)]
    return max((Fraction(sum(s in row for row in cohort), len(cohort)) for s in private), default=Fraction(0))


def breach(rows: Rows, private: Collection[Item], itemset: Itemset) -> Fraction:
    """Return BPr: the largest own breach of all subsets, the empty set and the itemset itself included."""
    return max(
        own_breach(rows, private, part)
        for size in range(len(itemset) + 1)
        for part in combinations(sorted(itemset, key=item_key), size)
    )


def empty_set_is_mole(rows: Rows, private: Collection[Item], h: Fraction, k: int) -> bool:
    return len(rows) >= 1 and (len(rows) < k or own_breach(rows, private, ()) > h)


def moles(rows: Rows, private: Collection[Item], h: Fraction, k: int, p: int) -> dict[Itemset, int]:
    """Map every mole to its support (Definition 1 on occurring itemsets)."""
    return {
        itemset: count
        for itemset, count in occurring(rows, private, p).items()
        if count < k or breach(rows, private, itemset) > h
    }


def minimal(itemsets: Iterable[Itemset]) -> set[Itemset]:
    everything = set(itemsets)
    return {one for one in everything if not any(other < one for other in everything)}


def minimal_moles(rows: Rows, private: Collection[Item], h: Fraction, k: int, p: int) -> dict[Itemset, int]:
    found = moles(rows, private, h, k, p)
    return {itemset: found[itemset] for itemset in minimal(found)}


def nuggets(rows: Rows, min_support: int, max_size: int | None = None) -> dict[Itemset, int]:
    """Map every non-empty itemset, private items included, that is frequent and not too long to its support."""
    longest = max((len(set(row)) for row in rows), default=0)
    size = longest if max_size is None else max_size
    return {s: count for s, count in occurring(rows, (), size).items() if count >= min_support}


def coherent(rows: Rows, private: Collection[Item], h: Fraction, k: int, p: int) -> bool:
    return not empty_set_is_mole(rows, private, h, k) and not moles(rows, private, h, k, p)


def exposed_rows(rows: Rows, private: Collection[Item], h: Fraction, k: int, p: int) -> list[int]:
    """Return the positions of the rows that hold a mole; all rows when the empty set is one."""
    if empty_set_is_mole(rows, private, h, k):
        return list(range(len(rows)))
    found = minimal(moles(rows, private, h, k, p))
    return [place for place, row in enumerate(rows) if any(mole <= set(row) for mole in found)]


def without(rows: Rows, items: Collection[Item]) -> list[set[Item]]:
    return [set(row) - set(items) for row in rows]


def under(rows: Rows, shown: Mapping[Item, Item | None]) -> list[set[Item]]:
    """Replace each item by what is shown in its place, None for nothing; items that are not named stay."""
    made = []
    for row in rows:
        labels = {shown.get(item, item) for item in row}
        made.append({label for label in labels if label is not None})
    return made


def ways_to_show(
    items: Sequence[Item], levels: Mapping[Item, Sequence[Item]]
) -> Iterator[dict[Item, Item | None]]:
    """Give every way to publish items: under their own names, not at all, or under one of their categories."""
    for chosen in product(*([item, None, *levels.get(item, ())] for item in items)):
        yield dict(zip(items, chosen, strict=True))


def containing(itemsets: Iterable[Itemset], item: Item) -> int:
    return sum(item in itemset for itemset in itemsets)


def greedy(
    rows: Rows,
    private: Collection[Item],
    h: Fraction,
    k: int,
    p: int,
    min_support: int = 1,
    max_size: int | None = None,
    *,
    score: Literal["paper", "minimal"] = "paper",
    observation2: Literal[True, False, "k only"] = True,
    reinstate: bool = False,
    need: bool = True,
) -> tuple[list[Item], list[Item]]:
    """Run the algorithm of Figure 2 literally, recounting everything at every step.

    Returns the items deleted by Observation 2 in item order and those of the greedy in the order of their
    suppression. Without a need an item costs its support, and Observation 2 looks at k alone.
    """
    if empty_set_is_mole(rows, private, h, k):
        raise NoCohesion
    threshold = {True: max(k, min_support) if need else k, "k only": k, False: 0}[observation2]
    infrequent = [v for v in public_items(rows, private) if support(rows, [v]) < threshold]
    start = without(rows, infrequent)
    chosen: list[Item] = []
    current = start
    while harmful := moles(current, private, h, k, p):
        charged = minimal(harmful) if score == "minimal" else set(harmful)
        useful = nuggets(current, min_support, max_size) if need else {}

        def worth(
            v: Item,
            charged: set[Itemset] = charged,
            useful: dict[Itemset, int] = useful,
            current: Rows = current,
        ) -> tuple[object, ...]:
            removed = containing(charged, v)
            lost = containing(useful, v) if need else support(current, [v])
            ratio = (1, Fraction(0)) if lost == 0 else (0, Fraction(removed, lost))
            return (*ratio, removed, -support(current, [v]))

        candidates = [v for v in public_items(current, private) if containing(charged, v)]
        best = max(worth(v) for v in candidates)
        chosen.append(next(v for v in candidates if worth(v) == best))
        current = without(start, chosen)
    return infrequent, reinstated(start, private, h, k, p, chosen) if reinstate else chosen


def reinstated(
    rows: Rows, private: Collection[Item], h: Fraction, k: int, p: int, chosen: Sequence[Item]
) -> list[Item]:
    """Walk the suppressed items from the last to the first and re-admit each that is not needed."""
    kept_back = list(chosen)
    for v in reversed(chosen):
        others = [u for u in kept_back if u != v]
        if coherent(without(rows, others), private, h, k, p):
            kept_back = others
    return kept_back
