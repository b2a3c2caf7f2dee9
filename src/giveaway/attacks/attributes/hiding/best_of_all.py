"""Hiding the fewest entries of a table that make all its secrets safe from rules."""

import time
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from giveaway.attacks.attributes.hiding.alike_records import bits
from giveaway.attacks.attributes.hiding.integer_program import NODES, solve
from giveaway.attacks.attributes.hiding.lower_bound import bound
from giveaway.attacks.attributes.hiding.rounds import POLICIES, Changed, Round, rounds
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.limits import RuleLimits
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import spare, tell


@dataclass(frozen=True, kw_only=True)
class HidingPlan:
    """What to hide, and how good that is."""

    hidden: Hidden | None = None
    """None when no safe table was found."""
    prices: tuple[int, ...] = ()
    """What hiding an entry of each column costs; empty where every entry costs 1."""
    lower_bound: int = 0
    """In no safe table hiding costs less."""
    rounds: int = 0
    """How often entries were chosen before a search found no unsafe rule."""
    method: str
    impossible: bool = False
    """It is proved that no safe table exists."""
    stopped: bool = False
    """The time given ended the search, so that another run may end elsewhere."""

    @property
    def entries(self) -> int:
        """The number of hidden entries."""
        return 0 if self.hidden is None else self.hidden.entries

    @property
    def cost(self) -> int:
        """What the hidden entries cost."""
        return 0 if self.hidden is None else self.hidden.cost(self.prices)

    @property
    def optimal(self) -> bool:
        """It is proved that in no safe table hiding costs less."""
        return self.hidden is not None and self.cost == self.lower_bound

    @property
    def settled(self) -> bool:
        """Nothing is left to search for."""
        return self.optimal or self.impossible

    @property
    def upper(self) -> int | None:
        """What the hidden entries cost, if a safe table was found."""
        return None if self.hidden is None else self.cost

    def or_better(self, hidden: Hidden | None, *, method: str, rounds: int = 1) -> "HidingPlan":
        """Return the plan to hide something else if that costs less."""
        if hidden is None or (self.hidden is not None and self.cost <= hidden.cost(self.prices)):
            return self
        return replace(self, hidden=hidden, rounds=rounds, method=method)


def protect(
    table: PartialTable,
    *,
    method: Literal["auto", "cover"] = "auto",
    seconds: float = 60.0,
    nodes: int = NODES,
) -> HidingPlan:
    """Hide few entries so that no rule is unsafe: greedily and, unless told to cover only, then exactly.

    `seconds` limits the search for fewer once something was found, `nodes` the branches of each program.
    """
    until = time.monotonic() + spare(seconds)
    plan = _searched(table, method, until, nodes)
    return replace(plan, stopped=not plan.settled and time.monotonic() >= until)


def is_impossible(table: PartialTable, *, seconds: float) -> bool:
    """Tell whether it is proved, within some seconds, that no safe table exists."""
    plan = protect(table, method="cover", seconds=0)
    if plan.hidden is not None or plan.impossible:
        return plan.impossible
    now = Round(table=table, unsafe=search.find(table))
    return solve(now, bound(now).must_hit(None), seconds=seconds).impossible


def _searched(table: PartialTable, method: Literal["auto", "cover"], until: float, nodes: int) -> HidingPlan:
    unsafe = search.find(table)
    if not len(unsafe):
        return HidingPlan(hidden=Hidden.of([]), method="nothing to hide")
    now = Round(table=table, unsafe=unsafe)
    if now.is_lost:
        return HidingPlan(impossible=True, method="counting")
    lower = bound(now)
    nothing = HidingPlan(prices=table.prices, lower_bound=lower.cost, method="greedy")
    plan = _greedy(now, nothing, until)
    if method == "cover" or plan.settled:
        return plan
    solved = solve(
        now, lower.must_hit(plan.upper), seconds=until - time.monotonic(), upper=plan.upper, nodes=nodes
    )
    plan = replace(plan, lower_bound=max(plan.lower_bound, solved.bound), impossible=solved.impossible)
    return plan.or_better(solved.hidden, method="integer program", rounds=solved.rounds)


def _greedy(now: Round, plan: HidingPlan, until: float) -> HidingPlan:
    """Take the cheapest of what the policies hide; after the time given the first will do."""
    for policy in _policies(now.table):
        done = rounds(Changed.nothing_in(now.table), now.unsafe, policy)
        if done is not None:
            hidden = show_again(now.table, done.changed).hidden_in(now.table)
            plan = plan.or_better(hidden, method=f"greedy, {policy}", rounds=done.rounds)
        if plan.optimal or (plan.hidden is not None and time.monotonic() > until):
            break
    return plan


