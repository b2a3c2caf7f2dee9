"""What is asked about a release: who looks people up by which columns, and what must not be told of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True, eq=False)
class DirectoryAsked:
    """The attacker, and the parts of a release that say what is sensitive."""

    directories: tuple[People, ...]
    """None where the table is its own directory."""
    columns: tuple[str, ...]
    """The columns compared."""
    match: Mapping[str, Any]
    prior: Sequence[Fraction]
    likelihoods: Sequence[Any]
    """How likely the people of each directory are taken, with `people` and `of`; none where all are equally likely."""
    knows_method: bool
    at_most: int | None
    """This many of the columns are known of somebody, whichever they are; None: all of them."""
    judges: str
    """ "any" target, or the "true" ones only."""
    within: Mapping[str, Any]
    """The numeric columns in which a guess is right when it is close, with `part` and `amount`."""
    sensitive: tuple[str, ...]
    """The columns that must not be told, of those that are not compared."""
    sensitive_values: tuple[Label, ...] | None
    sensitive_classes: Mapping[str, Mapping[str, Sequence[Label]]]
    earlier_plans_fail: Fraction
    """At least so likely the plans that were tried first fail, for all that is seen."""
    planned_by: tuple[str, ...]
    """All columns that may have decided what is withheld: those that somebody compares who is asked about."""
    in_company: bool
    """Whether it was not chosen for this attacker alone."""

    def knows_less(self, chosen: Sequence[str]) -> bool:
        """Whether somebody who knows the method and these columns knows fewer than those that decided."""
        elsewhere = self.in_company and bool(self.directories)
        return self.knows_method and (elsewhere or not {*self.planned_by} <= {*chosen})

    def informed(self, chance: Fraction) -> Fraction:
        """Return a chance for somebody who also knows that the plans tried first have failed."""
        if not self.knows_method or not chance:
            return chance
        return min(Fraction(1), chance / self.earlier_plans_fail) if self.earlier_plans_fail else Fraction(1)

    def sets_for_identity(self) -> list[tuple[str, ...]]:
        """Return the sets of columns that may be known: fewer columns never shrink a crowd."""
        most = len(self.columns) if self.at_most is None else min(self.at_most, len(self.columns))
        return list(combinations(self.columns, most))

    def sets_for_values(self) -> Iterator[tuple[str, ...]]:
        """Give the sets of columns that may be known, the smallest first: fewer may say more about a value."""
        if self.at_most is None:
            yield self.columns
            return
        for many in range(min(self.at_most, len(self.columns)) + 1):
            yield from combinations(self.columns, many)


def asked_of(
    attacker: Mapping[str, Any], release: Release, table: Table, beside: Sequence[Mapping[str, Any]] = ()
) -> DirectoryAsked:
    """Gather what is asked from the fields of the attacker and from the release."""
    columns = compared_of(attacker, table)
    known = {*columns, *(name for one in beside for name in compared_of(one, table))}
    if beside and release.withholds_by_hand:  # by a rule that may have looked at whatever is not sensitive
        known |= {*table.columns}.difference(table.sensitive)
    return DirectoryAsked(
        directories=attacker["directories"],
        columns=columns,
        match=attacker["match"],
        prior=attacker["prior"],
        likelihoods=attacker["likelihoods"],
        knows_method=attacker["knows_method"],
        at_most=attacker["at_most"],
        judges=attacker["judges"],
        within=attacker["within"],
        sensitive=tuple(name for name in table.columns if name in table.sensitive and name not in columns),
        sensitive_values=release.sensitive_values,
        sensitive_classes=release.sensitive_classes,
        earlier_plans_fail=_failing(attacker, release, columns),
        planned_by=tuple(name for name in table.columns if name in known),
        in_company=bool(beside),
    )


def _failing(attacker: Mapping[str, Any], release: Release, columns: tuple[str, ...]) -> Fraction:
    """Return how likely plans fail that were tried first; 0 for somebody for whom that is not worked out."""
    plans = release.earlier_plans
    if plans is None:
        return Fraction(1)
    same = {*plans.columns} == {*columns} and not attacker["directories"] and attacker["at_most"] is None
    return release.earlier_plans_fail if same else Fraction(0)


def compared_of(attacker: Mapping[str, Any], table: Table) -> tuple[str, ...]:
    """Return the columns that are named; else all common ones, of the table itself those that are not sensitive."""
    named: tuple[str, ...] = attacker["columns"]
    if named:
        return named
    if not attacker["directories"]:
        return tuple(name for name in table.columns if name not in table.sensitive)
    return tuple(
        name for name in table.columns if any(name in people.columns for people in attacker["directories"])
    )
