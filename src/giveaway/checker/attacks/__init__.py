"""One judge for each attack, each by another derivation than the one that measured it, and the table of them."""

from giveaway.checker.attacks.attributes.judge import CHECK as ATTRIBUTES
from giveaway.checker.attacks.directory.together import CHECK as DIRECTORY
from giveaway.checker.attacks.frequencies.judge import CHECK as FREQUENCIES
from giveaway.checker.attacks.items import CHECK as ITEMS
from giveaway.checker.attacks.profiles.judge import CHECK as PROFILES
from giveaway.checker.check import Check

CHECKS: dict[str, Check] = {
    check.attack: check for check in (ITEMS, FREQUENCIES, DIRECTORY, PROFILES, ATTRIBUTES)
}
"""The judge's own table: a new attack is judged as soon as its check stands here."""
