"""Rows that cannot be joined, of people who are known to be in both releases."""

from collections.abc import Sequence

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.together import View
from giveaway.errors import NothingToJudge
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release


def people_view(
    release: Release,  # noqa: ARG001
    attacker: KnowsDirectory,  # noqa: ARG001
    tolerance: Tolerance,  # noqa: ARG001
    earlier: Sequence[Earlier],  # noqa: ARG001
) -> View:
    """Refuse to judge releases whose rows cannot be joined."""
    raise NothingToJudge(
        "What releases tell whose rows cannot be joined is not worked out.", hint='say linked = "rows".'
    )
