"""The compiled messages of the dynamic program, as logarithms.

Imported only when messages are passed. A message holds for each state in front of or behind a step the logarithm of a
number of ways to fill groups; it is shifted so that its largest entry is 0, and the shift is returned. A step takes
some of the open items of one last group (see `plan`): a state with h of them open goes to the states with l left open in
h! / (l! (h - l)!) ways. Invariant: after a step the message counts, up to its shift, every way to fill the groups so far
(forward) or from there on (backward) once. Nothing is pruned here: the plan has only states that are reached.

Loops over single numbers are compiled in a fraction of the time that arithmetic of arrays takes.
"""

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.frequencies.exact_chances.plan import TakeItems
from giveaway.compiling import native

Logs = NDArray[np.float64]
Number = int | np.int64

ALL, STAYS, GOES = range(3)
"""Which choices a step counts: all, or those in which a marked open item stays open or is taken."""


@native
def _shifted(message: Logs) -> float:
    """Make the largest entry 0, and return what it was."""
    top = -np.inf
    for state in range(len(message)):
        top = max(top, message[state])
    if top > -np.inf:
        for state in range(len(message)):
            message[state] -= top
    return top


@native
def forward(message: Logs, step: TakeItems, factorial: Logs) -> tuple[Logs, float]:
    """Pass a message through a step, adding up what the states of a run make of each following state.

    In a run the open items ascend, so that the states with enough of them are found once and only move on.
    """
    there, begin = step.open, step.begin
    runs = len(step.low)
    states = step.target[-1] + max(step.high[-1] - step.low[-1] + 1, 0) if runs else 0
    passed = np.full(states, -np.inf)
    for run in range(runs):
        start = begin[run]
        for left in range(step.low[run], step.high[run] + 1):
            while there[start] < left:
                start += 1
            top = -np.inf
            for state in range(start, begin[run + 1]):
                value = message[step.origin[state]] + factorial[there[state]] - factorial[there[state] - left]
                top = max(top, value)
            if top == -np.inf:
                continue
            total = 0.0
            for state in range(start, begin[run + 1]):
                value = message[step.origin[state]] + factorial[there[state]] - factorial[there[state] - left]
                total += np.exp(value - top)
            passed[step.target[run] + left - step.low[run]] = top + np.log(total) - factorial[left]
    return passed, _shifted(passed)


@native
def backward(message: Logs, step: TakeItems, factorial: Logs, choices: Number) -> tuple[Logs, float]:
    """Pass a message back through a step; with a marked item, only the choices in which it stays or goes count.

    The marked item is one of those open: it is left out of those that are chosen from.
    """
    begin = step.begin
    passed = np.full(len(step.open), -np.inf)
    marked = np.int64(choices != ALL)
    stays = np.int64(choices == STAYS)
    goes = np.int64(choices == GOES)
    for run in range(len(step.low)):
        for state in range(begin[run], begin[run + 1]):
            here = np.int64(step.open[state])
            least = max(step.low[run], stays)
            most = min(step.high[run], here - goes)
            shift = step.target[run] - step.low[run]
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
            passed[step.origin[state]] = top + np.log(total) + factorial[here - marked]
    return passed, _shifted(passed)


@native
def joined(one: Logs, other: Logs) -> float:
    """Return the logarithm of the sum of the products of two messages about the same states."""
    top = -np.inf
    for state in range(len(one)):
        top = max(top, one[state] + other[state])
    if top == -np.inf:
        return -np.inf
    total = 0.0
    for state in range(len(one)):
        total += np.exp(one[state] + other[state] - top)
    return top + np.log(total)
