"""How much it hurts that somebody is identified: the sensitivity of the values that one record discloses."""

from dataclasses import dataclass
from math import exp, inf
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Form = Literal["constant", "additive", "multiplicative"]

LARGEST_EXPONENT = 709.0
"""Above it e to the power is larger than any float."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The sensitivity (Phi) of one record as a function of the attributes that it discloses.

    `constant`: 1 whatever is disclosed. `additive`: the sum of the weights of what is disclosed, and of the pairs and larger
    sets in it (Phi1 to Phi4). `multiplicative`: e to the power of that sum (Phi5), hence 1 if nothing is disclosed. A set of
    attributes is a bit mask.

    Lebanon et al., appendix.
    """

    form: Form
    each: NDArray[np.float64]
    """One weight for each attribute, 0 or more; infinite: never disclosed where somebody may be identified."""
    pairs: NDArray[np.float64] | None = None
    """Weights of two attributes disclosed together, read where the row is below the column only."""
    further: tuple[tuple[int, float], ...] = ()
    """Weights of three attributes or more disclosed together, each with its set."""

    def phi(self, subset: int) -> float:
        """Return the sensitivity of disclosing a set of attributes."""
        if self.form == "constant":
            return 1.0
        total = self.total(subset)
        if self.form == "additive":
            return total
        return exp(total) if total <= LARGEST_EXPONENT else inf

    def phis(self) -> NDArray[np.float64]:
        """Return the sensitivity of disclosing each set of attributes, in the order of the sets as numbers."""
        sets = np.arange(1 << len(self.each))
        if self.form == "constant":
            return np.ones(len(sets))
        total = np.zeros(len(sets))
        single = [(1 << place, weight) for place, weight in enumerate(self.each.tolist())]
        upper = np.zeros((0, 0)) if self.pairs is None else np.triu(self.pairs, 1)
        pairs = [
            (1 << one | 1 << other, float(upper[one, other])) for one, other in np.argwhere(upper).tolist()
        ]
        for together, weight in (*single, *pairs, *self.further):
            total[sets & together == together] += weight
        with np.errstate(over="ignore"):
            return total if self.form == "additive" else np.exp(total)

    def total(self, subset: int) -> float:
        """Return the sum of the weights of a set of attributes and of the pairs and larger sets in it."""
        chosen = [place for place in range(len(self.each)) if subset >> place & 1]
        total = float(self.each[chosen].sum()) if chosen else 0.0
        if self.pairs is not None:
            total += float(np.triu(self.pairs, 1)[np.ix_(chosen, chosen)].sum())
        return total + sum(weight for together, weight in self.further if not together & ~subset)
