"""The best thing to disclose by its definition, set by set and rule by rule: slow, and simple enough to be believed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import exp, inf, isnan, nan

import numpy as np
from hypothesis import strategies as st

from giveaway.attacks.directory.candidates.signatures import Signature
from giveaway.attacks.directory.disclosure.best import Case
from giveaway.attacks.directory.disclosure.weights import Form, Weights

Person = frozenset[int]
"""The masks of somebody's entries: which attributes agree with the record."""


@dataclass(frozen=True, kw_only=True)
class Record:
    """One record: who is in which directory, what hurts, and what may be disclosed; nobody counts as one person."""

    attributes: int
    directories: tuple[tuple[Person, ...], ...]
    prior: tuple[Fraction, ...] | None
    form: Form
    each: tuple[float, ...]
    pairs: dict[tuple[int, int], float] | None
    available: int
    always: int = 0
    crowd: int = 0
    limit: Fraction | None = None
    """With a prior: the most that the chance may be, instead of 1 / crowd."""
    mixture: tuple[Fraction, ...] | None = None
    """Without a prior: the loss is the sum over these parts of the directories."""
    somebody: bool = False
    further: tuple[tuple[int, float], ...] = ()
    """Weights of three attributes or more together."""

    def people(self, directory: int, subset: int) -> int:
        return sum(any(mask & subset == subset for mask in person) for person in self.directories[directory])

    def chances(self, subset: int) -> list[Fraction]:
        found = [self.people(place, subset) for place in range(len(self.directories))]
        return [Fraction(1, max(many, 1)) for many in found]

    def chance(self, subset: int) -> Fraction:
        chances = self.chances(subset)
        if self.prior is None:
            return max(chances)
        return sum((part * one for part, one in zip(self.prior, chances, strict=True)), Fraction(0))

    def phi(self, subset: int) -> float:
        shown = [place for place in range(self.attributes) if subset >> place & 1]
        total = sum(self.each[place] for place in shown)
        total += (
            sum(self.pairs.get((j, h), 0.0) for j in shown for h in shown if j < h) if self.pairs else 0.0
        )
        total += sum(weight for together, weight in self.further if together & subset == together)
        if self.form == "constant":
            return 1.0
        if self.form == "additive":
            return total
        return exp(total) if total < 700 else inf

    def loss(self, subset: int, directory: int | None = None) -> float:
        chances = self.chances(subset)
        chance = self.chance(subset) if directory is None else chances[directory]
        if directory is None and self.mixture is not None and self.prior is None:
            chance = sum((part * one for part, one in zip(self.mixture, chances, strict=True)), Fraction(0))
        return self.phi(subset) * float(chance)

    def allowed(self, subset: int) -> bool:
        must = self.always & self.available
        limit = Fraction(1, max(self.crowd, 1))
        if self.limit is not None and self.prior is not None:
            limit = self.limit
        found = [self.people(place, subset) for place in range(len(self.directories))]
        if self.prior is not None:
            found = [many for many, part in zip(found, self.prior, strict=True) if part]
        return (
            subset & ~self.available == 0
            and subset & must == must
            and (self.crowd == 0 or self.chance(subset) <= limit)
            and (not self.somebody or any(found))
        )

    def disclosures(self) -> Iterator[int]:
        return (subset for subset in range(1 << self.attributes) if self.allowed(subset))

    def curve(self) -> list[float]:
        """Return the least loss for each number of values."""
        found = [nan] * (self.attributes + 1)
        for subset in self.disclosures():
            size, loss = subset.bit_count(), self.loss(subset)
            if isnan(found[size]) or loss < found[size]:
                found[size] = loss
        return found

    def case(self) -> Case:
        pairs = None
        if self.pairs is not None:
            pairs = np.zeros((self.attributes, self.attributes))
            for place, weight in self.pairs.items():
                pairs[place] = weight
                pairs[place[::-1]] = 99.0  # below the diagonal, where it must not be read
        return Case(
            signatures=tuple(map(self._signature, range(len(self.directories)))),
            prior=self.prior,
            weights=Weights(self.form, np.array(self.each), pairs, self.further),
            available=self.available,
            always=self.always,
            crowd=self.crowd,
            limit=self.limit,
            mixture=self.mixture,
            somebody=self.somebody,
        )

    def _signature(self, directory: int) -> Signature:
        """Return the signed counts whose sums over the masks that contain a set are its numbers of people."""
        every = range(1 << self.attributes)
        signed = dict.fromkeys(every, 0)
        for mask in sorted(every, key=int.bit_count, reverse=True):
            larger = sum(many for other, many in signed.items() if other & mask == mask and other != mask)
            signed[mask] = self.people(directory, mask) - larger
        kept = [mask for mask in every if signed[mask]]
        return Signature(np.array(kept, np.uint64), np.array([signed[mask] for mask in kept], np.int64))


