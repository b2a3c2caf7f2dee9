"""The steps of the search for rules, by array operations: splitting patterns by one more condition, and counting them."""

# State       all patterns of the same set of conditions, handled together.
# Invariant   groups stay in ascending order within their pattern.
# Pruning     a secret is left out when at most `least` of the records with the pattern show its true value, because no
#             longer pattern is shown by more records; a pattern that no secret has is not kept.
# Reference   bottom-up computation of iceberg cubes (Beyer, Ramakrishnan, SIGMOD 1999), here for the rules of Li,
#             Shirani-Mehr, Yang (DASFAA 2007), section 2.
#
# A pattern with one more code is a key, `pattern * codes + code`: looked up in a table of all keys where there are few, and
# among those that occur where there are many.

from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Codes, Ints

_FEW_KEYS = 8
"""There is a table of all keys when there are at most this many for each group."""

_LINEAR = 1 << 16
"""Numbers below are sorted in linear time."""


class RulePatterns(NamedTuple):
    """Patterns of the same conditions, pattern after pattern: the groups that have them, and the secrets among these.

    `rows[row_starts[p] : row_starts[p + 1]]` are all groups that have pattern `p`, in ascending order;
    `secrets[secret_starts[p] : secret_starts[p + 1]]` are those of them that are secret and still searched for, in
    ascending order too. Only patterns that some such secret has are here.
    """

    rows: Codes
    row_starts: Ints
    secrets: Codes
    secret_starts: Ints


class PatternCounts(NamedTuple):
    """What patterns count: the records that have each and those of them with a visible value, and the trusted rules.

    A trusted rule is a pattern and a secret whose true value enough records with the pattern show. `secrets`, `pattern`
    and `showing` hold its secret, its pattern and how many show the value, pattern after pattern from `secret_starts` on.
    """

    matching: Ints
    visible: Ints
    secret_starts: Ints
    secrets: Codes
    pattern: Ints
    showing: Ints


def split(column: Codes, shorter: RulePatterns) -> RulePatterns:
    """Split each pattern by the values that its secrets have in one more condition.

    New patterns are in the order of the secrets that have them, their groups in the order that they had.
    """
    values = 1 + int(column.max(initial=0))
    seen = column[shorter.secrets] != UNKNOWN
    secrets = shorter.secrets[seen]
    keys = _keys(column[shorter.secrets], shorter.secret_starts, values)[seen]
    firsts = _Firsts(keys, most=(len(shorter.row_starts) - 1) * values, groups=len(shorter.rows))
    first = firsts.of(keys)
    leads = first == np.arange(len(keys))
    number = np.cumsum(leads) - 1
    new_of_secrets = number[first]
    first_of_rows = firsts.of(_keys(column[shorter.rows], shorter.row_starts, values))
    has = (first_of_rows != UNKNOWN) & (column[shorter.rows] != UNKNOWN)
    new_of_rows = number[first_of_rows[has]]
    many = int(leads.sum())
    return RulePatterns(
        shorter.rows[has][_order(new_of_rows, many)],
        _starts(new_of_rows, many),
        secrets[_order(new_of_secrets, many)],
        _starts(new_of_secrets, many),
    )


def count(table: PartialTable, patterns: RulePatterns) -> PatternCounts:
    """Count for each pattern its records and those with a visible value, for each secret those with its true value."""
    many = len(patterns.row_starts) - 1
    values = 1 + int(max(table.value.max(initial=0), table.truth.max(initial=0)))
    records, value = table.count[patterns.rows], table.value[patterns.rows]
    is_visible = value != UNKNOWN
    pattern = np.repeat(np.arange(many), np.diff(patterns.secret_starts))
    showing = _sums(
        _keys(value, patterns.row_starts, values)[is_visible],
        records[is_visible],
        asked=pattern * values + table.truth[patterns.secrets],
        most=many * values,
    )
    trusted = showing > table.least
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
