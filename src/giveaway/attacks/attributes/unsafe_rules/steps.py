"""The steps of the search for rules, by array operations: splitting patterns by one more condition, and counting them."""

# All patterns of the same conditions are handled together. The compiled `kernels` do exactly the same and are faster, but
# loading them takes longer than a search through a table of moderate size. State, pruning and reference are theirs.
#
# A pattern with one more code is a key, `pattern * codes + code`: looked up in a table of all keys where there are few, and
# among those that occur where there are many.

import numpy as np

from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.attacks.attributes.unsafe_rules.patterns import PatternCounts, PatternGroups, RulePatterns
from giveaway.model.data.arrays import Codes, Ints

_FEW_KEYS = 8
"""There is a table of all keys when there are at most this many for each group."""

_LINEAR = 1 << 16
"""Numbers below are sorted in linear time."""


def split(column: Codes, shorter: RulePatterns, place: Ints) -> RulePatterns:
    """Split each pattern by the values that its secrets have in one more condition.

    New patterns are in the order of the secrets that have them, their groups in the order that they had. `place` is as
    long as there are values of the condition.
    """
    seen = column[shorter.secrets] != UNKNOWN
    secrets = shorter.secrets[seen]
    keys = _keys(column[shorter.secrets], shorter.secret_starts, len(place))[seen]
    firsts = _Firsts(keys, most=(len(shorter.row_starts) - 1) * len(place), groups=len(shorter.rows))
    first = firsts.of(keys)
    leads = first == np.arange(len(keys))
    number = np.cumsum(leads) - 1
    new_of_secrets = number[first]
    first_of_rows = firsts.of(_keys(column[shorter.rows], shorter.row_starts, len(place)))
    has = (first_of_rows != UNKNOWN) & (column[shorter.rows] != UNKNOWN)
    new_of_rows = number[first_of_rows[has]]
    many = int(leads.sum())
    return RulePatterns(
        shorter.rows[has][_order(new_of_rows, many)],
        _starts(new_of_rows, many),
        secrets[_order(new_of_secrets, many)],
        _starts(new_of_secrets, many),
    )


def count(groups: PatternGroups, patterns: RulePatterns, least: int | np.int64, shown: Ints) -> PatternCounts:
    """Count for each pattern its records and those with a visible value, for each secret those with its true value.

    `shown` is as long as there are sensitive values.
    """
    many = len(patterns.row_starts) - 1
    records, value = groups.records[patterns.rows], groups.value[patterns.rows]
    is_visible = value != UNKNOWN
    pattern = np.repeat(np.arange(many), np.diff(patterns.secret_starts))
    showing = _sums(
        _keys(value, patterns.row_starts, len(shown))[is_visible],
        records[is_visible],
        asked=pattern * len(shown) + groups.truth[patterns.secrets],
        most=many * len(shown),
    )
    trusted = showing > least
    return PatternCounts(
        _by_pattern(records, patterns.row_starts),
        _by_pattern(np.where(is_visible, records, 0), patterns.row_starts),
        _starts(pattern[trusted], many),
        patterns.secrets[trusted],
        pattern[trusted],
        showing[trusted],
    )


def _keys(codes: Codes, starts: Ints, many: int) -> Ints:
    """Return the keys of patterns with one more code; those of unknown codes are not to be used."""
    pattern = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return pattern * many + codes


class _Firsts:
    """Where each key appears first among some keys."""

    def __init__(self, keys: Ints, *, most: int, groups: int) -> None:
        self._sorted: Ints | None = None
        if most <= _FEW_KEYS * (groups + 1):
            self._first = np.full(most, UNKNOWN, np.int64)
            self._first[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)
        else:
            self._sorted, first = np.unique(keys, return_index=True)
            self._first = np.append(first, UNKNOWN)

    def of(self, keys: Ints) -> Ints:
        """Return the first place of each key, `UNKNOWN` where there is none."""
        if self._sorted is None:
            return self._first[keys]
        at = np.searchsorted(self._sorted, keys)
        at[np.append(self._sorted, UNKNOWN)[at] != keys] = len(self._sorted)
        return self._first[at]


def _sums(keys: Ints, amounts: Ints, *, asked: Ints, most: int) -> Ints:
    """Return the sums of the amounts with the keys that are asked for."""
    firsts = _Firsts(keys, most=most, groups=len(keys))
    total = np.zeros(len(keys) + 1, np.int64)
    np.add.at(total, firsts.of(keys), amounts)
    return total[firsts.of(asked)]


def _by_pattern(amounts: Ints, starts: Ints) -> Ints:
    """Return the sum of the amounts of each pattern."""
    before = np.zeros(len(amounts) + 1, np.int64)
    np.cumsum(amounts, out=before[1:])
    return np.diff(before[starts])


def _starts(pattern: Ints, many: int) -> Ints:
    """Return where each pattern starts once they are in order."""
    starts = np.zeros(many + 1, np.int64)
    np.cumsum(np.bincount(pattern, minlength=many), out=starts[1:])
    return starts


def _order(pattern: Ints, many: int) -> Ints:
    """Return the order by pattern, and within each pattern as before."""
    return np.argsort(pattern.astype(np.uint16) if many <= _LINEAR else pattern, kind="stable")
