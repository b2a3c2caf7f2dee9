"""What is said of sensitive values that a release tells: reasons, figures, a curve, and one sentence for each person."""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.inference.sensitive import Sensitive
from giveaway.attacks.directory.inference.tally import AttributeTally, InDirectory
from giveaway.attacks.directory.inference.told import ColumnTold
from giveaway.attacks.directory.readings.attribute_chances import TargetRisk
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.directory.readings.shares import HIDDEN
from giveaway.attacks.directory.reporting.sentences import amount, few, people, percent
from giveaway.attacks.wording import exact_percent, listed, named
from giveaway.model.answer.bins import bin_ends
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label

_FEW, _BOTH = 3, 2
_DIGITS = 12
"""The most digits of a guess."""


def reasons(tally: AttributeTally) -> tuple[str, ...]:
    """Say of how many people too much is told, and which values are too common to be hidden."""
    sentences = []
    worst, limit, share = tally.worst_directory, tally.limit, tally.tolerance.share
    if worst.exposed:
        over = [column.name for column in tally.columns if worst.is_over_in(column)]
        what = listed(over) if 0 < len(over) <= _FEW else "a sensitive value"
        how = "guessed correctly" if worst.attacker.judges == "true" else "guessed"
        allowed = "" if not share else f"; you tolerate {percent(share)} of them"
        sentences.append(
            f"For {worst.exposed:,} of {people(worst.people)}, {what} can be {how} with a chance above {percent(limit)}{allowed}."
        )
    common = tally.too_common
    sentences += [_too_common(*one, limit) for one in common[:_FEW]]
    if len(common) > _FEW:
        sentences.append(f"The same is true of {len(common) - _FEW:,} other values.")
    return tuple(sentences)


def _subject(column: Sensitive, target: int) -> str:
    if column.is_class(target):
        return f"The class {named(column.called(target))} of {column.name}"
    return f"{named(column.called(target))} in {column.name}"


def _near(close: Close) -> str:
    if not close.part and not close.amount:
        return "right"
    return f"within {percent(close.part)}" if close.part else f"within {amount(close.amount)}"


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"


def _too_common(column: Sensitive, target: int, share: Fraction, limit: Fraction) -> str:
    if target < 0:
        guess = f"One guess of {column.name} is close enough for {percent(share)} of all {nouns().records}"
        return f"{guess}, above the limit of {exact_percent(limit)} whatever is withheld."
    return (
        f"{_subject(column, target)} is shown by {percent(share)} of all {nouns().records}, above the limit of {exact_percent(limit)} whatever "
        "is withheld; name the values worth protecting in sensitive_values."
    )


def doubt(tally: AttributeTally) -> str | None:
    """Say why what is told cannot be judged; None where it can."""
    for one in tally.directories:
        if 2 * one.without_row > one.people:
            return (
                f"No released {nouns().record} that may be theirs tells anything of {one.without_row:,} of {people(one.people)}: more "
                "than half, so that this says little about the release."
            )
    return None


def figures(tally: AttributeTally | None) -> dict[str, Any]:
    """Return the figures of what is told, those of the directory with most people over the limit."""
    names = (
        "people",
        "people_without_row",
        "exposed_people",
        "people_certain",
        "worst_attribute",
        "true_above",
    )
    if tally is None:
        return dict.fromkeys((*names, "min_rows", "blank_sensitive", "targets"))
    worst, limited = tally.worst_directory, tally.tolerance.attribute is not None
    return {
        "people": worst.people,
        "people_without_row": worst.without_row,
        "exposed_people": worst.exposed if limited else None,
        "people_certain": worst.certain,
        "worst_attribute": tally.worst,
        "true_above": worst.true_above if limited else None,
        "min_rows": worst.min_rows,
        "blank_sensitive": sum(int(tally.count[column.shown < 0].sum()) for column in tally.columns),
        "targets": [line for column in tally.columns for line in _targets(worst, column)]
        if limited
        else None,
    }


MOST_TARGETS = 100
"""So many targets of a column are listed, those with most people over the limit first."""


def _targets(worst: InDirectory, column: Sensitive) -> list[dict[str, Any]]:
    if column.close is not None:
        return []
    risks = sorted(worst.target_risks(column), key=lambda one: (-one.exposed, -one.worst, one.target))
    return [_target(column, one) for one in risks[:MOST_TARGETS]]


