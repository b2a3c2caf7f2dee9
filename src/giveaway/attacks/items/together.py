"""Somebody who knows a few items of a person and kept earlier releases: baskets side by side are baskets again."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.evidence import evidence
from giveaway.attacks.items.question import ask
from giveaway.attacks.items.reporting.worst_cases import extremes
from giveaway.attacks.together import AtOnce, Seen, View, at_some_time, with_files_of
from giveaway.attacks.wording import listed, named, percent
from giveaway.errors import BudgetExceeded, NoSafeRelease, NothingToJudge, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Details, Exposure, HoldsUpTo, How, Level, Risk
from giveaway.model.data.alike import both_differences
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import HeldTransactions, Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.categories import ITEM
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release
from giveaway.model.release.same_people import ONE_BY_ONE, SamePeople
from giveaway.model.release.side_by_side import Naming, ReleasePart, side_by_side
from giveaway.model.release.withheld import Withheld


def views(release: Release, attacker: KnowsItems, tolerance: Tolerance) -> tuple[View, ...]:
    """Return the release joined with each earlier one and with all of them, and who joined or left by difference.

    Of another period, rows that nobody can join tell no more of a row than each alone, because every way to join them is
    possible; of what somebody has at some time they do.
    """
    earlier = [one for one in release.earlier if one.linked != "nobody"]
    for one in earlier:
        if one.facts == "same" and one.linked != "rows":
            raise NothingToJudge(
                f"{one.name} shows the same transactions, and what rows tell that only may belong together is not worked out.",
                hint='say linked = "rows" to judge them as if every row could be joined.',
            )
    joined = [one for one in earlier if "rows" in one.ways]
    sets = [[one] for one in joined] + ([joined] if len(joined) > 1 else [])
    again = [one for one in earlier if one.facts == "same"]
    return (
        *(_joined(release, one, attacker, tolerance) for one in sets),
        *_unjoined(release, earlier, attacker, tolerance),
        *(view for one in again for view in _by_difference(release, one, attacker)),
    )


def _joined(release: Release, earlier: Sequence[Earlier], attacker: KnowsItems, tolerance: Tolerance) -> View:
    """Look at the rows of each person together; items of another period are other items.

    Whoever is looked for is in the data now, and whose rows can be joined is seen not to be. Who has left hides nobody.
    """
    now = _baskets(release.published)
    current = ReleasePart(shown=now, person=np.arange(len(now)), called=_itself, name="the release")
    people, parts = len(now), list[ReleasePart]()
    for one in earlier:
        person, people = _persons(one, release, people)
        parts.append(
            ReleasePart(shown=_baskets(one.shown), person=person, called=_naming(one), name=one.name)
        )
    current, *parts = _equally_private([current, *parts])
    whenever = tolerance.attribute is not None and any(one.facts == "other" for one in earlier)
    seen, before = (
        side_by_side([*shown, *(_whenever(shown) if whenever else ())], size)
        for shown, size in (([*parts, current], len(now)), (parts, people))
    )
    out = {label for label, private in zip(before.labels, before.is_private, strict=True) if not private}
    _check_names(release, parts)
    _check_same(release, earlier, parts)
    names = tuple(one.name for one in earlier)
    return View(
        releases=names,
        linked="rows",
        release=Release(seen, keep=out),
        attacker=attacker,
        back=partial(_back, release),
        before=Release(before) if out else None,
        accepts=all(one.already == "accept" for one in earlier),
        # One more item that is known makes what is out worse, and such larger combinations are not listed.
        adds=attacker.at_most > 1,
        figures={"people": len(now), "in_both": _in_all(parts, len(now))},
        says=with_files_of(names),
    )


def _unjoined(
    release: Release, earlier: Sequence[Earlier], attacker: KnowsItems, tolerance: Tolerance
) -> Iterator[View]:
    """Look at those whose rows can be joined in some earlier releases and not in others, for each choice of these."""
    if tolerance.attribute is None:
        return
    shown = [_baskets(release.published), *(_baskets(one.shown) for one in earlier)]
    private = dict.fromkeys(one.labels[code] for one in shown for code in sorted(one.private))
    for ways in product(*(one.ways for one in earlier)):
        apart = [one for one, way in zip(earlier, ways, strict=True) if way == "people"]
        if apart:
            rows = [one for one in earlier if one not in apart]
            alone = View(
                releases=(),
                linked="rows",
                release=replace(release, earlier=()),
                attacker=attacker,
                back=lambda protected: release.withholding(protected.withheld),
                accepts=True,
            )
            yield in_several(_joined(release, rows, attacker, tolerance) if rows else alone, apart, private)


def at_once(people: SamePeople, attacker: KnowsItems, tolerance: Tolerance, need: Any) -> AtOnce:
    """Return what the recipients of several releases see together: each person's items of all of them.

    Items of another period are other items, and each is withheld from its own release; where the transactions are the same,
    an item is withheld from all.
    """
    _check_planned(people, need)
    same = people.facts == "same"
    size = len(next(iter(people.row_of.values())))
    parts = [
        ReleasePart(
            shown=_baskets(one.published),
            person=np.argsort(people.row_of[name]),
            called=_itself if same else partial(_tagged, name),
            name=name,
        )
        for name, one in people.releases.items()
    ]
    parts = _equally_private(parts)
    whenever = _whenever(parts) if tolerance.attribute is not None and not same else []
    joint = side_by_side([*parts, *whenever], size)
    if (
        len(joint.labels) < len({(part.name, label) for part in parts for label in part.shown.labels})
        and not same
    ):
        raise ScenarioError(
            "An item is called like one of another release.", hint="rename the item or the release."
        )
    kept = [part.called(item) for part in parts for item in people.releases[part.name].keep]

    def back(protected: Release) -> dict[str, Release]:
        gone = set(protected.withheld.items)
        return {
            part.name: people.releases[part.name].withholding(
                Withheld(
                    items=[
                        label
                        for label in part.shown.labels
                        if part.called(label) in gone or (whenever and at_some_time(label) in gone)
                    ]
                )
            )
            for part in parts
        }

    return AtOnce(release=Release(joint, keep=kept), attacker=attacker, back=back)


def _check_planned(people: SamePeople, need: Any) -> None:
    """Refuse needs and forms of which it is not worked out how several releases serve them."""
    reasons = {
        "needed combinations of items": need is not None,
        "categories of items": any(one.hierarchies for one in people.releases.values()),
    }
    for what, asked in reasons.items():
        if asked:
            raise NothingToJudge(f"Releases are not planned at once with {what}.", hint=ONE_BY_ONE)


def _baskets(data: Any) -> Transactions:
    if not isinstance(data, Transactions):
        raise ScenarioError(
            "Transactions can only be looked at together with transactions.",
            hint="leave other releases out of earlier.",
            field="earlier",
        )
    return data


def _persons(one: Earlier, release: Release, people: int) -> tuple[Ints, int]:
    """Return whose each row of an earlier release is; those who left are numbered after all others."""
    rows, _ = one.row_now(release)
    if rows is None:
        raise NothingToJudge(
            f"Nobody says whose rows those of {one.name} are.",
            hint='name the owner\'s file of that release as its ledger, or say linked = "people" if rows cannot be joined.',
        )
    left = np.flatnonzero(rows < 0)
    person = rows.copy()
    person[left] = people + np.arange(len(left))
    return person, people + len(left)


def _itself(label: Label) -> Label:
    return label


def _naming(one: Earlier) -> Naming:
    """Return how items are called: with the name of another period, or as they are where the transactions are the same."""
    return _itself if one.facts == "same" else partial(_tagged, one.name)


def _tagged(name: str, label: Label) -> Label:
    return f"{label}@{name}"


def _whenever(parts: Sequence[ReleasePart]) -> list[ReleasePart]:
    """Return the items once more, of no period: as somebody knows them who does not know when, and as nobody may learn them.

    Of whom somebody is that cannot tell more than knowing when does, but it can of a private item; and whoever has a private
    item in some period has it at some time, whatever the others show.
    """
    return [replace(part, called=at_some_time) for part in parts]


def _equally_private(parts: Sequence[ReleasePart]) -> list[ReleasePart]:
    """Take what is private in one release for private in all: a fact of a person belongs to no period."""
    private = {part.shown.labels[code] for part in parts for code in part.shown.private}
    return [replace(part, shown=also_private(part.shown, private)) for part in parts]


def _check_names(release: Release, parts: Sequence[ReleasePart]) -> None:
    """Refuse items that are called like an item of another release."""
    now = set(_baskets(release.published).labels)
    for part in parts:
        names = (
            {at_some_time(label) for label in part.shown.labels}
            if part.called is _itself
            else {part.called(label) for label in part.shown.labels}
        )
        if now & names:
            raise ScenarioError(
                f"The item {min(map(str, now & names))} is called like one of {part.name}.",
                hint="rename the item, or give the earlier release another name.",
                field="earlier",
            )


def _check_same(release: Release, earlier: Sequence[Earlier], parts: Sequence[ReleasePart]) -> None:
    """Refuse transactions that are said to be the same and show items that they do not hold; categories are not looked at."""
    original = release.original
    assert isinstance(original, Transactions)  # noqa: S101 # the attack is on transactions
    known = set(original.labels)
    of = release.hierarchies.get(ITEM)
    categories = (
        set() if of is None else {label for level in range(1, of.depth + 1) for label in of.groups(level)}
    )
    for one, part in zip(earlier, parts, strict=True):
        here = np.flatnonzero(part.person < len(original))
        if one.facts != "same" or len(here) < len(part.person):
            continue
        shown = part.shown.without([label for label in part.shown.labels if label not in known])
        own = ReleasePart(shown=original, person=np.arange(len(original)), called=_itself, name="the data")
        both = side_by_side([own, replace(part, shown=shown)], len(original))
        if set(part.shown.labels) - known - categories or both.occurrences > original.occurrences:
            raise ScenarioError(
                f"{one.name} shows items in transactions that do not hold them now.",
                hint='say facts = "other" if it is of another period.',
                field="earlier",
            )


def _in_all(parts: Sequence[ReleasePart], people: int) -> int:
    """Count the people of the release now who are in every earlier one too."""
    there = [np.isin(np.arange(people), part.person) for part in parts]
    return int(np.all(there, axis=0).sum())


def _back(release: Release, view: Release) -> Release:
    """Withhold now what a view withholds: an item, or all that its category stands for; an item of any time is one of now."""
    own = set(_baskets(release.published).labels)
    tagged: dict[Label, Label] = {at_some_time(label): label for label in own}
    labels = [tagged.get(label, label) for label in view.withheld.items]
    return release.withholding(
        Withheld(items=[item for label in labels if label in own for item in release.items_shown_as(label)])
    )


def _by_difference(release: Release, one: Earlier, attacker: KnowsItems) -> list[View]:
    """Look at those who joined, and those who left, alone: their rows are in one release and not in the other."""
    joined, left = both_differences(_baskets(release.published), _baskets(one.shown))
    changes: tuple[tuple[Seen, Transactions], ...] = (("joined", joined), ("left", left))
    return [
        View(
            releases=(one.name,),
            linked=seen,
            release=Release(rows),
            attacker=attacker,
            back=partial(_back, release) if seen == "joined" else None,
            accepts=one.already == "accept",
            figures={"people": len(rows)},
            says=f"Among those who {seen} since {one.name}",
        )
        for seen, rows in changes
        if len(rows) and (rows.supports[~rows.is_private] > 0).any()
    ]


_Named = tuple[str, Transactions]
"""What a release shows, and its name; that of the release now is empty."""


@dataclass(frozen=True, kw_only=True)
class _Surest:
    """How surely one release tells a private item, to somebody who knows which items, and of how many of all."""

    chance: Fraction
    known: tuple[Label, ...] = ()
    usual: Fraction = Fraction(0)


def in_several(view: View, apart: Sequence[Earlier], private: Collection[Label]) -> View:
    """Return the view of somebody who sees what a view shows, and earlier releases whose rows cannot be joined with it.

    All ways to join the rows are equally likely, so that somebody's row in one release tells nothing of their row in another:
    a private item is not theirs at any time with the product, over the releases, of the chances that it is not theirs there.
    In each release the chance is at most that of the most telling combination of as many items as are known. That holds too
    for somebody who does not know when an item was bought: whatever the other rows are, such an item must be in this row, or
    need not be. So the product of these bounds what is told; of somebody who knows the most telling combination of each
    release it is what is told.
    """
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
