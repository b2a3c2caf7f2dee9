"""Go through what is withheld column by column: what each column cost, and what was given away then."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.measure import judged, told_in
from giveaway.attacks.directory.question import DirectoryQuestion, ask
from giveaway.attacks.directory.reporting.sentences import amount, counted
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, LedgerLine
from giveaway.model.data.arrays import alike
from giveaway.model.progress import tell
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """What is given away when some columns are as they end up."""

    tally: GroupsTally
    people_over: int
    """The people of whom too much is told, where that is limited."""
    people: int

    @property
    def above(self) -> int:
        """Count what is over a limit: records, or their losses where the mean is limited, and people."""
        tally = self.tally
        if tally.tolerance.identity is not None:
            return tally.over + self.people_over
        if tally.tolerance.average is None:
            return self.people_over
        return int(tally.count[tally.losses > float(tally.tolerance.average)].sum()) + self.people_over


def replay(
    question: DirectoryQuestion, release: Release, tolerance: Tolerance, why: str
) -> tuple[tuple[LedgerLine, ...], list[Stage]]:
    """Withhold column by column; return a line for each, and what was given away before and after each."""
    after = ask(release, question.attacker)
    cells, levels = release.withheld.cells, release.withheld.levels
    before = question.release.withheld
    lost = question.disclosed_of - after.disclosed_of
    columns = [
        place
        for place, name in enumerate(question.attributes)
        if lost[place]
        or len(cells.positions(name)) > len(before.cells.positions(name))
        or len(levels.of(name)[0]) > len(before.levels.of(name)[0])
    ]
    if question.attacker.knows_method:  # who looks alike depends on all that is withheld so far
        releases = _releases(question, after, columns)
        tallies = [judged(ask(part, question.attacker), tolerance) for part in releases]
    else:
        tallies = _tallies(question, after, columns, tolerance)
    stages = [
        Stage(tally=tally, people_over=over, people=people)
        for tally, (over, people) in zip(
            tallies, _people_over(question, after, columns, tolerance), strict=True
        )
    ]
    lines = [
        LedgerLine(
            withheld=question.attributes[place],
            why=why,
            removed=max(stages[step].above - stages[step + 1].above, 0),
            lost=int(lost[place]),
            unit="entries",
        )
        for step, place in enumerate(columns)
    ]
    return tuple(lines), stages


def _tallies(
    before: DirectoryQuestion, after: DirectoryQuestion, columns: Sequence[int], tolerance: Tolerance
) -> list[GroupsTally]:
    """Count what is given away when more and more columns are as they end up."""
    kinds, row = alike([before.groups.group_of, after.groups.group_of])
    first, last = before.groups.group_of[row], after.groups.group_of[row]
    values, levels = before.groups.values[first], before.groups.levels[first]
    count, classes = np.bincount(kinds), before.groups.classes[first]
    stages = []
    for step in range(len(columns) + 1):
        tell("counting what withholding costs", step, len(columns))
        if step:
            place = columns[step - 1]
            values[:, place], levels[:, place] = (
                after.groups.values[last, place],
                after.groups.levels[last, place],
            )
        stages.append(before.tally_of(tolerance, count=count, classes=classes, values=values, levels=levels))
    return stages


def _people_over(
    before: DirectoryQuestion, after: DirectoryQuestion, columns: Sequence[int], tolerance: Tolerance
) -> Iterator[tuple[int, int]]:
    """Count the people of whom too much is told at each stage, of how many; nobody where that is not limited."""
    if tolerance.attribute is None:
        yield from [(0, 0)] * (len(columns) + 1)
        return
    for release in _releases(before, after, columns):
        guesses = told_in(release, before.attacker, tolerance)
        worst = None if guesses is None else guesses.worst_directory
        yield (0, 0) if worst is None else (worst.exposed, worst.people)


def _releases(
    before: DirectoryQuestion, after: DirectoryQuestion, columns: Sequence[int]
) -> Iterator[Release]:
    """Give the release with more and more columns as they end up, from none to all."""
    withheld = after.release.withheld
    for step in range(len(columns)):
        tell("counting what withholding costs", step, len(columns))
        names = [before.attributes[place] for place in columns[:step]]
        part = Withheld(
            cells=Cells.at({name: withheld.cells.positions(name) for name in names}),
            levels=Levels.at({name: withheld.levels.of(name) for name in names}),
        )
        yield replace(before.release.withholding(part), plans=after.release.plans)
    yield after.release


def kept_curve(
    question: DirectoryQuestion, ledger: Sequence[LedgerLine], stages: Sequence[Stage]
) -> tuple[Curve, ...]:
    """Show what is kept against what is given away, column by column of what is withheld.

    That is the part of the records over the limit of identity, else of the people over that of a sensitive value, else
    the risk.
    """
    first, last, tolerance = stages[0], stages[-1], stages[0].tally.tolerance
    limit: Fraction | None = tolerance.share
    if tolerance.identity is not None:
        y, label = (
            [float(stage.tally.share) for stage in stages],
            f"share of {nouns().records} over the limit",
        )
        what = f"{nouns().records} over the limit: {first.tally.over:,} before, {last.tally.over:,} after"
    elif first.people:
        y = [stage.people_over / stage.people for stage in stages]
        label = "share of people over the limit"
        what = f"people over the limit: {first.people_over:,} before, {last.people_over:,} after"
    else:
        y, label, limit = [float(stage.tally.risk) for stage in stages], "risk", tolerance.average
        what = f"risk {amount(y[0])} before, {amount(y[-1])} after"
    if not np.isfinite(y).all():
        return ()
    total, left = max(question.entries, 1), [question.disclosed]
    for line in ledger:
        left.append(left[-1] - line.lost)
    return (
        Curve(
            name="kept",
            x_label="share of values kept",
            y_label=label,
            x=tuple(number / total for number in left),
            y=tuple(y),
            says=f"Withholding {counted(left[0] - left[-1], 'values')} keeps {left[-1]:,} of {total:,}; {what}.",
            limit=None if limit is None else float(limit),
        ),
    )
