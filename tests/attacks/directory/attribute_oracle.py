"""The attribute limit by its definitions alone: person by person, set of columns by set, target by target."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Literal

Row = Mapping[str, str | None]
"""What stands in each column, None for nothing."""
Right = frozenset[str]
"""The values for which a guess is right."""
Reach = list[tuple[Fraction, list[int]]]
"""Numbers of released rows of which one is somebody's, in parts that add up to 1."""


def same(column: str, label: str, value: str) -> bool:
    return label == value


@dataclass(frozen=True, kw_only=True)
class Case:
    """A release, what must not be told, and somebody who looks people up."""

    rows: Sequence[Row]
    """The original."""
    shown: Sequence[Row]
    """What is published of each row: values, coarser labels, None."""
    columns: tuple[str, ...]
    """Those compared."""
    targets: Mapping[str, Sequence[Collection[str]]]
    """The sensitive columns, each with sets of values: single ones, classes, labels of its hierarchy."""
    within: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    """The sensitive columns in which guesses are numbers, with the part and the amount by which they may miss."""
    entries: Sequence[tuple[Hashable, Row]] | None = None
    """Who is listed with which values, several entries of a person included; None: the rows themselves."""
    covers: Callable[[str, str, str], bool] = same
    """Whether a label of a column covers a value."""
    planned: Callable[[Row], Row] = dict
    """What the record of an entry would show where no record has the same values."""
    knows_method: bool = True
    gaps: Literal["apart", "agree"] = "apart"
    judges: Literal["any", "true", "true, seen or not"] = "any"
    """What is true of people is judged where the release shows it, and counted anyway."""
    at_most: int | None = None
    earlier_plans_fail: Fraction = Fraction(1)

    @property
    def listed(self) -> Sequence[tuple[Hashable, Row]]:
        return list(enumerate(self.rows)) if self.entries is None else self.entries

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The values of each sensitive column."""
        return {
            name: frozenset(value for row in self.rows if (value := row[name]) is not None)
            for name in self.targets
        }

    @cached_property
    def guesses(self) -> Mapping[str, Collection[Right]]:
        """The guesses about each sensitive column."""
        return {name: frozenset(guesses(self, name)) for name in self.targets}

    @cached_property
    def chances(self) -> Mapping[Hashable, Fraction]:
        """For each person the largest chance, over sensitive columns, sets of columns known and entries."""
        largest: dict[Hashable, Fraction] = {}
        for person, entry in self.listed:
            every = (
                chance(self, entry, name, chosen)
                for name in published(self)
                for chosen in sets_of_columns(self)
            )
            largest[person] = max([largest.get(person, Fraction(0)), *every])
        return largest


def targets_of(
    values: Collection[str],
    sensitive_values: Collection[str] | None = None,
    classes: Mapping[str, Collection[str]] | None = None,
    hierarchy: Mapping[str, Sequence[str]] | None = None,
) -> list[set[str]]:
    """Return the targets of a sensitive column with these values; the hierarchy has the labels of each value."""
    all_values = sensitive_values is None or (not sensitive_values and not classes)
    found = [{value} for value in values if all_values or value in (sensitive_values or ())]
    found += [held for members in (classes or {}).values() if (held := {*members} & {*values})]
    for level in range(len(next(iter((hierarchy or {}).values()), ()))):
        for label in {labels[level] for labels in (hierarchy or {}).values()}:
            held = {value for value in values if (hierarchy or {})[value][level] == label}
            if 1 < len(held) < len({*values}):  # a label that holds one value is that value
                found.append(held)
    return found


def sets_of_columns(case: Case) -> list[tuple[str, ...]]:
    """Return the sets of columns that may be known of somebody."""
    if case.at_most is None:
        return [case.columns]
    sizes = range(min(case.at_most, len(case.columns)) + 1)
    return [chosen for size in sizes for chosen in combinations(case.columns, size)]


def part(row: Row, columns: Sequence[str]) -> tuple[str | None, ...]:
    return tuple(row[name] for name in columns)


def in_reach(case: Case, entry: Row, chosen: Sequence[str]) -> Reach:
    """Return the rows of which one is somebody's, for all that is known of these columns."""
    if not case.knows_method:
        return [(Fraction(1), [at for at, row in enumerate(case.shown) if fits(case, row, entry, chosen)])]
    known = [name for name in chosen if name in entry and (case.entries is None or entry[name] is not None)]
    alike = [at for at, row in enumerate(case.rows) if part(row, known) == part(entry, known)]
    forms = [case.shown[at] for at in alike] or [case.planned(entry)]
    return [
        (Fraction(1, len(forms)), [at for at in range(len(case.rows)) if published_as(case, at, form, known)])
        for form in forms
    ]


def fits(case: Case, row: Row, entry: Row, chosen: Sequence[str]) -> bool:
    for name in chosen:
        label = row[name]
        if label is None or name not in entry:
            continue
        value = entry[name]
        if case.gaps == "apart" if value is None else not case.covers(name, label, value):
            return False
    return True


def published_as(case: Case, at: int, form: Row, columns: Sequence[str]) -> bool:
    """Tell whether a row is published in a form, or would be but for values that it misses by nature."""
    may_miss = case.entries is not None
    return all(
        case.shown[at][name] == form[name] or (may_miss and case.rows[at][name] is None) for name in columns
    )


