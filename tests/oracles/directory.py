"""Who agrees with a disclosed record, by going through everybody, and Jaro's similarity, letter by letter."""

import csv
import gzip
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from tests.oracles.shared import SHARED

FEBRL = SHARED / "dictionary" / "febrl1.csv.gz"

Value = str | int | None
Agrees = Callable[[Value, Value], bool]
Person = list[tuple[Value, ...]]


def agree(agrees: Agrees, disclosed: Value, known: Value, gaps: str) -> bool:
    """A blank of a record agrees with everybody; a gap in the directory with what is shown only where gaps agree."""
    if disclosed is None or agrees is everybody:
        return True
    return gaps == "agree" if known is None else agrees(disclosed, known)


def consistent(
    disclosed: Sequence[Value], entry: Sequence[Value], agrees: Sequence[Agrees], gaps: str
) -> bool:
    return all(agree(*one, gaps) for one in zip(agrees, disclosed, entry, strict=True))


def candidates(
    disclosed: Sequence[Value], people: Sequence[Person], agrees: Sequence[Agrees], gaps: str = "apart"
) -> int:
    """Count the people with an entry that is consistent with what is disclosed."""
    return sum(any(consistent(disclosed, entry, agrees, gaps) for entry in person) for person in people)


def same(disclosed: Value, known: Value) -> bool:
    return disclosed == known or str(disclosed) == str(known)


def alike(at_least: Fraction) -> Agrees:
    return lambda disclosed, known: jaro(str(disclosed), str(known)) >= at_least


def everybody(disclosed: Value, known: Value) -> bool:
    return True


def jaro(one: str, other: str) -> Fraction:
    """Half the transpositions are rounded down."""
    if not one and not other:
        return Fraction(1)
    reach = max(0, max(len(one), len(other)) // 2 - 1)
    taken: list[int] = []
    matched = []
    for i, letter in enumerate(one):
        near = range(max(0, i - reach), min(len(other), i + reach + 1))
        place = next((j for j in near if other[j] == letter and j not in taken), None)
        if place is not None:
            taken.append(place)
            matched.append(letter)
    if not matched:
        return Fraction(0)
    counterpart = [other[j] for j in sorted(taken)]
    transposed = sum(a != b for a, b in zip(matched, counterpart, strict=True)) // 2
    common = len(matched)
    return (
        Fraction(common, len(one)) + Fraction(common, len(other)) + Fraction(common - transposed, common)
    ) / 3


def febrl() -> list[dict[str, str]]:
    """Read real people with errors, or skip the test when they are not there."""
    if not FEBRL.exists():
        pytest.skip("the data set febrl1 is not at hand")
    with gzip.open(FEBRL, "rt", encoding="utf-8") as lines:
        return list(csv.DictReader(lines, skipinitialspace=True))
