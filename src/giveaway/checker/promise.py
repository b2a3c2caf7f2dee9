"""What the judge is told and what it says when it disagrees."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from giveaway.errors import CheckFailed, NotConfirmed
from giveaway.model.question.tolerance import Tolerance


@dataclass(frozen=True, kw_only=True)
class Promise:
    """What was promised against one attacker, whose fields are given by name."""

    attack: str
    attacker: Mapping[str, Any]
    tolerance: Tolerance
    with_earlier: Mapping[str, Any] | None = None
    """The same attacker with what only earlier releases show, where there are some."""


def disagree(fact: str) -> CheckFailed:
    """Make the error of a judge who does not agree."""
    return CheckFailed(fact, hint="do not release it.")


def unconfirmed(fact: str) -> NotConfirmed:
    """Make the error of a judge who cannot tell."""
    return NotConfirmed(
        fact,
        hint="nothing is known to be wrong; leave more room to the limit, or ask about fewer sets or pairs.",
    )
