"""The attacks: siblings of one shape that never import each other, and the table of them."""

from giveaway.attacks.attack import Attack
from giveaway.attacks.items import ITEMS

ATTACKS: dict[str, Attack] = {attack.name: attack for attack in (ITEMS,)}

__all__ = ["ATTACKS", "Attack"]
