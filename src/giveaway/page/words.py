"""Numbers and limits as the page writes them."""

from fractions import Fraction

import giveaway as ga
from giveaway.page.session import Session, sliders

_NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


def spelled(number: int) -> str:
    """Write small numbers as words."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def percent(limit: str) -> str:
    """Write a limit as a part of a hundred."""
    return f"{float(100 * Fraction(limit)):.3g} %"


def crowd(limit: str) -> int:
    """Return how many somebody hides among at a limit."""
    exact = Fraction(limit)
    return -(-exact.denominator // exact.numerator)


def limit_says(session: Session, name: str, limit: str) -> str:
    """Write a limit as a sentence."""
    what = "a sensitive value" if session.kind == "table" else "a private item"
    says = sliders()[name].says.format(crowd=spelled(crowd(limit)), percent=percent(limit), what=what)
    return session.nouns.told(says)


def limit_small(name: str, limit: str | None) -> str:
    """Say what a limit means in numbers."""
    if limit is None:
        return "Not limited yet."
    small: str = sliders()[name].small
    return small.format(one_in=limit.replace("/", " in "), percent=percent(limit))


def limit_mark(name: str, limit: str) -> str:
    """Write the place of a limit on its slider."""
    return str(crowd(limit)) if ga.Tolerance.limits()[name].in_crowds else percent(limit)
