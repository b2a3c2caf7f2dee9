"""Scenario files and command-line words become values here, and nowhere else."""

from giveaway.scenario.explaining import explained as explained
from giveaway.scenario.files import inputs as inputs
from giveaway.scenario.reading import Scenario as Scenario
from giveaway.scenario.reading import read_scenario as read_scenario
from giveaway.scenario.reading import understand as understand
from giveaway.scenario.words import example as example
from giveaway.scenario.words import from_words as from_words
from giveaway.scenario.words import overridden as overridden
from giveaway.scenario.words import with_earlier as with_earlier
from giveaway.scenario.words import with_preset as with_preset
from giveaway.scenario.words import with_words as with_words
