"""Somebody who kept earlier releases: one that names its items tells how often they occur; codes drawn anew tell nothing more.

Codes that are used again tell how often the same item occurs in each release: a code may stand for an item if it occurs as
often as is believed in every one. The candidates of an item are then boxes instead of windows, so that what is exact for
windows does not apply: small components are counted, others estimated, and on an estimate nothing is called safe.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations

import numpy as np

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.attacker_view import ItemsSeen, NoMapping
from giveaway.attacks.frequencies.belief import Belief
from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_graph.components import Memory
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs
from giveaway.attacks.frequencies.exact_chances.general import Shortage, chances, usable
from giveaway.attacks.frequencies.item_counts import ItemCounts, counted
from giveaway.attacks.frequencies.measure import measure_items
from giveaway.attacks.frequencies.question import ItemQuestion, see
from giveaway.attacks.together import View, with_files_of
from giveaway.errors import BudgetExceeded, NothingToJudge
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Risk
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.supports import Supports
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release

_MOST = 4
"""How many releases with the same codes are looked at in all choices of them."""
_MOST_CANDIDATES = 5_000_000
"""The most pairs of kinds of items and kinds of codes that are held at once."""
_NOWHERE = -1
"""The count of what a release does not have."""


def views(release: Release, attacker: KnowsFrequencies, _: Tolerance) -> tuple[View, ...]:
    """Return the release as somebody sees it who takes an earlier one with names for a sample, or reads codes used again.

    Codes drawn anew: without a belief about how frequencies change, two releases factorise, and of the same data both say
    the same. With the same codes one more release can lower a chance too, so that every choice of them is judged. Whether
    people are in both does not matter to frequencies.
    """
    if attacker.of_people:
        raise NothingToJudge(
            "What is known of people is not judged together with earlier releases.",
            hint="ask about the table with the attack directory, which is.",
        )
    again = [one for one in release.earlier if one.same_codes]
    if len(again) > _MOST:
        raise NothingToJudge(
            f"{len(again)} earlier releases have the same codes, and every choice of them tells something else.",
            hint=f"name at most {_MOST}.",
        )
    sets = (some for size in range(1, len(again) + 1) for some in combinations(again, size))
    return (
        *(_sampled(release, one, attacker) for one in release.earlier if not one.renamed),
        *(_again(release, some, attacker) for some in sets),
    )


def _baskets(one: Earlier) -> Transactions:
    if not isinstance(one.shown, Transactions):
        raise NothingToJudge(
            f"{one.name} holds no transactions, and so no frequencies of items.",
            hint="leave it out of earlier.",
        )
    return one.shown


def _again(release: Release, earlier: Sequence[Earlier], attacker: KnowsFrequencies) -> View:
    """Look at codes that are used again; what is withheld now of items whose codes are out would not hide them."""
    reasons = {
        "known pairs": attacker.known_pairs is not None,
        "sets of items": attacker.wants_sets,
        "weights": attacker.belief.weighs,
    }
    for what, stated in reasons.items():
        if stated:
            raise NothingToJudge(
                f"Codes that are used again are not judged with {what}.",
                hint='publish codes drawn anew, with codes = "other".',
            )
    first, *others = map(_baskets, earlier)
    now, before = replace(release, earlier=()), Release(first, renamed=True)

    def measured(seen: Release, tolerance: Tolerance, effort: Effort) -> Risk:
        return measure_again(
            attacker, others if seen is before else (first, *others), seen, tolerance, effort
        )

    names = [one.name for one in earlier]
    return View(
        releases=tuple(names),
        linked="people",
        release=now,
        attacker=attacker,
        back=None,
        before=before,
        measured=measured,
        accepts=all(one.already == "accept" for one in earlier),
        figures={"same_codes": len(_labels(now).intersection(*(one.labels for one in (first, *others))))},
        says=f"{with_files_of(names)}, whose codes are used again",
    )


def _labels(release: Release) -> set[Label]:
    data = release.published
    return set(data.labels) if isinstance(data, Transactions | Supports) else set()


def _sampled(release: Release, one: Earlier, attacker: KnowsFrequencies) -> View:
    sample = _baskets(one)
    return View(
        releases=(one.name,),
        linked="people",
        release=replace(release, earlier=()),
        attacker=replace(attacker, belief=Belief.from_sample(sample)),
        back=partial(_back, release),
        accepts=one.already == "accept",
        figures={"sample": len(sample)},
        says=f"{with_files_of([one.name])} as a sample",
    )


def _back(release: Release, view: Release) -> Release:
    return replace(view, earlier=release.earlier)


def measure_again(
    attacker: KnowsFrequencies,
    then: Sequence[Transactions],
    release: Release,
    tolerance: Tolerance,
    effort: Effort,
) -> Risk:
    """Measure a release whose codes are those of earlier ones; items that the earlier ones do not show have none there."""
    alone = see(release, replace(attacker, belief=_about(attacker.belief, counted(_shown(release)))), effort)
    known = {one.name: getattr(alone, one.name) for one in fields(alone)}
    seen = SeenAgain(**known | {"memory": Memory(), "then": tuple(then)})
    risk = measure_items(ItemQuestion(seen=seen, tolerance=tolerance))
    if not seen.chances.estimated.any():
        return risk
    return replace(
        risk,
        doubt=f"The chances of {int(seen.chances.estimated.sum()):,} {nouns().items} whose codes are used again are estimated, "
        "and on an estimate nothing is called safe.",
    )


def _shown(release: Release) -> Transactions:
    if not isinstance(release.original, Transactions):
        raise NothingToJudge(
            f"Codes that are used again are judged of {nouns().transactions}, and supports are given.",
            hint="give the rows, or leave the release out of earlier.",
        )
    return release.original


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenAgain(ItemsSeen):
    """The published items, how often they occur in each release, and what the attacker believes of that."""

    then: tuple[Transactions, ...]

    narrowed = "codes that fit in every release"
    where = " in every release"

    @cached_property
    def half_width(self) -> Fraction | None:
        """None: each release has its own."""
        return None

    @cached_property
    def graph(self) -> CrackGraph:
        """The crack graph of all releases."""
        return boxes(
            [self.believed, *(_then(self.attacker.belief, self.items.labels, one) for one in self.then)]
        )

    def estimated(self, places: Ints, *, propagate: bool) -> Chance | None:
        """Return the O-estimate of some items."""
        return self.adjusted(places, propagate=propagate)

    @cached_property
    def contradiction(self) -> NoMapping | None:
        """None: where no mapping agrees with what is believed, that is not judged."""
        return None

    @cached_property
    def chances(self) -> ItemChances:
        """How likely each item is cracked."""
        left = usable(self.graph)
        if isinstance(left, Shortage):
            raise NothingToJudge(
                "No one-to-one mapping agrees with what is believed of every release.",
                hint="believe wider ranges, or around the true frequencies.",
            )
        solved = chances(left, likeliest=self.likeliest)
        return ItemChances.but_for(
            solved.likeliest if self.likeliest else solved.of_items,
            solved.estimated,
            "All one-to-one mappings that agree with what is believed of every release were counted",
            f"{left.items:,} {nouns().items}",
            left.degrees,
            f" The O-estimate is {float(self.plain_total(self.interesting)):,.1f} {nouns().items} recognised.",
        )


def boxes(beliefs: Sequence[Beliefs]) -> CrackGraph:
    """Return the graph in which a code may stand for an item if it may in every release."""
    counts = np.stack([one.counts for one in beliefs], axis=1)
    columns, column_of = np.unique(counts, axis=0, return_inverse=True)
    bounds = np.stack([side for one in beliefs for side in (one.low, one.high)], axis=1)
    kinds, row_of = np.unique(bounds, axis=0, return_inverse=True)
    low, high, twice = kinds[:, ::2], kinds[:, 1::2], 2 * columns
    # Kinds of codes are in the order of their counts in the first release, which leaves a window of them to look through.
    first = np.searchsorted(twice[:, 0], low[:, 0], side="left").tolist()
    last = np.searchsorted(twice[:, 0], high[:, 0], side="right").tolist()
    candidates: list[Ints] = []
    total = 0
    for row, (begin, end) in enumerate(zip(first, last, strict=True)):
        here = twice[begin:end]
        fits = begin + np.flatnonzero(((low[row] <= here) & (here <= high[row])).all(axis=1))
        total += len(fits)
        if total > _MOST_CANDIDATES:
            raise BudgetExceeded(
                f"Too many codes may stand for {nouns().an_item} in every release.",
                hint="believe narrower ranges, or publish codes drawn anew.",
            )
        candidates.append(fits)
    return CrackGraph(
        row_of=row_of.reshape(-1),
        column_of=column_of.reshape(-1),
        row=np.repeat(np.arange(len(candidates)), [len(fits) for fits in candidates]),
        column=np.concatenate(candidates) if candidates else np.zeros(0, np.int64),
    )


def _then(belief: Belief, labels: Sequence[Label], shown: Transactions) -> Beliefs:
    """Return what is believed of some items in an earlier release: which it has not is known, of the others how often they occur."""
    items = counted(shown)
    believed = _about(belief, items).about(items)
    places = np.array([items.place_of.get(label, -1) for label in labels], np.int64)
    here = places >= 0
    return Beliefs(
        counts=np.where(here, believed.counts[places], _NOWHERE),
        low=np.where(here, np.maximum(believed.low[places], 0), 2 * _NOWHERE),
        high=np.where(here, believed.high[places], 2 * _NOWHERE),
    )


def _about(belief: Belief, items: ItemCounts) -> Belief:
    """Return what is believed of the items that a release has."""
    return belief.of(items.place_of.keys())
