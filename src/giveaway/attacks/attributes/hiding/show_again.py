"""Showing again what a safe table can do without: entries whose rules other hidden entries make safe."""

from dataclasses import replace

import numpy as np

from giveaway.attacks.attributes.hiding.alike_records import bits
from giveaway.attacks.attributes.hiding.rounds import Changed
from giveaway.attacks.attributes.unsafe_rules.limits import RuleLimits
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

_MOST_WORK = 300_000_000
"""The most looks at an entry or at a pattern; larger jobs are left as they are."""


def show_again(original: PartialTable, changed: Changed) -> Changed:
    """Show hidden entries of a safe table again, group after group, as long as all rules stay safe."""
    # State: a safe table, and its groups with hidden entries that are still to be tried. Invariant: the table is safe after
    # every step. Pruning: only the rules that an entry gives a record or a secret back to are judged, since no other can
    # become unsafe; and each entry of a group is tried once, even though a secret shown again may make room for another.
    limits = RuleLimits.of_table(original)
    hidden = original.may[changed.origin] & ~changed.table.may
    pending = np.flatnonzero(hidden).tolist()
    looks = len(hidden) * original.width + (original.width << original.width)
    if looks * int(np.bitwise_count(hidden).sum()) > _MOST_WORK:
        return changed
    for done, group in enumerate(pending):
        tell("showing entries again", done, len(pending))
        hidden_here = bits(int(original.may[changed.origin[group]] & ~changed.table.may[group]))
        for entry in sorted(hidden_here, key=original.price, reverse=True):
            record = _shown(original, changed, group, entry)
            times = _spare(changed.table, limits, record, entry)
            if times:
                changed = _moved(changed, group, replace(record, count=np.array([times])))
                pending.append(len(changed.origin) - 1)
    used = changed.table.count > 0
    return Changed(changed.table.of_groups(used), changed.origin[used])


def _shown(original: PartialTable, changed: Changed, group: int, entry: int) -> PartialTable:
    """Return the records of a group with one more entry shown."""
    record = changed.table.of_groups(np.array([group]))
    source = int(changed.origin[group])
    may = record.may | entry
    if entry == original.sensitive_bit:
        return replace(record, may=may, value=original.value[[source]])
    conditions = record.conditions.copy()
    place = entry.bit_length() - 1
    conditions[0, place] = original.conditions[source, place]
    return replace(record, may=may, conditions=conditions)


def _spare(table: PartialTable, limits: RuleLimits, record: PartialTable, entry: int) -> int:
    """Return how many records of a group may have an entry shown, all others staying as they are.

    All patterns of the record are counted at once: by the conditions that each group shares with it.
    """
    conditions, count = record.conditions[0], int(record.count[0])
    is_secret = record.truth[0] != UNKNOWN
    value = record.truth[0] if is_secret else record.value[0]
    if value == UNKNOWN:
        return count
    shared = np.zeros(len(table.count), np.int64)
    for place in range(table.width):
        if conditions[place] != UNKNOWN:
            shared |= (table.conditions[:, place] == conditions[place]).astype(np.int64) << place
    matching = _with_pattern(shared, table.count, table.width)
    showing = _with_pattern(shared, np.where(table.value == value, table.count, 0), table.width)
    pattern = np.arange(len(matching))
    if is_secret:
        visible = int(((conditions != UNKNOWN) << np.arange(table.width)).sum())
        again = ((pattern & entry) != 0) & ((pattern & ~visible) == 0)
        return 0 if limits.is_unsafe(showing[again], matching[again] + count).any() else count
    attacked = _with_pattern(shared, np.where(table.truth == value, table.count, 0), table.width) > 0
    attacked[0] = False
    if entry == table.sensitive_bit:
        return int(limits.values_spare(showing[attacked], matching[attacked]).min(initial=count))
    attacked &= (pattern & entry) != 0
    return int(limits.records_spare(showing[attacked], matching[attacked]).min(initial=count))


def _with_pattern(shared: Ints, count: Ints, width: int) -> Ints:
    """Return for each pattern the records that have it, given the conditions that they share with one record."""
    total = np.zeros(1 << width, np.int64)
    np.add.at(total, shared, count)
    for place in range(width):
        pairs = total.reshape(-1, 2, 1 << place)
        pairs[:, 0] += pairs[:, 1]
    return total


def _moved(changed: Changed, group: int, record: PartialTable) -> Changed:
    """Take records out of a group and put them, changed, at the end."""
    table = changed.table
    count = table.count.copy()
    count[group] -= record.count[0]
    longer = replace(
        table,
        conditions=np.concatenate([table.conditions, record.conditions]),
        value=np.concatenate([table.value, record.value]),
        truth=np.concatenate([table.truth, record.truth]),
        count=np.concatenate([count, record.count]),
        may=np.concatenate([table.may, record.may]),
    )
    return Changed(longer, np.append(changed.origin, changed.origin[group]))
