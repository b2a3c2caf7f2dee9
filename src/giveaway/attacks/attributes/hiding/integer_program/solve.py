"""The cheapest entries to hide, by integer programming with rules stated as they become unsafe.

Variables say in how many records of a class which entries are hidden. A rule is safe when few enough of the records
with its pattern show it, when at most `least` records show it, or when every secret that it gave away has hidden a
condition of it. Only rules seen unsafe are stated: the answer costs no more than any safe table does, and it is the
cheapest when it is safe itself.
"""

import time
from math import ceil, isfinite
from typing import Any, NamedTuple

import numpy as np

from giveaway.attacks.attributes.hiding.alike_records import in_groups
from giveaway.attacks.attributes.hiding.integer_program.matrix import IntegerProgram, state
from giveaway.attacks.attributes.hiding.integer_program.stated_rules import Stated
from giveaway.attacks.attributes.hiding.rounds import Round
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.limits import Flags
from giveaway.attacks.attributes.unsafe_rules.partial_table import Hidden, hide
from giveaway.linear_programs import INFEASIBLE, OPTIMAL, whole
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import spare

NODES = 20_000
"""The most branches of one search unless told otherwise, so that runs repeat."""
_ROUNDING = 1e-6
"""The part of a bound that is taken off before it is rounded up, since the solver computes with rounded numbers."""


class IntegerSolution(NamedTuple):
    """What was found: in no safe table hiding costs less than `bound`."""

    hidden: Hidden | None
    """Entries to hide for a safe table; the cheapest when they cost as much as the bound."""
    bound: int
    impossible: bool
    """No safe table exists."""
    rounds: int
    """How many programs were solved."""


def solve(
    now: Round, must_hit: Flags, *, seconds: float, upper: int | None = None, nodes: int = NODES
) -> IntegerSolution:
    """Search for the safe table whose hidden entries cost least, given the rules that are unsafe now.

    `must_hit` are the rules that are hit in all safe tables in which hiding costs less than `upper`; when there are no
    such tables `upper` is the bound. The search ends after `seconds`, or when there is no more time to spare.
    """
    # State: the rules stated so far. Invariant: each of them is safe in every safe table, so that the least answer to a
    # program hides no more than any safe table. Pruning: rules that no answer made unsafe are never stated (row
    # generation); the search ends when an answer is safe itself, or as soon as the bound reaches `upper`.
    until = time.monotonic() + spare(seconds)
    stated = Stated.of(now.unsafe, must_hit)
    bound, done = 0, 0
    while time.monotonic() < until:
        stating = state(now.table, stated)
        if stating is None:
            break
        answer = _answer(stating, until=until, enough=upper, nodes=nodes)
        done += 1
        if answer.impossible:
            return IntegerSolution(
                None, bound if upper is None else upper, impossible=upper is None, rounds=done
            )
        bound = max(bound, answer.bound if upper is None else min(answer.bound, upper))
        if answer.times is None:
            break
        hidden = _hidden(stating, answer.times)
        unsafe = search.find(hide(now.table, hidden)[0])
        if not len(unsafe):
            return IntegerSolution(hidden, bound, impossible=False, rounds=done)
        more = stated.and_more(now.table, unsafe)
        if more is None:
            break
        stated = more
    return IntegerSolution(None, bound, impossible=False, rounds=done)


class _Answer(NamedTuple):
    times: Ints | None
    bound: int
    impossible: bool


def _answer(stating: IntegerProgram, *, until: float, enough: int | None, nodes: int) -> _Answer:
    """Solve a program, first without whole numbers: a search that is cut short may know no bound."""
    relaxed = _solved(stating, integers=False, until=until, nodes=nodes)
    if relaxed.status == INFEASIBLE:
        return _Answer(None, 0, impossible=True)
    bound = _up(relaxed.fun) if relaxed.status == OPTIMAL else 0
    if enough is not None and bound >= enough:
        return _Answer(None, bound, impossible=False)
    whole_numbers = _solved(stating, integers=True, until=until, nodes=nodes)
    if whole_numbers.status == INFEASIBLE:
        return _Answer(None, bound, impossible=True)
    if whole_numbers.mip_dual_bound is not None:
        bound = max(bound, _up(whole_numbers.mip_dual_bound))
    times = (
        None if whole_numbers.x is None else np.rint(whole_numbers.x[: len(stating.moves)]).astype(np.int64)
    )
    return _Answer(times, bound, impossible=False)


def _solved(stating: IntegerProgram, *, integers: bool, until: float, nodes: int) -> Any:
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.sparse import csr_array

    shape = len(stating.at_least), len(stating.cost)
    rows = csr_array((stating.factor, (stating.row, stating.column)), shape=shape)
    return whole(
        "searching for the fewest entries to hide",
        stating.cost,
        integrality=np.full(shape[1], int(integers)),
        bounds=Bounds(stating.low, stating.high),
        constraints=LinearConstraint(rows, stating.at_least, np.inf),
        nodes=nodes,
        seconds=until - time.monotonic(),
    )


def _up(bound: float) -> int:
    return max(0, ceil(bound - _ROUNDING * max(1.0, bound))) if isfinite(bound) else 0


def _hidden(stating: IntegerProgram, times: Ints) -> Hidden:
    moves = {move: many for move, many in zip(stating.moves, times.tolist(), strict=True) if many}
    return Hidden.of(in_groups(moves, stating.classes))
