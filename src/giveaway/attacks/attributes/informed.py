"""Secrets judged for somebody who knows how giveaway chooses: by the blanks next to them, or by who asked."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.decoys import asking_known, visible_rules
from giveaway.attacks.attributes.decoys.blocks import Block, cap, least_decoys
from giveaway.attacks.attributes.decoys.peers import Peers
from giveaway.attacks.attributes.decoys.visible_rules import Share
from giveaway.attacks.attributes.exposed_secrets import Exposed
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn
from giveaway.attacks.attributes.unsafe_rules.limits import Flags
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import tell

MOST_LOOKS = 3_000_000
"""The most looks at a record, for all sets of columns together, to find out how many columns it takes."""


@dataclass(frozen=True, kw_only=True, eq=False)
class InformedColumn:
    """One sensitive column with secrets: the block of blanks of each group, and the chance that goes with it.

    Somebody who does not know who asked is right with the part of the blanks that have the commonest value among them,
    whatever rules say. Who takes asking to be independent of the value, or knows who asked, uses rules in the visible
    rows where a group has no decoys.
    """

    rules: SensitiveColumn
    peers: Peers
    attacker: KnowsAttributes
    limit: Fraction
    hides_conditions: bool
    """Whether conditions of secrets are hidden, or might be: then it must not depend on them whether they are."""

    @property
    def name(self) -> str:
        """The name of the sensitive column."""
        return self.rules.name

    @property
    def cap(self) -> Fraction:
        """The largest part of the blanks of a group that may have the same value."""
        return cap(self.limit, self.attacker.odds)

    @cached_property
    def _place(self) -> Ints:
        """The place of each secret with a value among all secrets of the column."""
        return np.searchsorted(self.rules.rows, self.peers.secrets)

    @cached_property
    def truth(self) -> Codes:
        """The true value of each secret."""
        return self.rules.truth[self._place]

    @cached_property
    def is_judged(self) -> Flags:
        """Whether the value of each secret is worth protecting."""
        judged: Flags = self.rules.table.truth[self.rules.groups[self._place]] != UNKNOWN
        return judged

    @cached_property
    def judged(self) -> Ints:
        """The number of secrets worth protecting in each block."""
        return np.bincount(
            self.peers.group_of_secret[self.is_judged], minlength=len(self.peers.blocks)
        ).astype(np.int64)

    @cached_property
    def chances(self) -> list[Fraction]:
        """The chance of a secret in each block."""
        tell("counting blanks", len(self.peers.secrets))
        return [self._chance(place, block) for place, block in enumerate(self.peers.blocks)]

    @property
    def exposed(self) -> int:
        """The number of secrets over the limit."""
        return int(self.judged[self.over].sum())

    @cached_property
    def safe_limits(self) -> list[Fraction]:
        """The smallest limit that each block is within: with decoys, or by the rules, whatever applies there."""
        if self.attacker.asking_known or not self.attacker.trusts_rules:
            return self.chances
        return [
            chance if block.decoys else min(block.chance(self.attacker.odds), visible.part)
            for block, chance, visible in zip(
                self.peers.blocks, self.chances, self.visible_shares, strict=True
            )
        ]

    def _chance(self, place: int, block: Block) -> Fraction:
        if self.attacker.asking_known:
            return self._to_who_knows_who_asked(place, block)
        by_blanks = block.chance(self.attacker.odds)
        if not self.attacker.trusts_rules or block.decoys:
            return by_blanks
        # The rule leaves a group as it is where no visible rule is over the limit, and where its blanks are mixed anyway.
        by_rules = self.visible_shares[place].part
        return by_blanks if by_blanks <= self.limit < by_rules else by_rules

    def _to_who_knows_who_asked(self, place: int, block: Block) -> Fraction:
        if block.decoys:
            known = self.if_asking_known[place]
            return Fraction(1) if known is None else known
        return self.rule_of(place).part

    def is_judged_by_rules(self, place: int) -> bool:
        """Tell whether the chance in a block is that of a rule in the visible rows."""
        block = self.peers.blocks[place]
        if not self.attacker.trusts_rules or block.decoys:
            return False
        return self.attacker.asking_known or self.chances[place] == self.visible_shares[place].part

    def rule_of(self, place: int) -> Share:
        """Return the rule by which a block without decoys is judged."""
        whole_table = self.attacker.asking_known and self.hides_conditions
        return self._largest_share if whole_table else self.visible_shares[place]

    @cached_property
    def without_rule(self) -> Share:
        """The largest share of a value in all visible rows: who knows who asked guesses that well without any rule."""
        if not self.attacker.asking_known:
            return visible_rules.NO_RULE
        usual = (Share(self.rules.share(value), value) for value in self._values.tolist())
        return max(usual, default=visible_rules.NO_RULE)

    @cached_property
    def visible_shares(self) -> list[Share]:
        """The largest share of any value in the visible rows of a believed pattern that a secret of each block has."""
        own = self.rules.table.conditions[self.rules.groups[self._place]]
        _, first, of_secret = np.unique(own, axis=0, return_index=True, return_inverse=True)
        shares = visible_rules.shares_of_any_value(self.rules.table, own[first], self._values)
        by_block = [self.without_rule] * len(self.peers.blocks)
        for block, kind in {
            *zip(self.peers.group_of_secret.tolist(), of_secret.reshape(-1).tolist(), strict=True)
        }:
            by_block[block] = max(by_block[block], shares[kind])
        return by_block

    @cached_property
    def _values(self) -> Ints:
        """The visible values that are worth protecting."""
        shown = np.unique(self.rules.table.value)
        return np.intersect1d(shown, np.flatnonzero(self.rules.is_worth_protecting))

    @cached_property
    def _largest_share(self) -> Share:
        """The largest share of any value in the visible rows, over all columns that a secret shows.

        Rules that no secret has count too: that conditions are hidden would else tell that one of them did.
        """
        own = self.rules.table.conditions[self.rules.groups[self._place]]
        shown = sum(1 << place for place in range(own.shape[1]) if (own[:, place] != UNKNOWN).any())
        return max(self.without_rule, visible_rules.largest_share(self.rules.table, self._values, shown))

    @cached_property
    def if_asking_known(self) -> list[Fraction | None]:
        """What somebody learns in each block who knows who asked; None where that is not worked out."""
        return [
            asking_known.largest_share(block, self.cap) if block.decoys else self.visible_shares[place].part
            for place, block in enumerate(self.peers.blocks)
        ]

    @property
    def over(self) -> list[int]:
        """The blocks with a secret worth protecting that are over the limit."""
        chances = enumerate(self.chances)
        return [place for place, chance in chances if chance > self.limit and self.judged[place]]


@dataclass(frozen=True, kw_only=True, eq=False)
class InformedTally(Exposed):
    """Secrets that somebody infers who knows how entries are chosen."""

    @cached_property
    def columns(self) -> tuple[InformedColumn, ...]:
        """The sensitive columns with secrets."""
        question = self.question
        hides = question.attacker.asking_known and (
            "conditions of secrets" in question.hideable
            or question.has_conditions_of_secrets(question.release.withheld.cells)
        )
        return tuple(
            InformedColumn(
                rules=rules,
                peers=peers,
                attacker=question.attacker,
                limit=question.limit,
                hides_conditions=hides,
            )
            for rules, peers in zip(question.sensitive_columns, question.peers, strict=True)
        )

    @cached_property
    def chances(self) -> Counter[Fraction]:
        """The number of secrets with each chance."""
        return _counted((column.chances, column.judged) for column in self.columns)

    @cached_property
    def safe_limits(self) -> Counter[Fraction]:
        """The number of secrets that are within each limit and all above it, and within none below."""
        return _counted((column.safe_limits, column.judged) for column in self.columns)

    @cached_property
    def exposed(self) -> int:
        """The number of secrets over the limit."""
        return sum(column.exposed for column in self.columns)

    @property
    def decoys(self) -> int:
        """The blanks next to secrets that nobody asked for."""
        return sum(block.decoys for column in self.columns for block in column.peers.blocks)

    @cached_property
    def without_decoys(self) -> int:
        """The secrets over the limit that have nothing blank next to them but others who asked."""
        return sum(
            int(column.judged[place])
            for column in self.columns
            for place in column.over
            if not column.peers.blocks[place].decoys
        )

    @cached_property
    def without_block(self) -> int:
        """The secrets over the limit that no further blanks in their group protect."""
        return sum(
            int(column.judged[place])
            for column in self.columns
            for place in column.over
            if least_decoys(column.peers.blocks[place], column.cap) is None
        )

    @property
    def worst(self) -> Fraction:
        """The largest chance."""
        return max(self.chances, default=Fraction(0))

    @cached_property
    def if_asking_known(self) -> Fraction | None:
        """The largest chance for somebody who knows who asked; None where it is not worked out for some group."""
        if self.question.attacker.asking_known:
            return self.worst
        if self.question.attacker.odds > 1:
            return None
        known = [share for column in self.columns for share in column.if_asking_known]
        return None if None in known else max((share for share in known if share is not None), default=None)

    @cached_property
    def leaves_a_pair(self) -> bool:
        """Whether secrets over the limit share a group: others of as many blanks might then be like them."""
        return not self.question.attacker.asking_known and any(
            column.peers.blocks[place].size > 1 for column in self.columns for place in column.over
        )

    @cached_property
    def by_columns(self) -> dict[int, int]:
        """How many secrets are over the limit for somebody who looks at one of the columns, at any two, and so on.

        The worst choice of columns counts. Some numbers of columns are left out where there are too many choices.
        """
        columns = self.question.attacker.columns
        looks, by_columns = 0, dict[int, int]()
        for many in range(1, len(columns)):
            looks += comb(len(columns), many) * self.question.records
            if many > 1 and looks > MOST_LOOKS:
                break
            by_columns[many] = max(self._with(some) for some in combinations(columns, many))
        return by_columns | {len(columns): self.exposed}

    def _with(self, columns: tuple[str, ...]) -> int:
        tell("looking at fewer columns", len(columns), len(self.question.attacker.columns))
        asked = self.question.about(self.question.release, self.question.attacker.with_columns(columns))
        return InformedTally(question=asked).exposed


def informed(question: AttributesQuestion) -> InformedTally:
    """Count the secrets that somebody infers who knows how entries are chosen; the same question is counted once."""
    asked = question.attacker, question.tolerance, question.hideable, *sorted(question.need.weights.items())
    return question.published.remember(
        "attributes, informed", asked, lambda: InformedTally(question=question)
    )


def _counted(columns: Iterable[tuple[Sequence[Fraction], Ints]]) -> Counter[Fraction]:
    """Count secrets by what holds for their block."""
    counted: Counter[Fraction] = Counter()
    for by_block, secrets in columns:
        for value, number in zip(by_block, secrets.tolist(), strict=True):
            counted[value] += number
    return +counted
