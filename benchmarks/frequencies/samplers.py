"""The sampler that the product is compared with: independent mappings.

The product counts mappings where these could be drawn.
"""

import numpy as np
from benchmarks.frequencies import sampler_kernels as kernels

from giveaway.attacks.frequencies.crack_graph.windows import Windows
from giveaway.attacks.frequencies.exact_chances.items import BUDGET
from giveaway.attacks.frequencies.exact_chances.messages import Messages
from giveaway.attacks.frequencies.exact_chances.plan import best_plan, part_of
from giveaway.attacks.frequencies.sampling.chains import Blocks, blocks, names_of_places
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell


def independent(windows: Windows, *, draws: int, seed: int, budget: int = BUDGET) -> Blocks | None:
    """Draw independent mappings with the dynamic program; None when that takes more than `budget` transitions."""
    made = []
    by_class = np.argsort(windows.classes.of, kind="stable")
    upto = np.concatenate([[0], np.cumsum(windows.classes.many)])
    names = names_of_places(windows)
    for number, piece in enumerate(windows.pieces):
        tell("counting mappings", number, len(windows.pieces))
        plan = best_plan(part_of(windows, piece), budget)
        if plan is None:
            return None
        budget -= plan.work
        items = by_class[upto[piece.head] : upto[piece.tail]]
        inner = windows.classes.of[items] - piece.head
        places = windows.before[piece.begin : piece.end]
        made.append(_Drawer(Messages(plan), items, inner, places, names))
    return _drawn(windows, made, draws, np.random.default_rng(seed))


def _drawn(windows: Windows, made: list["_Drawer"], draws: int, random: np.random.Generator) -> Blocks:
    for _, block in blocks(windows.items, draws, 0):
        for drawer in made:
            drawer.draw(random, block)
        yield block


class _Drawer:
    """Draws the part of a mapping that is in one component: its items, their classes there, and its places."""

    def __init__(self, messages: Messages, items: Ints, inner: Ints, places: Ints, names: Ints) -> None:
        self._factorial = messages.factorial
        part = messages.plan.part
        groups = len(part.sizes)
        order = np.argsort(part.first[inner], kind="stable")
        self._items = items[order]
        self._opens = np.searchsorted(part.first[inner[order]], np.arange(groups + 1))
        self._last = part.last[inner[order]]
        self._places = places[::-1].copy() if part.backwards else places
        self._names = names
        ending = np.bincount(self._last, minlength=groups)
        self._pools = kernels.Pools(
            np.concatenate([[0], np.cumsum(ending)]),
            np.empty(len(items), np.int64),
            np.zeros(groups, np.int64),
            np.empty(int(part.sizes.max()), np.int64),
        )
        self._steps = _in_one_piece(messages)

    def draw(self, random: np.random.Generator, block: Ints) -> None:
        """Fill the columns of this component."""
        kernels.independent(
            random,
            self._steps,
            self._factorial,
            self._opens,
            self._items,
            self._last,
            self._places,
            self._names,
            self._pools,
            block,
        )


def _in_one_piece(messages: Messages) -> kernels.Steps:
    steps = messages.steps
    inverse = [np.argsort(step.origin).astype(np.int32) for step in steps]
    return kernels.Steps(
        at=np.array(messages.plan.at, np.int64),
        last=np.array([step.last for step in steps], np.int64),
        states_from=_starts([len(step.open) for step in steps]),
        open=_together([step.open for step in steps], np.int32),
        sorted_at=_together(inverse, np.int32),
        runs_from=_starts([len(step.low) for step in steps]),
        begin=_together([step.begin[:-1] for step in steps], np.int64),
        low=_together([step.low for step in steps], np.int64),
        high=_together([step.high for step in steps], np.int64),
        target=_together([step.target for step in steps], np.int64),
        ahead_from=_starts([len(message) for message in messages.ahead]),
        ahead=np.concatenate(messages.ahead),
    )


def _starts(lengths: list[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def _together(arrays: list[np.ndarray], kind: type) -> np.ndarray:
    return np.concatenate(arrays).astype(kind) if arrays else np.zeros(0, kind)
