"""What the attack `frequencies` does, imported when it is first asked for."""

from giveaway.attacks.attack import Does
from giveaway.attacks.frequencies.measure import after, measure
from giveaway.attacks.frequencies.protect import protect
from giveaway.attacks.frequencies.together import views
from giveaway.attacks.frequencies.vacuous import refuse

DOES = Does(
    measure=measure,
    protect=protect,
    after=after,
    vacuous=refuse,
    views=views,
)
