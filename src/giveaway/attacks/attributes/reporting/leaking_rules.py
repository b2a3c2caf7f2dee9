"""The rules that give most away, for the report."""

from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.attacks.attributes.question import Question
from giveaway.attacks.attributes.sensitive_column import Part

SHOWN = 20
"""How many leaking rules are listed at most."""


def leaking_rules(question: Question) -> list[dict[str, Any]]:
    """Return the rules over the limit, worst first: by confidence, fewer conditions, more support, then labels."""
    found = [rule for part in question.parts for rule in _worst(question, part)]
    found.sort(key=lambda rule: (-rule["confidence"], len(rule["condition"]), -rule["support"]))
    return found[:SHOWN]


def _worst(question: Question, part: Part) -> list[dict[str, Any]]:
    rules = part.unsafe
    length = np.bitwise_count(rules.mask)
    order = np.lexsort((-rules.showing, length, -rules.showing / rules.matching))[:SHOWN]
    return [
        {
            "condition": {
                name: question.label(name, int(code))
                for name, code in zip(part.columns, rules.codes[rule], strict=False)
                if code >= 0
            },
            "column": part.column,
            "value": question.label(part.column, int(rules.value[rule])),
            "support": int(rules.showing[rule]),
            "records": int(rules.matching[rule]),
            "confidence": Fraction(int(rules.showing[rule]), int(rules.matching[rule])),
            "secrets": int(part.table.count[rules.secrets_of(int(rule))].sum()),
        }
        for rule in order
    ]
