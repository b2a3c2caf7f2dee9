"""The released rows of which one may be somebody's: by what their record would show, or by what fits them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.checker.attacks.directory.agreement import Agreement, shared
from giveaway.checker.attacks.directory.asked import DirectoryAsked
from giveaway.checker.attacks.directory.candidates import Side
from giveaway.checker.attacks.directory.look_alikes import CheckedLookAlikes, Form, part_of, without
from giveaway.checker.attacks.directory.sensitive_values import RowsTally, View, tally_by, together
from giveaway.checker.files.tables import HIDDEN, Codes, Ints
from giveaway.checker.grouping import numbered
from giveaway.model.data.people import People

Views = tuple[list[View], Sequence[int]]
"""Different views, and which of them each entry of a directory has."""

_PAIRS = 1 << 16
"""This many pairs of a row and an entry are compared at once."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ReachedRows:
    """The rows of a release, with what they tell of one sensitive column."""

    asked: DirectoryAsked
    alike: CheckedLookAlikes
    sensitive: str

    @cached_property
    def everything(self) -> RowsTally:
        """What all rows tell."""
        return self._tallies(np.zeros(len(self._own), np.int64)).get(0, RowsTally())

    def views(self, people: People, chosen: Sequence[str]) -> Views:
        """Return what somebody sees of everybody in a directory, or of each different row, by the columns he knows."""
        if not chosen:
            return [((Fraction(1), self.everything),)], [0] * len(people.alone)
        if not self.asked.knows_method:
            return self._by_fit(people, chosen)
        return (
            self._in_directory(people, chosen)
            if self.asked.directories
            else self._in_the_table(people, chosen)
        )

    # By forms --------------------------------------------------------------------------------------------------

    def _in_the_table(self, people: People, chosen: Sequence[str]) -> Views:
        """Return the forms that records with the same values have, each with all rows of the same form."""
        records = self.alike.records
        _, profile = numbered([records.own(name) for name in chosen])
        _, form = numbered([records.seen(name) for name in chosen])
        tallies = self._tallies(form)
        carried: dict[int, Counter[int]] = defaultdict(Counter)
        (profiles, forms), counts = _distinct(profile, form)
        for one, shown, count in zip(profiles, forms, counts, strict=True):
            carried[one][shown] = count
        views: list[View] = [
            tuple((Fraction(count, of.total()), tallies[shown]) for shown, count in of.items())
            for _, of in sorted(carried.items())
        ]
        of_record = np.zeros(len(people.alone), np.int64)
        of_record[records.table.record_of] = profile
        return views, of_record.tolist()

    def blocks(self, chosen: Sequence[str]) -> list[View]:
        """Return what each block of rows shows to somebody who knows fewer columns than those that decided what is withheld.

        A row that shows all of these stands with those that show the same of them, another with those that look the same in
        all columns that decided.
        """
        alike, asked = self.alike, self.asked
        places = [asked.columns.index(name) for name in chosen]
        changed = dict(zip(alike.forms, alike.changed(places), strict=True))
        group, pairs = alike.numbered_pairs
        altered = np.array([changed[shown] and asked.knows_less(chosen) for _, shown in pairs], np.bool_)[
            group
        ]
        seen = alike.records.seen
        _, known = numbered([seen(name) for name in chosen] or [np.zeros(len(altered), np.int32)])
        _, whole = numbered([seen(name) for name in asked.planned_by])
        _, block = numbered([altered.astype(np.int32), np.where(altered, whole, known).astype(np.int32)])
        tallies = self._tallies(block)
        return [((Fraction(1), tallies[at]),) for at in range(len(tallies))]

    def _in_directory(self, people: People, chosen: Sequence[str]) -> Views:
        """Return what the record of each entry would show; a column in which the entry has a gap is not compared."""
        here = self.alike.held(people, [self.asked.columns.index(name) for name in chosen])
        by_known: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for entry in range(len(people.alone)):
            known = tuple(at for at in here if people.columns[self.asked.columns[at]][entry] != HIDDEN)
            by_known[known].append(entry)
        number: dict[tuple[tuple[int, ...], tuple[tuple[Form, Fraction], ...]], int] = {}
        views: list[View] = []
        of = [0] * len(people.alone)
        for known, entries in by_known.items():
            rows = _Published(self._by_pair, known)
            lines = self.alike.would_show(people, known, entries, same_in=known)
            for entry, line in zip(entries, lines, strict=True):
                key = known, tuple(line)
                if key not in number:
                    number[key] = len(views)
                    views.append(tuple((part, rows.of(form)) for form, part in line))
                of[entry] = number[key]
        return views, of

    @cached_property
    def _by_pair(self) -> list[tuple[Form, Form, RowsTally]]:
        """What the rows with some values, of which some are shown, tell."""
        group, pairs = self.alike.numbered_pairs
        tallies = self._tallies(group)
        return [(own, shown, tallies[at]) for at, (own, shown) in enumerate(pairs)]

    # By fits ---------------------------------------------------------------------------------------------------

    def _by_fit(self, people: People, chosen: Sequence[str]) -> Views:
        """Return the rows that fit each entry, all together."""
        records, names = self.alike.records, shared(chosen, people)
        if not names:
            return [((Fraction(1), self.everything),)], [0] * len(people.alone)
        first, row = numbered([records.seen(name) for name in names])
        known, entry = numbered([people.columns[name] for name in names])
        agreement = Agreement(records=records, asked=self.asked)
        sides = [
            agreement.side(
                people, name, records.seen(name)[first], people.columns[name][known].astype(np.int32)
            )
            for name in names
        ]
        tallies = self._tallies(row)
        fitting: dict[int, list[RowsTally]] = defaultdict(list)
        for rows, entries in _agreeing(sides, len(first), len(known)):
            for one, other in zip(rows.tolist(), entries.tolist(), strict=True):
                fitting[other].append(tallies[one])
        return [((Fraction(1), together(fitting[at])),) for at in range(len(known))], entry.tolist()

    def _tallies(self, group: Ints) -> dict[int, RowsTally]:
        """Return what groups of rows tell."""
        (groups, own, seen), counts = _distinct(group, self._own, self._seen)
        return tally_by(groups, own, seen, counts)

    @cached_property
    def _own(self) -> Codes:
        return self.alike.records.own(self.sensitive)

    @cached_property
    def _seen(self) -> Codes:
        return self.alike.records.seen(self.sensitive)


