"""The compiled steps that share a budget among records.

Imported only when values are counted over all records.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.problem import Floats
from giveaway.compiling import native
from giveaway.model.data.arrays import Ints


class Segments(NamedTuple):
    """The pieces of the lower convex hulls of all curves: of which record, from which size to which, how steep."""

    record: Ints
    start: Ints
    end: Ints
    slope: Floats


class TotalOptions(NamedTuple):
    """What records may do: the options `begins[record]:begins[record + 1]` move its size by `moves`, at `costs`."""

    begins: Ints
    moves: Ints
    costs: Floats


# Lower convex hulls, from left to right (Andrew 1979, monotone chain).
#
# State: `hull[:length]`, sizes of one curve.
# Invariant: these are the corners of the lower hull of the points so far, and the last of them is the last point.
# Pruning: a corner above the line from the corner before it to the new point is dropped for good. Slopes are made
#   never to fall, which rounding could let them.


@native
def segments(curves: Floats) -> Segments:
    """Return the lower hull of each curve, from left to right and never less steep; nan is not a point."""
    records, sizes = curves.shape
    pieces = Segments(
        np.empty(records * sizes, np.int64),
        np.empty(records * sizes, np.int64),
        np.empty(records * sizes, np.int64),
        np.empty(records * sizes),
    )
    many = 0
    hull = np.empty(sizes, np.int64)
    for record in range(records):
        curve = curves[record]
        length = 0
        for size in range(sizes):
            if np.isnan(curve[size]):
                continue
            while length >= 2:
                first, middle = hull[length - 2], hull[length - 1]
                rise = (curve[middle] - curve[first]) * (size - first)
                if rise <= (curve[size] - curve[first]) * (middle - first):
                    break
                length -= 1
            hull[length] = size
            length += 1
        steepest = -np.inf
        for at in range(length - 1):
            start, end = hull[at], hull[at + 1]
            steepest = max(steepest, (curve[end] - curve[start]) / (end - start))
            pieces.record[many], pieces.start[many], pieces.end[many] = record, start, end
            pieces.slope[many] = steepest
            many += 1
    return Segments(pieces.record[:many], pieces.start[:many], pieces.end[:many], pieces.slope[:many])


# A dynamic program over records, the multiple-choice knapsack problem (Kellerer, Pferschy and Pisinger 2004, chapter 11).
#
# State: `cost[band + s]`, for each sum s of moves within the band.
# Invariant: after some records it is the least cost of one option of each whose moves add up to s, with all sums on the
#   way within the band; `choices[record, band + s]` is the option of that record in it.
# Pruning: sums outside the band are never looked at; whoever asks decides how wide it must be.


@native
def shift(options: TotalOptions, band: int, choices: NDArray[np.uint8]) -> Floats:
    """Choose one option of each record so that the moves add up to any sum between -band and band at the least cost.

    Returns the cost for each sum, infinite where there is none, and writes the option chosen last for each; partial
    sums stay within the band too.
    """
    begins, moves, costs = options.begins, options.moves, options.costs
    width = 2 * band + 1
    cost = np.full(width, np.inf)
    cost[band] = 0.0
    for record in range(len(begins) - 1):
        begin, end = begins[record], begins[record + 1]
        after = np.full(width, np.inf)
        for option in range(begin, end):
            move = moves[option]
            for at in range(max(0, move), min(width, width + move)):
                here = cost[at - move] + costs[option]
                if here < after[at]:
                    after[at] = here
                    choices[record, at] = option - begin
        cost = after
    return cost
