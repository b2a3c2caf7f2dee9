"""Judge the attack `directory`: count who agrees with every released record, and weigh what it discloses."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.checker.attacks import inferred
from giveaway.checker.attacks.directory.agreement import Agreement, rows_as_people, shared
from giveaway.checker.attacks.directory.asked import DirectoryAsked, asked_of
from giveaway.checker.attacks.directory.candidates import candidates
from giveaway.checker.attacks.directory.look_alikes import CheckedLookAlikes
from giveaway.checker.attacks.directory.people_over import keeps_values, values_of_rows
from giveaway.checker.attacks.directory.records import CheckedRecords
from giveaway.checker.attacks.directory.sensitive_values import Target
from giveaway.checker.check import ReadBack
from giveaway.checker.files.tables import HIDDEN, ReleasedTable, as_shown
from giveaway.checker.grouping import numbered
from giveaway.checker.promise import Promise
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.sensitivity import Sensitivity

Weight = Fraction | float
Crowds = tuple[tuple[int | Fraction, ...], ...]
"""How many people agree with a record in each directory, for each set of columns that may be known."""

Losses = list[tuple[Weight, Crowds, int]]
"""How much records would hurt, how many people agree with them, and how many records there are."""

_FAR = 1e-9
"""Sums in floats that are farther from a limit than this part of it decide."""


def keeps(opened: ReadBack, promise: Promise) -> bool:
    """Tell whether the release is within tolerance, whether or not records without a candidate are listed somewhere."""
    inferred.check(opened, promise)
    losses, tolerance = _losses(opened, promise), promise.tolerance
    asked, alike = losses.asked, losses.alike
    if tolerance.identity is not None or tolerance.average is not None:
        wrong = opened.release.sensitivity.wrong
        if not all(_within(_listed(losses.terms, least), asked, tolerance, wrong) for least in (0, 1)):
            return False
    return tolerance.attribute is None or keeps_values(asked, alike, tolerance.attribute, tolerance.share)


def chances(opened: ReadBack, promise: Promise) -> list[Fraction]:
    """Return for each row of the original the chance of telling whose it is; nobody's is taken to be somebody's."""
    losses = _losses(opened, promise)
    asked, shown = losses.asked, losses.shown
    of_kind = []
    for crowds in losses.crowds:
        lines = [[max(crowd, 1) for crowd in line] for line in crowds]
        of_kind.append(asked.informed(max(_chance(line, asked.prior) for line in lines)))
    seen = np.stack([losses.alike.records.seen(name) for name in shown.columns], axis=1)
    place = {line.tobytes(): row for row, line in enumerate(shown.codes)}
    return [of_kind[place[line.tobytes()]] for line in np.ascontiguousarray(seen, np.int32)]


def values_of(opened: ReadBack, promise: Promise) -> list[dict[tuple[str, Target], Fraction]] | None:
    """Return for each row what is believed of it; None where too few people have a row that tells something."""
    losses = _losses(opened, promise)
    limit = promise.tolerance.attribute
    if limit is not None and not keeps_values(losses.asked, losses.alike, limit, Fraction(1)):
        return None
    return values_of_rows(losses.asked, losses.alike)


def _losses(opened: ReadBack, promise: Promise) -> "_Losses":
    shown, release, table = opened.content, opened.release, opened.table
    asked = asked_of(promise.attacker, release, table, opened.beside(promise.attack))
    records = CheckedRecords(table=table, release=release, spelled=shown.spelled)
    alike = CheckedLookAlikes(shown=shown, records=records, columns=asked.columns)
    return _Losses(shown=shown, asked=asked, alike=alike)


def _listed(terms: Losses, least: int) -> Losses:
    return [
        (phi, tuple(tuple(max(crowd, least) for crowd in line) for line in crowds), count)
        for phi, crowds, count in terms
    ]


def _within(terms: Losses, asked: DirectoryAsked, tolerance: Tolerance, wrong: Fraction) -> bool:
    records, prior = sum(count for _, _, count in terms), asked.prior
    chances = {crowds: asked.informed(max(_chance(line, prior) for line in crowds)) for _, crowds, _ in terms}
    if tolerance.identity is not None:
        over = sum(count for _, crowds, count in terms if chances[crowds] > tolerance.identity)
        if over > tolerance.share * records:
            return False
    if tolerance.average is None:
        return True
    limit = tolerance.average * records
    if prior:
        return _at_most(
            (
                (phi, asked.informed(max(_lost(line, prior, wrong) for line in crowds)), n)
                for phi, crowds, n in terms
            ),
            limit,
        )
    alone = [
        [Fraction(at == place) for at in range(len(terms[0][1][0]))] for place in range(len(terms[0][1][0]))
    ]
    return all(
        _at_most(
            (
                (phi, asked.informed(max(_lost(line, only, wrong) for line in crowds)), n)
                for phi, crowds, n in terms
            ),
            limit,
        )
        for only in alone
    )


def _lost(line: Sequence[int | Fraction], prior: Sequence[Fraction], wrong: Fraction) -> Fraction:
    """Return the part of a sensitivity that is lost: to who is right, and the part `wrong` to who is not but takes somebody."""
    some = sum((part for part, crowd in zip(prior, line, strict=True) if crowd), Fraction(0))
    right = _chance(line, prior)
    return right + wrong * (some - right)


def _chance(line: Sequence[int | Fraction], prior: Sequence[Fraction]) -> Fraction:
    """Return the chance of telling whose record it is: by the prior, or in the worst directory."""
    chances = [_alone(crowd) for crowd in line]
    if not prior:
        return max(chances)
    return sum((part * chance for part, chance in zip(prior, chances, strict=True)), Fraction(0))


def _alone(crowd: int | Fraction) -> Fraction:
    return 1 / Fraction(crowd) if crowd else Fraction(0)


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


@dataclass(frozen=True, kw_only=True, eq=False)
class _Losses:
    """The losses of a released table."""

    shown: ReleasedTable
    asked: DirectoryAsked
    alike: CheckedLookAlikes

    @property
    def _release(self) -> Release:
        return self.alike.records.release

    @property
    def _table(self) -> Table:
        return self.alike.records.table

    @cached_property
    def _attributes(self) -> tuple[str, ...]:
        """The columns compared, and those that weigh without being compared."""
        sensitivity, columns = self._release.sensitivity, self._table.columns
        weighing = {name for name, weight in sensitivity.columns.items() if weight}
        weighing |= {name for line in sensitivity.cells.values() for name, weight in line.items() if weight}
        weighing |= {
            name for line in sensitivity.pairs.values() for pair in line if line[pair] for name in pair
        }
        if sensitivity.records and not sensitivity.columns:
            weighing = {*columns}
        others = (name for name in columns if name in weighing and name not in self.asked.columns)
        return (*self.asked.columns, *others)

    def _crowds(self, chosen: tuple[str, ...]) -> list[tuple[int, ...]]:
        """Return the people of each directory whom each distinct released row may be of, for all that is known."""
        if not self.asked.knows_method:
            counted = [self._agreeing(people, chosen) for people in self._people]
        else:
            counted = self._looking_alike(chosen)
        return list(zip(*counted, strict=True))

    def _looking_alike(self, chosen: tuple[str, ...]) -> list[list[int]]:
        """Count who looks the same in what is known; where an entry of it was withheld, who does in all columns."""
        places = [self.asked.columns.index(name) for name in chosen]
        known = [self.alike.in_directory(people, places) for people in self.asked.directories]
        known = known or [self.alike.in_the_table(places)]
        if not self.asked.knows_less(chosen):
            return known
        changed = self.alike.changed(places)
        if self.asked.in_company:
            planned = self.asked.planned_by
            every = CheckedLookAlikes(shown=self.shown, records=self.alike.records, columns=planned)
            # Whatever directory somebody has, nobody is told from those whose rows look the same in all that was looked at.
            whole = [every.in_the_table(range(len(planned)))] * len(known)
            if self.asked.directories:
                known = [list(map(max, some, all_)) for some, all_ in zip(known, whole, strict=True)]
        else:
            whole = self._looking_alike(self.asked.columns)
        return [
            [all_ if gone else some for some, all_, gone in zip(*both, changed, strict=True)]
            for both in zip(known, whole, strict=True)
        ]

    @cached_property
    def _people(self) -> tuple[People, ...]:
        return self.asked.directories or (rows_as_people(self._table),)

    def _agreeing(self, people: People, chosen: tuple[str, ...]) -> list[int]:
        names = shared(chosen, people)
        first, group = numbered([self.shown.column(name) for name in chosen])
        agreement = Agreement(records=self.alike.records, asked=self.asked)
        sides = [
            agreement.side(people, name, self.shown.column(name)[first], people.columns[name])
            for name in names
        ]
        counts: list[int] = candidates(sides, people, len(first))[group].tolist()
        return counts

    @cached_property
    def crowds(self) -> list[Crowds]:
        """The people whom each distinct released row may be of, for each set of columns that may be known."""
        return list(zip(*(self._crowds(chosen) for chosen in self.asked.sets_for_identity()), strict=True))

    @cached_property
    def terms(self) -> Losses:
        """The losses, equal ones counted together."""
        if self.asked.likelihoods:
            return list(self._likely())
        counts: dict[tuple[Weight, Crowds], int] = {}
        for row, phi, count in self._weighed():
            key = phi, self.crowds[row]
            counts[key] = counts.get(key, 0) + count
        return [(phi, lines, count) for (phi, lines), count in counts.items()]

    def _likely(self) -> Iterator[tuple[Weight, Crowds, int]]:
        """Give the losses record by record, where people are taken by how likely they are, next to others who agree.

        As large a crowd of people as likely as the record's person would be as likely as all who agree.
        """
        together = [self._agreeing(one.people, self.asked.columns) for one in self.asked.likelihoods]
        sensitivity = self._release.sensitivity
        weighing = {*sensitivity.records, *sensitivity.cells, *sensitivity.pairs}
        for row, record in self._placed(list(self._table.ids)):
            own = [one.of[str(record)] for one in self.asked.likelihoods]
            crowds = tuple(Fraction(all_[row], one) for all_, one in zip(together, own, strict=True))
            own_weights = record if record in weighing else None
            yield _phi(sensitivity, own_weights, self._disclosed(row)), (crowds,), 1

    def _weighed(self) -> Iterator[tuple[int, Weight, int]]:
        """Give distinct released rows with how much they would hurt and how many records have both."""
        sensitivity, counts = self._release.sensitivity, self.shown.counts.copy()
        for row, record in self._named():
            counts[row] -= 1
            yield row, _phi(sensitivity, record, self._disclosed(row)), 1
        known: dict[tuple[str, ...], Weight] = {}
        for row in np.flatnonzero(counts).tolist():
            disclosed = self._disclosed(row)
            if disclosed not in known:
                known[disclosed] = _phi(sensitivity, None, disclosed)
            yield row, known[disclosed], int(counts[row])

    def _named(self) -> Iterator[tuple[int, Label]]:
        """Give the records with weights of their own, with the distinct released row that each became."""
        sensitivity = self._release.sensitivity
        yield from self._placed([*{*sensitivity.records, *sensitivity.cells, *sensitivity.pairs}])

    def _placed(self, records: Sequence[Label]) -> Iterator[tuple[int, Label]]:
        """Give records with the distinct released row that each became."""
        if not records:
            return
        rows = np.array([self._table.row(record) for record in records], np.int64)
        order = np.argsort(rows)
        codes = as_shown(self._table, self._release, self.shown.spelled, rows[order])
        place = {line.tobytes(): row for row, line in enumerate(self.shown.codes)}
        for at, line in zip(order.tolist(), codes, strict=True):
            yield place[line.tobytes()], records[at]

    def _disclosed(self, row: int) -> tuple[str, ...]:
        return tuple(name for name, there in zip(self._attributes, self._there[row], strict=True) if there)

    @cached_property
    def _there(self) -> list[list[bool]]:
        there: list[list[bool]] = np.stack(
            [self.shown.column(name) != HIDDEN for name in self._attributes], axis=1
        ).tolist()
        return there


def _phi(sensitivity: Sensitivity, record: Label | None, disclosed: Sequence[str]) -> Weight:
    """Weigh what a record discloses; None is one without weights of its own."""
    if not (sensitivity.columns or sensitivity.records or sensitivity.cells or sensitivity.pairs):
        return Fraction(1)
    weights = [_weight(sensitivity, record, name) for name in disclosed]
    for names, weight in sensitivity.pairs.get(record, {}).items():
        if all(name in disclosed for name in names):
            weights.append(weight)
    total: Weight = math.inf if math.inf in weights else sum(weights, Fraction(0))
    if sensitivity.form == "additive":
        return total
    try:
        return math.exp(total) if total else Fraction(1)
    except OverflowError:
        return math.inf


def _weight(sensitivity: Sensitivity, record: Label | None, column: str) -> Weight:
    if sensitivity.cells:
        return sensitivity.cells.get(record, {}).get(column, Fraction(0))
    parts = []
    if sensitivity.records:
        parts.append(sensitivity.records.get(record, Fraction(0)))
    if sensitivity.columns:
        parts.append(sensitivity.columns.get(column, Fraction(0)))
    if not all(parts):
        return Fraction(0)
    return math.inf if math.inf in parts else math.prod(parts, start=Fraction(1))
