"""A sensitive column: what rows tell of it, and the largest chance with which something is believed of somebody."""

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from giveaway.checker.attacks.directory.asked import DirectoryAsked
from giveaway.checker.attacks.directory.records import CheckedRecords
from giveaway.checker.files.coarser_labels import as_written
from giveaway.checker.files.tables import HIDDEN
from giveaway.checker.promise import unconfirmed


@dataclass(frozen=True, kw_only=True, eq=False)
class RowsTally:
    """Some released rows: how many show each code of the sensitive column, of how many it was hidden, and how many have none."""

    shown: Counter[int] = field(default_factory=Counter)
    hidden: int = 0
    missing: int = 0

    @property
    def with_value(self) -> Fraction:
        """The part of the rows that have a value."""
        some = self.shown.total() + self.hidden
        return Fraction(some, max(some + self.missing, 1))

    @property
    def tells_nothing(self) -> bool:
        """Whether no row has a value, be it shown or hidden."""
        return not self.shown and not self.hidden


def together(tallies: Iterable[RowsTally]) -> RowsTally:
    """Join rows."""
    shown: Counter[int] = Counter()
    hidden = missing = 0
    for tally in tallies:
        shown.update(tally.shown)
        hidden += tally.hidden
        missing += tally.missing
    return RowsTally(shown=shown, hidden=hidden, missing=missing)


View = tuple[tuple[Fraction, RowsTally], ...]
"""The rows of which one is somebody's, in parts that add up to 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ValueBelief:
    """How likely each code is, and how likely the value was hidden: it then counts as whatever is guessed."""

    codes: Mapping[int, Fraction]
    hidden: Fraction


def belief(view: View, everything: RowsTally) -> ValueBelief:
    """Return what a view tells of somebody who has a value: parts count by how many of their rows have one.

    Rows that do not show the column tell what all rows do that show it.
    """
    codes: dict[int, Fraction] = defaultdict(Fraction)
    hidden = Fraction(0)
    having = sum((part * rows.with_value for part, rows in view), Fraction(0))
    for of_all, rows in view:
        part = of_all * rows.with_value / having if having else of_all
        tally = rows if rows.shown else RowsTally(shown=everything.shown)
        total = tally.shown.total() + tally.hidden
        for code, count in tally.shown.items():
            codes[code] += part * Fraction(count, total)
        hidden += part * Fraction(tally.hidden, total)
    return ValueBelief(codes=codes, hidden=hidden)


Target = frozenset[str]
"""Values, as they are written, of which one may be guessed."""


class ValueGuesses(ABC):
    """What may be guessed about a sensitive column."""

    @abstractmethod
    def largest(self, believed: ValueBelief, own: int | None) -> Fraction:
        """Return the chance of the best guess: of all, or of those that hold the code of somebody's own value."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ValuesAndClasses(ValueGuesses):
    """Values and classes of values."""

    holding: Mapping[int, Sequence[int]]
    """The targets that each code lies in, or may lie in where it is a coarser label."""
    number: int

    def largest(self, believed: ValueBelief, own: int | None) -> Fraction:
        """Return the chance of the likeliest target."""
        asked = range(self.number) if own is None else self.holding.get(own, ())
        chances = dict.fromkeys(asked, believed.hidden)
        for code, chance in believed.codes.items():
            for target in self.holding[code]:
                if target in chances:
                    chances[target] += chance
        return max(chances.values(), default=Fraction(0))


@dataclass(frozen=True, kw_only=True, eq=False)
class CloseNumbers(ValueGuesses):
    """Numbers, of which every one may be guessed that is close enough."""

    ranges: Mapping[int, tuple[Fraction, Fraction]]
    """From where to where guesses are right for each code that is a value; for a coarser label all may be."""

    def largest(self, believed: ValueBelief, own: int | None) -> Fraction:
        """Return the chance of the best guess: some range begins there, since it could else be moved down."""
        if own is not None and own not in self.ranges:
            return Fraction(0)
        least, most = self.ranges[own] if own is not None else (None, None)
        vague = sum(
            (chance for code, chance in believed.codes.items() if code not in self.ranges), Fraction(0)
        )
        ranges = [
            (*self.ranges[code], chance) for code, chance in believed.codes.items() if code in self.ranges
        ]
        begins = sorted((low, chance) for low, _, chance in ranges)
        ends = sorted((high, chance) for _, high, chance in ranges)
        guesses = sorted({low for low, _ in begins} | ({least} if least is not None else set()))
        open_now, best, begun, ended = Fraction(0), Fraction(0), 0, 0
        for guess in guesses:
            while begun < len(begins) and begins[begun][0] <= guess:
                open_now += begins[begun][1]
                begun += 1
            while ended < len(ends) and ends[ended][0] < guess:
                open_now -= ends[ended][1]
                ended += 1
            if least is None or most is None or least <= guess <= most:
                best = max(best, open_now)
        return believed.hidden + vague + best


