"""Which rows contradict each other."""

import numpy as np

from giveaway.maximum_entropy.constraints import ConstraintRows
from giveaway.maximum_entropy.linear_programs import LinearProgram
from giveaway.maximum_entropy.solve import Contradiction, solve
from giveaway.model.data.arrays import Ints

_SHARE = 1e-10
_PART_OF_A_RECORD = 1e-8
_PRESSURE = 1e-9


def conflict(weights: Ints, domain: int, rows: ConstraintRows) -> Ints | None:
    """Return rows that cannot all hold, while without any one of them the others can; None if all rows can hold.

    The maximum-entropy solver tells whether they can and, if not, some rows that cannot; elastic linear programs and a
    deletion filter leave as few of these as possible.
    """
    try:
        if solve(weights, domain, rows).violation <= _SHARE:
            return None
        suspects = np.arange(len(rows))
    except Contradiction as found:
        suspects = found.rows
    guilty = _guilty(weights, domain, rows, suspects)
    if guilty is None and len(suspects) < len(rows):
        guilty = _guilty(weights, domain, rows, np.arange(len(rows)))
    return None if guilty is None else _fewest(weights, domain, rows, guilty)


def _fewest(weights: Ints, domain: int, rows: ConstraintRows, guilty: Ints) -> Ints:
    """Leave out one row after another as long as the rest still contradicts itself."""
    for row in guilty.tolist():
        if row in guilty:
            fewer = _guilty(weights, domain, rows, guilty[guilty != row])
            guilty = guilty if fewer is None else fewer
    return guilty


def _guilty(weights: Ints, domain: int, rows: ConstraintRows, suspects: Ints) -> Ints | None:
    """Return the suspects that press against the least violation: they contradict each other without the others."""
    if len(suspects) == 0:
        return None
    violation = LinearProgram.of(weights, domain, rows.take(suspects)).least_violation()
    if violation.cost <= _PART_OF_A_RECORD + _SHARE * float(weights.sum()):
        return None
    return suspects[violation.pressure > _PRESSURE]
