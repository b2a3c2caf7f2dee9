"""What somebody may believe about how often each item occurs (the belief functions of the paper)."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from math import ceil, floor
from typing import Any, ClassVar, NamedTuple

import numpy as np

from giveaway.attacks.frequencies.crack_graph import windows
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs
from giveaway.attacks.frequencies.item_counts import ItemCounts, counted
from giveaway.attacks.frequencies.people.known import People, of_people
from giveaway.attacks.wording import listed
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.exact import Number, fraction

Interval = tuple[Label, Fraction, Fraction]


class Weighed(NamedTuple):
    """A part of a range, and how likely its frequencies are taken to be."""

    low: Fraction
    high: Fraction
    weight: Fraction


Parts = tuple[Weighed, ...]
"""The parts of one range, in order and without a gap."""

GAPS = ("median gap", "mean gap")


class Belief(ABC):
    """What somebody believes about how often each item occurs: an interval of frequencies for each.

    >>> Belief.around("mean gap").says()
    'how often each item occurs, give or take the mean gap'
    >>> Belief.intervals({"bread": (0.2, 0.4)}).says()
    'a range for how often some or all items occur'
    """

    kind: ClassVar[str]
    measured: ClassVar[bool] = False
    """Whether it is found out how many items are believed correctly, because the belief may be wrong."""
    weighs: bool = False
    """Whether some codes are taken to be likelier than others in the same range."""
    rule: str | Fraction | None = None
    """How wide the same person would believe other data: a gap between their counts, or a share of the transactions."""

    @staticmethod
    def ignorant() -> "Belief":
        """Nothing is known."""
        return Ignorant()

    @staticmethod
    def exact() -> "Belief":
        """Every frequency is known exactly (point-valued)."""
        return Exact()

    @staticmethod
    def around(width: Number = "median gap") -> "Belief":
        """Every frequency is known, give or take a half-width: a gap between frequencies, or a share of all transactions."""
        return Around(width if isinstance(width, str) and width in GAPS else _width(width))

    @staticmethod
    def intervals(items: Mapping[Label, Any] | str | os.PathLike[str]) -> "Belief":
        """Each item has its own range of shares of all transactions; items left out may be anything.

        Instead of one range an item may have several parts of one, `[(0.2, 0.25, 1), (0.25, 0.3, 3)]`, with how likely the
        frequencies in each are taken to be; then a mapping is as likely as the product of its weights. Where two parts meet,
        the larger weight counts. A file has the columns item, low and high, and weight where there are some.
        """
        ranges = _read("read_intervals", items) if isinstance(items, str | os.PathLike) else items
        weighed = {label: _parts(label, parts) for label, parts in ranges.items() if isinstance(parts, list)}
        hulls = {label: (parts[0].low, parts[-1].high) for label, parts in weighed.items()}
        return Intervals(map(_interval, {**ranges, **hulls}.items()), weighed)

    @staticmethod
    def from_sample(transactions: Transactions) -> "Belief":
        """Frequencies are believed to be those of similar data, give or take their median gap."""
        return SampleBelief(transactions)

    @staticmethod
    def of_people(people: Mapping[Label, Mapping[str, Any]] | Table | str | os.PathLike[str]) -> "Belief":
        """What is known of people, whose records are published in a table without names, instead of items.

        Of each person values, lists of values or ranges `(30, 35)` of some columns are known; a file or a table names the
        person in its first column or its id, leaves open what is not known, and writes a range as `30..35`. Of people of the
        table who are not named nothing is known. Who is named and not in the table has no record.
        """
        return OfPeople(
            of_people(_read("read_known", people) if isinstance(people, str | os.PathLike) else people)
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    @abstractmethod
    def says(self) -> str:
        """Say what is believed, without a value of the data."""

    @abstractmethod
    def about(self, items: ItemCounts) -> Beliefs:
        """Return the interval of doubled counts that is believed of each item."""

    def half_width(self, items: ItemCounts) -> Fraction | None:  # noqa: ARG002 - only some beliefs have one
        """Return the half-width as a share of the transactions, where it is the same for all items."""
        return None

    def of(self, labels: Container[Label]) -> "Belief":  # noqa: ARG002 - only some beliefs name items
        """Return the same belief without items that are not among these."""
        return self


def _width(value: object) -> Fraction:
    width = fraction(value, "around") if not isinstance(value, str) or _is_number(value) else None
    if width is None:
        raise ScenarioError(
            f"around = {value!r} is unknown.", exists=f"{', '.join(GAPS)}, or a number", field="around"
        )
    if not 0 <= width <= 1:
        raise ScenarioError(
            f"around = {value!r} must be a share of the transactions, from 0 to 1.",
            hint="0.01 is one transaction in a hundred.",
            field="around",
        )
    return width


def _is_number(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _read(reader: str, path: str | os.PathLike[str]) -> Mapping[Label, Any]:
    """Read a file; attacks know no reader, and import it by name."""
    contents: Mapping[Label, Any] = getattr(import_module("giveaway.sources.files.supports"), reader)(path)
    return contents


def _parts(label: Label, stated: list[Any]) -> Parts:
    """Check the parts of a range."""
    if not stated or not all(isinstance(part, tuple | list) and len(part) == 3 for part in stated):  # noqa: PLR2004 - with a weight
        raise ScenarioError(
            f"The belief about {label!r} is not a list of parts of a range, each with a weight.",
            hint="write [(0.2, 0.25, 1), (0.25, 0.3, 3)].",
            field=None,
        )
    about = f"the belief about {label!r}"
    parts = tuple(sorted(Weighed(*(fraction(value, about) for value in part)) for part in stated))
    for part in parts:
        _interval((label, (part.low, part.high)))
        if part.weight <= 0:
            raise ScenarioError(
                f"A weight in {about} is not above 0.", hint="leave out what cannot be.", field=None
            )
    for before, after in pairwise(parts):
        if after.low != before.high:
            raise ScenarioError(
                f"The parts of {about} do not meet: one ends at {float(before.high):g}, the next begins at "
                f"{float(after.low):g}.",
                hint="let each part begin where the one before ends.",
                field=None,
            )
    return parts


def _interval(stated: tuple[Label, tuple[Number, Number]]) -> Interval:
    label, ends = stated
    if not isinstance(ends, tuple | list) or len(ends) != 2:  # noqa: PLR2004 - the two ends
        raise ScenarioError(
            f"The belief about {label!r} is not a pair of a low and a high frequency.", field=None
        )
    low, high = (fraction(end, f"the belief about {label!r}") for end in ends)
    if low > high:
        raise ScenarioError(
            f"The belief about {label!r} goes from {ends[0]} to {ends[1]}, which is lower.",
            hint="write the lower end first.",
            field=None,
        )
    if low < 0 or high > 1:
        raise ScenarioError(
            f"The belief about {label!r} goes from {ends[0]} to {ends[1]}, and a frequency lies between 0 and 1.",
            field=None,
        )
    return label, low, high


class Ignorant(Belief):
    """Nothing is believed."""

    kind = "ignorant"

    def says(self) -> str:
        """Say what is believed."""
        return f"which {nouns().items} exist, and nothing else"

    def about(self, items: ItemCounts) -> Beliefs:
        """Return that every item may occur as often as any other."""
        return windows.ignorant(items.counts)

    def __repr__(self) -> str:
        return "ignorant"


class Exact(Belief):
    """The true frequency of every item is believed."""

    kind = "exact"
    rule = Fraction(0)

    def says(self) -> str:
        """Say what is believed."""
        return f"exactly how often each {nouns().item} occurs"

    def about(self, items: ItemCounts) -> Beliefs:
        """Return the true counts."""
        return windows.exact(items.counts)

    def half_width(self, items: ItemCounts) -> Fraction:  # noqa: ARG002 - it is the same for all data
        """Return that nothing is left open."""
        return Fraction(0)

    def __repr__(self) -> str:
        return "exact"


class Around(Belief):
    """The true frequency of every item is believed, give or take a gap between frequencies or a share of transactions."""

    kind = "around"

    def __init__(self, width: str | Fraction) -> None:
        self.width = width

    @property
    def rule(self) -> str | Fraction:  # type: ignore[override] # others have the same for all
        """The half-width as given."""
        return self.width

    def says(self) -> str:
        """Say what is believed."""
        return f"how often each {nouns().item} occurs, give or take {self._width()}"

    def about(self, items: ItemCounts) -> Beliefs:
        """Return the true counts, give or take the half-width; in doubled counts, of which only whole ones differ."""
        return windows.around(items.counts, floor(2 * self.half_width(items) * items.transactions))

    def half_width(self, items: ItemCounts) -> Fraction:
        """Return the half-width, a gap between counts or as given."""
        if isinstance(self.width, Fraction):
            return self.width
        return gap(items.counts, self.width) / max(items.transactions, 1)

    def _width(self) -> str:
        if isinstance(self.width, str):
            return f"the {self.width}"
        return f"{float(100 * self.width):.3g} % of the {nouns().transactions}"

    def __repr__(self) -> str:
        return f"around {self.width}"


class Intervals(Belief):
    """Each item has a range of its own."""

    kind = "intervals"
    measured = True

    def __init__(self, ranges: Iterable[Interval], weighed: Mapping[Label, Parts] | None = None) -> None:
        self.given = tuple(ranges)
        self.weighed = tuple((weighed or {}).items())
        if not self.given:
            raise ScenarioError(
                "The belief names no item.", hint="Belief.ignorant() believes nothing.", field=None
            )

    @property
    def weighs(self) -> bool:  # type: ignore[override] # others have the same for all
        """Whether some codes are taken to be likelier than others."""
        return bool(self.weighed)

    def weights(self, items: ItemCounts) -> Callable[[Label, int], Fraction]:
        """Return a function that tells how likely a code that occurs so often is taken to be an item's; 1 without weights."""
        known, whole = dict(self.weighed), max(items.transactions, 1)

        def weight(label: Label, count: int) -> Fraction:
            share = Fraction(count, whole)
            parts = known.get(label)
            if parts is None:
                return Fraction(1)
            return max((part.weight for part in parts if part.low <= share <= part.high), default=Fraction(0))

        return weight

    def says(self) -> str:
        """Say what is believed."""
        return f"a range for how often some or all {nouns().items} occur"

    def about(self, items: ItemCounts) -> Beliefs:
        """Return the ranges in counts; they are closed, so that ends between two counts move inwards."""
        places = items.places((label for label, _, _ in self.given), "The belief names")
        low, high = np.zeros_like(items.counts), np.full_like(items.counts, 2 * items.transactions)
        twice = 2 * items.transactions
        for place, (_, least, most) in zip(places.tolist(), self.given, strict=True):
            low[place], high[place] = ceil(least * twice), floor(most * twice)
        return Beliefs(counts=items.counts, low=low, high=high)

    def of(self, labels: Container[Label]) -> Belief:
        """Return the ranges of these items; nothing is believed where none is of them."""
        ranges = [one for one in self.given if one[0] in labels]
        return Intervals(ranges, {k: v for k, v in self.weighed if k in labels}) if ranges else Ignorant()

    def _items(self) -> str:
        return f"{len(self.given):,} item{'s' * (len(self.given) != 1)}"

    def __repr__(self) -> str:
        return f"intervals of {self._items()}"


