"""Exposures of the attack `items`: the worst of each kind, then minimal moles, put into words when they are looked at."""

from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.items.question import ItemsQuestion
from giveaway.attacks.items.reporting import sentences
from giveaway.attacks.items.reporting.worst_cases import WorstItemsets, combination, sizes
from giveaway.attacks.wording import listed, named
from giveaway.itemsets.ranked import below
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Exposure, Listed, Step
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.progress import tell
from giveaway.moles.search import Moles
from giveaway.moles.worst_breach import Combination

NEAREST = 5
"""How many combinations are listed when none is over the limit."""

HEAD = 1000
MANY = 100_000
"""Of more equal exposures than `MANY` only the first `HEAD` are put in order, until more are asked for."""


class MoleExposures(Listed):
    """The worst exposure of each kind, then one for each minimal mole and kind, or the nearest to the limit without any.

    The worst of a kind can be a combination that only adds items to a mole. Ordered by falling chance, then size, then
    item order; identity comes before attribute.
    """

    def __init__(self, question: ItemsQuestion, moles: Moles, worst: WorstItemsets) -> None:
        self._question = question
        self._moles = moles
        self._over = len(moles.harmful.item) > 0
        self._sets = moles.harmful if self._over else moles.free
        self._heads = self._worst_of_each_kind(worst)
        self._sorted: dict[int, int] = {}
        """How many entries of each group, those of one chance and size, are in order."""

    def _worst_of_each_kind(self, worst: WorstItemsets) -> list[tuple[Combination, int]]:
        """Return the combinations that have the worst chances, each with its kind, the worst first."""
        tolerance, heads = self._question.tolerance, []
        if tolerance.identity is not None and worst.rarest is not None:
            heads.append((worst.rarest, 0))
        if tolerance.attribute is not None and worst.telling is not None:
            heads.append((worst.telling, 1))
        elif tolerance.attribute is not None and worst.breach:
            # Nothing tells more than the share of a private item in all transactions, which every item tells.
            code = int(self._moles.ranked.codes.min())
            heads.append((Combination((code,), int(self._question.published.supports[code])), 1))
        return sorted(heads, key=lambda head: (-self._chance(*head), len(head[0].codes), *head[0].codes))

    def _chance(self, known: Combination, kind: int) -> Fraction:
        return Fraction(1, known.support) if kind == 0 else max(known.breach, self._question.baseline)

    @cached_property
    def _entries(self) -> tuple[Ints, NDArray[np.int8]]:
        """Which set each further exposure is about, and its kind: 0 identity, 1 attribute."""
        tolerance, sets = self._question.tolerance, self._sets
        single = np.zeros(len(sets.item), np.bool_)
        breach = np.zeros(len(sets.item), np.bool_)
        if tolerance.identity is not None:
            single = sets.support < self._question.crowd if self._over else ~single
        if tolerance.attribute is not None:
            numerator, denominator = below(self._question.limit, max(self._question.transactions, 1))
            breach = sets.holding * denominator > numerator * sets.support if self._over else sets.holding > 0
            if self._question.too_frequent:
                breach = ~np.zeros(len(sets.item), np.bool_)
        for known, kind in self._heads:
            (single, breach)[kind][self._places_of(known)] = False
        which = [np.flatnonzero(flags) for flags in (single, breach)]
        kinds = [np.full(len(places), kind, np.int8) for kind, places in enumerate(which)]
        return np.concatenate(which), np.concatenate(kinds)

    def _places_of(self, known: Combination) -> Ints:
        """Return where a combination is among the sets, if it is."""
        sets, first = self._sets, known.codes[0]
        near = np.flatnonzero((sets.support == known.support) & (self._sizes == len(known.codes)))
        near = near[self._moles.first_codes(sets.parent[near], sets.item[near]) == first]
        return np.array(
            [place for place in near.tolist() if combination(self._moles, sets, place).codes == known.codes],
            np.int64,
        )

    @cached_property
    def _sizes(self) -> Ints:
        return sizes(self._moles, self._sets)

    @cached_property
    def _order(self) -> tuple[Ints, Ints]:
        """The entries by falling chance and size, and where a new chance or size begins."""
        which, kinds = self._entries
        tell("ordering what is exposed", 0)
        support, count = self._sets.support[which], self._sets.holding[which]
        chance = np.where(kinds == 0, 1, count) / support
        if self._question.too_frequent:
            chance = np.where(kinds == 0, chance, np.maximum(chance, float(self._question.baseline)))
        # Few chances and sizes are different, and numpy sorts small integers in linear time.
        levels = np.unique(chance)
        size = self._sizes[which]
        span = int(size.max(initial=0)) + 1
        keys = (len(levels) - 1 - np.searchsorted(levels, chance)) * span + size
        keys = keys.astype(np.min_scalar_type(len(levels) * span))
        tell("ordering what is exposed", len(keys))
        order = np.argsort(keys, kind="stable")
        begins = np.flatnonzero(np.diff(keys[order])) + 1
        return order, np.concatenate([[0], begins, [len(order)]])

    def _entry(self, place: int) -> int:
        """Return the entry at a place of the whole order; entries of one chance and size are sorted on demand."""
        order, begins = self._order
        group = int(np.searchsorted(begins, place, side="right")) - 1
        begin, end = int(begins[group]), int(begins[group + 1])
        if place - begin >= self._sorted.get(group, 0):
            self._sorted[group] = self._sort(order[begin:end], place - begin < HEAD)
        return int(order[place])

    def _sort(self, entries: Ints, head: bool) -> int:
        """Sort entries of one chance and size by their items, or only the first of very many; return how many."""
        known = len(entries)
        if head and len(entries) > MANY:
            which, _ = self._parts(entries)
            first = self._moles.first_codes(self._sets.parent[which], self._sets.item[which])
            front = first <= np.partition(first, HEAD)[HEAD]
            entries[:] = np.concatenate([entries[front], entries[~front]])
            known = int(front.sum())
        which, kinds = self._parts(entries[:known])
        _, codes = self._moles.decoded(self._sets.parent[which], self._sets.item[which])
        keys = (kinds, *codes.reshape(len(which), -1).T[::-1])
        entries[:known] = entries[:known][np.lexsort(keys)]
        return known

    def _parts(self, entries: Ints) -> tuple[Ints, NDArray[np.int8]]:
        return self._entries[0][entries], self._entries[1][entries]

    def __len__(self) -> int:
        entries = len(self._heads) + len(self._entries[0])
        return entries if self._over else min(entries, NEAREST)

    @property
    def over(self) -> int:
        """How many exposures are over their limit."""
        if not self._over:
            return 0
        limits = self._question.tolerance.identity, self._question.tolerance.attribute
        worst = (self._chance(known, kind) > (limits[kind] or 0) for known, kind in self._heads)
        return sum(worst) + len(self._entries[0])

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        return self._exposure(*self._known(place))

    def _known(self, place: int) -> tuple[Combination, int]:
        """Return the combination that the exposure at a place is about, and its kind."""
        if place < len(self._heads):
            return self._heads[place]
        entry = self._entry(place - len(self._heads))
        return combination(self._moles, self._sets, int(self._entries[0][entry])), int(
            self._entries[1][entry]
        )

    def _exposure(self, known: Combination, kind: int) -> Exposure:
        question = self._question
        target = tuple(question.label(code) for code in known.codes)
        if kind == 1:
            return self._attribute(target, known)
        alone = [int(question.published.supports[code]) for code in known.codes]
        return Exposure(
            target=target,
            kind="identity",
            chance=Fraction(1, known.support),
            baseline=Fraction(1, question.transactions),
            because=sentences.identity(known.support, question.transactions, question.crowd, alone),
        )

    def _attribute(self, target: tuple[Label, ...], known: Combination) -> Exposure:
        question = self._question
        chance = known.breach
        if chance < question.baseline or (question.too_frequent and chance == question.baseline):
            value, holding = question.most_frequent
            chance = baseline = question.baseline
            because = sentences.everywhere(value, holding, question.transactions)
        else:
            value, baseline = question.label(int(question.private[known.secret])), self._share(known.secret)
            because = sentences.attribute(known.support, known.holding, len(target), value, baseline)
        return Exposure(
            target=target, kind="attribute", chance=chance, baseline=baseline, because=because, value=value
        )

    def _share(self, secret: int) -> Fraction:
        return Fraction(int(self._question.private_supports[secret]), self._question.transactions)

    def worked(self) -> tuple[Step, ...]:
        """Show step by step how the items of the worst exposure narrow the crowd."""
        if len(self) == 0:
            return ()
        known, kind = self._known(0)
        question = self._question
        if kind == 1 and known.secret < 0:
            value, count = question.most_frequent
            return (
                Step(label=f"all {nouns().transactions}", count=question.transactions),
                Step(label=f"of them with {named(value)}", count=count),
            )
        codes = sorted(known.codes, key=lambda code: (-int(question.published.supports[code]), code))
        steps = [Step(label=f"all {nouns().transactions}", count=question.transactions)]
        for many, count in enumerate(self._narrowing(known, codes), 1):
            words = listed([named(question.label(code)) for code in codes[:many]])
            steps.append(Step(label=f"with {words}", count=count))
        if kind == 1:
            secret = question.label(int(question.private[known.secret]))
            steps.append(Step(label=f"of them with {named(secret)}", count=known.holding))
        return tuple(steps)

    def _narrowing(self, known: Combination, codes: list[int]) -> list[int]:
        """Count the transactions that hold the first item of a set, the first two, and so on.

        Of one item and of the whole set that is known; rows are looked at only for what lies between.
        """
        ends = [int(self._question.published.supports[codes[0]]), known.support]
        if len(codes) <= len(ends):
            return ends[-len(codes) :]
        ranked = self._question.ranked
        begins, places = ranked.holders
        held = np.ones(len(ranked.weights), np.bool_)
        counts = []
        for code in codes:
            rank = ranked.rank_of[code]
            holds = np.zeros_like(held)
            holds[ranked.row_of[places[begins[rank] : begins[rank + 1]]]] = True
            held &= holds
            counts.append(int(ranked.weights[held].sum()))
        return counts
