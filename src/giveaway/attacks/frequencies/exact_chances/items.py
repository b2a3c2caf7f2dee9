"""The exact chance that each item is cracked: the share of the mappings in which it is mapped to itself.

The dynamic program of `plan` is run through each component. It tells how likely an item is placed in its own
group; within the group all renamed items are equally likely.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Floats, Windows
from giveaway.attacks.frequencies.exact_chances.messages import Messages
from giveaway.attacks.frequencies.exact_chances.plan import Part, Plan, best_plan, part_of
from giveaway.attacks.frequencies.exact_chances.whole_numbers import Mappings
from giveaway.model.answer.risk import Chance
from giveaway.model.progress import tell

BUDGET = 20_000_000
"""Transitions that the dynamic program may make unless told otherwise: some seconds."""

FRACTIONS = 300_000
"""Transitions in whole numbers that the fractions of one component may take; beyond, its chances are floats."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Exact:
    """The chance of each class of items, also as a fraction where `fractions` has it, and the transitions it took."""

    chances: Floats
    fractions: Mapping[int, Fraction]
    work: int


def chances(windows: Windows, *, budget: int = BUDGET, fractions: int = FRACTIONS) -> Exact | None:
    """Compute the chance of every class; None when that takes more than `budget` transitions.

    A mapping must exist. Components are smallest when candidates that no mapping uses were removed before.
    """
    of_each: list[Chance] = []
    known: dict[tuple[bytes, ...], list[Chance]] = {}
    work = 0
    for number, piece in enumerate(windows.pieces):
        tell("computing chances", number, len(windows.pieces))
        part = part_of(windows, piece)
        shape = tuple(array.tobytes() for array in part[:5])
        if shape not in known:
            plan = best_plan(part, budget - work)
            if plan is None:
                return None
            work += plan.work
            exactly = plan.work * (len(part.own) + 1) <= fractions
            known[shape] = _fractions(plan.part) if exactly else _floats(plan)
        of_each += known[shape]
    return Exact(
        chances=np.array(of_each, np.float64),
        fractions={one: chance for one, chance in enumerate(of_each) if isinstance(chance, Fraction)},
        work=work,
    )


def _fractions(part: Part) -> list[Chance]:
    mappings = Mappings(part.sizes.tolist(), part.by_window)
    members = zip(part.first.tolist(), part.last.tolist(), part.own.tolist(), strict=True)
    return [mappings.chance([(first, last)], [own]) for first, last, own in members]


def _floats(plan: Plan) -> list[Chance]:
    part = plan.part
    messages = Messages(plan)
    behind = messages.behind()
    floats = np.zeros(len(part.own))
    right = (part.first <= part.own) & (part.own <= part.last)
    for last, own in np.unique(np.stack([part.last[right], part.own[right]], axis=1), axis=0).tolist():
        tell("computing chances", own, len(part.sizes))
        same = np.flatnonzero(right & (part.last == last) & (part.own == own))
        in_group = messages.chance_of_group(behind, last, own, part.first[same].tolist())
        floats[same] = np.array(in_group) / part.sizes[own]
    return [float(chance) for chance in floats]
