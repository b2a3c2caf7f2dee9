"""What the attack `sizes` does, imported when it is first asked for."""

from tests.architecture.toy_attack.measure import after, measure, refuse
from tests.architecture.toy_attack.protect import protect

from giveaway.attacks.attack import Does

DOES = Does(
    measure=measure,
    protect=protect,
    after=after,
    vacuous=refuse,
)