class _Published:
    """The rows that are published in a form, or would be but for values that they miss by nature."""

    def __init__(self, pairs: Sequence[tuple[Form, Form, RowsTally]], places: Sequence[int]) -> None:
        rows: dict[tuple[bool, ...], dict[Form, list[RowsTally]]] = defaultdict(lambda: defaultdict(list))
        for own, shown, tally in pairs:
            missing = tuple(value is None for value in part_of(own, places))
            rows[missing][part_of(shown, places)].append(tally)
        self._rows = rows
        self._known: dict[Form, RowsTally] = {}

    def of(self, form: Form) -> RowsTally:
        """Return what the rows of a form tell."""
        if form not in self._known:
            self._known[form] = together(
                tally
                for missing, by_form in self._rows.items()
                for tally in by_form.get(without(form, missing), ())
            )
        return self._known[form]


def _distinct(*columns: Codes | Ints) -> tuple[list[list[int]], list[int]]:
    """Return the different rows of some columns, column by column, and how often each occurs."""
    first, group = numbered(columns)
    return [column[first].tolist() for column in columns], np.bincount(group).tolist()


def _agreeing(sides: Sequence[Side], rows: int, entries: int) -> Iterator[tuple[Ints, Ints]]:
    """Give the pairs of a row and an entry that agree; both are divided column after column until few are left."""
    waiting = [(np.arange(rows), np.arange(entries), 0)]
    while waiting:
        asked, left, place = waiting.pop()
        if place < len(sides) and len(asked) > 1 and len(asked) * len(left) > _PAIRS:
            waiting.extend(sides[place].split(asked, left, place))
            continue
        row, entry = np.repeat(asked, len(left)), np.tile(left, len(asked))
        for side in sides[place:]:
            agree = side.agree(row, entry)
            row, entry = row[agree], entry[agree]
        yield row, entry
