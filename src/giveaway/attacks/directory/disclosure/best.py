"""The best thing to disclose: which attributes of a record, so that its loss is least for each number of them.

The loss is the sensitivity of what is disclosed over the number of consistent people, counted, not estimated. Nobody
consistent counts as one person: a release is safe only if it is so with the record in the directory. Up to twenty
attributes all sets are looked at; above, a beam finds good sets and a branch and bound proves the best where it can.

Lebanon et al., section 3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.signatures import Signature
from giveaway.attacks.directory.disclosure.per_record.all_subsets import MOST, best_by_size
from giveaway.attacks.directory.disclosure.per_record.search import search
from giveaway.attacks.directory.disclosure.problem import (
    ChanceTerms,
    Floats,
    Masks,
    Posed,
    costs_of,
    places_of,
)
from giveaway.attacks.directory.disclosure.weights import Weights
from giveaway.model.progress import tell

WIDTH = 64
"""The number of sets that the beam keeps."""
NODES = 4000
"""The most sets that a proof may look into, for each size."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """One record and the directories in which it may be looked up."""

    signatures: tuple[Signature, ...]
    prior: Sequence[Fraction] | None
    """Bayes: the chance is the sum of `prior` over people. None: the largest chance of all directories."""
    mixture: Sequence[Fraction] | None = None
    """Without a prior: the chance is the sum over these parts of the directories, while all must leave a crowd."""
    weights: Weights
    available: int
    """The attributes that have a value, as a bit mask."""
    always: int = 0
    """The attributes that are disclosed in any case, as far as they have a value."""
    crowd: int = 0
    """The least number of consistent people in every directory."""
    limit: Fraction | None = None
    """With a prior, instead: the most that the sum of chances may be; 1 / crowd when left out."""
    somebody: bool = False
    """Somebody must be consistent in some directory, so that nobody is counted as one in all of them."""
    own: int = 1
    """Where counts are sums of how likely people are: how likely the record's person is. Then there is one directory."""
    wrong: Fraction = Fraction(0)
    """The part of the sensitivity that is lost to who is wrong."""

    def posed(self) -> Posed:
        """Return the case as the searches see it."""
        directories: Sequence[int] = range(len(self.signatures))
        prior = self.prior or self.mixture or [Fraction(1)] * len(directories)
        if self.prior is not None:
            directories = [directory for directory in directories if self.prior[directory]]
            prior = [self.prior[directory] for directory in directories]
        shown = places_of(self.always & self.available)
        free = places_of(self.available & ~self.always)
        limit = Fraction(1, max(self.crowd, 1)) if self.limit is None else self.limit
        return Posed(
            masks=tuple(self.signatures[directory].masks for directory in directories),
            counts=tuple(self.signatures[directory].counts for directory in directories),
            prior=tuple(part * self.own for part in prior),
            limit=limit,
            shown=self.always & self.available,
            places=np.array(free, np.uint64),
            costs=costs_of(self.weights, shown, free),
            terms=ChanceTerms(
                prior=np.array([float(part * self.own) for part in prior]),
                worst=self.prior is None and self.mixture is None,
                apart=self.prior is None,
                crowd=self.crowd,
                limit=float(limit),
                somebody=self.somebody,
                multiplicative=self.weights.form == "multiplicative",
                wrong=float(self.wrong),
            ),
        )


@dataclass(frozen=True, eq=False)
class Best:
    """The best disclosures, for each number of values from 0 to all attributes; of several records: a line for each."""

    losses: Floats
    """The least loss; nan where no disclosure of that size was found."""
    masks: Masks
    """What to disclose."""
    proved: NDArray[np.bool_]
    """No disclosure of that size has a smaller loss; where `losses` is nan, none is allowed."""


def best(case: Case, *, sizes: range | None = None, width: int = WIDTH, nodes: int = NODES) -> Best:
    """Return the best disclosure for each number of values.

    With many attributes only `sizes` are proved, each within `nodes` sets, and sizes above them are not looked for.
    """
    posed, attributes = case.posed(), len(case.weights.each)
    if posed.open <= MOST:
        rules = best_by_size(posed)
    else:
        wanted = [size for size in range(posed.open + 1) if sizes is None or size + posed.forced in sizes]
        rules = search(posed, wanted, width=width, nodes=nodes)
    every = Best(
        np.full(attributes + 1, np.nan),
        np.zeros(attributes + 1, np.uint64),
        np.ones(attributes + 1, np.bool_),
    )
    here = slice(posed.forced, posed.forced + posed.open + 1)
    every.losses[here], every.proved[here] = rules.losses, rules.proved
    every.masks[here] = np.where(np.isnan(rules.losses), np.uint64(0), posed.spread(rules.sets))
    return every


def best_of_each(
    cases: Iterable[Case],
    records: int,
    *,
    attributes: int,
    sizes: range | None = None,
    width: int = WIDTH,
    nodes: int = NODES,
) -> Best:
    """Return the best disclosures of many records, one line for each."""
    every = Best(
        np.full((records, attributes + 1), np.nan),
        np.zeros((records, attributes + 1), np.uint64),
        np.zeros((records, attributes + 1), np.bool_),
    )
    for record, case in enumerate(cases):
        tell("choosing what to disclose", record, records)
        one = best(case, sizes=sizes, width=width, nodes=nodes)
        every.losses[record], every.masks[record], every.proved[record] = one.losses, one.masks, one.proved
    return every
