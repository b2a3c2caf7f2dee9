"""One row of the table of attacks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from types import UnionType
from typing import Any, Literal, Protocol

from giveaway.attacks.asking import Asking
from giveaway.attacks.proposal import Form, Proposal
from giveaway.attacks.together import AtOnce, View
from giveaway.errors import NothingToJudge
from giveaway.model.answer.phrases import Phrases
from giveaway.model.answer.risk import Chance, Exposure, Kind, Protection, Risk
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.effort import Effort
from giveaway.model.question.limits import of_targets
from giveaway.model.question.need import Need
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.same_people import ONE_BY_ONE, SamePeople


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


def covered(*_: Any) -> tuple[Any, ...]:
    """Leave nothing out."""
    return ()


def one_at_a_time(*_: Any) -> tuple[View, ...]:
    """Refuse to look at a release together with earlier ones."""
    raise NothingToJudge(
        "This attack is not judged together with earlier releases.",
        hint="leave earlier out, and the verdict says that other releases are not judged.",
    )


def one_after_the_other(*_: Any) -> AtOnce:
    """Refuse to plan releases for several recipients at once."""
    raise NothingToJudge("For this attack releases are not planned at once.", hint=ONE_BY_ONE)


def never(*_: Any) -> bool:
    """Do nothing unless it is needed."""
    return False


@dataclass(frozen=True)
class Conditional:
    """A sentence that holds of some questions only: `when` tells of which, by attacker and tolerance, and `if_` says it.

    >>> str(Conditional("What it tells.", if_="without a limit", when=lambda attacker, tolerance: True))
    'Without a limit: what it tells.'
    """

    says: str
    _: KW_ONLY
    if_: str
    when: Callable[[Any, Tolerance], bool]

    def __str__(self) -> str:
        return f"{self.if_[0].upper()}{self.if_[1:]}: {self.says[0].lower()}{self.says[1:]}"


@dataclass(frozen=True, kw_only=True)
class Reads:
    """What an attack reads of a release."""

    data: type | UnionType
    data_of: Callable[[Any], type | UnionType] | None = None
    """Which of these data an attacker is about, where attackers differ in that."""
    published: Literal["rows", "rules"] = "rows"
    """What of a table the attack reads: its published rows, or rules that are published instead of them."""
    fields: frozenset[str] = frozenset()
    """Which fields of a release matter to this attack, of those that most attacks do not know."""
    requires: frozenset[Literal["sensitive", "secrets"]] = frozenset()
    """What a table must have to be judged."""
    knows_sensitive: bool = False
    """Whether an attacker may know sensitive columns too."""
    renames: bool = False
    """Whether the attack is one on codes that stand for items, so that nothing else may be published."""

    @property
    def coarser(self) -> bool:
        """Whether the attack knows coarser labels, which hierarchies allow to be published."""
        return "hierarchies" in self.fields

    def about(self, attacker: Attacker) -> type | UnionType:
        """Return the data that an attacker is about."""
        return self.data if self.data_of is None else self.data_of(attacker)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What an attack is judged by."""

    used: frozenset[str]
    """The limits that the attack can be judged by, of which at least one must be given."""
    spared: Callable[[Any, bool], Mapping[str, str]] = nothing
    """The limits that an attacker is not judged by all the same, given whether something is private or sensitive, and why."""
    greatest: Callable[[Release], Mapping[str, Fraction]] = nothing
    """The greatest values that are compared with some limits: at these and above, a limit allows everything that
    is not over it there already."""
    average_is_share: bool = False
    """Whether an average is a part of the targets, which cannot be above 1; else it is a loss."""
    breach_at: Callable[[Any], frozenset[Kind]] = lambda _: frozenset()
    """The kinds of chance that are a breach at the limit already for an attacker, not only above it."""
    blind: frozenset[str] | None = None
    """The limits that may decide what is withheld next to other attackers, where one of them knows the method; None: all.

    A choice by any other tells something, and what it tells is worked out for somebody who is alone."""
    unjoined_tell_more: frozenset[str] = frozenset()
    """The limits by which rows that nobody can join may tell more than joined ones, so that both ways are judged."""
    targets: Callable[[Release], tuple[int, str]] = lambda release: (len(release.original), "people")
    """Of how many `share` of a risk is a part, and what they are."""

    def judged(self, tolerance: Tolerance, attacker: Attacker, *, private: bool) -> frozenset[str]:
        """Return the limits of a tolerance that an attacker is judged by.

        `share` is one where it allows some targets above another, and says nothing of an average.
        """
        return _with_share((self.used - self.spared(attacker, private).keys()) & tolerance.given, tolerance)

    def breakable(self, tolerance: Tolerance, release: Release, attacker: Attacker) -> frozenset[str]:
        """Return those limits of a tolerance that something could be over."""
        greatest, at_limit = self.greatest(release), self.breach_at(attacker)
        limits = {
            name
            for name in tolerance.given & self.used
            if name not in greatest
            or getattr(tolerance, name) < greatest[name]
            or (name in at_limit and getattr(tolerance, name) == greatest[name])
        }
        return _with_share(frozenset(limits), tolerance)


