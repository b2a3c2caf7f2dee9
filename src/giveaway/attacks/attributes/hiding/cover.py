"""Making rules safe by hiding entries of records that show them: a greedy set multi-cover.

Hiding the sensitive entry of a record takes it from the numerator of every rule it shows; hiding a condition takes it
from numerator and denominator of the rules with that condition, after which the record still shows the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.hiding.alike_records import Class, Moves, bits
from giveaway.attacks.attributes.unsafe_rules.limits import Flags, RuleLimits
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell


@dataclass(frozen=True, kw_only=True, eq=False)
class Rules:
    """Rules to be made safe: the conditions of their patterns, and their counts."""

    mask: Ints
    showing: Ints
    matching: Ints
    limits: RuleLimits
    prices: tuple[int, ...] = ()
    """What hiding an entry of each column costs; empty where every entry costs 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class HidingCover:
    """In how many records of each class which entries are hidden, and for which rules."""

    moves: Moves
    share: NDArray[np.float64]
    """The part of what the hidden entries cost that each rule is the reason for."""


def coverable(rules: Rules, classes: Sequence[Class]) -> Flags:
    """Tell which rules are safe when everything that helps is hidden."""
    showing, matching = rules.showing.copy(), rules.matching.copy()
    for one in classes:
        showing[one.own] -= one.count
        matching[one.own] -= 0 if one.value else one.count
    return ~rules.limits.is_unsafe(showing, matching)


def cover(rules: Rules, classes: Sequence[Class]) -> HidingCover:
    """Hide entries until the rules are safe, always those that help the most unsafe rules for what they cost.

    As many records of one kind at once as the least need among these rules allows; at the end what was needless is shown
    again.
    Equals: the first class, the fewest hidden entries, the first entry. Rules that cannot be covered stay unsafe.
    """
    search = _CoverSearch(rules, classes)
    search.hide()
    search.show_again()
    moves = {
        (state.one, state.hidden): count for state, count in search.count.items() if state.hidden and count
    }
    return HidingCover(moves=moves, share=search.share)


class _ClassState(NamedTuple):
    """Records of a class with some entries hidden."""

    one: int
    hidden: int


class _CoverSearch:
    """Counts of rules and records that change while entries are hidden."""

    # State: what each rule counts now, how many records of each class have which entries hidden, and the entries waiting,
    # best first. Invariant: an entry waits with a gain, the unsafe rules that it helps for what it costs, that it had once
    # and cannot exceed any more, because hiding never makes a rule of this cover unsafe. Pruning: so an entry whose gain is
    # still the one it waits with is the best of all, and no other is looked at; one that helps none any more is dropped
    # (lazy greedy).
    # Reference: Li et al., section 4.1, Definition 1; the lazy evaluation is that of Minoux (1978).

    def __init__(self, rules: Rules, classes: Sequence[Class]) -> None:
        self.classes = classes
        self.mask, self.limits, self.prices = rules.mask, rules.limits, rules.prices
        self.whole = lcm(*rules.prices)
        self.showing, self.matching = rules.showing.copy(), rules.matching.copy()
        self.unsafe = self.limits.is_unsafe(self.showing, self.matching)
        self.share = np.zeros(len(self.mask))
        self.count: dict[_ClassState, int] = {}
        self.waiting: list[tuple[int, _ClassState, int]] = []
        for place, one in enumerate(classes):
            self._add(_ClassState(place, 0), one.count)

    def hide(self) -> None:
        """Take the best entry as long as one helps; the rules that an entry helps only become fewer."""
        while self.waiting and self.unsafe.any():
            before, state, entry = heappop(self.waiting)
            changed = self._changed(state, entry)
            helped = changed[self.unsafe[changed]]
            if not len(helped) or not self.count[state]:
                continue
            gain = self._gain(len(helped), entry)
            if gain == -before:
                tell("choosing entries to hide", int((~self.unsafe).sum()), len(self.unsafe))
                times = min(self.count[state], int(self._needed(state, entry, helped).min()))
                self.share[helped] += times * self._price(entry) / len(helped)
                self._move(state, _ClassState(state.one, state.hidden | entry), changed, -times)
            heappush(self.waiting, (-gain, state, entry))

    def show_again(self) -> None:
        """Show entries again, those hidden last first, as long as the rules stay safe."""
        for state in reversed(list(self.count)):
            for entry in bits(state.hidden):
                shown = _ClassState(state.one, state.hidden & ~entry)
                changed = self._changed(shown, entry)
                times = int(self._spare(state, entry, changed).min(initial=self.count[state]))
                if times > 0:
                    self._move(state, shown, changed, times)

    def _add(self, state: _ClassState, count: int) -> None:
        """Add records to a state and, when it is new, the entries that may be hidden in it."""
        if state not in self.count:
            self.count[state] = 0
            for entry in bits(self.classes[state.one].useful & ~state.hidden):
                gain = self._gain(len(self._changed(state, entry)), entry)
                heappush(self.waiting, (-gain, state, entry))
        self.count[state] += count

    def _move(self, before: _ClassState, after: _ClassState, changed: Ints, times: int) -> None:
        """Move records from state to state; `times` of them more, or fewer, show the changed rules."""
        self.count[before] -= abs(times)
        self._add(after, abs(times))
        self.showing[changed] += times
        if not self._is_value(before, before.hidden ^ after.hidden):
            self.matching[changed] += times
        self.unsafe[changed] = self.limits.is_unsafe(self.showing[changed], self.matching[changed])

    def _changed(self, state: _ClassState, entry: int) -> Ints:
        """Return the rules that records in a state show no longer when an entry is hidden."""
        one = self.classes[state.one]
        if state.hidden & one.value:
            # They show no rule any more; that a condition less would raise a denominator again is not counted.
            return one.own[:0]
        masks = self.mask[one.own] | one.value
        return one.own[((masks & state.hidden) == 0) & ((masks & entry) != 0)]

    def _is_value(self, state: _ClassState, entry: int) -> bool:
        return bool(entry & self.classes[state.one].value)

    def _price(self, entry: int) -> int:
        return self.prices[entry.bit_length() - 1] if self.prices else 1

    def _gain(self, helped: int, entry: int) -> int:
        """Return the rules helped for what an entry costs, as a whole number."""
        return helped * (self.whole // self._price(entry))

    def _needed(self, state: _ClassState, entry: int, rules: Ints) -> Ints:
        by_value = self._is_value(state, entry)
        needed = self.limits.values_needed if by_value else self.limits.records_needed
        return needed(self.showing[rules], self.matching[rules])

    def _spare(self, state: _ClassState, entry: int, rules: Ints) -> Ints:
        by_value = self._is_value(state, entry)
        spare = self.limits.values_spare if by_value else self.limits.records_spare
        return spare(self.showing[rules], self.matching[rules])
