"""When no safe release serves the need: the reason, whether that is proved, and what would help."""

from math import isfinite
from typing import NoReturn

import numpy as np

from giveaway.attacks.directory.choosing import Curves, risk_of
from giveaway.attacks.directory.lots import Lots
from giveaway.attacks.directory.means import NEAR
from giveaway.attacks.directory.tally import Tally
from giveaway.attacks.directory.wording import amount, records
from giveaway.errors import NoSafeRelease
from giveaway.model.need import NeedsColumns
from giveaway.model.rows import Ints
from giveaway.model.tolerance import Tolerance


def refuse_identity(found: Curves, lots: Lots, tolerance: Tolerance, need: NeedsColumns | None) -> NoReturn:
    """Raise because too many records cannot hide in a crowd, whatever they disclose of what they must."""
    crowd = tolerance.smallest_crowd
    stuck = np.isnan(found.losses[: len(lots.values)]).all(axis=1)
    what = (
        "what must be published" if need is None or need.per_record is None else f"{need.per_record} values"
    )
    raise NoSafeRelease(
        f"{records(found.stuck).capitalize()} cannot disclose {what} and agree with {crowd:,} people or more.",
        helps=_smaller_crowd(lots, stuck) + _fewer_values(found, lots, tolerance, need),
        proved=bool(found.proved[: len(lots.values)][stuck].all()) and found.certain,
    )


def refuse_average(
    found: Curves, lots: Lots, floor: Ints, tolerance: Tolerance, need: NeedsColumns | None
) -> NoReturn:
    """Raise because even the least risk that serves the need is above the limit."""
    certain = bool(found.proved.all()) and found.certain and len(lots.question.lookup.matchings) == 1
    least = risk_of(found, floor, lots)
    _refuse(least, tolerance, proved=certain, helps=_fewer_values(found, lots, tolerance, need))


def refuse_risk(tally: Tally, *, proved: bool) -> NoReturn:
    """Raise because a rule that serves the need is over a limit."""
    allowed = tally.tolerance.share * tally.records
    if tally.over_if_listed > allowed:
        raise NoSafeRelease(
            f"With what is needed, {tally.over_if_listed:,} of {records(tally.records)} agree with fewer than "
            f"{tally.tolerance.smallest_crowd:,} people, and no other choice was found.",
            helps=(f"It is possible from tolerates.share={tally.over_if_listed}/{tally.records} on.",),
        )
    _refuse(float(tally.risk_if_listed), tally.tolerance, proved=proved)


def _refuse(least: float, tolerance: Tolerance, *, proved: bool, helps: tuple[str, ...] = ()) -> NoReturn:
    limit = float(tolerance.average or 0)
    proved &= least > limit * (1 + NEAR)
    how = "The least risk" if proved else "The least risk found"
    larger = (f"It is reached from tolerates.average={_rounded_up(least)} on.",) if isfinite(least) else ()
    size = amount(least) if isfinite(least) else "infinite"
    raise NoSafeRelease(
        f"{how} of what is needed is {size}, above the {amount(limit)} that you tolerate.",
        helps=(*larger, *helps),
        proved=proved,
    )


def refuse_total(values: int, found: int, *, proved: bool) -> NoReturn:
    """Raise because fewer values can be disclosed within tolerance than are needed."""
    raise NoSafeRelease(
        f"Within tolerance {found:,} values can be disclosed, and {values:,} are needed.",
        helps=(f"Ask for needs.columns.total={found}.",),
        proved=proved,
    )


def _rounded_up(value: float) -> str:
    """Write a number with four digits, not below itself."""
    for digits in (4, 6, 9, 17):
        text = f"{value * (1 + 10.0**-digits):.{digits}g}"
        if float(text) >= value:
            return text
    return repr(value)


def _smaller_crowd(lots: Lots, stuck: np.ndarray) -> tuple[str, ...]:
    """Say which part of the records would have to be tolerated over the limit."""
    over, total = int(lots.count[stuck].sum()), len(lots.lot_of)
    return (f"It is possible from tolerates.share={over}/{total} on.",) if over < total else ()


def _fewer_values(
    found: Curves, lots: Lots, tolerance: Tolerance, need: NeedsColumns | None
) -> tuple[str, ...]:
    """Say how few values of each record would do, for the limit of identity."""
    if need is None or not need.per_record:
        return ()
    best = lots.best(0 if tolerance.identity is None else tolerance.smallest_crowd)
    rows = np.maximum(np.bitwise_count(lots.always), 0)
    for fewer in range(need.per_record - 1, -1, -1):
        places = np.maximum(np.minimum(fewer, np.bitwise_count(lots.available)), rows).astype(np.int64)
        losses = best.losses[np.arange(len(places)), places]
        risk = float(np.nansum(losses * lots.count)) / max(len(lots.lot_of), 1)
        fits = not np.isnan(losses).any() or found.allowed >= int(lots.count[np.isnan(losses)].sum())
        if fits and (tolerance.average is None or risk <= float(tolerance.average)):
            return (f"Or ask for fewer values: needs.columns.per_record={fewer}.",) if fewer else ()
    return ()
