"""The classes of a release worked out again: values are read as fractions and pieces of text, and put in one by one."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from math import floor

import numpy as np

from giveaway.checker.promise import disagree
from giveaway.model.classes.fixed import Classes
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table

Days = tuple[str, str]
"""The first and the last day that a text may mean, as ISO texts, whose order is that of time."""

_UNITS = {"day": 10, "month": 7, "year": 4}
"""Labels that are the beginning of an ISO date."""
_SIGNED = r"(-?[0-9]+(?:\.[0-9]+)?)"


def confirm(table: Table) -> None:
    """Refuse a table of which some value is in another class than it should be, or whose records are not so many."""
    for column, classes in table.classes.items():
        if column not in table.columns:
            continue
        derived = Derived(classes)
        expected: dict[str, int] = {}
        for text, count in classes.counts.items():
            label = derived.label(text)
            expected[str(label)] = expected.get(str(label), 0) + count
        rows = np.zeros(len(table.labels[column]) + 1, np.int64)
        np.add.at(rows, table.columns[column], table.weights)
        if dict(zip(map(str, table.labels[column]), rows.tolist(), strict=False)) != expected:
            raise disagree(f"The classes of {column} are not those that were asked for.")


class Derived:
    """The classes of a column, from the rule and the values of the release."""

    def __init__(self, classes: Classes) -> None:
        self._rule, self._decimal, self._counts = classes.rule, classes.decimal, classes.counts
        self._labels = classes.rows.keys()
        self._known: dict[int, str] = {}

    def label(self, text: str) -> str | None:
        """Return the class of a value; None where it has none."""
        rule = self._rule
        if rule.prefix is not None:
            return "".join(sign if place < rule.prefix else "*" for place, sign in enumerate(text))
        if rule.by is not None:
            days = self._days(text)
            ends = None if days is None else [_unit(day, rule.by) for day in days]
            return ends[0] if ends is not None and ends[0] == ends[1] else None
        value = self._number(text)
        return None if value is None else self._interval_label(value)

    # Numbers ----------------------------------------------------------------------------------------------------

    def _number(self, text: str) -> Fraction | None:
        if self._rule.age_at is not None:
            days = self._days(text)
            return (
                None if days is None or days[0] != days[1] else Fraction(_years(days[0], self._rule.age_at))
            )
        try:
            plain = text.replace(".", "x").replace(",", ".") if self._decimal == "," else text
            return Fraction(plain.strip()) if "/" not in plain and "_" not in plain else None
        except (ValueError, ZeroDivisionError):
            return None

    @cached_property
    def _values(self) -> dict[Fraction, int]:
        counts: dict[Fraction, int] = {}
        for text, count in self._counts.items():
            value = self._number(text)
            if value is None:
                raise disagree("A value is not a number, and was put into a class.")
            counts[value] = counts.get(value, 0) + count
        return counts

    @cached_property
    def _cuts(self) -> list[Fraction]:
        if self._rule.quantiles is None:
            return [Fraction(cut) for cut in self._rule.cuts]
        total, below, borders = sum(self._values.values()), 0, set()
        waiting = iter(range(1, self._rule.quantiles))
        part: int | None = next(waiting)
        reached = False
        for value in sorted(self._values):
            if reached:
                borders.add(value)
            below, reached = below + self._values[value], False
            while part is not None and below * self._rule.quantiles >= part * total:
                part, reached = next(waiting, None), True
        steps = {cut: Fraction(self._rule.round or _second_digit(cut)) for cut in borders}
        return sorted({floor(cut / step + Fraction(1, 2)) * step for cut, step in steps.items()})

    @cached_property
    def _whole(self) -> bool:
        borders = (
            self._cuts
            if self._rule.width is None
            else [Fraction(self._rule.width), Fraction(self._rule.from_)]
        )
        return all(value.denominator == 1 for value in (*borders, *self._values))

    def _ends(self, value: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Return where the interval of a value begins and ends."""
        if self._rule.width is not None:
            width, start = Fraction(self._rule.width), Fraction(self._rule.from_)
            low = value - (value - start) % width
            return low, low + width
        ends = [None, *self._cuts, None]
        at = bisect_right(self._cuts, value)
        return ends[at], ends[at + 1]

    def _interval_label(self, value: Fraction) -> str:
        if self._rule.width is not None:
            return self._spelled(*self._ends(value))
        at = bisect_right(self._cuts, value)
        if at not in self._known:
            labels = self._rule.labels
            self._known[at] = labels[at] if labels else self._spelled(*self._ends(value))
        return self._known[at]

    def _spelled(self, low: Fraction | None, high: Fraction | None) -> str:
        if low is None or high is None:
            return f"<{_digits(high)}" if high is not None else f"{_digits(low)}+" if low is not None else "*"
        if not self._whole:
            return f"[{_digits(low)}, {_digits(high)})"
        if high - low == 1:
            return _digits(low)
        return f"{_digits(low)} to {_digits(high - 1)}" if low < 0 else f"{_digits(low)}-{_digits(high - 1)}"

    # Dates ------------------------------------------------------------------------------------------------------

    def _days(self, text: str) -> Days | None:
        form, plain = self._rule.format, text.strip()
        try:
            if form is not None:
                day = datetime.strptime(plain, form).date().isoformat()  # noqa: DTZ007 # days, not moments
                known = 10 if "%j" in form or ("%d" in form and "%m" in form) else 7 if "%m" in form else 4
                return _filled(day[:known])
            return (
                _filled(plain[:10])
                if re.fullmatch(r"\d{4}(-\d\d(-\d\d([T ].*)?)?)?", plain, re.ASCII)
                else None
            )
        except ValueError:
            return None

    # Others -----------------------------------------------------------------------------------------------------

    def agreeing(self, others: Iterable[Label]) -> list[set[str]]:
        """Return the classes of the release that values of others agree with."""
        return [self._met(str(text)) for text in others]

    def _met(self, text: str) -> set[str]:
        if text in self._labels:
            return {text}
        own = self.label(text)
        if self._rule.prefix is not None:
            return {x for x in self._labels if (_may_be(x, text) if "*" in text else x == own)}
        if own is not None:
            return {own} & set(self._labels)
        if self._rule.by is not None:
            theirs = self._days(text) or _label_days(text)
            ours = {label: _label_days(label) for label in self._labels}
            return {
                x
                for x, days in ours.items()
                if theirs and days and days[0] <= theirs[1] and theirs[0] <= days[1]
            }
        return self._met_interval(text)

    def _met_interval(self, text: str) -> set[str]:
        """Return the classes with a number in common with an interval: both ends of each, and what lies between."""
        low, high = self._read(text)
        if (low is None and high is None) or (low is not None and high is not None and low >= high):
            return set()
        met = set()
        for value in self._values:
            begin, end = self._ends(value)
            first = max((x for x in (begin, low) if x is not None), default=None)
            last = min((x for x in (end, high) if x is not None), default=None)
            at = None if first is None else Fraction(-floor(-first)) if self._whole else first
            if at is None or last is None or at < last:
                met.add(self._interval_label(value))
        return met

    def _read(self, text: str) -> tuple[Fraction | None, Fraction | None]:
        """Read where an interval begins, and what lies above it."""
        if self._rule.age_at is not None and (days := self._days(text)) is not None:
            ages = [_years(day, self._rule.age_at) for day in reversed(days)]
            return Fraction(ages[0]), Fraction(ages[1] + 1)
        if match := re.fullmatch(rf"<{_SIGNED}", text):
            return None, Fraction(match[1])
        if match := re.fullmatch(rf"{_SIGNED}\+", text):
            return Fraction(match[1]), None
        if match := re.fullmatch(rf"\[{_SIGNED}, {_SIGNED}\)", text):
            return Fraction(match[1]), Fraction(match[2])
        if self._whole and (match := re.fullmatch(r"(-?[0-9]+)(?:-| to )(-?[0-9]+)", text)):
            return Fraction(match[1]), Fraction(match[2]) + 1
        return None, None


