"""What is believed of sensitive values where rows cannot be joined: P(s) = n1(s) n2(s) / n(s), normalised.

s are the values in the columns that all releases show; n_i(s) rows of release i fit the person and have s, and n(s) rows
have it in all. Two rows may be of one person if they have the same s, and then in one of n(s) ways: so many rows could
the other be. Without the division what is common would count twice. m releases: n1(s) ... nm(s) / n(s)^(m-1). A sensitive
column of one release alone is counted within s.

That is exact for somebody who knows one person. Of somebody who knows everybody's values it is estimated what they believe;
what the counts prove to them counts, and nothing is called safe that the estimate puts over the limit.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.measure import measure
from giveaway.attacks.directory.reporting.told_people import Both
from giveaway.attacks.directory.together.fitting import Fitting
from giveaway.attacks.directory.together.register import Register, register
from giveaway.attacks.together import at_some_time
from giveaway.attacks.wording import counted, named, percent
from giveaway.errors import NothingToJudge
from giveaway.model.answer.risk import (
    Details,
    Exposure,
    HoldsUpTo,
    How,
    Learnt,
    Level,
    Listed,
    Risk,
)
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

_NOBODY = Fraction(0)
_HINT = 'say linked = "rows" if rows can be joined, or leave out the limit of attribute.'


@dataclass(frozen=True, kw_only=True, eq=False)
class BelievedValues:
    """What is believed of each kind of people in one sensitive column."""

    column: str
    labels: tuple[Label, ...]
    chances: Sequence[dict[int, Fraction]]
    """For each kind of people the chance of each value that is possible."""
    baseline: Fraction
    """The share of the most common value."""


def believed(fitting: Fitting, column: str) -> BelievedValues:
    """Work out what is believed of a sensitive column, which some release shows of everybody."""
    place = next((at for at, shown in enumerate(fitting.releases) if column in shown.codes), None)
    if place is None or (fitting.releases[place].codes[column] < 0).any():
        raise NothingToJudge(f"{column} is hidden in some rows or in all of them.", hint=_HINT)
    weights: list[dict[int, Fraction]] = [defaultdict(Fraction) for _ in fitting.people]
    for profile, value, weight in _weights(fitting, column, place):
        weights[profile][value] += weight
    return BelievedValues(
        column=column,
        labels=fitting.labels[column],
        chances=[_normalised(one) for one in weights],
        baseline=_share(fitting, column, place),
    )


def believed_at_some_time(fitting: Fitting, name: str, columns: Sequence[str]) -> BelievedValues:
    """Work out what is believed of a sensitive column that changes: that some release has a value in the person's row.

    Of rows with the same shared values every choice of one from each release is as likely, so that a value is in none of
    them as often as in none of each.
    """
    place_of = {one: at for one in columns for at, shown in enumerate(fitting.releases) if one in shown.codes}
    if any((fitting.releases[at].codes[one] < 0).any() for one, at in place_of.items()):
        raise NothingToJudge(f"{name} is hidden in some rows of a release.", hint=_HINT)
    texts = list(dict.fromkeys(str(label) for one in place_of for label in fitting.labels[one]))
    rows = np.bincount(fitting.releases[0].signature)
    counts = [_counts(fitting, at) for at in range(len(fitting.releases))]
    holding = {at: _counts(fitting, at, one) for one, at in place_of.items()}
    every: list[Fraction] = [_NOBODY for _ in fitting.people]
    never = [dict.fromkeys(range(len(texts)), _NOBODY) for _ in fitting.people]
    for profile, signature in counts[0]:
        each = [one.get((profile, signature), {}).get("", 0) for one in counts]
        if not all(each):
            continue
        ways = int(rows[signature]) ** (len(each) - 1)
        every[profile] += Fraction(prod(each), ways)
        for at, text in enumerate(texts):
            without = [
                many - holding[place].get((profile, signature), {}).get(text, 0) if place in holding else many
                for place, many in enumerate(each)
            ]
            never[profile][at] += Fraction(prod(without), ways)
    shares = [_share(fitting, one, at) for one, at in place_of.items()]
    return BelievedValues(
        column=at_some_time(name),
        labels=tuple(texts),
        chances=[
            {at: 1 - one / total for at, one in of.items() if total and one < total}
            for of, total in zip(never, every, strict=True)
        ],
        baseline=1 - prod((1 - share for share in shares), start=Fraction(1)),
    )


def _counts(fitting: Fitting, place: int, column: str | None = None) -> dict[tuple[int, int], dict[str, int]]:
    """Count the rows of a release that fit each profile and have each signature, by their value in a column."""
    part, counts = fitting.counted(place, column), defaultdict[tuple[int, int], dict[str, int]](dict)
    lines = zip(
        *(one.tolist() for one in (part.profile, part.signature, part.value, part.count)), strict=True
    )
    for profile, signature, value, count in lines:
        text = "" if column is None else str(fitting.labels[column][value])
        counts[profile, signature][text] = count
    return counts


def _share(fitting: Fitting, column: str, place: int) -> Fraction:
    totals = np.bincount(fitting.releases[place].codes[column])
    return Fraction(int(totals.max()), int(totals.sum()))


def _weights(fitting: Fitting, column: str, place: int) -> Iterator[tuple[int, int, Fraction]]:
    """Give for each kind of people, combination of shared values and sensitive value what weighs for it."""
    rows = np.bincount(fitting.releases[0].signature)
    others = []
    for at in range(len(fitting.releases)):
        if at != place:
            part = fitting.counted(at)
            keys = zip(part.profile.tolist(), part.signature.tolist(), strict=True)
            others.append(dict(zip(keys, part.count.tolist(), strict=True)))
    own = fitting.counted(place, column)
    lines = zip(
        own.profile.tolist(), own.signature.tolist(), own.value.tolist(), own.count.tolist(), strict=True
    )
    for profile, signature, value, count in lines:
        many = count
        for other in others:
            many *= other.get((profile, signature), 0)
        if many:
            yield profile, value, Fraction(many, int(rows[signature]) ** len(others))


def _normalised(weights: dict[int, Fraction]) -> dict[int, Fraction]:
    total = sum(weights.values(), _NOBODY)
    return {value: weight / total for value, weight in weights.items()}


def measured(
    release: Release,
    attacker: KnowsDirectory,
    tolerance: Tolerance,
    effort: Effort,
    fitting: Fitting,
    changing: Mapping[str, Sequence[str]],
) -> Risk:
    """Measure what is believed of sensitive values, and, where that is limited too, who is recognised."""
    table = release.original
    assert isinstance(table, Table)  # noqa: S101 # rows of tables
    columns = _sensitive(release, table, attacker, fitting)
    beliefs = [
        *(believed(fitting, name) for name in columns),
        *(believed_at_some_time(fitting, name, every) for name, every in changing.items()),
    ]
    tally = BelievedTally(
        table=table,
        fitting=fitting,
        columns=beliefs,
        tolerance=tolerance,
        changing={at_some_time(name): every for name, every in changing.items()},
    )
    alone = tolerance.identity is None and tolerance.average is None
    others = tolerance.given - {"attribute"}
    risk = None if alone else measure(release, attacker, tolerance.only(others), None, effort)
    shares = [tally.share, *([risk.share] if risk is not None and risk.share is not None else [])]
    return Risk(
        share=max(shares),
        average=None if risk is None else risk.average,
        undecided=risk is not None and risk.undecided,
        reasons=(*(() if risk is None else risk.reasons), *tally.reasons),
        doubt=tally.doubt if risk is None or risk.doubt is None else risk.doubt,
        details=BelievedDetails(tally, risk),
    )


def _sensitive(release: Release, table: Table, attacker: KnowsDirectory, fitting: Fitting) -> list[str]:
    """Return the sensitive columns that are judged; refuse what is not worked out."""
    reasons = {
        "classes of sensitive values": bool(release.sensitive_classes),
        "close guesses": bool(attacker.within),
        "coarser labels of sensitive values": any(name in release.hierarchies for name in table.sensitive),
    }
    for what, holds in reasons.items():
        if holds:
            raise NothingToJudge(
                f"What releases tell whose rows cannot be joined is not worked out for {what}.", hint=_HINT
            )
    names = [name for name in fitting.labels if name in table.sensitive and name not in fitting.profiles]
    if not names:
        raise NothingToJudge(
            "No sensitive value could be told: every sensitive column is among those compared.",
            hint="leave the sensitive column out of columns, or leave out the limit of attribute.",
        )
    return names


@dataclass(frozen=True, kw_only=True, eq=False)
class BelievedTally:
    """What is believed of everybody, next to the limit."""

    table: Table
    fitting: Fitting
    columns: Sequence[BelievedValues]
    tolerance: Tolerance
    changing: Mapping[str, Sequence[str]]
    """For each column at some time the columns of its values."""

    @property
    def limit(self) -> Fraction:
        """The limit of a sensitive value."""
        return self.tolerance.attribute or Fraction(1)

    @cached_property
    def register(self) -> Register | None:
        """What somebody believes who knows everybody's values; None where that is not worked out."""
        names = [one.column for one in self.columns if one.column in self.fitting.labels]
        return register(self.fitting, names)

    @cached_property
    def proved(self) -> dict[int, tuple[Fraction, BelievedValues, int]]:
        """The kinds of people of whom the counts of everybody leave one value alone, with it."""
        certain: dict[int, tuple[Fraction, BelievedValues, int]] = {}
        for one in self.columns:
            for column in self.changing.get(one.column, ()):
                known = register(self.fitting, [column])
                values = [] if known is None else known.certain(0).tolist()
                place_of = {text: at for at, text in enumerate(one.labels)}
                for kind, value in enumerate(values):
                    if value >= 0:
                        label = str(self.fitting.labels[column][value])
                        certain[kind] = (Fraction(1), one, place_of[label])
        if self.register is None:
            return certain
        return certain | {
            kind: (Fraction(1), one, int(value))
            for place, one in enumerate(self.columns[: len(self.register.columns)])
            for kind, value in enumerate(self.register.certain(place).tolist())
            if value >= 0
        }

    @cached_property
    def worst(self) -> list[tuple[Fraction, BelievedValues, int]]:
        """For each kind of people the likeliest value of a column, right or wrong, with its chance."""
        nothing = (_NOBODY, self.columns[0], -1)
        return [
            self.proved.get(kind)
            or max(
                (
                    (chance, one, value)
                    for one in self.columns
                    for value, chance in sorted(one.chances[kind].items())
                ),
                key=lambda belief: belief[0],
                default=nothing,
            )
            for kind in range(len(self.fitting.people))
        ]

    @cached_property
    def over(self) -> int:
        """How many people are over the limit."""
        above = [chance > self.limit for chance, _, _ in self.worst]
        return int(self.fitting.people[np.array(above, np.bool_)].sum())

    @property
    def share(self) -> Fraction:
        """The part of the people who are over the limit."""
        return Fraction(self.over, len(self.table))

    @property
    def estimated(self) -> int:
        """How many people are over the limit of somebody who knows everybody's values, by the estimate."""
        return 0 if self.register is None else self.register.above(float(self.limit))

    @property
    def doubt(self) -> str | None:
        """Say that somebody who knows everybody's values may believe too much."""
        if Fraction(self.estimated, len(self.table)) <= self.tolerance.share:
            return None
        return (
            f"Somebody who knows everybody's values, not those of one person alone, is estimated to believe a sensitive value "
            f"of {counted(self.estimated, 'people', 'person')} with more than {percent(self.limit)}. Hint: {_HINT}"
        )

    @property
    def reasons(self) -> tuple[str, ...]:
        """Say of how many people too much is believed."""
        if not self.over:
            return ()
        people = counted(len(self.table), "people", "person")
        return (
            f"Of {self.over:,} of {people} a sensitive value is believed with more than {percent(self.limit)}.",
        )


