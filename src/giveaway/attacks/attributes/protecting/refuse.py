"""When no safe release exists or none is found: the reason, the marks in the way, and what would help."""

from typing import NoReturn, get_args

import numpy as np

from giveaway.attacks.attributes.exposed_secrets import SecretsTally
from giveaway.attacks.attributes.need import Region
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.reporting.sentences import inferred
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn
from giveaway.attacks.attributes.unsafe_rules.partial_table import Hidden
from giveaway.attacks.wording import listed
from giveaway.errors import Help, NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.exact import ratio

NAMED = 5
"""How many marks in the way are named."""

SECONDS = 20.0
"""How long they are searched for."""


def refuse(question: AttributesQuestion, *, proved: bool) -> NoReturn:
    """Raise because nothing that may be hidden makes the release safe, or nothing was found that does."""
    exposed = inferred(SecretsTally(question=question))
    if not question.hideable:
        raise NoSafeRelease(f"{exposed}, and nothing may be hidden.", helps=helps(question), proved=True)
    if not proved:
        raise NoSafeRelease(
            f"{exposed}, and no choice of entries was found that prevents it.", helps=helps(question)
        )
    # Marks are looked for that leave no way to protect every secret, which is not asked for when some may be exposed.
    columns = () if question.allowed else question.sensitive_columns
    blocking = [words for column in columns for words in _in_the_way(question, column)]
    marks = f" Marked to be published, and in the way: {listed(blocking)}." if blocking else ""
    raise NoSafeRelease(
        f"{exposed}, and hiding all that may be hidden does not prevent it.{marks}",
        helps=helps(question),
        proved=True,
    )


def helps(question: AttributesQuestion) -> tuple[Help, ...]:
    """Say from which limit on the release is safe as it is, and what else might be hidden."""
    limit = ratio(SecretsTally(question=question).safe_limit(question.allowed))
    advice = [
        Help(
            f"The release is safe as it is from tolerates.attribute={limit} on.",
            {"tolerates.attribute": str(limit)},
        )
    ]
    further = [f'"{region}"' for region in get_args(Region) if region not in question.hideable]
    if further:
        advice.append(
            Help(f"Or allow more to be hidden: needs.cells.hideable can also hold {listed(further)}.")
        )
    return tuple(advice)


def _in_the_way(question: AttributesQuestion, column: SensitiveColumn) -> list[str]:
    """Name the marked entries that together leave no safe release, as far as they are found."""
    from giveaway.attacks.attributes.hiding.marks_in_the_way import marks_in_the_way

    if not column.marked.any():
        return []
    marks = marks_in_the_way(column.table, column.marked, seconds=SECONDS)
    if marks is None:
        return []
    groups = np.flatnonzero(marks)
    cells = column.cells(Hidden(group=groups, mask=marks[groups], times=column.table.count[groups]))
    names = [f"{name} of {nouns().record} {question.original.record(row - 1)}" for row, name in cells]
    return names if len(names) <= NAMED else [*names[:NAMED], f"{len(names) - NAMED:,} more"]
