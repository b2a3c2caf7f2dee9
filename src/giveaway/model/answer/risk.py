"""What measuring an attacker yields: exposures, figures, curves, and how they were computed."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, overload

from giveaway.model.answer.nouns import Nouns, speaking_of
from giveaway.model.answer.plain import plain
from giveaway.model.data.labels import Label
from giveaway.model.question.limits import kind_of, over_all
from giveaway.model.release.release import Release

Kind = str
"""What a chance is about: the name of a limit, or loss, which is not a chance but what is lost on average, and may exceed 1."""
Chance = Fraction | float
T = TypeVar("T")


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


Learnt = tuple[Kind, Any, Label | None, Chance]
"""An exposure without its words: the kind, the target, the value and the chance."""


class Listed(Sequence[Exposure]):
    """Exposures in their order, each made when it is looked at."""

    @abstractmethod
    def at(self, place: int) -> Exposure:
        """Make the exposure at a place, counted from 0 and within the list."""

    def learnt(self, place: int) -> Learnt:
        """Return the exposure at a place without its words; quicker where many are looked through."""
        one = self.at(place)
        return one.kind, one.target, one.value, one.chance

    def where(self, met: Callable[[Kind, Chance], bool]) -> Sequence[int]:
        """Return the places of exposures whose kind and chance meet something."""
        without_words = (self.learnt(place) for place in range(len(self)))
        return [place for place, (kind, _, _, chance) in enumerate(without_words) if met(kind, chance)]

    def place_of(self, learnt: Learnt) -> int | None:
        """Return where the exposure of the same target and value stands; None where it does not."""
        return self._places_by_name.get(named(learnt))

    @cached_property
    def _places_by_name(self) -> dict[Any, int]:
        return {named(self.learnt(place)): place for place in range(len(self))}

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


class Some(Listed):
    """Some exposures of a list, by their places."""

    def __init__(self, every: Sequence[Exposure], places: Sequence[int]) -> None:
        self._every, self._places = every, places

    def __len__(self) -> int:
        return len(self._places)

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        return self._every[self._places[place]]

    def learnt(self, place: int) -> Learnt:
        """Return the exposure at a place without its words."""
        return learnt(self._every, self._places[place])


def listed(exposures: Sequence[Exposure]) -> Listed:
    """Return any exposures as a list that can be looked through."""
    return exposures if isinstance(exposures, Listed) else Some(exposures, range(len(exposures)))


def named(learnt: Learnt) -> Any:
    """Name an exposure by whom it is about and what is learnt of them, whatever its chance."""
    kind, about, value, _ = learnt
    target = plain(about)
    whom = tuple(sorted(target.items())) if isinstance(target, Mapping) else target
    return kind, tuple(whom) if isinstance(whom, list) else whom, value


def learnt(exposures: Sequence[Exposure], place: int) -> Learnt:
    """Return an exposure of any list without its words."""
    if isinstance(exposures, Listed):
        return exposures.learnt(place)
    one = exposures[place]
    return one.kind, one.target, one.value, one.chance


@dataclass(frozen=True, kw_only=True)
class Level:
    """The worst chance of one kind next to the owner's limit and the chance without the release."""

    kind: Kind
    worst: Chance
    limit: Fraction | None
    """None where the owner names no limit for this kind."""
    baseline: Chance | None = None


@dataclass(frozen=True, kw_only=True)
class How:
    """How a number was obtained; a margin is added to an estimate before it is judged."""

    method: Literal["exact", "bound", "estimate", "simulated"]
    detail: str
    margin: float | None = None
    numerics: str = ""
    """What a reviewer asks of the computation: the solver, and how near it came."""


@dataclass(frozen=True, kw_only=True)
class HoldsUpTo:
    """The greatest strength of the attacker within tolerance; `value` is None if even the weakest breaks it."""

    value: int | float | None
    unit: str
    at_least: bool = False
    whole_scale: bool = False
    """Whether nobody can be stronger in this unit: all columns are known, or everything is believed correctly."""
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
    limit_name: str = "limit"
    """What the limit is called, where it is not the owner's."""
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
class Decision:
    """Another question that the owner may rather ask, by what the recipe of the paper came to, and its answer."""

    says: str
    judged: str
    """Whom the verdict is about, as in "somebody who is right about every one of the items"."""
    fields: Mapping[str, str]
    """The fields of the attacker that ask it."""


@dataclass(frozen=True, kw_only=True)
class Listing:
    """What a figure counts, one by one: rows with the same keys, the first ones where they are too many to list.

    >>> Listing(title="Combinations over a limit", rows=({"items": ("a", "e"), "support": 1},), total=12).total
    12
    """

    title: str
    rows: Sequence[Mapping[str, Any]]
    total: int | None
    """How many there are, listed or not; None where they were not counted."""


