"""What measuring an attacker yields: exposures, figures, curves, and how they were computed."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, overload

from giveaway.model.data.labels import Label
from giveaway.model.release.release import Release

Kind = Literal["identity", "attribute", "average", "loss"]
"""What a chance is about; a loss is no chance but what is lost on average, and may exceed 1."""
Chance = Fraction | float


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """One target with the attacker's chance and one sentence of evidence."""

    target: tuple[Label, ...] | Label | Mapping[str, Label]
    kind: Kind
    chance: Chance
    because: str
    baseline: Chance | None = None
    sensitivity: float | None = None
    value: Label | None = None
    """The private value that is learnt, for an attribute exposure."""


class Listed(Sequence[Exposure]):
    """Exposures in their order, each made when it is looked at."""

    @abstractmethod
    def at(self, place: int) -> Exposure:
        """Make the exposure at a place, counted from 0 and within the list."""

    @overload
    def __getitem__(self, place: int) -> Exposure: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Exposure]: ...
    def __getitem__(self, place: int | slice) -> Exposure | Sequence[Exposure]:
        if isinstance(place, slice):
            return [self.at(i) for i in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self.at(place % len(self))


@dataclass(frozen=True, kw_only=True)
class Level:
    """The worst chance of one kind beside the owner's limit and the chance without the release."""

    kind: Kind
    worst: Chance
    limit: Fraction | None
    """None where the owner names no limit for this kind."""
    baseline: Chance | None = None


@dataclass(frozen=True, kw_only=True)
class How:
    """How a number was obtained; a margin is added to an estimate before it is judged."""

    method: Literal["exact", "estimate", "simulated"]
    detail: str
    margin: float | None = None


@dataclass(frozen=True, kw_only=True)
class HoldsUpTo:
    """The greatest strength of the attacker within tolerance; `value` is None if even the weakest breaks it."""

    value: int | float | None
    unit: str
    at_least: bool = False
    whole_scale: bool = False
    """Whether nobody can be stronger in this unit: all columns are known, or everything is believed rightly."""
    beside: str | None = None
    """What holds under another reading of the same strength, in one sentence."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A labelled place on the x axis of a curve."""

    x: float
    label: str


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Points to draw, with the owner's limit and a sentence that says what they show.

    The limit of `chances` lies on the x axis, of every other curve on the y axis.
    """

    name: str
    x_label: str
    y_label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    says: str
    limit: float | None = None
    marks: tuple[Mark, ...] = ()
    band: tuple[tuple[float, ...], tuple[float, ...]] | None = None
    beside: str | None = None
    """The name of the curve in whose picture this one is drawn too."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One bar of the worked example: each thing known narrows the crowd."""

    label: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Risk:
    """One attacker measured on one release.

    `exposures` lists the worst of each kind first, breaches only or all as the attack says; `over` counts those above
    their limit. `share` is the part of the targets over the limit that the tolerance's `share` is compared with.
    `doubt` is set when the numbers are within tolerance and a verdict would still mislead.
    """

    levels: tuple[Level, ...]
    share: Chance | None
    over: int
    exposures: Sequence[Exposure]
    how: How
    figures: Mapping[str, Any]
    holds_up_to: HoldsUpTo
    average: Chance | None = None
    undecided: bool = False
    """Whether the average was computed in floats and is too close to its limit to be told apart from it."""
    curves: tuple[Curve, ...] = ()
    worked: tuple[Step, ...] = ()
    kept: Mapping[str, int] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()
    doubt: str | None = None
    against: str | None = None
    """Whom the verdict is about, where it is not the strongest of its kind: it begins the line of the verdict."""
    warning: str | None = None
    """A stronger attacker who is known to be over the limit, in one sentence with the number."""

    @property
    def worst(self) -> Level | None:
        """The level with the largest chance."""
        chances = (level for level in self.levels if level.kind != "loss")
        return max(chances, key=lambda level: level.worst, default=None)


@dataclass(frozen=True, kw_only=True)
class LedgerLine:
    """What withholding one thing cost and what it removed."""

    withheld: Label
    why: str
    removed: int
    lost: int
    unit: str = ""
    """What is counted in `lost`, in the plural."""


@dataclass(frozen=True, kw_only=True)
class Protection:
    """A release that a protector proposes, with what only the protector can tell of it."""

    release: Release
    figures: Mapping[str, Any] = field(default_factory=dict)
    curves: tuple[Curve, ...] = ()
    ledger: tuple[LedgerLine, ...] = ()
    detail: str = ""
