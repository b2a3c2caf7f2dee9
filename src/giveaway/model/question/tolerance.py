"""What the owner tolerates."""

from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction

from giveaway.errors import ScenarioError
from giveaway.model.exact import Number, fraction
from giveaway.model.question.fields import described, documented, settable
from giveaway.model.question.presets import FromPreset, crowd, near_miss, preset


@documented
@dataclass(frozen=True, kw_only=True, init=False)
class Tolerance:
    """The chances an owner accepts, kept as exact fractions.

    >>> Tolerance(identity="1/5", attribute=0.5)
    Tolerance(identity=Fraction(1, 5), attribute=Fraction(1, 2), share=Fraction(0, 1), average=None)
    """

    identity: Fraction | None = described("largest chance of telling whose record it is", default=None)
    attribute: Fraction | None = described("largest chance of inferring a private value", default=None)
    share: Fraction = described("part of the targets that may be above the limit", default=Fraction(0))
    average: Fraction | None = described("largest average over all targets", default=None)
    origin: FromPreset | None = field(init=False, default=None, repr=False, compare=False)
    """The preset that the limits come from, if they do."""

    def __init__(
        self,
        *,
        identity: Number | None = None,
        attribute: Number | None = None,
        share: Number = 0,
        average: Number | None = None,
    ) -> None:
        stated = {"identity": identity, "attribute": attribute, "share": share, "average": average}
        limits = {name: None if value is None else fraction(value, name) for name, value in stated.items()}
        for name, limit in limits.items():
            _check(name, limit)
        if identity is None and attribute is None and average is None:
            raise ScenarioError(
                "The tolerance names no limit.",
                hint='give identity, attribute or average, for example identity = "1/5".',
                field=None,
            )
        for name, limit in limits.items():
            object.__setattr__(self, name, limit)
        object.__setattr__(self, "origin", None)

    @classmethod
    def preset(cls, name: str, **limits: Number) -> "Tolerance":
        """Take the limits of a preset, some of which may be given otherwise; `giveaway explain presets` tells them.

        >>> Tolerance.preset("cell-11").identity
        Fraction(1, 11)
        """
        source = preset(name)
        tolerance = cls(**{**source.limits, **limits})
        changed = tuple(name for name, limit in source.limits.items() if getattr(tolerance, name) != limit)
        object.__setattr__(tolerance, "origin", FromPreset(preset=source, overridden=changed))
        return tolerance

    @property
    def given(self) -> frozenset[str]:
        """The limits that are given; a share of 0 is none."""
        return frozenset(name for name in settable(Tolerance) if getattr(self, name))

    def only(self, limits: Collection[str]) -> "Tolerance":
        """Return the tolerance with some of its limits."""
        fewer = Tolerance(**{name: getattr(self, name) for name in self.given.intersection(limits)})
        object.__setattr__(fewer, "origin", self.origin)
        return fewer

    @property
    def smallest_crowd(self) -> int:
        """The least support k with 1/k within `identity`; 1 when any crowd will do."""
        return 1 if self.identity is None else crowd(self.identity)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What an owner may not have meant by these limits.

        >>> Tolerance(identity=0.09).remarks
        ('identity = 9/100 asks for a crowd of 12, because 1/11 is over it: did you mean 1/11?',)
        """
        size = None if self.identity is None else near_miss(self.identity)
        if size is None:
            return ()
        return (
            f"identity = {self.identity} asks for a crowd of {size + 1}, because 1/{size} is over it: did you mean 1/{size}?",
        )


def _check(name: str, limit: Fraction | None) -> None:
    if limit is None:
        return
    if name in ("identity", "attribute") and not 0 < limit <= 1:
        raise ScenarioError(
            f"{name} = {limit} is not a chance one can tolerate: it must be above 0 and at most 1.",
            hint='"1/5" hides everybody among at least five.' if name == "identity" else None,
            field=name,
        )
    if name == "share" and not 0 <= limit < 1:
        raise ScenarioError(
            f"share = {limit} must be at least 0 and below 1.", hint="0 allows no exception.", field="share"
        )
    if name == "average" and limit <= 0:
        raise ScenarioError(f"average = {limit} must be above 0.", field="average")
