"""The compiled steps of the search among sets of many attributes.

Imported only when a record has too many attributes to try all sets. Masks are numbered rows; the rows that contain a set
are kept as a list, which shrinks with every attribute that is added.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.problem import (
    DOUBT,
    DOUBTFUL,
    NO,
    YES,
    ChanceTerms,
    Costs,
    DirectoryMasks,
    Floats,
    Masks,
    Rows,
)
from giveaway.compiling import native
from giveaway.model.data.arrays import Ints

_SLACK = 1e-9


@native
def chance(counts: Ints, at: int, terms: ChanceTerms) -> float:
    """Return the part of the sensitivity that is lost, from the number of people consistent in each directory.

    It is the chance to identify somebody; what is lost to who is wrong comes to it. Priors sum up to 1.
    """
    likely = 0.0
    for directory in range(len(counts)):
        part = terms.prior[directory] / max(counts[directory, at], 1)
        likely = max(likely, part) if terms.worst else likely + part
    return terms.wrong + (1.0 - terms.wrong) * likely


@native
def verdict(counts: Ints, at: int, terms: ChanceTerms) -> int:
    """Say whether this many people are a crowd."""
    if terms.somebody and counts[:, at].max() == 0:
        return NO
    if terms.crowd <= 1:
        return YES
    enough = True
    total = 0.0
    for directory in range(len(counts)):
        people = max(counts[directory, at], 1)
        if people < terms.crowd:
            enough = False
        total += terms.prior[directory] / people
    if enough:
        return YES
    if terms.apart:
        return NO
    over = total / terms.limit - 1.0
    if abs(over) < DOUBT:
        return DOUBTFUL
    return NO if over > 0.0 else YES


@native
def key(total: float, likely: float, multiplicative: bool) -> float:
    """Return what orders losses: the loss itself, or its logarithm where it may be larger than any float."""
    return total + np.log(likely) if multiplicative else total * likely


@native
def loss(total: float, likely: float, multiplicative: bool) -> float:
    """Return the loss of a disclosure."""
    return (np.exp(total) if multiplicative else total) * likely


# State of both the beam and the proof: the rows whose masks contain a set.
# Invariant: the counts of these rows, attribute by attribute, are the people who stay consistent when one attribute more
#   is disclosed, so that a set is judged without going through all masks again.


@native
def step(seen: DirectoryMasks, rows: Rows, counts: Ints) -> None:
    """Count for each directory and attribute the people who stay consistent when it is disclosed too."""
    counts[:] = 0
    bits = counts.shape[1]
    for at in range(len(rows)):
        row = rows[at]
        mask = seen.masks[row]
        many = seen.counts[row]
        line = counts[seen.directory[row]]
        for bit in range(bits):
            line[bit] += many * np.int64((mask >> np.uint64(bit)) & np.uint64(1))


@native
def more(costs: Costs, chosen: np.uint64, bit: int) -> float:
    """Return what an attribute adds to the sum of weights of a set."""
    added = costs.each[bit]
    if len(costs.pairs):
        for other in range(len(costs.each)):
            if (chosen >> np.uint64(other)) & np.uint64(1):
                added += costs.pairs[other, bit]
    one = np.uint64(1) << np.uint64(bit)
    for which in range(len(costs.together)):
        held = costs.together[which]
        if held & one and (chosen | one) & held == held:
            added += costs.weighing[which]
    return added


class Sought(NamedTuple):
    """What is asked of one record: the masks of all directories, what attributes weigh, and what is allowed."""

    seen: DirectoryMasks
    costs: Costs
    terms: ChanceTerms


class AttributeSteps(NamedTuple):
    """What each attribute makes of a set: the sum of weights, the key and the loss, and whether it is allowed."""

    totals: Floats
    keys: Floats
    losses: Floats
    allowed: NDArray[np.uint8]


@native
def _judge(counts: Ints, at: int, total: float, terms: ChanceTerms) -> tuple[float, float, int]:
    likely = chance(counts, at, terms)
    return (
        key(total, likely, terms.multiplicative),
        loss(total, likely, terms.multiplicative),
        verdict(counts, at, terms),
    )


@native
def judge(sought: Sought, chosen: np.uint64) -> tuple[float, float, int]:
    """Return the key and the loss of a set, and whether it is allowed."""
    seen, costs, terms = sought.seen, sought.costs, sought.terms
    counts = np.zeros((len(terms.prior), 1), np.int64)
    for row in range(len(seen.masks)):
        if seen.masks[row] & chosen == chosen:
            counts[seen.directory[row], 0] += seen.counts[row]
    total, before = costs.base, np.uint64(0)
    for bit in range(len(costs.each)):
        one = np.uint64(1) << np.uint64(bit)
        if chosen & one:
            total += more(costs, before, bit)
            before |= one
    return _judge(counts, 0, total, terms)


@native
def expand(sought: Sought, rows: Rows, chosen: np.uint64, total: float) -> AttributeSteps:
    """Return what each attribute makes of a set of which the rows are given."""
    seen, costs, terms = sought.seen, sought.costs, sought.terms
    bits = len(costs.each)
    counts = np.empty((len(terms.prior), bits), np.int64)
    step(seen, rows, counts)
    steps = AttributeSteps(np.empty(bits), np.empty(bits), np.empty(bits), np.empty(bits, np.uint8))
    for bit in range(bits):
        steps.totals[bit] = total + more(costs, chosen, bit)
        steps.keys[bit], steps.losses[bit], steps.allowed[bit] = _judge(counts, bit, steps.totals[bit], terms)
    return steps


# The proof: branch and bound, depth first, over the sets of one size (Land and Doig 1960).
#
# State (`Walk`): for each depth the set chosen there, the sum of its weights, the rows that contain it, and the
#   attributes that may still be added, `order[:many]`, by what each makes lost when added alone (`floors`: a chance), the
#   least first, with what they add to the sum of weights (`adds`); `next` is the one that is tried next.
# Branching: the attribute in place `at` is added, and below it only those in places before `at`. Every set of the size
#   is reached once: its attribute with the largest floor is added first.
# Bound: more attributes leave fewer people, so that no set below has a smaller chance than the floor of the one added;
#   and it adds at least the sum of the smallest `adds` that fill the size, since weights of pairs are not negative. The
#   key grows with both.
# Pruning: what cannot have a key below the best is not entered; an attribute whose floor is infinite, because too few
#   people stay with it whatever is added, is dropped with all sets that hold it (`_arrange`).
# Invariant: `best` is the key of the best allowed set so far, or of the one given; when the walk ends by itself, no set
#   is better, unless one was too near to a limit to be compared in floats (`complete`).


@native
def at_least(counts: Ints, bit: int, terms: ChanceTerms) -> float:
    """Return what no larger set loses less than of its sensitivity, infinite when none of them is allowed."""
    sure, short = 0.0, False
    for directory in range(len(counts)):
        people = max(counts[directory, bit], 1)
        part = terms.prior[directory] / people
        sure = max(sure, part) if terms.worst else sure + part
        short |= people < terms.crowd
    if short and (terms.apart or sure > terms.limit * (1.0 + _SLACK)):
        return np.inf
    return terms.wrong + (1.0 - terms.wrong) * sure


class RecordWalk(NamedTuple):
    """Working memory, described above: a line or a place for each depth; `rows[ends[d - 1]:ends[d]]` are depth d's."""

    rows: Rows
    ends: Ints
    order: Ints
    many: Ints
    next: Ints
    chosen: Masks
    totals: Floats
    adds: Floats
    floors: Floats
    counts: Ints


