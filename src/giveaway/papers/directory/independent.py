"""What to disclose if attributes were independent: the paper's algorithm MinRisk, and its like where weights are added.

Independence is an assumption of the choice only. The figure that follows from it is not a number of people and is wrong by
orders of magnitude for more than a few attributes; a chosen disclosure is to be judged by the people counted.

Lebanon et al., section 3, Algorithm 1, with its division by zero and its ties corrected: an attribute that nobody is
consistent with makes the loss 0, which is the best there is, and of equal attributes the lowest is taken. To take the
record as listed instead, replace counts of 0 by 1 beforehand. Weights of pairs take no part in the choice.
"""

from math import inf, log

import numpy as np

from giveaway.attacks.directory.disclosure.problem import Floats, Masks, places_of
from giveaway.attacks.directory.disclosure.weights import Weights
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints


def minrisk(
    alone: Ints, people: int, each: Floats, available: Masks, k: int | Ints, always: int = 0
) -> Masks:
    """Return the `k` attributes of each record with the least e^weight x people / people consistent, as bit masks.

    All arrays have a line for each record. `alone` is the number of people consistent when one attribute alone is
    disclosed, `each` the weights. `k` is one number of attributes or a number for each record. Attributes in `always`
    are among those chosen, as far as available.
    """
    records, attributes = alone.shape
    bits = np.arange(attributes, dtype=np.uint64)
    there = ((available[:, None] >> bits) & np.uint64(1)).astype(np.bool_)
    must = there & ((np.uint64(always) >> bits) & np.uint64(1)).astype(np.bool_)
    wanted = np.broadcast_to(np.asarray(k, np.int64), (records,))
    if (wanted > there.sum(axis=1)).any() or (wanted < must.sum(axis=1)).any():
        raise ValueError(f"{nouns().a_record} has fewer values than asked for, or more that must be shown")
    order = np.lexsort((_log_gamma(alone, people, each), ~must, ~there))
    chosen = np.zeros((records, attributes), np.bool_)
    np.put_along_axis(chosen, order, np.arange(attributes) < wanted[:, None], axis=1)
    masks: Masks = (chosen.astype(np.uint64) << bits).sum(axis=1, dtype=np.uint64)
    return masks


def _log_gamma(alone: Ints, people: int, each: Floats) -> Floats:
    """Return the logarithm of what each attribute multiplies the loss by, -inf where nobody is consistent."""
    gamma = np.full(alone.shape, -inf)
    there = alone > 0
    gamma[there] = each[there] + log(max(people, 1)) - np.log(alone[there])
    return gamma


def additive_independent(
    alone: Ints, people: int, weights: Weights, available: int, k: int, always: int = 0
) -> int:
    """Return the `k` attributes with the least loss if attributes were independent and weights are added.

    The loss is the sum of weights times e to the sum of log(people / people consistent). Its logarithm is concave in
    the two sums, so the best choice is least in some mixture of them: between two mixtures in which two attributes
    change places the order is the same, and one choice for each such stretch is tried. Somebody is consistent with
    each attribute alone.
    """
    shown = always & available
    free = places_of(available & ~always)
    wanted = k - shown.bit_count()
    if not 0 <= wanted <= len(free):
        raise ValueError(f"{nouns().a_record} has fewer values than asked for, or more that must be shown")
    each = weights.each[free].astype(np.float64)
    rarity = np.log(people) - np.log(alone[free])
    finite = np.isfinite(each)
    if finite.sum() < wanted:
        return shown | _mask(free, np.lexsort((rarity, ~finite))[:wanted])
    base = float(weights.each[places_of(shown)].sum())
    choices = np.flatnonzero(finite)[_mixtures(each[finite], rarity[finite], wanted)]
    with np.errstate(divide="ignore"):
        scores = np.log(base + each[choices].sum(axis=1)) + rarity[choices].sum(axis=1)
    return shown | _mask(free, choices[int(np.argmin(scores))])


def _mixtures(each: Floats, rarity: Floats, wanted: int) -> Ints:
    """Return the least `wanted` places in every order by each + x times rarity, for x above 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        crossing = (each[:, None] - each) / (rarity - rarity[:, None])
    turns = np.unique(crossing[np.isfinite(crossing) & (crossing > 0)])
    between = np.array([1.0])
    if len(turns):
        between = np.concatenate([turns[:1] / 2, (turns[:-1] + turns[1:]) / 2, turns[-1:] * 2])
    orders = np.argsort(each + between[:, None] * rarity, axis=1, kind="stable")[:, :wanted]
    return np.unique(np.sort(orders, axis=1), axis=0)


def _mask(places: list[int], chosen: Ints) -> int:
    return sum(1 << places[at] for at in chosen.tolist())
