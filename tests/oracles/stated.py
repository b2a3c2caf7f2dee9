"""Risks that are stated, not measured."""

from fractions import Fraction
from typing import Any

from giveaway.model.answer.risk import Details, HoldsUpTo, How, Kind, Level, Risk


class Stated(Details):
    """Details that are all known from the start."""

    def __init__(self, **parts: Any) -> None:
        self.__dict__.update(parts)


def stated_risk(*, exposed: bool, kind: Kind, unit: str) -> Risk:
    """A risk in which one target is exposed, or none."""
    return Risk(
        share=Fraction(int(exposed)),
        details=Stated(
            levels=(Level(kind=kind, worst=Fraction(int(exposed)), limit=Fraction(1, 2)),),
            over=int(exposed),
            exposures=[],
            how=How(method="exact", detail=""),
            figures={},
            holds_up_to=HoldsUpTo(value=1, unit=unit),
        ),
    )
