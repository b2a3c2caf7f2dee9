"""Classes fixed on a release: which class each value falls into, here and in whatever is compared with it."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import accumulate

from giveaway.errors import DataError, ScenarioError
from giveaway.model.classes import dates
from giveaway.model.classes.dates import Span
from giveaway.model.classes.numbers import (
    Cuts,
    Interval,
    Steps,
    interval,
    is_whole,
    number,
    rounded,
    two_digits,
)
from giveaway.model.classes.rules import ClassRule
from giveaway.model.data.labels import in_order

_SHOWN = 5
_NEXT_TO = Decimal("1e-9")


@dataclass(frozen=True, kw_only=True, eq=False)
class Classes:
    """The classes of one column of a release; they are never worked out again on other data.

    >>> ages = Classes.of("age", ClassRule.of([18, 65]), {"17": 1, "18": 2, "70": 1})
    >>> ages.rows, ages.label("64"), ages.agreeing("10-20")
    ({'<18': 1, '18-64': 2, '65+': 1}, '18-64', ('<18', '18-64'))
    """

    column: str
    rule: ClassRule
    counts: Mapping[str, int] = field(repr=False)
    """How often each value occurs in the release, by its text."""
    decimal: str = "."

    @classmethod
    def of(cls, column: str, rule: ClassRule, counts: Mapping[str, int], decimal: str = ".") -> "Classes":
        """Fix the classes on the values of a release, or refuse values that cannot be put into one."""
        classes = cls(column=column, rule=rule, counts=counts, decimal=decimal)
        if rule.is_numeric:
            classes._refuse(text for text in counts if text not in classes._values)
        else:
            classes._refuse(text for text in counts if classes.label(text) is None)
        return classes

    @cached_property
    def _values(self) -> dict[str, Decimal]:
        """The number that each value is."""
        read = ((text, self._number(text)) for text in self.counts)
        return {text: value for text, value in read if value is not None}

    @cached_property
    def scale(self) -> "Cuts | Steps":
        """The intervals of numbers."""
        rule = self.rule
        if rule.width is not None:
            return Steps(rule.width, rule.from_)
        return Cuts(rule.cuts or self._quantiles(rule.quantiles or 1, rule.round))

    def _quantiles(self, parts: int, step: Decimal | None) -> tuple[Decimal, ...]:
        numbers: dict[Decimal, int] = {}
        for text, value in self._values.items():
            numbers[value] = numbers.get(value, 0) + self.counts[text]
        return quantile_cuts(numbers, parts, step)

    @cached_property
    def whole(self) -> bool:
        """Whether all values and cuts are whole numbers, which decides how labels are written."""
        scale = self.scale
        borders = scale.at if isinstance(scale, Cuts) else (scale.width, scale.start)
        return all(map(is_whole, (*borders, *self._values.values())))

    def _number(self, text: str) -> Decimal | None:
        """Read a value as a number, or as a date of birth that becomes an age."""
        if self.rule.age_at is None:
            return number(text, self.decimal)
        born = dates.span(text, self.rule.format)
        exact = born is not None and born.first == born.last
        return Decimal(dates.age(born.first, self.rule.age_at)) if born is not None and exact else None

    def _refuse(self, texts: Iterable[str]) -> None:
        """Refuse values that cannot be put into a class."""
        wrong = [str(text) for text in in_order(texts)]
        if not wrong:
            return
        raise DataError(self._unreadable(wrong, f"the column {self.column}"), hint=self._hint(wrong))

    def _unreadable(self, wrong: list[str], where: str) -> str:
        shown = ", ".join(f'"{text}"' for text in wrong[:_SHOWN])
        others = f" and {len(wrong) - _SHOWN:,} more" if len(wrong) > _SHOWN else ""
        rows = sum(self.counts.get(text, 0) for text in wrong)
        many = f"{len(wrong):,} value{'' if len(wrong) == 1 else 's'} of {where}"
        more = f" (in {rows:,} rows)" if rows else ""
        if self.rule.by is not None:
            what = f"dates that tell the {self.rule.by}"
        else:
            what = "numbers" if self.rule.age_at is None else "days of birth"
        return f"{many}{more} {'is' if len(wrong) == 1 else 'are'} not {what}: {shown}{others}."

    def _hint(self, wrong: list[str]) -> str:
        if not self.rule.is_numeric or self.rule.age_at is not None:
            form = self.rule.format or "YYYY-MM-DD"
            return (
                f'dates are read as {form}; format = "%d.%m.%Y" says another form, missing what marks a gap.'
            )
        if self.decimal == "." and all(number(text, ",") is not None for text in wrong):
            return 'decimal = "," reads numbers with a comma.'
        return "missing says what marks a gap; numbers are written as 1234.5, without anything around them."

    def label(self, text: str) -> str | None:
        """Return the class of a value; None where it cannot be put into one."""
        rule = self.rule
        if rule.prefix is not None:
            return text[: rule.prefix] + "*" * max(0, len(text) - rule.prefix)
        if rule.by is not None:
            days = dates.span(text, rule.format)
            return None if days is None else dates.label(days, rule.by)
        value = self._number(text)
        return None if value is None else self._name(self.scale.place(value))

    def _name(self, place: int) -> str:
        if place not in self._names:
            names = self.rule.labels
            self._names[place] = names[place] if names else self.scale.interval(place).label(whole=self.whole)
        return self._names[place]

    @cached_property
    def _names(self) -> dict[int, str]:
        """The labels of intervals that were asked for."""
        return {}

    @cached_property
    def of_value(self) -> dict[str, str]:
        """The class of each value of the release."""
        if not self.rule.is_numeric:
            return {text: str(self.label(text)) for text in self.counts}
        return {text: self._name(self.scale.place(value)) for text, value in self._values.items()}

    @cached_property
    def rows(self) -> dict[str, int]:
        """How many rows of the release are in each class, the classes in their order; those without rows are left out."""
        rows: dict[str, int] = {}
        for text, label in self.of_value.items():
            rows[label] = rows.get(label, 0) + self.counts[text]
        order = self.intervals if self.rule.is_numeric else sorted(rows)
        return {label: rows[label] for label in order}

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The interval of each class of numbers that has rows."""
        places = sorted({self.scale.place(value) for value in self._values.values()})
        return {self._name(place): self.scale.interval(place) for place in places}

    def is_label(self, text: str) -> bool:
        """Tell whether a text is the label of a class, also of one that has no rows here."""
        if text in self.rows or text in self.rule.labels:
            return True
        if self.rule.prefix is not None:
            return self.label(text) == text
        if self.rule.by is not None:
            days = dates.labelled(text)
            return days is not None and dates.label(days, self.rule.by) == text
        ends = interval(text, whole=self.whole)
        if ends is None or ends.high is None:
            inside = None if ends is None else ends.low
        else:
            inside = ends.high - _NEXT_TO
        return inside is not None and self._name(self.scale.place(inside)) == text

    # What is compared with the release --------------------------------------------------------------------------

    def agreeing(self, text: str) -> tuple[str, ...] | None:
        """Return the classes that a value of somebody else agrees with; None where it cannot be told.

        A label is its class, a value falls into one, and an interval agrees with every class of the release that it
        has a value in common with.
        """
        if text in self.rows or text in self.rule.labels:
            return (text,)
        label = self.label(text)
        if label is not None and not (self.rule.prefix and "*" in text):
            return (label,)
        if self.rule.prefix is not None:
            return tuple(ours for ours in self.rows if _same_beginning(ours, text))
        return self._met_dates(text) if self.rule.by is not None else self._met_numbers(text)

    def _met_dates(self, text: str) -> tuple[str, ...] | None:
        theirs = dates.span(text, self.rule.format) or dates.labelled(text)
        if theirs is None:
            return None
        ours = {label: dates.labelled(label) for label in self.rows}
        return tuple(label for label, days in ours.items() if days is not None and days.meets(theirs))

    def _met_numbers(self, text: str) -> tuple[str, ...] | None:
        theirs = interval(text, whole=self.whole)
        if theirs is None and self.rule.age_at is not None:
            theirs = _ages(dates.span(text, self.rule.format), self.rule.age_at)
        if theirs is None:
            return None
        return tuple(label for label, ours in self.intervals.items() if ours.meets(theirs, whole=self.whole))

    def agreements(self, texts: Iterable[str], where: str) -> list[tuple[str, ...]]:
        """Return the classes that values of somebody else agree with, or refuse those that cannot be told."""
        values = list(texts)
        met = [self.agreeing(text) for text in values]
        wrong = [text for text, classes in zip(values, met, strict=True) if classes is None]
        if wrong:
            raise DataError(
                self._unreadable(wrong, f"{self.column} in {where}"),
                exists=", ".join(list(self.rows)[:_SHOWN]),
                hint="values and labels are put into the classes of the release.",
            )
        return [classes for classes in met if classes is not None]

    def named(self, text: str, where: str) -> tuple[str, ...]:
        """Return the classes that a value, a label or a range `a..b` in a rule or a statement names.

        A range is of whole classes.
        """
        ends = [number(end, self.decimal) for end in text.split("..")] if self.rule.is_numeric else []
        if len(ends) == 2 and None not in ends:  # noqa: PLR2004 # a range
            low, high = (end for end in ends if end is not None)
            inside = [one for one in self.counts if low <= self._values[one] <= high]
            met = tuple(dict.fromkeys(self.of_value[one] for one in inside))
            if not met or sum(self.counts[one] for one in inside) != sum(self.rows[label] for label in met):
                raise self._not_one(text, where, met)
            return met
        (classes,) = self.agreements([text], where)
        if len(classes) != 1:
            raise self._not_one(text, where, classes)
        return classes

    def _not_one(self, text: str, where: str, met: Collection[str]) -> ScenarioError:
        return ScenarioError(
            f"{text} of {self.column} in {where} is not a class of the release: it lies in {len(met)} of them.",
            exists=", ".join(list(self.rows)[:_SHOWN]),
            hint="name a value or one of the classes, or a range of whole classes.",
        )


