"""How much what a record discloses would hurt: the sensitivities of the paper, exact where they are sums."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosure.weights import Form, Weights
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.data.table import Table
from giveaway.model.release.sensitivity import Sensitivity, Weight

Pairs = tuple[tuple[tuple[int, ...], Weight], ...]
Line = tuple[tuple[Weight, ...], Pairs]
"""The weights of the attributes of one record, and of two or more of them together, by their numbers in ascending order."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Phis:
    """The sensitivities (Phi) of many records: of record i it is `values[of[i]]`."""

    values: tuple[Weight, ...]
    of: Ints
    wrong: Fraction = Fraction(0)
    """The part of it that hurts when a wrong person is taken for the one of the record."""

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """The sensitivity of each record as a float."""
        return np.array([float(value) for value in self.values], np.float64)[self.of]


@dataclass(frozen=True, kw_only=True, eq=False)
class Weighing:
    """The weights of a table: rows with the same weights are of one class."""

    form: Form
    lines: tuple[Line, ...]
    """The weights of each class."""
    class_of: Ints | None
    """The class of each row; None when there is only one."""
    unnamed: int = 0
    """The number of records without a weight of their own, where records have some."""
    wrong: Fraction = Fraction(0)
    """The part of a sensitivity that hurts when a wrong person is taken for the one of the record."""

    @property
    def is_exact(self) -> bool:
        """Whether sensitivities are fractions, not floats."""
        return self.form != "multiplicative"

    def classes(self, rows: int) -> Ints:
        """Return the class of each row."""
        return np.zeros(rows, np.int64) if self.class_of is None else self.class_of

    def phis(self, classes: Ints, shown: NDArray[np.bool_]) -> Phis:
        """Return the sensitivity of records, given by their class and the attributes that they disclose."""
        kinds, first = alike([classes, *shown.T])
        values = [self.phi(int(classes[row]), np.flatnonzero(shown[row]).tolist()) for row in first]
        return Phis(values=tuple(values), of=kinds, wrong=self.wrong)

    def phi(self, line: int, shown: list[int]) -> Weight:
        """Return the sensitivity of a record of a class that discloses some attributes."""
        if self.form == "constant":
            return Fraction(1)
        each, pairs = self.lines[line]
        parts = [each[place] for place in shown]
        parts += [weight for places, weight in pairs if set(places) <= set(shown)]
        total: Weight = math.inf if math.inf in parts else sum(parts, Fraction(0))
        if self.form == "additive":
            return total
        try:
            return Fraction(1) if total == 0 else math.exp(total)
        except OverflowError:
            return math.inf

    @property
    def greatest(self) -> Weight:
        """The sensitivity of the record that weighs most when everything is disclosed."""
        lines = range(len(self.lines)) if self.class_of is None else np.unique(self.class_of).tolist()
        everything = list(range(len(self.lines[0][0])))
        return max(self.phi(line, everything) for line in lines)

    def weights(self, line: int) -> Weights:
        """Return the weights of a class as the searches take them."""
        each, pairs = self.lines[line]
        square = np.zeros((len(each), len(each)))
        further = []
        for places, weight in pairs:
            if len(places) == 2:  # noqa: PLR2004 - the searches know pairs by themselves
                square[places] = float(weight)
            else:
                further.append((sum(1 << place for place in places), float(weight)))
        single = np.array([float(weight) for weight in each], np.float64)
        return Weights(self.form, single, square if square.any() else None, tuple(further))

    def split(self, marks: Ints) -> "tuple[Weighing, Ints]":
        """Return the same with classes whose rows have the same marks, a line for each row; and those of each class."""
        classes = self.classes(len(marks))
        kinds, first = alike([classes, *marks.T])
        lines = tuple(self.lines[line] for line in classes[first].tolist())
        return replace(self, lines=lines, class_of=kinds), marks[first]


def weigh(sensitivity: Sensitivity, table: Table, attributes: tuple[str, ...]) -> Weighing:
    """Read the weights of a table as classes of rows."""
    for column in sensitivity.named:
        if column == table.id or column not in table.columns:
            raise ScenarioError(
                f'A weight is given to the column "{column}", which is not published.',
                exists=", ".join(table.columns),
            )
    if sensitivity.is_constant:
        nothing: Line = ((Fraction(0),) * len(attributes), ())
        return Weighing(form="constant", lines=(nothing,), class_of=None, wrong=sensitivity.wrong)
    own = sorted({*sensitivity.records, *sensitivity.cells, *sensitivity.pairs}, key=str)
    rows = [table.row(record) for record in own]
    if len(set(rows)) < len(rows):
        raise ScenarioError(
            f"{nouns().A_record} is given weights twice.", hint=f"name each {nouns().record} once."
        )
    usual = _line(sensitivity, None, attributes)
    lines = [_line(sensitivity, record, attributes) for record in own]
    order = sorted({usual, *lines})
    class_of = None
    if len(order) > 1 or lines:
        number = {line: place for place, line in enumerate(order)}
        class_of = np.full(len(table), number[usual], np.int64)
        class_of[rows] = [number[line] for line in lines]
    return Weighing(
        form=sensitivity.form,
        lines=tuple(order),
        class_of=class_of,
        unnamed=len(table) - len(rows) if sensitivity.records or sensitivity.cells else 0,
        wrong=sensitivity.wrong,
    )


def weighty(sensitivity: Sensitivity, table: Table) -> frozenset[str]:
    """Return the columns with a weight above 0 for some record."""
    if sensitivity.records and not sensitivity.columns:
        return frozenset(table.columns)
    weighted = {name for name, weight in sensitivity.columns.items() if weight}
    for line in sensitivity.cells.values():
        weighted |= {name for name, weight in line.items() if weight}
    for pairs in sensitivity.pairs.values():
        weighted |= {name for pair, weight in pairs.items() if weight for name in pair}
    return frozenset(weighted)


def _line(sensitivity: Sensitivity, record: object, attributes: tuple[str, ...]) -> Line:
    """Return the weights of one record; None is a record that is not named."""
    each = tuple(sensitivity.weight(record, name) for name in attributes)
    place = {name: at for at, name in enumerate(attributes)}
    pairs = {
        tuple(sorted(place[name] for name in names)): weight
        for names, weight in sensitivity.pairs.get(record, {}).items()
        if weight and all(name in place for name in names)
    }
    return each, tuple(sorted(pairs.items()))
