"""The attack by its definitions alone, one record, person and set of columns after the other."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

Record = Mapping[str, str | None]
Line = tuple[str, Record]
"""An identifier and an entry of a directory."""

Shown = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class World:
    """Records with weights, directories, and the columns that are compared."""

    records: Sequence[Record]
    columns: tuple[str, ...]
    """What may be disclosed; those of `compared` are looked up."""
    compared: tuple[str, ...]
    directories: Sequence[Sequence[Line]]
    form: str
    weights: Sequence[Mapping[str, Any]]
    pairs: Sequence[Mapping[tuple[str, ...], Any]] = ()
    prior: tuple[Fraction, ...] = ()
    wrong: Fraction = Fraction(0)
    """The part of a sensitivity that is lost when a wrong person is taken for the one of the record."""
    gaps: str = "apart"
    """Whether somebody whose value is missing agrees with no value that is shown, or with every one."""

    def available(self, record: int) -> Shown:
        return tuple(name for name in self.columns if self.records[record][name] is not None)

    def candidates(self, record: int, shown: Iterable[str], directory: int) -> int:
        return len(
            {
                person
                for person, entry in self.directories[directory]
                if all(
                    self.gaps == "agree"
                    if entry.get(name) is None
                    else entry.get(name) == self.records[record][name]
                    for name in shown
                    if name in self.compared
                )
            }
        )

    def phi(self, record: int, shown: Iterable[str]) -> Any:
        if self.form == "constant":
            return Fraction(1)
        total: Any = Fraction(0)
        for name in shown:
            total += self.weights[record].get(name, 0)
        for together, weight in (self.pairs[record] if self.pairs else {}).items():
            if {*together} <= {*shown}:
                total += weight
        return math.exp(total) if self.form == "multiplicative" else total

    def chances(self, record: int, shown: Iterable[str], *, listed: bool) -> list[Fraction]:
        found = [self.candidates(record, shown, place) for place in range(len(self.directories))]
        return [Fraction(1, max(one, 1)) if one or listed else Fraction(0) for one in found]

    def chance(self, record: int, shown: Iterable[str], *, listed: bool) -> Fraction:
        found = self.chances(record, shown, listed=listed)
        if not self.prior:
            return max(found)
        return sum((part * one for part, one in zip(self.prior, found, strict=True)), Fraction(0))

    def loss(self, record: int, shown: Iterable[str], *, listed: bool) -> Any:
        lost = self.lost(record, shown, listed=listed)
        if not self.prior:
            return times(self.phi(record, shown), max(lost))
        parts = (part * one for part, one in zip(self.prior, lost, strict=True))
        return times(self.phi(record, shown), sum(parts, Fraction(0)))

    def lost(self, record: int, shown: Iterable[str], *, listed: bool) -> list[Fraction]:
        """What somebody who picks a candidate by chance makes of the sensitivity on average, in each directory."""
        return [
            one and one * 1 + (1 - one) * self.wrong for one in self.chances(record, shown, listed=listed)
        ]

    def risks(self, rule: Sequence[Shown], *, listed: bool) -> list[Any]:
        """The risk in each directory."""
        losses = [
            [times(self.phi(record, shown), one) for one in self.lost(record, shown, listed=listed)]
            for record, shown in enumerate(rule)
        ]
        return [sum(column) / Fraction(len(rule)) for column in zip(*losses, strict=True)]

    def risk(self, rule: Sequence[Shown], *, listed: bool = False) -> Any:
        risks = self.risks(rule, listed=listed)
        if not self.prior:
            return max(risks)
        return sum(times(one, part) for part, one in zip(self.prior, risks, strict=True))

    def over(self, rule: Sequence[Shown], limit: Fraction, *, listed: bool) -> int:
        return sum(self.chance(place, shown, listed=listed) > limit for place, shown in enumerate(rule))

    def without(self, rule: Sequence[Shown]) -> int:
        return sum(
            not any(self.candidates(place, shown, at) for at in range(len(self.directories)))
            for place, shown in enumerate(rule)
        )

    def everything(self) -> list[Shown]:
        return [self.available(place) for place in range(len(self.records))]

    def rules(self) -> Iterator[tuple[Shown, ...]]:
        """Every way to disclose some of the values."""
        yield from product(
            *(
                [chosen for size in range(len(there) + 1) for chosen in combinations(there, size)]
                for there in self.everything()
            )
        )


def times(phi: Any, chance: Any) -> Any:
    return Fraction(0) if not phi or not chance else phi * chance


def values(rule: Sequence[Shown]) -> int:
    return sum(map(len, rule))