class BelievedPeople(Listed):
    """One exposure for each person, by falling chance."""

    def __init__(self, tally: BelievedTally) -> None:
        self._tally = tally

    @cached_property
    def _order(self) -> Ints:
        chances = np.array([float(chance) for chance, _, _ in self._tally.worst])
        of_row = self._tally.fitting.profile_of
        return np.lexsort((np.arange(len(of_row)), -chances[of_row]))

    def __len__(self) -> int:
        return len(self._order)

    def _at(self, place: int) -> tuple[int, Fraction, BelievedValues, int]:
        row = int(self._order[place])
        return row, *self._tally.worst[int(self._tally.fitting.profile_of[row])]

    def learnt(self, place: int) -> Learnt:
        """Return the exposure at a place without its words."""
        row, chance, column, value = self._at(place)
        label = None if value < 0 else column.labels[value]
        return "attribute", self._tally.table.record(row), label, chance

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        _, target, label, chance = self.learnt(place)
        row, _, column, _ = self._at(place)
        proved = int(self._tally.fitting.profile_of[row]) in self._tally.proved
        ways = (
            "to give everybody a row that fits them in each release"
            if proved
            else "to join the rows that may be theirs"
        )
        return Exposure(
            target=target,
            kind="attribute",
            chance=chance,
            baseline=column.baseline,
            value=label,
            because=f"In all ways {ways}, {column.column} {named(label)} is theirs in "
            f"{percent(chance)}, against {percent(column.baseline)} of all for the most common value.",
        )


