"""The messages of the dynamic program: how many mappings go through each state, as logarithms."""

from collections.abc import Iterator
from math import exp, lgamma

import numpy as np

from giveaway.attacks.frequencies.crack_graph.windows import Floats
from giveaway.attacks.frequencies.exact_chances.plan import StepsPlan


class Messages:
    """What the steps from each step on say about the states in front of it.

    `ahead[level]` is the message in front of step `level`, and `shift[level]` the logarithm it was divided by.
    """

    def __init__(self, plan: StepsPlan) -> None:
        from giveaway.attacks.frequencies.exact_chances import kernels

        self._kernels = kernels
        self.plan = plan
        self.steps = plan.steps or ()
        self.factorial = log_factorials(int(plan.part.many.sum()))
        self.ahead = [np.zeros(1)]
        self.shift = [0.0]
        for step in reversed(self.steps):
            message, shift = kernels.backward(self.ahead[-1], step, self.factorial, kernels.ALL)
            self.ahead.append(message)
            self.shift.append(self.shift[-1] + shift)
        self.ahead.reverse()
        self.shift.reverse()

    def behind(self) -> list[Floats]:
        """Return for each group what all steps before it say about the states in front of it."""
        message, level = np.zeros(1), 0
        messages = []
        for until in self.plan.at:
            for step in self.steps[level:until]:
                message, _ = self._kernels.forward(message, step, self.factorial)
            level = until
            messages.append(message)
        return messages

    def chance_of_group(self, behind: list[Floats], last: int, own: int, firsts: list[int]) -> list[float]:
        """Return how likely an item is placed in `own`, if its window goes from each of `firsts` to `last`."""
        chance_from = {}
        for group, message, shift in self._marked(last, own, min(firsts)):
            all_of_it = self._kernels.joined(behind[group], self.ahead[self.plan.at[group]])
            chance_from[group] = exp(self._kernels.joined(behind[group], message) + shift - all_of_it)
        return [chance_from[first] for first in firsts]

    def _marked(self, last: int, own: int, earliest: int) -> Iterator[tuple[int, Floats, float]]:
        """Mark an open item whose window ends at `last`, and count the mappings that place it in `own`.

        Yields each group from `own` back to `earliest`, the message in front of it and its shift beyond that of `ahead`.
        """
        kernels, at = self._kernels, self.plan.at
        level = at[own]
        if own < last:
            level = next(place for place in range(at[own], at[own + 1]) if self.steps[place].last == last) + 1
        message, shift, fate = self.ahead[level], self.shift[level], kernels.GOES
        for group in range(own, earliest - 1, -1):
            while level > at[group]:
                level -= 1
                choices = fate if self.steps[level].last == last else kernels.ALL
                message, more = kernels.backward(message, self.steps[level], self.factorial, choices)
                shift += more
            yield group, message, shift - self.shift[level]
            fate = kernels.STAYS


def log_ways(plan: StepsPlan) -> float:
    """Return the logarithm of the ways to fill the groups, minus infinity when there is none."""
    from giveaway.attacks.frequencies.exact_chances import kernels

    if plan.steps is None:
        return -np.inf
    factorial = log_factorials(int(plan.part.many.sum()))
    message, shift = np.zeros(1), 0.0
    for step in plan.steps:
        message, more = kernels.forward(message, step, factorial)
        shift += more
    return shift + kernels.joined(message, np.zeros(len(message))) if len(message) else -np.inf


def log_factorials(up_to: int) -> Floats:
    """Tabulate the logarithms of the factorials."""
    return np.array([lgamma(number + 1) for number in range(up_to + 1)])