@dataclass(frozen=True, kw_only=True)
class Does:
    """What an attack does: its numeric code."""

    measure: Measure
    protect: Protect
    after: Callable[[Exposure, Release], Chance | Literal["withheld"]]
    """The chance of an exposure once more is withheld."""
    vacuous: Callable[[Release, Any, Tolerance, Effort], None] = about_something
    """Raises `NothingToJudge` where a measure would be about nothing, so that safe would be an empty word."""
    always_protects: Callable[[Release, Any, Tolerance, Any], bool] = never
    """Whether the release is made by the protector even where it is safe as planned, given attacker, tolerance and need.

    That it was needed could tell, or no more than is needed is to be published.
    """
    views: Callable[[Release, Any, Tolerance], tuple[View, ...]] = one_at_a_time
    """How somebody who kept the earlier releases looks at them and this one together; each view is judged too."""
    at_once: Callable[[SamePeople, Any, Tolerance, Any], AtOnce] = one_after_the_other
    """What recipients who collude see together of releases that are planned at once, given attacker, tolerance and need."""


@dataclass(frozen=True, kw_only=True)
class Says:
    """What is said of an attack."""

    story: str
    measures: str
    does_not_cover: tuple[str | Conditional, ...]
    not_judged: Callable[[Release, Any, Tolerance], tuple[str, ...]] = covered
    """What an attacker on a release is not judged on within some limits, in a few words for the line under the verdict."""
    missing: str
    assumes: tuple[str | Conditional, ...] = ()
    """What is taken to be so without being checked, for whoever reviews a verdict."""
    paper: str
    phrases: Phrases = field(default_factory=Phrases)
    """The words of its reports."""
    phrases_of: Callable[[Any], Phrases] | None = None
    """The words of reports on an attacker, where attackers differ in what they are about."""
    readings: bool = False
    """Whether its figures hold the readings of a table, such as k, l and t, by name."""

    def of(self, attacker: Attacker) -> Phrases:
        """Return the words of reports on an attacker."""
        return self.phrases if self.phrases_of is None else self.phrases_of(attacker)

    def uncovered(self, attacker: Attacker, tolerance: Tolerance) -> tuple[str, ...]:
        """Return what is not covered in one question, the gravest first."""
        return _holding(self.does_not_cover, attacker, tolerance)

    def assumed(self, attacker: Attacker, tolerance: Tolerance) -> tuple[str, ...]:
        """Return what is taken to be so in one question."""
        return _holding(self.assumes, attacker, tolerance)


@dataclass(frozen=True, kw_only=True)
class Asks:
    """How an attack is asked about."""

    scenario_fields: type[Attacker] | None = None
    """What an entry of [[knows]] is read into, where its fields name files; `loaded` makes the attacker of it."""
    need_fields: type | None = None
    """What the field of [needs] is read into, where it names files; `loaded` makes the need of it."""
    proposes: Mapping[Form, Proposal] = field(default_factory=dict)
    """What `giveaway init` writes for it, for each form of a release that it is about."""
    example: str = ""
    """What the command line tells an attacker, as in "at_most=3"."""
    page: Asking | None = None
    """How it is asked about by somebody who does not write a scenario file."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """Everything the product needs to know of one attack."""

    name: str
    attacker: type[Attacker]
    options: type
    need: type[Need]
    """What readers of the data need, of which the protector keeps as much as it can."""
    marks: tuple[type[Need], ...] = ()
    """Needs that mark in the release what must stay, and that its protector obeys; several attacks may know the same."""
    reads: Reads
    limits: Limits
    does: Callable[[], Does]
    """Imports what it does when it is first asked for."""
    says: Says
    asks: Asks = Asks()

    @property
    def needs(self) -> tuple[type[Need], ...]:
        """All needs that it serves."""
        return self.need, *self.marks


def _holding(
    sentences: Sequence[str | Conditional], attacker: Attacker, tolerance: Tolerance
) -> tuple[str, ...]:
    """Return the sentences that hold of a question."""
    pairs = (
        (one, True) if isinstance(one, str) else (one.says, one.when(attacker, tolerance))
        for one in sentences
    )
    return tuple(says for says, holds in pairs if holds)


def _with_share(limits: frozenset[str], tolerance: Tolerance) -> frozenset[str]:
    return limits | (tolerance.given & {"share"} if limits.intersection(of_targets()) else frozenset())
