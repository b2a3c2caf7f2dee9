"""What the attack `attributes` does, imported when it is first asked for."""

from giveaway.attacks.attack import Does
from giveaway.attacks.attributes.measure import after, measure
from giveaway.attacks.attributes.protect import protect
from giveaway.attacks.attributes.together import at_once, views
from giveaway.attacks.attributes.vacuous import refuse

DOES = Does(
    measure=measure,
    protect=protect,
    after=after,
    vacuous=refuse,
    views=views,
    at_once=at_once,
)
