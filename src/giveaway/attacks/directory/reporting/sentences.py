"""The sentences about records and people: who agrees, how many, and with what."""

from collections.abc import Sequence
from fractions import Fraction

from giveaway.model.data.labels import Label
from giveaway.model.question.attacker import listed

_LONGEST_LABEL = 40
_FEW = 6
_TINY = Fraction(1, 1000)


def named(label: Label) -> str:
    """Write a label, shortened when it is very long."""
    text = str(label)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"


def counted(count: int, one: str, many: str) -> str:
    """Write a count with its noun."""
    return f"{count:,} {one if count == 1 else many}"


def records(count: int) -> str:
    """Count records in words."""
    return counted(count, "record", "records")


def people(count: int) -> str:
    """Count people in words."""
    return counted(count, "person", "people")


def percent(chance: Fraction) -> str:
    """Write a chance as a percentage with one decimal, or in words when it is tiny."""
    if 0 < chance < _TINY:
        return "fewer than 1 in 1,000"
    tenths = round(chance * 1000) if chance == 1 else min(round(chance * 1000), 999)
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def amount(loss: Fraction | float) -> str:
    """Write a loss with four digits that count."""
    return f"{float(loss):,.4g}"


def because(candidates: int, size: int, where: str, columns: Sequence[str], *, gaps: bool = False) -> str:
    """Say how many people agree with what a record discloses; with `gaps` those too of whom nothing is known there."""
    whole = f"{people(size)} in {where}"
    if not columns:
        return f"The record discloses nothing that can be looked up: all {whole} agree."
    which = f"this {listed(columns)}" if len(columns) <= _FEW else f"these {len(columns)} columns"
    if candidates == 0:
        return f"None of the {whole} has {which}; who is not listed is not found there."
    if gaps:
        which += " or none" if len(columns) == 1 else ", or none in their place"
    few = "Only 1" if candidates == 1 else f"{candidates:,}"
    return f"{few} of {whole} {'has' if candidates == 1 else 'have'} {which}."
