"""What a report shows of the attack `attributes`: the best rule of each secret, the rules that leak, and other limits."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.attacks.attributes.attacker import supporters
from giveaway.attacks.attributes.exposed_secrets import Tally
from giveaway.attacks.attributes.question import Question
from giveaway.attacks.attributes.reporting import curves, sentences
from giveaway.attacks.attributes.reporting.exposures import Exposures
from giveaway.attacks.attributes.reporting.reasons import too_common
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn
from giveaway.model.answer.risk import Curve, Details, Exposure, HoldsUpTo, How, Level, Step

LEAKING = 20
"""How many leaking rules are listed at most."""


class AttributesDetails(Details):
    """The rules behind a verdict."""

    def __init__(self, question: Question, tally: Tally) -> None:
        self._question, self._tally = question, tally

    @cached_property
    def _exposures(self) -> Exposures:
        return Exposures(self._question)

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
    def levels(self) -> tuple[Level, ...]:
        """The best rule of all next to the limit."""
        limit = self._question.limit
        if not len(self._exposures):
            return (Level(kind="attribute", worst=Fraction(0), limit=limit),)
        worst = self._exposures[0]
        return (Level(kind="attribute", worst=worst.chance, limit=limit, baseline=worst.baseline),)

    @cached_property
    def how(self) -> How:
        """What was counted."""
        return How(method="exact", detail=_detail(self._question, self._unsafe_rules))

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """The secrets, the best inferred first."""
        return self._exposures

    @cached_property
    def over(self) -> int:
        """How many secrets are over the limit."""
        return self._tally.exposed

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The numbers that the contract names."""
        question = self._question
        hidden = question.hidden_entries
        return {
            "records": question.records,
            "sensitive_records": question.secrets,
            "unsafe_rules": self._unsafe_rules,
            "exposed_records": self._tally.exposed,
            "worst_visible_confidence": self._visible,
            "hidden_entries": hidden,
            "removal_rate": Fraction(hidden, max(question.records * len(question.columns), 1)),
            "lower_bound": None,
            "optimal": None,
            "rounds": None,
            "breaking_point": self.holds_up_to.value,
            "rules": _leaking_rules(question),
        }

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """The longest rules within tolerance; no rule uses more columns than the attacker knows."""
        allowed, by_length = self._question.allowed, self._tally.by_length
        broken = next((length for length, exposed in enumerate(by_length, 1) if exposed > allowed), None)
        if broken is None:
            known = len(self._question.attacker.columns)
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
        return self._exposures.worked()

    @cached_property
    def kept(self) -> dict[str, int]:
        """The entries that the release keeps."""
        entries = self._question.entries
        return {"cells": entries - self._question.hidden_entries, "cells_total": entries}

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


def _detail(question: Question, unsafe: int) -> str:
    """Say what was counted, and how many rules are over the limit."""
    least = question.attacker.trusts_support_above
    trusted = f" that {supporters(least)}" if least else ""
    over = sentences.counted(unsafe, "is", "are") if unsafe else "none is"
    return (
        f"Every rule from visible columns to the true value of a secret{trusted} was counted; {over} over your limit. "
        "Rows with a hidden sensitive entry count among those that a rule is about."
    )


def _leaking_rules(question: Question) -> list[dict[str, Any]]:
    """Return the rules over the limit, worst first: by confidence, fewer conditions, more support, then labels."""
    rules = [rule for column in question.sensitive_columns for rule in _leaking(question, column)]
    rules.sort(key=lambda rule: (-rule["confidence"], len(rule["condition"]), -rule["support"]))
    return rules[:LEAKING]


def _leaking(question: Question, column: SensitiveColumn) -> list[dict[str, Any]]:
    rules = column.unsafe
    length = np.bitwise_count(rules.mask)
    order = np.lexsort((-rules.showing, length, -rules.showing / rules.matching))[:LEAKING]
    return [
        {
            "condition": {
                name: question.label(name, int(code))
                for name, code in zip(column.names, rules.codes[rule], strict=False)
                if code >= 0
            },
            "column": column.name,
            "value": question.label(column.name, int(rules.value[rule])),
            "support": int(rules.showing[rule]),
            "records": int(rules.matching[rule]),
            "confidence": Fraction(int(rules.showing[rule]), int(rules.matching[rule])),
            "secrets": int(column.table.count[rules.secrets_of(int(rule))].sum()),
        }
        for rule in order
    ]
