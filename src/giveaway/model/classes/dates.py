"""Dates as they are written, and the units of the calendar that they are put into."""

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Literal, NamedTuple, get_args

Unit = Literal["day", "week", "month", "quarter", "year", "decade"]
UNITS: tuple[Unit, ...] = get_args(Unit)

NESTED: tuple[Unit, ...] = ("day", "month", "quarter", "year", "decade")
"""Units of which each is a part of the next; weeks are parts of nothing but themselves."""

_TIME = r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[-+][0-9]{2}(?::?[0-9]{2})?)?)?"
_ISO = re.compile(rf"([0-9]{{4}})(?:-([0-9]{{2}})(?:-([0-9]{{2}}){_TIME})?)?")
_LABELS = {
    "week": re.compile(r"([0-9]{4})-W([0-9]{2})"),
    "quarter": re.compile(r"([0-9]{4})-Q([1-4])"),
    "decade": re.compile(r"([0-9]{3}0)s"),
}
_DIRECTIVE = re.compile(r"%.?")
_KNOWN = {"%Y", "%m", "%d", "%j", "%H", "%M", "%S", "%f", "%%"}
_MONTHS = 12


class Span(NamedTuple):
    """The days from the first to the last that a text may mean; one day where it is exact."""

    first: date
    last: date

    def meets(self, other: "Span") -> bool:
        """Tell whether two spans have a day in common."""
        return self.first <= other.last and other.first <= self.last


def wrong_format(format: str) -> str | None:
    """Say what is wrong with the form of dates; None where nothing is."""
    named = _DIRECTIVE.findall(format)
    if "%y" in named:
        return "has years of two digits, which may mean two centuries"
    if unknown := [part for part in named if part not in _KNOWN]:
        return f"has {unknown[0]}, which is not known"
    if named.count("%Y") != 1:
        return "must name the year once, as %Y"
    if len(set(named)) < len(named):
        return "names something twice"
    return None


def span(text: str, format: str | None = None) -> Span | None:
    """Read a date: `YYYY-MM-DD`, also with a time, `YYYY-MM`, `YYYY`, or the form that is given.

    >>> span("1961-04"), span("3.4.61", "%d.%m.%Y")
    (Span(first=datetime.date(1961, 4, 1), last=datetime.date(1961, 4, 30)), None)
    """
    plain = text.strip()
    if not plain.isascii():
        return None
    try:
        if format is not None:
            return _formatted(plain, format)
        match = _ISO.fullmatch(plain)
        return (
            None
            if match is None
            else _between(*(None if part is None else int(part) for part in match.groups()))
        )
    except ValueError:  # no such day
        return None


def _formatted(text: str, format: str) -> Span:
    day, named = datetime.strptime(text, format), set(_DIRECTIVE.findall(format))  # noqa: DTZ007 # days, not moments
    has_month = "%m" in named or "%j" in named
    has_day = "%j" in named or {"%m", "%d"} <= named
    return _between(day.year, day.month if has_month else None, day.day if has_day else None)


def _between(year: int | None, month: int | None = None, day: int | None = None) -> Span:
    year = year or 0
    last = month or _MONTHS
    return Span(date(year, month or 1, day or 1), date(year, last, day or monthrange(max(year, 1), last)[1]))


_LABEL: Mapping[Unit, Callable[[date], str]] = {
    "day": lambda day: day.isoformat(),
    "week": lambda day: "{:04}-W{:02}".format(*day.isocalendar()[:2]),
    "month": lambda day: f"{day.year:04}-{day.month:02}",
    "quarter": lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04}",
    "decade": lambda day: f"{day.year // 10 * 10:04}s",
}


def label(days: Span, unit: Unit) -> str | None:
    """Write the unit in which a date lies; None where the date is coarser than that.

    >>> label(span("1961-04-27"), "week"), label(span("1961"), "decade"), label(span("1961"), "month")
    ('1961-W17', '1960s', None)
    """
    first, last = map(_LABEL[unit], days)
    return first if first == last else None


def labelled(text: str) -> Span | None:
    """Read a date, or a label of some unit."""
    for unit, form in _LABELS.items():
        match = form.fullmatch(text)
        if match is not None:
            try:
                return _unit(unit, *map(int, match.groups()))
            except ValueError:  # no such week
                return None
    return span(text)


def _unit(unit: str, year: int, number: int = 0) -> Span:
    if unit == "week":
        return Span(date.fromisocalendar(year, number, 1), date.fromisocalendar(year, number, 7))
    if unit == "quarter":
        return Span(date(year, 3 * number - 2, 1), _between(year, 3 * number).last)
    return Span(date(max(year, 1), 1, 1), date(year + 9, 12, 31))


def age(born: date, at: date) -> int:
    """Return the completed years; who was born on 29 February is a year older on 1 March.

    >>> age(date(2000, 2, 29), date(2001, 2, 28)), age(date(2000, 2, 29), date(2001, 3, 1))
    (0, 1)
    """
    return at.year - born.year - ((at.month, at.day) < (born.month, born.day))
