"""How many items every safe release must withhold, where that can be told."""

from fractions import Fraction
from math import ceil

import numpy as np

from giveaway.attacks.frequencies.chances import LimitLine
from giveaway.attacks.frequencies.protecting.tried_release import Trial
from giveaway.model.data.arrays import Ints


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