def loss_if_independent(alone: np.ndarray, people: int, mask: int, weights: Weights) -> float:
    """Return the loss if attributes were independent, as a plain product of the shares of people consistent."""
    share = 1.0
    for place in range(len(alone)):
        if mask >> place & 1:
            share *= alone[place] / people
    return weights.phi(mask) / (people * share) if share else 0.0


def best_total(curves: Sequence[Sequence[float]], k: int) -> float:
    """Return the least sum of losses with `k` values in all, nan when there is no such rule (Delta1)."""
    found = nan
    for sizes in product(*(range(len(curve)) for curve in curves)):
        loss = sum(curve[size] for curve, size in zip(curves, sizes, strict=True))
        if sum(sizes) == k and not isnan(loss) and not loss >= found:
            found = loss
    return found


def most_values(curves: Sequence[Sequence[float]], budget: float) -> int | None:
    """Return the most values that may be disclosed with a sum of losses within a budget."""
    return max(
        (
            sum(sizes)
            for sizes in product(*(range(len(curve)) for curve in curves))
            if sum(curve[size] for curve, size in zip(curves, sizes, strict=True)) <= budget
        ),
        default=None,
    )


def best_per_column(records: Sequence[Record], counts: Sequence[int]) -> float:
    """Return the least sum of losses with so many values of each column, nan when there is no such rule (Delta3)."""
    found = nan
    for rule in product(*(list(record.disclosures()) for record in records)):
        if all(sum(mask >> j & 1 for mask in rule) == many for j, many in enumerate(counts)):
            loss = sum(record.loss(mask) for record, mask in zip(records, rule, strict=True))
            if not loss >= found:
                found = loss
    return found


def best_worst_case(records: Sequence[Record], sizes: Sequence[int]) -> float:
    """Return the least risk in the worst directory, nan when there is no rule with so many values of each record."""
    choices = [
        [mask for mask in record.disclosures() if mask.bit_count() == size]
        for record, size in zip(records, sizes, strict=True)
    ]
    found = nan
    for rule in product(*choices):
        risk = worst_risk(records, rule)
        if not risk >= found:
            found = risk
    return found


def worst_risk(records: Sequence[Record], rule: Sequence[int]) -> float:
    return max(
        sum(record.loss(mask, place) for record, mask in zip(records, rule, strict=True)) / len(records)
        for place in range(len(records[0].directories))
    )


WEIGHTS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, inf])


@st.composite
def records(
    draw: st.DrawFn,
    *,
    attributes: int | None = None,
    most: int = 4,
    directories: int | None = None,
    prior: bool | None = None,
    crowds: Sequence[int] = (0, 0, 2, 3),
) -> Record:
    """Draw one record with a few people, some of them with several entries."""
    m = draw(st.integers(1, most)) if attributes is None else attributes
    crowd = draw(st.sampled_from(crowds))
    every = st.integers(0, (1 << m) - 1)
    person = st.frozensets(every, min_size=1, max_size=2)
    many = draw(st.integers(1, 3)) if directories is None else directories
    bayes = draw(st.booleans()) if prior is None else prior
    parts = draw(st.lists(st.integers(0, 4), min_size=many, max_size=many))
    pair = st.dictionaries(
        st.tuples(st.integers(0, m - 1), st.integers(0, m - 1)).filter(lambda two: two[0] < two[1]),
        WEIGHTS,
        max_size=3,
    )
    return Record(
        attributes=m,
        directories=tuple(
            tuple(draw(st.lists(person, max_size=6)))
            + ((frozenset({(1 << m) - 1}),) if draw(st.booleans()) else ())
            for _ in range(many)
        ),
        prior=tuple(Fraction(part, sum(parts)) for part in parts) if bayes and sum(parts) else None,
        form=draw(st.sampled_from(["constant", "additive", "multiplicative"])),
        each=tuple(draw(st.lists(WEIGHTS, min_size=m, max_size=m))),
        pairs=draw(st.none() | pair) if m > 1 else None,
        available=draw(every | st.just((1 << m) - 1)),
        always=draw(st.just(0) | every),
        crowd=crowd,
        limit=draw(st.sampled_from([None, Fraction(2, 2 * crowd - 1)])) if crowd > 1 else None,
        further=tuple(
            draw(st.lists(st.tuples(every.filter(lambda mask: mask.bit_count() > 2), WEIGHTS), max_size=2))
        )
        if m > 2
        else (),
    )
