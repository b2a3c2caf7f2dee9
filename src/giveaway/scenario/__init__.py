"""Scenario files and command-line words become values here, and nowhere else."""

from giveaway.scenario.explaining import explained
from giveaway.scenario.files import inputs
from giveaway.scenario.reading import Scenario, read_scenario, understand
from giveaway.scenario.words import example, from_words, overridden, with_earlier, with_preset, with_words

__all__ = [
    "Scenario",
    "example",
    "explained",
    "from_words",
    "inputs",
    "overridden",
    "read_scenario",
    "understand",
    "with_earlier",
    "with_preset",
    "with_words",
]
