"""Judge the attack `directory`: count who agrees with every released record, and weigh what it discloses."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.checker.attacks.directory.candidates import (
    Like,
    Same,
    Side,
    candidates,
    near_values,
    same_classes,
    same_values,
)
from giveaway.checker.attacks.directory.jaro import Alike
from giveaway.checker.attacks.directory.look_alikes import LookAlikes
from giveaway.checker.check import Check, Opened
from giveaway.checker.files.classes import Derived
from giveaway.checker.files.coarser_labels import as_written
from giveaway.checker.files.tables import HIDDEN, Shown, visible
from giveaway.checker.grouping import Ints, numbered
from giveaway.checker.promise import Promise
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.sensitivity import Sensitivity

Weight = Fraction | float
Losses = list[tuple[Weight, tuple[int, ...], int]]
"""How much records would hurt, how many people agree with them in each directory, and how many records there are."""

_FAR = 1e-9
"""Sums in floats that are farther from a limit than this part of it decide."""


def keeps(shown: Shown, release: Release, table: Table, promise: Promise) -> bool:
    """Tell whether the release is within tolerance, whether or not records without a candidate are listed somewhere."""
    losses = _Losses(shown, release, table, promise.attacker)
    prior: Sequence[Fraction] = promise.attacker["prior"]
    return all(_within(_listed(losses.terms, least), prior, promise.tolerance) for least in (0, 1))


def _listed(terms: Losses, least: int) -> Losses:
    return [(phi, tuple(max(crowd, least) for crowd in line), count) for phi, line, count in terms]


def _within(terms: Losses, prior: Sequence[Fraction], tolerance: Tolerance) -> bool:
    records = sum(count for _, _, count in terms)
    chances = {line: _chance(line, prior) for _, line, _ in terms}
    if tolerance.identity is not None:
        over = sum(count for _, line, count in terms if chances[line] > tolerance.identity)
        if over > tolerance.share * records:
            return False
    if tolerance.average is None:
        return True
    limit = tolerance.average * records
    if prior:
        return _at_most(((phi, chances[line], count) for phi, line, count in terms), limit)
    directories = range(len(terms[0][1]))
    return all(
        _at_most(((phi, _alone(line[place]), count) for phi, line, count in terms), limit)
        for place in directories
    )


def _chance(line: Sequence[int], prior: Sequence[Fraction]) -> Fraction:
    """Return the chance of telling whose record it is: by the prior, or in the worst directory."""
    chances = [_alone(crowd) for crowd in line]
    if not prior:
        return max(chances)
    return sum((part * chance for part, chance in zip(prior, chances, strict=True)), Fraction(0))


def _alone(crowd: int) -> Fraction:
    return Fraction(1, crowd) if crowd else Fraction(0)


def _at_most(terms: Iterator[tuple[Weight, Fraction, int]], limit: Fraction) -> bool:
    """Compare a sum of losses with a limit, exactly where it is close; no chance makes even infinity harmless."""
    held = [(phi, chance * count) for phi, chance, count in terms if phi and chance]
    near = math.fsum(float(phi) * float(part) for phi, part in held)
    exact = [phi * part for phi, part in held if isinstance(phi, Fraction)]
    if len(exact) < len(held) or abs(near - float(limit)) > _FAR * float(limit):
        return near <= float(limit)
    by_denominator: dict[int, Fraction] = {}
    for loss in exact:
        by_denominator[loss.denominator] = by_denominator.get(loss.denominator, Fraction(0)) + loss
    return sum(by_denominator.values(), Fraction(0)) <= limit


# What records disclose, who agrees, and how much it weighs ------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Losses:
    """The losses of a released table."""

    shown: Shown
    release: Release
    table: Table
    attacker: Mapping[str, Any]

    @cached_property
    def _directories(self) -> tuple[People, ...]:
        given: tuple[People, ...] = self.attacker["directories"]
        if given:
            return given
        nobody = np.zeros(0, np.int64)
        return (
            People(
                columns=self.table.columns,
                labels=self.table.labels,
                alone=self.table.weights,
                several_person=nobody,
                several_entry=nobody,
            ),
        )

    @cached_property
    def _compared(self) -> tuple[str, ...]:
        """The columns that are named; else all common ones, of the table itself those that are not sensitive."""
        named: tuple[str, ...] = self.attacker["columns"]
        if named:
            return named
        if not self.attacker["directories"]:
            return tuple(name for name in self.table.columns if name not in self.table.sensitive)
        return tuple(
            name for name in self.table.columns if any(name in people.columns for people in self._directories)
        )

    @cached_property
    def _attributes(self) -> tuple[str, ...]:
        """The columns compared, and those that weigh without being compared."""
        said = self.release.sensitivity
        weighing = {name for name, weight in said.columns.items() if weight}
        weighing |= {name for line in said.cells.values() for name, weight in line.items() if weight}
        weighing |= {
            name for line in said.pairs.values() for pair, weight in line.items() if weight for name in pair
        }
        if said.records and not said.columns:
            weighing = {*self.table.columns}
        others = (name for name in self.table.columns if name in weighing and name not in self._compared)
        return (*self._compared, *others)

    @cached_property
    def _crowds(self) -> Ints:
        """The people of each directory whom each distinct released row may be of."""
        if self.attacker["knows_method"]:
            alike = LookAlikes(
                shown=self.shown, release=self.release, table=self.table, columns=self._compared
            )
            if not self.attacker["directories"]:
                return np.array(alike.in_the_table(), np.int64)[:, None]
            return np.array([alike.in_directory(people) for people in self._directories], np.int64).T
        codes = [self.shown.column(name) for name in self._compared]
        first, group = numbered(codes)
        counted = [
            candidates(self._sides(people, first), people, len(first))[group] for people in self._directories
        ]
        return np.stack(counted, axis=1)

    def _sides(self, people: People, rows: Ints) -> list[Side]:
        """Put the columns next to each other; one that the directory does not have agrees with everybody."""
        return [self._side(people, name, rows) for name in self._compared if name in people.columns]

    def _side(self, people: People, name: str, rows: Ints) -> Side:
        ours, theirs = self.table.labels[name], people.labels[name]
        codes, entries = self.shown.column(name)[rows], people.columns[name]
        gaps_agree = self.release.gaps == "agree"
        if name in self.attacker["match"] and "distance" in vars(self.attacker["match"][name]):
            given = near_values(codes, ours, theirs, self.attacker["match"][name].distance)
            return Same(records=codes, entries=entries, gaps_agree=gaps_agree, given=given)
        if name in self.attacker["match"]:
            alike = Alike([str(label) for label in theirs], self.attacker["match"][name].at_least)
            texts = [str(label) for label in ours]
            return Like(records=codes, entries=entries, gaps_agree=gaps_agree, texts=texts, theirs=alike)
        spelling = self.shown.spelled.get(name)
        of = as_written(self.release, name) if spelling is not None else {}
        if name in self.table.classes:
            met = Derived(self.table.classes[name]).agreeing(theirs)
            given = same_classes(codes, ours, met, spelling, of)
        else:
            given = same_values(codes, ours, theirs, spelling, of)
        return Same(records=codes, entries=entries, gaps_agree=gaps_agree, given=given)

    @cached_property
    def terms(self) -> Losses:
        """The losses, equal ones counted together."""
        lines = [tuple(line) for line in self._crowds.tolist()]
        found: dict[tuple[Weight, tuple[int, ...]], int] = {}
        for row, phi, count in self._weighed():
            key = phi, lines[row]
            found[key] = found.get(key, 0) + count
        return [(phi, line, count) for (phi, line), count in found.items()]

    def _weighed(self) -> Iterator[tuple[int, Weight, int]]:
        """Give distinct released rows with how much they would hurt and how many records have both."""
        said, counts = self.release.sensitivity, self.shown.counts.copy()
        for row, record in self._named():
            counts[row] -= 1
            yield row, _phi(said, record, self._disclosed(row)), 1
        known: dict[tuple[str, ...], Weight] = {}
        for row in np.flatnonzero(counts).tolist():
            disclosed = self._disclosed(row)
            if disclosed not in known:
                known[disclosed] = _phi(said, None, disclosed)
            yield row, known[disclosed], int(counts[row])

    def _named(self) -> Iterator[tuple[int, Label]]:
        """Give the records with weights of their own, with the distinct released row that each became."""
        said = self.release.sensitivity
        records = [*{*said.records, *said.cells, *said.pairs}]
        if not records:
            return
        rows = np.array([self.table.row(record) for record in records], np.int64)
        order = np.argsort(rows)
        codes = np.stack(
            [
                visible(self.table, self.release, name, rows[order], self.shown.spelled.get(name))
                for name in self.shown.columns
            ],
            axis=1,
        )
        place = {line.tobytes(): row for row, line in enumerate(self.shown.codes)}
        for at, line in zip(order.tolist(), codes, strict=True):
            yield place[line.tobytes()], records[at]

    def _disclosed(self, row: int) -> tuple[str, ...]:
        return tuple(name for name, there in zip(self._attributes, self._there[row], strict=True) if there)

    @cached_property
    def _there(self) -> list[list[bool]]:
        found: list[list[bool]] = np.stack(
            [self.shown.column(name) != HIDDEN for name in self._attributes], axis=1
        ).tolist()
        return found


def _phi(said: Sensitivity, record: Label | None, disclosed: Sequence[str]) -> Weight:
    """Weigh what a record discloses; None is one without weights of its own."""
    if not (said.columns or said.records or said.cells or said.pairs):
        return Fraction(1)
    weights = [_weight(said, record, name) for name in disclosed]
    for (first, second), weight in said.pairs.get(record, {}).items():
        if first in disclosed and second in disclosed:
            weights.append(weight)
    total: Weight = math.inf if math.inf in weights else sum(weights, Fraction(0))
    if said.form == "additive":
        return total
    try:
        return math.exp(total) if total else Fraction(1)
    except OverflowError:
        return math.inf


def _weight(said: Sensitivity, record: Label | None, column: str) -> Weight:
    if said.cells:
        return said.cells.get(record, {}).get(column, Fraction(0))
    parts = []
    if said.records:
        parts.append(said.records.get(record, Fraction(0)))
    if said.columns:
        parts.append(said.columns.get(column, Fraction(0)))
    if not all(parts):
        return Fraction(0)
    return math.inf if math.inf in parts else math.prod(parts, start=Fraction(1))


def _keeps(opened: Opened, promise: Promise) -> bool:
    table = opened.release.original
    assert isinstance(table, Table)  # noqa: S101 # called for tables
    return keeps(opened.content, opened.release, table, promise)


CHECK = Check(attack="directory", form="rows", limits=("identity", "average"), keeps=_keeps)
