"""Records that do the same to every rule when the same entries are hidden: counted together, decided together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.unsafe_rules.limits import Flags
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Codes, Ints, merge


class RuleGroupPairs(NamedTuple):
    """Pairs of a rule and a group."""

    rule: Ints
    group: Ints

    @classmethod
    def of(cls, starts: Ints, groups: Codes) -> "RuleGroupPairs":
        """Make pairs of the groups of each rule, rule after rule."""
        return cls(np.repeat(np.arange(len(starts) - 1), np.diff(starts)), groups.astype(np.int64))

    def where(self, kept: Flags) -> "RuleGroupPairs":
        """Return some of the pairs."""
        return RuleGroupPairs(self.rule[kept], self.group[kept])

    def and_more(self, other: "RuleGroupPairs") -> "RuleGroupPairs":
        """Return these pairs and others."""
        return RuleGroupPairs(np.append(self.rule, other.rule), np.append(self.group, other.group))


Moves = dict[tuple[int, int], int]
"""In how many records of a class the entries of a bitmask are hidden."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Class:
    """Interchangeable records of several groups."""

    groups: Ints
    counts: Ints
    useful: int
    """The entries whose hiding can help, as a bitmask."""
    own: Ints
    """The rules that the records show or, being secret, are attacked with."""
    matched: Ints
    """The other rules whose pattern they have, as far as that was asked for."""
    secret: bool
    value: int
    """The sensitive entry as a bitmask, where hiding it can help; else 0."""
    count: int


def useful_entries(table: PartialTable, masks: Ints, own: RuleGroupPairs) -> Ints:
    """Return the entries of each group whose hiding can help against its own rules, as a bitmask."""
    useful = np.zeros(len(table.count), np.int64)
    np.bitwise_or.at(useful, own.group, masks[own.rule] | table.sensitive_bit)
    return table.worth_considering(useful & table.may)


def classes(
    table: PartialTable, masks: Ints, useful: Ints, own: RuleGroupPairs, matched: RuleGroupPairs | None = None
) -> list[Class]:
    """Put the groups with useful entries into classes, in the order of their first groups.

    `own` says which rules a group shows or is attacked with, `matched` which others it has the pattern of; a rule is
    known by its place among the `masks`. Rules that useful entries do not touch are left out.
    """
    rules = len(masks)
    matched = matched or RuleGroupPairs(np.zeros(0, np.int64), np.zeros(0, np.int64))
    own, matched = (
        pairs.where((useful[pairs.group] & (masks[pairs.rule] | table.sensitive_bit)) != 0)
        for pairs in (own, matched)
    )
    groups = np.flatnonzero(useful)
    secret = table.truth[groups] != UNKNOWN
    _, kind = np.unique(useful[groups] * 2 + secret, return_inverse=True)
    group = np.concatenate([own.group, matched.group, groups])
    code = np.concatenate([own.rule, matched.rule + rules, kind + 2 * rules])
    order = np.lexsort((code, group))
    starts = np.append(np.flatnonzero(np.diff(group[order], prepend=-1)), len(order))
    starts, codes, _, class_of = merge(starts, code[order].astype(np.int32), table.count[groups])
    by_class = np.argsort(class_of, kind="stable")
    members = np.split(groups[by_class], np.cumsum(np.bincount(class_of))[:-1])
    return [
        _class(table, rules, useful, some, codes[first:last].astype(np.int64))
        for some, first, last in zip(members, starts[:-1].tolist(), starts[1:].tolist(), strict=False)
    ]


def _class(table: PartialTable, rules: int, useful: Ints, groups: Ints, codes: Ints) -> Class:
    first, second = np.searchsorted(codes, [rules, 2 * rules])
    return Class(
        groups=groups,
        counts=table.count[groups],
        useful=int(useful[groups[0]]),
        own=codes[:first],
        matched=codes[first:second] - rules,
        secret=bool(table.truth[groups[0]] != UNKNOWN),
        value=int(useful[groups[0]]) & table.sensitive_bit,
        count=int(table.count[groups].sum()),
    )


def in_groups(moves: Moves, kinds: Sequence[Class]) -> list[tuple[int, int, int]]:
    """Return in which groups entries are hidden, with bitmask and number of records; lowest groups first."""
    left = [one.counts.tolist() for one in kinds]
    place = [0] * len(kinds)
    hidden = []
    for (one, mask), times in sorted(moves.items()):
        still = times
        while still:
            taken = min(still, left[one][place[one]])
            if taken:
                hidden.append((int(kinds[one].groups[place[one]]), mask, taken))
            left[one][place[one]] -= taken
            still -= taken
            place[one] += not left[one][place[one]]
    return hidden


def bits(mask: int) -> list[int]:
    """Return the entries of a bitmask, each as a bitmask, in ascending order."""
    return [1 << place for place in range(mask.bit_length()) if mask >> place & 1]
