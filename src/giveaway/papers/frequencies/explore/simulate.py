"""The simulation of the paper: mappings drawn at random, and what they crack (section 6.1, Figure 16)."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain as in_turn
from typing import Literal, get_args

import numpy as np

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.crack_chances import SOFTNESS, enough, soft_words
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.itemsets.chances import count_match
from giveaway.attacks.frequencies.itemsets.targets import SomeSets, targets
from giveaway.attacks.frequencies.known_pairs.knowledge import NEVER_WORDS
from giveaway.attacks.frequencies.question import see
from giveaway.attacks.frequencies.sampling.chains import (
    Blocks,
    apart_chain,
    loop_chain,
    soft_chain,
    summary,
)
from giveaway.errors import ScenarioError
from giveaway.model.answer.risk import How
from giveaway.model.data.labels import Label
from giveaway.model.exact import Number, fraction
from giveaway.model.question.effort import Effort
from giveaway.model.release.release import Release
from giveaway.papers.frequencies.explore.swaps import local_chain, paper_chain

Chain = Literal["local", "paper"]

_MOST_MAPPINGS = 10_000_000


@dataclass(frozen=True, kw_only=True)
class Simulated:
    """What random mappings crack: the share that cracks each target, and the number of items that each mapping cracks.

    The mean number lies between `low` and `high` with 95 %; `effective` is how many independent mappings those drawn are
    worth.
    """

    chances: Mapping[Label | tuple[Label, ...], float]
    cracks: tuple[int, ...]
    mean: float
    low: float
    high: float
    effective: float
    items: int
    """How many items there are."""
    how: How

    def more_than(self, share: Number) -> float:
        """Return the part of the mappings that crack more than a share of all items."""
        limit = fraction(share, "share") * self.items
        return sum(number > limit for number in self.cracks) / len(self.cracks)


def simulate(
    release: Release,
    attacker: KnowsFrequencies,
    *,
    draws: int = 5_000,
    chain: Chain = "local",
    seed: int = 0,
) -> Simulated:
    """Draw mappings that agree with what somebody believes, and count what they crack.

    Where `assess` counts mappings this tells how their number of cracks is spread. The targets of the attacker are
    followed: items, or sets (Count-Match). The chain `"paper"` is that of the paper, 100,000 sweeps before the first
    mapping and 10,000 between two; `"local"` swaps within ranges and is worth as much in a fraction of the time.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b", "c"], ["a", "b"], ["a"], ["c"]]))
    >>> found = ga.simulate(release, ga.KnowsFrequencies(belief=ga.Belief.exact()), draws=1000)
    >>> found.chances["a"], set(found.cracks) == {1, 3}, 0.4 < found.more_than("1/2") < 0.6
    (1.0, True, True)
    """
    _check(attacker, draws, chain)
    seen = see(release, attacker, Effort(seed=seed))
    drawn, detail = _drawn(seen, draws, chain, seed)
    parts = targets(seen).parts if attacker.wants_sets else ()
    hits = [np.zeros(part.number, np.int64) for part in parts]
    for part, counted in zip(parts, hits, strict=True):
        drawn = count_match(drawn, part.listed(), counted)
    sample = enough(summary(drawn))
    number = len(sample.cracks)
    if attacker.wants_sets:
        chances = _of_sets(seen, parts, [counted / number for counted in hits])
    else:
        places = seen.interesting.tolist()
        chances = {seen.items.labels[place]: float(sample.frequencies[place]) for place in places}
    return Simulated(
        chances=chances,
        cracks=tuple(sample.cracks.astype(np.int64).tolist()),
        mean=sample.mean,
        low=sample.low,
        high=sample.high,
        effective=sample.effective,
        how=How(method="simulated", detail=f"{detail} {number:,} mappings were drawn.", margin=sample.margin),
        items=seen.number,
    )


def _check(attacker: KnowsFrequencies, draws: int, chain: str) -> None:
    if attacker.compliance != 1:
        raise ScenarioError(
            "Mappings are drawn for somebody who is right about every item, and compliance is below 1.",
            hint="state the ranges that are believed, right or wrong, with Belief.intervals.",
        )
    if attacker.belief.weighs or attacker.of_people:
        raise ScenarioError(
            "Mappings are drawn of items and codes that are equally likely, and this belief has weights or is about people.",
            hint="ga.assess counts them.",
        )
    if not isinstance(draws, int) or not 1 <= draws <= _MOST_MAPPINGS:
        raise ScenarioError(f"draws = {draws!r} must be a whole number from 1 to {_MOST_MAPPINGS:,}.")
    if chain not in get_args(Chain):
        raise ScenarioError(f"chain = {chain!r} is unknown.", exists=", ".join(get_args(Chain)))


def _drawn(seen: ItemsSeen, draws: int, chain: Chain, seed: int) -> tuple[Blocks, str]:
    """Draw mappings that agree with beliefs and pairs; of beliefs that no mapping agrees with, soft ones."""
    graph, pairs = seen.of_sets, seen.pairs
    if seen.contradiction is not None:
        outside = SOFTNESS / max(seen.number, 1)
        return soft_chain(seen.windows, outside=outside, draws=draws, seed=seed), soft_words(outside)
    if isinstance(graph, CrackGraph) and pairs is not None:
        loops = loop_chain(graph, draws=draws, seed=seed)
        if not len(pairs.never):
            return loops, "Mappings that agree with the beliefs and the known pairs."
        keep = pairs.apart(seen.number).respected
        return (block[keep(block)] for block in loops), NEVER_WORDS
    if pairs is not None and len(pairs.never):
        return apart_chain(seen.windows, pairs.apart(seen.number), draws=draws, seed=seed), NEVER_WORDS
    if chain == "paper":
        return paper_chain(
            seen.windows, draws=draws, seed=seed
        ), "Swaps along random permutations, as in the paper."
    return local_chain(seen.windows, draws=draws, seed=seed), "Swaps within ranges."


def _of_sets(
    seen: ItemsSeen, parts: tuple[SomeSets, ...], shares: list[np.ndarray]
) -> dict[Label | tuple[Label, ...], float]:
    labels = seen.items.labels
    rows = in_turn.from_iterable(part.listed().tolist() for part in parts)
    values = in_turn.from_iterable(share.tolist() for share in shares)
    return {tuple(labels[place] for place in row): value for row, value in zip(rows, values, strict=True)}
