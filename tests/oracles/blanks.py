"""What blanks tell somebody who knows the rule by which they were chosen: every world that fits, one by one."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod

Values = tuple[int, ...]
"""The value of each row of a group."""
Rows = frozenset[int]
Release = tuple[Rows, tuple[tuple[int, int], ...]]
"""The blank rows, and the others with their values."""
Channel = Callable[[Values, Rows], Mapping[Rows, Fraction]]
"""Which rows are blanked of given values when some asked, with the chance of each choice; none: nothing is released."""


def counts(values: Sequence[int], rows: Rows | range, kinds: int) -> tuple[int, ...]:
    """Count the values of some rows."""
    return tuple(sum(values[row] == value for row in rows) for value in range(kinds))


def fewest(blank: Sequence[int], free: Sequence[int], limited: Sequence[bool], limit: Fraction) -> int | None:
    """Return the fewest further blanks of which no limited value is too large a part, by trying all."""
    sizes = [
        sum(more)
        for more in product(*(range(number + 1) for number in free))
        for total in [sum(blank) + sum(more)]
        if total
        and all(
            not is_limited or b + m <= limit * total
            for b, m, is_limited in zip(blank, more, limited, strict=True)
        )
    ]
    return min(sizes, default=None)


def drawn(values: Values, asked: Rows, decoys: Sequence[int]) -> Iterator[Rows]:
    """Give every choice of rows that a lot may fall on, given the number of decoys of each value."""
    free = [
        [row for row in range(len(values)) if values[row] == value and row not in asked]
        for value in range(len(decoys))
    ]
    for chosen in product(*(combinations(rows, number) for rows, number in zip(free, decoys, strict=True))):
        yield asked.union(*map(frozenset, chosen))


def releases(
    worlds: Mapping[tuple[Values, Rows], Fraction], channel: Channel
) -> dict[Release, dict[tuple[Values, Rows], Fraction]]:
    """Return for everything that may be released the worlds that it may come from, with their weights."""
    found: dict[Release, dict[tuple[Values, Rows], Fraction]] = defaultdict(dict)
    for (values, asked), weight in worlds.items():
        if weight:
            for blank, chance in channel(values, asked).items():
                shown = tuple((row, value) for row, value in enumerate(values) if row not in blank)
                found[blank, shown][values, asked] = weight * chance
    return found


def largest_chance(worlds: Mapping[tuple[Values, Rows], Fraction], whose: Callable[[Rows], Rows]) -> Fraction:
    """Return the largest chance of one value at one of some rows, which may depend on who asked."""
    total = sum(worlds.values())
    by_value: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for (values, asked), weight in worlds.items():
        for row in whose(asked):
            by_value[row, values[row]] += weight
    return max(by_value.values()) / total


def everybody(rows: int, kinds: int) -> Iterator[tuple[Values, Rows]]:
    """Give every world: all values of the rows, and all who may have asked."""
    for values in product(range(kinds), repeat=rows):
        for many in range(1, rows + 1):
            for asked in combinations(range(rows), many):
                yield values, frozenset(asked)


def draws(values: Values, asked: Rows, decoys: Sequence[int] | None) -> dict[Rows, Fraction]:
    """Return the chance of each choice of blanks, when decoys are drawn by lot."""
    if decoys is None:
        return {}
    chosen = list(drawn(values, asked, decoys))
    return dict.fromkeys(chosen, Fraction(1, len(chosen)))


def taste(values: Values, tastes: Sequence[Fraction]) -> Fraction:
    """Weigh a world by how much more likely each row has the value 0 than others: the rows of a group differ."""
    return prod((t for t, value in zip(tastes, values, strict=True) if value == 0), start=Fraction(1))