def quantile_cuts(
    numbers: Mapping[Decimal, int], parts: int, step: Decimal | None = None
) -> tuple[Decimal, ...]:
    """Find the cuts of quantiles: cut j is the smallest number that occurs above the ceil(j n / parts)-th smallest.

    Equal numbers stay together. A cut is somebody's number, so it becomes a multiple of `step`, or has two digits; cuts that
    are equal then are one.

    >>> ones = {Decimal(1): 4, Decimal(2): 1, Decimal(3): 1}
    >>> quantile_cuts(ones, 3)
    (Decimal('2'),)
    """
    ascending = sorted(numbers)
    up_to = list(accumulate(numbers[value] for value in ascending))
    total = up_to[-1] if up_to else 0
    above = [bisect_left(up_to, -(-j * total // parts)) + 1 for j in range(1, parts)]
    cuts = [ascending[place] for place in above if place < len(ascending)]
    return tuple(dict.fromkeys(two_digits(value) if step is None else rounded(value, step) for value in cuts))


def _ages(born: Span | None, at: date) -> Interval | None:
    """Return the ages that somebody may have who was born on one of some days."""
    if born is None:
        return None
    return Interval(Decimal(dates.age(born.last, at)), Decimal(dates.age(born.first, at) + 1))


def _same_beginning(ours: str, theirs: str) -> bool:
    """Tell whether two texts that end in stars may stand for the same one."""
    signs = zip(ours, theirs, strict=False)
    return len(ours) == len(theirs) and all(x in (y, "*") or y == "*" for x, y in signs)
