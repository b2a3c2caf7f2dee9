"""Why a release is at risk, and what the verdict rests on or leaves out."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from giveaway.attacks.attributes.exposed_secrets import SecretsTally
from giveaway.attacks.attributes.informed import InformedTally
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.reporting import sentences
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.attacks.wording import counted, named, percent


def reasons(question: AttributesQuestion, tally: SecretsTally) -> tuple[str, ...]:
    """Say how many secrets are exposed if they are too many, and what else there is to say about the verdict."""
    first = []
    if tally.exposed > question.allowed:
        first.append(f"{sentences.inferred(tally)} from the other columns.")
    notes = (_common_values, _without_value, _assumptions)
    return (*first, *(note for of in notes for note in of(question)))


def informed_reasons(question: AttributesQuestion, tally: InformedTally) -> tuple[str, ...]:
    """Say how many secrets are told by blanks or rules if they are too many, and else why a blank says nothing."""
    first = []
    if tally.exposed > question.allowed:
        how = "rules in the visible rows" if question.attacker.asking_known else "what is blank next to them"
        first.append(f"{sentences.inferred(tally)} from {how}.")
        alone = 0 if question.attacker.trusts_rules else tally.without_decoys
        first += [sentences.asked_alone(alone)] if alone else []
    elif tally.decoys:
        names = [column.name for column in tally.columns]
        first += [sentences.decoys(tally.decoys, tally.columns[0].cap, names), sentences.BY_LOT]
    notes = (_common_values if question.attacker.trusts_rules else _nothing, _without_value, _assumptions)
    return (*first, *(note for of in notes for note in of(question)))


def _nothing(_: AttributesQuestion) -> list[str]:
    return []


def too_common(question: AttributesQuestion) -> Iterator[tuple[SensitiveColumn, int, Fraction]]:
    """Give the secret values that more of the visible entries show than tolerated, with that share: the base rate."""
    for column in question.sensitive_columns:
        table = column.table
        for value in np.unique(table.truth[table.secrets]).tolist():
            if column.share(value) > question.limit:
                yield column, value, column.share(value)


def _common_values(question: AttributesQuestion) -> list[str]:
    """Name the values that are guessed without any rule."""
    return [
        f"{column.name} {named(question.label(column.name, value))} is shown by {percent(share)} of the "
        "visible entries: somebody who leaves blank entries out of the count guesses it without any rule."
        for column, value, share in too_common(question)
    ]


def _without_value(question: AttributesQuestion) -> list[str]:
    """Count the secrets of which nothing is inferred, because they have no value or none worth protecting."""
    missing = sum(int((column.truth == UNKNOWN).sum()) for column in question.sensitive_columns)
    attacked = sum(
        int(column.table.count[column.table.secrets].sum()) for column in question.sensitive_columns
    )
    unjudged = question.secrets - missing - attacked
    lines = []
    if missing:
        entries = counted(missing, "secret entries")
        lines.append(f"{entries} without a value counted as safe: there is nothing to infer.")
    if unjudged:
        entries = counted(unjudged, "secret entries")
        lines.append(f"{entries} with a value that you do not ask to protect counted as safe.")
    return lines


def _assumptions(question: AttributesQuestion) -> list[str]:
    """Say what the answer rests on when conditions of secrets are withheld."""
    cells = question.release.withheld.cells
    return [sentences.ASSUMPTION] if question.has_conditions_of_secrets(cells) else []
