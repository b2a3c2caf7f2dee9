"""Sensitive columns that are published next to those compared, and what of them must not be told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.readings.attribute_chances import Flags, ValueTargets
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.directory.readings.shares import HIDDEN, MISSING
from giveaway.errors import DataError, NothingToJudge, ScenarioError
from giveaway.model.classes.numbers import number
from giveaway.model.data.arrays import Codes
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release

_FEW = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Sensitive:
    """A sensitive column, line by line of equal rows: what is shown of it, and what is true."""

    name: str
    labels: tuple[Label, ...]
    targets: ValueTargets
    close: Close | None
    numbers: tuple[Fraction, ...]
    """The values as numbers, where a guess need only be close."""
    shown: Codes
    """The code that each line shows, of a value or a coarser label; `MISSING` where there is none, `HIDDEN` if withheld."""
    true: Codes

    def called(self, target: int) -> Label:
        """Name a target: a value, or a class of values."""
        return self.labels[target] if target < len(self.labels) else self._classes[target - len(self.labels)]

    def is_class(self, target: int) -> bool:
        """Tell whether a target is a class of values."""
        return target >= len(self.labels)

    @property
    def _classes(self) -> list[str]:
        return list(self.targets.classes)


def sensitive_columns(question: DirectoryQuestion) -> tuple[Sensitive, ...]:
    """Return the sensitive columns that are published without being compared, those with something to be told."""
    release, original, published = question.release, question.original, question.published
    names = [name for name in original.sensitive if name not in question.compared]
    _check(release, names, original)
    for name in question.attacker.within:
        if name not in names:
            raise ScenarioError(
                f'within names the column "{name}", which is not a sensitive one that is published.',
                exists=", ".join(names) or "no sensitive column",
                field="within",
            )
    columns = []
    for name in names:
        labels = original.labels[name]
        close = question.attacker.within.get(name)
        true = original.columns[name][question.lines.record]
        shown = published.columns[name][question.lines.published]
        coarser = _coarser(release, name, labels) if (shown >= len(labels)).any() else []
        if close is not None and coarser:
            raise NothingToJudge(
                f"Coarser labels of {name} are published, and which guesses are close to these is not worked out.",
                hint="leave the column out of within, or publish its numbers.",
            )
        columns.append(
            Sensitive(
                name=name,
                labels=labels,
                targets=targets(release, name, labels, coarser),
                close=close,
                numbers=() if close is None else _numbers(name, labels),
                shown=np.where(shown >= 0, shown, np.where(true >= 0, HIDDEN, MISSING)).astype(np.int32),
                true=true,
            )
        )
    return tuple(
        one
        for one in columns
        if one.close is not None or one.targets.classes or one.targets.single.any() or not len(one.labels)
    )


def targets(
    release: Release, column: str, labels: Sequence[Label], coarser: Sequence[Flags] = ()
) -> ValueTargets:
    """Return what must not be told of a column: its values or those named, classes of them, labels of its hierarchy.

    A label of the hierarchy that holds one value is that value, and the name of a class is never that of another.
    """
    code_of = {str(label): code for code, label in enumerate(labels)}
    classes = {
        name: sorted({code_of[str(value)] for value in values})
        for name, values in release.sensitive_classes.get(column, {}).items()
    }
    for level, label, marks in _of_hierarchy(release, column, labels):
        codes = np.flatnonzero(marks).tolist()
        if 1 < len(codes) < len(labels) and codes not in classes.values():
            classes[f"{label} at level {level}" if str(label) in classes else str(label)] = codes
    wanted, chosen = release.sensitive_values, None
    if wanted or (wanted is not None and column in release.sensitive_classes):
        chosen = [code_of[str(value)] for value in wanted if str(value) in code_of]
    return ValueTargets.of(len(labels), chosen, classes, coarser)


def _coarser(release: Release, column: str, labels: Sequence[Label]) -> list[Flags]:
    """Return the values that each coarser label of a column stands for, in the order of their codes."""
    return [marks for _, _, marks in _of_hierarchy(release, column, labels)]


def _of_hierarchy(
    release: Release, column: str, labels: Sequence[Label]
) -> Iterator[tuple[int, Label, Flags]]:
    """Give the labels of a column's hierarchy, level by level, with the values that they hold."""
    hierarchy = release.hierarchies.get(column)
    for level in range(1, 1 + (0 if hierarchy is None else hierarchy.depth)):
        assert hierarchy is not None  # noqa: S101 # it has levels
        codes = hierarchy.codes(labels, level)
        for code, label in enumerate(hierarchy.groups(level)):
            yield level, label, codes == code


def _check(release: Release, names: Sequence[str], table: Table) -> None:
    """Refuse values and classes of values that there are not."""
    labels = table.labels
    held = {str(label) for name in table.sensitive for label in labels[name]}
    for value in release.sensitive_values or ():
        if str(value) not in held:
            raise ScenarioError(
                f"The sensitive value {value!r} does not occur.", exists=_some(held), field="sensitive_values"
            )
    for column, classes in release.sensitive_classes.items():
        if column not in names:
            raise ScenarioError(
                f'sensitive_classes names the column "{column}", which is not a sensitive one that is published.',
                exists=", ".join(names) or "no sensitive column",
                field="sensitive_classes",
            )
        there = {str(label) for label in labels[column]}
        for name, values in classes.items():
            absent = next((value for value in values if str(value) not in there), None)
            if absent is not None:
                raise ScenarioError(
                    f'The class "{name}" of {column} names {absent!r}, which does not occur.',
                    exists=_some(there),
                    field="sensitive_classes",
                )


def _some(values: set[str]) -> str:
    first = sorted(values)[:_FEW]
    return ", ".join(first) + (", ..." if len(values) > _FEW else "")


def _numbers(name: str, labels: Sequence[Label]) -> tuple[Fraction, ...]:
    numbers = [number(str(label)) for label in labels]
    wrong = sum(value is None for value in numbers)
    if wrong:
        raise DataError(
            f"{wrong:,} different values of {name} are not numbers, so that no guess is close to them.",
            hint="leave the column out of within.",
        )
    return tuple(Fraction(value) for value in numbers if value is not None)
