"""Classes and ladders that are asked for, fixed on the values of a table as it is read."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from giveaway.errors import Mistake, ScenarioError
from giveaway.model.classes.fixed import Classes
from giveaway.model.classes.ladders import Ladder, can_be_chosen, ladder
from giveaway.model.classes.numbers import number
from giveaway.model.classes.rules import ClassRule, LadderRule, decimal_sign, not_judged, rules_of
from giveaway.model.data.arrays import Codes, Ints, added
from giveaway.model.data.labels import Label
from giveaway.sources.encoding.roles import check_names

Fixed = Mapping[str, Classes]
"""The classes of the columns that have any."""

Labels = Mapping[str, Mapping[str, str]]
"""For each column with classes the class of each value, by its text."""

_GAPS = frozenset(("", "None", "nan", "NaT", "<NA>"))
_SURE = 6
"""Fewer values may have the same order by chance."""
_FEW_VALUES = 20
"""With fewer values a column needs no ladder unless one is asked for."""


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """Which columns are put into classes, which may become coarser by rule, and how numbers are written."""

    classes: Mapping[str, ClassRule] = field(default_factory=dict)
    ladders: Mapping[str, LadderRule] | Literal["auto"] = field(default_factory=dict)
    decimal: str = "."

    def check(self, columns: Sequence[Label], judged: Sequence[Label]) -> None:
        """Refuse classes and ladders of columns that do not exist or are not judged."""
        wrong: list[Mistake] = []
        for name, named in (("classes", self.classes), ("ladders", self.ladders)):
            stated = [] if named == "auto" else list(named)
            try:
                check_names(stated, columns)
            except ScenarioError as error:
                wrong += [replace(mistake, field=name) for mistake in error.mistakes]
            wrong += [not_judged(one, name) for one in stated if one in columns and one not in judged]
        if wrong:
            raise ScenarioError(wrong)

    def fixed(self, column: str, counts: Mapping[str, int], missing: Collection[str]) -> Classes:
        """Fix the classes of a column whose values occur so often."""
        classes = Classes.of(column, self.classes[column], counts, self.decimal)
        clash = next((label for label in classes.rows if label in missing), None)
        if clash is not None:
            raise ScenarioError(
                f'The class "{clash}" of {column} is written as what counts as missing.',
                hint="give the classes labels of their own, or change missing.",
                field="classes",
            )
        return classes

    def undone(self, first: Mapping[str, Sequence[object]], unjudged: Collection[str]) -> dict[str, str]:
        """Find unjudged columns that show the exact values of a column with classes, in the first rows of a table."""
        return {
            other: f"the exact {column}"
            for other in unjudged
            for column in self.classes
            if _tells(first[column], first[other])
        }

    def relabelled(
        self, coded: Mapping[str, tuple[Codes, Sequence[Label]]], missing: Collection[str]
    ) -> tuple[dict[str, tuple[Codes, Sequence[Label]]], dict[str, Classes]]:
        """Put coded columns into their classes."""
        relabelled, classes_of = dict(coded), {}
        for column in self.classes:
            codes, labels = coded[column]
            counts = counted(codes, labels)
            classes_of[column] = fixed = self.fixed(column, counts, missing)
            classes = list(fixed.rows)
            place = {label: code for code, label in enumerate(classes)}
            became = [place[fixed.of_value[str(label)]] for label in labels]
            relabelled[column] = np.array([*became, -1], np.int32)[codes], classes
        return relabelled, classes_of

    def ladders_of(
        self,
        columns: Mapping[str, Codes],
        labels: Mapping[str, Sequence[Label]],
        weights: Ints,
        classes: Fixed,
        sensitive: Collection[str] = (),
    ) -> dict[str, Ladder]:
        """Make the ladders of a table of counted records."""
        counts = {
            name: dict(zip(labels[name], added(codes, weights, len(labels[name]) + 1).tolist(), strict=False))
            for name, codes in columns.items()
            if self.ladders == "auto" or name in self.ladders
        }
        if self.ladders == "auto":
            rules = {
                name: LadderRule(auto=True)
                for name, values in counts.items()
                if name not in sensitive and self._gains(values, classes.get(name))
            }
        else:
            rules = dict(self.ladders)
        ladders: dict[str, Ladder] = {}
        wrong: list[Mistake] = []
        for name, rule in rules.items():
            try:
                ladders[name] = ladder(name, rule, counts[name], classes.get(name), self.decimal)
            except ScenarioError as error:
                wrong += [replace(mistake, field="ladders") for mistake in error.mistakes]
        if wrong:
            raise ScenarioError(wrong)
        return ladders

    def _gains(self, counts: Mapping[Label, int], classes: Classes | None) -> bool:
        """Tell whether a column has many values that can be joined, or classes."""
        texts = {str(label): count for label, count in counts.items()}
        many = len(texts) > _FEW_VALUES if classes is None else len(texts) > 2  # noqa: PLR2004 # one can be joined
        return many and can_be_chosen(texts, classes, self.decimal)


NOTHING_ASKED = Grouping()


def grouping(
    classes: Mapping[str, Any] | None = None,
    ladders: Mapping[str, Any] | Literal["auto"] | None = None,
    decimal: str = ".",
) -> Grouping:
    """Read what is written of classes and ladders, and refuse all that is wrong at once."""
    wrong: list[Mistake] = []
    parts: dict[str, Any] = {"decimal": decimal}
    for name, stated, kind in (("classes", classes, ClassRule), ("ladders", ladders, LadderRule)):
        try:
            parts[name] = "auto" if stated == "auto" and kind is LadderRule else rules_of(stated, kind, name)  # type: ignore[arg-type]
        except ScenarioError as error:
            wrong += error.mistakes
    if wrong:
        raise ScenarioError(wrong)
    decimal_sign(decimal)
    return Grouping(**parts)


def _tells(ours: Sequence[object], theirs: Sequence[object]) -> bool:
    """Tell whether two columns have the same values, or numbers in the same or the opposite order."""
    texts = ((str(a).strip(), str(b).strip()) for a, b in zip(ours, theirs, strict=True))
    pairs = {pair for pair in texts if _GAPS.isdisjoint(pair)}
    known = {a for a, _ in pairs}
    if len(known) < _SURE or not len(known) == len({b for _, b in pairs}) == len(pairs):
        return False
    numbers = [(number(a), number(b)) for a, b in pairs]
    ordered = sorted((a, b) for a, b in numbers if a is not None and b is not None)
    if len(ordered) < len(pairs):
        return all(a == b for a, b in pairs)
    rises = {low[1] < high[1] for low, high in pairwise(ordered)}
    return len(rises) == 1


def counted(codes: Codes, labels: Sequence[Label]) -> dict[str, int]:
    """Count the values of a column by their texts; a text may stand for several."""
    counts: dict[str, int] = {}
    for label, count in zip(
        labels, np.bincount(codes[codes >= 0], minlength=len(labels)).tolist(), strict=True
    ):
        counts[str(label)] = counts.get(str(label), 0) + count
    return counts


def labels_of(fixed: Fixed) -> Labels:
    """Return the class of each value of each column with classes."""
    return {column: classes.of_value for column, classes in fixed.items()}
