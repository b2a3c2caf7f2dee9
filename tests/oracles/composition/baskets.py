"""Baskets given away one after the other: tagged, the same ones with other items, and at any time; by listing.

Row i of every list is the basket of person i.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

from tests.oracles import items

Item = items.Item
Rows = items.Rows


def tagged(releases: Sequence[Rows], names: Sequence[str]) -> list[set[Item]]:
    """Join baskets of several periods; an item says which one it is of."""
    return [
        {f"{item}@{name}" for name, row in zip(names, rows, strict=True) for item in row}
        for rows in zip(*releases, strict=True)
    ]


def at_any_time(releases: Sequence[Rows], names: Sequence[str]) -> list[set[Item]]:
    """Add `milk@any` to the tagged items wherever milk was bought in some period."""
    return [
        whole | {f"{item}@any" for row in rows for item in row}
        for whole, rows in zip(tagged(releases, names), zip(*releases, strict=True), strict=True)
    ]


def untagged(releases: Sequence[Rows]) -> list[set[Item]]:
    """Join the items of one basket of which each release left out others, or of periods that nobody distinguishes."""
    return [set().union(*rows) for rows in zip(*releases, strict=True)]


def tags_of(private: Collection[Item], names: Sequence[str]) -> set[Item]:
    return {f"{item}@{name}" for item in private for name in names}


def moles_together(
    releases: Sequence[Rows], names: Sequence[str], private: Collection[Item], h: Fraction, k: int, p: int
) -> dict[items.Itemset, int]:
    """Return the moles of the tagged baskets; p counts tagged items."""
    return items.moles(tagged(releases, names), tags_of(private, names), h, k, p)


def row_chances(releases: Sequence[Rows], known: Sequence[Collection[Item]]) -> dict[int, Fraction]:
    """Return how likely each row of the last release is the target's, another period, rows not joined: all joins listed.

    `known` are the items that the target is known to have bought in each period.
    """
    found: Counter[int] = Counter()
    first, *others = releases
    for orders in product(*(permutations(range(len(rows))) for rows in others)):
        for one in zip(range(len(first)), *orders, strict=True):
            fits = (
                set(bought) <= set(rows[at]) for rows, at, bought in zip(releases, one, known, strict=True)
            )
            found[one[-1]] += all(fits)
    return {row: Fraction(many, found.total()) for row, many in found.items() if many}


def same_baskets(
    earlier: Rows,
    now: Rows,
    known_earlier: Collection[Item],
    known_now: Collection[Item],
    both: Collection[Item],
) -> dict[tuple[int, int], Fraction]:
    """Return how likely each pair of rows is the target's, the same baskets with other items withheld: all joins listed.

    Rows are one person's only if they have the same items of those that both releases show.
    """
    found: Counter[tuple[int, int]] = Counter()
    common = set(both)
    for order in permutations(range(len(now)), len(earlier)):
        pairs = list(enumerate(order))
        if all(set(earlier[a]) & common == set(now[b]) & common for a, b in pairs):
            found.update(
                (a, b)
                for a, b in pairs
                if set(known_earlier) <= set(earlier[a]) and set(known_now) <= set(now[b])
            )
    return {pair: Fraction(many, found.total()) for pair, many in found.items()}


def same_baskets_by_blocks(
    earlier: Rows,
    now: Rows,
    known_earlier: Collection[Item],
    known_now: Collection[Item],
    both: Collection[Item],
) -> dict[tuple[int, int], Fraction]:
    """T2: pairs of rows with the same common items, each of weight one over the rows of its block."""
    common = set(both)
    blocks = [Counter(frozenset(set(row) & common) for row in rows) for rows in (earlier, now)]
    weights = {
        (a, b): Fraction(1, max(block[frozenset(set(one) & common)] for block in blocks))
        for (a, one), (b, other) in product(enumerate(earlier), enumerate(now))
        if set(one) & common == set(other) & common
        and set(known_earlier) <= set(one)
        and set(known_now) <= set(other)
    }
    return {pair: weight / sum(weights.values()) for pair, weight in weights.items()}


def safe_given_before(
    earlier: Rows,
    now: Rows,
    withheld: Collection[Item],
    private: Collection[Item],
    h: Fraction,
    k: int,
    p: int,
) -> bool:
    """Say whether now without some items is safe together with what is out, another period."""
    names = ["1", "2"]
    joint = tagged([earlier, items.without(now, withheld)], names)
    return items.coherent(joint, tags_of(private, names), h, k, p)


def best_given_before(
    earlier: Rows, now: Rows, private: Collection[Item], h: Fraction, k: int, p: int
) -> tuple[int, list[frozenset[Item]]] | None:
    """Return the least number of entries to withhold now, with every choice of items that does it; None where none does."""
    every = items.public_items(now, private)
    safe = [
        frozenset(some)
        for size in range(len(every) + 1)
        for some in combinations(every, size)
        if safe_given_before(earlier, now, some, private, h, k, p)
    ]
    if not safe:
        return None
    cost = {some: sum(items.support(now, [item]) for item in some) for some in safe}
    least = min(cost.values())
    return least, [some for some in safe if cost[some] == least]


def best_at_once(
    earlier: Rows, now: Rows, private: Collection[Item], h: Fraction, k: int, p: int
) -> tuple[int, list[tuple[frozenset[Item], frozenset[Item]]]] | None:
    """Return the least number of entries to withhold from both, with every pair of choices that does it."""
    found: list[tuple[int, tuple[frozenset[Item], frozenset[Item]]]] = []
    every = items.public_items(earlier, private)
    for size in range(len(every) + 1):
        for some in combinations(every, size):
            rest = best_given_before(items.without(earlier, some), now, private, h, k, p)
            if rest:
                cost = sum(items.support(earlier, [item]) for item in some) + rest[0]
                found += [(cost, (frozenset(some), other)) for other in rest[1]]
    if not found:
        return None
    least = min(cost for cost, _ in found)
    return least, [pair for cost, pair in found if cost == least]


def joined_rows(now: Rows, earlier: Rows, common: Collection[Item]) -> list[frozenset[Item]]:
    """Return the baskets of now that are left over when equal earlier ones are taken out, in the items of both."""
    both = set(common)
    left = Counter(frozenset(set(row) & both) for row in now) - Counter(
        frozenset(set(row) & both) for row in earlier
    )
    return sorted(left.elements(), key=sorted)
