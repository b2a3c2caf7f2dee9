"""A public list of crowds, of which the first is published that tells little enough of sensitive values.

People are never put together because of what is inside: a plan sees profiles only. What it tells all the same is that the
plans before it failed, and by that somebody learns at most view / P(all earlier fail | release) (theorem 3). The list is
fixed, and jumps: small steps would make their failures rare, and the quotient large.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from typing import TypeVar

import numpy as np

from giveaway.attacks.directory.inference.reach import Reach
from giveaway.attacks.directory.inference.sensitive import Sensitive, sensitive_columns
from giveaway.attacks.directory.inference.tally import attribute_tally
from giveaway.attacks.directory.inference.told import ColumnTold
from giveaway.attacks.directory.look_alikes import numbered
from giveaway.attacks.directory.measure import judged, told_in
from giveaway.attacks.directory.question import DirectoryQuestion, ask
from giveaway.attacks.directory.readings.shares import block_shares
from giveaway.attacks.wording import exact_percent, listed, percent
from giveaway.crowds.lists import dealt_anew, failing_worlds, lower_end, shuffled
from giveaway.crowds.plan import Plan
from giveaway.crowds.split import Split
from giveaway.errors import NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

JUMP = 128
"""How much larger the second crowd of the list is."""

DRAWS, WORK, FEWEST_DRAWS = 200, 20_000_000, 40
"""How many worlds are drawn, and of large tables how many rows in all, but not fewer than these."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Crowds:
    """A release in which enough look alike, and the plans that it was made by."""

    release: Release
    crowd: int
    """How many look alike at least."""
    plan: Plan | None
    """The plan, where there is one: several directories have one each."""
    profile_of: Ints | None = None
    """The profile of each row in the plan, where it was made on the records."""
    bounded: bool
    """Whether every safe release of its kind costs at least what the bound of the plan says."""

    @property
    def is_drawn(self) -> bool:
        """Whether people with the same values are shown in different forms, so that it is drawn who in which."""
        plan = None if self.profile_of is None else self.plan
        return plan is not None and len(np.unique(plan.profile)) < len(plan.profile)

    def labels(self, question: DirectoryQuestion, draw: np.random.Generator) -> Ints:
        """Return what each row shows of the columns compared, with lots drawn anew where the plan draws lots."""
        if self.plan is None or self.profile_of is None:
            after = ask(self.release, question.attacker)
            return after.forms[after.groups.group_of]
        line = np.empty(len(self.profile_of), np.int64)
        # Lines are in the order of profiles.
        line[shuffled(self.profile_of, draw)] = np.repeat(
            np.arange(len(self.plan.profile)), self.plan.members
        )
        return self.plan.profiles.labels_of(self.profile_of, self.plan.vectors[line])


Made = TypeVar("Made", bound=Crowds)


LARGER = "How large the crowds are was decided by what smaller ones told of sensitive values; who is in which was not."
"""What is said of a release that is not the first of the list."""


def within_values(question: DirectoryQuestion, release: Release, tolerance: Tolerance) -> bool:
    """Tell whether a release tells little enough of sensitive values."""
    guesses = told_in(release, question.attacker, tolerance)
    return guesses is None or (guesses.share <= tolerance.share and not guesses.mostly_without)


