"""What an attacker sees of a release and makes of it, whatever the owner tolerates."""

from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from giveaway.attacks.frequencies.belief import Intervals
from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_chances import cracked, softly, weighed
from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph.components import Memory
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.mappings import Violation, groups_of_a_mapping, propagated
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Flags, Windows
from giveaway.attacks.frequencies.estimates.o_estimate import o_estimate, reciprocal_sum
from giveaway.attacks.frequencies.exact_chances.general import Shortage, usable
from giveaway.attacks.frequencies.item_counts import ItemCounts
from giveaway.attacks.frequencies.known_pairs.knowledge import (
    PairKnowledge,
    cracked_apart,
    cracked_by_pairs,
    pair_knowledge,
)
from giveaway.attacks.frequencies.view import TargetsView
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.data.supports import Supports
from giveaway.model.data.transactions import Transactions


@dataclass(frozen=True, kw_only=True, eq=False)
class NoMapping:
    """Items that compete for too few codes, so that no mapping agrees with everything that is believed and known."""

    items: Ints
    codes: int
    pairs_left_out: bool
    """Whether known pairs have to be left out, because no mapping agrees with them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemsSeen(TargetsView):
    """The published items, their counts, and what the attacker believes of them."""

    source: Transactions | Supports
    data: Transactions | Supports
    original: ItemCounts
    items: ItemCounts
    places: Ints
    """Where the published items stand among all."""
    memory: Memory

    narrowed: ClassVar[str] = "codes that fit the known pairs"
    """What leaves fewer codes for an item than how often it occurs does."""
    where: ClassVar[str] = ""
    """Where codes must occur as often as is believed, if not in this release alone."""

    @cached_property
    def half_width(self) -> Fraction | None:
        """The half-width of what is believed, where it is the same for all items."""
        return self.attacker.belief.half_width(self.original)

    @property
    def nouns(self) -> tuple[str, str]:
        """What the targets are called."""
        return nouns().item, nouns().items

    @property
    def number(self) -> int:
        """The number of items."""
        return len(self.items.labels)

    @property
    def counts(self) -> Ints:
        """How many transactions hold each item."""
        return self.items.counts

    @cached_property
    def interesting(self) -> Ints:
        """The places of the items that count."""
        wanted = self.attacker.of_interest
        if not wanted:
            return np.arange(self.number)
        return np.array([self.items.place_of[x] for x in wanted if x in self.items.place_of], np.int64)

    @cached_property
    def believed(self) -> Beliefs:
        """The interval believed of each published item; half-widths stay those of the original."""
        whole = self.attacker.belief.about(self.original)
        return Beliefs(counts=self.items.counts, low=whole.low[self.places], high=whole.high[self.places])

    @cached_property
    def pairs(self) -> PairKnowledge | None:
        """The pairs that the attacker knows."""
        stated, source, data = self.attacker.known_pairs, self.source, self.data
        if stated is None or not isinstance(source, Transactions) or not isinstance(data, Transactions):
            return None
        return pair_knowledge(stated, source, data, self.items)

    @cached_property
    def beliefs(self) -> Beliefs:
        """The intervals after pairs refined them."""
        return self.believed if self.pairs is None else self.pairs.refined(self.believed)

    @property
    def windows(self) -> Windows:
        """The crack graph of the beliefs, before pairs filter it."""
        return self.beliefs.windows

    @cached_property
    def graph(self) -> CrackGraph | None:
        """The crack graph after known pairs filtered it; None when none do."""
        return self.pairs.graph(self.windows) if self.pairs is not None and self.pairs.filters else None

    @property
    def of_sets(self) -> Windows | CrackGraph:
        """The crack graph on which sets are judged: filtered by known pairs, unless these contradict what is believed."""
        return self.windows if self.graph is None or self.contradiction is not None else self.graph

    @cached_property
    def right(self) -> Flags:
        """Which items are believed correctly."""
        return self.windows.compliant if self.graph is None else self.graph.compliant

    @cached_property
    def degrees(self) -> Ints:
        """How many codes may stand for each item, the O of the O-estimate."""
        return self.windows.degrees if self.graph is None else self.graph.degrees

    @cached_property
    def _degrees_left(self) -> Ints:
        if self.contradiction is not None:
            return self.degrees
        left = propagated(self.windows) if self.graph is None else general.propagated(self.graph)
        return left.degrees

    @property
    def degrees_left(self) -> Ints:
        """The same once forced pairs are used up; all of them where beliefs contradict."""
        return self._degrees_left

    def estimated(self, places: Ints, *, propagate: bool) -> Chance | None:
        """Return the O-estimate of some items without known pairs; None when beliefs contradict."""
        windows = self.believed.windows
        if not propagate:
            return o_estimate(windows, places)
        return o_estimate(propagated(windows), places) if _possible(windows) else None

    def adjusted(self, items: Ints, *, propagate: bool) -> Chance | None:
        """Return the O-estimate of some items after known pairs; None when they contradict."""
        if not propagate:
            return self.plain_total(items)
        if self.contradiction is not None:
            return None
        if self.graph is None:
            return o_estimate(propagated(self.windows), items)
        return _o_estimate(self.graph, items)

    def adjusted_by(self, items: Ints, top: int) -> Chance | None:
        """Return the same when the `top` most frequent pairs are known instead of as many as are; None when they contradict."""
        stated = self.attacker.known_pairs
        if (
            stated is None
            or not isinstance(self.source, Transactions)
            or not isinstance(self.data, Transactions)
        ):
            raise TypeError(f"pairs are known of {nouns().transactions}")
        known = pair_knowledge(stated.with_top(top), self.source, self.data, self.items)
        graph = known.graph(self.windows) if known.filters else general.from_windows(self.windows)
        return None if isinstance(usable(graph), Shortage) else _o_estimate(graph, items)

    @cached_property
    def contradiction(self) -> NoMapping | None:
        """The items that show that no mapping exists; None when one does."""
        mapping = groups_of_a_mapping(self.windows)
        if isinstance(mapping, Violation):
            pairs = self.pairs
            stated = pairs is not None and (pairs.filters or len(pairs.never) > 0)
            return NoMapping(items=mapping.items, codes=mapping.slots, pairs_left_out=stated)
        if isinstance(self._filtered, Shortage):
            short = self._filtered
            return NoMapping(items=short.items, codes=len(short.renamed), pairs_left_out=True)
        return None

    @property
    def pairs_left_out(self) -> bool:
        """Whether known pairs had to be left out."""
        return self.contradiction is not None and self.contradiction.pairs_left_out

    @cached_property
    def _filtered(self) -> CrackGraph | Shortage | None:
        """The candidates that some mapping uses after known pairs filtered them; None when none do."""
        return None if self.graph is None else usable(self.graph)

    @cached_property
    def chances(self) -> ItemChances:
        """How likely each item is cracked: recognised from its true code, or from the likeliest one."""
        pairs = self.pairs
        if isinstance(self.attacker.belief, Intervals) and self.attacker.belief.weighs:
            weight = self.attacker.belief.weights(self.items)
            return weighed(self.windows, self.items, weight, self.effort, likeliest=self.likeliest)
        if self.contradiction is None and pairs is not None:
            if isinstance(self._filtered, CrackGraph):
                return cracked_by_pairs(pairs, self._filtered, self.effort, likeliest=self.likeliest)
            if len(pairs.never):
                return cracked_apart(pairs, self.windows, self.effort, likeliest=self.likeliest)
        # Pairs change beliefs when items are withheld, so that no component is sure to be as it was.
        memory = self.memory if pairs is None else Memory()
        solved = cracked(self.beliefs, self.effort, memory, self.places, likeliest=self.likeliest)
        if isinstance(solved, Violation):
            return softly(self.windows, self.effort, likeliest=self.likeliest)
        return solved

    @cached_property
    def without_pairs(self) -> ItemChances:
        """How likely each item is cracked by somebody who knows no pairs."""
        if self.pairs is None:
            return self.chances
        attacker = copy(self.attacker)
        object.__setattr__(attacker, "known_pairs", None)
        return replace(self, attacker=attacker, memory=Memory()).chances


def _o_estimate(graph: CrackGraph, items: Ints) -> Chance:
    """Return the O-estimate of some items of a general graph, once forced pairs are used."""
    left = general.propagated(graph)
    return reciprocal_sum(left.degrees[items[left.compliant[items]]])


def _possible(windows: Windows) -> bool:
    return not isinstance(groups_of_a_mapping(windows), Violation)