def _target(column: Sensitive, one: TargetRisk) -> dict[str, Any]:
    return {
        "column": column.name,
        "target": column.called(one.target),
        "baseline": one.baseline,
        "worst": one.worst,
        "exposed": one.exposed,
    }


def chances(tally: AttributeTally) -> Curve:
    """Count people by the chance of the likeliest sensitive value, in bins of 5 %."""
    worst = tally.worst_directory
    ends = bin_ends(tally.limit)
    bins = np.array([bisect_left(ends, chance) for chance in worst.judged.chances], np.int64)
    per_bin = [worst.source.persons.where(bins == place) for place in range(len(ends))]
    return Curve(
        name="told",
        x_label="chance of a sensitive value",
        y_label="people",
        x=tuple(map(float, ends)),
        y=tuple(map(float, per_bin)),
        says=f"{worst.exposed:,} of {people(worst.people)} are over the limit of {exact_percent(tally.limit)}.",
        limit=float(tally.limit),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Learnt:
    """What the released records that may be somebody's show: how many the likeliest target, or the best guess."""

    inferred: ColumnTold
    profile: int
    target: int
    chance: Fraction
    """What is judged: more than the records show, where earlier plans were tried."""
    earlier_plans_fail: Fraction
    columns: tuple[str, ...]
    """The columns by which the records may be theirs."""

    @cached_property
    def sets(self) -> Ints:
        """The sets of records that may hold theirs."""
        split = self.inferred.reach.split
        return np.unique(split.form[split.profile == self.profile])

    @cached_property
    def rows(self) -> int:
        """How many records may be theirs."""
        return int(self.inferred.shares.rows[self.sets].sum())

    @cached_property
    def shown(self) -> int:
        """How many of them show a value."""
        return int(self.inferred.shares.shown[self.sets].sum())

    @cached_property
    def hidden(self) -> int:
        """How many of them hide a value."""
        return int(self.inferred.shares.hidden[self.sets].sum())

    @cached_property
    def right(self) -> int:
        """How many of them show the target, or a value that the guess is near."""
        return int(self._counts[self._is_right].sum())

    @cached_property
    def usual(self) -> Fraction:
        """The chance of somebody who knows nothing of the person: the part of all records that show the same."""
        if self.target < 0:
            return self.inferred.baseline
        shares = self.inferred.shares
        return Fraction(int(shares.totals[self._is_right].sum()), max(shares.total, 1))

    @property
    def value(self) -> Label | None:
        """What is learnt: a value, the name of a class, or a number that is near the value."""
        if self.target < 0:
            return None
        if self.inferred.column.close is None:
            return self.inferred.column.called(self.target)
        return int(self.guess) if self.guess.denominator == 1 else float(self.guess)

    @cached_property
    def guess(self) -> Fraction:
        """A short number among the guesses that are right for the same records as the best one."""
        best = self.inferred.guesses.numbers[self.target]
        here = zip(self._ends, self._counts.tolist(), strict=True)
        right = [ends for ends, count in here if count and ends[0] <= best <= ends[1]]
        return short(max(low for low, _ in right), min(high for _, high in right)) if right else best

    @cached_property
    def _counts(self) -> Ints:
        """How many of the records show each value."""
        shares = self.inferred.shares
        counts = np.zeros(len(shares.totals), np.int64)
        for rows in self.sets.tolist():
            inside = slice(shares.starts[rows], shares.starts[rows + 1])
            np.add.at(counts, shares.value[inside], shares.count[inside])
        return counts

    @cached_property
    def _ends(self) -> list[tuple[Fraction, Fraction]]:
        """The least and the largest guess that is right for each value."""
        column = self.inferred.column
        assert column.close is not None  # noqa: S101 # asked for numbers only
        return [column.close.around(number) for number in column.numbers]

    @cached_property
    def _is_right(self) -> NDArray[np.bool_]:
        """Which values are of the target, or near the guess."""
        column, values = self.inferred.column, len(self.inferred.shares.totals)
        if self.target < 0:
            return np.zeros(values, np.bool_)
        if column.close is not None:
            return np.array([low <= self.guess <= high for low, high in self._ends], np.bool_)
        return column.targets.shown_by(self.target)

    # In words ----------------------------------------------------------------------------------------------------

    @property
    def what(self) -> str:
        """The value or class, or the guess, after "show" or "a guess"."""
        column = self.inferred.column
        if column.close is not None:
            return f"of {float(self.guess):,.12g} is {_near(column.close)}"
        if column.is_class(self.target):
            return f"{_article(column.name)} {column.name} of the class {named(column.called(self.target))}"
        return f"{column.name} {named(column.called(self.target))}"

    def because(self) -> str:
        """Say what the released records that may be somebody's show."""
        name, close = self.inferred.column.name, self.inferred.column.close is not None
        if not self.shown:
            return (
                f"No released {nouns().record} that may be theirs{self._by} shows {name}; nothing but the share in the whole table is "
                f"learnt: {percent(self.usual)}."
            )
        if self.target < 0:
            return f"No value of {name} that is judged is theirs."
        if len(self.sets) > 1:
            right = f"a guess {self.what} for" if close else f"{self.what} is shown by"
            ways = f"{nouns().A_record} with these values may be published in {len(self.sets):,} ways"
            return f"{ways}; over these, {right} as many: {self._against}."
        if self.shown == 1 and not self.hidden and self.right:
            return self._of_one
        records = f"{self.shown:,} released {nouns().records}{self._theirs}"
        part = f"{self.right:,} of the {records}"
        if self.right == self.shown:
            part = f"both{records.removeprefix('2')}" if self.shown == _BOTH else f"all {records}"
        verb = "shows" if self.right == 1 else "show"
        sentence = f"a guess {self.what} for {part}" if close else f"{part} {verb} {self.what}"
        if self.hidden:
            sentence += f", and {self.hidden:,} more may, which {'hides' if self.hidden == 1 else 'hide'} it"
        against = self._against.removeprefix("100 %") if self.right == self.shown else f": {self._against}"
        return f"{sentence[0].upper()}{sentence[1:]}{against}."

    @property
    def _of_one(self) -> str:
        """Say that there is a single record that tells something."""
        one, name = f"{self.rows:,} released {nouns().records}{self._theirs} shows", self.inferred.column.name
        only = (
            f"Only one of the {one} {name}"
            if self.rows > 1
            else f"Only one released {nouns().record} may be theirs{self._by}"
        )
        if self.inferred.column.close is not None:
            return f"{only}; a guess {self.what} of what it shows."
        return f"{only}; it shows {self.what}."

    @property
    def _by(self) -> str:
        return f" by {few(self.columns)}" if self.columns else ""

    @property
    def _theirs(self) -> str:
        return f" that may be theirs{self._by}" if self.columns else ""

    @property
    def _against(self) -> str:
        """Write the chance that the records show, next to the share in the whole table, and what is judged."""
        fails, sentence = self.earlier_plans_fail, percent(self.chance)
        if fails < 1:
            of_one = Fraction(self.right + self.hidden, self.shown + self.hidden)
            sentence = percent(of_one if len(self.sets) == 1 else self.chance * fails)
        if self.columns:
            sentence = f"{sentence}, against {percent(self.usual)} of all"
        if fails == 1:
            return sentence
        return f"{sentence}; {percent(self.chance)} for somebody who knows which plans were tried first"


def short(low: Fraction, high: Fraction) -> Fraction:
    """Return a number with few digits between two others, near their middle.

    >>> short(Fraction(30_909), Fraction(37_778)), short(Fraction(1, 3), Fraction(1, 3))
    (Fraction(34000, 1), Fraction(1, 3))
    """
    middle = (low + high) / 2
    if not middle:
        return middle
    size = floor(log10(abs(middle)))
    for digits in range(_DIGITS):
        step = Fraction(10) ** (size - digits)
        if low <= (rounded := round(middle / step) * step) <= high:
            return rounded
    return middle


def detail(tally: AttributeTally, *, informed: bool, simulated: Fraction) -> str:
    """Say how the chances of sensitive values were found, and what they rest on."""
    sentence = (
        f"Of each person the released {nouns().records} were counted that look as theirs would, and what these show; what was planned "
        "did not look at sensitive values."
        if informed
        else f"Of each person the released {nouns().records} were counted that fit, and what these show."
    )
    if any((column.shown == HIDDEN).any() for column in tally.columns):
        sentence += " A sensitive entry that is hidden may hold any value."
    if simulated < 1:
        sentence += (
            f" Larger crowds were tried because smaller ones told too much, which is so in at least {percent(simulated)} of "
            "simulated worlds that look the same; chances are divided by that."
        )
    return sentence
