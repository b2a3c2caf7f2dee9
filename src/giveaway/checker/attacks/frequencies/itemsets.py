"""Which part of the sets of items is recognised too often: all sets counted by their kinds, or some drawn here."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod, sqrt
from random import Random, SystemRandom
from typing import Any

from giveaway.checker.attacks.frequencies.chances import Between, Kind, MappingGraph
from giveaway.model.progress import tell

MOST = 200_000
"""Kinds of sets that are looked at one by one; of more kinds some sets are drawn."""

DRAWN = 20_000
"""Sets that are drawn."""

_TOLD = 1_000
_SURE = 1.96

Part = Counter[tuple[Fraction, Fraction]]
"""How many sets have a chance between two numbers."""


Over = Callable[[Fraction], bool]
"""Whether a chance is over a limit."""


def over_limit(limit: Fraction, attacker: Mapping[str, Any]) -> Over:
    """Return what is over a limit: what is above it, and for the attacker of the paper what is at it (Definition 2.1)."""
    return limit.__lt__ if attacker["knows_method"] else limit.__le__


def over_in(graph: MappingGraph, members: Sequence[Kind], size: int, over: Over) -> Between:
    """Return the share of the sets of `size` of the members whose chance is over the limit."""
    counted = _counted(graph, Counter(members), size, over)
    if counted is None:
        return drawn(graph.chance, members, size, over)
    number = comb(len(members), size)
    return Between(Fraction(counted[0], number), Fraction(counted[1], number))


def drawn(
    chance: Callable[[Sequence[Kind]], Between], members: Sequence[Kind], size: int, over: Over
) -> Between:
    """Estimate that share from sets drawn here, by the operating system's entropy, with the 95 % interval (Wilson)."""
    random, surely, perhaps = chance_itself(), 0, 0
    for number in range(DRAWN):
        if number % _TOLD == 0:
            tell("checking the written files", number, DRAWN)
        between = chance(random.sample(members, size))
        surely += over(between.low)
        perhaps += over(between.high)
    return Between(interval(surely, DRAWN).low, interval(perhaps, DRAWN).high)


def chance_itself() -> Random:
    """Return a generator that begins anywhere: what the checker draws is nobody's choice, and quick to draw."""
    return Random(SystemRandom().getrandbits(256))  # noqa: S311 - no secret is drawn


def interval(hits: int, draws: int) -> Between:
    """Return the ends of the 95 % interval of a share: those whose own error reaches as far as what was seen (Wilson)."""
    share = hits / draws
    square = _SURE**2
    half = _SURE * sqrt(share * (1 - share) * draws + square / 4)
    low, high = ((hits + square / 2 + side * half) / (draws + square) for side in (-1, 1))
    return Between(Fraction(max(low, 0.0)), Fraction(min(high, 1.0)))


def _counted(graph: MappingGraph, many: Counter[Kind], size: int, over: Over) -> tuple[int, int] | None:
    """Count the sets whose chance is over the limit, surely and perhaps; None when there are too many kinds.

    Components are independent, and a chance only falls from one to the next: what is not over the limit is left out.
    """
    parts: dict[int, list[Kind]] = {}
    for kind in sorted(many):
        parts.setdefault(graph.part_of(kind), []).append(kind)
    if sum(comb(len(kinds) + size - 1, size) for kinds in parts.values()) > MOST:
        return None
    upto: list[Part] = [Counter({(Fraction(1), Fraction(1)): 1}), *(Part() for _ in range(size))]
    for number, kinds in enumerate(parts.values()):
        tell("checking the written files", number, len(parts))
        here = [_part(graph, kinds, many, inside, over) for inside in range(1, size + 1)]
        upto = [
            upto[total]
            + _joined(((upto[total - inside], here[inside - 1]) for inside in range(1, total + 1)), over)
            for total in range(size + 1)
        ]
        if sum(map(len, upto)) > MOST:
            return None
    counted = upto[size]
    return sum(times for (low, _), times in counted.items() if over(low)), counted.total()


def _part(
    graph: MappingGraph, kinds: Sequence[Kind], many: Mapping[Kind, int], size: int, over: Over
) -> Part:
    """Count the sets of `size` items of one component by their chance, those that may be over the limit."""
    counted = Part()
    for some in combinations_with_replacement(kinds, size):
        sets = prod(comb(many[kind], times) for kind, times in Counter(some).items())
        if sets:
            chance = graph.chance(some)
            if over(chance.high):
                counted[chance.low, chance.high] += sets
    return counted


def _joined(parts: Iterator[tuple[Part, Part]], over: Over) -> Part:
    """Put sets of some components together with those of another."""
    joined = Part()
    for before, here in parts:
        for (low, high), times in before.items():
            for (less, more), sets in here.items():
                if over(high * more):
                    joined[low * less, high * more] += times * sets
    return joined
