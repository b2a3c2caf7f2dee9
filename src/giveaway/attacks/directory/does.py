"""What the attack `directory` does, imported when it is first asked for."""

from giveaway.attacks.attack import Does
from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.measure import after, measure
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protect import protect
from giveaway.attacks.directory.together.at_once import at_once
from giveaway.attacks.directory.together.views import views
from giveaway.attacks.directory.vacuous import refuse
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def _always_protects(
    _: Release, attacker: KnowsDirectory, tolerance: Tolerance, need: NeedsColumns | None
) -> bool:
    """Say that exactly so many values is a choice, and what must not depend on who has a record, nor on sensitive values."""
    depends = bool(attacker.directories) or tolerance.attribute is not None
    return (attacker.knows_method and depends) or (need is not None and not need.fill)


DOES = Does(
    measure=measure,
    protect=protect,
    after=after,
    vacuous=refuse,
    always_protects=_always_protects,
    views=views,
    at_once=at_once,
)
