"""Plan what to withhold: the greedy's choice, cut where a share of exposed transactions is tolerated, or bettered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from giveaway.attacks.items.attacker import ItemsOptions
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.nuggets import counts
from giveaway.attacks.items.nuggets.counts import Nuggets, WithoutMoles
from giveaway.attacks.items.protecting import best_release
from giveaway.attacks.items.protecting.greedy import Counts, GreedyItems, choose
from giveaway.attacks.items.question import ItemsQuestion, needed
from giveaway.attacks.ways import way
from giveaway.model.answer.risk import Listing
from giveaway.model.data.arrays import Codes
from giveaway.model.question.effort import Effort
from giveaway.moles import search as searching
from giveaway.moles.remaining import LiveMoles, PuttingBack, exposed_after
from giveaway.moles.search import Moles

Order = list[tuple[int, str]]
"""Item codes in the order they are withheld, each with the reason: infrequent, greedy or exact."""


@dataclass(frozen=True, kw_only=True)
class ItemsPlan:
    """What to withhold, and what is proved about the nuggets that can be kept."""

    order: Order
    needed: Nuggets | None = None
    """The nuggets before anything is withheld."""
    ceiling: int | None = None
    upper_bound: int | None = None
    put_back: int = 0
    """How many items were put back after the choice."""
    from_nothing: bool = False
    """Whether the choice withheld every public item, and items were put back whatever the options say."""
    note: str = ""
    on_borders: Mapping[str, Listing] | None = None
    """The borders and steps, where the choice was made on borders."""

    def withholds(self, codes: Codes) -> bool:
        """Whether all of some items are withheld."""
        return {code for code, _ in self.order} >= set(codes.tolist())

    def figures(self, kept: int) -> dict[str, Any]:
        """Return what is proved about a number of nuggets kept; a release that reaches the ceiling is best."""
        bound = self.ceiling if kept == self.ceiling else self.upper_bound
        proved = {} if bound is None else {"nuggets_upper_bound": bound, "optimal": kept == bound}
        return {"nuggets_kept": kept, "nuggets_ceiling": self.ceiling, **proved}


def plan(
    question: ItemsQuestion, moles: Moles, need: NeedsItemsets | None, effort: Effort, options: ItemsOptions
) -> ItemsPlan:
    """Choose what to withhold so that the release is within tolerance.

    A release that withholds every public item is not a release: then items are put back from nothing, the most useful first.
    When even that puts none back, no item is safe alone, and so no release is.
    """
    useful = None if need is None else needed(question.published, need)
    planned = replace(_chosen(question, moles, need, useful, effort, options), needed=useful)
    if not planned.withholds(question.ranked.codes):
        return planned
    worth = question.published.supports if useful is None else useful.per_item()
    from_nothing = _with_put_back(question, moles, planned, _most_useful_first(question, worth))
    return replace(from_nothing, from_nothing=True)


def _chosen(
    question: ItemsQuestion,
    moles: Moles,
    need: NeedsItemsets | None,
    useful: Nuggets | None,
    effort: Effort,
    options: ItemsOptions,
) -> ItemsPlan:
    """Choose by the greedy, put back what is not needed, and search on where asked to."""
    on_borders = None
    if options.method == "borders":
        chosen, on_borders = way("items", "borders")(question, need, options)
    else:
        threshold = question.crowd
        if need is not None and not options.keep_infrequent:
            threshold = max(threshold, need.min_support)
        copy = None if useful is None else useful.copy()
        chosen = choose(
            question.published, moles, copy, threshold=threshold, score=options.score, keep=question.keep
        )
    order = [
        *((code, "infrequent") for code in chosen.infrequent),
        *((code, "greedy") for code in chosen.greedy),
    ]
    tolerated = question.tolerance.share > 0
    planned = ItemsPlan(order=_cut(question, moles, order) if tolerated else order, on_borders=on_borders)
    if options.reinstate:
        greedy = [code for code, why in planned.order if why == "greedy"]
        planned = _with_put_back(question, moles, planned, greedy[::-1])
    if tolerated:
        return replace(planned, note=_not_searched(effort, "with a share tolerated"))
    if need is None:
        return replace(planned, note=_not_searched(effort, "without a need for itemsets"))
    parts = counts.without_moles(question.published, need.min_support, need.max_size, *moles.minimal)
    if parts is None:
        note = _not_searched(effort, "as the itemsets without a giveaway are too many to list")
        return replace(planned, note=note)
    if not effort.exact:
        return replace(planned, ceiling=parts.total)
    return _bettered(question, moles, chosen, planned, parts, effort)


def _with_put_back(
    question: ItemsQuestion, moles: Moles, planned: ItemsPlan, tried: Sequence[int]
) -> ItemsPlan:
    """Put items back in an order as long as the release stays within tolerance."""
    putting = PuttingBack(
        moles, [code for code, _ in planned.order], allowed=question.allowed, budget=searching.BUDGET
    )
    back = set(putting.tried(tried))
    order = [(code, why) for code, why in planned.order if code not in back]
    return replace(planned, order=order, put_back=planned.put_back + len(back))


def _most_useful_first(question: ItemsQuestion, worth: Counts) -> list[int]:
    """Order all public items by what they are worth, then by support, then as items are ordered."""
    supports = question.published.supports
    codes = sorted(question.ranked.codes.tolist())
    return sorted(codes, key=lambda code: (-int(worth[code]), -int(supports[code])))


def _not_searched(effort: Effort, why: str) -> str:
    return f" No release is proved best {why}." if effort.exact else ""


def _cut(question: ItemsQuestion, moles: Moles, order: Order) -> Order:
    """Cut the order where few enough transactions are exposed."""
    exposed = exposed_after(moles, [code for code, _ in order], budget=searching.BUDGET)
    within = (
        [] if exposed is None else [step for step, count in enumerate(exposed) if count <= question.allowed]
    )
    return order[: within[0]] if within else order


def _bettered(
    question: ItemsQuestion,
    moles: Moles,
    chosen: GreedyItems,
    planned: ItemsPlan,
    parts: WithoutMoles,
    effort: Effort,
) -> ItemsPlan:
    """Search for a better choice by integer programming, and keep the greedy's when there is none.

    Xu et al., Definition 3: the optimal cohesion.
    """
    harmful = LiveMoles(*moles.minimal, len(question.published.labels)).without(chosen.infrequent)
    withheld = {code for code, _ in planned.order}
    packed = best_release.best_release(
        *harmful,
        parts.part_offsets,
        parts.part_codes,
        parts.part_weights,
        base=parts.base,
        keep=question.keep,
        hint=set(question.ranked.codes.tolist()) - withheld,
        seconds=effort.seconds,
        seed=effort.seed,
    )
    if packed.value > _value(parts, withheld):
        better = sorted({int(code) for code in harmful[1]} - packed.kept)
        order = [*((code, "infrequent") for code in chosen.infrequent), *((code, "exact") for code in better)]
        planned = ItemsPlan(order=order, on_borders=planned.on_borders)
    return replace(planned, ceiling=parts.total, upper_bound=packed.upper_bound)


def _value(parts: WithoutMoles, withheld: set[int]) -> int:
    """Count the nuggets that are left when some items are withheld."""
    hit = np.isin(parts.part_codes, list(withheld))
    part = np.repeat(np.arange(len(parts.part_weights)), np.diff(parts.part_offsets))
    lost = np.unique(part[hit])
    return parts.total - int(parts.part_weights[lost].sum())
