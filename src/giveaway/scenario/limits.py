"""The limits of a scenario: common ones and those of one attacker, each judged by somebody."""

from collections.abc import Sequence
from dataclasses import replace

from giveaway.attacks import ATTACKS
from giveaway.attacks.question import check_average, unjudged
from giveaway.attacks.question import check_limits as check_one
from giveaway.errors import Mistake
from giveaway.model.attacker import Attacker
from giveaway.model.tolerance import Tolerance
from giveaway.scenario.building import Builder
from giveaway.scenario.fields import OF_TABLES, ReleaseFields


def check_limits(
    builder: Builder,
    fields: ReleaseFields,
    attackers: Sequence[Attacker],
    tolerances: Sequence[Tolerance],
    common: Tolerance | None,
) -> None:
    """Collect limits that cannot be judged, and those that no attacker is judged by."""
    # A table has no items, which is told when it is read.
    private = bool(fields.private or fields.private_from or fields.given(OF_TABLES))
    shared = [attacker for attacker, given in zip(attackers, tolerances, strict=True) if given is common]
    for place, (attacker, given) in enumerate(zip(attackers, tolerances, strict=True)):
        where = "tolerates" if given is common else f"knows.{place}.tolerates"
        with builder.collecting(where):
            check_one(attacker, given, private=private)
        with builder.collecting(f"{where}.average"):
            check_average(attacker, given)
    if builder.mistakes:
        return
    for place, (attacker, given) in enumerate(zip(attackers, tolerances, strict=True)):
        if given is not common:
            for name, mistake in unjudged([attacker], given, private=private).items():
                builder.wrong(f"knows.{place}.tolerates.{name}", mistake)
    if common is None:
        return
    for name, mistake in unjudged(shared, common, private=private).items():
        owners = [
            place
            for place, (attacker, given) in enumerate(zip(attackers, tolerances, strict=True))
            if given is not common
            and ATTACKS[attacker.attack].judged(common, attacker, private=private) & {name}
        ]
        wrong = _overridden(mistake, name, common, owners[0]) if owners else mistake
        builder.wrong(f"tolerates.{name}", wrong)


def _overridden(mistake: Mistake, name: str, common: Tolerance, place: int) -> Mistake:
    """Say that an attacker has limits of its own, which win, and how those are changed."""
    field = f"knows.{place}.tolerates.{name}"
    return replace(
        mistake,
        fact=f"{name} = {getattr(common, name)} has no effect: attacker {place + 1} has its own limits, which win.",
        hint=f"change those, as in --set {field}={getattr(common, name)}, or leave this one out.",
    )
