"""The compiled part of the sampler that the product does not use."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from giveaway.attacks.frequencies.sampling.kernels import Large, Number, Random, below

Small = NDArray[np.int32]
Logs = NDArray[np.float64]


class Steps(NamedTuple):
    """All steps of a plan in one piece; `*_from` says where those of a step begin."""

    at: Large
    last: Large
    states_from: Large
    open: Small
    sorted_at: Small
    runs_from: Large
    begin: Large
    low: Large
    high: Large
    target: Large
    ahead_from: Large
    ahead: Logs


class Pools(NamedTuple):
    """Open items of each last group; `room` is where the pool of a group begins."""

    room: Large
    item: Large
    size: Large
    placed: Large


@njit(cache=True)
def _choose(
    random: Random, steps: Steps, step: Number, state: Number, factorial: Logs
) -> tuple[Number, Number]:
    """Choose how many items of a step stay open in proportion to the mappings; return it and the next state."""
    inside = steps.sorted_at[steps.states_from[step] + state]
    here = np.int64(steps.open[steps.states_from[step] + inside])
    first_run = steps.runs_from[step]
    low, high = first_run, steps.runs_from[step + 1] - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if steps.begin[middle] <= inside:
            low = middle
        else:
            high = middle - 1
    least, most = steps.low[low], min(steps.high[low], here)
    shift = steps.ahead_from[step + 1] + steps.target[low] - least
    top = -np.inf
    for left in range(least, most + 1):
        top = max(top, steps.ahead[shift + left] - factorial[left] - factorial[here - left])
    total = 0.0
    for left in range(least, most + 1):
        total += np.exp(steps.ahead[shift + left] - factorial[left] - factorial[here - left] - top)
    point = random.random() * total
    chosen = least
    for left in range(least, most + 1):
        weight = np.exp(steps.ahead[shift + left] - factorial[left] - factorial[here - left] - top)
        if weight > 0:
            chosen = left
            point -= weight
            if point < 0:
                break
    return chosen, steps.target[low] + chosen - least


@njit(cache=True)
def _place(random: Random, pools: Pools, last: Number, many: Number, placed: Number) -> Number:
    """Take random items out of a pool and put them behind those that are placed."""
    base = pools.room[last]
    for _ in range(many):
        chosen = base + below(random, pools.size[last])
        pools.size[last] -= 1
        end = base + pools.size[last]
        pools.placed[placed] = pools.item[chosen]
        pools.item[chosen] = pools.item[end]
        placed += 1
    return placed


@njit(cache=True)
def independent(
    random: Random,
    steps: Steps,
    factorial: Logs,
    opens: Large,
    items: Large,
    last: Large,
    places: Large,
    names: Large,
    pools: Pools,
    drawn: Large,
) -> None:
    """Draw mappings of one component from the messages of its dynamic program, each anew.

    `items` are sorted by the first group of their windows, those of group g standing from `opens[g]`; `places[g]` is
    where the renamed items of group g begin in `names`.
    """
    groups = len(opens) - 1
    for row in range(len(drawn)):
        state = np.int64(0)
        for group in range(groups):
            for one in range(opens[group], opens[group + 1]):
                pools.item[pools.room[last[one]] + pools.size[last[one]]] = items[one]
                pools.size[last[one]] += 1
            placed = _place(random, pools, group, pools.size[group], 0)
            for step in range(steps.at[group], steps.at[group + 1]):
                end = steps.last[step]
                left, state = _choose(random, steps, step, state, factorial)
                placed = _place(random, pools, end, pools.size[end] - left, placed)
            for i in range(placed - 1, -1, -1):
                j = below(random, i + 1)
                item = pools.placed[j]
                pools.placed[j] = pools.placed[i]
                drawn[row, item] = names[places[group] + i]
