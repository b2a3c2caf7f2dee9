"""Count who looks exactly like a released record, text by text: what is left to somebody who knows the method."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.checker.attacks.directory.records import CheckedRecords
from giveaway.checker.files.classes import Derived
from giveaway.checker.files.coarser_labels import as_written
from giveaway.checker.files.tables import HIDDEN, Ints, ReleasedTable
from giveaway.checker.grouping import numbered
from giveaway.model.data.people import People
from giveaway.model.progress import tell

Form = tuple[str | None, ...]
"""What is written in each column, None for nothing."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckedLookAlikes:
    """A released table and the columns in which records are compared; `chosen` are the places of those that are known."""

    shown: ReleasedTable
    records: CheckedRecords
    columns: Sequence[str]

    @cached_property
    def forms(self) -> list[Form]:
        """What each distinct released row shows."""
        texts = [self._texts(name, self.shown.column(name)) for name in self.columns]
        return list(zip(*texts, strict=True))

    def in_the_table(self, chosen: Sequence[int]) -> list[int]:
        """Count the released records that show the same as each distinct row."""
        counts: Counter[Form] = Counter()
        forms = [part_of(form, chosen) for form in self.forms]
        for form, count in zip(forms, self.shown.counts.tolist(), strict=True):
            counts[form] += count
        return [counts[form] for form in forms]

    def in_directory(self, people: People, chosen: Sequence[int]) -> list[int]:
        """Count the people whose record would show the same as each distinct row, whatever it misses by nature."""
        here = self.held(people, chosen)
        fewest: dict[Form, int] = {}
        by_missing: dict[tuple[bool, ...], set[Form]] = defaultdict(set)
        for own, shown in self._pairs:
            by_missing[tuple(own[at] is None for at in here)].add(part_of(shown, here))
        for missing, forms in by_missing.items():
            tell("checking the written files", 0)
            crowds = self._crowds(people, here, missing)
            for form in forms:
                crowd = crowds.get(form, 0)
                fewest[form] = min(fewest.get(form, crowd), crowd)
        shapes = [part_of(form, here) for form in self.forms]
        # Where nothing is shown and nobody would look like it, nobody can be looked up.
        return [fewest[form] or (len(people) if not any(form) else 0) for form in shapes]

    def changed(self, chosen: Sequence[int]) -> list[bool]:
        """Tell of each distinct row whether it may show other values in some of these columns than its record has.

        A blank of the original looks like one that is withheld, but where nobody has a value.
        """
        release = self.records.release
        if not (release.hidden or release.coarser):
            return [False] * len(self.forms)
        other: dict[Form, set[int]] = defaultdict(set)
        filled = {at for own, _ in self._pairs for at, value in enumerate(own) if value is not None}
        for own, shown in self._pairs:
            pairs = enumerate(zip(own, shown, strict=True))
            other[shown] |= {at for at, (value, text) in pairs if text is None or value != text}
        return [not other[form].isdisjoint(filled.intersection(chosen)) for form in self.forms]

    def held(self, people: People, chosen: Sequence[int]) -> list[int]:
        """Return the places of the chosen columns that a directory has."""
        return [place for place in chosen if self.columns[place] in people.columns]

    @cached_property
    def _pairs(self) -> Counter[tuple[Form, Form]]:
        """How many records have some values and show some of them."""
        counted: Counter[tuple[Form, Form]] = Counter()
        group, pairs = self.numbered_pairs
        for pair, count in zip(pairs, np.bincount(group).tolist(), strict=True):
            counted[pair] += count
        return counted

    @cached_property
    def numbered_pairs(self) -> tuple[Ints, list[tuple[Form, Form]]]:
        """The number of each row of the table, and for each number the values and what is shown of them."""
        own = [self.records.own(name) for name in self.columns]
        seen = [self.records.seen(name) for name in self.columns]
        first, group = numbered([*own, *seen])
        labels = [self.records.table.labels[name] for name in self.columns]
        values = zip(
            *([_text(of, int(code)) for code in codes[first]] for of, codes in zip(labels, own, strict=True)),
            strict=True,
        )
        shown = zip(
            *(self._texts(name, codes[first]) for name, codes in zip(self.columns, seen, strict=True)),
            strict=True,
        )
        return group, list(zip(values, shown, strict=True))

    def _texts(self, name: str, codes: np.ndarray) -> list[str | None]:
        labels = self.records.texts(name)
        return [_text(labels, code) for code in codes.tolist()]

    def _crowds(self, people: People, here: list[int], missing: tuple[bool, ...]) -> dict[Form, int]:
        """Count the people of a directory by the form of their record, if it missed these columns."""
        owners: dict[int, list[int]] = defaultdict(list)
        for person, entry in zip(people.several_person.tolist(), people.several_entry.tolist(), strict=True):
            owners[entry].append(person)
        parts: dict[Form, list[tuple[Fraction, int]]] = defaultdict(list)
        held: dict[Form, Counter[int]] = defaultdict(Counter)
        everywhere = self.held(people, range(len(self.columns)))
        every = range(len(people.alone))
        for entry, lines in enumerate(self.would_show(people, here, every, same_in=everywhere)):
            blanked: dict[Form, Fraction] = defaultdict(Fraction)
            for form, part in lines:
                blanked[without(form, missing)] += part
                for person in owners[entry]:
                    held[without(form, missing)][person] += 1
            for form, part in blanked.items():
                parts[form].append((part, int(people.alone[entry]) + len(owners[entry])))
        return {form: _crowd(lines, max(held[form].values(), default=1)) for form, lines in parts.items()}

    def would_show(
        self, people: People, here: Sequence[int], entries: Iterable[int], *, same_in: Sequence[int]
    ) -> Iterator[list[tuple[Form, Fraction]]]:
        """Give what the record of entries would show: as those with the same values do, as planned, or all of it.

        `same_in` has the places of the columns in which the values must be the same.
        """
        everywhere = self.held(people, range(len(self.columns)))
        seen: dict[Form, Counter[Form]] = defaultdict(Counter)
        for (own, shown), count in self._pairs.items():
            seen[part_of(own, same_in)][part_of(shown, here)] += count
        names = [self.columns[at] for at in everywhere]
        within, compared = ([everywhere.index(at) for at in places] for places in (here, same_in))
        planned, release = self._planned(people, names), self.records.release
        coarser = {name: as_written(release, name) for name in names if name in release.hierarchies}
        columns = [(self._values(name, people), people.columns[name].tolist()) for name in names]
        for entry in entries:
            whole = tuple(None if codes[entry] == HIDDEN else texts[codes[entry]] for texts, codes in columns)
            if alike := seen.get(part_of(whole, compared)):
                yield [(form, Fraction(count, alike.total())) for form, count in alike.items()]
                continue
            levels = planned.get(whole, (0,) * len(whole))
            form = tuple(_at_level(whole[at], levels[at], coarser.get(names[at], {})) for at in within)
            yield [(form, Fraction(1))]

    def _planned(self, people: People, names: Sequence[str]) -> dict[Form, tuple[int, ...]]:
        """Return at which levels the values of people are planned to be shown."""
        for plan in self.records.release.plans:
            if plan.people is people or (
                plan.columns == tuple(self.columns) and plan.people.name == people.name
            ):
                codes = [plan.people.columns[name].tolist() for name in names]
                labels = [plan.people.labels[name] for name in names]
                levels = plan.levels[:, [plan.columns.index(name) for name in names]].tolist()
                own = zip(
                    *([_text(of, code) for code in one] for of, one in zip(labels, codes, strict=True)),
                    strict=True,
                )
                return dict(zip(own, map(tuple, levels), strict=True))
        return {}

    def _values(self, name: str, people: People) -> list[str]:
        """Return the values of a directory as a release would write them, in classes where it has some."""
        labels = people.labels[name]
        if name not in self.records.table.classes:
            return [str(label) for label in labels]
        met = Derived(self.records.table.classes[name]).agreeing(labels)
        return [
            next(iter(one)) if len(one) == 1 else str(label) for one, label in zip(met, labels, strict=True)
        ]


def part_of(form: Form, places: Sequence[int]) -> Form:
    """Return what is written in some of the columns."""
    return tuple(form[at] for at in places)


def without(form: Form, missing: Sequence[bool]) -> Form:
    """Return what is written where some columns are missing."""
    return tuple(None if gone else text for text, gone in zip(form, missing, strict=True))


def _crowd(lines: list[tuple[Fraction, int]], most: int) -> int:
    """Return one in how many the likeliest person has, of whom up to so many entries are shown in this form."""
    listed = [(part, people) for part, people in lines if people]
    largest = max((part for part, _ in listed), default=Fraction(1))
    return int(sum((part * people for part, people in listed), Fraction(0)) / (largest * most))


def _at_level(text: str | None, level: int, coarser: Mapping[str, tuple[object, ...]]) -> str | None:
    if text is None or level < 0:
        return None
    if level == 0:
        return text
    labels = coarser.get(text)
    return f"\0{text}" if labels is None else str(labels[level - 1])


def _text(labels: Sequence[object], code: int) -> str | None:
    return None if code == HIDDEN else str(labels[code])