@native
def _arrange(walk: RecordWalk, depth: int, costs: Costs, terms: ChanceTerms) -> None:
    """Order the attributes that may be added to a set by the chance that they leave; drop those of no use."""
    kept = 0
    order, floors, adds = walk.order[depth], walk.floors[depth], walk.adds[depth]
    for at in range(walk.many[depth]):
        bit = order[at]
        floor = at_least(walk.counts, bit, terms)
        if floor == np.inf:
            continue
        added = more(costs, walk.chosen[depth], bit)
        place = kept
        while place > 0 and (
            floors[place - 1] > floor or (floors[place - 1] == floor and adds[place - 1] > added)
        ):
            floors[place], adds[place], order[place] = floors[place - 1], adds[place - 1], order[place - 1]
            place -= 1
        floors[place], adds[place], order[place] = floor, added, bit
        kept += 1
    walk.many[depth] = kept


@native
def _cheapest(adds: Floats, many: int, wanted: int, least: Floats) -> float:
    """Return the sum of the smallest additions."""
    kept = 0
    for at in range(many):
        place = min(kept, wanted)
        if place == wanted:
            if wanted == 0 or adds[at] >= least[wanted - 1]:
                continue
            place -= 1
        else:
            kept += 1
        while place > 0 and least[place - 1] > adds[at]:
            least[place] = least[place - 1]
            place -= 1
        least[place] = adds[at]
    total = 0.0
    for place in range(wanted):
        total += least[place]
    return total


