"""What the owner tolerates."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from giveaway.errors import ScenarioError
from giveaway.model.exact import Number, fraction
from giveaway.model.question.fields import described, documented, settable
from giveaway.model.question.limits import LIMITS, Limit
from giveaway.model.question.presets import FromPreset, crowd, near_miss, preset
from giveaway.model.wording import joined


@documented
@dataclass(frozen=True, kw_only=True, init=False, repr=False)
class Tolerance:
    """The chances an owner accepts, kept as exact fractions.

    >>> Tolerance(identity="1/5", attribute=0.5)
    Tolerance(identity=Fraction(1, 5), attribute=Fraction(1, 2), share=Fraction(0, 1), average=None)
    """

    identity: Fraction | None = described(LIMITS["identity"].meaning, default=None)
    attribute: Fraction | None = described(LIMITS["attribute"].meaning, default=None)
    share: Fraction = described("part of the targets that may be above the limit", default=Fraction(0))
    average: Fraction | None = described(LIMITS["average"].meaning, default=None)
    further: tuple[tuple[str, Fraction], ...] = field(default=(), metadata={"later": True})
    """Limits of the table that are no fields here, by their names, under which they can be read too."""
    origin: FromPreset | None = field(init=False, default=None, repr=False, compare=False)
    """The preset that the limits come from, if they do."""

    def __init__(
        self,
        *,
        identity: Number | None = None,
        attribute: Number | None = None,
        share: Number = 0,
        average: Number | None = None,
        **others: Any,
    ) -> None:
        others |= others.pop("further", ())  # as `dataclasses.replace` hands them over
        for name in others.keys() - LIMITS.keys():
            message = f"Tolerance.__init__() got an unexpected keyword argument '{name}'"
            raise TypeError(message)
        own = {"identity": identity, "attribute": attribute, "share": share, "average": average}
        limits = {
            name: None if value is None else fraction(value, name) for name, value in (own | others).items()
        }
        for name, limit in limits.items():
            _check(name, limit)
        if all(limits.get(name) is None for name in LIMITS):
            raise ScenarioError(
                "The tolerance names no limit.",
                hint=f'give {joined([*LIMITS], "or")}, for example identity = "1/5".',
                field=None,
            )
        for name in own:
            object.__setattr__(self, name, limits[name])
        further = ((name, limits[name]) for name in sorted(others) if limits[name] is not None)
        object.__setattr__(self, "further", tuple(further))
        object.__setattr__(self, "origin", None)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Fraction | None:
            if name not in LIMITS:
                message = f"'Tolerance' object has no attribute {name!r}"
                raise AttributeError(message)
            return dict(self.further).get(name)

    def __repr__(self) -> str:
        limits = {name: getattr(self, name) for name in settable(Tolerance)} | dict(self.further)
        return f"Tolerance({', '.join(f'{name}={limit!r}' for name, limit in limits.items())})"

    @staticmethod
    def limits() -> Mapping[str, Limit]:
        """Return all limits that there are, by their names, with what each is about."""
        return LIMITS

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
        return frozenset(self.stated)

    @property
    def stated(self) -> dict[str, Fraction]:
        """The limits that are given, with their values."""
        return {name: limit for name in (*LIMITS, "share") if (limit := getattr(self, name))}

    def only(self, limits: Collection[str]) -> "Tolerance":
        """Return the tolerance with some of its limits."""
        fewer = Tolerance(**{name: limit for name, limit in self.stated.items() if name in limits})
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
    if name != "share":
        LIMITS[name].check(limit)
    elif not 0 <= limit < 1:
        raise ScenarioError(
            f"share = {limit} must be at least 0 and below 1.", hint="0 allows no exception.", field="share"
        )
