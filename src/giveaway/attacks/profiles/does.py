"""What the attack `profiles` does, imported when it is first asked for."""

from giveaway.attacks.attack import Does
from giveaway.attacks.profiles.measure import after, measure
from giveaway.attacks.profiles.protect import protect
from giveaway.attacks.profiles.together import views
from giveaway.attacks.profiles.vacuous import refuse

DOES = Does(
    measure=measure,
    protect=protect,
    after=after,
    vacuous=refuse,
    views=views,
)
