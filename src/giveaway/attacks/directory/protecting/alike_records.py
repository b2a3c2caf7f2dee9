"""Records that are equal in what could be disclosed of them: lots, each decided once."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.candidates.count import WIDEST
from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.disclosure.best import Best, Case, best_of_each
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Codes, Ints, alike

Masks = NDArray[np.uint64]
"""Sets of attributes as bit masks: attribute j is bit j."""

_THOROUGH = {"width": 64, "nodes": 4000}
_CARE = ((50, _THOROUGH), (2000, {"width": 8, "nodes": 200}), (math.inf, {"width": 8, "nodes": 0}))
"""How hard to search among more columns than can all be tried, for at most this many lots."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Lots:
    """Lots of records with the same values to disclose, the same weights and the same entries that must stay.

    They are in the order of their labels, so that nothing depends on the order of rows.
    """

    question: DirectoryQuestion
    values: Codes
    """What could be disclosed as it is: -1 where there is no value, or it is withheld already, wholly or in part."""
    classes: Ints
    always: Masks
    """What must be disclosed."""
    lot_of: Ints
    """The lot of each row."""
    thorough: bool = False
    """Whether to search on for proofs."""
    mixture: tuple[Fraction, ...] | None = None
    """Instead of the worst of several directories: the loss is the sum over these parts of them."""

    @property
    def width(self) -> int:
        """The number of attributes."""
        return int(self.values.shape[1])

    @cached_property
    def available(self) -> Masks:
        """What could be disclosed."""
        return masked(self.values != HIDDEN)

    @cached_property
    def order(self) -> Ints:
        """The rows lot by lot."""
        return np.argsort(self.lot_of, kind="stable")

    @cached_property
    def first(self) -> Ints:
        """The first row of each lot."""
        first: Ints = np.unique(self.lot_of, return_index=True)[1]
        return first

    @cached_property
    def count(self) -> Ints:
        """The number of records in each lot."""
        return np.bincount(self.lot_of, minlength=len(self.values))

    @cached_property
    def prized(self) -> Masks:
        """The attributes with an infinite weight."""
        lines = [
            sum(1 << place for place, weight in enumerate(each) if weight == np.inf)
            for each, _ in self.question.weighing.lines
        ]
        return np.array(lines, np.uint64)[self.classes]

    @property
    def adds_up(self) -> bool:
        """Whether the sum of the losses is part of the risk: the worst of several directories differs by record."""
        question = self.question
        one = len(question.lookup.matchings) == 1 or bool(question.attacker.prior)
        return one or self.mixture is not None

    @property
    def mixtures(self) -> "tuple[Lots, ...]":
        """The lots against each directory alone and against all in equal parts, where the worst one counts.

        No choice is better in its worst directory than the best choice is against any of these.
        """
        many = len(self.question.lookup.matchings)
        if self.adds_up:
            return ()
        alone = [tuple(Fraction(place == one) for place in range(many)) for one in range(many)]
        return tuple(replace(self, mixture=parts) for parts in (*alone, (Fraction(1, many),) * many))

    def best(
        self,
        limit: Fraction | None,
        *,
        chosen: Ints | None = None,
        sizes: range | None = None,
        somebody: bool = False,
    ) -> Best:
        """Return the best disclosures of lots within a limit of identity, for each number of values.

        A record that nobody agrees with counts as if it were listed, because a release is safe only if it is then; with
        `somebody` it must not be one.
        """
        places = np.arange(len(self.values)) if chosen is None else chosen
        care = _THOROUGH if self.thorough else next(care for most, care in _CARE if len(places) <= most)
        cases = self.cases(places, limit, somebody=somebody)
        return best_of_each(cases, len(places), attributes=self.width, sizes=sizes, **care)

    def cases(self, places: Ints, limit: Fraction | None, *, somebody: bool = False) -> Iterator[Case]:
        """Give lots one by one as the searches take them."""
        question = self.question
        own = np.ones(len(self.classes), np.int64) if question.own is None else question.own[self.classes, 0]
        matchings = question.lookup.matchings if question.own is None else question.lookup.likely
        weights = [question.weighing.weights(line) for line in range(len(question.weighing.lines))]
        compared = [matching.signatures(self.values[places]) for matching in matchings]
        for place, signatures in zip(places.tolist(), zip(*compared, strict=True), strict=True):
            yield Case(
                signatures=signatures,
                prior=question.attacker.prior or None,
                mixture=self.mixture,
                weights=weights[int(self.classes[place])],
                available=int(self.available[place]),
                always=int(self.always[place]),
                crowd=0 if limit is None else math.ceil(int(own[place]) / limit),
                limit=limit,
                own=int(own[place]),
                somebody=somebody,
                wrong=question.weighing.wrong,
            )

    def holding(self, masks: Masks) -> "Lots":
        """Return the lots split by what rows disclose, which must stay disclosed."""
        lot_of, row = _numbered_pairs(self.lot_of, masks)
        old = self.lot_of[row]
        return replace(
            self,
            values=self.values[old],
            classes=self.classes[old],
            always=self.always[old] | masks[row],
            lot_of=lot_of,
        )


def lots(question: DirectoryQuestion, need: NeedsColumns | None, *, thorough: bool = False) -> Lots:
    """Put the records into lots; entries without a value, and what is withheld already, cannot be disclosed."""
    width = len(question.attributes)
    if width > WIDEST:
        raise ScenarioError(
            f"{width} columns are compared or have a weight, more than the {WIDEST} that can be protected together.",
            hint='name only the columns that matter, as in columns = ["age", "sex"].',
        )
    groups, table = question.groups, question.original
    marks = np.zeros(question.records, np.uint64)
    for place, name in enumerate(question.attributes):
        marks[question.release.must_publish.positions(name)] |= np.uint64(1 << place)
    for name in need.always if need is not None else ():
        if table.checked(name) in question.attributes:
            marks |= np.uint64(1 << question.attributes.index(name))
    lot_of, row = _numbered_pairs(groups.group_of, marks)
    group = groups.group_of[row]
    values = np.where(groups.levels[group] == 0, groups.values[group], HIDDEN).astype(np.int32)
    return Lots(
        question=question,
        values=values,
        classes=groups.classes[group],
        always=marks[row] & masked(values != HIDDEN),
        lot_of=lot_of,
        thorough=thorough,
    )


def masked(chosen: NDArray[np.bool_]) -> Masks:
    """Write what is chosen in each row as a bit mask."""
    bits = np.arange(chosen.shape[1], dtype=np.uint64)
    masks: Masks = (chosen.astype(np.uint64) << bits).sum(axis=1, dtype=np.uint64)
    return masks


def spread(masks: Masks, width: int) -> NDArray[np.bool_]:
    """Read bit masks as what is chosen in each row."""
    bits = np.arange(width, dtype=np.uint64)
    return ((masks[:, None] >> bits) & np.uint64(1)).astype(np.bool_)


def _numbered_pairs(groups: Ints, masks: Masks) -> tuple[Ints, Ints]:
    """Number the different pairs of a group and a mask; return a row of each too."""
    numbers = np.unique(masks, return_inverse=True)[1].reshape(-1)
    return alike([groups, numbers])