def _policies(table: PartialTable) -> tuple[str, ...]:
    """Return the policies that differ, given where entries may be hidden."""
    secret = table.truth != UNKNOWN
    if not table.may[secret].any():
        return ("cover",)
    return tuple(POLICIES) if table.may[~secret].any() else ("hit",)


# Showing again what a safe table can do without: entries whose rules other hidden entries make safe.


_MOST_WORK = 300_000_000
"""The most looks at an entry or at a pattern; larger jobs are left as they are."""


def show_again(original: PartialTable, changed: Changed) -> Changed:
    """Show hidden entries of a safe table again, group after group, as long as all rules stay safe."""
    # State: a safe table, and its groups with hidden entries that are still to be tried. Invariant: the table is safe after
    # every step. Pruning: only the rules that an entry gives a record or a secret back to are judged, since no other can
    # become unsafe; and each entry of a group is tried once, even though a secret shown again may make room for another.
    limits = RuleLimits.of_table(original)
    hidden = original.may[changed.origin] & ~changed.table.may
    pending = np.flatnonzero(hidden).tolist()
    looks = len(hidden) * original.width + (original.width << original.width)
    if looks * int(np.bitwise_count(hidden).sum()) > _MOST_WORK:
        return changed
    for done, group in enumerate(pending):
        tell("showing entries again", done, len(pending))
        hidden_here = bits(int(original.may[changed.origin[group]] & ~changed.table.may[group]))
        for entry in sorted(hidden_here, key=original.price, reverse=True):
            record = _shown(original, changed, group, entry)
            times = _spare(changed.table, limits, record, entry)
            if times:
                changed = _moved(changed, group, replace(record, count=np.array([times])))
                pending.append(len(changed.origin) - 1)
    used = changed.table.count > 0
    return Changed(changed.table.of_groups(used), changed.origin[used])


def _shown(original: PartialTable, changed: Changed, group: int, entry: int) -> PartialTable:
    """Return the records of a group with one more entry shown."""
    record = changed.table.of_groups(np.array([group]))
    source = int(changed.origin[group])
    may = record.may | entry
    if entry == original.sensitive_bit:
        return replace(record, may=may, value=original.value[[source]])
    conditions = record.conditions.copy()
    place = entry.bit_length() - 1
    conditions[0, place] = original.conditions[source, place]
    return replace(record, may=may, conditions=conditions)


def _spare(table: PartialTable, limits: RuleLimits, record: PartialTable, entry: int) -> int:
    """Return how many records of a group may have an entry shown, all others staying as they are.

    All patterns of the record are counted at once: by the conditions that each group shares with it.
    """
    conditions, count = record.conditions[0], int(record.count[0])
    is_secret = record.truth[0] != UNKNOWN
    value = record.truth[0] if is_secret else record.value[0]
    if value == UNKNOWN:
        return count
    shared = np.zeros(len(table.count), np.int64)
    for place in range(table.width):
        if conditions[place] != UNKNOWN:
            shared |= (table.conditions[:, place] == conditions[place]).astype(np.int64) << place
    matching = _with_pattern(shared, table.count, table.width)
    showing = _with_pattern(shared, np.where(table.value == value, table.count, 0), table.width)
    pattern = np.arange(len(matching))
    if is_secret:
        visible = int(((conditions != UNKNOWN) << np.arange(table.width)).sum())
        again = ((pattern & entry) != 0) & ((pattern & ~visible) == 0)
        return 0 if limits.is_unsafe(showing[again], matching[again] + count).any() else count
    attacked = _with_pattern(shared, np.where(table.truth == value, table.count, 0), table.width) > 0
    attacked[0] = False
    if entry == table.sensitive_bit:
        return int(limits.values_spare(showing[attacked], matching[attacked]).min(initial=count))
    attacked &= (pattern & entry) != 0
    return int(limits.records_spare(showing[attacked], matching[attacked]).min(initial=count))


def _with_pattern(shared: Ints, count: Ints, width: int) -> Ints:
    """Return for each pattern the records that have it, given the conditions that they share with one record."""
    total = np.zeros(1 << width, np.int64)
    np.add.at(total, shared, count)
    for place in range(width):
        pairs = total.reshape(-1, 2, 1 << place)
        pairs[:, 0] += pairs[:, 1]
    return total


def _moved(changed: Changed, group: int, record: PartialTable) -> Changed:
    """Take records out of a group and put them, changed, at the end."""
    table = changed.table
    count = table.count.copy()
    count[group] -= record.count[0]
    longer = replace(table, count=count).and_more(record)
    return Changed(longer, np.append(changed.origin, changed.origin[group]))
