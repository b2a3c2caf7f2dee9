"""The compiled steps of the search for rules: splitting patterns by one more condition, and counting them.

Imported only when rules are searched. All patterns of the same conditions are handled together: `rows` holds the
groups that have them, pattern after pattern, and `secrets` the secret groups among these that are still searched for.
Numbers are passed as np.int64 throughout: for any other type of an argument numba would compile the function once more.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Small = NDArray[np.int32]
Large = NDArray[np.int64]
Number = int | np.int64


@njit(cache=True)
def split(
    column: Small,
    rows: Small,
    row_starts: Large,
    secrets: Small,
    secret_starts: Large,
    place: Large,
) -> tuple[Small, Large, Small, Large]:
    """Split each pattern by the values that its secrets have in one more condition.

    `place` is working memory for each value of the condition: -1 before and after. New patterns stand in the order of
    the secrets that have them, their groups in the order they had.
    """
    new_rows = np.empty(len(rows), np.int32)
    new_secrets = np.empty(len(secrets), np.int32)
    row_ends = np.zeros(len(secrets) + 1, np.int64)
    secret_ends = np.zeros(len(secrets) + 1, np.int64)
    cursor = np.empty(len(secrets), np.int64)
    made = np.int64(0)
    for part in range(len(row_starts) - 1):
        first = made
        for at in range(secret_starts[part], secret_starts[part + 1]):
            value = column[secrets[at]]
            if value >= 0:
                if place[value] < 0:
                    place[value] = made
                    made += 1
                secret_ends[place[value] + 1] += 1
        if made == first:
            continue
        for at in range(row_starts[part], row_starts[part + 1]):
            value = column[rows[at]]
            if value >= 0 and place[value] >= 0:
                row_ends[place[value] + 1] += 1
        for new in range(first, made):
            row_ends[new + 1] += row_ends[new]
            secret_ends[new + 1] += secret_ends[new]
        cursor[first:made] = row_ends[first:made]
        _deal(column, rows, row_starts[part], row_starts[part + 1], place, cursor, new_rows)
        cursor[first:made] = secret_ends[first:made]
        _deal(column, secrets, secret_starts[part], secret_starts[part + 1], place, cursor, new_secrets)
        for at in range(secret_starts[part], secret_starts[part + 1]):
            value = column[secrets[at]]
            if value >= 0:
                place[value] = -1
    return (
        new_rows[: row_ends[made]],
        row_ends[: made + 1],
        new_secrets[: secret_ends[made]],
        secret_ends[: made + 1],
    )


@njit(cache=True)
def _deal(
    column: Small, groups: Small, first: Number, last: Number, place: Large, cursor: Large, dealt: Small
) -> None:
    """Put the groups of one pattern where the cursors of their new patterns stand."""
    for at in range(first, last):
        value = column[groups[at]]
        if value >= 0 and place[value] >= 0:
            dealt[cursor[place[value]]] = groups[at]
            cursor[place[value]] += 1


@njit(cache=True)
def count(
    value: Small,
    truth: Small,
    times: Large,
    rows: Small,
    row_starts: Large,
    secrets: Small,
    secret_starts: Large,
    least: Number,
    shown: Large,
) -> tuple[Large, Large, Large, Small, Large, Large]:
    """Count for each pattern its records and those with a visible value, for each secret those with its true value.

    Secrets whose true value at most `least` of the records show are left out: with more conditions there are not more
    of them. `shown` is working memory for each value: 0 before and after. Returns the two counts of each pattern, and
    of the secrets that stay the starts by pattern, the groups, the patterns and the counts.
    """
    parts = len(row_starts) - 1
    matching = np.zeros(parts, np.int64)
    visible = np.zeros(parts, np.int64)
    starts = np.zeros(parts + 1, np.int64)
    kept = np.empty(len(secrets), np.int32)
    pattern = np.empty(len(secrets), np.int64)
    showing = np.empty(len(secrets), np.int64)
    many = np.int64(0)
    for part in range(parts):
        for at in range(row_starts[part], row_starts[part + 1]):
            group = rows[at]
            matching[part] += times[group]
            if value[group] >= 0:
                visible[part] += times[group]
                shown[value[group]] += times[group]
        for at in range(secret_starts[part], secret_starts[part + 1]):
            found = shown[truth[secrets[at]]]
            if found > least:
                kept[many] = secrets[at]
                pattern[many] = part
                showing[many] = found
                many += 1
        starts[part + 1] = many
        for at in range(row_starts[part], row_starts[part + 1]):
            if value[rows[at]] >= 0:
                shown[value[rows[at]]] = 0
    return matching, visible, starts, kept[:many], pattern[:many], showing[:many]
