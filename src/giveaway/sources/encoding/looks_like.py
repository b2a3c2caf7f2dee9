"""What the values of a column look like: free text, addresses, numbers of people, names, dates."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from itertools import islice

MOST = 1_000
"""As many values are looked at."""

_MAIL = re.compile(r"[\w.+%-]+@[\w-]+(\.[\w-]+)+")
_MONTH = r"(jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*"
_DATE = re.compile(
    r"((19|20)\d\d([-/.]?)(0?[1-9]|1[0-2])\3(0?[1-9]|[12]\d|3[01])"  # year first
    r"|(0?[1-9]|[12]\d|3[01])([-/.])(0?[1-9]|[12]\d|3[01])\7(\d\d|(19|20)\d\d)"  # year last
    rf"|\d{{1,2}}[. -]+{_MONTH}[. -]+\d{{2,4}}|{_MONTH} \d{{1,2}},? \d{{4}})"
    r"([T ]\d\d?:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"[+-]?(\d+|\d{1,3}([.,' ]\d{3})+)([.,]\d+)?(e[+-]?\d+)?", re.IGNORECASE)
_ORDINARY = re.compile(r"(19|20)\d\d-(19|20)\d\d|\d{5}-\d{4}|\d{1,3}(\.\d{1,3}){3}")
"""Two years, a postcode of nine digits, an address of a computer."""
_PHONE = re.compile(r"(\+|\(|\d)[\d /().-]+")
_DIALLED = re.compile(r"\+\d+|0{1,2}[1-9]\d{7,}")
_NUMBER = re.compile(r"[A-Za-z]{0,3}\d[\d -]*")
_PART_OF_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]*([-'][^\W\d_]+)*\.?,?")
_PARTICLES = frozenset(("da", "de", "del", "della", "den", "der", "di", "du", "la", "le", "van", "von", "zu"))
_NAME_WORDS = range(2, 5)

_PHONE_DIGITS = range(7, 16)
_LONG = 8
_WORDS, _LETTERS = 5, 60
_ENOUGH = {
    "e-mail addresses": Fraction(1, 10),
    "free text": Fraction(1, 4),
    "phone numbers": Fraction(1, 2),
    "dates": Fraction(1, 2),
    "long numbers": Fraction(1, 2),
    "names": Fraction(3, 4),
}
"""The part of the values that must have a shape; few addresses are enough, and notes are often short."""
_RARELY_REPEATED = ("free text", "names")
_NAMES_AT_LEAST = 10
"""With fewer values they are rather names of places or of kinds."""


def looks_like(values: Iterable[str]) -> str | None:
    """Tell what the values of a column look like, from the first that are not empty; None is nothing that stands out.

    The values may repeat, as they do in a column: what repeats often is a category, and not free text or a name.

    >>> looks_like(["ann@example.org", "bob@example.org"])
    'e-mail addresses'
    >>> looks_like(["red", "blue"])
    """
    seen = list(islice((text for text in map(str.strip, values) if text), MOST))
    different = set(seen)
    if not different:
        return None
    shapes = Counter(_shape(text) for text in different)
    for shape, enough in _ENOUGH.items():
        if shapes[shape] < enough * len(different) or not shapes[shape]:
            continue
        if shape in _RARELY_REPEATED and 2 * len(different) < len(seen):
            continue
        if shape == "names" and len(different) < _NAMES_AT_LEAST:
            continue
        return shape
    return None


def looked_at(columns: Mapping[str, Iterable[object]]) -> dict[str, str | None]:
    """Tell what each of some columns looks like; values that are not text or a number do not count."""
    return {
        name: looks_like(str(value) for value in values if isinstance(value, str | int | float | date))
        for name, values in columns.items()
    }


def _shape(text: str) -> str | None:
    """Tell what one value looks like."""
    if len(text) > _LETTERS or "\n" in text:
        return "free text"
    words = text.split()
    if len(words) < _WORDS and _MAIL.search(text):
        return "e-mail addresses"
    if _is_name(words):
        return "names"
    return _shape_of_digits(text) or ("free text" if len(words) >= _WORDS else None)


def _shape_of_digits(text: str) -> str | None:
    if _DATE.fullmatch(text):
        return "dates"
    if _ORDINARY.fullmatch(text):
        return None
    digits = sum(map(str.isdigit, text))
    spaced = _PHONE.fullmatch(text) and not _AMOUNT.fullmatch(text)
    if digits in _PHONE_DIGITS and (spaced or _DIALLED.fullmatch(text)):
        return "phone numbers"
    return "long numbers" if digits >= _LONG and _NUMBER.fullmatch(text) else None


def _is_name(words: list[str]) -> bool:
    written = [word for word in words if word not in _PARTICLES]
    return len(written) in _NAME_WORDS and all(map(_PART_OF_NAME.fullmatch, written))
