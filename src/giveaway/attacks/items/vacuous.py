"""When there is nothing that somebody who knows items could learn."""

import numpy as np

from giveaway.attacks.items.question import Question
from giveaway.errors import NothingToJudge
from giveaway.model.release import Release
from giveaway.model.transactions import Transactions


def refuse(question: Question, release: Release) -> None:
    """Refuse to judge what can be inferred of private items where none occurs."""
    original = release.original
    if question.tolerance.identity is not None or not isinstance(original, Transactions):
        return
    if not np.any((original.supports > 0) & original.is_private):
        raise NothingToJudge(
            "No private item occurs, so there is nothing to infer; whose a transaction is was not judged.",
            hint="limit identity too, or name items that occur as private.",
        )
