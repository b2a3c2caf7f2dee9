"""A release looked at together with earlier ones: again a release, which the attack measures and protects as any other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from giveaway.attacks.wording import listed
from giveaway.errors import NothingToJudge
from giveaway.model.answer.risk import Risk
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

Seen = Literal["rows", "people", "joined", "left"]
"""Joined row by row; by people who are in both; or only those who joined, or left, by difference."""


def with_files_of(names: Sequence[str]) -> str:
    """Begin a sentence on what is seen with earlier files.

    >>> with_files_of(["2024", "2025"])
    'With the files of 2024 and 2025'
    """
    return f"With the file{'s' if len(names) > 1 else ''} of {listed(list(names))}"


def at_some_time(what: object) -> str:
    """Name a fact of a person that belongs to no period: it is so now, or was in an earlier release.

    >>> at_some_time("milk")
    'milk at some time'
    """
    return f"{what} at some time"


@dataclass(frozen=True, kw_only=True, eq=False)
class View:
    """One way in which somebody with earlier files looks at a release.

    The targets of its exposures are named as in the release now, so that the two can be compared.
    """

    releases: tuple[str, ...]
    """The names of the earlier releases that are looked at with the one now."""
    linked: Seen
    release: Release
    """What is seen together, as a release: of its original, all is withheld that no file shows, and all must be published that
    is out already."""
    attacker: Any
    """The attacker on it, who knows there what the attacker on the release now knows."""
    back: Callable[[Release], Release] | None
    """Returns the release now, withholding what a view that withholds more withholds of it; None where that cannot be."""
    before: Release | None = None
    """The same view of nothing but the earlier releases; None where they cannot give away anything by themselves."""
    measured: Callable[[Release, Tolerance, Effort], Risk] | None = None
    """What measures the view, or the one before, where it is more than a release; None: the attack does."""
    bound: bool = False
    """Whether crowds are at least those that are counted, because it is not known whose row is whose."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """What else is counted of it: who is in both, who joined, how many rows can be joined."""
    accepts: bool = False
    """Whether what the earlier releases give away by themselves is told, and no longer judged."""
    adds: bool = False
    """Whether the release now shows more of somebody whom the earlier ones give away, whatever that does to chances."""
    rest: "View | None" = None
    """The view of those whom the earlier releases do not give away, where some are and that is accepted: it is protected in
    the place of this one, and goes back to a release that shows nothing more of the others."""
    tolerance: Callable[[Tolerance, Effort], Tolerance] = lambda tolerance, _: tolerance
    """What may be told by what is protected in the place of the release now, where others tell some of it already."""
    need: Callable[[Any], Any] = lambda need: need
    """What readers of the release now need, as it is asked of the view; refuses what cannot be served by protecting it."""
    says: str = ""
    """How sentences begin, as in "With the file of 2025"."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AtOnce:
    """What all recipients of releases that are planned at once see together, as one release of which nothing is out."""

    release: Release
    attacker: Any
    """The attacker on it, who knows there what the attacker on each release knows."""
    back: Callable[[Release], Mapping[str, Release]]
    """Returns the release of each recipient, withholding what a joint release that withholds more withholds of it."""
    need: Any = None
    """What readers need, as it is asked of the joint release."""


def not_judged(
    release: Release,
    attacker: Any,
    releases: Sequence[str],
    linked: Seen,
    says: str,
    why: NothingToJudge,
) -> View:
    """Return a view that cannot be judged."""

    def measured(*_: object) -> Risk:
        raise why

    return View(
        releases=tuple(releases),
        linked=linked,
        release=release,
        attacker=attacker,
        back=None,
        measured=measured,
        says=says,
    )
