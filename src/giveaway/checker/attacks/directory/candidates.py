"""Count the people of a directory who agree with released records, by splitting both column after column."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.checker.attacks.directory.jaro import Alike
from giveaway.checker.files.coarser_labels import ColumnTexts
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.people import People
from giveaway.model.progress import tell

NOTHING = -1
Step = tuple[Ints, Ints, int]
"""Records, the entries that agree with them so far, and the column that comes next."""

_PAIRS = 1 << 16
"""This many pairs of a record and an entry are compared at once."""

_FEW = 100
"""Fewer texts are compared one by one; among more, all that are similar are found first."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Side(ABC):
    """One column as it is compared: the codes of records and of entries, and which of them agree."""

    records: Codes
    entries: Codes
    gaps_agree: bool = False
    """Whether an entry with nothing in this column agrees with every value of a record."""

    @abstractmethod
    def those(self, code: int) -> NDArray[np.integer]:
        """Return the codes of entries that agree with a code of records."""

    @abstractmethod
    def alike(self, own: Codes, known: Codes) -> NDArray[np.bool_]:
        """Tell whether codes of records and of entries agree, pair by pair."""

    def split(self, asked: Ints, left: Ints, place: int) -> Iterator[Step]:
        """Divide records by their code, each part with the entries that agree; a blank of a record does with all."""
        own, codes = self.records[asked], self.entries[left]
        order = np.argsort(codes, kind="stable")
        codes, left = codes[order], left[order]
        by_code = np.argsort(own, kind="stable")
        values, starts = np.unique(own[by_code], return_index=True)
        for value, some in zip(values.tolist(), np.split(asked[by_code], starts[1:]), strict=True):
            if value == NOTHING:
                yield some, left, place + 1
                continue
            wanted = self.those(value)
            wanted = np.append(wanted, NOTHING) if self.gaps_agree else wanted
            begins, ends = (np.searchsorted(codes, wanted, side) for side in ("left", "right"))
            parts = [left[begin:end] for begin, end in zip(begins, ends, strict=True) if begin < end]
            yield some, np.concatenate(parts) if parts else left[:0], place + 1

    def agree(self, record: Ints, entry: Ints) -> NDArray[np.bool_]:
        """Tell of pairs of a record and an entry whether they agree."""
        own, known = self.records[record], self.entries[entry]
        agree: NDArray[np.bool_] = own == NOTHING
        if self.gaps_agree:
            agree |= known == NOTHING
        compared = ~agree & (known != NOTHING)
        agree[compared] = self.alike(own[compared], known[compared])
        return agree


@dataclass(frozen=True, kw_only=True, eq=False)
class Same(Side):
    """A column whose values agree with others: the same, or those of the same coarser label."""

    agreeing: Mapping[int, NDArray[np.integer]]
    """The codes of entries that agree with each code of records, ascending."""

    def those(self, code: int) -> NDArray[np.integer]:
        """Return the codes of entries that agree with a code of records."""
        return self.agreeing[code]

    def alike(self, own: Codes, known: Codes) -> NDArray[np.bool_]:
        """Tell whether codes of records and of entries agree, pair by pair."""
        pairs = own.astype(np.int64) * self._width + known
        place = np.minimum(np.searchsorted(self._pairs, pairs), len(self._pairs) - 1)
        agree: NDArray[np.bool_] = self._pairs[place] == pairs
        return agree

    @cached_property
    def _width(self) -> int:
        return int(self.entries.max(initial=0)) + 1

    @cached_property
    def _pairs(self) -> Ints:
        """The codes that agree, as one number for each pair, ascending, and one number above all."""
        parts = [code * self._width + them.astype(np.int64) for code, them in sorted(self.agreeing.items())]
        return np.concatenate([*parts, [np.iinfo(np.int64).max]])


@dataclass(frozen=True, kw_only=True, eq=False)
class Like(Side):
    """A column whose values agree when they are similar as texts."""

    texts: Sequence[str]
    """The text of each code of records."""
    theirs: Alike

    def those(self, code: int) -> NDArray[np.integer]:
        """Return the codes of entries that agree with a code of records."""
        if code not in self._those:
            self._those[code] = self.theirs.find(self.texts[code])
        return self._those[code]

    @cached_property
    def _those(self) -> dict[int, NDArray[np.integer]]:
        return {}

    def alike(self, own: Codes, known: Codes) -> NDArray[np.bool_]:
        """Tell whether codes of records and of entries agree, pair by pair."""
        agree = np.zeros(len(own), np.bool_)
        for code in np.unique(own).tolist():
            at = np.flatnonzero(own == code)
            if len(at) > _FEW:
                agree[at] = np.isin(known[at], self.those(code))
            else:
                agree[at] = [self._is_like(code, them) for them in known[at].tolist()]
        return agree

    def _is_like(self, own: int, known: int) -> bool:
        if (own, known) not in self._known:
            self._known[own, known] = self.theirs.is_like(self.texts[own], known)
        return self._known[own, known]

    @cached_property
    def _known(self) -> dict[tuple[int, int], bool]:
        return {}


