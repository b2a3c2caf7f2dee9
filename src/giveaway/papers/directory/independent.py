"""What to disclose if attributes were independent and weights are added: the like of the paper's algorithm MinRisk."""

import numpy as np

from giveaway.attacks.directory.disclosure.problem import Floats, places_of
from giveaway.attacks.directory.disclosure.weights import Weights
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints


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
