"""Scenario files and command-line words become values here, and nowhere else."""

from giveaway.scenario.explaining import explained
from giveaway.scenario.inputs import inputs
from giveaway.scenario.proposal.propose import ladder_files, propose, propose_supports, remarks
from giveaway.scenario.reading import Scenario, read_scenario, understand
from giveaway.scenario.words import example, from_words, overridden

__all__ = [
    "Scenario",
    "example",
    "explained",
    "from_words",
    "inputs",
    "ladder_files",
    "overridden",
    "propose",
    "propose_supports",
    "read_scenario",
    "remarks",
    "understand",
]