@native
def prove(sought: Sought, walk: RecordWalk, size: int, best: float, nodes: int) -> tuple[np.uint64, bool]:
    """Search all sets of a size for one whose key is below `best` (nan: for any that is allowed).

    Returns the best set, 0 when none is better, and whether the search was complete within this many nodes.
    """
    seen, costs, terms = sought.seen, sought.costs, sought.terms
    bits = len(costs.each)
    scratch = np.empty(max(size, 1))
    better = np.uint64(0)
    complete = True
    used, depth = 0, 0
    walk.ends[0] = len(seen.masks)
    for row in range(len(seen.masks)):
        walk.rows[row] = row
    for bit in range(bits):
        walk.order[0, bit] = bit
    walk.many[0], walk.chosen[0], walk.totals[0], walk.next[0] = bits, np.uint64(0), costs.base, -1
    while depth >= 0:
        left = size - depth
        if walk.next[depth] < 0:
            if used >= nodes:
                return better, False
            used += 1
            begin = walk.ends[depth - 1] if depth else 0
            step(seen, walk.rows[begin : walk.ends[depth]], walk.counts)
            if left == 1:
                for at in range(walk.many[depth]):
                    bit = walk.order[depth, at]
                    judged = verdict(walk.counts, bit, terms)
                    complete &= judged != DOUBTFUL
                    if judged != YES:
                        continue
                    total = walk.totals[depth] + more(costs, walk.chosen[depth], bit)
                    here = key(total, chance(walk.counts, bit, terms), terms.multiplicative)
                    if not here >= best:
                        best = here
                        better = walk.chosen[depth] | (np.uint64(1) << np.uint64(bit))
                depth -= 1
                continue
            _arrange(walk, depth, costs, terms)
            walk.next[depth] = left - 1
        at = walk.next[depth]
        if at >= walk.many[depth]:
            depth -= 1
            continue
        walk.next[depth] += 1
        total = walk.totals[depth] + walk.adds[depth, at]
        rest = _cheapest(walk.adds[depth], at, left - 1, scratch)
        if key(total + rest, walk.floors[depth, at], terms.multiplicative) >= best:
            continue
        bit = walk.order[depth, at]
        begin = walk.ends[depth - 1] if depth else 0
        end = walk.ends[depth]
        for place in range(begin, walk.ends[depth]):
            row = walk.rows[place]
            if (seen.masks[row] >> np.uint64(bit)) & np.uint64(1):
                walk.rows[end] = row
                end += 1
        walk.order[depth + 1, :at] = walk.order[depth, :at]
        walk.many[depth + 1] = at
        walk.ends[depth + 1] = end
        walk.chosen[depth + 1] = walk.chosen[depth] | (np.uint64(1) << np.uint64(bit))
        walk.totals[depth + 1] = total
        walk.next[depth + 1] = -1
        depth += 1
    return better, complete
