"""The limits of a scenario: common ones and those of one attacker, each judged by somebody."""

from collections.abc import Sequence
from dataclasses import dataclass, make_dataclass, replace
from fractions import Fraction
from typing import Any

from giveaway.attacks import ATTACKS
from giveaway.attacks.asked import check_average, on_table, unjudged
from giveaway.attacks.asked import check_limits as check_one
from giveaway.errors import Mistake
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import described, settable
from giveaway.model.question.limits import LIMITS, of_targets, over_all
from giveaway.model.question.tolerance import Tolerance
from giveaway.scenario.building import Builder
from giveaway.scenario.fields import OF_TABLES, ReleaseFields


@dataclass(frozen=True)
class AttackerAsked:
    """An attacker at a place among the entries of [[knows]], and the tolerance that applies."""

    place: int
    attacker: Attacker
    """As it is written, before files that it names are read."""
    tolerance: Tolerance
    own: bool
    """Whether the tolerance stands in the entry, or is the common one."""


def check_limits(
    builder: Builder, fields: ReleaseFields, asked: Sequence[AttackerAsked], common: Tolerance | None
) -> None:
    """Collect limits that cannot be judged, and those that no attacker is judged by.

    Of the common limits the latter is told only where all attackers are known: else `common` is None.
    """
    on_tables = any(on_table(one.attacker) for one in asked)
    # A table has no items, which is told when it is read.
    private = bool(
        fields.sensitive if on_tables else fields.private or fields.private_from or fields.stated(OF_TABLES)
    )
    before = len(builder.mistakes)
    for one in asked:
        where = f"knows.{one.place}.tolerates" if one.own else "tolerates"
        with builder.collecting(where):
            check_one(one.attacker, one.tolerance, private=private)
        with builder.collecting(f"{where}.average"):
            check_average(one.attacker, one.tolerance)
    if len(builder.mistakes) > before:
        return
    for one in asked:
        if one.own:
            for name, mistake in unjudged([one.attacker], one.tolerance, private=private).items():
                builder.wrong(f"knows.{one.place}.tolerates.{name}", mistake)
    if common is None:
        return
    shared = [one.attacker for one in asked if not one.own]
    for name, mistake in unjudged(shared, common, private=private).items():
        owners = [
            one.place
            for one in asked
            if one.own
            and name in ATTACKS[one.attacker.attack].limits.judged(common, one.attacker, private=private)
        ]
        wrong = _overridden(mistake, name, common, owners[0]) if owners else mistake
        builder.wrong(f"tolerates.{name}", wrong)


def tolerance_fields() -> type[Any]:
    """Return the dataclass that [tolerates] is read into: a field for each limit, and `share` after those that it is of."""
    share = settable(Tolerance)["share"]
    before, after = (
        [(name, Fraction | None, described(LIMITS[name].meaning, default=None)) for name in names]
        for names in (of_targets(), over_all())
    )
    fields: list[tuple[str, Any, Any]] = [
        *before,
        ("share", Fraction, described(share.metadata["doc"], default=share.default)),
        *after,
    ]
    return make_dataclass("ToleranceFields", fields, kw_only=True, namespace={"__post_init__": tolerance_of})


def tolerance_of(fields: Any) -> Tolerance:
    """Return the limits that the fields of [tolerates] say, and refuse what makes none."""
    return Tolerance(**vars(fields))


def _overridden(mistake: Mistake, name: str, common: Tolerance, place: int) -> Mistake:
    """Say that an attacker has limits of its own, which win, and how those are changed."""
    field = f"knows.{place}.tolerates.{name}"
    return replace(
        mistake,
        fact=f"{name} = {getattr(common, name)} has no effect: attacker {place + 1} has its own limits, which win.",
        hint=f"change those, as in --set {field}={getattr(common, name)}, or leave this one out.",
    )
