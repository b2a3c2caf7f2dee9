"""Releases that are tried on the way to a safe one: how far each is from being within tolerance."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats
from giveaway.attacks.frequencies.item_counts import ItemCounts
from giveaway.attacks.frequencies.itemsets.question import SetQuestion, set_question
from giveaway.attacks.frequencies.question import ItemQuestion, see
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld


@dataclass(frozen=True, kw_only=True, eq=False)
class Trial:
    """A release that withholds some of the items published at first, by their places among these."""

    seen: ItemsSeen
    tolerance: Tolerance
    kept: Ints
    """The places of the items that are left."""

    @cached_property
    def items(self) -> ItemQuestion:
        """The question about single items."""
        return ItemQuestion(seen=self.seen, tolerance=self.tolerance)

    @cached_property
    def sets(self) -> SetQuestion | None:
        """The question about sets, where these are the targets."""
        return set_question(self.seen, self.tolerance) if self.seen.attacker.wants_sets else None

    @cached_property
    def share(self) -> Chance:
        """The share of targets that may be over the limit, margins included."""
        if self.sets is None:
            return self.items.share_of(self.items.perhaps_vulnerable)
        return _plus(self.sets.vulnerable_share, self.sets.margin)

    @cached_property
    def average(self) -> Chance:
        """The expected share of items that are cracked, margins included."""
        return _plus(self.items.expected, self.items.margin) / max(self.items.targets, 1)

    @property
    def share_within(self) -> bool:
        """Whether no more targets are over the limit than tolerated."""
        return self.tolerance.identity is None or self.share <= self.tolerance.share

    @property
    def average_within(self) -> bool:
        """Whether the average is within its limit; of sets there is none."""
        limit = self.tolerance.average
        return limit is None or self.sets is not None or self.average <= limit

    @property
    def within(self) -> bool:
        """Whether this release is within tolerance beyond doubt."""
        return self.share_within and self.average_within and not self.seen.pairs_left_out

    @cached_property
    def component_of(self) -> Ints:
        """The component of each item: withholding in one does not change another, unless pairs are known.

        Items that no code may stand for are together in one that comes last.
        """
        pieces = self.seen.windows.pieces
        of_class = np.repeat(np.arange(len(pieces)), [piece.tail - piece.head for piece in pieces])
        empty = len(self.seen.windows.classes.many) - len(of_class)
        return np.concatenate([np.full(empty, len(pieces)), of_class])[self.seen.windows.classes.of]

    @cached_property
    def at_limit(self) -> Flags:
        """The items over the limit, or in a set that is."""
        if self.sets is not None:
            return self.sets.parts > 0
        flags = np.zeros(self.seen.number, np.bool_)
        here = self.items.in_question
        flags[here] = self.items.perhaps_vulnerable[here]
        return flags

    @cached_property
    def exposure(self) -> Floats:
        """How exposed each item is: its chance, or the part of vulnerable sets that it stands for."""
        return self.items.counting if self.sets is None else self.sets.parts


def _plus(value: Chance, margin: float) -> Chance:
    return value + margin if margin else value


class Trials:
    """Makes trials out of one release."""

    def __init__(self, release: Release, seen: ItemsSeen, tolerance: Tolerance) -> None:
        self._release = release
        self._seen = seen
        self._tolerance = tolerance

    def without(self, withheld: Iterable[int]) -> Trial:
        """Withhold some of the items, by their places."""
        stays = np.ones(self._seen.number, np.bool_)
        stays[list(withheld)] = False
        kept = np.flatnonzero(stays)
        return Trial(seen=self._left(kept), tolerance=self._tolerance, kept=kept)

    def _left(self, kept: Ints) -> ItemsSeen:
        seen = self._seen
        if len(kept) == seen.number:
            return seen
        if seen.pairs is not None:
            gone = set(range(seen.number)) - set(kept.tolist())
            more = Withheld(items=[seen.items.labels[place] for place in sorted(gone)])
            return see(self._release.withholding(more), seen.attacker, seen.effort)
        labels = tuple(seen.items.labels[place] for place in kept.tolist())
        items = ItemCounts(
            labels=labels, counts=seen.items.counts[kept], transactions=seen.items.transactions
        )
        return replace(seen, items=items, places=seen.places[kept])
