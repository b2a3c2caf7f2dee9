"""One sensitive column with secrets as counted groups of identical records, and the rows behind the groups."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable, hide
from giveaway.attacks.attributes.unsafe_rules.search import BestRules, UnsafeRules
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.table import Table
from giveaway.model.release.cells import Cells
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True, eq=False)
class SensitiveColumn:
    """One sensitive column with secrets: its partial table, and which rows its groups stand for.

    Groups are in the order of their labels, so that nothing depends on the order of rows.
    """

    names: tuple[str, ...]
    """What the bits of a mask stand for: the condition columns, then the sensitive column."""
    table: PartialTable
    marked: Ints
    """The entries of each group that could be hidden if they were not marked to be published, as a bitmask."""
    rows: Ints
    """The secret rows, counted from 0 and ascending."""
    groups: Ints
    """The group of each secret row."""
    truth: Codes
    """The true value of each secret row, worth protecting or not."""
    is_worth_protecting: NDArray[np.bool_]
    """Whether each value of the column is one that must not be inferred."""
    record_of: Ints
    usual: Ints
    """The group of each published record, for rows that are in no way special."""
    special: Ints
    special_groups: Ints

    @property
    def name(self) -> str:
        """The name of the sensitive column."""
        return self.names[-1]

    @cached_property
    def best(self) -> BestRules:
        """The best trusted rule for each secret group."""
        return search.best(self.table)

    @cached_property
    def unsafe(self) -> UnsafeRules:
        """The rules over the limit."""
        return search.find(self.table)

    def chance(self, place: int) -> Fraction:
        """Return the confidence of the best trusted rule for a secret group; 0 when there is none."""
        matching = int(self.best.matching[place])
        return Fraction(int(self.best.showing[place]), matching) if matching else Fraction(0)

    @cached_property
    def _shown(self) -> Ints:
        visible = self.table.value != UNKNOWN
        shown = np.zeros(1 + max(self.table.value.max(), self.truth.max(), 0), np.int64)
        np.add.at(shown, self.table.value[visible], self.table.count[visible])
        return shown

    def share(self, value: int) -> Fraction:
        """Return the share of a value among the visible sensitive entries: what is guessed without any rule."""
        return Fraction(int(self._shown[value]), max(int(self._shown.sum()), 1))

    def cells(self, hidden: Hidden) -> Cells:
        """Return the entries that are hidden when some are hidden in groups, the lowest rows of a group first."""
        order = np.lexsort((hidden.mask, hidden.group))
        masks = np.repeat(hidden.mask[order], hidden.times[order])
        taken = np.zeros(len(self.table.count), np.int64)
        np.add.at(taken, hidden.group, hidden.times)
        group = self.usual[self.record_of]
        group[self.special] = self.special_groups
        rows = np.flatnonzero(taken[group] > 0)
        rows = rows[np.argsort(group[rows], kind="stable")]
        group = group[rows]
        place = np.arange(len(rows)) - np.searchsorted(group, group)
        rows = rows[place < taken[group]]
        return Cells.at({name: rows[(masks >> bit) & 1 == 1] for bit, name in enumerate(self.names)})

    def without(self, cells: Cells) -> PartialTable:
        """Return the partial table with some entries hidden, whether that is allowed or not."""
        rows = np.unique(np.concatenate([cells.positions(name) for name in self.names]))
        masks = np.zeros(len(rows), np.int64)
        for bit, name in enumerate(self.names):
            masks[np.searchsorted(rows, cells.positions(name))] |= 1 << bit
        group = self.usual[self.record_of[rows]]
        _, place, place_of_special = np.intersect1d(
            rows, self.special, assume_unique=True, return_indices=True
        )
        group[place] = self.special_groups[place_of_special]
        classes, first = alike([group, masks])
        hidden = Hidden(group=group[first], mask=masks[first], times=np.bincount(classes))
        everything = np.full(len(self.table.count), 2 * self.table.sensitive_bit - 1, np.int64)
        return hide(replace(self.table, may=everything), hidden)[0]


def group(
    release: Release,
    conditions: tuple[str, ...],
    column: str,
    *,
    hideable: Collection[str],
    limit: Fraction,
    least: int,
    prices: tuple[int, ...] = (),
) -> SensitiveColumn:
    """Group the published records that are equal in conditions, sensitive value, truth, and what may be hidden."""
    original, published = release.original, release.published
    if not isinstance(original, Table) or not isinstance(published, Table):
        raise TypeError("only published rows can be grouped")
    columns = (*conditions, column)
    regions = _regions(hideable, [name in original.sensitive for name in conditions])
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
    return SensitiveColumn(
        names=columns,
        table=PartialTable(
            conditions=np.ascontiguousarray(shown[records.kind[sample], :-1]),
            value=shown[records.kind[sample], -1],
            truth=records.truth[sample],
            count=counts[used],
            may=records.may[sample],
            limit=limit,
            least=least,
            prices=prices,
        ),
        marked=records.marked[sample],
        rows=rows,
        groups=special_groups[np.searchsorted(special, rows)],
        truth=truth,
        is_worth_protecting=_worth(release, original.labels[column])[:-1],
        record_of=published.record_of,
        usual=groups[kinds],
        special=special,
        special_groups=special_groups,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Records:
    """Records that are not yet merged: what they show, by kind, and what else is known of them."""

    kind: Ints
    truth: Codes
    may: Ints
    marked: Ints
    count: Ints


def _special_rows(release: Release, markable: Collection[str], rows: int) -> Ints:
    """Return the rows with a secret, or with an entry that could be hidden without its mark."""
    is_special = np.zeros(rows, np.bool_)
    for name in release.secrets.columns:
        is_special[release.secrets.positions(name)] = True
    for name in markable:
        is_special[release.must_publish.positions(name)] = True
    return np.flatnonzero(is_special)


def _worth_protecting(release: Release, labels: Sequence[object], truth: Codes) -> Codes:
    """Return the true values, unknown where the owner does not mind that they are inferred."""
    return np.where(_worth(release, labels)[truth], truth, UNKNOWN).astype(np.int32)


def _worth(release: Release, labels: Sequence[object]) -> NDArray[np.bool_]:
    """Tell for each value whether it is worth protecting; last for a missing one, which is not."""
    wanted = release.sensitive_values
    return np.array([*(not wanted or label in wanted for label in labels), False], np.bool_)


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


def _regions(hideable: Collection[str], is_sensitive: Sequence[bool]) -> tuple[int, int]:
    """Return the entries whose region may be hidden, of a record without and of one with a secret, as bitmasks.

    Of conditions that are sensitive columns themselves, the entries of records without a secret are sensitive of others.
    """
    bits = [1 << place for place in range(len(is_sensitive) + 1)]
    own = bits[-1] if "sensitive of others" in hideable else 0
    conditions = list(zip(bits, is_sensitive, strict=False))
    others = sum(
        bit
        for bit, other in conditions
        if ("sensitive of others" if other else "conditions of others") in hideable
    )
    secrets = sum(bits[:-1]) if "conditions of secrets" in hideable else 0
    return others | own, secrets | own


def _bits(flags: NDArray[np.bool_]) -> Ints:
    """Return the flags of each row as a bitmask."""
    masks: Ints = flags.astype(np.int64) @ (1 << np.arange(flags.shape[1], dtype=np.int64))
    return masks
