"""From what is believed to how likely each item is cracked: exactly where the work allows, by estimate elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm, sqrt

import numpy as np

from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_graph.components import Components, Memory, one_of_each_class
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.mappings import Violation, groups_of_any_mapping, usable
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Flags, Windows
from giveaway.attacks.frequencies.estimates.belief_propagation import beliefs_passed
from giveaway.attacks.frequencies.exact_chances import general as general_chances
from giveaway.attacks.frequencies.exact_chances import items as exact_items
from giveaway.attacks.frequencies.item_counts import ItemCounts
from giveaway.attacks.frequencies.sampling.chains import (
    Blocks,
    MappingSample,
    guessed_summary,
    soft_chain,
    summary,
)
from giveaway.errors import BudgetExceeded, NothingToJudge
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort

DRAWS = 4_000
"""Mappings that a simulation draws."""

EVEN_MORE = 10
"""How many times the usual work exact chances may take when they are asked for."""

SOFTNESS = 0.1
"""How likely, times the number of items, a mapping becomes by an item outside its range."""

_SURE = 1.96

Weight = Callable[[Label, int], Fraction]
"""How likely a code that occurs so often is taken to be an item's."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ComponentChances:
    """The chances of the classes of one component."""

    chances: list[Chance]
    candidates: Ints
    """How many codes some mapping uses for an item of each class."""
    estimated: bool
    work: int


def budget_of(effort: Effort) -> int:
    """Return how much work exact chances may take."""
    return exact_items.BUDGET * (EVEN_MORE if effort.exact else 1)


def cracked(
    beliefs: Beliefs,
    effort: Effort,
    memory: Memory | None = None,
    names: Ints | None = None,
    *,
    likeliest: bool = False,
) -> ItemChances | Violation:
    """Return how likely each item is cracked, or why no mapping agrees with what is believed.

    With `likeliest` it is how likely the likeliest code of each item is its own: a number that depends on nothing but
    the codes and what is believed. `names` numbers the items for the memory, when they are some of those of an earlier
    call.
    """
    windows = beliefs.windows
    if not windows.compliant.all():
        if not likeliest:
            left = usable(windows)
            return left if isinstance(left, Violation) else _as_a_whole(left, effort)
        # Some mapping takes the place of the true one, so that each component has its codes.
        group = groups_of_any_mapping(windows)
        if isinstance(group, Violation):
            return group
        windows, memory = replace(windows, own=group), None
    known = Memory() if memory is None else memory
    numbers = np.arange(windows.items) if names is None else names
    classes = windows.classes
    # Within a component of one group every code may stand for every item.
    chances: list[Chance] = [Fraction(1, size) for size in windows.sizes[classes.own].tolist()]
    guessed, candidates = np.zeros(len(chances), np.bool_), np.ones(len(chances), np.int64)
    parts, budget = Components(windows), budget_of(effort)
    pieces = [piece for piece in windows.pieces if piece.end - piece.begin > 1]
    for number, piece in enumerate(sorted(pieces, key=lambda piece: (parts.size(piece), piece.begin))):
        tell("computing chances", number, len(pieces))
        left_over, graph = budget, parts.graph(piece)
        part: ComponentChances = known.remember(
            "likeliest" if likeliest else "chances",
            numbers[parts.items(piece)],
            lambda g=graph, b=left_over: _solved(g, b, likeliest=likeliest),  # type: ignore[misc] # bound now
        )
        budget -= part.work
        chances[piece.head : piece.tail] = part.chances
        candidates[piece.head : piece.tail] = part.candidates
        guessed[piece.head : piece.tail] = part.estimated
    return _chances(chances, classes.of, guessed, candidates if likeliest else None)


def _solved(windows: Windows, budget: int, *, likeliest: bool) -> ComponentChances:
    """Solve one component, whose true mapping is possible."""
    left = usable(windows)
    if isinstance(left, Violation):
        raise TypeError("the true mapping agrees with what is believed")
    exact = exact_items.chances(left, budget=budget, likeliest=likeliest) if budget > 0 else None
    members = one_of_each_class(windows)
    kinds, candidates = left.classes.of[members].tolist(), left.degrees[members]
    if exact is None:
        passed = beliefs_passed(left, likeliest=likeliest)
        floats = (passed.likeliest if likeliest else passed.chances).tolist()
        return ComponentChances(
            chances=[floats[kind] for kind in kinds], candidates=candidates, estimated=True, work=0
        )
    values = exact.chances.tolist()
    chances = [exact.fractions.get(kind, values[kind]) for kind in kinds]
    return ComponentChances(chances=chances, candidates=candidates, estimated=False, work=exact.work)


def _as_a_whole(left: Windows, effort: Effort) -> ItemChances:
    """Solve a graph in which some beliefs are wrong and a mapping exists all the same."""
    exact = exact_items.chances(left, budget=budget_of(effort))
    of = left.classes.of
    if exact is None:
        floats = beliefs_passed(left).chances.tolist()
        return _chances(floats, of, np.ones(len(floats), np.bool_))
    values = exact.chances.tolist()
    chances = [exact.fractions.get(kind, value) for kind, value in enumerate(values)]
    return _chances(chances, of, np.zeros(len(chances), np.bool_))


