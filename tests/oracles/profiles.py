"""Itemsets of columns, rules and absent rules by going through all of them."""

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations
from math import ceil, floor

Record = tuple[int, ...]
Itemset = frozenset[tuple[int, int]]


def itemsets_of(record: Record) -> list[Itemset]:
    items = [(column, code) for column, code in enumerate(record) if code >= 0]
    sizes = range(1, len(items) + 1)
    return [frozenset(chosen) for chosen in chain.from_iterable(combinations(items, size) for size in sizes)]


def supports(records: list[Record]) -> Counter[Itemset]:
    """Every itemset that some record has, with the number of records that have it."""
    return Counter(itemset for record in records for itemset in itemsets_of(record))


def holding(records: list[Record], values: list[int]) -> Counter[tuple[Itemset, int]]:
    """How many records with each itemset have each value; -1 is no value."""
    return Counter(
        (itemset, value)
        for record, value in zip(records, values, strict=True)
        if value >= 0
        for itemset in itemsets_of(record)
    )


def least(records: int, matching: int, s: Fraction, c: Fraction, *, inclusive: bool) -> int:
    limit = max(s * records, c * matching)
    return max(1, ceil(limit) if inclusive else floor(limit) + 1)


def rules(
    records: list[Record], values: list[int], s: Fraction, c: Fraction, *, inclusive: bool
) -> dict[tuple[Itemset, int], tuple[Fraction, Fraction]]:
    """Every rule with its support and confidence."""
    every = supports(records)
    return {
        (itemset, value): (Fraction(count, len(records)), Fraction(count, every[itemset]))
        for (itemset, value), count in holding(records, values).items()
        if count >= least(len(records), every[itemset], s, c, inclusive=inclusive)
    }


def kept(
    records: list[Record], values: list[int], domain: int, s: Fraction, c: Fraction, *, inclusive: bool
) -> set[tuple[Itemset, int]]:
    """The absent rules that no absent rule with a proper part J of the condition and c P(J) <= s implies."""
    every = supports(records)
    present = rules(records, values, s, c, inclusive=inclusive)
    absent = {(i, x) for i in every for x in range(domain)} - set(present)

    def implied(itemset: Itemset, value: int) -> bool:
        parts = chain.from_iterable(combinations(itemset, size) for size in range(1, len(itemset)))
        return any(
            (part, value) in absent and c * every[part] <= s * len(records) for part in map(frozenset, parts)
        )

    return {pattern for pattern in absent if not implied(*pattern)}
