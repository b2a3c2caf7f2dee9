"""Count what blanks say to somebody who knows how they were chosen, row by row of the original."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.checker.attacks.attributes import rules
from giveaway.checker.files.tables import HIDDEN, Codes, ReleasedTable, visible
from giveaway.checker.grouping import Flags, Ints, added, numbered
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True)
class _BlankGroup:
    """Records that look the same: their blank entries by value, how many of them are secret, and how many are judged."""

    blank: Counter[int] = field(default_factory=Counter)
    secrets: list[int] = field(default_factory=list)
    """The rows of the secrets with a value."""
    judged: list[int] = field(default_factory=list)
    """Those of them whose value is worth protecting."""

    def mostly_one(self, worth: Flags, odds: Fraction, limit: Fraction) -> bool:
        """Tell whether one value is worth guessing: its odds against all others are above those of the limit."""
        size = self.blank.total()
        return any(
            worth[value] and odds * many * (1 - limit) > limit * (size - many)
            for value, many in self.blank.items()
        )


def keeps(shown: ReleasedTable, release: Release, table: Table, promise: Promise, limit: Fraction) -> bool:
    """Tell whether few enough secrets are in groups that give a value away; refuse to tell what cannot be counted here.

    Where some may stay exposed, a group over the limit must be seen to be one: it has one blank.
    """
    attacker = promise.attacker
    independent = attacker["asking"] == "independent"
    if attacker["asking_known"] and not independent:
        raise unconfirmed(
            "What is learnt from who asked, where they asked because of a value, cannot be checked."
        )
    if attacker["uses_sensitive"] and len(release.secrets.columns) > 1:
        raise unconfirmed("What blanks of several sensitive columns tell of each other cannot be checked.")
    exposed, in_pairs = 0, 0
    for sensitive in release.secrets.columns:
        worth = np.array(
            [
                not release.sensitive_values or label in release.sensitive_values
                for label in table.labels[sensitive]
            ],
            np.bool_,
        )
        groups = _groups(release, table, attacker, sensitive, worth)
        over = {
            number for number, group in groups.items() if group.mostly_one(worth, attacker["odds"], limit)
        }
        if independent:
            by_rules = _over_by_rules(shown, release, table, promise, sensitive, worth, limit, groups)
            mixed = {number for number, group in groups.items() if group.blank.total() > len(group.secrets)}
            if attacker["asking_known"] and mixed:
                raise unconfirmed("What decoys tell somebody who knows who asked cannot be checked.")
            over = by_rules if attacker["asking_known"] else (over & mixed) | (over & by_rules)
        for number in over:
            exposed += len(groups[number].judged)
            in_pairs += len(groups[number].judged) if groups[number].blank.total() > 1 else 0
    if exposed > promise.tolerance.share * len(release.secrets):
        return False
    if in_pairs and not attacker["asking_known"]:
        raise unconfirmed("Secrets over the limit share a group, so that others may be like them.")
    return True


def _groups(
    release: Release, table: Table, attacker: Mapping[str, Any], sensitive: str, worth: Flags
) -> dict[int, _BlankGroup]:
    """Put the rows that look the same together, and count the blanks of those groups that have a secret."""
    everybody = np.arange(len(table))
    columns = rules.conditions(attacker, table, sensitive)
    first, look = numbered([visible(table, release, name, everybody) for name in columns])
    if attacker["cells_of"] > 1:
        look = _together(added(look, np.ones_like(look), len(first)).tolist(), attacker["cells_of"])[look]
    truth = table.columns[sensitive][table.record_of]
    secret = release.secrets.positions(sensitive)
    secret = secret[truth[secret] != HIDDEN]
    groups: dict[int, _BlankGroup] = defaultdict(_BlankGroup)
    for row in secret.tolist():
        groups[int(look[row])].secrets.append(row)
        if worth[truth[row]]:
            groups[int(look[row])].judged.append(row)
    is_blank = (visible(table, release, sensitive, everybody) == HIDDEN) & (truth != HIDDEN)
    for row in np.flatnonzero(is_blank & np.isin(look, list(groups))).tolist():
        groups[int(look[row])].blank[int(truth[row])] += 1
    return dict(groups)


def _together(sizes: Sequence[int], least: int) -> Ints:
    """Return the group of each look, of at least this many rows each: a new one begins once the last is full."""
    starts, held = [0], 0
    for place, size in enumerate(sizes):
        if held >= least:
            starts.append(place)
            held = 0
        held += size
    if held < least and len(starts) > 1:
        starts.pop()
    return np.searchsorted(starts, np.arange(len(sizes)), side="right")


def _over_by_rules(
    shown: ReleasedTable,
    release: Release,
    table: Table,
    promise: Promise,
    sensitive: str,
    worth: Flags,
    limit: Fraction,
    groups: Mapping[int, _BlankGroup],
) -> set[int]:
    """Return the groups with a secret of which a rule in the visible rows, to any value, is over the limit."""
    columns = rules.conditions(promise.attacker, table, sensitive)
    least: int = promise.attacker["trusts_support_above"]
    everything = rules.rows_of(shown, columns, sensitive)
    seen = everything.value != HIDDEN
    rows = rules.ReleasedRuleRows(
        conditions=everything.conditions[seen], value=everything.value[seen], counts=everything.counts[seen]
    )
    asked = sorted((row, number) for number, group in groups.items() for row in group.secrets)
    secret = np.array([row for row, _ in asked], np.int64)
    own = np.stack([visible(table, release, name, secret) for name in columns], axis=1)
    values = np.flatnonzero(worth)
    if promise.attacker["asking_known"]:
        # Without any rule somebody guesses the value that most of all visible rows have.
        many = [int(rows.counts[rows.value == value].sum()) for value in values.tolist()]
        if max(many, default=0) > limit * int(rows.counts.sum()):
            return set(groups)
    if promise.attacker["asking_known"] and _hides_conditions(release, columns):
        # It must not depend on the conditions of secrets whether they are hidden: any rule over what they show counts.
        is_shown = (own != HIDDEN).any(axis=0)
        conditions = np.where(is_shown, rows.conditions, HIDDEN)
        return set(groups) if _unsafe(rows, conditions, values, limit, least).any() else set()
    unsafe = _unsafe(rows, own, values, limit, least).tolist()
    return {number for (_, number), is_over in zip(asked, unsafe, strict=True) if is_over}


def _unsafe(
    rows: rules.ReleasedRuleRows, conditions: Codes, values: Ints, limit: Fraction, least: int
) -> Flags:
    """Tell for records with some conditions whether a rule to any value is over the limit."""
    first, look = numbered(list(conditions.T))
    secrets = rules.RuleSecrets(
        conditions=np.repeat(conditions[first], len(values), axis=0),
        truth=np.tile(values, len(first)).astype(np.int32),
        counts=np.ones(len(first) * len(values), np.int64),
    )
    over = rules.exposed(rows, secrets, limit, least).reshape(len(first), len(values))
    by_look: Flags = np.logical_or.reduce(over, axis=1)
    return by_look[look]


def _hides_conditions(release: Release, columns: Sequence[str]) -> bool:
    rows = np.concatenate([release.secrets.positions(name) for name in release.secrets.columns])
    return any(np.isin(release.withheld.cells.positions(name), rows).any() for name in columns)