def _chances(by_kind: list[Chance], of: Ints, guessed: Flags, candidates: Ints | None = None) -> ItemChances:
    items = int(guessed[of].sum())
    detail = (
        f"All mappings that agree with what is believed were counted, except for {items:,} of {len(of):,} {nouns().items}, whose "
        "chances are estimated by belief propagation."
        if guessed.any()
        else "All one-to-one mappings that agree with what is believed were counted."
    )
    return ItemChances.counted(by_kind, guessed, detail, of=of, candidates=candidates)


def softly(windows: Windows, effort: Effort, *, likeliest: bool = False) -> ItemChances:
    """Simulate somebody whose beliefs no mapping agrees with: each item outside its range makes a mapping unlikely."""
    outside = SOFTNESS / max(windows.items, 1)

    def draw() -> Blocks:
        return soft_chain(windows, outside=outside, draws=DRAWS, seed=effort.seed)

    # Codes of one group look the same.
    sample = guessed_summary(draw, windows.own) if likeliest else summary(draw())
    return simulated(sample, soft_words(outside))


def soft_words(outside: float) -> str:
    """Say what a soft belief is."""
    return (
        f"No mapping agrees with what is believed. It was taken as soft: each {nouns().item} outside its range makes a mapping "
        f"{round(1 / outside):,} times less likely."
    )


def enough(sample: MappingSample | None) -> MappingSample:
    """Return what random mappings say, and refuse to guess from too few."""
    if sample is None:
        raise BudgetExceeded(
            "Too few mappings that agree with what is known could be drawn.",
            hint="state fewer pairs that never occur together.",
        )
    return sample


def simulated(drawn: MappingSample | None, detail: str) -> ItemChances:
    """Return the chances of a simulation, each with its 95 % margin."""
    sample = enough(drawn)
    often = sample.frequencies
    draws = max(sample.effective, 1.0)
    return ItemChances(
        by_kind=often.tolist(),
        kind_of=np.arange(len(often)),
        at_most=np.array([upper(share, draws) for share in often.tolist()]),
        method="simulated",
        detail=f"{detail} {len(sample.cracks):,} mappings were drawn, worth {draws:,.0f} independent ones; 95 % interval.",
        estimated=np.zeros(len(often), np.bool_),
        sampling_error=sample.margin,
    )


def upper(share: float, draws: float) -> float:
    """Return the upper end of the 95 % interval around a share that was seen in `draws` draws (Wilson)."""
    square = _SURE**2 / draws
    middle = share + square / 2
    width = _SURE * sqrt(share * (1 - share) / draws + square / (4 * draws))
    return min((middle + width) / (1 + square), 1.0)


def weighed(
    windows: Windows, items: ItemCounts, weight: Weight, effort: Effort, *, likeliest: bool
) -> ItemChances:
    """Return how likely each item is cracked, exactly; what takes too much work to count is not judged."""
    groups = np.zeros(len(windows.sizes), np.int64)
    groups[windows.own] = items.counts
    counts = groups.tolist()
    rows: dict[tuple[int, tuple[Fraction, ...]], int] = {}
    row_of = []
    for place, label in enumerate(items.labels):
        first, last = int(windows.first[place]), int(windows.last[place])
        worth = tuple(weight(label, counts[group]) for group in range(first, last + 1))
        row_of.append(rows.setdefault((first, worth), len(rows)))
    edges = [
        (row, first + step, value)
        for (first, worth), row in rows.items()
        for step, value in enumerate(worth)
        if value
    ]
    graph = CrackGraph(
        row_of=np.array(row_of, np.int64),
        column_of=windows.own,
        row=np.array([row for row, _, _ in edges], np.int64),
        column=np.array([column for _, column, _ in edges], np.int64),
    )
    left = general_chances.usable(graph)
    if isinstance(left, general_chances.Shortage):
        raise NothingToJudge(
            "No one-to-one mapping agrees with what is believed, and ranges with weights are not taken as soft.",
            hint="correct the ranges, or leave the weights out.",
        )
    values = {(row, column): value for row, column, value in edges}
    common = lcm(*(value.denominator for value in values.values()))
    kept = zip(left.row.tolist(), left.column.tolist(), strict=True)
    whole = np.array([int(values[edge] * common) for edge in kept], object)
    budget = general_chances.BUDGET * (EVEN_MORE if effort.exact else 1)
    solved = general_chances.chances(left, budget=budget, likeliest=likeliest, weights=whole)
    chances = solved.likeliest if likeliest else solved.of_items
    return ItemChances.counted(
        chances,
        np.zeros(len(chances), np.bool_),
        "All one-to-one mappings that agree with what is believed were counted, each as often as the product of its weights.",
    )