def guesses(asked: DirectoryAsked, records: CheckedRecords, name: str) -> ValueGuesses:
    """Return what may be guessed about a column."""
    if name in asked.within:
        return CloseNumbers(ranges=_ranges(asked, records, name))
    targets = list(_targets(asked, records, name))
    values = _values(records, name)
    return ValuesAndClasses(
        holding={
            code: [at for at, target in enumerate(targets) if not target.isdisjoint(meant)]
            for code, meant in values.items()
        },
        number=len(targets),
    )


def believed_targets(
    asked: DirectoryAsked, records: CheckedRecords, name: str, believed: ValueBelief
) -> dict[Target, Fraction]:
    """Return how likely each value and class of values of a column is."""
    meant = _values(records, name)
    return {
        frozenset(target): believed.hidden
        + sum((chance for code, chance in believed.codes.items() if meant[code] & target), Fraction(0))
        for target in _targets(asked, records, name)
    }


def _values(records: CheckedRecords, name: str) -> dict[int, set[str]]:
    """Return the values, as they are written, that each code of a column may stand for."""
    values: dict[int, set[str]] = {
        code: {str(value)} for code, value in enumerate(records.table.labels[name])
    }
    if name in records.spelled:
        of = as_written(records.release, name)
        for code, (level, label) in records.spelled[name].meant.items():
            values[code] = {value for value, labels in of.items() if labels[level - 1] == label}
    return values


def _targets(asked: DirectoryAsked, records: CheckedRecords, name: str) -> Iterable[set[str]]:
    """Give the values that are sensitive, the classes, and the labels of a hierarchy; those that nobody has are left out.

    A label that holds one value is that value, and no other target.
    """
    values = {str(value) for value in records.table.labels[name]}
    classes = asked.sensitive_classes.get(name, {})
    if asked.sensitive_values or (classes and asked.sensitive_values is not None):
        wanted = values & {str(value) for value in asked.sensitive_values}
    else:
        wanted = values
    for value in wanted:
        yield {value}
    for members in classes.values():
        if held := values & {str(member) for member in members}:
            yield held
    if name in records.release.hierarchies:
        labelled: dict[tuple[int, str], set[str]] = defaultdict(set)
        for value, labels in as_written(records.release, name).items():
            for level, label in enumerate(labels):
                labelled[level, str(label)].add(value)
        yield from (held for members in labelled.values() if 1 < len(held := values & members) < len(values))


def _ranges(
    asked: DirectoryAsked, records: CheckedRecords, name: str
) -> dict[int, tuple[Fraction, Fraction]]:
    close = asked.within[name]
    ranges = {}
    for code, label in enumerate(records.table.labels[name]):
        try:
            number = Fraction(str(label).strip())
        except ValueError:
            raise unconfirmed(f"A value of the column {name} is not a number.") from None
        slack = close.part * abs(number) + close.amount
        ranges[code] = number - slack, number + slack
    return ranges


def tally_by(
    groups: Sequence[int], own: Sequence[int], seen: Sequence[int], counts: Sequence[int]
) -> dict[int, RowsTally]:
    """Return what the rows of each group tell; rows whose value is missing in the original tell nothing."""
    shown: dict[int, Counter[int]] = defaultdict(Counter)
    hidden: Counter[int] = Counter()
    missing: Counter[int] = Counter()
    for group, value, code, count in zip(groups, own, seen, counts, strict=True):
        if code != HIDDEN:
            shown[group][code] += count
        elif value != HIDDEN:
            hidden[group] += count
        else:
            missing[group] += count
    return {
        group: RowsTally(shown=shown[group], hidden=hidden[group], missing=missing[group])
        for group in {*groups}
    }
