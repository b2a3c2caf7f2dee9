"""Every rule that some secret can be attacked with, safe or not, and the groups that have its pattern."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell


@dataclass(frozen=True, kw_only=True, eq=False)
class AttackedRule:
    """A rule from the pattern of conditions `mask` that the groups `groups` have to the true value of some of them."""

    mask: int
    value: int
    groups: Ints
    matching: int
    """The number of records with the pattern: supp(p)."""
    showing: int
    """The number of them that show the value: supp(p -> s)."""


def attacked_rules(table: PartialTable, *, above: int) -> Iterator[AttackedRule]:
    """Give the rules that more than `above` records show, all of them when it is -1.

    A longer pattern is shown by no more records than a part of it, so the search stops where too few show a rule.
    """
    everybody = np.arange(len(table.count))
    yield from _extended(table, 0, everybody, np.zeros(len(everybody), np.int64), above)


def is_unsafe(table: PartialTable, showing: int, matching: int) -> bool:
    """Tell whether a rule with these counts leaks the value."""
    limit = table.limit
    return showing > table.least and limit.denominator * showing > limit.numerator * matching


def _extended(
    table: PartialTable, mask: int, groups: Ints, pattern: Ints, above: int
) -> Iterator[AttackedRule]:
    """Give the rules of the patterns with more conditions, all of them after those in `mask`.

    `pattern` numbers, for each of the groups, the pattern that it has there.
    """
    for column in range(mask.bit_length(), table.width):
        longer = mask | 1 << column
        tell("listing the rules that secrets have", longer, 1 << table.width)
        seen = table.conditions[groups, column] != UNKNOWN
        kept = groups[seen]
        codes = table.conditions[kept, column].astype(np.int64)
        numbers = np.unique(pattern[seen] * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
        rules = list(_rules(table, longer, kept, numbers, above))
        yield from rules
        alive = np.zeros(len(table.count), np.bool_)
        for rule in rules:
            alive[rule.groups] = True
        if rules:
            goes_on = alive[kept]
            yield from _extended(table, longer, kept[goes_on], numbers[goes_on], above)


def _rules(table: PartialTable, mask: int, groups: Ints, pattern: Ints, above: int) -> Iterator[AttackedRule]:
    truth, value, count = table.truth[groups], table.value[groups], table.count[groups]
    values = max(int(table.truth.max(initial=0)), int(table.value.max(initial=0))) + 1
    aims = (pattern * values + truth)[truth != UNKNOWN]
    shown = value != UNKNOWN
    keys, showing = _sums(
        np.concatenate([aims, (pattern * values + value)[shown]]),
        np.concatenate([np.zeros(len(aims), np.int64), count[shown]]),
    )
    matching = _sums(pattern, count)[1]
    order = np.argsort(pattern, kind="stable")
    first = np.searchsorted(pattern[order], np.arange(len(matching) + 1))
    ordered = groups[order]
    wanted = np.isin(keys, aims) & (showing > above)
    for key, number in zip(keys[wanted].tolist(), showing[wanted].tolist(), strict=True):
        at, aim = divmod(key, values)
        members = ordered[first[at] : first[at + 1]]
        yield AttackedRule(mask=mask, value=aim, groups=members, matching=int(matching[at]), showing=number)


def _sums(keys: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Return the distinct keys in order and the sum of the counts of each."""
    distinct, place = np.unique(keys, return_inverse=True)
    total = np.zeros(len(distinct), np.int64)
    np.add.at(total, place, count)
    return distinct, total
