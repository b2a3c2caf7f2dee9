"""What a report shows of the attack `attributes`: the best rule of each secret, the rules that leak, and other limits."""

from fractions import Fraction
from functools import cached_property
from typing import Any

from giveaway.attacks.attributes.attacker import supporters
from giveaway.attacks.attributes.exposed_secrets import Exposed, SecretsTally
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.reporting import curves, sentences
from giveaway.attacks.attributes.reporting.exposures import SecretExposures
from giveaway.attacks.attributes.reporting.reasons import too_common
from giveaway.attacks.attributes.reporting.rules import unsafe_rules
from giveaway.attacks.wording import counted
from giveaway.model.answer.risk import Curve, Details, HoldsUpTo, How, Level, Step


class SecretsDetails(Details):
    """What is shown of secrets, whoever infers them."""

    def __init__(self, question: AttributesQuestion, tally: Exposed) -> None:
        self._question, self._tally = question, tally

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The largest chance next to the limit."""
        limit = self._question.limit
        if not len(self.exposures):
            return (Level(kind="attribute", worst=Fraction(0), limit=limit),)
        worst = self.exposures[0]
        return (Level(kind="attribute", worst=worst.chance, limit=limit, baseline=worst.baseline),)

    @cached_property
    def over(self) -> int:
        """How many secrets are over the limit."""
        return self._tally.exposed

    @cached_property
    def _hidden(self) -> dict[str, Any]:
        """The figures of what is hidden, and of how far that holds."""
        question, hidden = self._question, self._question.hidden_entries
        return {
            "hidden_entries": hidden,
            **({"hidden_weight": question.hidden_cost} if question.need.weights else {}),
            "removal_rate": Fraction(hidden, max(question.records * len(question.columns), 1)),
            "lower_bound": None,
            "optimal": None,
            "rounds": None,
            "breaking_point": self.holds_up_to.value,
        }

    @cached_property
    def kept(self) -> dict[str, int]:
        """The entries that the release keeps."""
        entries = self._question.entries
        return {"cells": entries - self._question.hidden_entries, "cells_total": entries}


class AttributesDetails(SecretsDetails):
    """The rules behind a verdict."""

    _tally: SecretsTally

    @cached_property
    def exposures(self) -> SecretExposures:
        """The secrets, the best inferred first."""
        return SecretExposures(self._question)

    @cached_property
    def _unsafe_rules(self) -> int:
        return sum(len(column.unsafe) for column in self._question.sensitive_columns)

    @cached_property
    def _visible(self) -> Fraction | None:
        """The worst confidence for somebody who leaves rows with a hidden sensitive entry out of the count."""
        confidences = [
            column.best.visible
            for column in self._question.sensitive_columns
            if column.best.visible is not None
        ]
        return max(confidences, default=None)

    @cached_property
    def how(self) -> How:
        """What was counted."""
        return How(method="exact", detail=_detail(self._question, self._unsafe_rules))

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The numbers that the contract names."""
        question = self._question
        return {
            "records": question.records,
            "sensitive_records": question.secrets,
            "unsafe_rules": self._unsafe_rules,
            "exposed_records": self._tally.exposed,
            "worst_visible_confidence": self._visible,
            **self._hidden,
            "rules": unsafe_rules(question),
        }

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """The longest rules within tolerance; no rule uses more columns than the attacker knows."""
        allowed, by_length = self._question.allowed, self._tally.by_length
        broken = next((length for length, exposed in enumerate(by_length, 1) if exposed > allowed), None)
        if broken is None:
            known = self._question.most_conditions
            return HoldsUpTo(value=known, unit="columns", at_least=True, whole_scale=True)
        return HoldsUpTo(value=broken - 1 or None, unit="columns")

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The chances of secrets, longer rules, and other limits."""
        return (
            curves.chances(self._question, self._tally),
            curves.strength(self._question, self._tally, self.holds_up_to),
            curves.limits(self._question, self._tally),
        )

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """How each condition of the best rule narrows the crowd."""
        return self.exposures.worked()

    @cached_property
    def against(self) -> str:
        """Whom the verdict is about."""
        return sentences.AGAINST

    @cached_property
    def warning(self) -> str | None:
        """Somebody who counts differently from this attack and is over the limit, by a rule or without any."""
        question = self._question
        if self._visible is not None and self._visible > question.limit:
            return sentences.leaving_out(self._visible, question.limit)
        commonest = max((share for *_, share in too_common(question)), default=None)
        return None if commonest is None else sentences.without_rule(commonest, question.limit)


def _detail(question: AttributesQuestion, unsafe: int) -> str:
    """Say what was counted, and how many rules are over the limit."""
    least = question.attacker.trusts_support_above
    trusted = f" that {supporters(least)}" if least else ""
    over = counted(unsafe, "are", "is") if unsafe else "none is"
    return (
        f"Every rule from visible columns to the true value of a secret{trusted} was counted; {over} over your limit. "
        "Rows with a hidden sensitive entry count among those that a rule is about."
    )
