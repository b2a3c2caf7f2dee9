"""One row of the table of attacks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from types import UnionType
from typing import Any, Literal, Protocol

from giveaway.model.answer.risk import Chance, Exposure, Protection, Risk
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.effort import Effort
from giveaway.model.question.need import Need
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


class Measure(Protocol):
    """Measure what one attacker learns from a release."""

    def __call__(
        self, release: Release, attacker: Any, tolerance: Tolerance, need: Any, effort: Effort
    ) -> Risk:
        """Return the risk on the release as it stands; a need adds what it would keep."""
        ...


class Protect(Protocol):
    """Withhold more of a release until one attacker is within tolerance."""

    def __call__(
        self,
        release: Release,
        attacker: Any,
        tolerance: Tolerance,
        need: Any,
        effort: Effort,
        options: Any,
    ) -> Protection:
        """Return a release that withholds more, or raise `NoSafeRelease`."""
        ...


def nothing(*_: Any) -> Mapping[str, Any]:
    """Say nothing of any limit."""
    return {}


def about_something(*_: Any) -> None:
    """Find every question to be about something."""


def covered(*_: Any) -> tuple[str, ...]:
    """Leave nothing out."""
    return ()


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Everything the product needs to know of one attack; its numeric code is imported when it is used."""

    name: str
    attacker: type[Attacker]
    data: type | UnionType
    need: type[Need]
    options: type
    limits_used: frozenset[str]
    """The limits that the attack can be judged by, of which at least one must be given."""
    spared: Callable[[Any, bool], Mapping[str, str]] = nothing
    """The limits that an attacker is not judged by all the same, given whether some item is private, and why."""
    greatest: Callable[[Release], Mapping[str, Fraction]] = nothing
    """The greatest values that are compared with some limits: at these and above, a limit allows everything."""
    average_is_share: bool = False
    """Whether an average is a part of the targets, which cannot be above 1; else it is a loss."""
    vacuous: Callable[[Release, Any, Tolerance, Effort], None] = about_something
    """Raises `NothingToJudge` where a measure would be about nothing, so that safe would be an empty word."""
    measure: Measure
    protect: Protect
    after: Callable[[Exposure, Release], Chance | Literal["withheld"]]
    """The chance of an exposure once more is withheld."""
    renames: bool = False
    """Whether the attack is one on codes that stand for items, so that nothing else may be published."""
    story: str
    measures: str
    does_not_cover: tuple[str, ...]
    not_judged: Callable[[Release, Any], tuple[str, ...]] = covered
    """What an attacker on a release is not judged on, in a few words for the line under the verdict."""
    missing: str
    paper: str

    def judged(self, tolerance: Tolerance, attacker: Attacker, *, private: bool) -> frozenset[str]:
        """Return the limits of a tolerance that an attacker is judged by.

        `share` is one where it allows some targets above another, and says nothing of an average.
        """
        limits = (self.limits_used - self.spared(attacker, private).keys()) & tolerance.given
        return _with_share(limits, tolerance)

    def breakable(self, tolerance: Tolerance, release: Release) -> frozenset[str]:
        """Return those limits of a tolerance that something could be above."""
        greatest = self.greatest(release)
        limits = {
            name
            for name in tolerance.given & self.limits_used
            if name not in greatest or getattr(tolerance, name) < greatest[name]
        }
        return _with_share(frozenset(limits), tolerance)


def _with_share(limits: frozenset[str], tolerance: Tolerance) -> frozenset[str]:
    return limits | (tolerance.given & {"share"} if limits & {"identity", "attribute"} else frozenset())


def later(module: str, function: str) -> Any:
    """Return a function that is imported when it is first called."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(module), function)(*args, **kwargs)

    return call
