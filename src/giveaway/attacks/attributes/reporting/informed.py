"""What a report shows of secrets judged for somebody who knows how entries are chosen: blanks, groups, other limits."""

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.attacks.attributes.informed import InformedColumn, InformedTally
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.reporting import curves, sentences
from giveaway.attacks.attributes.reporting.details import SecretsDetails
from giveaway.attacks.attributes.reporting.exposures import SecretInference
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.attacks.wording import named
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, Exposure, HoldsUpTo, How, Listed, Step
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label


class Blanks(Listed):
    """One exposure for each secret whose value is worth protecting: by falling chance, then column, group, value and row."""

    def __init__(self, question: AttributesQuestion, tally: InformedTally) -> None:
        self._question, self._tally = question, tally

    @cached_property
    def _order(self) -> Ints:
        """The column of each secret, and its place among the secrets of that column."""
        entries = [
            (-column.chances[group], which, group, value, secret)
            for which, column in enumerate(self._tally.columns)
            for secret, (group, value) in enumerate(
                zip(column.peers.group_of_secret.tolist(), column.truth.tolist(), strict=True)
            )
            if column.is_judged[secret]
        ]
        return np.array([(which, secret) for _, which, *_, secret in sorted(entries)], np.int64).reshape(
            -1, 2
        )

    def __len__(self) -> int:
        return len(self._order)

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        column, secret = self._secret(place)
        question, row = self._question, int(column.peers.secrets[secret])
        group = int(column.peers.group_of_secret[secret])
        value = question.label(column.name, self._guessed(column, secret))
        return SecretInference(
            target=question.original.record(row),
            kind="attribute",
            chance=column.chances[group],
            baseline=column.rules.share(self._guessed(column, secret)),
            value=value,
            because=self._because(column, secret, value),
            entry=(question, column.name, row),
        )

    def _secret(self, place: int) -> tuple[InformedColumn, int]:
        which, secret = self._order[place].tolist()
        return self._tally.columns[which], secret

    def _guessed(self, column: InformedColumn, secret: int) -> int:
        """Return the value that somebody would guess: the likeliest, true or not; the true one where none is likely."""
        group = int(column.peers.group_of_secret[secret])
        if column.is_judged_by_rules(group):
            value = column.rule_of(group).value
            return int(column.truth[secret]) if value == UNKNOWN else value
        block = column.peers.blocks[group]
        return block.values[block.most[0]]

    def _because(self, column: InformedColumn, secret: int, value: Label) -> str:
        group = int(column.peers.group_of_secret[secret])
        block, chance = column.peers.blocks[group], column.chances[group]
        if column.is_judged_by_rules(group):
            if not chance:
                least = self._question.attacker.trusts_support_above
                return sentences.no_rule(column.name, value, least)
            if chance == column.without_rule.part:
                return sentences.by_all(chance, column.name, value)
            return sentences.by_rule(chance, column.name, value)
        if self._question.attacker.asking_known:
            return sentences.knowing_who_asked(chance)
        place, many = block.most
        visible = Fraction(block.visible[place], sum(block.visible)) if sum(block.visible) else None
        alike = self._conditions(column, secret) if self._question.attacker.cells_of == 1 else []
        return sentences.blanks(many, block.size, alike, (column.name, value), visible)

    def _conditions(self, column: InformedColumn, secret: int) -> list[tuple[str, Label]]:
        """Return what the record of a secret shows."""
        rules = column.rules
        row = np.searchsorted(rules.rows, column.peers.secrets[secret])
        codes = rules.table.conditions[rules.groups[row]].tolist()
        return [
            (name, self._question.label(name, code))
            for name, code in zip(rules.names, codes, strict=False)
            if code != UNKNOWN
        ]

    def worked(self) -> tuple[Step, ...]:
        """Show step by step how the group of the worst exposure is found, its blanks, and their commonest value."""
        if len(self) == 0:
            return ()
        column, secret = self._secret(0)
        group, question = int(column.peers.group_of_secret[secret]), self._question
        if column.is_judged_by_rules(group) or question.attacker.asking_known:
            return ()
        block, steps = (
            column.peers.blocks[group],
            [Step(label=f"all {nouns().records}", count=question.records)],
        )
        if question.attacker.cells_of == 1:
            steps += self._narrowed(column, secret)
        else:
            steps.append(Step(label="in the same group", count=block.size + sum(block.visible)))
        value = named(question.label(column.name, self._guessed(column, secret)))
        steps.append(Step(label=f"of them with a blank {column.name}", count=block.size))
        steps.append(Step(label=f"of these with {column.name} {value}", count=block.most[1]))
        return tuple(steps)

    def _narrowed(self, column: InformedColumn, secret: int) -> list[Step]:
        """Count the records that show more and more of what the record of a secret shows."""
        table, names = column.rules.table, column.rules.names
        shows = {
            pair: table.conditions[:, names.index(pair[0])]
            == self._question.original.code_of[pair[0]][pair[1]]
            for pair in self._conditions(column, secret)
        }
        commonest_first = sorted(shows, key=lambda pair: -int(table.count[shows[pair]].sum()))
        steps, held = [], np.ones(len(table.count), np.bool_)
        for many, pair in enumerate(commonest_first, 1):
            held &= shows[pair]
            label = f"with {sentences.condition(commonest_first[:many])}"
            steps.append(Step(label=label, count=int(table.count[held].sum())))
        return steps


