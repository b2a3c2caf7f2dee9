"""Rules from visible columns to a sensitive value, all of them counted one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.checker.files.tables import HIDDEN, Codes, ReleasedTable, visible
from giveaway.checker.grouping import Flags, Ints, added, numbered
from giveaway.model.data.table import Table
from giveaway.model.progress import tell
from giveaway.model.release.release import Release

_MANY_COLUMNS = 12
"""With more columns than this, only the patterns of the secrets themselves are walked through."""


@dataclass(frozen=True, kw_only=True)
class RuleSecrets:
    """Distinct secrets: their visible conditions, their true value, and how many records have them."""

    conditions: Codes
    truth: Codes
    counts: Ints


@dataclass(frozen=True, kw_only=True)
class ReleasedRuleRows:
    """Distinct released rows: conditions, the sensitive value, and how many there are of each."""

    conditions: Codes
    value: Codes
    counts: Ints


def conditions(attacker: Mapping[str, Any], table: Table, sensitive: str) -> list[str]:
    """Return the columns from which a sensitive column may be inferred, of a promise about this attacker."""
    also = [*table.sensitive] if attacker["uses_sensitive"] else []
    return [*attacker["columns"], *(name for name in also if name != sensitive)]


def secrets_of(release: Release, table: Table, columns: Sequence[str], sensitive: str) -> RuleSecrets:
    """Return the secrets of a column that are worth protecting."""
    rows = release.secrets.positions(sensitive)
    truth = table.columns[sensitive][table.record_of[rows]]
    worth = [
        not release.sensitive_values or label in release.sensitive_values for label in table.labels[sensitive]
    ]
    judged = np.array([*worth, False], np.bool_)[truth]
    rows, truth = rows[judged], truth[judged]
    conditions = [visible(table, release, name, rows) for name in columns]
    first, group = numbered([*conditions, truth])
    return RuleSecrets(
        conditions=np.stack(conditions, axis=1)[first],
        truth=truth[first],
        counts=np.bincount(group, minlength=len(first)),
    )


def rows_of(shown: ReleasedTable, columns: Sequence[str], sensitive: str) -> ReleasedRuleRows:
    """Return what the released rows show, each kind once."""
    columns_shown = [shown.column(name) for name in (*columns, sensitive)]
    first, group = numbered(columns_shown)
    codes = np.stack(columns_shown, axis=1)[first]
    return ReleasedRuleRows(
        conditions=codes[:, :-1], value=codes[:, -1], counts=added(group, shown.counts, len(first))
    )


def exposed(rows: ReleasedRuleRows, secrets: RuleSecrets, limit: Fraction, least: int) -> Flags:
    """Mark the secrets that an unsafe rule gives away."""
    count = _over_masks if secrets.conditions.shape[1] <= _MANY_COLUMNS else _over_patterns
    return count(rows, secrets, limit, least)


def _over_masks(rows: ReleasedRuleRows, secrets: RuleSecrets, limit: Fraction, least: int) -> Flags:
    """Mark the secrets that an unsafe rule gives away, one set of columns after the other."""
    exposed = np.zeros(len(secrets.truth), np.bool_)
    sets = 1 << secrets.conditions.shape[1]
    for mask in range(1, sets):
        tell("checking the written files", mask, sets)
        columns = [place for place in range(secrets.conditions.shape[1]) if mask >> place & 1]
        asked = np.flatnonzero((secrets.conditions[:, columns] != HIDDEN).all(axis=1) & ~exposed)
        if not len(asked):
            continue
        seen = np.flatnonzero((rows.conditions[:, columns] != HIDDEN).all(axis=1))
        both = np.concatenate([rows.conditions[seen][:, columns], secrets.conditions[asked][:, columns]])
        first, pattern = numbered(list(both.T))
        met = added(pattern[: len(seen)], rows.counts[seen], len(first))[pattern[len(seen) :]]
        exposed[asked] = _unsafe(_showing(rows, secrets, seen, asked, pattern), met, limit, least)
    return exposed


def _showing(rows: ReleasedRuleRows, secrets: RuleSecrets, seen: Ints, asked: Ints, pattern: Ints) -> Ints:
    """Count for each secret the rows with its pattern that show its true value."""
    value = np.concatenate([rows.value[seen], secrets.truth[asked]])
    first, pair = numbered([pattern, value])
    # A hidden value is never a secret's true one, so that its rows are counted for nobody.
    return added(pair[: len(seen)], rows.counts[seen], len(first))[pair[len(seen) :]]


def _unsafe(showing: Ints, met: Ints, limit: Fraction, least: int) -> Flags:
    """Tell for each rule whether it is trusted and over the limit, in whole numbers."""
    most = {many: limit.numerator * many // limit.denominator for many in np.unique(met).tolist()}
    allowed = np.array([most[many] for many in met.tolist()], np.int64)
    unsafe: Flags = (showing > least) & (showing > allowed)
    return unsafe


def _over_patterns(rows: ReleasedRuleRows, secrets: RuleSecrets, limit: Fraction, least: int) -> Flags:
    """Do the same pattern by pattern, leaving off where too few rows are left for any secret to be trusted."""
    exposed = np.zeros(len(secrets.truth), np.bool_)
    values = 2 + int(max(rows.value.max(initial=0), secrets.truth.max(initial=0)))
    waiting = [(np.arange(len(rows.counts)), np.arange(len(secrets.truth)), 0)]
    while waiting:
        tell("checking the written files", int(exposed.sum()), len(exposed))
        met, asked, start = waiting.pop()
        for column in range(start, secrets.conditions.shape[1]):
            codes, own = rows.conditions[met, column], secrets.conditions[asked, column]
            for code in np.unique(own[own != HIDDEN]).tolist():
                left, who = met[codes == code], asked[own == code]
                shown = added(rows.value[left] + 1, rows.counts[left], values)
                showing = shown[secrets.truth[who] + 1]
                exposed[who] |= _unsafe(showing, np.full(len(who), shown.sum()), limit, least)
                who = who[(showing > least) & ~exposed[who]]
                if len(who):
                    waiting.append((left, who, column + 1))
    return exposed
