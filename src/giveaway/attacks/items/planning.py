"""Plan what to withhold: the greedy's choice, cut where a share of exposed transactions is tolerated, or bettered."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from giveaway.algorithms import moles as searching
from giveaway.algorithms import nuggets, packing
from giveaway.algorithms.live_moles import LiveMoles, exposed_after
from giveaway.algorithms.moles import Moles
from giveaway.algorithms.nuggets import Nuggets, WithoutMoles
from giveaway.attacks.items.attacker import ItemsOptions
from giveaway.attacks.items.choosing import Chosen, choose
from giveaway.attacks.items.question import Question, needed
from giveaway.model.effort import Effort
from giveaway.model.need import NeedsItemsets

Order = list[tuple[int, str]]
"""Item codes in the order they are withheld, each with the reason: infrequent, greedy or exact."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to withhold, and what is proved about the nuggets that can be kept."""

    order: Order
    needed: Nuggets | None = None
    """The nuggets before anything is withheld."""
    ceiling: int | None = None
    upper_bound: int | None = None
    note: str = ""

    def figures(self, kept: int) -> dict[str, Any]:
        """Return what is proved about a number of nuggets kept; a release that reaches the ceiling is best."""
        bound = self.ceiling if kept == self.ceiling else self.upper_bound
        proved = {} if bound is None else {"nuggets_upper_bound": bound, "optimal": kept == bound}
        return {"nuggets_kept": kept, "nuggets_ceiling": self.ceiling, **proved}


def plan(
    question: Question, found: Moles, need: NeedsItemsets | None, effort: Effort, options: ItemsOptions
) -> Plan:
    """Choose what to withhold so that the release is within tolerance."""
    threshold = question.crowd
    if need is not None and not options.keep_infrequent:
        threshold = max(threshold, need.min_support)
    useful = None if need is None else needed(question.published, need)
    tolerated = question.tolerance.share > 0
    chosen = choose(
        question.published,
        found,
        None if useful is None else useful.copy(),
        threshold=threshold,
        score=options.score,
        reinstate=options.reinstate and not tolerated,
    )
    order = [
        *((code, "infrequent") for code in chosen.infrequent),
        *((code, "greedy") for code in chosen.greedy),
    ]
    if tolerated:
        return Plan(
            order=_cut(question, found, order),
            needed=useful,
            note=_not_searched(effort, "with a share tolerated"),
        )
    if need is None:
        return Plan(order=order, note=_not_searched(effort, "without a need for itemsets"))
    parts = nuggets.without_moles(question.published, need.min_support, need.max_size, *found.minimal)
    if parts is None:
        note = _not_searched(effort, "as the itemsets without a giveaway are too many to list")
        return Plan(order=order, needed=useful, note=note)
    if not effort.exact:
        return Plan(order=order, needed=useful, ceiling=parts.total)
    return replace(_bettered(question, found, chosen, order, parts, effort), needed=useful)


def _not_searched(effort: Effort, why: str) -> str:
    return f" No release is proved best {why}." if effort.exact else ""


def _cut(question: Question, found: Moles, order: Order) -> Order:
    """Cut the order where few enough transactions are exposed; nothing is put back then."""
    exposed = exposed_after(found, [code for code, _ in order], budget=searching.BUDGET)
    allowed = question.tolerance.share * question.transactions
    within = [] if exposed is None else [step for step, count in enumerate(exposed) if int(count) <= allowed]
    return order[: within[0]] if within else order


def _bettered(
    question: Question, found: Moles, chosen: Chosen, order: Order, parts: WithoutMoles, effort: Effort
) -> Plan:
    """Search for a better choice by integer programming, and keep the greedy's when there is none.

    Xu et al., Definition 3: the optimal cohesion.
    """
    harmful = LiveMoles(*found.minimal, len(question.published.labels)).without(chosen.infrequent)
    withheld = {code for code, _ in order}
    packed = packing.best_release(
        *harmful,
        parts.part_offsets,
        parts.part_codes,
        parts.part_weights,
        base=parts.base,
        hint=set(question.ranked.codes.tolist()) - withheld,
        seconds=effort.seconds,
        seed=effort.seed,
    )
    if packed.value > _value(parts, withheld):
        better = sorted({int(code) for code in harmful[1]} - packed.kept)
        order = [*order[: len(chosen.infrequent)], *((code, "exact") for code in better)]
    return Plan(order=order, ceiling=parts.total, upper_bound=packed.upper_bound)


def _value(parts: WithoutMoles, withheld: set[int]) -> int:
    """Count the nuggets that are left when some items are withheld."""
    hit = np.isin(parts.part_codes, list(withheld))
    part = np.repeat(np.arange(len(parts.part_weights)), np.diff(parts.part_offsets))
    lost = np.unique(part[hit])
    return parts.total - int(parts.part_weights[lost].sum())
