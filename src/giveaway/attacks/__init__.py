"""The attacks: siblings of one shape that never import each other, and the table of them."""

from giveaway.attacks.attack import Attack
from giveaway.attacks.attributes import ATTRIBUTES
from giveaway.attacks.directory import DIRECTORY
from giveaway.attacks.frequencies import FREQUENCIES
from giveaway.attacks.items import ITEMS
from giveaway.attacks.profiles import PROFILES

ATTACKS: dict[str, Attack] = {
    attack.name: attack for attack in (ITEMS, FREQUENCIES, DIRECTORY, PROFILES, ATTRIBUTES)
}

__all__ = ["ATTACKS", "Attack"]