def candidates(sides: Sequence[Side], people: People, records: int) -> Ints:
    """Count for each record the people with an entry that agrees in every column.

    Records and entries are divided column after column, until few enough are left to be compared pair by pair.
    """
    in_order = sorted(sides, key=lambda side: (isinstance(side, Like), -len(np.unique(side.entries))))
    counts = np.zeros(records, np.int64)
    owners = _owners(people)
    waiting = [iter([(np.arange(records), np.arange(len(people.alone)), 0)])]
    while waiting:
        step = next(waiting[-1], None)
        if step is None:
            waiting.pop()
            tell("checking the written files", 0)
            continue
        asked, left, place = step
        if place == len(in_order):
            counts[asked] = people.alone[left].sum() + _several(
                np.zeros(len(left), np.int64), left, 1, *owners
            )
        elif len(asked) * len(left) > _PAIRS and len(asked) > 1:
            waiting.append(in_order[place].split(asked, left, place))
        else:
            counts[asked] = _compared(in_order[place:], asked, left, people, owners)
    return counts


def _compared(
    sides: Sequence[Side], asked: Ints, left: Ints, people: People, owners: tuple[Ints, Ints]
) -> Ints:
    """Compare every record with every entry, and count the people of those that agree."""
    record, entry = np.repeat(np.arange(len(asked)), len(left)), np.tile(left, len(asked))
    for side in sides:
        agree = side.agree(asked[record], entry)
        record, entry = record[agree], entry[agree]
    alone = np.zeros(len(asked), np.int64)
    np.add.at(alone, record, people.alone[entry])
    return alone + _several(record, entry, len(asked), *owners)


def _owners(people: People) -> tuple[Ints, Ints]:
    """Return the people with several entries by their entries: where those of each entry begin, and who they are."""
    order = np.argsort(people.several_entry, kind="stable")
    counts = np.bincount(people.several_entry, minlength=len(people.alone))
    return np.concatenate([[0], np.cumsum(counts)]), people.several_person[order]


def _several(record: Ints, entry: Ints, records: int, starts: Ints, person: Ints) -> Ints:
    """Count for each record the people with several entries who have one of those that agree with it."""
    if not len(person):
        return np.zeros(records, np.int64)
    counts = starts[entry + 1] - starts[entry]
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    who = person[np.repeat(starts[entry], counts) + within]
    many = int(person.max()) + 1
    once = np.unique(np.repeat(record, counts) * many + who)
    return np.bincount(once // many, minlength=records)


def same_values(
    codes: Codes,
    labels: Sequence[Label],
    people: Sequence[Label],
    spelling: ColumnTexts | None,
    of: Mapping[str, tuple[Label, ...]],
) -> dict[int, NDArray[np.integer]]:
    """Find who agrees with each released code: the same value or text, or a value with the same coarser label."""
    by_name: dict[Label, list[int]] = {}
    for code, label in enumerate(people):
        for name in {label, str(label)}:
            by_name.setdefault(name, []).append(code)
    by_level: dict[tuple[int, Label], list[int]] = {}
    for code, label in enumerate(people):
        for level, coarse in enumerate(of.get(str(label), ()), start=1):
            by_level.setdefault((level, coarse), []).append(code)
    agreeing: dict[int, NDArray[np.integer]] = {}
    for code in np.unique(codes[codes != NOTHING]).tolist():
        if spelling is not None and code in spelling.meant:
            them = by_level.get(spelling.meant[code], [])
        else:
            names = {labels[code], str(labels[code])}
            them = sorted({at for name in names for at in by_name.get(name, ())})
        agreeing[code] = np.array(them, np.int32)
    return agreeing


def same_classes(
    codes: Codes,
    labels: Sequence[Label],
    met: Sequence[set[str]],
    spelling: ColumnTexts | None,
    of: Mapping[str, tuple[Label, ...]],
) -> dict[int, NDArray[np.integer]]:
    """Find who agrees with each released code: whoever's value lies in the class, or in one with that coarser label."""
    members: dict[str, list[int]] = defaultdict(list)
    for code, agreeing in enumerate(met):
        for label in agreeing:
            members[label].append(code)
    entries: dict[int, NDArray[np.integer]] = {}
    for code in np.unique(codes[codes != NOTHING]).tolist():
        if spelling is not None and code in spelling.meant:
            level, coarse = spelling.meant[code]
            classes = [label for label, above in of.items() if above[level - 1] == coarse]
        else:
            classes = [str(labels[code])]
        entries[code] = np.array(sorted({them for label in classes for them in members[label]}), np.int32)
    return entries


def near_values(
    codes: Codes, labels: Sequence[Label], people: Sequence[Label], distance: Fraction
) -> dict[int, NDArray[np.integer]]:
    """Find whose number differs by at most so much from each released one, with a window that moves along both."""
    theirs = sorted((Fraction(str(label).strip()), code) for code, label in enumerate(people))
    wanted = sorted(
        (Fraction(str(labels[code]).strip()), code) for code in np.unique(codes[codes != NOTHING]).tolist()
    )
    agreeing: dict[int, NDArray[np.integer]] = {}
    first = last = 0
    for value, code in wanted:
        while last < len(theirs) and theirs[last][0] <= value + distance:
            last += 1
        while first < last and theirs[first][0] < value - distance:
            first += 1
        agreeing[code] = np.array(sorted(them for _, them in theirs[first:last]), np.int32)
    return agreeing
