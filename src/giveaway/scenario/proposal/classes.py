"""Classes and ladders that are proposed for columns with many values, as comments: nothing is applied by itself."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from giveaway.errors import GiveawayError
from giveaway.model.classes import dates
from giveaway.model.classes.fixed import Classes
from giveaway.model.classes.ladders import ladder
from giveaway.model.classes.numbers import is_whole, number
from giveaway.model.classes.rules import ClassRule, LadderRule
from giveaway.model.data.hierarchy import ANYTHING
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.scenario.proposal.column_words import meaning_of
from giveaway.scenario.proposal.guess_roles import FEW_VALUES, RoleGuess, RoleGuesses, guesses
from giveaway.scenario.proposal.writing import comment, toml
from giveaway.sources import Look, read_table
from giveaway.sources.encoding.grouping import counted

_NARROW = 150
_CODE = re.compile(r"zip|post ?code|postal|\bplz\b|postleitzahl|\bicd")
_CHARACTERS = 3
_WIDTH = 5


@dataclass(frozen=True, kw_only=True)
class ColumnClasses:
    """Classes and a ladder for one column, as a scenario writes them, with what they would make of it."""

    column: str
    classes: str
    ladder: str
    fixed: Classes
    rule: LadderRule

    @property
    def says(self) -> str:
        """Say what becomes of the column."""
        rows = self.fixed.rows
        smallest = min(rows.values())
        birth = meaning_of(self.column)
        return (
            f"{comment(self.column)}: {len(self.fixed.counts):,} values, {len(rows):,} "
            f"class{'es' if len(rows) > 1 else ''}, the smallest with {smallest:,} row{'s' if smallest > 1 else ''}"
            + ("; the date of birth is known to many" if birth is not None and birth.word == "birth" else "")
        )


@dataclass(frozen=True, kw_only=True)
class ProposedClasses:
    """What is proposed for the known columns of a table."""

    table: Table
    groups: tuple[ColumnClasses, ...]

    def comments(self, hierarchies: Mapping[str, str]) -> str:
        """Write the proposals; `hierarchies` are the files that ladders were written to, by their columns."""
        if not self.groups:
            return ""
        before, after = self._smallest
        classes = _inline({group.column: group.classes for group in self.groups})
        ladders = _inline({group.column: group.ladder for group in self.groups})
        files = _inline({name: toml(file) for name, file in hierarchies.items()})
        lines = [
            "Many values: remove the # to judge and publish classes of them, or to let single entries become coarser.",
            f"classes = {classes}    # k, the fewest rows equal in all known columns: {before:,} before, {after:,} after",
            *(f"  {group.says}" for group in self.groups),
            f"hierarchies = {files}" if hierarchies else f"ladders = {ladders}",
        ]
        return "".join(f"# {line}\n" for line in lines)

    @cached_property
    def _smallest(self) -> tuple[int, int]:
        """The smallest crowd of the known columns, as they stand and in classes."""
        names = list(self.table.columns)
        values = {name: self.table.columns[name] for name in names}
        became = dict(values)
        for group in self.groups:
            labels, place = self.table.labels[group.column], {x: at for at, x in enumerate(group.fixed.rows)}
            codes = [place[group.fixed.of_value[str(label)]] for label in labels]
            became[group.column] = np.array([*codes, -1], np.int32)[values[group.column]]
        return self._crowd(list(values.values())), self._crowd(list(became.values()))

    def _crowd(self, columns: Sequence[np.ndarray]) -> int:
        _, block = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
        rows = np.zeros(int(block.max()) + 1, np.int64)
        np.add.at(rows, block.reshape(-1), self.table.weights)
        return int(rows.min())

    def ladders(self) -> dict[str, str]:
        """Return the ladders as files in the form of ARX, by their columns."""
        files = {}
        for group in self.groups:
            hierarchy = ladder(group.column, group.rule, _labels(group.fixed), None).hierarchy
            text = io.StringIO()
            writer = csv.writer(text, delimiter=";", lineterminator="\n")
            writer.writerows([str(value), *labels, ANYTHING] for value, labels in hierarchy.of.items())
            files[group.column] = text.getvalue()
        return files


def propose_groups(data: Path, seen: Look) -> ProposedClasses | None:
    """Propose classes and ladders for the known columns that have many values; None where there are none."""
    roles = guesses(seen)
    known = [guess.column.name for guess in roles.known]
    if not any(guess.column.distinct > FEW_VALUES for guess in roles.known):
        return None
    try:
        table = read_table(
            data,
            separator=seen.separator,
            header=seen.header,
            encoding=seen.encoding,
            missing=seen.missing,
            leave_out=[column.name for column in seen.columns if column.name not in known],
        )
    except GiveawayError:  # what cannot be read as a table is told when it is assessed
        return None
    groups = tuple(
        group for name in table.columns if (group := _group(name, _counts(table, name))) is not None
    )
    return ProposedClasses(table=table, groups=groups)


def ask_for_ids(roles: RoleGuesses, columns: Sequence[RoleGuess]) -> Iterator[str]:
    """Ask of numbers that nearly every row has for itself, and that are called so, whether they name the records."""
    for guess in columns:
        column, meaning = guess.column, meaning_of(guess.column.name)
        named = meaning is not None and meaning.word == "id"
        if named and column.numeric and 2 * column.distinct > roles.rows and guess is not roles.id:
            yield f"# Does {comment(column.name)} name the records? Then write id = {toml(column.name)}\n"


def _counts(table: Table, column: str) -> dict[str, int]:
    codes = np.repeat(table.columns[column], table.weights)
    return counted(codes, table.labels[column])


def _group(column: str, counts: Mapping[str, int]) -> ColumnClasses | None:
    if len(counts) <= FEW_VALUES:
        return None
    if _are_codes(column, counts):
        longest = max(map(len, counts))
        left = list(range(longest - 1, 0, -1))
        rule = LadderRule(prefix=tuple(left))
        return _column_classes(
            column, {"prefix": _CHARACTERS}, "{ prefix = 3 }", f"{{ prefix = {left} }}", rule, counts
        )
    values = [value for text in counts if (value := number(text)) is not None]
    if len(values) == len(counts):
        if all(map(is_whole, values)) and max(values) - min(values) <= _NARROW:
            return _column_classes(
                column, _WIDTH, "{ width = 5 }", "[5, 10, 20]", LadderRule(auto=True), counts
            )
        return _column_classes(
            column, "quantiles 5", '"quantiles 5"', '"quantiles 8"', LadderRule(auto=True), counts
        )
    if all(dates.span(text) is not None for text in counts):
        return _column_classes(
            column, "year", '"year"', '["month", "year", "decade"]', LadderRule(auto=True), counts
        )
    return None


def _column_classes(
    column: str, forms: object, classes: str, written: str, rule: LadderRule, counts: Mapping[str, int]
) -> ColumnClasses:
    fixed = Classes.of(column, ClassRule.of(forms), counts)
    return ColumnClasses(column=column, classes=classes, ladder=written, fixed=fixed, rule=rule)


def _are_codes(column: str, counts: Mapping[str, int]) -> bool:
    """Tell whether values are codes, not numbers: digits of one length that may begin with 0, or by their name."""
    if min(map(len, counts)) <= _CHARACTERS:
        return False
    digits = all(text.isascii() and text.isdigit() for text in counts)
    zeros = (
        digits and len({len(text) for text in counts}) == 1 and any(text.startswith("0") for text in counts)
    )
    return zeros or _CODE.search(re.sub(r"[^a-z0-9]+", " ", column.lower())) is not None


def _labels(fixed: Classes) -> dict[Label, int]:
    return dict(fixed.counts.items())


def _inline(fields: Mapping[str, str]) -> str:
    named = (name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml(name) for name in fields)
    return (
        "{ "
        + ", ".join(f"{comment(name)} = {value}" for name, value in zip(named, fields.values(), strict=True))
        + " }"
    )
