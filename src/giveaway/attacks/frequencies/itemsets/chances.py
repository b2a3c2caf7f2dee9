"""How likely sets of items are told from their codes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_chances import DRAWS, SOFTNESS, enough, soft_words, upper
from giveaway.attacks.frequencies.crack_graph.components import Components, one_of_each_class
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.mappings import Violation, usable
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats, Piece
from giveaway.attacks.frequencies.estimates.belief_propagation import beliefs_passed
from giveaway.attacks.frequencies.estimates.o_estimate import SetKinds
from giveaway.attacks.frequencies.exact_chances.general import GraphSetChances, Shortage
from giveaway.attacks.frequencies.exact_chances.general import chances as edge_chances
from giveaway.attacks.frequencies.exact_chances.general import usable as usable_edges
from giveaway.attacks.frequencies.exact_chances.itemsets import SetChances
from giveaway.attacks.frequencies.itemsets.targets import MOST_SETS, SomeSets
from giveaway.attacks.frequencies.known_pairs.knowledge import NEVER_WORDS
from giveaway.attacks.frequencies.sampling.chains import Blocks, apart_chain, loop_chain, soft_chain, summary
from giveaway.errors import BudgetExceeded
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

_CELLS = 20_000_000
_TOLD = 1_000


@dataclass(frozen=True, kw_only=True, eq=False)
class SolvedSets:
    """The chances of sets of one size by their kinds; `kinds.of` names the kind of each set that was listed.

    Kinds are classes of items, and `class_of` names that of each item.
    """

    sets: SomeSets
    kinds: SetKinds
    chances: ItemChances
    class_of: Ints


def solved(seen: ItemsSeen, sets: SomeSets, kinds: SetKinds) -> SolvedSets:
    """Return the chances of some sets of the items that an attacker sees; these are the kinds of sets that there are."""
    windows, left = seen.windows, usable(seen.windows)
    apart = seen.pairs is not None and len(seen.pairs.never) > 0
    if isinstance(seen.of_sets, CrackGraph) and not apart:
        return _filtered(seen, sets, kinds, seen.of_sets)
    if isinstance(left, Violation) or apart:
        if seen.likeliest:
            raise _cannot_judge("The likeliest codes of sets are not looked for in random mappings.")
        return _simulated(seen, sets, possible=not isinstance(left, Violation))
    of_left = left.classes.of[one_of_each_class(windows)]
    if windows.compliant.all() and seen.pairs is None:
        by_parts = _ByComponents(seen)
        counted = _each(by_parts.chance(kind) for kind in kinds.classes.tolist())
    else:
        as_a_whole = SetChances(left)
        chance = as_a_whole.likeliest if seen.likeliest else as_a_whole.chance
        counted = _each(chance(kind) for kind in of_left[kinds.classes].tolist())
    if seen.likeliest and None in counted:
        raise _cannot_judge("The likeliest codes of all sets take too much work to find.")
    chances = _chances(
        counted, kinds, lambda over: beliefs_passed(left).of_sets(of_left[kinds.classes[over]])
    )
    return SolvedSets(sets=sets, kinds=kinds, chances=chances, class_of=windows.classes.of)


def _filtered(seen: ItemsSeen, sets: SomeSets, kinds: SetKinds, graph: CrackGraph) -> SolvedSets:
    """Return the chances of sets after known pairs filtered the candidates."""
    left = usable_edges(graph)
    if isinstance(left, Shortage):
        raise TypeError("pairs that contradict what is believed are left out")
    filtered = _Filtered(seen, graph, left)
    solved = _each(filtered.chance(kind) for kind in kinds.classes.tolist())
    if seen.likeliest and None in solved:
        raise _cannot_judge("The likeliest codes of all sets take too much work to find.")
    chances = _chances(solved, kinds, lambda over: edge_chances(left).of_sets(kinds.classes[over]))
    return SolvedSets(sets=sets, kinds=kinds, chances=chances, class_of=graph.classes.of)


def _cannot_judge(fact: str) -> BudgetExceeded:
    return BudgetExceeded(
        fact, hint="judge smaller sets, or set knows_method = false, which judges the attacker of the paper."
    )


def _each(chances: Iterator[Chance | None]) -> list[Chance | None]:
    counted = []
    for number, chance in enumerate(chances):
        if number % _TOLD == 0:
            tell("computing chances of sets", number)
        counted.append(chance)
    return counted


class _ByComponents:
    """Chances of sets by components, which are found again when they are as they were in an earlier release."""

    def __init__(self, seen: ItemsSeen) -> None:
        self._seen = seen
        self._parts = Components(seen.windows)
        self._pieces = seen.windows.pieces
        self.piece_of = np.repeat(
            np.arange(len(self._pieces)), [piece.tail - piece.head for piece in self._pieces]
        ).tolist()
        self._open: dict[int, tuple[SetChances, list[int]]] = {}

    def chance(self, kind: Sequence[int]) -> Chance | None:
        """Return the chance of a set whose members are of these classes; None when over budget."""
        members: dict[int, list[int]] = {}
        for one in kind:
            members.setdefault(self.piece_of[one], []).append(one)
        together: Chance = Fraction(1)
        for place, inside in members.items():
            chances, of_left = self._component(place)
            head = self._pieces[place].head
            here = [of_left[one - head] for one in inside]
            chance = chances.likeliest(here) if self._seen.likeliest else chances.chance(here)
            if chance is None:
                return None
            together *= chance
        return together

    def _component(self, place: int) -> tuple[SetChances, list[int]]:
        if place not in self._open:
            piece = self._pieces[place]
            items = self._seen.places[self._parts.items(piece)]
            self._open[place] = self._seen.memory.remember("sets", items, lambda: self._solved(piece))
        return self._open[place]

    def _solved(self, piece: Piece) -> tuple[SetChances, list[int]]:
        graph = self._parts.graph(piece)
        left = usable(graph)
        if isinstance(left, Violation):
            raise TypeError("the true mapping agrees with what is believed")
        return SetChances(left), left.classes.of[one_of_each_class(graph)].tolist()


class _Filtered:
    """Chances of sets where known pairs filtered candidates; components without an item of a known pair are as they were."""

    def __init__(self, seen: ItemsSeen, graph: CrackGraph, left: CrackGraph) -> None:
        on_graph = GraphSetChances(left)
        self._on_graph = on_graph.likeliest if seen.likeliest else on_graph.chance
        self._by_parts = _ByComponents(seen)
        of, right = seen.windows.classes.of, bool(seen.windows.compliant.all())
        self._windows_class = of[one_of_each_class(graph)].tolist()
        bound = np.zeros(0, np.int64) if seen.pairs is None else np.unique(seen.pairs.known)
        piece_of = self._by_parts.piece_of
        touched = {piece_of[one] for one in of[bound].tolist()} if right else set()
        self._as_before = [right and piece_of[one] not in touched for one in self._windows_class]

    def chance(self, kind: Sequence[int]) -> Chance | None:
        """Return the chance of a set whose members are of these classes of the graph; None when over budget."""
        before = [self._windows_class[one] for one in kind if self._as_before[one]]
        others = [one for one in kind if not self._as_before[one]]
        first, second = self._by_parts.chance(before), self._on_graph(others)
        return None if first is None or second is None else first * second


def _chances(
    counted: Sequence[Chance | None], kinds: SetKinds, estimated: Callable[[Flags], Floats]
) -> ItemChances:
    """Put chances together, and estimate those of the kinds that would cost too much."""
    guessed = np.array([chance is None for chance in counted], np.bool_)
    values: list[Chance] = [Fraction(0) if chance is None else chance for chance in counted]
    detail = "All one-to-one mappings that agree with what is believed were counted."
    if guessed.any():
        some = estimated(guessed).tolist()
        for place, chance in zip(np.flatnonzero(guessed).tolist(), some, strict=True):
            values[place] = chance
        detail = (
            f"Mappings were counted, except for {int(kinds.many[guessed].sum()):,} of {int(kinds.many.sum()):,} sets, whose "
            "chances are estimated by belief propagation."
        )
    return ItemChances.counted(values, guessed, detail)


def _simulated(seen: ItemsSeen, sets: SomeSets, *, possible: bool) -> SolvedSets:
    """Count in random mappings how often each set is mapped onto itself; each set is a kind of its own."""
    if sets.number > MOST_SETS:
        raise BudgetExceeded(
            f"{sets.number:,} sets are too many for a simulation.", hint="judge a sample of them."
        )
    rows = sets.listed()
    hits = np.zeros(len(rows), np.int64)
    drawn, detail = _drawn(seen, possible=possible)
    sample = enough(summary(count_match(drawn, rows, hits)))
    often = (hits / len(sample.cracks)).tolist()
    chances = ItemChances(
        by_kind=often,
        kind_of=np.arange(len(often)),
        at_most=np.array([upper(share, sample.effective) for share in often]),
        method="simulated",
        detail=f"{detail} {len(sample.cracks):,} mappings were drawn.",
        estimated=np.zeros(len(often), np.bool_),
    )
    return SolvedSets(
        sets=SomeSets(size=sets.size, chosen=sets.chosen, rows=rows),
        kinds=SetKinds(rows, np.ones(len(rows), np.int64), np.arange(len(rows))),
        chances=chances,
        class_of=np.arange(seen.number),
    )


def _drawn(seen: ItemsSeen, *, possible: bool) -> tuple[Blocks, str]:
    seed = seen.effort.seed
    if isinstance(seen.of_sets, CrackGraph) and seen.pairs is not None:
        keep = seen.pairs.apart(seen.number).respected
        drawn = loop_chain(seen.of_sets, draws=DRAWS, seed=seed)
        return (block[keep(block)] for block in drawn), NEVER_WORDS
    if possible and seen.pairs is not None:
        apart = seen.pairs.apart(seen.number)
        return apart_chain(seen.windows, apart, draws=DRAWS, seed=seed), NEVER_WORDS
    outside = SOFTNESS / max(seen.number, 1)
    return soft_chain(seen.windows, outside=outside, draws=DRAWS, seed=seed), soft_words(outside)


def count_match(blocks: Blocks, rows: Ints, hits: Ints) -> Iterator[Ints]:
    """Pass mappings on, and count those that map each set onto itself (Count-Match, Figure 16)."""
    wanted = np.sort(rows, axis=1)
    for block in blocks:
        at_once = max(1, _CELLS // max(block.shape[0] * rows.shape[1], 1))
        for begin in range(0, len(rows), at_once):
            some = slice(begin, begin + at_once)
            mapped = np.sort(block[:, rows[some]], axis=2)
            hits[some] += (mapped == wanted[some]).all(axis=2).sum(axis=0)
        yield block


def chance_of(seen: ItemsSeen, members: Sequence[int]) -> Chance:
    """Return the chance of one set."""
    rows = np.array([sorted(members)], np.int64)
    alone = SomeSets(size=len(members), chosen=np.arange(seen.number), rows=rows)
    return solved(seen, alone, alone.kinds(seen.of_sets)).chances.of(0)
