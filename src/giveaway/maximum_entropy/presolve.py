"""Values that rows rule out: chances of exactly 0 and 1, which an iteration would only approach."""

from dataclasses import dataclass

import numpy as np

from giveaway.compiling import suited
from giveaway.maximum_entropy.constraints import ConstraintRows, Flags
from giveaway.maximum_entropy.kernels import ProfilesLeft, tighten
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

SLACK = 1e-7
"""Part of a record by which a bound may miss a whole number because of rounding."""


class Contradiction(Exception):
    """No distribution agrees with all rows, not even with those of `rows` alone."""

    def __init__(self, rows: Ints) -> None:
        self.rows = rows
        super().__init__("no distribution agrees with all rows")


@dataclass(frozen=True, kw_only=True, eq=False)
class Possible:
    """What is left to be decided: the values still possible for each profile.

    `forcing` marks rows that ruled values out, `idle` these and all others that hold whatever is decided.
    """

    alive: Flags
    forcing: Flags
    idle: Flags


def possible(weights: Ints, domain: int, rows: ConstraintRows) -> Possible:
    """Rule out values until nothing changes.

    A row that demands all the records that may count for it, or no more than those that must, decides for all of its
    profiles. Raises `Contradiction` when a row cannot hold.
    """
    if (rows.low > rows.high).any():
        raise Contradiction(np.flatnonzero(rows.low > rows.high)[:1])
    sets = rows.kinds[0]
    left = ProfilesLeft(
        alive=np.ones((len(weights), domain), np.bool_),
        some=np.repeat(sets.any(axis=1, keepdims=True), len(weights), axis=1),
        every=np.repeat(sets.all(axis=1, keepdims=True), len(weights), axis=1),
        forcing=np.zeros(len(rows), np.bool_),
        idle=np.zeros(len(rows), np.bool_),
    )
    bounds = (rows.low, rows.high)
    ruled_out = total = 1
    while ruled_out > 0:
        tell("ruling values out", total)
        look = suited(tighten, 2 * rows.cells)
        ruled_out = int(look(rows.in_kernels, sets, bounds, weights, left, SLACK))
        total += ruled_out
    if ruled_out < 0:
        raise Contradiction(np.union1d(np.flatnonzero(left.forcing), -ruled_out - 1))
    return Possible(alive=left.alive, forcing=left.forcing, idle=left.idle)
