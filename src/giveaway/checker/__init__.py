"""The independent judge of released files.

It reads them back from disk with its own plain readers, compares them with the original minus what is withheld, and
works out again what was promised. It shares no code with the readers, the engines and the protectors.
"""

from giveaway.checker.attacks import CHECKS as CHECKS
from giveaway.checker.check import Check as Check
from giveaway.checker.check import ReadBack as ReadBack
from giveaway.checker.files.reading import READERS as READERS
from giveaway.checker.files.reading import Reader as Reader
from giveaway.checker.judge import judge as judge
from giveaway.checker.promise import Promise as Promise