class OfPeople(Belief):
    """Something is known of people, by which their records are told apart."""

    kind = "people"
    measured = True

    def __init__(self, people: People) -> None:
        self.given = people
        if not any(knowledge for _, knowledge in people):
            raise ScenarioError(
                "Nothing is known of anybody.",
                hint='for example {"Mary": {"age": (30, 35)}}.',
                field="belief",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of which something is known of somebody."""
        return tuple(sorted({column for _, knowledge in self.given for column, _ in knowledge}))

    def says(self) -> str:
        """Say what is believed."""
        return f"something about the {listed(self.columns)} of some or all people"

    def about(self, items: ItemCounts) -> Beliefs:  # noqa: ARG002 - nothing is believed of items
        """Refuse to say anything of items."""
        raise TypeError("what is known of people says nothing about items")

    def __repr__(self) -> str:
        people = len(self.given)
        return f"what is known of {people:,} {'person' if people == 1 else 'people'}"


class SampleBelief(Belief):
    """The frequencies of similar data are believed, give or take their own median gap."""

    kind = "from sample"
    measured = True
    rule = "median gap"

    def __init__(self, sample: Transactions) -> None:
        if not isinstance(sample, Transactions):
            raise ScenarioError(
                f"A sample is made of Transactions, not of {type(sample).__name__}.",
                hint="ga.Transactions.from_lists(rows) makes them.",
                field=None,
            )
        if len(sample) == 0:
            raise ScenarioError("The sample holds no transaction.", field=None)
        self.sample = sample

    def says(self) -> str:
        """Say what is believed."""
        return "how often each item occurs in similar data, give or take their median gap"

    def about(self, items: ItemCounts) -> Beliefs:
        """Return the frequencies of the sample; an item that is not in it has count 0 there."""
        counts = self._counts(items)
        twice = int(2 * gap(counts, "median gap"))
        return windows.sampled(items.counts, items.transactions, counts, len(self.sample), twice)

    def half_width(self, items: ItemCounts) -> Fraction:
        """Return the median gap of the sample."""
        return gap(self._counts(items), "median gap") / len(self.sample)

    def _counts(self, items: ItemCounts) -> Ints:
        held = counted(self.sample)
        known = dict(zip(held.labels, held.counts.tolist(), strict=True))
        return np.array([known.get(label, 0) for label in items.labels], np.int64)

    def __repr__(self) -> str:
        return f"from a sample of {len(self.sample):,} transactions"


def gap(counts: Ints, which: str) -> Fraction:
    """Return the median or mean gap between the counts of groups; 0 when all are equal."""
    gaps = windows.gaps(counts)
    if gaps is None:
        return Fraction(0)
    return Fraction(gaps.median2, 2) if which == "median gap" else gaps.mean
