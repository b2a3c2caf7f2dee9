"""The sentences about records and people: who agrees, how many, and with what."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from giveaway.attacks.wording import counted, listed, named, percent
from giveaway.model.answer.nouns import nouns

__all__ = ["amount", "because", "because_alike", "counted", "few", "named", "people", "percent", "records"]

_FEW = 6


def records(count: int) -> str:
    """Count records in words."""
    return counted(count, nouns().record, nouns().records)


def people(count: int) -> str:
    """Count people in words."""
    return counted(count, "person", "people")


def amount(loss: Fraction | float) -> str:
    """Write a loss with four digits that count."""
    return f"{float(loss):,.4g}"


def few(columns: Sequence[str]) -> str:
    """Name columns where they are few, and count them where they are many."""
    return listed(columns) if len(columns) <= _FEW else f"{len(columns)} columns"


def because(
    candidates: int,
    size: int,
    where: str,
    columns: Sequence[str],
    *,
    similar: Collection[str] = (),
    gaps: bool = False,
) -> str:
    """Say how many people agree with what a record discloses; with `gaps` those too of whom nothing is known there.

    Of the columns in `similar` a value agrees that is only like it.
    """
    whole = f"{people(size)} in {where}"
    if not columns:
        return f"The {nouns().record} discloses nothing that can be looked up: all {whole} agree."
    which = _which(columns, similar)
    if candidates == 0:
        return f"None of the {whole} has {which}; somebody who is not listed cannot be found there."
    if gaps:
        which += " or none" if len(columns) == 1 else ", or none in their place"
    few = "Only 1" if candidates == 1 else f"{candidates:,}"
    return f"{few} of {whole} {'has' if candidates == 1 else 'have'} {which}."


def _which(columns: Sequence[str], similar: Collection[str]) -> str:
    """Say which values somebody has: these, or similar ones."""
    if len(columns) > _FEW:
        or_similar = ", or similar values" if any(name in similar for name in columns) else ""
        return f"these {len(columns)} columns{or_similar}"
    same = [name for name in columns if name not in similar]
    near = [name for name in columns if name in similar]
    parts = [f"this {listed(same)}"] if same else []
    return " and ".join([*parts, *([f"a similar {listed(near)}"] if near else [])])


def because_alike(crowd: int, where: str | None, columns: Sequence[str]) -> str:
    """Say how many records look exactly like one, or how many people of a directory would be published like it."""
    shows = f"exactly this {listed(columns)}" if columns else "nothing that can be looked up"
    if len(columns) > _FEW:
        shows = f"exactly the same in {len(columns)} columns"
    if where is None:
        return (
            f"Only this {nouns().record} shows {shows}." if crowd == 1 else f"{records(crowd)} show {shows}."
        )
    if crowd == 0:
        return f"Nobody in {where} would be published showing {shows}; who is not listed is not found there."
    who = "Only 1 person" if crowd == 1 else people(crowd)
    return f"{who} in {where} would be published showing {shows}."
