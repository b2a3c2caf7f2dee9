"""When no safe release serves the need: the reason, whether that is proved, and what would help."""

from fractions import Fraction
from math import isfinite
from typing import NoReturn

import numpy as np

from giveaway.attacks.directory.losses import NEAR, GroupsTally
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protecting.alike_records import Lots
from giveaway.attacks.directory.protecting.choose import Curves, risk_of
from giveaway.attacks.directory.reporting.sentences import amount, percent, records
from giveaway.attacks.wording import listed
from giveaway.errors import Help, NoSafeRelease
from giveaway.model.data.arrays import Ints
from giveaway.model.question.tolerance import Tolerance


def refuse_identity(curves: Curves, lots: Lots, tolerance: Tolerance, need: NeedsColumns | None) -> NoReturn:
    """Raise because too many records cannot hide in a crowd, whatever they disclose of what they must."""
    stuck = np.isnan(curves.losses[: len(lots.values)]).all(axis=1)
    what = (
        "what must be published" if need is None or need.per_record is None else f"{need.per_record} values"
    )
    raise NoSafeRelease(
        f"{records(curves.stuck).capitalize()} cannot disclose {what} and {_hidden(lots, tolerance)}.",
        helps=_share(curves.stuck, len(lots.lot_of), tolerance)
        + _fewer_values(curves, lots, tolerance, need),
        # This many are over the limit whoever else is tolerated there.
        proved=bool(curves.proved[: len(lots.values)][stuck].all()),
    )


def refuse_average(
    curves: Curves, lots: Lots, floor: Ints, tolerance: Tolerance, need: NeedsColumns | None
) -> NoReturn:
    """Raise because even the least risk that serves the need is above the limit."""
    certain = bool(curves.proved.all()) and curves.certain and curves.adds_up
    least = risk_of(curves, floor, lots)
    _refuse(least, tolerance, proved=certain, helps=_fewer_values(curves, lots, tolerance, need))


def refuse_risk(tally: GroupsTally, *, proved: bool) -> NoReturn:
    """Raise because a rule that serves the need is over a limit."""
    allowed = tally.tolerance.share * tally.records
    if tally.over_if_listed > allowed:
        raise NoSafeRelease(
            f"With what is needed, {tally.over_if_listed:,} of {records(tally.records)} are over the limit of identity, and "
            "no other choice was found.",
            helps=_share(tally.over_if_listed, tally.records, tally.tolerance),
        )
    _refuse(float(tally.risk_if_listed), tally.tolerance, proved=proved)


def _refuse(least: float, tolerance: Tolerance, *, proved: bool, helps: tuple[str, ...] = ()) -> NoReturn:
    limit = float(tolerance.average or 0)
    proved &= least > limit * (1 + NEAR)
    how = "The least risk" if proved else "The least risk found"
    enough = _rounded_up(least) if isfinite(least) else ""
    reached = Help(f"It is reached from tolerates.average={enough} on.", {"tolerates.average": enough})
    larger = (reached,) if enough else ()
    size = amount(least) if isfinite(least) else "infinite"
    if abs(least - limit) <= NEAR * limit:
        raise NoSafeRelease(
            f"The least risk found of what is needed is {size}, too close to the {amount(limit)} that you tolerate to be "
            "distinguished from it.",
            helps=(
                f"Tolerate a little more: tolerates.average={_rounded_up(limit * (1 + 10 * NEAR))}.",
                *helps,
            ),
        )
    raise NoSafeRelease(
        f"{how} of what is needed is {size}, above the {amount(limit)} that you tolerate.",
        helps=(*larger, *helps),
        proved=proved,
    )


def fewer_values(values: int) -> Help:
    """Say how many values every record can show; none where somebody must stay blank."""
    if not values:
        return Help("Ask for fewer values with needs.columns.per_record.")
    change = {"needs.columns.per_record": values}
    return Help(f"Ask for fewer values: needs.columns.per_record={values}.", change)


def refuse_crowd(crowd: int, people: int, *, needed: bool) -> NoReturn:
    """Raise because there are fewer records or people than a crowd needs.

    Where something must be published, the largest crowd may not do either.
    """
    limit = f"1/{max(people, 1)}"
    raise NoSafeRelease(
        f"There are {people:,} people to hide among, and a crowd needs {crowd:,}.",
        helps=(
            Help("No crowd is larger than that: tolerate more for identity.")
            if needed
            else Help(f"Set at least tolerates.identity={limit}.", {"tolerates.identity": limit}),
        ),
        proved=True,
    )


def refuse_records(tally: GroupsTally, crowd: int, *, needed: bool, earlier: bool) -> NoReturn:
    """Raise because records stay out of any crowd: by what must be published, or by what is withheld already.

    What tolerating more would come to is not known before it is tried.
    """
    over = max(tally.over_if_listed, tally.over)
    why = [
        text
        for text, holds in (("what must be published", needed), ("what is withheld already", earlier))
        if holds
    ]
    advice = [
        text
        for text, holds in (
            ("Mark fewer entries with must_publish, or ask for fewer values with needs.columns.", needed),
            ("State one attacker who knows the columns of all of them.", earlier),
            ("Tolerate more, or leave a column out of the release.", True),
        )
        if holds
    ]
    with_ = f", with {listed(why)}" if why else ""
    raise NoSafeRelease(
        f"{records(over).capitalize()} cannot be shown as {crowd:,} others are{with_}.", helps=advice
    )


def _rounded_up(value: float) -> str:
    """Write a number with four digits, not below itself."""
    for digits in (4, 6, 9, 17):
        text = f"{value * (1 + 10.0**-digits):.{digits}g}"
        if float(text) >= value:
            return text
    return repr(value)


def _hidden(lots: Lots, tolerance: Tolerance) -> str:
    """Say what a record must do to be within the limit of identity."""
    if lots.question.attacker.prior or lots.question.own is not None:
        return f"keep the chance within {percent(tolerance.identity or Fraction(1))}"
    return f"agree with {tolerance.smallest_crowd:,} people or more"


def _share(over: int, total: int, tolerance: Tolerance) -> tuple[str, ...]:
    if over == total or tolerance.average is not None:
        return ()
    share = f"{over}/{total}"
    return (Help(f"It is possible from tolerates.share={share} on.", {"tolerates.share": share}),)


def _fewer_values(
    curves: Curves, lots: Lots, tolerance: Tolerance, need: NeedsColumns | None
) -> tuple[str, ...]:
    """Say how few values of each record would do, for the limit of identity."""
    if need is None or not need.per_record:
        return ()
    best = lots.best(tolerance.identity)
    rows = np.maximum(np.bitwise_count(lots.always), 0)
    for fewer in range(need.per_record - 1, -1, -1):
        places = np.maximum(np.minimum(fewer, np.bitwise_count(lots.available)), rows).astype(np.int64)
        losses = best.losses[np.arange(len(places)), places]
        risk = float(np.nansum(losses * lots.count)) / max(len(lots.lot_of), 1)
        fits = not np.isnan(losses).any() or curves.allowed >= int(lots.count[np.isnan(losses)].sum())
        if fits and (tolerance.average is None or risk <= float(tolerance.average)):
            change = {"needs.columns.per_record": fewer}
            return (
                (Help(f"Or ask for fewer values: needs.columns.per_record={fewer}.", change),)
                if fewer
                else ()
            )
    return ()
