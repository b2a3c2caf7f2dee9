"""An estimate that the product is compared with: scaling by Sinkhorn."""

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Windows
from giveaway.attacks.frequencies.estimates.belief_propagation import SWEEPS, Estimate

CHANGE = 1e-6
QUIET = 3
LEAST = 1e-300


def scaled(windows: Windows) -> Estimate:
    """Scale rows and columns by turns until both add up to one, and the expected number of cracks hardly changes."""
    first, last, own, many, _ = windows.classes
    right = (first <= own) & (own <= last)
    groups = len(windows.sizes)
    by_column = np.ones(groups)
    expected, quiet, sweeps = np.inf, 0, 0
    while quiet < QUIET and sweeps < SWEEPS:
        before = np.concatenate([[0.0], np.cumsum(by_column * windows.sizes)])
        by_row = 1 / np.maximum(before[last + 1] - before[first], LEAST)
        begun, ended = (np.bincount(at, many * by_row, groups + 1) for at in (first, last + 1))
        by_column = 1 / np.maximum(np.cumsum(begun - ended)[:groups], LEAST)
        now = float(many[right] @ (by_row * by_column[own])[right])
        quiet = quiet + 1 if abs(now - expected) <= CHANGE * windows.items else 0
        expected, sweeps = now, sweeps + 1
    return Estimate(
        windows=windows,
        sweeps=sweeps,
        to_candidate=lambda classes, groups: by_row[classes] * by_column[groups],
    )
