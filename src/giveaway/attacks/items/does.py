"""What the attack `items` does, imported when it is first asked for."""

from giveaway.attacks.attack import Does
from giveaway.attacks.items.measure import after, measure
from giveaway.attacks.items.protect import protect
from giveaway.attacks.items.together import at_once, views

DOES = Does(
    measure=measure,
    protect=protect,
    after=after,
    views=views,
    at_once=at_once,
)
