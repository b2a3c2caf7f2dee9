"""Linear and integer programs that choose disclosures for lots of records with a number of values of each column.

The records of a lot are equal: they have the same disclosures, of which the programs take as many as there are records.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from giveaway.attacks.directory.disclosure.problem import Floats, Masks
from giveaway.errors import BudgetExceeded
from giveaway.linear_programs import INFEASIBLE, OPTIMAL, linear
from giveaway.linear_programs import whole as solved_whole
from giveaway.model.data.arrays import Ints
from giveaway.papers.directory.per_column.options import RecordOptions

_ROUNDS = 500
_ROUNDING = 1e-9
_MISSING = 1e-6
"""What may be missing of the values asked for, since the solver computes with rounded numbers."""
_MOST_OFFERS = 20_000
_NODES = 500
_SECONDS = 30.0
"""A safety stop; the number of nodes ends a search first, so that runs repeat."""


class WantedDisclosures(NamedTuple):
    """The disclosures of each lot, how many records it has, and how many records disclose each column."""

    options: Sequence[RecordOptions]
    many: Ints
    counts: Floats

    @property
    def exact(self) -> bool:
        """Whether all disclosures are looked at."""
        return all(one.exact for one in self.options)


class DisclosureOffers(NamedTuple):
    """Disclosures that may be taken: of which lot, which set of its open attributes, and what it costs."""

    lot: Ints
    sets: Masks
    costs: Floats

    def only(self, chosen: Any) -> "DisclosureOffers":
        """Return some of these."""
        return DisclosureOffers(self.lot[chosen], self.sets[chosen], self.costs[chosen])

    def and_more(self, more: "DisclosureOffers") -> "DisclosureOffers":
        """Return these and those that are not among them."""
        known = set(zip(self.lot.tolist(), self.sets.tolist(), strict=True))
        pairs = zip(more.lot.tolist(), more.sets.tolist(), strict=True)
        new = more.only(np.array([pair not in known for pair in pairs], np.bool_))
        return DisclosureOffers(
            np.concatenate([self.lot, new.lot]),
            np.concatenate([self.sets, new.sets]),
            np.concatenate([self.costs, new.costs]),
        )

    def dealt(self, times: Ints, lots: int) -> list[list[int]]:
        """Return for each lot the sets that are taken, each as often as it is."""
        sets_of: list[list[int]] = [[] for _ in range(lots)]
        for at in np.flatnonzero(times):
            sets_of[self.lot[at]] += [int(self.sets[at])] * int(times[at])
        return sets_of


class Priced(NamedTuple):
    """The relaxation solved: prices of columns, what a record of each lot costs at them, and a bound on all rules."""

    prices: Floats
    values: Floats
    bound: float
    offers: DisclosureOffers
    taken: Floats
    """How many times each offer is taken; empty when the solver failed."""


def completed(wanted: WantedDisclosures, offers: DisclosureOffers) -> DisclosureOffers | None:
    """Ask for more until the offers serve all lots and columns, in parts if need be; None when they never do."""
    lots = len(wanted.options)
    for _ in range(_ROUNDS):
        solved = _relaxed("looking for a rule", wanted, offers, np.zeros(len(offers.sets)), spare=True)
        if solved.status != OPTIMAL:
            break
        if solved.fun <= _MISSING:
            return offers
        rows, prices = solved.eqlin.marginals[:lots], solved.eqlin.marginals[lots:]
        asked, values = ask(wanted, prices, losing=False)
        grown = offers.and_more(asked.only(values < rows - _ROUNDING))
        if len(grown.sets) == len(offers.sets):
            return None
        offers = grown
    raise BudgetExceeded(
        "No rule that discloses these numbers of values of each column was found.",
        hint="ask for other numbers of values.",
    )


def priced(wanted: WantedDisclosures, offers: DisclosureOffers, unit: float) -> Priced:
    """Solve the linear relaxation, asking each lot for the disclosure that is cheapest at the prices of columns.

    The offers must serve all lots and columns, in parts if need be. Losses are computed in units of `unit`.
    """
    lots = len(wanted.options)
    best = Priced(np.zeros(len(wanted.counts)), np.zeros(lots), 0.0, offers, np.zeros(0))
    for _ in range(_ROUNDS):
        solved = _relaxed("pricing columns", wanted, offers, offers.costs / unit, spare=False)
        if solved.status != OPTIMAL:
            break
        rows, prices = solved.eqlin.marginals[:lots], solved.eqlin.marginals[lots:] * unit
        asked, values = ask(wanted, prices, losing=True)
        bound = float(wanted.many @ values + prices @ wanted.counts)
        if bound > best.bound:
            best = best._replace(prices=prices, values=values, bound=bound)
        best = best._replace(offers=offers, taken=solved.x)
        grown = offers.and_more(asked.only(values < (rows - _ROUNDING) * unit))
        if len(grown.sets) == len(offers.sets) or bound >= solved.fun * unit * (1 - _ROUNDING):
            break
        offers = grown
    return best if wanted.exact else best._replace(bound=0.0)


def ask(wanted: WantedDisclosures, prices: Floats, *, losing: bool) -> tuple[DisclosureOffers, Floats]:
    """Return the cheapest disclosure of each lot, and what it costs less its prices."""
    cheapest = [one.cheapest(prices, losing=losing) for one in wanted.options]
    losses = [one.losses([chosen])[0] for one, (chosen, _) in zip(wanted.options, cheapest, strict=True)]
    sets = np.array([chosen for chosen, _ in cheapest], np.uint64)
    return DisclosureOffers(np.arange(len(cheapest)), sets, np.array(losses)), np.array(
        [value for _, value in cheapest]
    )


def _relaxed(
    stage: str, wanted: WantedDisclosures, offers: DisclosureOffers, costs: Floats, *, spare: bool
) -> Any:
    """Take the offers, in parts if need be, that serve all lots and columns at the least cost.

    With `spare`, values too few or too many cost 1 each.
    """
    from scipy.sparse import csr_array, hstack, vstack

    matrix, served = _matrix(wanted, offers), np.concatenate([wanted.many, wanted.counts])
    if spare:
        same = csr_array(np.eye(len(wanted.counts)))
        extra = vstack([csr_array((len(wanted.options), 2 * len(wanted.counts))), hstack([same, -same])])
        matrix = hstack([matrix, extra])
        costs = np.concatenate([costs, np.ones(2 * len(wanted.counts))])
    return linear(stage, costs, A_eq=matrix, b_eq=served, method="highs-ds")


def _matrix(wanted: WantedDisclosures, offers: DisclosureOffers) -> Any:
    """Return one row for each lot and each column, and a column for each offer."""
    from scipy.sparse import csr_array

    masks = np.empty(len(offers.sets), np.uint64)
    order = np.argsort(offers.lot, kind="stable")
    ends = np.searchsorted(offers.lot[order], np.arange(len(wanted.options) + 1))
    for lot, one in enumerate(wanted.options):
        here = order[ends[lot] : ends[lot + 1]]
        masks[here] = one.posed.spread(offers.sets[here])
    bits = (masks[:, None] >> np.arange(len(wanted.counts), dtype=np.uint64)) & np.uint64(1)
    offer, column = np.nonzero(bits)
    rows = np.concatenate([offers.lot, len(wanted.options) + column])
    places = np.concatenate([np.arange(len(masks)), offer])
    shape = len(wanted.options) + len(wanted.counts), len(masks)
    return csr_array((np.ones(len(rows)), (rows, places)), shape=shape)


class WholeSolution(NamedTuple):
    """The integer program solved: the sets of each lot (None: none found), a bound, whether they are the best."""

    sets: list[list[int]] | None
    bound: float
    proved: bool


def whole(wanted: WantedDisclosures, relaxed: Priced, loss: float) -> WholeSolution:
    """Choose among all disclosures that a rule with at most `loss` can hold, or the cheapest of them if too many."""
    offers, complete = _worth_offering(wanted, relaxed, loss - relaxed.bound)
    unit = float(offers.costs.max(initial=0.0)) / 1000 or 1.0
    answer = _chosen(wanted, offers, offers.costs / unit)
    bound = relaxed.bound
    if complete and answer.mip_dual_bound is not None and np.isfinite(answer.mip_dual_bound):
        bound += max(0.0, float(answer.mip_dual_bound)) * unit
    if answer.x is None:
        return WholeSolution(None, bound, proved=complete and answer.status == INFEASIBLE)
    sets = offers.dealt(np.rint(answer.x).astype(np.int64), len(wanted.options))
    return WholeSolution(sets, bound, proved=complete and answer.status == OPTIMAL)


def _worth_offering(
    wanted: WantedDisclosures, relaxed: Priced, slack: float
) -> tuple[DisclosureOffers, bool]:
    """Return the disclosures that cost at most `slack` more than the cheapest at the prices, and whether those are all.

    Their costs are this excess, which is what a rule with them loses above the bound.
    """
    if not wanted.exact:
        offers = relaxed.offers
        pairs = zip(offers.lot.tolist(), offers.sets.tolist(), strict=True)
        worth = np.array([wanted.options[lot].worth(chosen, relaxed.prices) for lot, chosen in pairs])
        excess = offers.costs - worth - relaxed.values[offers.lot]
        return offers._replace(costs=np.maximum(excess, 0.0)), False
    most = relaxed.values + slack * (1 + _ROUNDING)
    cheap = [
        one.cheap(relaxed.prices, limit) for one, limit in zip(wanted.options, most.tolist(), strict=True)
    ]
    lot = np.repeat(np.arange(len(cheap)), [len(sets) for sets, _ in cheap])
    excess = np.concatenate([values for _, values in cheap]) - relaxed.values[lot]
    sets = np.concatenate([sets for sets, _ in cheap]).astype(np.uint64)
    offers = DisclosureOffers(lot, sets, np.maximum(excess, 0.0))
    if len(lot) <= _MOST_OFFERS:
        return offers, True
    return offers.only(np.sort(np.argsort(offers.costs, kind="stable")[:_MOST_OFFERS])), False


def _chosen(wanted: WantedDisclosures, offers: DisclosureOffers, costs: Floats) -> Any:
    from scipy.optimize import Bounds, LinearConstraint

    served = np.concatenate([wanted.many, wanted.counts])
    return solved_whole(
        "choosing whole disclosures",
        costs,
        integrality=np.ones(len(costs)),
        bounds=Bounds(0, wanted.many[offers.lot]),
        constraints=LinearConstraint(_matrix(wanted, offers), served, served),
        nodes=_NODES,
        seconds=_SECONDS,
    )
