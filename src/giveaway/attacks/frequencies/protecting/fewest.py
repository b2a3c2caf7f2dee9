"""How few items will do: what every safe release withholds at least, and the fewest of small components, all tried.

State: a choice of items of one component, by size and then by how rare they are. Invariant: all choices tried before it
leave an item at the limit. Nothing is pruned: withholding more can expose what is left, so that no choice speaks for
another; a component with too many choices is left as it was. No mapping crosses components, so each is tried alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, comb

import numpy as np

from giveaway.attacks.frequencies.chances import ItemChances, LimitLine
from giveaway.attacks.frequencies.crack_chances import cracked
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Flags
from giveaway.attacks.frequencies.protecting.tried_release import Trial
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

MOST_CHOICES = 2_000
"""Choices of items that are tried in one component at most."""


def least_withheld(trial: Trial) -> int | None:
    """Return a number of items that no safe release withholds fewer than; None where nothing is known.

    In a component in which every code may stand for every item, whatever of it is kept is cracked with a chance of one
    in its number, so that it counts one crack. The other components are taken as if they counted none.
    """
    seen, tolerance = trial.seen, trial.tolerance
    attacker = seen.attacker
    if attacker.wants_sets or attacker.compliance != 1 or attacker.of_interest or seen.pairs is not None:
        return None
    if not seen.right.all() or attacker.belief.weighs:
        return None
    sizes = _complete(trial)
    bounds = [0]
    if tolerance.identity is not None:
        line = LimitLine(tolerance.identity, at=not attacker.knows_method)
        doomed = int(sizes[line.is_below_one_in(sizes)].sum())
        bounds.append(ceil((doomed - tolerance.share * seen.number) / (1 - tolerance.share)))
    if tolerance.average is not None:
        bounds.append(_by_average(sizes, seen.number, tolerance.average))
    return int(max(bounds))


def _complete(trial: Trial) -> Ints:
    """Return the sizes of the components in which every code may stand for every item, in ascending order."""
    component = trial.component_of
    members = np.bincount(component)
    narrow = np.bincount(component, trial.seen.degrees < members[component])
    return np.sort(members[narrow == 0])


def _by_average(sizes: Ints, items: int, average: Fraction) -> int:
    """Drop whole components, the smallest first, until those left are within the average of the items left."""
    before = np.concatenate([[0], np.cumsum(sizes)])
    for gone in range(len(before)):
        withheld = int(before[gone])
        if len(sizes) - gone <= average * (items - withheld):
            return withheld
    return items


@dataclass(frozen=True, kw_only=True)
class Perfected:
    """Items to withhold, and how many of them no safe release can do without."""

    order: list[int]
    least: int


def can_be_perfected(planned: Trial) -> bool:
    """Tell whether components can be looked at one by one: every single item must stay below a limit.

    Somebody who knows the method would learn from it that other choices did not suffice.
    """
    seen, tolerance = planned.seen, planned.tolerance
    attacker = seen.attacker
    return (
        tolerance.average is None
        and tolerance.share == 0
        and not attacker.wants_sets
        and attacker.compliance == 1
        and not attacker.knows_method
        and not attacker.of_interest
        and seen.pairs is None
        and bool(seen.right.all())
        and not attacker.belief.weighs
    )


def perfected(planned: Trial, order: Sequence[int], keep: Flags) -> Perfected:
    """Try in each component every choice of fewer items than were chosen, of those that need not be kept, the cheapest first."""
    component = planned.component_of
    chosen: dict[int, list[int]] = {}
    for item in order:
        chosen.setdefault(int(component[item]), []).append(item)
    withheld, least = [], 0
    for number, (piece, gone) in enumerate(chosen.items()):
        tell(f"looking for fewer {nouns().items} to withhold", number, len(chosen))
        members = np.flatnonzero(component == piece)
        may_go = _may_go(planned, members[~keep[members]])
        better = _fewer(planned, members, may_go, len(gone))
        withheld += gone if better is None else better
        if _few(may_go, len(gone)):
            least += len(gone if better is None else better)
    return Perfected(order=withheld, least=least)


def _may_go(planned: Trial, members: Ints) -> Ints:
    """Return the items that can be withheld, the rarest first."""
    counts = planned.seen.items.counts[members]
    return members[np.lexsort((members, counts))][int((counts == 0).sum()) :]


def _few(may_go: Ints, below: int) -> bool:
    return sum(comb(len(may_go), size) for size in range(below)) <= MOST_CHOICES


def _fewer(planned: Trial, members: Ints, may_go: Ints, below: int) -> list[int] | None:
    """Return fewer items whose withholding is enough; None when there are none, or too many choices."""
    if not _few(may_go, below):
        return None
    for size in range(below):
        for gone in combinations(may_go.tolist(), size):
            if _is_safe(planned, np.setdiff1d(members, gone)):
                return list(gone)
    return None


def _is_safe(planned: Trial, kept: Ints) -> bool:
    beliefs, limit = planned.seen.beliefs, planned.tolerance.identity
    some = Beliefs(counts=beliefs.counts[kept], low=beliefs.low[kept], high=beliefs.high[kept])
    chances = cracked(some, planned.seen.effort)
    if limit is None:
        return True
    line = LimitLine(limit, at=not planned.seen.attacker.knows_method)
    return isinstance(chances, ItemChances) and not chances.may_be_over(line).any()
