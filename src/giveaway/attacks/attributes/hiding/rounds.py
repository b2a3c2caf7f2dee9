"""Hiding entries in rounds: make the rules that are unsafe now safe, look for rules again, until none is unsafe.

A rule is covered by hiding entries of records that show it, or hit by hiding conditions of the secrets it gives away.
Either can make others unsafe, so that only a search through all rules tells whether a table is safe.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from giveaway.attacks.attributes.hiding.alike_records import (
    Class,
    RuleGroupPairs,
    classes,
    in_groups,
    useful_entries,
)
from giveaway.attacks.attributes.hiding.cover import HidingCover, Rules, cover, coverable
from giveaway.attacks.attributes.hiding.hit import hit
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.limits import Flags, RuleLimits
from giveaway.attacks.attributes.unsafe_rules.partial_table import Hidden, PartialTable, hide
from giveaway.attacks.attributes.unsafe_rules.search import UnsafeRules
from giveaway.model.data.arrays import Ints


class Changed(NamedTuple):
    """A table with entries hidden, and the group of the original table that each of its groups comes from."""

    table: PartialTable
    origin: Ints

    @classmethod
    def nothing_in(cls, table: PartialTable) -> "Changed":
        """Begin with nothing hidden."""
        return cls(table, np.arange(len(table.count)))

    def hiding(self, hidden: Hidden) -> "Changed":
        """Hide more, given in groups of this table."""
        table, source = hide(self.table, hidden)
        return Changed(table, self.origin[source])

    def hidden_in(self, original: PartialTable) -> Hidden:
        """Return all that is hidden, in groups of the original."""
        mask = original.may[self.origin] & ~self.table.may
        changed = np.flatnonzero(mask)
        pairs, place = np.unique(np.stack([self.origin[changed], mask[changed]]), axis=1, return_inverse=True)
        times = np.zeros(pairs.shape[1], np.int64)
        np.add.at(times, place, self.table.count[changed])
        return Hidden(group=pairs[0], mask=pairs[1], times=times)


@dataclass(frozen=True, kw_only=True, eq=False)
class Round:
    """A table with unsafe rules, and what can be done about them."""

    table: PartialTable
    unsafe: UnsafeRules

    @cached_property
    def rules(self) -> Rules:
        """The unsafe rules and the limits."""
        return Rules(
            mask=self.unsafe.mask,
            showing=self.unsafe.showing,
            matching=self.unsafe.matching,
            limits=RuleLimits.of_table(self.table),
            prices=self.table.prices,
        )

    @cached_property
    def attacked(self) -> RuleGroupPairs:
        """The secret groups that each rule gives away."""
        return RuleGroupPairs.of(self.unsafe.secret_starts, self.unsafe.secrets)

    def shown(self, chosen: Flags) -> list[Class]:
        """Return the records that show chosen rules and may have entries hidden."""
        pairs = RuleGroupPairs.of(self.unsafe.relevant_starts, self.unsafe.relevant)
        own = pairs.where(chosen[pairs.rule])
        useful = useful_entries(self.table, self.unsafe.mask, own)
        return classes(self.table, self.unsafe.mask, useful, own)

    @cached_property
    def can_cover(self) -> Flags:
        """The rules that are safe when everything that helps is hidden in the records that show them."""
        return coverable(self.rules, self.shown(np.ones(len(self.unsafe), bool)))

    @cached_property
    def can_hit(self) -> Flags:
        """The rules of which every secret they give away may hide a condition."""
        hits = (self.table.may[self.attacked.group] & self.unsafe.mask[self.attacked.rule]) != 0
        return np.logical_and.reduceat(hits, self.unsafe.secret_starts[:-1])

    @property
    def is_lost(self) -> bool:
        """Some rule can neither be covered nor hit: no safe table exists."""
        return bool((~self.can_cover & ~self.can_hit).any())

    @cached_property
    def covered(self) -> HidingCover:
        """What covering all rules would hide that can be covered."""
        return cover(self.rules, self.shown(self.can_cover))

    def covering(self, chosen: Flags) -> list[tuple[int, int, int]]:
        """Return in which groups what is hidden to cover chosen rules."""
        showing = self.shown(chosen)
        return in_groups(cover(self.rules, showing).moves, showing)

    def rules_by_secret(self, chosen: Flags) -> dict[int, Ints]:
        """Return the chosen rules that give each secret group away."""
        rule, group = self.attacked.where(chosen[self.attacked.rule])
        order = np.argsort(group, kind="stable")
        groups, first = np.unique(group[order], return_index=True)
        rules = np.split(rule[order], first[1:])
        return dict(zip(groups.tolist(), rules, strict=False))

    def hits(self, chosen: Flags) -> dict[int, int]:
        """Return for each secret group that chosen rules give away the cheapest conditions that hit them."""
        return {
            group: hit(self.unsafe.mask[rules], int(self.table.may[group]), self.table.prices).mask
            for group, rules in self.rules_by_secret(chosen).items()
        }

    def hitting(self, chosen: Flags) -> list[tuple[int, int, int]]:
        """Return in which groups what is hidden to hit chosen rules."""
        return [(group, mask, int(self.table.count[group])) for group, mask in self.hits(chosen).items()]

    @cached_property
    def needed(self) -> Ints:
        """The fewest records in which an entry must be hidden to cover each rule alone."""
        by_value = (self.table.may[self.unsafe.relevant] & self.table.sensitive_bit) != 0
        return np.where(
            np.logical_or.reduceat(by_value, self.unsafe.relevant_starts[:-1]),
            self.rules.limits.values_needed(self.rules.showing, self.rules.matching),
            self.rules.limits.records_needed(self.rules.showing, self.rules.matching),
        )


Choice = tuple[Flags, Flags]
"""The rules to cover and the rules to hit in a round."""


def _hit(now: Round) -> Choice | None:
    return (~now.can_hit, now.can_hit) if now.can_hit.all() else None


def _cover(now: Round) -> Choice | None:
    return (now.can_cover, ~now.can_cover) if now.can_cover.all() else None


def _hit_first(now: Round) -> Choice | None:
    return (np.zeros_like(now.can_hit), now.can_hit) if now.can_hit.any() else _cover(now)


def _cover_first(now: Round) -> Choice | None:
    return _hit(now) or (~now.can_hit, np.zeros_like(now.can_hit))


def _mix(now: Round) -> Choice:
    """Hit where that is cheaper for a secret group than its share of what covering would hide."""
    rule, group = now.attacked
    records = np.add.reduceat(now.table.count[group], now.unsafe.secret_starts[:-1])
    share = np.zeros(len(now.table.count))
    np.add.at(share, group, (now.covered.share / records)[rule] * now.table.count[group])
    hits = now.hits(now.can_hit)
    cheap = np.zeros(len(now.table.count), bool)
    for one, mask in hits.items():
        cheap[one] = now.table.cost(mask) * int(now.table.count[one]) < share[one]
    all_cheap = np.logical_and.reduceat(cheap[group], now.unsafe.secret_starts[:-1])
    to_hit = now.can_hit & (all_cheap | ~now.can_cover)
    return ~to_hit, to_hit


POLICIES: Mapping[str, Callable[[Round], Choice | None]] = {
    "hit": _hit,
    "cover": _cover,
    "mix": _mix,
    "hit first": _hit_first,
    "cover first": _cover_first,
}


class Done(NamedTuple):
    """A safe table, and the number of rounds it took."""

    changed: Changed
    rounds: int


def rounds(changed: Changed, unsafe: UnsafeRules, policy: str) -> Done | None:
    """Hide until no rule is unsafe; None when the policy leads nowhere."""
    done = 0
    while len(unsafe):
        now = Round(table=changed.table, unsafe=unsafe)
        choice = None if now.is_lost else POLICIES[policy](now)
        if choice is None:
            return None
        to_cover, to_hit = choice
        changed = changed.hiding(Hidden.of(now.covering(to_cover) + now.hitting(to_hit)))
        unsafe = search.find(changed.table)
        done += 1
    return Done(changed, done)
