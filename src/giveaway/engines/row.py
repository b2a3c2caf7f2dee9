"""The row, by which the core finds what talks to databases and clusters."""

from giveaway.engines.loading.loader import destination
from giveaway.engines.opening import opened
from giveaway.engines.tables import table_beside
from giveaway.sources.elsewhere import Engines

ENGINES = Engines(opened=opened, beside=table_beside, destination=destination)
