"""Items under codes in several releases, by listing all mappings; slow, and simple enough to be believed.

Item i truly has code i. `counts[r][i]` is the support of item i in release r, `fits[r][i]` are the codes that it may have there.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import permutations, product

from tests.oracles import cracks, items

Fits = Sequence[Collection[int]]


def exact_fits(counts: Sequence[int]) -> list[set[int]]:
    """Who knows every support exactly: an item fits the codes of its support."""
    return [{code for code, other in enumerate(counts) if other == count} for count in counts]


def interval_fits(counts: Sequence[int], least: Sequence[int], most: Sequence[int]) -> list[set[int]]:
    """Who knows an interval for every support."""
    return [
        {code for code, count in enumerate(counts) if low <= count <= high}
        for low, high in zip(least, most, strict=True)
    ]


def same_codes(fits: Sequence[Fits]) -> list[set[int]]:
    """The same codes in every release: a code fits an item if it does so in each."""
    return [set.intersection(*map(set, of_item)) for of_item in zip(*fits, strict=True)]


def cracks_by_vectors(counts: Sequence[Sequence[int]]) -> int:
    """T7: with exact beliefs and the same codes, expected cracks are the distinct vectors of supports."""
    return len(set(zip(*counts, strict=True)))


def cracks_with_other_codes(fits: Sequence[Fits]) -> list[list[Fraction]]:
    """Other codes in each release, no belief about change: chances of each item in each release, all tuples of mappings listed."""
    every = list(product(*(list(cracks.mappings(one)) for one in fits)))
    return [
        [
            Fraction(sum(one[release][item] == item for one in every), len(every))
            for item in range(len(of_release))
        ]
        for release, of_release in enumerate(fits)
    ]


def same_baskets_other_codes(rows: items.Rows, number: int) -> set[tuple[int, ...]]:
    """Give the ways in which codes of two releases of the same baskets in the same order may stand for the same items.

    Items are 0, 1, ...; a way says for each code of the first release which code of the second it is.
    """
    return {
        way
        for way in permutations(range(number))
        if all({way[item] for item in row} == set(row) for row in map(set, rows))  # type: ignore[call-overload]
    }


def cracked_by_names(rows: items.Rows, number: int) -> list[Fraction]:
    """Names earlier, codes now, the same baskets joined: the chance of each item, all ways listed."""
    ways = same_baskets_other_codes(rows, number)
    return [Fraction(sum(way[item] == item for way in ways), len(ways)) for item in range(number)]


def cracked_by_sets_of_rows(rows: items.Rows, number: int) -> list[Fraction]:
    """The same by its formula: one over the items that are in the same rows."""
    held = [frozenset(at for at, row in enumerate(rows) if item in row) for item in range(number)]
    return [Fraction(1, held.count(one)) for one in held]


def same_data_other_codes(counts: Sequence[int], fits: Fits) -> list[Fraction]:
    """The same data under other codes, rows not joined: chances in the first release.

    A world names the codes of both releases, each code of the second that stands for an item having its support.
    """
    number = len(counts)
    found = [0] * number
    worlds = 0
    for first, second in product(cracks.mappings(fits), repeat=2):
        if all(counts[first[item]] == counts[second[item]] for item in range(number)):
            worlds += 1
            for item in range(number):
                found[item] += first[item] == item
    return [Fraction(many, worlds) for many in found]
