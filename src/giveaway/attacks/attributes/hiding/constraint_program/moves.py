"""What an exact search has to decide: rules that can matter, and sets of entries worth hiding in interchangeable records.

State: the relevant rules. They begin with the unsafe ones and grow until nothing changes.

Invariant: a rule is left out only when it stays safe even if all records that could leave its pattern, by a move against
a relevant rule, leave it at once while all that show it stay. So a table is safe when its relevant rules are.

Pruning: entries that help against no relevant rule are never hidden, and where the sensitive entry of a record may be
hidden no condition is that costs as much (Li et al., Lemma 1, record by record). A set of entries is left out when another
one, no dearer, serves at least the same rules and harms no more. Records that do the same to every rule are one class, of
which only the number of records matters that make each move.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.rgraph.rules import AttackedRule, attacked_rules, is_unsafe
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell


@dataclass(frozen=True, kw_only=True)
class Move:
    """A set of entries hidden together in one record, and what that does to the rules."""

    mask: int
    served: frozenset[int]
    """The rules that the record no longer shows or, when it is secret, is no longer attacked with."""
    unmatched: frozenset[int]
    """The rules whose pattern the record no longer has."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Exchangeable:
    """Groups whose records do the same to every rule when the same entries are hidden."""

    groups: Ints
    counts: Ints
    secret: bool
    moves: tuple[Move, ...]


def relevant_rules(table: PartialTable, *, most: int) -> list[AttackedRule] | None:
    """Return the rules that are unsafe or that moves against relevant rules can make unsafe; none when all are safe.

    A move is worth making only for what it does to a rule that the record itself shows or is attacked with. It takes
    records away from the patterns of other rules and so can expose them; all rules left out stay safe whatever is done.
    None when the rules and the groups that have their patterns are more than `most` pairs.
    """
    rules = []
    for rule in attacked_rules(table, above=table.least):
        rules.append(rule)
        most -= len(rule.groups)
        if most < 0:
            return None
    relevant = [is_unsafe(table, rule.showing, rule.matching) for rule in rules]
    grows = any(relevant)
    while grows:
        tell("finding the rules that hiding can expose", sum(relevant), len(rules))
        useful = useful_entries(table, [rule for rule, chosen in zip(rules, relevant, strict=True) if chosen])
        grows = False
        for place, rule in enumerate(rules):
            if not relevant[place] and _can_become_unsafe(table, rule, useful):
                relevant[place] = grows = True
    return [rule for rule, chosen in zip(rules, relevant, strict=True) if chosen]


def _can_become_unsafe(table: PartialTable, rule: AttackedRule, useful: Ints) -> bool:
    others = rule.groups[table.value[rule.groups] != rule.value]
    leaving = others[(useful[others] & rule.mask) != 0]
    return is_unsafe(table, rule.showing, rule.matching - int(table.count[leaving].sum()))


def useful_entries(table: PartialTable, rules: Sequence[AttackedRule]) -> Ints:
    """Return the entries of each group whose hiding can help against the rules, as a bitmask."""
    useful = np.zeros(len(table.count), np.int64)
    for rule in rules:
        own = _own(table, rule)
        useful[own] |= table.may[own] & (rule.mask | table.sensitive_bit)
    return table.worth_considering(useful)


def _own(table: PartialTable, rule: AttackedRule) -> Ints:
    """Return the groups that show the rule and the secrets that are attacked with it."""
    groups = rule.groups
    return groups[(table.value[groups] == rule.value) | (table.truth[groups] == rule.value)]


def exchangeable(
    table: PartialTable, rules: Sequence[AttackedRule], *, most: int
) -> list[Exchangeable] | None:
    """Put the groups with useful entries into classes, in the order of their first groups.

    None when more than `most` pairs of moves and rules would have to be looked at.
    """
    useful = useful_entries(table, rules)
    matched = _by_group([rule.groups for rule in rules], useful)
    owned = _by_group([_own(table, rule) for rule in rules], useful)
    classes: dict[tuple[bool, int, bytes, bytes], list[int]] = {}
    for group in np.flatnonzero(useful).tolist():
        secret = bool(table.truth[group] != UNKNOWN)
        key = (secret, int(useful[group]), matched[group].tobytes(), owned[group].tobytes())
        classes.setdefault(key, []).append(group)
    if sum(len(matched[groups[0]]) << key[1].bit_count() for key, groups in classes.items()) > most:
        return None
    masks = np.array([rule.mask for rule in rules], np.int64)
    kinds = []
    for (secret, entries, _, _), groups in classes.items():
        first = groups[0]
        moves = _moves(table, entries, masks, matched[first], owned[first], secret=secret)
        members = np.array(groups, np.int64)
        kinds.append(Exchangeable(groups=members, counts=table.count[members], secret=secret, moves=moves))
    return kinds


def _by_group(groups: Sequence[Ints], useful: Ints) -> dict[int, Ints]:
    """Return the rules of each group with useful entries, given the groups of each rule."""
    rule = np.repeat(np.arange(len(groups)), [len(some) for some in groups])
    group = np.concatenate([np.zeros(0, np.int64), *groups])
    kept = useful[group] != 0
    rule, group = rule[kept], group[kept]
    order = np.argsort(group, kind="stable")
    distinct, first = np.unique(group[order], return_index=True)
    return dict(zip(distinct.tolist(), np.split(rule[order], first)[1:], strict=True))


def _moves(
    table: PartialTable, entries: int, masks: Ints, matched: Ints, owned: Ints, *, secret: bool
) -> tuple[Move, ...]:
    """Return the sets of entries for which no cheaper or equal set does as much good and no more harm."""
    value = entries & table.sensitive_bit
    sets = np.append(_subsets(entries & ~value), [value] if value else []).astype(np.int64)
    served = (sets[:, None] & (masks[owned] | value)) != 0
    unmatched = (sets[:, None] & masks[matched]) != 0
    harmed = unmatched if secret else unmatched & ~np.isin(matched, owned)
    chosen: list[int] = []
    for place in sorted(range(len(sets)), key=lambda one: table.cost(int(sets[one]))):
        if served[place].any() and not _is_dominated(place, chosen, served, harmed):
            chosen.append(place)
    return tuple(
        Move(
            mask=int(sets[place]),
            served=frozenset(owned[served[place]].tolist()),
            unmatched=frozenset(matched[unmatched[place]].tolist()),
        )
        for place in chosen
    )


def _subsets(entries: int) -> Ints:
    """Return every non-empty subset of a bitmask, in ascending order."""
    bits = [1 << bit for bit in range(entries.bit_length()) if entries >> bit & 1]
    sets = np.zeros(1, np.int64)
    for bit in bits:
        sets = np.concatenate([sets, sets | bit])
    return sets[1:]


def _is_dominated(
    place: int, chosen: Sequence[int], served: NDArray[np.bool_], harmed: NDArray[np.bool_]
) -> bool:
    """Tell whether one of the chosen sets, all of them no dearer, is at least as good."""
    as_good = (served[chosen] >= served[place]).all(axis=1)
    no_worse = (harmed[chosen] <= harmed[place]).all(axis=1)
    return bool((as_good & no_worse).any())
