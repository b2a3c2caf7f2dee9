"""The compiled messages of the dynamic program, as logarithms.

Imported only when messages are passed. A message is shifted so that its largest entry is 0; the shift is returned.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Logs = NDArray[np.float64]
Number = int | np.int64

ALL, STAYS, GOES = range(3)
"""Which choices a step counts: all, or those in which a marked open item stays open or is taken."""


@njit(cache=True)
def _shifted(message: Logs) -> float:
    top = message.max() if len(message) else -np.inf
    if top > -np.inf:
        message -= top
    return top


@njit(cache=True)
def forward(
    message: Logs,
    there: Small,
    origin: Small,
    begin: Large,
    low: Large,
    high: Large,
    target: Large,
    factorial: Logs,
) -> tuple[Logs, float]:
    """Pass a message through a step, adding up what the states of a run make of each following state."""
    runs = len(low)
    states = target[-1] + max(high[-1] - low[-1] + 1, 0) if runs else 0
    found = np.full(states, -np.inf)
    for run in range(runs):
        start = begin[run]
        for left in range(low[run], high[run] + 1):
            while there[start] < left:
                start += 1
            top = -np.inf
            for state in range(start, begin[run + 1]):
                value = message[origin[state]] + factorial[there[state]] - factorial[there[state] - left]
                top = max(top, value)
            if top == -np.inf:
                continue
            total = 0.0
            for state in range(start, begin[run + 1]):
                value = message[origin[state]] + factorial[there[state]] - factorial[there[state] - left]
                total += np.exp(value - top)
            found[target[run] + left - low[run]] = top + np.log(total) - factorial[left]
    return found, _shifted(found)


@njit(cache=True)
def backward(
    message: Logs,
    there: Small,
    origin: Small,
    begin: Large,
    low: Large,
    high: Large,
    target: Large,
    factorial: Logs,
    choices: Number,
) -> tuple[Logs, float]:
    """Pass a message back through a step; with a marked item, only the choices in which it stays or goes count."""
    found = np.full(len(there), -np.inf)
    marked = np.int64(choices != ALL)
    stays = np.int64(choices == STAYS)
    goes = np.int64(choices == GOES)
    for run in range(len(low)):
        for state in range(begin[run], begin[run + 1]):
            here = np.int64(there[state])
            least = max(low[run], stays)
            most = min(high[run], here - goes)
            shift = target[run] - low[run]
            top = -np.inf
            for left in range(least, most + 1):
                value = message[shift + left] - factorial[left - stays] - factorial[here - left - goes]
                top = max(top, value)
            if top == -np.inf:
                continue
            total = 0.0
            for left in range(least, most + 1):
                value = message[shift + left] - factorial[left - stays] - factorial[here - left - goes]
                total += np.exp(value - top)
            found[origin[state]] = top + np.log(total) + factorial[here - marked]
    return found, _shifted(found)


@njit(cache=True)
def joined(one: Logs, other: Logs) -> float:
    """Return the logarithm of the sum of the products of two messages."""
    top = (one + other).max()
    if top == -np.inf:
        return -np.inf
    return top + np.log(np.exp(one + other - top).sum())
