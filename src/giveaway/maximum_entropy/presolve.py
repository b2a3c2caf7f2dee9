"""Values that rows rule out: chances of exactly 0 and 1, which an iteration would only approach."""

from dataclasses import dataclass

import numpy as np

from giveaway.maximum_entropy.constraints import Flags, Rows
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


def possible(weights: Ints, domain: int, rows: Rows) -> Possible:
    """Rule out values until nothing changes.

    A row that demands all the records that may count for it, or no more than those that must, decides for all of its
    profiles. Raises `Contradiction` when a row cannot hold.
    """
    from giveaway.maximum_entropy import kernels

    if (rows.low > rows.high).any():
        raise Contradiction(np.flatnonzero(rows.low > rows.high)[:1])
    sets, kind = rows.kinds
    alive = np.ones((len(weights), domain), np.bool_)
    some = np.repeat(sets.any(axis=1, keepdims=True), len(weights), axis=1)
    every = np.repeat(sets.all(axis=1, keepdims=True), len(weights), axis=1)
    forcing, idle = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
    ruled_out = total = 1
    while ruled_out > 0:
        tell("ruling values out", total)
        ruled_out = kernels.tighten(
            rows.offsets,
            rows.members,
            rows.lists,
            kind,
            sets,
            (rows.low, rows.high),
            weights,
            alive,
            some,
            every,
            forcing,
            idle,
            SLACK,
        )
        total += ruled_out
    if ruled_out < 0:
        raise Contradiction(np.union1d(np.flatnonzero(forcing), -ruled_out - 1))
    return Possible(alive=alive, forcing=forcing, idle=idle)
