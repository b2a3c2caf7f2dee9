"""The best rule with a number of values of each column (Delta3): one disclosure for each record, column sums given.

The linear relaxation is solved by column generation: its prices of columns tell each record which disclosure to offer
next, and give a bound that no rule can beat. The solution is rounded, completed and improved by exchanges; then all
disclosures that a better rule could still hold are put into one integer program, if they are few enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isnan, nan
from typing import NamedTuple

import numpy as np

from giveaway.attacks.directory.disclosure.best import Case
from giveaway.attacks.directory.disclosure.problem import Masks
from giveaway.model.data.arrays import Ints
from giveaway.papers.directory.per_column.exchanges import DisclosureRule
from giveaway.papers.directory.per_column.options import options_of
from giveaway.papers.directory.per_column.programs import (
    DisclosureOffers,
    Priced,
    WantedDisclosures,
    ask,
    completed,
    priced,
    whole,
)

_ROUNDING = 1e-9
_MOST_LOTS = 2000
"""The most different records for a program over all of them."""
_SAMPLE = 500
_HUGE = 1e100
"""What stands for an infinite loss while a rule is looked for that has as few of them as possible."""


@dataclass(frozen=True, eq=False)
class PerColumn:
    """A rule: what each record discloses."""

    masks: Masks
    loss: float
    """The sum of the losses."""
    bound: float
    """No rule loses less."""

    @property
    def gap(self) -> float:
        """The part of the loss that a better rule might save; 0 when there is no better rule."""
        if self.loss == self.bound:
            return 0.0
        return 1.0 if self.loss == inf else (self.loss - self.bound) / self.loss


def per_column(cases: Sequence[Case], counts: Ints) -> PerColumn | None:
    """Return the best rule found in which `counts[j]` records disclose column j, None when none was found.

    A record gets an infinite loss only when no other rule was found. A case that stands for several records is best
    given as one object several times.
    """
    wanted = np.asarray(counts, np.int64)
    if not cases:
        return None if wanted.any() else PerColumn(np.zeros(0, np.uint64), 0.0, 0.0)
    rule, bound = _finite(_CaseLots.of(cases, wanted, infinite=nan))
    return rule or _infinite(_CaseLots.of(cases, wanted, infinite=_HUGE), bound)


class _CaseLots(NamedTuple):
    """What is wanted of lots of records of the same case, and the lot of each record."""

    wanted: WantedDisclosures
    counts: Ints
    of_record: Ints

    @classmethod
    def of(cls, cases: Sequence[Case], counts: Ints, *, infinite: float) -> "_CaseLots":
        numbers: dict[int, int] = {}
        lot = np.array([numbers.setdefault(id(case), len(numbers)) for case in cases], np.int64)
        first = np.unique(lot, return_index=True)[1]
        options = options_of([cases[record].posed() for record in first], infinite=infinite)
        many = np.bincount(lot, minlength=len(options))
        return cls(WantedDisclosures(options, many, counts.astype(np.float64)), counts, lot)

    def rule(self, sets: Sequence[Sequence[int]]) -> DisclosureRule:
        """Deal the sets of each lot to its records."""
        hands = [iter(hand) for hand in sets]
        options = [self.wanted.options[lot] for lot in self.of_record]
        return DisclosureRule(options, len(self.counts), [next(hands[lot]) for lot in self.of_record])


def _finite(lots: _CaseLots) -> tuple[PerColumn | None, float]:
    """Return the best rule found without infinite losses, and a bound on all rules: infinite if there is none."""
    wanted, start = lots.wanted, _start(lots)
    if start is not None:
        if start.loss == 0.0:
            return PerColumn(start.masks(), 0.0, 0.0), 0.0
        for one in wanted.options:
            one.limit = start.loss
    if start is not None and len(wanted.options) > _MOST_LOTS:
        return _best(lots, _sampled(wanted), start)
    offers = _first_offers(wanted, [] if start is None else start.sets, lots.of_record)
    if offers is not None and start is None:
        offers = completed(wanted, offers)
    if offers is None:
        return None, inf if wanted.exact else 0.0
    unit = float(offers.costs.mean()) if start is None else start.loss / len(lots.of_record)
    return _best(lots, priced(wanted, offers, unit or 1.0), start)


def _sampled(wanted: WantedDisclosures) -> Priced:
    """Price columns in some of very many lots: any prices give a bound, and a disclosure for every lot."""
    some = np.arange(0, len(wanted.options), -(-len(wanted.options) // _SAMPLE))
    many = wanted.many[some]
    part = WantedDisclosures(
        [wanted.options[lot] for lot in some.tolist()], many, wanted.counts * (many.sum() / wanted.many.sum())
    )
    offers = _first_offers(part, [], np.zeros(0, np.int64))
    offers = None if offers is None else completed(part, offers)
    prices = np.zeros(len(wanted.counts))
    if offers is not None:
        prices = priced(part, offers, float(offers.costs.mean()) or 1.0).prices
    asked, values = ask(wanted, prices, losing=True)
    bound = max(0.0, float(wanted.many @ values + prices @ wanted.counts)) if wanted.exact else 0.0
    return Priced(prices, values, bound, asked, wanted.many.astype(np.float64))


def _infinite(lots: _CaseLots, bound: float) -> PerColumn | None:
    """Return a rule with few infinite losses."""
    rule = _start(lots)
    if rule is None:
        return None
    loss = rule.loss if rule.loss < _HUGE else inf
    return PerColumn(rule.masks(), loss, min(loss, bound))


def _start(lots: _CaseLots) -> DisclosureRule | None:
    """Begin with as little as possible, add the cheapest cells until the columns are served, and exchange."""
    sets = []
    for one, many in zip(lots.wanted.options, lots.wanted.many.tolist(), strict=True):
        least = 0
        if isnan(one.losses([0])[0]):
            least = one.cheapest(np.zeros(len(lots.counts)), losing=True)[0]
        if least < 0:
            return None
        sets.append([least] * many)
    return _served(lots.rule(sets), lots.counts)


def _served(rule: DisclosureRule, counts: Ints) -> DisclosureRule | None:
    if not rule.repair(counts):
        return None
    rule.improve()
    return rule


def _first_offers(
    wanted: WantedDisclosures, started: Sequence[int], of_record: Ints
) -> DisclosureOffers | None:
    """Offer the best disclosures of each size and those of a start; None when a lot has none."""
    chosen = [set(one.best_sets()) for one in wanted.options]
    for mine, lot in zip(started, of_record[: len(started)].tolist(), strict=True):
        chosen[lot].add(mine)
    lots, sets, costs = [], [], []
    for lot, (one, offered) in enumerate(zip(wanted.options, map(sorted, chosen), strict=True)):
        losses = one.losses(offered)
        if np.isnan(losses).all():
            return None
        allowed = np.flatnonzero(~np.isnan(losses)).tolist()
        lots += [lot] * len(allowed)
        sets += [offered[at] for at in allowed]
        costs += losses[allowed].tolist()
    return DisclosureOffers(np.array(lots, np.int64), np.array(sets, np.uint64), np.array(costs))


def _best(lots: _CaseLots, relaxed: Priced, start: DisclosureRule | None) -> tuple[PerColumn | None, float]:
    """Return the best of the start, the relaxation rounded, and the integer program."""
    rules = [rule for rule in (start, _rounded(lots, relaxed)) if rule is not None]
    loss = min((rule.loss for rule in rules), default=inf)
    bound, proved = relaxed.bound, False
    if loss > bound * (1 + _ROUNDING) and len(lots.wanted.options) <= _MOST_LOTS:
        chosen = whole(lots.wanted, relaxed, loss)
        bound, proved = chosen.bound, chosen.proved
        if chosen.sets is not None:
            rules.append(lots.rule(chosen.sets))
            rules[-1].improve()
    if not rules:
        return None, inf if proved else bound
    best = min(rules, key=lambda rule: rule.loss)
    proved |= best.loss <= bound * (1 + _ROUNDING)
    return PerColumn(best.masks(), best.loss, best.loss if proved else bound), bound


def _rounded(lots: _CaseLots, relaxed: Priced) -> DisclosureRule | None:
    """Take each offer as often as the relaxation does in whole, and what is left where the largest parts are."""
    if not len(relaxed.taken):
        return None
    times = np.floor(relaxed.taken + _ROUNDING).astype(np.int64)
    parts = relaxed.taken - times
    for lot, many in enumerate(lots.wanted.many.tolist()):
        here = np.flatnonzero(relaxed.offers.lot == lot)
        missing = many - int(times[here].sum())
        times[here[np.argsort(-parts[here], kind="stable")[: max(missing, 0)]]] += 1
    return _served(lots.rule(relaxed.offers.dealt(times, len(lots.wanted.many))), lots.counts)