class Details:
    """What a report shows of one attacker beyond the verdict: each part is worked out once, when it is asked for.

    An attack derives its own from this and keeps there what it measured.
    """

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The worst chance of each kind, next to its limit."""
        raise NotImplementedError

    @cached_property
    def worst(self) -> Level | None:
        """The level with the largest chance."""
        chances = (level for level in self.levels if kind_of(level.kind).part)
        return max(chances, key=lambda level: level.worst, default=None)

    @cached_property
    def how(self) -> How:
        """How the numbers were obtained."""
        raise NotImplementedError

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """The worst exposures of each kind first, breaches only or all, as the attack says."""
        raise NotImplementedError

    @cached_property
    def over(self) -> int:
        """How many exposures are above their limit."""
        raise NotImplementedError

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """Named numbers, as the contract of the attack lists them."""
        raise NotImplementedError

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """How strong the attacker may be before the tolerance breaks."""
        raise NotImplementedError

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """What is drawn."""
        return ()

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """The worst exposure step by step."""
        return ()

    @cached_property
    def recipe(self) -> tuple[str, ...]:
        """The steps by which the paper of the attack comes to a decision, one sentence each."""
        return ()

    @cached_property
    def decision(self) -> Decision | None:
        """The question to ask instead, where the recipe of the paper ends with one."""
        return None

    @cached_property
    def kept(self) -> Mapping[str, int]:
        """What the release keeps, each count with its total."""
        return {}

    @cached_property
    def lists(self) -> Mapping[str, Listing]:
        """What some figures count, by name; a list without rows is left out."""
        return {}

    @cached_property
    def against(self) -> str | None:
        """What the attacker of the verdict does or is not, where stronger ones exist: "counts blank entries as other values"."""
        return None

    @cached_property
    def warning(self) -> str | None:
        """A stronger attacker who is known to be over the limit, in one sentence with the number."""
        return None


class _Spoken(Some):
    """Exposures that are made when they are asked for, with the nouns of their release."""

    def __init__(self, exposures: Sequence[Exposure], words: Nouns) -> None:
        super().__init__(exposures, range(len(exposures)))
        self._words = words

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        with speaking_of(self._words):
            return super().at(place)

    def where(self, met: Callable[[Kind, Chance], bool]) -> Sequence[int]:
        """Return the places of exposures whose kind and chance meet something."""
        return listed(self._every).where(met)

    def place_of(self, learnt: Learnt) -> int | None:
        """Return where the exposure of the same target and value stands; None where it does not."""
        return listed(self._every).place_of(learnt)


class _Detail(Generic[T]):
    """A detail of a risk, which is worked out when it is first asked for, and speaks of its release."""

    def __set_name__(self, kind: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, risk: None, kind: type) -> "_Detail[T]": ...
    @overload
    def __get__(self, risk: "Risk", kind: type) -> T: ...
    def __get__(self, risk: "Risk | None", kind: type) -> "_Detail[T] | T":
        if risk is None:
            return self
        with nullcontext() if risk.nouns is None else speaking_of(risk.nouns):
            value: T = getattr(risk.details, self._name)
            return value


@dataclass(frozen=True, kw_only=True)
class Risk:
    """One attacker measured on one release: the numbers of the verdict, and the details that only a report shows.

    `share` is the part of the targets over the limit that the tolerance's `share` is compared with. `margin` is added
    to estimates before they are judged. `doubt` is set when the numbers are within tolerance and a verdict would still
    mislead.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"]]))
    >>> risk = ga.assess(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2")).findings[0].risk
    >>> risk.share, risk.over, risk.figures["smallest_support"]
    (Fraction(1, 3), 1, 1)
    """

    share: Chance | None
    average: Chance | None = None
    further: Mapping[str, Chance] = field(default_factory=dict)
    """What further limits over all targets are compared with, by their names."""
    margin: float | None = None
    undecided: bool = False
    """Whether the average was computed in floats and is too close to its limit to be distinguished from it."""
    reasons: tuple[str, ...] = ()
    doubt: str | None = None
    details: Details
    nouns: Nouns | None = None
    """What rows and items are called in sentences; None as whoever asks calls them."""

    levels = _Detail[tuple[Level, ...]]()
    """The worst chance of each kind, next to its limit."""
    worst = _Detail[Level | None]()
    """The level that the headline names."""
    how = _Detail[How]()
    """How the numbers were obtained."""
    over = _Detail[int]()
    """How many exposures are above their limit."""
    figures = _Detail[Mapping[str, Any]]()
    """Named numbers, as the contract of the attack lists them."""
    holds_up_to = _Detail[HoldsUpTo]()
    """How strong the attacker may be before the tolerance breaks."""
    curves = _Detail[tuple[Curve, ...]]()
    """What is drawn."""
    worked = _Detail[tuple[Step, ...]]()
    """The worst exposure step by step."""
    recipe = _Detail[tuple[str, ...]]()
    """The steps by which the paper of the attack comes to a decision, one sentence each."""
    decision = _Detail[Decision | None]()
    """The question to ask instead, where the recipe of the paper ends with one."""
    kept = _Detail[Mapping[str, int]]()
    """What the release keeps, each count with its total."""
    lists = _Detail[Mapping[str, Listing]]()
    """What some figures count, by name."""
    against = _Detail[str | None]()
    """What the attacker of the verdict does, where stronger ones exist."""
    warning = _Detail[str | None]()
    """A stronger attacker who is known to be over the limit."""

    @property
    def over_all(self) -> dict[str, Chance | None]:
        """What was measured over all targets, by the limit that it is compared with."""
        numbers = {"average": self.average, **self.further}
        return {name: numbers.get(name) for name in over_all()}

    @property
    def exposures(self) -> Sequence[Exposure]:
        """The targets with the largest chances."""
        if self.nouns is None:
            return self.details.exposures
        with speaking_of(self.nouns):
            return _Spoken(self.details.exposures, self.nouns)


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
    lists: Mapping[str, Listing] = field(default_factory=dict)
    detail: str = ""
    drawn: bool = False
    """Whether it was drawn by lot whose entries are withheld."""