def larger_crowds(question: DirectoryQuestion, crowd: int, people: int) -> Iterator[int]:
    """Give the crowds of the list after the first.

    What somebody learns from a failure who knows the method is worked out only where the records themselves are the
    directory, all columns compared are known, and every sensitive value is seen. Whoever does not know it learns nothing
    from the choice, so that the list may double.
    """
    if question.attacker.knows_method:
        if not _not_worked_out(question) and (second := min(JUMP * crowd, people // 2)) > crowd:
            yield second
        return
    while (crowd := 2 * crowd) <= people // 2:
        yield crowd


def _not_worked_out(question: DirectoryQuestion) -> str:
    """Say for whom it is not worked out what a failure tells; nothing where it is."""
    release = question.release
    unseen = {*release.hidden.columns, *release.coarser.columns}.intersection(question.original.sensitive)
    if not question.lookup.is_own:
        return "with another directory"
    if question.attacker.at_most is not None:
        return "for somebody who knows some of the columns"
    if release.earlier_plans is not None:
        return "where such a need decided before"
    if question.beside:
        return "where others were asked about before"
    return "where sensitive entries are hidden or coarser" if unseen else ""


def listed_within(
    question: DirectoryQuestion, tolerance: Tolerance, effort: Effort, first: Made, larger: Iterable[Made]
) -> Made:
    """Return the first release of the list that tells little enough, also of those before it; refuse where none does."""
    _refuse_common(question, tolerance)
    every: list[Crowds] = [first]
    for crowds in larger:
        release = crowds.release
        every.append(crowds)
        if question.attacker.knows_method:
            tried = FirstPlan(question=question, tolerance=tolerance, first=first, seed=effort.seed)
            release = replace(release, earlier_plans=tried)
        if release.earlier_plans_fail and _within(question, release, tolerance):
            return replace(crowds, release=release, bounded=False)
    raise _refusal(question, tolerance, every)


def _within(question: DirectoryQuestion, release: Release, tolerance: Tolerance) -> bool:
    """Tell whether a release tells little enough of sensitive values, and by these of whose records are whose."""
    tally = judged(ask(release, question.attacker), tolerance)
    return tally.within_if_listed and not tally.near_the_limit and within_values(question, release, tolerance)


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstPlan:
    """The first plan of the list, which told too much of sensitive values."""

    question: DirectoryQuestion
    tolerance: Tolerance
    first: Crowds
    seed: int

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are compared."""
        return self.question.compared

    def fail_in(self, release: Release) -> Fraction:
        """Return how likely it fails at least, in worlds that look like a release: the lower confidence end."""
        question, after = self.question, ask(release, self.question.attacker)
        form = numbered(after.forms)[0][after.groups.group_of]
        rule = _PlanRule(question, self.tolerance, after)

        def fails(draw: np.random.Generator) -> bool:
            return rule.fails(self.first.labels(question, draw), dealt_anew(form, draw))

        draws = max(FEWEST_DRAWS, min(DRAWS, WORK // max(question.records, 1)))
        return lower_end(failing_worlds(fails, draws=draws, seed=self.seed), draws)


@dataclass(frozen=True, eq=False)
class _PlanRule:
    """What makes a plan fail: the same question, put to other arrangements of the sensitive values."""

    question: DirectoryQuestion
    tolerance: Tolerance
    after: DirectoryQuestion
    """The same, about the release whose sensitive values are dealt anew."""

    @cached_property
    def columns(self) -> tuple[Sensitive, ...]:
        """What it shows of sensitive columns."""
        return sensitive_columns(self.after)

    @cached_property
    def _answers(self) -> dict[bytes, bool]:
        """What was found before, by world: in small tables the same ones are drawn again and again."""
        return {}

    def fails(self, labels: Ints, value_from: Ints) -> bool:
        """Tell whether too much is told where rows show labels and have the values of others; their order is nothing."""
        world = np.column_stack([self._known, labels, self._lines[value_from]])
        key = blake2b(world[np.lexsort(world.T)].tobytes()).digest()
        if key not in self._answers:
            self._answers[key] = self._fails(labels, value_from)
        return self._answers[key]

    def _fails(self, labels: Ints, value_from: Ints) -> bool:
        question, limit = self.question, self.tolerance.attribute
        assert limit is not None  # noqa: S101 # the list is for this limit
        rows, line = len(labels), self._lines[value_from]
        each, over = np.ones(rows, np.int64), np.zeros(rows, np.bool_)
        for places in question.column_sets():
            profile, form = _numbered(self._known, places), _numbered(labels, places)
            split = Split.observed(profile, form)
            for column in self.columns:
                shown, true = column.shown[line], column.true[line]
                shares = block_shares(form, shown, each, values=column.targets.codes)
                inferred = ColumnTold(column=column, columns=places, reach=Reach(shares=shares, split=split))
                if question.attacker.judges == "true" and not inferred.splits:
                    views, person = inferred.own(profile, true.astype(np.int64)), np.arange(rows)
                else:
                    views, person = inferred.views, profile
                over |= np.array([chance > limit for chance in views.chances], np.bool_)[person]
        return int(over.sum()) > self.tolerance.share * rows

    @cached_property
    def _lines(self) -> Ints:
        return self.after.lines.rows()

    @cached_property
    def _known(self) -> Codes:
        table = self.question.original
        return np.stack([table.columns[name][table.record_of] for name in self.question.compared], axis=1)


def _numbered(matrix: Codes | Ints, places: Sequence[int]) -> Ints:
    if not places:
        return np.zeros(len(matrix), np.int64)
    return alike([matrix[:, place] for place in places])[0]


def _refuse_common(question: DirectoryQuestion, tolerance: Tolerance) -> None:
    """Refuse values that are over the limit for somebody who knows nothing of a person."""
    guesses = attribute_tally(question, tolerance)
    limit = tolerance.attribute
    if guesses is None or limit is None or tolerance.share or not (common := guesses.too_common):
        return
    column, target, share = common[0]
    shown = f"{column.called(target)} in {column.name} is shown by" if target >= 0 else ""
    what = shown or f"One guess of {column.name} is close enough for"
    raise NoSafeRelease(
        f"{what} {percent(share)} of all {nouns().records}, above the limit of {exact_percent(limit)} whatever is withheld.",
        helps=("Name the values worth protecting with sensitive_values, or tolerate more.",),
    )


def _refusal(question: DirectoryQuestion, tolerance: Tolerance, tried: Sequence[Crowds]) -> NoSafeRelease:
    """Say what was tried, and name the column that gives most away by itself."""
    alone = {place: _over_alone(question, tolerance, place) for place in range(question.lookup.compared)}
    place = max(alone, key=lambda one: (alone[one], -one))
    columns = listed([column.name for column in sensitive_columns(question)])
    guesses = attribute_tally(question, tolerance)
    people = 0 if guesses is None else guesses.worst_directory.people
    helps = [
        f"{question.compared[place]} alone tells {columns} of {alone[place]:,} of {people:,} people: leave it out, make it "
        "coarser, or tolerate a share of them."
        if alone[place]
        else "Leave out a column, make columns coarser, or tolerate a share of the people."
    ]
    within = f"keep every chance of {columns} within {tolerance.attribute}"
    drawn = "as they were drawn for these data" if any(one.is_drawn for one in tried) else ""
    if len(tried) > 1:
        both = f"crowds of the size that is asked for nor larger ones {within}"
        return NoSafeRelease(f"Neither {both}{drawn and f', {drawn}'}.", helps=tuple(helps))
    why = f"they would take more than half of all {nouns().records}"
    if question.attacker.knows_method and (where := _not_worked_out(question)):
        helps.append("Or ask for larger crowds from the start, with identity.")
        why = f"what their need tells is not worked out {where}"
    return NoSafeRelease(
        f"Crowds of the size that is asked for{drawn and f', {drawn},'} do not {within}. Larger ones are not tried: {why}.",
        helps=tuple(helps),
    )


def _over_alone(question: DirectoryQuestion, tolerance: Tolerance, place: int) -> int:
    """Count the people of whom one column tells too much by itself."""
    guesses = attribute_tally(question, tolerance, [(place,)])
    return 0 if guesses is None else guesses.worst_directory.exposed
