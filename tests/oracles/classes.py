"""Classes by their definitions: fractions, one row at a time, and nothing clever."""

from datetime import date, timedelta
from fractions import Fraction
from math import ceil


def quantile_cuts(values: list[Fraction], parts: int) -> list[Fraction]:
    """Sort all rows, look at the ceil(j n / parts)-th, and take the smallest value above it."""
    rows = sorted(values)
    found = []
    for j in range(1, parts):
        v = rows[ceil(Fraction(j * len(rows), parts)) - 1]
        above = [value for value in rows if value > v]
        if above:
            found.append(above[0])
    return sorted(set(found))


def two_digits(value: Fraction) -> Fraction:
    """Go through the numbers of two digits of every size, and take the nearest, the upper of two."""
    sizes = [Fraction(10) ** size for size in range(-20, 20)]
    near = [size for size in sizes if size <= abs(value) < 100 * size][-2:]
    numbers = [
        digits * size for size in near for digits in range(-100, 101) if digits == 0 or abs(digits) >= 10
    ]
    return min(numbers or [value], key=lambda number: (abs(number - value), -number))


def cut_class(value: Fraction, cuts: list[Fraction]) -> int:
    """Count the cuts that a value has reached."""
    return sum(1 for cut in cuts if value >= cut)


def step_class(value: Fraction, width: Fraction, start: Fraction) -> Fraction:
    """Walk from the start, width by width, to the border below a value."""
    border = start
    while border > value:
        border -= width
    while border + width <= value:
        border += width
    return border


def birthdays(born: date, at: date) -> int:
    """Live day by day and count the birthdays; without a 29 February it is on 1 March."""
    years, day = 0, born
    while day < at:
        day += timedelta(days=1)
        if (born.month, born.day) == (2, 29):
            leap = day.year % 4 == 0 and (day.year % 100 != 0 or day.year % 400 == 0)
            years += (day.month, day.day) == ((2, 29) if leap else (3, 1))
        else:
            years += (day.month, day.day) == (born.month, born.day)
    return years
