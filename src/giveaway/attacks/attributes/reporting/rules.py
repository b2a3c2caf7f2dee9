"""Rules to the values of secrets as rows of a list: what each says, what it counts, and what makes it safe."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn
from giveaway.attacks.attributes.unsafe_rules.limits import RuleLimits
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.model.answer.rows import Rows


def unsafe_rules(question: AttributesQuestion) -> Rows:
    """List the rules over the limit, worst first: by confidence, fewer conditions, more support, then columns."""
    columns = question.sensitive_columns
    which = np.repeat(np.arange(len(columns)), [len(column.unsafe) for column in columns])
    place = np.concatenate([np.zeros(0, np.int64), *(np.arange(len(column.unsafe)) for column in columns)])
    showing, matching, mask = (
        np.concatenate([np.zeros(0, np.int64), *(getattr(column.unsafe, name) for column in columns)])
        for name in ("showing", "matching", "mask")
    )
    # Divided numbers are in the order of the fractions, and equal where these are.
    order = np.lexsort((-showing, np.bitwise_count(mask), -showing / np.maximum(matching, 1)))

    def row(at: int) -> dict[str, Any]:
        column, rule = columns[which[order[at]]], int(place[order[at]])
        unsafe = column.unsafe
        return rule_row(
            question,
            column,
            pattern=unsafe.codes[rule].tolist(),
            value=int(unsafe.value[rule]),
            counts=(int(unsafe.showing[rule]), int(unsafe.matching[rule])),
            secrets=int(column.table.count[unsafe.secrets_of(rule)].sum()),
        )

    return Rows(len(order), row)


def rule_row(
    question: AttributesQuestion,
    column: SensitiveColumn,
    *,
    pattern: Sequence[int],
    value: int,
    counts: tuple[int, int],
    secrets: int,
) -> dict[str, Any]:
    """Describe a rule by its labels, its counts, and how many entries of others must go until it is safe."""
    showing, matching = counts
    limits = RuleLimits.of_table(column.table)
    support, records = np.array([showing]), np.array([matching])
    return {
        "condition": conditions(question, column, pattern),
        "column": column.name,
        "value": question.label(column.name, value),
        "support": showing,
        "records": matching,
        "confidence": Fraction(showing, matching),
        "secrets": secrets,
        "unsafe": bool(limits.is_unsafe(support, records)[0]),
        "values_to_hide": int(limits.values_needed(support, records)[0]),
        "records_to_hide": int(limits.records_needed(support, records)[0]),
    }


def conditions(
    question: AttributesQuestion, column: SensitiveColumn, pattern: Sequence[int]
) -> Mapping[str, Any]:
    """Return the labels of a pattern."""
    return {
        name: question.label(name, code)
        for name, code in zip(column.names, pattern, strict=False)
        if code != UNKNOWN
    }
