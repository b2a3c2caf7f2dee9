"""The attackers of a scenario, each with the tolerance that applies."""

from dataclasses import dataclass

from giveaway.model.question.attacker import Attacker
from giveaway.model.question.tolerance import Tolerance


@dataclass(frozen=True)
class AttackerAsked:
    """An attacker at a place among the entries of [[knows]], and the tolerance that applies."""

    place: int
    attacker: Attacker
    """As it is written, before files that it names are read."""
    tolerance: Tolerance
    own: bool
    """Whether the tolerance stands in the entry, or is the common one."""
