"""The best thing to disclose as the searches see it: only the attributes that are open to choice, numbered from 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.weights import Weights
from giveaway.model.data.arrays import Ints

Masks = NDArray[np.uint64]
Floats = NDArray[np.float64]
Rows = NDArray[np.int32]

NO, YES, DOUBTFUL = range(3)
"""Whether a disclosure is allowed; doubtful: too near to its limit to be compared in floats."""
DOUBT = 1e-9
"""How near to its limit a sum of chances must be to be compared again in fractions."""


class ChanceTerms(NamedTuple):
    """How numbers of consistent people become a chance, and which numbers are allowed; nobody counts as one."""

    prior: Floats
    """The weight of each directory."""
    worst: bool
    """The chance is the largest over the directories, not the sum."""
    apart: bool
    """Each directory must leave a crowd by itself, not only the sum of their chances."""
    crowd: int
    limit: float
    """The most that the sum of chances may be, where the directories are not `apart`."""
    somebody: bool
    """Somebody must be consistent in some directory."""
    multiplicative: bool
    wrong: float
    """The part of the sensitivity that is lost to who is wrong."""


class Costs(NamedTuple):
    """The sum of weights: of what is shown in any case, of each open attribute, of pairs (symmetric, or 0 x 0).

    `weighing` are the weights of sets of three open attributes or more, `together` the sets.
    """

    base: float
    each: Floats
    pairs: Floats
    together: Masks
    weighing: Floats


class DirectoryMasks(NamedTuple):
    """The masks of all directories over the open attributes, each once in a directory."""

    masks: Masks
    counts: Ints
    directory: Rows


@dataclass(frozen=True, kw_only=True, eq=False)
class Posed:
    """One record. A set of open attributes is a bit mask of their numbers, which `spread` turns into attributes."""

    masks: tuple[Masks, ...]
    counts: tuple[Ints, ...]
    prior: tuple[Fraction, ...]
    limit: Fraction
    """The same as that of `terms`, exactly."""
    shown: int
    places: Masks
    """The attribute that each open attribute is."""
    costs: Costs
    terms: ChanceTerms

    @property
    def open(self) -> int:
        """The number of attributes that are open to choice."""
        return len(self.places)

    @property
    def forced(self) -> int:
        """The number of attributes that are shown in any case."""
        return self.shown.bit_count()

    def inside(self, masks: Masks) -> tuple[Ints, Masks]:
        """Return which masks contain what is shown in any case, and what these contain of the open attributes."""
        shown = np.uint64(self.shown)
        rows = np.flatnonzero((masks & shown) == shown)
        inside = np.zeros(len(rows), np.uint64)
        for number, place in enumerate(self.places):
            inside |= ((masks[rows] >> place) & np.uint64(1)) << np.uint64(number)
        return rows, inside

    def mask(self, chosen: int) -> int:
        """Return the attributes that are disclosed with a set of open attributes."""
        mask = self.shown
        for number, place in enumerate(self.places.tolist()):
            mask |= (chosen >> number & 1) << place
        return mask

    def spread(self, sets: NDArray[np.integer]) -> Masks:
        """Do the same for many sets at once."""
        chosen = sets.astype(np.uint64)
        spread = np.full(chosen.shape, self.shown, np.uint64)
        for number, place in enumerate(self.places):
            spread |= ((chosen >> np.uint64(number)) & np.uint64(1)) << place
        return spread


def places_of(mask: int) -> list[int]:
    """Return the places of the bits of a mask, in ascending order."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def costs_of(weights: Weights, shown: Sequence[int], free: Sequence[int]) -> Costs:
    """Return the weights as sums over the open attributes; a constant is a sum to which nothing adds."""
    if weights.form == "constant":
        return Costs(1.0, np.zeros(len(free)), np.zeros((0, 0)), np.zeros(0, np.uint64), np.zeros(0))
    each = weights.each[list(free)].astype(np.float64)
    pairs = np.zeros((0, 0))
    if weights.pairs is not None:
        upper = np.triu(weights.pairs, 1).astype(np.float64)
        both = upper + upper.T
        each += both[np.ix_(shown, free)].sum(axis=0)
        pairs = np.ascontiguousarray(both[np.ix_(free, free)])
    together, weighing = [], []
    number = {place: at for at, place in enumerate(free)}
    shown_mask = sum(1 << place for place in shown)
    for places, weight in ((places_of(mask & ~shown_mask), weight) for mask, weight in weights.further):
        if not places or any(place not in number for place in places):
            continue  # shown in any case, which the base has, or never
        together.append(sum(1 << number[place] for place in places))
        weighing.append(weight)
    return Costs(
        weights.total(shown_mask), each, pairs, np.array(together, np.uint64), np.array(weighing, np.float64)
    )
