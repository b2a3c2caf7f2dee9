"""Rows of several periods that cannot be joined, of people who are in all of them: who has a private item at some time.

All ways to join the rows are equally likely, so that somebody's row in one release tells nothing of their row in another:
a private item is not theirs at any time with the product, over the releases, of the chances that it is not theirs there.
In each release the chance is at most that of the most telling combination of as many items as are known. That holds too for
somebody who does not know when an item was bought: whatever the other rows are, such an item must be in this row, or need
not be. So the product of these bounds what is told; of somebody who knows the most telling combination of each release it
is what is told.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from types import MappingProxyType
from typing import Any

from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.evidence import evidence
from giveaway.attacks.items.question import ask
from giveaway.attacks.items.reporting.worst_cases import extremes
from giveaway.attacks.together import View, at_some_time, with_files_of
from giveaway.attacks.wording import listed, named, percent
from giveaway.errors import BudgetExceeded, NoSafeRelease, NothingToJudge
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Details, Exposure, HoldsUpTo, How, Level, Risk
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import HeldTransactions, Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release

_Named = tuple[str, Transactions]
"""What a release shows, and its name; that of the release now is empty."""


@dataclass(frozen=True, kw_only=True)
class _Surest:
    """How surely one release tells a private item, to somebody who knows which items, and of how many of all."""

    chance: Fraction
    known: tuple[Label, ...] = ()
    usual: Fraction = Fraction(0)


def in_several(view: View, apart: Sequence[Earlier], private: Collection[Label]) -> View:
    """Return the view of somebody who sees what a view shows, and earlier releases whose rows cannot be joined with it."""
    then = [(one.name, _baskets(one.shown)) for one in apart]
    before = view.before or Release(then[0][1])

    def looked_at(seen: Release, limits: Tolerance, effort: Effort) -> _Unjoined:
        out = seen is before and view.before is None
        own = [] if out else [("", _baskets(seen.published))]
        return _Unjoined(
            shown=[*own, *then], private=private, attacker=view.attacker, tolerance=limits, effort=effort
        )

    def left(limits: Tolerance, effort: Effort) -> Tolerance:
        """Return within what the release now must be, so that with the others no private item is over its limit."""
        limit, rest = limits.attribute or Fraction(1), [Fraction(1)]
        for now, *others in looked_at(view.release, limits, effort).surest.values():
            never = prod(1 - one.chance for one in others)
            if now.usual:
                rest.append(1 - (1 - limit) / never if never else Fraction(0))
        if min(rest) <= 0:
            raise NoSafeRelease(
                f"{with_files_of(names)} a private {nouns().item} is likelier at some time than you allow, whatever is withheld "
                "now."
            )
        return replace(limits, attribute=min(limit, *rest), share=Fraction(0))

    names = (*view.releases, *(one.name for one in apart))
    return replace(
        view,
        releases=names,
        linked="people",
        before=before,
        measured=lambda seen, limits, effort: looked_at(seen, limits, effort).risk,
        tolerance=left,
        accepts=view.accepts and all(one.already == "accept" for one in apart),
        figures={},
        bound=True,
        says=with_files_of(names),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Unjoined:
    """Releases whose rows cannot be joined with each other, and somebody who looks at all of them."""

    shown: Sequence[_Named]
    private: Collection[Label]
    attacker: KnowsItems
    tolerance: Tolerance
    effort: Effort

    @cached_property
    def surest(self) -> dict[Label, list[_Surest]]:
        """How surely each release tells each private item."""
        if self.tolerance.attribute is None:
            return {}
        return {label: [self._in(one, label) for one in self.shown] for label in self.private}

    def _in(self, named: _Named, label: Label) -> _Surest:
        """Ask the release alone, with this private item and no other; joined rows show who has it at some time."""
        name, shown = named
        label = at_some_time(label) if at_some_time(label) in shown.code_of else label
        held = int(shown.supports[shown.code_of[label]]) if label in shown.code_of else 0
        if not held:
            return _Surest(chance=Fraction(0))
        alone = also_private(shown, [label])
        alone = alone.without([one for one in _private(shown) if one != label])
        usual = Fraction(held, len(shown))
        if not ((alone.supports > 0) & ~alone.is_private).any():
            return _Surest(chance=usual, usual=usual)
        question = ask(Release(alone), self.attacker, self.tolerance.only({"attribute"}))
        worst = extremes(question, evidence(question, self.effort))
        if worst.breach is None:
            raise BudgetExceeded(
                f"The {nouns().items} that tell most of a private one were not found in time.",
                hint="ask about fewer known items, or allow more seconds.",
            )
        known = () if worst.telling is None else tuple(map(question.label, worst.telling.codes))
        return _Surest(
            chance=worst.breach,
            known=tuple(f"{item}@{name}" for item in known) if name else known,
            usual=usual,
        )

    @cached_property
    def exposures(self) -> list[Exposure]:
        """What is told of each private item, the likeliest first."""
        exposures = [self._exposure(label, parts) for label, parts in self.surest.items()]
        return sorted((one for one in exposures if one.chance), key=lambda one: -one.chance)

    def _exposure(self, label: Label, parts: Sequence[_Surest]) -> Exposure:
        each = [
            f"{percent(one.chance)} {f'in the file of {name}' if name else 'now'}"
            for (name, _), one in zip(self.shown, parts, strict=True)
            if one.chance
        ]
        chance, usual = (
            1 - prod((1 - part for part in some), start=Fraction(1))
            for some in ([one.chance for one in parts], [one.usual for one in parts])
        )
        return Exposure(
            target=tuple(item for one in parts for item in one.known) or (at_some_time(label),),
            kind="attribute",
            chance=chance,
            baseline=usual,
            value=at_some_time(label),
            because=f"By all ways to join the rows {at_some_time(named(label))} is theirs with {percent(chance)}: {listed(each)}.",
        )

    @property
    def risk(self) -> Risk:
        """The risk that a private item is told at some time."""
        limit, items = self.tolerance.attribute or Fraction(1), nouns().items
        over = [one for one in self.exposures if one.chance > limit]
        who = f"{len(over):,} private {items} are" if len(over) > 1 else f"A private {nouns().item} is"
        # Of how many it is so is not known where rows cannot be joined: of one at least.
        of_one = Fraction(bool(over), len(self.shown[0][1]))
        return Risk(
            share=of_one,
            reasons=(f"{who} likelier at some time than you allow.",) if over else (),
            doubt="Of how many that is so is not known." if over and self.tolerance.share else None,
            details=_UnjoinedDetails(self.exposures, len(over), limit),
        )


class _UnjoinedDetails(Details):
    """What a report shows of it."""

    def __init__(self, exposures: Sequence[Exposure], over: int, limit: Fraction) -> None:
        self.exposures, self.over = exposures, over
        worst = max((one.chance for one in exposures), default=Fraction(0))
        usual = max((Fraction(one.baseline or 0) for one in exposures), default=Fraction(0))
        self.levels = (Level(kind="attribute", worst=worst, limit=limit, baseline=usual),)

    figures: Mapping[str, Any] = MappingProxyType({})
    holds_up_to = HoldsUpTo(value=None, unit="items")
    how = How(
        method="bound",
        detail="All ways to join the rows are equally likely, and of each release the most telling combination was taken.",
    )


def also_private(shown: Transactions, labels: Collection[Label]) -> Transactions:
    """Return transactions of which some more items are private, because they are in another release of the same people."""
    codes = shown.private | {shown.code_of[label] for label in labels if label in shown.code_of}
    if codes == shown.private:
        return shown
    if isinstance(shown, HeldTransactions):
        raise NothingToJudge(
            f"Some {nouns().items} are private in one release, and public in another that is counted where it is held.",
            hint="name them as private in both.",
        )
    return replace(shown, private=codes)


def _private(shown: Transactions) -> list[Label]:
    return [shown.labels[code] for code in sorted(shown.private)]


def _baskets(shown: Any) -> Transactions:
    assert isinstance(shown, Transactions)  # noqa: S101 # it was looked at by rows
    return shown