def share(case: Case, rows: Collection[int], column: str, right: Right) -> Fraction:
    """Return the share of the rows for which a guess is right; the baseline where none shows the column."""
    shown = [at for at in rows if case.shown[at][column] is not None]
    if not shown:
        return baseline(case, column, right)
    hidden = sum(case.shown[at][column] is None and case.rows[at][column] is not None for at in rows)
    hits = sum(may_be(case, case.shown[at], column, right) for at in shown)
    return Fraction(hits + hidden, len(shown) + hidden)


def with_value(case: Case, rows: Collection[int], column: str) -> Fraction:
    """Return the part of the rows that have a value, be it shown or hidden: somebody with one is in these."""
    return Fraction(sum(case.rows[at][column] is not None for at in rows), max(len(rows), 1))


def baseline(case: Case, column: str, right: Right) -> Fraction:
    shown = [row for row in case.shown if row[column] is not None]
    return Fraction(sum(may_be(case, row, column, right) for row in shown), len(shown))


def may_be(case: Case, row: Row, column: str, right: Right) -> bool:
    """Tell whether a row that shows a column may be one for which a guess is right: it may show a coarser label."""
    label = str(row[column])
    if column in case.within and label not in case.values[column]:
        return True
    return any(case.covers(column, label, value) for value in right)


def guesses(case: Case, column: str) -> list[Right]:
    values = case.values[column]
    if column not in case.within:
        return [values.intersection(target) for target in case.targets[column]]
    of_part, amount = case.within[column]
    numbers = {value: Fraction(value) for value in values}
    slack = {value: of_part * abs(number) + amount for value, number in numbers.items()}
    edges = {numbers[value] + sign * slack[value] for value in values for sign in (-1, 1)}
    return [
        frozenset(value for value in values if abs(edge - numbers[value]) <= slack[value]) for edge in edges
    ]


def chance(case: Case, entry: Row, column: str, chosen: Sequence[str]) -> Fraction:
    """Return the largest chance of a guess about somebody whose values are known in some columns."""
    unseen = case.judges == "true" and case.knows_method and some_are_split(case, chosen)
    every = case.guesses[column]
    if case.judges != "any" and not unseen:
        every = [right for right in every if entry[column] in right]
    reach = in_reach(case, entry, chosen) if chosen else [(Fraction(1), range(len(case.rows)))]
    parts = [(weight * with_value(case, rows, column), rows) for weight, rows in reach]
    having = sum((weight for weight, _ in parts), Fraction(0))
    if having:
        reach = [(weight / having, rows) for weight, rows in parts]
    largest = max(
        (sum(weight * share(case, rows, column, right) for weight, rows in reach) for right in every),
        default=Fraction(0),
    )
    return largest if not case.knows_method else min(Fraction(1), largest / case.earlier_plans_fail)


def some_are_split(case: Case, chosen: Sequence[str]) -> bool:
    """Tell whether some people with the same values are shown in different forms."""
    pairs = {
        (part(row, chosen), part(shown, chosen)) for row, shown in zip(case.rows, case.shown, strict=True)
    }
    return len(pairs) > len({known for known, _ in pairs})


def published(case: Case) -> list[str]:
    """Return the sensitive columns of which something is published."""
    return [name for name in case.targets if any(row[name] is not None for row in case.shown)]


def people_over(case: Case, limit: Fraction) -> int:
    return sum(one > limit for one in case.chances.values())


def people_without_row(case: Case, column: str) -> int:
    """Count the people with no row in reach that shows or hides a column, whatever columns are known."""
    with_row = {
        person
        for person, entry in case.listed
        for chosen in sets_of_columns(case)
        for _, rows in (in_reach(case, entry, chosen) if chosen else [])
        if any(case.rows[at][column] is not None for at in rows)
    }
    return len({person for person, _ in case.listed} - with_row)


def holds(case: Case, limit: Fraction, tolerated: Fraction) -> bool:
    """Tell whether few enough people are over the limit, and most of them can be judged at all."""
    people = len({person for person, _ in case.listed})
    if any(2 * people_without_row(case, name) > people for name in published(case)):
        return False
    return people_over(case, limit) <= tolerated * people


def is_changed(case: Case, row: Row, chosen: Sequence[str]) -> bool:
    """Tell whether something that is known was withheld from a record that shows what this one does."""
    alike = (
        own
        for own, shown in zip(case.rows, case.shown, strict=True)
        if part(shown, case.columns) == part(row, case.columns)
    )
    return any(own[name] is not None and own[name] != row[name] for own in alike for name in chosen)


def identity_chances(case: Case, *, listed: bool) -> list[Fraction]:
    """Return for each record the largest chance of telling whose it is; without a directory, or by what fits.

    A record that nobody agrees with is nobody's, or, as if its person were `listed`, told for certain. Where something that
    is known was withheld, others hide a record from who knows the method only if they look like it in all columns.
    """
    most = len(case.columns) if case.at_most is None else min(case.at_most, len(case.columns))
    largest = [Fraction(0)] * len(case.rows)
    for chosen in combinations(case.columns, most):
        for at, row in enumerate(case.shown):
            if case.knows_method:
                assert case.entries is None
                seen = case.columns if is_changed(case, row, chosen) else chosen
                crowd = sum(part(other, seen) == part(row, seen) for other in case.shown)
            else:
                crowd = len({person for person, entry in case.listed if fits(case, row, entry, chosen)})
            largest[at] = max(largest[at], Fraction(1, max(crowd, 1)) if crowd or listed else Fraction(0))
    return largest
