"""What a reader needs to be disclosed, checked against what there is."""

from collections.abc import Sequence

import numpy as np

from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protecting.alike_records import Lots, spread
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.reporting.sentences import counted, records
from giveaway.errors import NoSafeRelease, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints


def check(question: DirectoryQuestion, need: NeedsColumns | None) -> None:
    """Refuse a need that the table cannot serve, whatever is withheld."""
    if need is None:
        return
    for name in need.always:
        question.original.checked(name)
    width, per_row, per_column = len(question.attributes), *_values(question)
    if need.per_record is not None:
        _check_records(question, need, width, per_row)
    if need.total is not None and need.total > per_row.sum():
        raise ScenarioError(
            f"total = {need.total} is more than the {int(per_row.sum()):,} values of the columns compared or weighed."
        )
    if need.per_column is not None and not need.clip:
        short = [place for place in range(width) if per_column[place] < need.per_column]
        if short:
            raise ScenarioError(
                f"per_column = {need.per_column} is more than the {per_column[short[0]]:,} values of "
                f"{question.attributes[short[0]]}.",
                hint="clip = true discloses those that a column has.",
            )


def _check_records(question: DirectoryQuestion, need: NeedsColumns, width: int, per_row: Ints) -> None:
    wanted = need.per_record or 0
    if wanted > width:
        raise ScenarioError(
            f"per_record = {wanted} is more than the {counted(width, 'columns')} compared or weighed.",
            exists=", ".join(question.attributes),
        )
    short = np.flatnonzero(per_row < wanted)
    if len(short) and not need.clip:
        least = int(per_row[short].min())
        raise ScenarioError(
            f"{records(len(short))} {'has' if len(short) == 1 else 'have'} fewer than {wanted} values, the fewest {least}.",
            hint=f"clip = true discloses those that {nouns().a_record} has.",
        )


def _values(question: DirectoryQuestion) -> tuple[Ints, Sequence[int]]:
    """Count the values of each row and of each attribute; secrets do not count."""
    table, secrets = question.original, question.release.secrets
    there = np.stack([table.columns[name] != HIDDEN for name in question.attributes], axis=1)
    per_row = there.sum(axis=1)[table.record_of]
    per_column = []
    for place, name in enumerate(question.attributes):
        hidden = secrets.positions(name)
        hidden = hidden[there[table.record_of[hidden], place]]
        per_row[hidden] -= 1
        per_column.append(int(table.weights[there[:, place]].sum()) - len(hidden))
    return per_row, per_column


def check_likelihood(question: DirectoryQuestion, options: DirectoryOptions) -> None:
    """Refuse ways to protect that do not know people who are not equally likely."""
    if question.own is None:
        return
    reasons = {
        "several directories are given": len(question.lookup.likely) > 1,
        "hierarchies are given": bool(question.release.hierarchies),
        f'the method is "{options.method}"': options.method in ("crowd", "levels", "minrisk"),
    }
    for reason, there in reasons.items():
        if there:
            raise ScenarioError(
                f"likelihood says how likely somebody takes each person of one directory, and {reason}.",
                hint="leave the rest out to protect; assess measures several directories and coarser labels.",
            )


def check_room(lots: Lots, need: NeedsColumns | None) -> None:
    """Refuse marks that leave no room for exactly this many values."""
    if need is None or need.fill:
        return
    excess = None
    if need.per_record is not None and (np.bitwise_count(lots.always) > need.per_record).any():
        excess = f"More than per_record = {need.per_record} values of some {nouns().records}"
    elif need.total is not None and (forced := int(marked(lots).sum())) > need.total:
        excess = f"{counted(forced, 'values')}, more than total = {need.total},"
    elif need.per_column is not None and (forced := int(marked(lots).max())) > need.per_column:
        excess = f"{counted(forced, 'values')} of a column, more than per_column = {need.per_column},"
    if excess is not None:
        raise ScenarioError(
            f"{excess} must be published.",
            hint="always and must_publish leave no room: disclose more, mark less, or set fill = true.",
        )


def marked(lots: Lots) -> Ints:
    """Count the values of each attribute that must be published."""
    shown: Ints = lots.count @ spread(lots.always, lots.width).astype(np.int64)
    return shown


def least(lots: Lots, need: NeedsColumns | None) -> Ints:
    """Return how many values each lot must disclose."""
    forced = np.bitwise_count(lots.always).astype(np.int64)
    available = np.bitwise_count(lots.available).astype(np.int64)
    wanted = np.full(len(forced), 0 if need is None or need.per_record is None else need.per_record)
    if need is not None and need.clip:
        wanted = np.minimum(wanted, available)
    needed: Ints = np.maximum(wanted, forced)
    if (needed > available).any():
        raise NoSafeRelease(
            f"What was withheld before leaves {records(int(lots.count[needed > available].sum()))} with fewer values "
            "than needed.",
            helps=(
                "Ask for fewer values with needs.columns.per_record, or for each record's own with clip.",
            ),
        )
    return needed
