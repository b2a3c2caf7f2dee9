"""Every lot that can be drawn, with its chance: whatever is drawn is answered in all ways, one run for each."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random, SystemRandom
from typing import Any, TypeVar

import numpy.random  # noqa: F401 # draws when it is imported
import pytest

T = TypeVar("T")
Answer = tuple[Any, ...]

OTHERS = {
    Random: ("shuffle", "choice", "choices", "randrange", "randbytes"),
    SystemRandom: ("random", "getrandbits"),
}
"""Ways to draw that are not gone through."""


def every(run: Callable[[], T]) -> Iterator[tuple[Fraction, T]]:
    """Give what a run comes to for all lots that it may draw, and how likely these are.

    Lots come from `sample` of some kind of `Random` that is not the seeded one; two that have the same key answer alike.
    """
    waiting: list[tuple[Answer, ...]] = [()]
    while waiting:
        script, drawn, chance = waiting.pop(), list[Answer](), Fraction(1)
        sources, answers = list[Random](), dict[tuple[object, int], Answer]()

        def sample(source: Random, population: Sequence[Any], k: int) -> list[Any]:
            nonlocal chance
            assert type(source) is not Random, "who can be found by a seed is not drawn"
            sources.append(source)  # noqa: B023 # used up before the next turn
            turn = sum(other is source for other in sources)  # noqa: B023
            name = getattr(source, "_key", id(source)), turn
            if name not in answers:  # noqa: B023
                ways = Counter(permutations(population, k))
                if len(drawn) < len(script):  # noqa: B023
                    answer = script[len(drawn)]  # noqa: B023
                else:
                    answer, *others = sorted(ways)
                    waiting.extend((*drawn, other) for other in others)  # noqa: B023
                drawn.append(answer)  # noqa: B023
                answers[name] = answer  # noqa: B023
                chance *= Fraction(ways[answer], ways.total())
            return list(answers[name])  # noqa: B023

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Random, "sample", sample)
            for kind, names in OTHERS.items():
                for other in names:
                    patch.setattr(kind, other, _unknown)
            found = run()
        yield chance, found


def _unknown(*_: Any) -> Any:
    raise AssertionError("Lots are drawn in a way that is not gone through.")
