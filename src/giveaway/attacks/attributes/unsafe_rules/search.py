"""The rules that give secrets away: from a pattern of visible conditions of a secret to its true value.

supp(p) counts every record whose visible conditions have the pattern p, secrets included; supp(p -> s) those of them
that show the sensitive value s. Patterns are searched from short to long and only where secrets have them; one that too
few records support is not made longer (an iceberg cube).

Li, Shirani-Mehr, Yang, Protecting Individual Information Against Inference Attacks in Data Publishing, section 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.unsafe_rules.limits import Flags, RuleLimits
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Codes, Ints, take
from giveaway.model.progress import tell

# The steps of the search for rules, by array operations: splitting patterns by one more condition, and counting them.


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


@dataclass(frozen=True, kw_only=True, eq=False)
class UnsafeRules:
    """Rules above the limit, in the order of their conditions, their codes and their values."""

    mask: Ints
    """The conditions of each pattern, as a bitmask."""
    codes: Codes
    """The codes of each pattern, rules by conditions; `UNKNOWN` where it has no condition."""
    value: Codes
    matching: Ints
    """supp(p)."""
    showing: Ints
    """supp(p -> s)."""
    secret_starts: Ints
    secrets: Codes
    """The secret groups that have the pattern and this true value, rule after rule."""
    relevant_starts: Ints
    relevant: Codes
    """The groups that have the pattern and show the value, rule after rule."""

    def __len__(self) -> int:
        return len(self.mask)

    def secrets_of(self, rule: int) -> Codes:
        """Return the secret groups that a rule gives away."""
        return self.secrets[self.secret_starts[rule] : self.secret_starts[rule + 1]]


@dataclass(frozen=True, kw_only=True, eq=False)
class BestRules:
    """For each secret group the trusted rule of the largest confidence; `matching` is 0 where none is trusted."""

    groups: Ints
    mask: Ints
    showing: Ints
    matching: Ints
    showing_by_length: Ints
    """supp(p -> s) of the best rule of each length, groups by lengths from 0."""
    matching_by_length: Ints
    visible: Fraction | None
    """The largest confidence for somebody who leaves records with a hidden sensitive entry out; None without rules."""


def find(table: PartialTable) -> UnsafeRules:
    """Return every unsafe rule that some secret group can be attacked with."""
    limits = RuleLimits.of_table(table)
    by_level = (_unsafe(table, limits, mask, level) for mask, level in _levels(table))
    return _together(table, [some for some in by_level if some is not None])


def best(table: PartialTable) -> BestRules:
    """Return for each secret group its best trusted rule, safe or not.

    Equal confidences: the shortest pattern, then the most records, then the first conditions.
    """
    secrets = table.secrets
    place = np.full(len(table.count), UNKNOWN, np.int64)
    place[secrets] = np.arange(len(secrets))
    showing = np.zeros((len(secrets), table.width + 1), np.int64)
    matching = np.zeros_like(showing)
    masks = np.zeros_like(showing)
    visible = Fraction(-1)
    for mask, (_, counted) in _levels(table):
        at, length = place[counted.secrets], mask.bit_count()
        records = counted.matching[counted.pattern]
        old = showing[at, length], matching[at, length], masks[at, length]
        better = _is_better(counted.showing, records, mask, *old)
        showing[at[better], length] = counted.showing[better]
        matching[at[better], length] = records[better]
        masks[at[better], length] = mask
        visible = max(visible, _largest(counted.showing, counted.visible[counted.pattern]))
    best_of = np.arange(len(secrets)), _best_length(showing, matching)
    return BestRules(
        groups=secrets,
        mask=masks[best_of],
        showing=showing[best_of],
        matching=matching[best_of],
        showing_by_length=showing,
        matching_by_length=matching,
        visible=visible if visible >= 0 else None,
    )


class _Level(NamedTuple):
    """The patterns of the same conditions that secrets have, with the trusted rules from them."""

    patterns: RulePatterns
    counted: PatternCounts


def _levels(table: PartialTable) -> Iterator[tuple[int, _Level]]:
    """Give the conditions and their patterns, every set of conditions before those that contain it and come after."""
    # A depth-first search. State: sets of conditions that are pending, each as a set that was given, one more condition
    # after its last, and the patterns of the set with the secrets that a longer rule may still give away. Invariant:
    # every set is pending at most once, after all its beginnings. Pruning: where no secret is left, a set is given up
    # with all that it is the beginning of.
    columns = [np.ascontiguousarray(table.conditions[:, place]) for place in range(table.width)]
    rows, secrets = np.arange(len(table.count), dtype=np.int32), table.secrets.astype(np.int32)
    everything = RulePatterns(rows, np.array([0, len(rows)]), secrets, np.array([0, len(secrets)]))
    pending = [(0, condition, everything) for condition in reversed(range(table.width))]
    done = 0
    while pending:
        before, condition, shorter = pending.pop()
        done += 1
        tell("finding rules", done)
        patterns = split(columns[condition], shorter)
        counted = count(table, patterns)
        if len(counted.secrets):
            mask = before | 1 << condition
            yield mask, _Level(patterns, counted)
            longer = patterns._replace(secrets=counted.secrets, secret_starts=counted.secret_starts)
            pending += [(mask, after, longer) for after in reversed(range(condition + 1, table.width))]


class _LevelRules(NamedTuple):
    """Unsafe rules, and pairs of a rule and a group."""

    mask: Ints
    codes: Codes
    value: Codes
    matching: Ints
    showing: Ints
    secret_rule: Ints
    secrets: Codes
    relevant_rule: Ints
    relevant: Codes


def _unsafe(table: PartialTable, limits: RuleLimits, mask: int, level: _Level) -> _LevelRules | None:
    """Return the unsafe rules from some patterns."""
    counted = level.counted
    above = limits.is_unsafe(counted.showing, counted.matching[counted.pattern])
    if not above.any():
        return None
    values = 1 + int(max(table.value.max(), table.truth.max()))
    secrets = counted.secrets[above]
    keys, first, rule = np.unique(
        counted.pattern[above] * values + table.truth[secrets], return_index=True, return_inverse=True
    )
    is_in = (mask >> np.arange(table.width)) & 1
    return _LevelRules(
        np.full(len(keys), mask, np.int64),
        np.where(is_in == 1, table.conditions[secrets[first]], UNKNOWN).astype(np.int32),
        table.truth[secrets[first]],
        counted.matching[keys // values],
        counted.showing[above][first],
        rule,
        secrets,
        *_relevant(table, level.patterns, keys, values),
    )


def _relevant(table: PartialTable, having: RulePatterns, keys: Ints, values: int) -> tuple[Ints, Codes]:
    """Return pairs of a rule and a group that has its pattern and shows its value; a rule is known by its key."""
    patterns = np.unique(keys // values)
    starts, rows = take(having.row_starts, having.rows, patterns)
    key = np.repeat(patterns * values, np.diff(starts)) + table.value[rows]
    rule = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
    has = (keys[rule] == key) & (table.value[rows] != UNKNOWN)
    return rule[has], rows[has]


def _together(table: PartialTable, by_level: Sequence[_LevelRules]) -> UnsafeRules:
    """Join the rules and put them in order."""
    before = np.cumsum([0, *(len(some.mask) for some in by_level)]).tolist()
    by_level = [
        some._replace(secret_rule=some.secret_rule + more, relevant_rule=some.relevant_rule + more)
        for some, more in zip(by_level, before, strict=False)
    ]
    none = np.zeros(0, np.int64)
    nobody = none.astype(np.int32)
    nothing = _LevelRules(
        none, np.zeros((0, table.width), np.int32), nobody, none, none, none, nobody, none, nobody
    )
    rules = _LevelRules(*(np.concatenate(parts) for parts in zip(nothing, *by_level, strict=True)))
    order = np.lexsort((rules.value, *rules.codes.T[::-1], rules.mask))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    secret_starts, secrets = _by_rule(rank[rules.secret_rule], rules.secrets, len(order))
    relevant_starts, relevant = _by_rule(rank[rules.relevant_rule], rules.relevant, len(order))
    return UnsafeRules(
        mask=rules.mask[order],
        codes=rules.codes[order],
        value=rules.value[order],
        matching=rules.matching[order],
        showing=rules.showing[order],
        secret_starts=secret_starts,
        secrets=secrets,
        relevant_starts=relevant_starts,
        relevant=relevant,
    )


def _by_rule(rule: Ints, groups: Codes, rules: int) -> tuple[Ints, Codes]:
    starts = np.zeros(rules + 1, np.int64)
    np.cumsum(np.bincount(rule, minlength=rules), out=starts[1:])
    return starts, groups[np.lexsort((groups, rule))]


def _is_better(
    showing: Ints, matching: Ints, mask: int, old_showing: Ints, old_matching: Ints, old_mask: Ints
) -> Flags:
    """Tell which rules are better than older ones of the same length."""
    new, old = showing * old_matching, old_showing * matching
    differing = old_mask ^ mask
    is_first = (mask & differing & -differing) != 0
    as_many = (matching == old_matching) & is_first
    better: Flags = (old_matching == 0) | (new > old) | ((new == old) & ((matching > old_matching) | as_many))
    return better


def _best_length(showing: Ints, matching: Ints) -> Ints:
    """Return the length of each group's best rule, the shortest of equals; 0 where there is none."""
    best_length = np.zeros(len(showing), np.int64)
    row = np.arange(len(showing))
    for length in range(1, showing.shape[1]):
        new = showing[:, length] * matching[row, best_length]
        old = showing[row, best_length] * matching[:, length]
        better = (matching[:, length] > 0) & ((matching[row, best_length] == 0) | (new > old))
        best_length[better] = length
    return best_length


def _largest(showing: Ints, records: Ints) -> Fraction:
    """Return the largest of several ratios, exactly."""
    near = np.argmax(showing / records)
    best_found = Fraction(int(showing[near]), int(records[near]))
    above = np.flatnonzero(best_found.denominator * showing > best_found.numerator * records)
    return max([best_found, *(Fraction(int(showing[i]), int(records[i])) for i in above)])
