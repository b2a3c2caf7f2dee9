"""Readings and chances by their plain definitions: rows as lists of values, None where blank."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import exp, factorial, log

Value = str | int | None
Row = Sequence[Value]
HIDDEN = "hidden"
"""A sensitive value that was hidden to protect somebody."""


def blocks(rows: Sequence[Row]) -> list[list[int]]:
    """Return the numbers of rows that are equal."""
    found: dict[tuple[Value, ...], list[int]] = {}
    for number, row in enumerate(rows):
        found.setdefault(tuple(row), []).append(number)
    return list(found.values())


def counts(block: Collection[int], values: Sequence[Value]) -> Counter[Value]:
    return Counter(values[row] for row in block if values[row] not in (None, HIDDEN))


def shares(rows: Sequence[Row], values: Sequence[Value]) -> Iterator[Counter[Value]]:
    """Give the counts of the blocks that show a value."""
    return (found for block in blocks(rows) if (found := counts(block, values)))


def part(count: int, of: Counter[Value]) -> Fraction:
    return Fraction(count, sum(of.values()))


def alpha(rows: Sequence[Row], values: Sequence[Value]) -> Fraction:
    return max(part(max(one.values()), one) for one in shares(rows, values))


def entropy(rows: Sequence[Row], values: Sequence[Value]) -> float:
    return min(
        exp(-sum(float(part(n, one)) * log(part(n, one)) for n in one.values()))
        for one in shares(rows, values)
    )


def is_recursive(rows: Sequence[Row], values: Sequence[Value], c: Fraction, least: int) -> bool:
    for one in shares(rows, values):
        ordered = sorted(one.values(), reverse=True)
        if not ordered[0] < c * sum(ordered[least - 1 :]):
            return False
    return True


def t_equal(rows: Sequence[Row], values: Sequence[Value]) -> Fraction:
    whole = counts(range(len(rows)), values)
    return max(
        sum(abs(part(one[v], one) - part(whole[v], whole)) for v in whole) / 2 for one in shares(rows, values)
    )


def t_ordered(rows: Sequence[Row], values: Sequence[int | None]) -> Fraction:
    whole = counts(range(len(rows)), values)
    order = sorted(v for v in whole if isinstance(v, int))
    far = Fraction(0)
    for one in shares(rows, values):
        moved, gone = Fraction(0), Fraction(0)
        for value in order:
            moved += part(one[value], one) - part(whole[value], whole)
            gone += abs(moved)
        far = max(far, gone / max(len(order) - 1, 1))
    return far


def t_hierarchical(
    rows: Sequence[Row], values: Sequence[Value], labels: Mapping[Value, Sequence[Value]]
) -> Fraction:
    """`labels` gives for each value its labels upwards, the last one common to all."""
    whole = counts(range(len(rows)), values)
    height = len(next(iter(labels.values())))
    far = Fraction(0)
    for one in shares(rows, values):
        extra: dict[Value, Fraction] = {v: part(one[v], one) - part(whole[v], whole) for v in labels}
        below = {v: v for v in labels}
        moved = Fraction(0)
        for level in range(height):
            nodes: dict[Value, set[Value]] = {}
            for value in labels:
                nodes.setdefault(labels[value][level], set()).add(below[value])
            for children in nodes.values():
                surplus = sum(max(extra[child], 0) for child in children)
                deficit = sum(max(-extra[child], 0) for child in children)
                moved += Fraction(level + 1, height) * min(surplus, deficit)
            extra = {node: sum(extra[child] for child in children) for node, children in nodes.items()}  # type: ignore[misc]
            below = {value: labels[value][level] for value in labels}
        far = max(far, moved)
    return far


def gains(rows: Sequence[Row], values: Sequence[Value]) -> list[Fraction]:
    """Return the share in a block over that in the table, of every value that the block shows."""
    whole = counts(range(len(rows)), values)
    return [part(n, one) / part(whole[v], whole) for one in shares(rows, values) for v, n in one.items()]


def fits(
    row: Row, person: Row, covers: Callable[[Value, Value], bool] = lambda label, value: label == value
) -> bool:
    return all(a is None or b is None or covers(a, b) for a, b in zip(row, person, strict=True))


def chance(
    fitting: Collection[int], values: Sequence[Value], target: Collection[Value], everybody: Sequence[Value]
) -> Fraction:
    """Return the judged chance of a target among the rows that fit."""
    shown = [values[row] for row in fitting if values[row] not in (None, HIDDEN)]
    if not shown:
        whole = [value for value in everybody if value not in (None, HIDDEN)]
        return Fraction(sum(value in target for value in whole), max(len(whole), 1))
    hidden = sum(values[row] == HIDDEN for row in fitting)
    return Fraction(sum(value in target for value in shown) + hidden, len(shown) + hidden)


def best_guess(numbers: Sequence[Fraction], near: Fraction, own: Fraction | None = None) -> int:
    """Return for how many numbers one guess is right, within a part of each; right for an own one too if given."""

    def right(guess: Fraction, number: Fraction) -> bool:
        return abs(guess - number) <= near * abs(number)

    ends = {number + sign * near * abs(number) for number in numbers for sign in (-1, 1)}
    return max(
        (
            sum(right(guess, number) for number in numbers)
            for guess in ends
            if own is None or right(guess, own)
        ),
        default=0,
    )


def sets_of(columns: int, at_most: int) -> Iterator[tuple[int, ...]]:
    for size in range(min(at_most, columns) + 1):
        yield from combinations(range(columns), size)


def complete(row: Row, chosen: Sequence[int]) -> tuple[Value, ...] | None:
    """Return what is known of a row in some columns; None if one of them is blank."""
    known = tuple(row[column] for column in chosen)
    return None if None in known else known


def minimal_uniques(rows: Sequence[Row], at_most: int) -> set[tuple[int, tuple[int, ...]]]:
    """Return the rows and the sets of columns in which they are the only one, and in no part of them."""

    def alone(number: int, chosen: tuple[int, ...]) -> bool:
        known = complete(rows[number], chosen)
        return known is not None and sum(complete(row, chosen) == known for row in rows) == 1

    return {
        (number, chosen)
        for number in range(len(rows))
        for chosen in sets_of(len(rows[0]), at_most)
        if chosen
        and alone(number, chosen)
        and not any(
            smaller and alone(number, smaller)
            for size in range(len(chosen))
            for smaller in combinations(chosen, size)
        )
    }


def elliot(width: int, size: int, at_most: int) -> int:
    product = 1
    for i in range(size, min(at_most, width - 1) + 1):
        product *= width - i
    return product


def ihsn(width: int, size: int) -> Fraction:
    return Fraction((2 ** (width - size) - 1) * factorial(size) * factorial(width - size), factorial(width))
