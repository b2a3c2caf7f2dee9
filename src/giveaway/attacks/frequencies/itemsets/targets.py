"""The sets of items that an owner wants to protect, as places of published items."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from giveaway.attacks.frequencies.attacker import Itemsets
from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Windows
from giveaway.attacks.frequencies.estimates.o_estimate import SetKinds, kinds_of, kinds_of_pairs
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints

MOST_SETS = 1_000_000
MOST_MEMBERS = 20


@dataclass(frozen=True, kw_only=True, eq=False)
class SomeSets:
    """Sets of one size: rows of places, or all pairs of some items when `rows` is None.

    `whole` is how many sets the rows were drawn from, where they were drawn.
    """

    size: int
    chosen: Ints
    rows: Ints | None = None
    whole: int = 0

    @property
    def number(self) -> int:
        """The number of sets."""
        return comb(len(self.chosen), self.size) if self.rows is None else len(self.rows)

    def kinds(self, graph: Windows | CrackGraph) -> SetKinds:
        """Find the kinds of the sets: sets of the same classes have the same chance."""
        return kinds_of_pairs(graph, self.chosen) if self.rows is None else kinds_of(graph, self.rows)

    def listed(self) -> Ints:
        """List the sets one by one."""
        if self.rows is not None:
            return self.rows
        one, other = np.triu_indices(len(self.chosen), 1)
        return np.sort(np.stack([self.chosen[one], self.chosen[other]], axis=1), axis=1)


@dataclass(frozen=True, kw_only=True, eq=False)
class SetTargets:
    """The sets to be judged, size by size; `drawn` tells that they are a sample of more."""

    parts: tuple[SomeSets, ...]
    drawn: bool = False

    @property
    def number(self) -> int:
        """The number of sets."""
        return sum(part.number for part in self.parts)


def targets(seen: ItemsSeen) -> SetTargets:
    """Find the sets that the attacker wants; those with a withheld item are gone."""
    wanted = seen.attacker.targets
    if wanted == "pairs":
        return _of_size(seen, Itemsets(size=2))
    if isinstance(wanted, Itemsets):
        return _of_size(seen, wanted)
    return _listed(seen, wanted)


def _listed(seen: ItemsSeen, wanted: Iterable[Iterable[object]]) -> SetTargets:
    place_of = seen.items.place_of
    by_size: dict[int, list[list[int]]] = {}
    for one in wanted:
        members = list(one)
        if len(members) > MOST_MEMBERS:
            raise _too_large(len(members))
        if all(label in place_of for label in members):
            by_size.setdefault(len(members), []).append(sorted(place_of[label] for label in members))
    everything = np.arange(seen.number)
    return SetTargets(
        parts=tuple(
            SomeSets(size=size, chosen=everything, rows=np.array(rows, np.int64))
            for size, rows in sorted(by_size.items())
        )
    )


def _of_size(seen: ItemsSeen, wanted: Itemsets) -> SetTargets:
    counts, place_of = seen.items.counts, seen.items.place_of
    falling = np.argsort(-counts, kind="stable")
    chosen = np.intersect1d(falling[int(wanted.without_top * len(counts)) :], seen.interesting)
    if wanted.with_any:
        asked = np.array([place_of[label] for label in wanted.with_any if label in place_of], np.int64)
        return _with_any(seen, wanted, chosen, np.isin(chosen, asked))
    possible = comb(len(chosen), wanted.size)
    if wanted.size > MOST_MEMBERS:
        raise _too_large(wanted.size)
    if not possible:
        return SetTargets(parts=())
    if wanted.sample is not None and wanted.sample < possible:
        rows = _sample(chosen, wanted.size, wanted.sample, np.random.default_rng(seen.effort.seed))
        some = SomeSets(size=wanted.size, chosen=chosen, rows=rows, whole=possible)
        return SetTargets(parts=(some,), drawn=True)
    if wanted.size == 2:  # noqa: PLR2004 - pairs are counted by their kinds
        return SetTargets(parts=(SomeSets(size=2, chosen=chosen),))
    if possible > MOST_SETS:
        raise _too_many(possible, wanted.size)
    rows = np.array(list(combinations(chosen.tolist(), wanted.size)), np.int64)
    return SetTargets(parts=(SomeSets(size=wanted.size, chosen=chosen, rows=rows),))


def _with_any(seen: ItemsSeen, wanted: Itemsets, chosen: Ints, asked: Flags) -> SetTargets:
    """List the sets with at least one of the items asked for: all, or a sample of them."""
    inside, others, size = chosen[asked].tolist(), chosen[~asked].tolist(), wanted.size
    if size > MOST_MEMBERS:
        raise _too_large(size)
    possible = comb(len(chosen), size) - comb(len(others), size)
    if not possible:
        return SetTargets(parts=())
    if possible > MOST_SETS:
        raise _too_many(possible, size)
    rows = np.array(
        [
            sorted((*some, *more))
            for number in range(1, size + 1)
            for some in combinations(inside, number)
            for more in combinations(others, size - number)
        ],
        np.int64,
    )
    drawn = wanted.sample is not None and wanted.sample < possible
    if drawn:
        random = np.random.default_rng(seen.effort.seed)
        rows = rows[np.sort(random.choice(possible, wanted.sample, replace=False))]
    return SetTargets(parts=(SomeSets(size=size, chosen=chosen, rows=rows, whole=possible),), drawn=drawn)


def _sample(chosen: Ints, size: int, number: int, random: np.random.Generator) -> Ints:
    """Draw different sets, each as likely as any other."""
    if comb(len(chosen), size) <= MOST_SETS:
        rows = np.array(list(combinations(chosen.tolist(), size)), np.int64)
        return rows[np.sort(random.choice(len(rows), number, replace=False))]
    sets: dict[tuple[int, ...], None] = {}
    while len(sets) < number:
        drawn = random.integers(0, len(chosen), (number, size))
        drawn.sort(axis=1)
        different = drawn[(np.diff(drawn, axis=1) > 0).all(axis=1)]
        sets.update(dict.fromkeys(map(tuple, chosen[different].tolist())))
    return np.array(list(sets)[:number], np.int64)


def _too_many(possible: int, size: int) -> ScenarioError:
    return ScenarioError(
        f"There are {possible:,} sets of {size} {nouns().items}, too many to judge all.",
        hint=f"judge some with sample = 10000, or sets of fewer {nouns().items}.",
    )


def _too_large(size: int) -> ScenarioError:
    return ScenarioError(
        f"A set of {size:,} {nouns().items} is too large to judge.",
        hint=f"up to {MOST_MEMBERS} {nouns().items} are.",
    )
