"""What the hidden entries of every safe table cost at least, by counting alone: as many as they are, without prices.

Hiding anything but what covers a rule never makes it safer, and it covers only rules to the same value. For each value,
when no rule that needs more than some number of records is covered, all those must be hit in every secret that they
give away; and covering another takes as many entries as it needs.

State: for each value a number of records m, the most that a covered rule needs. All such numbers are tried.

Invariant: m of the cheapest entries of records that show the value, and in each secret the cheapest conditions that hit all
its rules that need more than m, cost no more than what a safe table hides for that value with this m. These are entries of different records,
also for different values, so that the least sums of all values add up.

Pruning: with many pairs of a rule and a secret only rules that cannot be covered count as hit, which makes the bound
smaller and keeps it true. `must_hit` turns the bound round: a rule is hit in every table that hides fewer entries than a
known one when every m that leaves it to be covered takes too many.
"""

from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.hiding.alike_records import bits
from giveaway.attacks.attributes.hiding.hit import hit
from giveaway.attacks.attributes.hiding.rounds import Round
from giveaway.attacks.attributes.unsafe_rules.limits import Flags
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

_NEVER = np.iinfo(np.int64).max
_MOST_PAIRS = 300_000
"""The most pairs of a rule and a secret group for which all numbers are tried; else only those that must be hit."""


class LowerBound(NamedTuple):
    """For each value what hiding costs at least when no rule is covered that needs more than some records."""

    now: Round
    values: list[int]
    most: list[Ints]
    """The numbers of records, ascending."""
    taken: list[Ints]
    """What the hidden entries cost at least."""

    @property
    def cost(self) -> int:
        """What the hidden entries of every safe table cost at least."""
        return sum(int(taken.min()) for taken in self.taken)

    def must_hit(self, upper: int | None) -> Flags:
        """Return the rules that are hit in every safe table in which hiding costs less than `upper`."""
        forced = ~self.now.can_cover
        if upper is None:
            return forced
        for value, most, taken in zip(self.values, self.most, self.taken, strict=True):
            possible = most[taken - taken.min() + self.cost < upper]
            to_value = self.now.unsafe.value == value
            forced |= self.now.can_hit & to_value & (self.now.needed > possible.max(initial=-1))
        return forced


def bound(now: Round) -> LowerBound:
    """Return the bound for a table with unsafe rules of which each can be covered or hit."""
    at, change, value_of = _steps(now)
    values = np.unique(now.unsafe.value).tolist()
    most, taken = [], []
    for value in values:
        to_value = now.unsafe.value == value
        must_cover = int(now.needed[to_value & ~now.can_hit].max(initial=0))
        tried = np.unique(np.append(now.needed[to_value & now.can_cover], must_cover))
        tried = tried[tried >= must_cover]
        own = value_of == value
        order = np.argsort(at[own], kind="stable")
        passed = np.searchsorted(at[own][order], tried, side="right")
        most.append(tried)
        taken.append(tried * _cheapest(now, value) + np.append(0, np.cumsum(change[own][order]))[passed])
    return LowerBound(now, values, most, taken)


def _cheapest(now: Round, value: int) -> int:
    """Return what the cheapest entry costs that may be hidden in records that show a value."""
    if not now.table.prices:
        return 1
    may = int(np.bitwise_or.reduce(now.table.may[now.table.value == value], initial=0))
    return min(map(now.table.price, bits(may)), default=1)


def _steps(now: Round) -> tuple[Ints, Ints, Ints]:
    """Return at which number of records needed the cost of hiding in secrets changes, by how much, for which value."""
    needed = np.where(now.can_cover, now.needed, _NEVER)
    chosen = now.can_hit if len(now.attacked.rule) <= _MOST_PAIRS else ~now.can_cover
    steps = [(0, 0, UNKNOWN)]
    for done, (group, rules) in enumerate(now.rules_by_secret(chosen).items()):
        tell("bounding the entries to hide", done)
        before = 0
        for most in [-1, *np.unique(needed[rules]).tolist()]:
            least = hit(
                now.unsafe.mask[rules[needed[rules] > most]], int(now.table.may[group]), now.table.prices
            ).at_least
            fewer = (least - before) * int(now.table.count[group])
            steps.append((most, fewer, int(now.table.truth[group])))
            before = least
    at, change, value_of = np.array(steps, np.int64).T
    return at, change, value_of