class InformedDetails(SecretsDetails):
    """The blanks behind a verdict."""

    _tally: InformedTally

    @cached_property
    def exposures(self) -> Blanks:
        """The secrets, the best inferred first."""
        return Blanks(self._question, self._tally)

    @cached_property
    def how(self) -> How:
        """What was counted."""
        attacker = self._question.attacker
        if attacker.asking_known:
            detail = (
                "For each secret the largest share of any value was counted in the visible rows of every rule that is "
                "believed; where there are decoys, the ways in which they could have been chosen."
            )
        elif attacker.trusts_rules:
            detail = (
                "For each secret the largest share of any value was counted in the visible rows of every rule that is "
                "believed; where there are decoys, in the blanks of its group."
            )
        else:
            detail = (
                f"In each group of {nouns().records} that look the same the blanks were counted by value: whoever knows how they "
                "were chosen, but not who asked, has no better chance than the commonest of them."
            )
        return How(method="exact", detail=detail)

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The numbers that the contract names."""
        question, tally = self._question, self._tally
        confidences = [rules.best.visible for rules in question.sensitive_columns]
        return {
            "records": question.records,
            "sensitive_records": question.secrets,
            "exposed_records": tally.exposed,
            "decoys": tally.decoys,
            "secrets_without_block": tally.without_block,
            "worst_informed": tally.worst,
            "worst_visible_confidence": max(
                (share for share in confidences if share is not None), default=None
            ),
            "if_asking_known": tally.if_asking_known,
            **self._hidden,
        }

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """How many of the columns somebody may look at, whichever they are."""
        allowed, known = self._question.allowed, len(self._question.attacker.columns)
        if self._tally.exposed <= allowed:
            return HoldsUpTo(value=known, unit="columns", at_least=True, whole_scale=True)
        held = 0
        for many, exposed in self._tally.by_columns.items():
            if exposed > allowed:
                break
            held = many
        return HoldsUpTo(value=held or None, unit="columns", at_least=held + 1 not in self._tally.by_columns)

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The chances of secrets, more columns, and other limits."""
        return (
            curves.chances(self._question, self._tally),
            curves.columns(self._question, self._tally.by_columns, self.holds_up_to),
            curves.limits(self._question, self._tally),
        )

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """How the worst exposure comes about."""
        return self.exposures.worked()

    @cached_property
    def against(self) -> str | None:
        """Whom the verdict is about."""
        attacker = self._question.attacker
        parts = [
            None if attacker.asking_known else "does not know who asked",
            "takes asking to be independent of the value" if attacker.trusts_rules else None,
            f"treats the {nouns().records} of a group of {attacker.cells_of:,} as equal"
            if attacker.cells_of > 1
            else None,
        ]
        return " and ".join(text for text in parts if text) or None

    @cached_property
    def warning(self) -> str | None:
        """What somebody still finds who knows who asked, where that is over the limit."""
        known = None if self._question.attacker.asking_known else self._tally.if_asking_known
        if known is None or known <= self._question.limit:
            return None
        return sentences.knowing_who_asked(known)
