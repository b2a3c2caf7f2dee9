"""Crack mappings by brute force: slow, obvious, on lists of sets, sharing no code with the product.

`candidates[i]` are the renamed items that may stand for item i; item i is truly renamed item i.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from math import prod

Candidates = Sequence[Collection[int]]


def candidates_of(counts: Sequence[int], low: Sequence[int], high: Sequence[int]) -> list[set[int]]:
    """Return the renamed items whose doubled count lies in the interval of each item, ends included."""
    return [
        {other for other, count in enumerate(counts) if least <= 2 * count <= most}
        for least, most in zip(low, high, strict=True)
    ]


def mappings(candidates: Candidates) -> Iterator[tuple[int, ...]]:
    """List all one-to-one mappings."""

    def extended(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == len(candidates):
            yield chosen
        else:
            for one in sorted(set(candidates[len(chosen)]) - set(chosen)):
                yield from extended((*chosen, one))

    return extended(())


def chance(candidates: Candidates, happens: Callable[[tuple[int, ...]], bool]) -> Fraction:
    """Return the share of the mappings in which something happens."""
    everything = list(mappings(candidates))
    return Fraction(sum(map(happens, everything)), len(everything))


def crack_chances(candidates: Candidates) -> list[Fraction]:
    everything = list(mappings(candidates))
    return [Fraction(sum(one[i] == i for one in everything), len(everything)) for i in range(len(candidates))]


def set_chance(candidates: Candidates, members: Collection[int]) -> Fraction:
    """Return the share of the mappings that map a set onto itself, in any order."""
    return chance(candidates, lambda one: {one[i] for i in members} == set(members))


def used(candidates: Candidates) -> list[set[int]]:
    """Return the candidates that some mapping uses."""
    found: list[set[int]] = [set() for _ in candidates]
    for one in mappings(candidates):
        for item, renamed in enumerate(one):
            found[item].add(renamed)
    return found


def propagated(candidates: Candidates) -> list[set[int]]:
    """Remove what forced pairs rule out, pair by pair, until nothing changes."""
    left = [set(some) for some in candidates]
    while True:
        before = [set(some) for some in left]
        for item in range(len(left)):
            if len(left[item]) == 1:
                for other in set(range(len(left))) - {item}:
                    left[other] -= left[item]
        for renamed in range(len(left)):
            holders = [item for item in range(len(left)) if renamed in left[item]]
            if len(holders) == 1:
                left[holders[0]] = {renamed}
        if left == before:
            return left


def o_estimate(candidates: Candidates) -> Fraction:
    return sum((Fraction(1, len(some)) for i, some in enumerate(candidates) if i in some), Fraction(0))


def os_estimate(candidates: Candidates, members: Collection[int]) -> Fraction:
    if any(not candidates[i] for i in members):
        return Fraction(0)
    return prod(
        (Fraction(len(set(candidates[i]) & set(members)), len(candidates[i])) for i in members),
        start=Fraction(1),
    )


def os2_estimate(candidates: Candidates, members: Collection[int]) -> Fraction:
    union = set().union(*(candidates[i] for i in members))
    return Fraction(1, len(union) - len(members) + 1) if set(members) <= union else Fraction(0)


def soft_chances(candidates: Candidates, outside: Fraction) -> list[Fraction]:
    """Return crack chances when a mapping is `outside` times as likely for each item outside its candidates."""
    items = range(len(candidates))
    total = Fraction(0)
    found = [Fraction(0) for _ in items]
    for one in mappings([set(items)] * len(candidates)):
        weight = outside ** sum(one[i] not in candidates[i] for i in items)
        total += weight
        for i in items:
            found[i] += weight * (one[i] == i)
    return [weight / total for weight in found]


def components(candidates: Candidates) -> set[frozenset[int]]:
    """Return the items that are connected through common candidates."""
    parts = [({i}, set(some)) for i, some in enumerate(candidates) if some]
    merged: list[tuple[set[int], set[int]]] = []
    for items, renamed in parts:
        touching = [part for part in merged if part[1] & renamed]
        merged = [part for part in merged if not part[1] & renamed]
        merged.append((items.union(*(p[0] for p in touching)), renamed.union(*(p[1] for p in touching))))
    return {frozenset(items) for items, _ in merged}


def likeliest_chances(candidates: Candidates) -> list[Fraction]:
    """Return how likely each item is mapped to the renamed item that it is mapped to most often, true or not."""
    everything = list(mappings(candidates))
    return [
        Fraction(max(Counter(one[i] for one in everything).values()), len(everything))
        for i in range(len(candidates))
    ]


def likeliest_set_chance(candidates: Candidates, members: Collection[int]) -> Fraction:
    """Return how likely a set is mapped onto the renamed items that it is mapped onto most often."""
    images = Counter(frozenset(one[i] for i in members) for one in mappings(candidates))
    return Fraction(max(images.values()), images.total())


def soft_likeliest_chances(candidates: Candidates, outside: Fraction) -> list[Fraction]:
    """Do the same when a mapping is `outside` times as likely for each item outside its candidates."""
    items = range(len(candidates))
    total, found = Fraction(0), [Counter[int]() for _ in items]
    for one in mappings([set(items)] * len(candidates)):
        weight = outside ** sum(one[i] not in candidates[i] for i in items)
        total += weight
        for i in items:
            found[i][one[i]] += weight  # type: ignore[assignment] # weights are fractions
    return [max(weights.values()) / total for weights in found]
