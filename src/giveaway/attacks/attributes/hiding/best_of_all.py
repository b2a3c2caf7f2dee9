"""Hiding the fewest entries of a table that make all its secrets safe from rules."""

import time
from dataclasses import dataclass, replace
from typing import Literal

from giveaway.attacks.attributes.hiding.integer_program import NODES, solve
from giveaway.attacks.attributes.hiding.lower_bound import bound
from giveaway.attacks.attributes.hiding.rounds import POLICIES, Changed, Round, rounds
from giveaway.attacks.attributes.hiding.show_again import show_again
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable
from giveaway.model.progress import spare


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
