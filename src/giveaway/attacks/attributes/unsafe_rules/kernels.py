"""The steps of the search for rules, compiled: for searches that are long enough to be worth compiling them."""

# They do exactly what `steps` does, group by group instead of array by array, and are imported only where they are used.
#
# State       the patterns of one set of conditions, and one array of working memory as long as there are codes.
# Invariant   the working memory is clean (-1 or 0) before and after each pattern, so that a pattern costs time for its own
#             groups only, however many codes there are; groups stay in ascending order within their pattern.
# Pruning     a secret is left out when at most `least` of the records with the pattern show its true value, because no
#             longer pattern is shown by more records; a pattern that no secret has is not made.
# Reference   bottom-up computation of iceberg cubes (Beyer, Ramakrishnan, SIGMOD 1999), here for the rules of Li,
#             Shirani-Mehr, Yang (DASFAA 2007), section 2.
#
# Numbers are passed as np.int64 throughout: for any other type of an argument numba would compile a function once more.
# Arrays are copied in loops: to compile the assignment of a slice takes longer than all the rest.

import numpy as np

from giveaway.attacks.attributes.unsafe_rules.patterns import PatternCounts, PatternGroups, RulePatterns
from giveaway.compiling import native
from giveaway.model.data.arrays import Codes, Ints

Number = int | np.int64


@native
def split(column: Codes, shorter: RulePatterns, place: Ints) -> RulePatterns:
    """Split each pattern by the values that its secrets have in one more condition.

    `place` is working memory for each value of the condition: -1 before and after.
    """
    new_rows = np.empty(len(shorter.rows), np.int32)
    new_secrets = np.empty(len(shorter.secrets), np.int32)
    row_ends = np.zeros(len(shorter.secrets) + 1, np.int64)
    secret_ends = np.zeros(len(shorter.secrets) + 1, np.int64)
    cursor = np.empty(len(shorter.secrets), np.int64)
    made = np.int64(0)
    for old in range(len(shorter.row_starts) - 1):
        # The new patterns of this one are first to made - 1, in the order of the secrets that have them.
        first = made
        for at in range(shorter.secret_starts[old], shorter.secret_starts[old + 1]):
            value = column[shorter.secrets[at]]
            if value >= 0:
                if place[value] < 0:
                    place[value] = made
                    made += 1
                secret_ends[place[value] + 1] += 1
        if made == first:
            continue
        for at in range(shorter.row_starts[old], shorter.row_starts[old + 1]):
            value = column[shorter.rows[at]]
            if value >= 0 and place[value] >= 0:
                row_ends[place[value] + 1] += 1
        for new in range(first, made):
            row_ends[new + 1] += row_ends[new]
            secret_ends[new + 1] += secret_ends[new]
        # A counting sort keeps the order of the groups within each new pattern.
        for new in range(first, made):
            cursor[new] = row_ends[new]
        _deal(
            column,
            shorter.rows,
            shorter.row_starts[old],
            shorter.row_starts[old + 1],
            place,
            cursor,
            new_rows,
        )
        for new in range(first, made):
            cursor[new] = secret_ends[new]
        _deal(
            column,
            shorter.secrets,
            shorter.secret_starts[old],
            shorter.secret_starts[old + 1],
            place,
            cursor,
            new_secrets,
        )
        for at in range(shorter.secret_starts[old], shorter.secret_starts[old + 1]):
            value = column[shorter.secrets[at]]
            if value >= 0:
                place[value] = -1
    return RulePatterns(
        new_rows[: row_ends[made]],
        row_ends[: made + 1],
        new_secrets[: secret_ends[made]],
        secret_ends[: made + 1],
    )


@native
def _deal(
    column: Codes, groups: Codes, first: Number, last: Number, place: Ints, cursor: Ints, dealt: Codes
) -> None:
    """Put the groups of one pattern where the cursors of their new patterns are."""
    for at in range(first, last):
        value = column[groups[at]]
        if value >= 0 and place[value] >= 0:
            dealt[cursor[place[value]]] = groups[at]
            cursor[place[value]] += 1


@native
def count(groups: PatternGroups, patterns: RulePatterns, least: Number, shown: Ints) -> PatternCounts:
    """Count for each pattern its records and those with a visible value, for each secret those with its true value.

    `shown` is working memory for each sensitive value: 0 before and after.
    """
    many_patterns = len(patterns.row_starts) - 1
    matching = np.zeros(many_patterns, np.int64)
    visible = np.zeros(many_patterns, np.int64)
    starts = np.zeros(many_patterns + 1, np.int64)
    kept = np.empty(len(patterns.secrets), np.int32)
    pattern = np.empty(len(patterns.secrets), np.int64)
    showing = np.empty(len(patterns.secrets), np.int64)
    many = np.int64(0)
    for one in range(many_patterns):
        for at in range(patterns.row_starts[one], patterns.row_starts[one + 1]):
            group = patterns.rows[at]
            matching[one] += groups.records[group]
            if groups.value[group] >= 0:
                visible[one] += groups.records[group]
                shown[groups.value[group]] += groups.records[group]
        for at in range(patterns.secret_starts[one], patterns.secret_starts[one + 1]):
            shows_truth = shown[groups.truth[patterns.secrets[at]]]
            if shows_truth > least:
                kept[many] = patterns.secrets[at]
                pattern[many] = one
                showing[many] = shows_truth
                many += 1
        starts[one + 1] = many
        for at in range(patterns.row_starts[one], patterns.row_starts[one + 1]):
            if groups.value[patterns.rows[at]] >= 0:
                shown[groups.value[patterns.rows[at]]] = 0
    return PatternCounts(matching, visible, starts, kept[:many], pattern[:many], showing[:many])