class BelievedDetails(Details):
    """What a report shows of it, next to who is recognised where that is limited too."""

    def __init__(self, tally: BelievedTally, risk: Risk | None) -> None:
        self._tally, self._risk = tally, risk

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The largest chances next to their limits."""
        tally = self._tally
        level = Level(
            kind="attribute",
            worst=max(chance for chance, _, _ in tally.worst),
            limit=tally.limit,
            baseline=max(one.baseline for one in tally.columns),
        )
        return (*(() if self._risk is None else self._risk.levels), level)

    @cached_property
    def how(self) -> How:
        """How it was counted."""
        return How(
            method="exact",
            detail="Rows of the releases cannot be joined: all ways to join them that respect what all show are equally likely, "
            f"and of each person the rows were counted that fit in each release. {self._register}",
        )

    @property
    def _register(self) -> str:
        """Say what somebody who knows everybody's values is estimated to believe."""
        known, tally = self._tally.register, self._tally
        if known is None or known.mean is None:
            return "What somebody believes who knows everybody's values was not estimated."
        return (
            f"By maximum entropy somebody who knows everybody's values is estimated to believe a value of "
            f"{counted(tally.estimated, 'people', 'person')} with more than {percent(tally.limit)}, and on average the likeliest "
            f"with {percent(known.mean)}."
        )

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """People by chance, in turn with the records."""
        people = BelievedPeople(self._tally)
        records = None if self._risk is None else self._risk.exposures
        return Both(people, records) if isinstance(records, Listed) else people

    @cached_property
    def over(self) -> int:
        """How many people and records are above their limits."""
        return self._tally.over + (0 if self._risk is None else self._risk.over)

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The numbers of people believed too much of."""
        known = self._tally.register
        certain = np.array([chance == 1 for chance, _, _ in self._tally.worst], np.bool_)
        return {
            "exposed_people": self._tally.over,
            "certain_people": int(self._tally.fitting.people[certain].sum()),
            "register_exposed_people": None if known is None or known.mean is None else self._tally.estimated,
            "register_mean_belief": None if known is None else known.mean,
        }

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """Nothing was tried."""
        return HoldsUpTo(value=None, unit="columns compared")
