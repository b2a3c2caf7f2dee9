"""Group published rows into the partial table of one sensitive column."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.sensitive_column import Part
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True, eq=False)
class _Records:
    """Records that are not yet merged: what they show, by kind, and what is known of them besides."""

    kind: Ints
    truth: Codes
    may: Ints
    marked: Ints
    count: Ints


def group(
    release: Release,
    conditions: tuple[str, ...],
    column: str,
    *,
    hideable: Collection[str],
    limit: Fraction,
    least: int,
) -> Part:
    """Group the published records that are alike in conditions, sensitive value, truth, and what may be hidden."""
    original, published = release.original, release.published
    if not isinstance(original, Table) or not isinstance(published, Table):
        raise TypeError("only published rows can be grouped")
    columns = (*conditions, column)
    regions = _regions(hideable, len(conditions))
    markable = {name: bit for bit, name in enumerate(columns) if (regions[0] | regions[1]) >> bit & 1}
    kinds, first = alike([published.columns[name] for name in columns])
    shown = np.stack([published.columns[name][first] for name in columns], axis=1)
    special = _special_rows(release, markable, len(original))
    special_kinds = kinds[published.record_of[special]]
    rows = release.secrets.positions(column)
    truth = original.columns[column][original.record_of[rows]]
    target = np.full(len(special), UNKNOWN, np.int32)
    target[np.searchsorted(special, rows)] = _worth_protecting(release, original.labels[column], truth)
    records = _joined(
        _usual(kinds, published.weights, special_kinds, shown, regions[0]),
        _special(release, markable, special, special_kinds, target, shown, regions),
    )
    groups, sample = alike([records.kind, records.truth, records.may, records.marked])
    counts = np.zeros(len(sample), np.int64)
    np.add.at(counts, groups, records.count)
    used = counts > 0
    groups, sample = (np.cumsum(used) - 1)[groups], sample[used]
    special_groups = groups[len(first) :]
    return Part(
        columns=columns,
        table=PartialTable(
            conditions=np.ascontiguousarray(shown[records.kind[sample], :-1]),
            value=shown[records.kind[sample], -1],
            truth=records.truth[sample],
            count=counts[used],
            may=records.may[sample],
            limit=limit,
            least=least,
        ),
        marked=records.marked[sample],
        rows=rows,
        groups=special_groups[np.searchsorted(special, rows)],
        truth=truth,
        record_of=published.record_of,
        usual=groups[kinds],
        special=special,
        special_groups=special_groups,
    )


def _special_rows(release: Release, markable: Collection[str], rows: int) -> Ints:
    """Return the rows with a secret, or with an entry that may be hidden but for a mark."""
    found = np.zeros(rows, np.bool_)
    for name in release.secrets.columns:
        found[release.secrets.positions(name)] = True
    for name in markable:
        found[release.must_publish.positions(name)] = True
    return np.flatnonzero(found)


def _worth_protecting(release: Release, labels: Sequence[object], truth: Codes) -> Codes:
    """Return the true values, unknown where the owner does not mind that they are inferred."""
    if not release.sensitive_values:
        return truth
    worth = np.array([*(label in release.sensitive_values for label in labels), False], np.bool_)
    return np.where(worth[truth], truth, UNKNOWN).astype(np.int32)


def _usual(kinds: Ints, weights: Ints, special: Ints, shown: Codes, region: int) -> _Records:
    """Count the rows without secrets and marks, by what they show."""
    count = np.zeros(len(shown), np.int64)
    np.add.at(count, kinds, weights)
    return _Records(
        kind=np.arange(len(shown)),
        truth=np.full(len(shown), UNKNOWN, np.int32),
        may=np.where(shown[:, -1] == UNKNOWN, 0, _bits(shown != UNKNOWN) & region),
        marked=np.zeros(len(shown), np.int64),
        count=count - np.bincount(special, minlength=len(shown)),
    )


def _special(
    release: Release,
    markable: Mapping[str, int],
    rows: Ints,
    kind: Ints,
    truth: Codes,
    shown: Codes,
    regions: tuple[int, int],
) -> _Records:
    """Describe the rows with secrets or marks, one by one."""
    has_secret = np.zeros(len(rows), np.int64)
    for name in release.secrets.columns:
        has_secret[np.searchsorted(rows, release.secrets.positions(name))] = 1
    could = _bits(shown != UNKNOWN)[kind] & np.array(regions, np.int64)[has_secret]
    # Hiding more of a record that shows no value and has no secret to protect never helps.
    could[(shown[kind, -1] == UNKNOWN) & (truth == UNKNOWN)] = 0
    marks = np.zeros(len(rows), np.int64)
    for name, bit in markable.items():
        marks[np.searchsorted(rows, release.must_publish.positions(name))] |= 1 << bit
    return _Records(
        kind=kind, truth=truth, may=could & ~marks, marked=could & marks, count=np.ones(len(rows), np.int64)
    )


def _joined(one: _Records, other: _Records) -> _Records:
    names = ("kind", "truth", "may", "marked", "count")
    return _Records(**{name: np.concatenate([getattr(one, name), getattr(other, name)]) for name in names})


def _regions(hideable: Collection[str], width: int) -> tuple[int, int]:
    """Return the entries whose region may be hidden, of a record without and of one with a secret, as bitmasks."""
    conditions = (1 << width) - 1
    sensitive = conditions + 1 if "sensitive of others" in hideable else 0
    others, secrets = (
        conditions if f"conditions of {whose}" in hideable else 0 for whose in ("others", "secrets")
    )
    return others | sensitive, secrets | sensitive


def _bits(flags: NDArray[np.bool_]) -> Ints:
    """Return the flags of each row as a bitmask."""
    made: Ints = flags.astype(np.int64) @ (1 << np.arange(flags.shape[1], dtype=np.int64))
    return made
