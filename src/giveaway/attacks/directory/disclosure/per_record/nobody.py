"""The fewest attributes that nobody in a directory is consistent with: by the paper's definition they cost nothing.

Every mask must lack one of them: a least hitting set.
"""

from math import ceil
from typing import Any, NamedTuple

import numpy as np

from giveaway.attacks.directory.disclosure.problem import Floats, Masks
from giveaway.linear_programs import OPTIMAL, whole
from giveaway.model.progress import tell

_NODES = 2000
_WORK = 4_000_000
"""The most masks that the search by hand goes through, before a solver of integer programs takes over."""
_STATED = 64
"""How many masks are stated to the solver at a time, the fullest first."""
_SOLVER_NODES = 1000
_ROUNDING = 1e-6


class Emptied(NamedTuple):
    """Attributes that no mask has all of; no set of fewer than `at_least` attributes is such."""

    chosen: int
    at_least: int


def emptied(masks: Masks, bits: int, *, nodes: int | None = None) -> Emptied | None:
    """Return the fewest attributes that no mask has all of, None when a mask has all attributes.

    `nodes` limits the steps of the search by hand.
    """
    from giveaway.attacks.directory.disclosure.per_record import nobody_kernels as kernels

    if (masks == np.uint64((1 << bits) - 1)).any():
        return None
    if nodes is None:
        nodes = min(_NODES, _WORK // max(len(masks), 1))
    greedy = _greedy(masks, bits)
    for size in range(greedy.bit_count()):
        tell("looking for values that nobody has", size)
        status, chosen, used = kernels.empty(masks, bits, size, nodes)
        if status == kernels.FOUND:
            return Emptied(int(chosen), size)
        if status == kernels.STOPPED:
            return _by_program(masks, bits, Emptied(greedy, size))
        nodes -= used
    return Emptied(greedy, greedy.bit_count())


def _greedy(masks: Masks, bits: int) -> int:
    """Add the attribute that the most masks lack until each lacks one."""
    chosen = 0
    while len(masks):
        having = [int(((masks >> np.uint64(bit)) & np.uint64(1)).sum()) for bit in range(bits)]
        bit = int(np.argmin(having))
        chosen |= 1 << bit
        masks = masks[((masks >> np.uint64(bit)) & np.uint64(1)).astype(np.bool_)]
    return chosen


def _by_program(masks: Masks, bits: int, known: Emptied) -> Emptied:
    """State masks that contain the solver's answer until none does."""
    places = np.arange(bits, dtype=np.uint64)
    fullest = np.argsort(-np.bitwise_count(masks).astype(np.int64), kind="stable")
    stated = fullest[:_STATED]
    while True:
        lacks = (~masks[stated][:, None] >> places) & np.uint64(1)
        answer = _solved(lacks.astype(np.float64))
        if answer.mip_dual_bound is not None and np.isfinite(answer.mip_dual_bound):
            known = known._replace(at_least=max(known.at_least, ceil(answer.mip_dual_bound - _ROUNDING)))
        if answer.status != OPTIMAL:
            return known
        chosen = sum(1 << bit for bit in np.flatnonzero(answer.x > 0.5).tolist())
        wrong = fullest[(masks[fullest] & np.uint64(chosen)) == np.uint64(chosen)]
        if not len(wrong):
            fewer = chosen.bit_count() < known.chosen.bit_count()
            return known._replace(chosen=chosen) if fewer else known
        stated = np.concatenate([stated, wrong[:_STATED]])


def _solved(lacks: Floats) -> Any:
    from scipy.optimize import Bounds, LinearConstraint

    bits = lacks.shape[1]
    return whole(
        "looking for values that nobody has",
        np.ones(bits),
        nodes=_SOLVER_NODES,
        integrality=np.ones(bits),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(lacks, 1, np.inf),
    )
