"""Rules that a safe table must keep safe, with their counts and groups in the original table."""

from dataclasses import dataclass

import numpy as np

from giveaway.attacks.attributes.hiding.alike_records import RuleGroupPairs, bits
from giveaway.attacks.attributes.unsafe_rules.limits import Flags
from giveaway.attacks.attributes.unsafe_rules.partial_table import PartialTable
from giveaway.attacks.attributes.unsafe_rules.search import UnsafeRules
from giveaway.model.data.arrays import Codes, Ints


@dataclass(frozen=True, kw_only=True, eq=False)
class Stated:
    """Rules with their counts in a table, and the groups that show them or are attacked with them."""

    mask: Ints
    codes: Codes
    value: Codes
    showing: Ints
    matching: Ints
    own: RuleGroupPairs
    forced: Flags
    """The rules that must be hit, whatever records show them."""

    @classmethod
    def of(cls, rules: UnsafeRules, forced: Flags) -> "Stated":
        """State the unsafe rules of a table."""
        shown = RuleGroupPairs.of(rules.relevant_starts, rules.relevant)
        shown = shown.where(~forced[shown.rule])
        attacked = RuleGroupPairs.of(rules.secret_starts, rules.secrets)
        return cls(
            mask=rules.mask,
            codes=rules.codes,
            value=rules.value,
            showing=rules.showing,
            matching=rules.matching,
            own=shown.and_more(attacked),
            forced=forced,
        )

    def and_more(self, table: PartialTable, rules: UnsafeRules) -> "Stated | None":
        """State rules as well that are unsafe after hiding in the table; None when all are stated already."""
        known = {_key(self, rule) for rule in range(len(self.mask))}
        new = [rule for rule in range(len(rules)) if _key(rules, rule) not in known]
        if not new:
            return None
        has = [_has(table.conditions, rules.codes[rule], int(rules.mask[rule])) for rule in new]
        shows = [has_it & (table.value == rules.value[rule]) for rule, has_it in zip(new, has, strict=True)]
        attacked = [
            has_it & (table.truth == rules.value[rule]) for rule, has_it in zip(new, has, strict=True)
        ]
        own = [np.flatnonzero(one | other) for one, other in zip(shows, attacked, strict=True)]
        place = np.arange(len(self.mask), len(self.mask) + len(new))
        return Stated(
            mask=np.concatenate([self.mask, rules.mask[new]]),
            codes=np.concatenate([self.codes, rules.codes[new]]),
            value=np.concatenate([self.value, rules.value[new]]),
            showing=np.append(self.showing, [table.count[some].sum() for some in shows]),
            matching=np.append(self.matching, [table.count[some].sum() for some in has]),
            own=self.own.and_more(
                RuleGroupPairs(np.repeat(place, [len(groups) for groups in own]), np.concatenate(own))
            ),
            forced=np.append(self.forced, np.zeros(len(new), bool)),
        )


def matched(table: PartialTable, stated: Stated, groups: Ints) -> RuleGroupPairs:
    """Return the rules that some groups have the pattern of, but neither show nor are attacked with.

    Rules that must be hit are left out: it does not matter how many records have their patterns.
    """
    conditions = np.asfortranarray(table.conditions[groups])
    own = np.maximum(table.value[groups], table.truth[groups])
    rules = np.flatnonzero(~stated.forced)
    groups_of = [
        groups[_has(conditions, stated.codes[rule], int(stated.mask[rule])) & (own != stated.value[rule])]
        for rule in rules
    ]
    rule = np.repeat(rules, [len(some) for some in groups_of])
    return RuleGroupPairs(rule, np.concatenate([np.zeros(0, np.int64), *groups_of]))


def _key(rules: Stated | UnsafeRules, rule: int) -> tuple[int, bytes]:
    return int(rules.value[rule]), rules.codes[rule].tobytes()


def _has(conditions: Codes, codes: Codes, mask: int) -> Flags:
    """Tell which records have a pattern."""
    has = np.ones(len(conditions), bool)
    for entry in bits(mask):
        place = entry.bit_length() - 1
        has &= conditions[:, place] == codes[place]
    return has
