"""What to disclose if attributes were independent: the paper's algorithm MinRisk.

Independence is an assumption of the choice only. The figure that follows from it is not a number of people and is wrong by
orders of magnitude for more than a few attributes; a chosen disclosure is to be judged by the people counted.

Lebanon et al., section 3, Algorithm 1, with its division by zero and its ties corrected: an attribute that nobody is
consistent with makes the loss 0, which is the best there is, and of equal attributes the lowest is taken. To take the
record as listed instead, replace counts of 0 by 1 beforehand. Weights of pairs take no part in the choice.
"""

from math import inf, log

import numpy as np

from giveaway.attacks.directory.disclosure.problem import Floats, Masks
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
