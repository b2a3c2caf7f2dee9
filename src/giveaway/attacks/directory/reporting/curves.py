"""Chart data of the attack `directory`: chances of records, fewer columns compared."""

import numpy as np

from giveaway.attacks.directory.breaking_point import CompareStrength
from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.reporting.sentences import amount, percent, records
from giveaway.attacks.wording import exact_percent
from giveaway.model.answer.bins import binned
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, Mark

_A_LINE = 2
"""The fewest points of a line."""


def chances(tally: GroupsTally) -> Curve:
    """Count records by the attacker's chance, in bins of 5 %; where nobody agrees there is no chance."""
    limit = tally.tolerance.identity
    ends, per_bin = binned(tally.by_chance(), limit)
    if limit is None:
        says = f"The largest chance is {percent(tally.largest)}; its mean is {amount(tally.identification)}."
    else:
        says = f"{tally.over:,} of {records(tally.records)} are over the limit of {exact_percent(limit)}."
    return Curve(
        name="chances",
        x_label=f"chance of telling whose {nouns().record} it is",
        y_label=nouns().records,
        x=ends,
        y=per_bin,
        says=says,
        limit=None if limit is None else float(limit),
    )


def strength(question: DirectoryQuestion, tally: GroupsTally, by_size: CompareStrength) -> tuple[Curve, ...]:
    """Show what is given away as more columns are compared, from none to all."""
    finite = np.isfinite(by_size.worst).all() and np.isfinite(by_size.if_listed).all()
    if not finite or len(by_size.worst) < _A_LINE:
        return ()
    holds, tolerance = by_size.holds, tally.tolerance
    words = (
        "breaks with one column"
        if holds.value is None
        else f"holds up to{' at least' if holds.at_least else ''} {holds.value}"
    )
    first = question.attributes[by_size.order[0]]
    limited = {nouns().records: tolerance.identity, "people": tolerance.attribute}
    whose = " or ".join(noun for noun, limit in limited.items() if limit is not None)
    limit = tolerance.share if whose else tolerance.average
    listed = (
        ""
        if by_size.holds.beside is None
        else f" The upper end of the band counts {nouns().records} that agree with nobody as if they were listed."
    )
    return (
        Curve(
            name="strength",
            x_label="columns compared",
            y_label=f"share of {whose} over the limit" if whose else "risk",
            x=tuple(map(float, range(len(by_size.worst)))),
            y=by_size.worst,
            says=f"Most is told by {first}; the release {words}.{listed}",
            limit=None if limit is None else float(limit),
            marks=() if holds.value is None else (Mark(x=float(holds.value), label=words),),
            band=None if by_size.worst == by_size.if_listed else (by_size.worst, by_size.if_listed),
        ),
    )
