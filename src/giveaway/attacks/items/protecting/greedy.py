"""Choose the items to withhold: the greedy of the paper with its score, exact and without chance."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.items.nuggets.counts import Nuggets
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell
from giveaway.moles.remaining import LiveMoles, MoleCounts
from giveaway.moles.search import Moles

Counts = NDArray[Any]
"""Exact counts by item code: 64-bit numbers, or Python's integers where these do not suffice."""


@dataclass(frozen=True, kw_only=True)
class GreedyItems:
    """Items to withhold by their codes: those too rare, in item order, and those of the greedy, in its order."""

    infrequent: list[int]
    greedy: list[int]


def choose(
    transactions: Transactions,
    moles: Moles,
    useful: Nuggets | None,
    *,
    threshold: int,
    score: Literal["minimal", "paper"],
    keep: Collection[int] = (),
) -> GreedyItems:
    """Withhold public items below a support, then the best item at every step until no mole is left.

    Items in `keep` are never withheld; moles of which nothing else is left stay. Without nuggets an item costs the
    transactions that hold it. Ties are settled by more moles, then smaller support, then item order.

    Xu et al., Observation 2 and Figure 2.
    """
    supports = transactions.supports
    may_go = (supports > 0) & ~transactions.is_private
    may_go[list(keep)] = False
    infrequent = [int(code) for code in np.flatnonzero(may_go & (supports < threshold))]
    live = LiveMoles(*moles.minimal, len(supports))
    for code in infrequent:
        tell(f"withholding rare {nouns().items}", code, len(supports))
        live.withhold(code)
        if useful is not None:
            useful.withhold(code)
    dropped = np.isin(moles.ranked.codes, infrequent)
    counts = MoleCounts(moles, dropped) if score == "paper" and live.left else None
    costs: Counts = supports.copy() if useful is None else useful.per_item()
    total = live.left
    chosen: list[int] = []
    while live.left:
        tell("choosing what to withhold", total - live.left, total)
        charged = np.where(may_go, live.counts if counts is None else counts.counts(len(supports)), 0)
        if not charged.any():
            break
        code = best(charged, costs, supports)
        chosen.append(code)
        live.withhold(code)
        if counts is not None:
            counts.withhold(code)
        if useful is not None and useful.withhold(code):
            costs = useful.per_item()
    return GreedyItems(infrequent=infrequent, greedy=chosen)


def best(charged: Counts, costs: Counts, supports: Ints) -> int:
    """Return the item with the largest ratio of charge to cost among those with a charge; no cost beats any cost.

    Xu et al., Score(v) in section 4.
    """
    places = np.flatnonzero(charged > 0)
    free = places[costs[places] == 0]
    places = free if len(free) else _largest_ratio(places, charged, costs)
    places = places[charged[places] == charged[places].max()]
    places = places[supports[places] == supports[places].min()]
    return int(places[0])


def _largest_ratio(places: Ints, charged: Counts, costs: Counts) -> Ints:
    """Keep the places with the largest ratio: floats only preselect, integers decide."""
    over, under = charged[places], costs[places]
    if object in (over.dtype, under.dtype) or int(over.max()) * int(under.max()) >= 1 << 62:
        over, under = over.astype(object), under.astype(object)
    leader = _leader(over, under)
    while True:
        ahead = over * under[leader] - over[leader] * under
        if not (ahead > 0).any():
            return np.asarray(places[ahead == 0], np.int64)
        leader = int(np.flatnonzero(ahead > 0)[0])


def _leader(over: Counts, under: Counts) -> int:
    if over.dtype != object:
        return int(np.argmax(over / under))
    lengths = [int(a).bit_length() - int(b).bit_length() for a, b in zip(over, under, strict=True)]
    return int(np.argmax(lengths))
