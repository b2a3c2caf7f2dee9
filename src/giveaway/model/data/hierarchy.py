"""Hierarchies of values: what an entry becomes when it is published coarser."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import ScenarioError
from giveaway.model.data.labels import Label, in_order

ANYTHING = "*"
"""The label that says nothing, as in the files of ARX."""


@dataclass(frozen=True, init=False)
class Hierarchy:
    """For each value of a column the coarser labels that may be published in its place, the finest first.

    >>> ages = Hierarchy({"23": ["20-29", "young"], "28": ["20-29", "young"], "61": ["60-69", "old"]})
    >>> ages.depth, ages.label("28", 1), ages.label(28, 2)
    (2, '20-29', 'young')

    Levels at which every label is `*` say nothing and are left out: that is hiding.
    """

    of: Mapping[Label, tuple[Label, ...]]

    def __init__(self, of: Mapping[Label, Iterable[Label]]) -> None:
        lines = {value: tuple(labels) for value, labels in of.items()}
        if len({len(labels) for labels in lines.values()}) > 1:
            raise ScenarioError("The values of a hierarchy have different numbers of levels.")
        depth = len(next(iter(lines.values()), ()))
        while depth and all(labels[depth - 1] == ANYTHING for labels in lines.values()):
            depth -= 1
        object.__setattr__(self, "of", {value: labels[:depth] for value, labels in lines.items()})
        for level in range(2, depth + 1):
            self._check_nested(level)
        self._check_meaning(depth)

    def _check_nested(self, level: int) -> None:
        coarser: dict[Label, Label] = {}
        for labels in self.of.values():
            fine, coarse = labels[level - 2], labels[level - 1]
            if coarser.setdefault(fine, coarse) != coarse:
                raise ScenarioError(
                    f'The label "{fine}" of level {level - 1} of a hierarchy belongs to two labels of level {level}.',
                    hint="each level joins whole groups of the level below.",
                )

    def _check_meaning(self, depth: int) -> None:
        """Refuse labels that stand for different values at different levels: nobody could tell which are meant."""
        meant: dict[str, set[Label]] = {str(value): {value} for value in self.of}
        for level in range(depth):
            here: dict[str, set[Label]] = {}
            for value, labels in self.of.items():
                here.setdefault(str(labels[level]), set()).add(value)
            for label, values in here.items():
                if meant.setdefault(label, values) != values:
                    raise ScenarioError(
                        f'The label "{label}" of level {level + 1} of a hierarchy stands for other values at a finer level.',
                        hint="give groups names of their own.",
                    )

    @cached_property
    def depth(self) -> int:
        """The number of levels above the values themselves."""
        return len(next(iter(self.of.values()), ()))

    @cached_property
    def _written(self) -> dict[str, tuple[Label, ...]]:
        """The labels of each value as it is written, since a number in a frame is a text in a file."""
        return {str(value): labels for value, labels in self.of.items()}

    def labels(self, value: Label) -> tuple[Label, ...] | None:
        """Return the coarser labels of a value, the finest first; None where it has no line."""
        return self.of.get(value) or self._written.get(str(value))

    def label(self, value: Label, level: int) -> Label:
        """Return what is published of a value at a level, counted from 1."""
        labels = self.labels(value)
        if labels is None:
            raise KeyError(value)
        return labels[level - 1]

    def groups(self, level: int) -> tuple[Label, ...]:
        """Return the distinct labels of a level, in label order."""
        return tuple(in_order(labels[level - 1] for labels in self.of.values()))

    def codes(self, values: Sequence[Label], level: int) -> NDArray[np.int32]:
        """Return for each value the place of its label among the groups of a level; -2 for values without one."""
        place = {label: code for code, label in enumerate(self.groups(level))}
        lines = map(self.labels, values)
        return np.array([-2 if line is None else place[line[level - 1]] for line in lines], np.int32)

    def check(self, column: str, values: Iterable[Label]) -> None:
        """Refuse values that have no line in the hierarchy."""
        bare = [value for value in values if self.labels(value) is None]
        if bare:
            raise ScenarioError(
                f"{len(bare):,} values of {column} have no line in its hierarchy, such as {bare[0]!r}.",
                hint="give every value of the column a line.",
            )
