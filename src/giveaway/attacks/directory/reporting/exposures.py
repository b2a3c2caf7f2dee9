"""Exposures of the attack `directory`: records, the largest loss first, put into words when they are looked at."""

from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from giveaway.attacks.directory.candidates.count import WIDEST
from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.question import DirectoryQuestion, ask
from giveaway.attacks.directory.reporting import sentences
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Exposure, Kind, Learnt, Listed, Step
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import label_key
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


class Followed(Exposure):
    """An exposure that can be looked up in another release."""

    def chance_in(self, release: Release) -> Chance | Literal["withheld"]:
        """Return the chance of the same in a release that withholds something else."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class LookedUp(Followed):
    """A record that remembers who looked it up and its row, to be looked up in another release."""

    entry: InitVar[tuple[DirectoryQuestion, int]]

    def __post_init__(self, entry: tuple[DirectoryQuestion, int]) -> None:
        object.__setattr__(self, "_entry", entry)

    def chance_in(self, release: Release) -> Chance | Literal["withheld"]:
        """Return the chance of the same record in a release that withholds something else."""
        asked, row = vars(self)["_entry"]
        question = ask(release, asked.attacker)
        group = int(question.groups.group_of[row])
        shows_something = question.groups.shown[group, : question.lookup.compared].any()
        if not shows_something and not question.attacker.knows_method:
            return "withheld"
        return question.chance(group)


class RowsOfKinds:
    """The rows of each kind in the order of their ids; those of the kind that was asked for last are remembered."""

    def __init__(self, table: Table, kind_of_row: Ints) -> None:
        self._table, self._latest = table, (-1, list[int]())
        self._rows = np.argsort(kind_of_row, kind="stable")
        self._kinds = kind_of_row[self._rows]

    def of(self, kind: int) -> list[int]:
        """Return the rows of a kind."""
        if self._latest[0] != kind:
            begin, end = np.searchsorted(self._kinds, [kind, kind + 1])
            ordered = self._rows[begin:end].tolist()
            if self._table.id is not None:
                ordered.sort(key=lambda row: label_key(self._table.ids[row]))
            self._latest = (kind, ordered)
        return self._latest[1]


class RecordExposures(Listed):
    """One exposure for each record: by falling loss, then chance, then labels; equal ones by their ids, else rows."""

    def __init__(self, question: DirectoryQuestion, tally: GroupsTally) -> None:
        self._question = question
        self._tally = tally

    @cached_property
    def _order(self) -> Ints:
        """The groups, the largest loss first."""
        tally = self._tally
        return np.lexsort((np.arange(len(tally.count)), -tally.chances, -tally.losses))

    @cached_property
    def _ends(self) -> Ints:
        """How many records stand in each group of that order and those before it."""
        return np.cumsum(self._tally.count[self._order])

    @cached_property
    def _rows(self) -> RowsOfKinds:
        return RowsOfKinds(self._question.original, self._question.groups.group_of)

    def __len__(self) -> int:
        return self._question.records

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        return self._exposure(*self._at(place))

    def learnt(self, place: int) -> Learnt:
        """Return the exposure at a place without its words."""
        group, row = self._at(place)
        return "identity", self._question.original.record(row), None, self._tally.chance(group)

    def where(self, met: Callable[[Kind, Chance], bool]) -> Sequence[int]:
        """Return the places of exposures whose chance meets something: those of whole groups."""
        marks = self._tally.groups_where(lambda chance: met("identity", chance))[self._order]
        places: list[int] = np.flatnonzero(np.repeat(marks, self._tally.count[self._order])).tolist()
        return places

    def place_of(self, learnt: Learnt) -> int | None:
        """Return where the record of an exposure stands; None where there is no such record."""
        kind, target, value, _ = learnt
        if kind != "identity" or value is not None:
            return None
        try:
            row = self._question.original.row(target)
        except ScenarioError:
            return None
        group = int(self._question.groups.group_of[row])
        rank = int(self._rank[group])
        return int(self._ends[rank] - self._tally.count[group]) + self._rows.of(group).index(row)

    @cached_property
    def _rank(self) -> Ints:
        """The place of each group in the order."""
        return np.argsort(self._order)

    def _at(self, place: int) -> tuple[int, int]:
        """Return the group and the row at a place."""
        rank = int(np.searchsorted(self._ends, place, "right"))
        group = int(self._order[rank])
        inside = place - int(self._ends[rank] - self._tally.count[group])
        return group, self._rows.of(group)[inside]

    def _exposure(self, group: int, row: int) -> Exposure:
        question, tally = self._question, self._tally
        directory = self._nearest(group)
        return LookedUp(
            target=question.original.record(row),
            kind="identity",
            chance=tally.chance(group),
            baseline=question.guess(group),
            sensitivity=float(question.phis.values[int(question.phis.of[group])]),
            because=self._because(group, directory),
            entry=(question, row),
        )

    def _because(self, group: int, directory: int) -> str:
        question = self._question
        crowd, telling = int(question.crowds[group, directory]), self._telling(group, directory)
        columns = [question.attributes[place] for place in telling]
        if question.attacker.knows_method:
            where = None if question.lookup.is_own else question.lookup.names[directory]
            return sentences.because_alike(crowd, where, columns)
        return sentences.because(
            crowd,
            question.lookup.sizes[directory],
            question.lookup.names[directory],
            columns,
            similar=question.attacker.match,
            gaps=any(question.lookup.gap(directory, place) for place in telling),
        )

    def _nearest(self, group: int) -> int:
        """Return the directory in which the fewest people agree, but not nobody where somebody does elsewhere."""
        crowds, prior = self._question.crowds[group], self._question.attacker.prior
        counts = np.array([bool(part) for part in prior]) if prior else True
        return int(np.argmin(np.where((crowds > 0) & counts, crowds, np.iinfo(np.int64).max)))

    def _telling(self, group: int, directory: int) -> list[int]:
        """Return few of the compared columns that leave as few people as all that are disclosed."""
        question, groups = self._question, self._question.groups
        shown = [place for place in question.telling_columns(group, directory) if groups.shown[group, place]]
        if question.attacker.knows_method or len(question.attributes) > WIDEST or groups.levels[group].any():
            return shown
        signature = question.lookup.matchings[directory].signature(groups.values[group])
        wanted = int(question.crowds[group, directory])

        def agreeing(columns: list[int]) -> int:
            mask = np.uint64(sum(1 << place for place in columns))
            return int(signature.counts[signature.masks & mask == mask].sum())

        for place in sorted(shown, key=lambda place: (-agreeing([place]), -place)):
            fewer = [other for other in shown if other != place]
            if fewer and agreeing(fewer) == wanted:
                shown = fewer
        return shown

    @property
    def _counts_records(self) -> bool:
        """Whether records are counted that look alike, not people."""
        return self._question.attacker.knows_method and self._question.lookup.is_own

    def worked(self) -> tuple[Step, ...]:
        """Show column by column how what the worst record discloses narrows the crowd."""
        question, groups = self._question, self._question.groups
        group = int(self._order[0])
        directory = self._nearest(group)
        lookup = question.lookup
        shown = [place for place in question.telling_columns(group, directory) if groups.shown[group, place]]
        if not shown:
            return ()
        alone = self._narrowed(group, [[place] for place in shown])[:, directory]
        order = [shown[place] for place in np.lexsort((np.arange(len(shown)), -alone))]
        crowds = self._narrowed(group, [order[: size + 1] for size in range(len(order))])[:, directory]
        everybody = (
            f"all {nouns().records}" if self._counts_records else f"all people in {lookup.names[directory]}"
        )
        steps = [Step(label=everybody, count=lookup.sizes[directory])]
        for place, crowd in zip(order, crowds.tolist(), strict=True):
            code, level = int(groups.values[group, place]), int(groups.levels[group, place])
            informed = question.attacker.knows_method
            like = "like " if question.attributes[place] in question.attacker.match and not informed else ""
            value = sentences.named(question.label(place, code, level))
            none = " or none" if lookup.gap(directory, place) and not informed else ""
            steps.append(Step(label=f"with {question.attributes[place]} {like}{value}{none}", count=crowd))
        return tuple(steps)

    def _narrowed(self, group: int, subsets: list[list[int]]) -> Ints:
        """Count whom a record of a group may be of when some of its columns only are compared."""
        groups = self._question.groups
        if self._question.attacker.knows_method:
            marks = [self._question.only(subset) for subset in subsets]
            return np.stack([self._question.crowds_comparing(columns)[group] for columns in marks])
        columns = np.stack([self._question.only(subset) for subset in subsets])
        values = np.where(columns, groups.values[group], HIDDEN).astype(np.int32)
        levels = np.where(columns, groups.levels[group], 0).astype(np.int8)
        return self._question.lookup.crowds(values, levels)
