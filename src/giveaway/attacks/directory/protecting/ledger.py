"""Go through what is withheld column by column: what each column cost, and what was given away then."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from giveaway.attacks.directory.losses import Tally
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.question import Question, ask
from giveaway.attacks.directory.reporting.sentences import amount, counted
from giveaway.model.answer.risk import Curve, LedgerLine
from giveaway.model.data.arrays import alike
from giveaway.model.progress import tell
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld


def replay(
    question: Question, release: Release, tolerance: Tolerance, why: str
) -> tuple[tuple[LedgerLine, ...], list[Tally]]:
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
    stages = (_informed_stages if question.attacker.knows_method else _stages)(
        question, after, columns, tolerance
    )
    lines = [
        LedgerLine(
            withheld=question.attributes[place],
            why=why,
            removed=max(_above(stages[step]) - _above(stages[step + 1]), 0),
            lost=int(lost[place]),
            unit="entries",
        )
        for step, place in enumerate(columns)
    ]
    return tuple(lines), stages


def _stages(before: Question, after: Question, columns: Sequence[int], tolerance: Tolerance) -> list[Tally]:
    """Count what is given away when more and more columns are as they end up."""
    kinds, row = alike([before.groups.group_of, after.groups.group_of])
    first, last = before.groups.group_of[row], after.groups.group_of[row]
    values, levels = before.groups.values[first], before.groups.levels[first]
    count = np.bincount(kinds)
    stages = []
    for step in range(len(columns) + 1):
        tell("counting what withholding costs", step, len(columns))
        if step:
            place = columns[step - 1]
            values[:, place], levels[:, place] = (
                after.groups.values[last, place],
                after.groups.levels[last, place],
            )
        stages.append(
            Tally(
                count=count,
                crowds=before.lookup.crowds(values, levels),
                phis=before.weighing.phis(before.groups.classes[first], values != -1),
                prior=before.attacker.prior,
                tolerance=tolerance,
                likely=before.likely_of(before.groups.classes[first], values, levels),
            )
        )
    return stages


def _informed_stages(
    before: Question, after: Question, columns: Sequence[int], tolerance: Tolerance
) -> list[Tally]:
    """Do the same for somebody who knows the method: who looks alike depends on all that is withheld so far."""
    withheld, found = after.release.withheld, []
    for step in range(len(columns) + 1):
        tell("counting what withholding costs", step, len(columns))
        names = [before.attributes[place] for place in columns[:step]]
        part = Withheld(
            cells=Cells.at({name: withheld.cells.positions(name) for name in names}),
            levels=Levels.at({name: withheld.levels.of(name) for name in names}),
        )
        release = replace(before.release.withholding(part), plans=after.release.plans)
        found.append(judged(ask(release, before.attacker), tolerance))
    return found


def _above(tally: Tally) -> int:
    """Count the records over the limit: of identity, else those whose loss is above the limit of the risk."""
    if tally.tolerance.identity is not None:
        return tally.over
    limit = float(tally.tolerance.average or 0)
    return int(tally.count[tally.losses > limit].sum())


def kept_curve(
    question: Question, ledger: Sequence[LedgerLine], stages: Sequence[Tally]
) -> tuple[Curve, ...]:
    """Show what is kept against what is given away, column by column of what is withheld."""
    by_share = stages[0].tolerance.identity is not None
    y = [float(tally.share if by_share else tally.risk) for tally in stages]
    if not np.isfinite(y).all():
        return ()
    total, left = max(question.entries, 1), [question.disclosed]
    for line in ledger:
        left.append(left[-1] - line.lost)
    limit = stages[0].tolerance.share if by_share else stages[0].tolerance.average
    what = (
        f"records over the limit: {stages[0].over:,} before, {stages[-1].over:,} after"
        if by_share
        else f"risk {amount(y[0])} before, {amount(y[-1])} after"
    )
    return (
        Curve(
            name="kept",
            x_label="share of values kept",
            y_label="share of records over the limit" if by_share else "risk",
            x=tuple(number / total for number in left),
            y=tuple(y),
            says=f"Withholding {counted(left[0] - left[-1], 'value', 'values')} keeps {left[-1]:,} of {total:,}; {what}.",
            limit=None if limit is None else float(limit),
        ),
    )