def _may_be(ours: str, theirs: str) -> bool:
    """Tell whether two texts may be the same, where a star stands for any sign."""
    return len(ours) == len(theirs) and all(
        x == y or "*" in (x, y) for x, y in zip(ours, theirs, strict=True)
    )


def _digits(value: Fraction) -> str:
    """Write a decimal number: its digits, with the point so many places from the end."""
    places = 0
    while value.denominator != 1:
        value, places = value * 10, places + 1
    digits = str(abs(value.numerator)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if value < 0 else text


def _filled(text: str) -> Days:
    """Return the first and the last day of a year, a month or a day."""
    year, month, day = (*text.split("-"), None, None)[:3]
    first = date(int(year or 0), int(month or 1), int(day or 1))
    if day is not None:
        return first.isoformat(), first.isoformat()
    after = date.max if month is None and first.year == date.max.year else None
    if month is None:
        return first.isoformat(), (after or date(first.year, 12, 31)).isoformat()
    last = next(
        date(first.year, first.month, d) for d in (31, 30, 29, 28) if _exists(first.year, first.month, d)
    )
    return first.isoformat(), last.isoformat()


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _unit(day: str, unit: str) -> str:
    if unit in _UNITS:
        return day[: _UNITS[unit]]
    if unit == "decade":
        return f"{day[:3]}0s"
    if unit == "quarter":
        return f"{day[:4]}-Q{1 + (int(day[5:7]) - 1) // 3}"
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year:04}-W{week:02}"


def _label_days(text: str) -> Days | None:
    """Return the days of a label."""
    try:
        if match := re.fullmatch(r"(\d{3})0s", text, re.ASCII):
            return f"{match[1]}0-01-01", f"{match[1]}9-12-31"
        if match := re.fullmatch(r"(\d{4})-Q([1-4])", text, re.ASCII):
            last = _filled(f"{match[1]}-{3 * int(match[2]):02}")[1]
            return f"{match[1]}-{3 * int(match[2]) - 2:02}-01", last
        if match := re.fullmatch(r"(\d{4})-W(\d\d)", text, re.ASCII):
            ends = (date.fromisocalendar(int(match[1]), int(match[2]), day) for day in (1, 7))
            first, last = (day.isoformat() for day in ends)
            return first, last
        return _filled(text) if re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", text, re.ASCII) else None
    except ValueError:
        return None


def _years(born: str, at: date) -> int:
    """Count the birthdays until a day; one that a year does not have is the day after."""
    return at.year - int(born[:4]) - (at.isoformat()[5:] < born[5:])


def _second_digit(cut: Fraction) -> Fraction:
    """Return the power of ten that is the second digit of a cut."""
    unit = Fraction(1)
    while abs(cut) >= 100 * unit:
        unit *= 10
    while 0 < abs(cut) < 10 * unit:
        unit /= 10
    return unit
