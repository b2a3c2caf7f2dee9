"""An attribute limit for levels, against somebody who does not know the method: what is inside a block may decide."""

from fractions import Fraction

import numpy as np

from giveaway.attacks.directory.inference.sensitive import sensitive_columns
from giveaway.attacks.directory.levels.counting import ShareLimit
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.readings.shares import MISSING


def share_limits(question: DirectoryQuestion, limit: Fraction | None) -> list[ShareLimit]:
    """Return the limit on what the rows of a block tell of each sensitive column; none where the choice must not see it.

    Close guesses are left to the judge.
    """
    if limit is None or question.attacker.knows_method:
        return []
    return [
        ShareLimit(
            sensitive=np.maximum(column.shown, MISSING)[question.lines.rows()],
            targets=column.targets,
            limit=limit,
        )
        for column in sensitive_columns(question)
        if column.close is None
    ]
