"""The table of limits: a row for each that an owner can state, with all that others ask of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from giveaway.errors import ScenarioError

_FACTORS = ("1/4", "1/2", "2", "4")


def _parts(*texts: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, texts))


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One kind of number that is measured and held against a limit, and how reports say it."""

    name: str
    compares: str = "share"
    """The number of a risk that decides: the share of the targets that are over the limit, or one number over them all."""
    part: bool = True
    """Whether it is a chance or a part, which is at most 1, and no plain number."""
    in_crowds: bool = False
    """Whether it is the chance to pick somebody out of a crowd, so that 1/k asks for a crowd of k."""
    does: str = ""
    """What the attacker does when it comes true, where the attack has no word of its own."""
    dot: str = ""
    """A brief name of it."""
    certain: str | None = None
    """What is learnt in the end, where a value is: for certain, or with a chance."""
    guessed: str | None = None
    strength: str = "{amount}"
    """How a limit is written, by its amount."""
    worst: str = "highest chance {amount}"
    """How what was measured is named."""
    remains: str = "{does} with a chance of {amount}"
    """What the attacker can still do."""
    over_all: str = ""
    """What is measured over all targets, as a sentence."""
    when: str = "at worst"
    """Of which targets the amount is."""

    @property
    def of_targets(self) -> bool:
        """Whether single targets may be over the limit, of which `share` allows a part."""
        return self.compares == "share"


@dataclass(frozen=True, kw_only=True)
class Slider:
    """How a limit is asked about by somebody who does not write a scenario file."""

    places: tuple[str, ...]
    says: str
    """What a place means, by `crowd`, `percent` and `what` is private."""
    small: str = ""
    """The same in numbers, by `one_in` and `percent`."""
    axis: str = "at most this chance"
    """What is along the axis where several places are drawn."""


@dataclass(frozen=True, kw_only=True)
class Limit(Measured):
    """One limit that an owner can state.

    >>> LIMITS["identity"].meaning, LIMITS["average"].of_targets
    ('largest chance of telling whose record it is', False)
    """

    meaning: str
    """What it limits, as scenario files, `explain` and `help` say it."""
    most: Fraction | None = Fraction(1)
    """The greatest value that makes sense; None where there is none."""
    hint: str | None = None
    """What to write instead of a value that makes no sense."""
    of_private: bool = False
    """Whether it is about what is private or sensitive, and says nothing where nothing is."""
    nearby: Sequence[Fraction] = ()
    """Values that others may choose, the strictest first; multiples of the stated one where there are none."""
    slider: Slider | None = None

    def check(self, value: Fraction) -> None:
        """Refuse a value that makes no sense."""
        if self.most is None and value <= 0:
            raise ScenarioError(f"{self.name} = {value} must be above 0.", hint=self.hint, field=self.name)
        if self.most is not None and not 0 < value <= self.most:
            raise ScenarioError(
                f"{self.name} = {value} is not a chance one can tolerate: it must be above 0 and at most {self.most}.",
                hint=self.hint,
                field=self.name,
            )

    def near(self, stated: Fraction, each_way: int) -> list[Fraction]:
        """Return some values below and above a stated one, and itself."""
        multiples = (stated * Fraction(factor) for factor in _FACTORS)
        others = self.nearby or [value for value in multiples if self.most is None or value <= self.most]
        below = [value for value in others if value < stated][-each_way:]
        return [*below, stated, *[value for value in others if value > stated][:each_way]]


_IDENTITY = Limit(
    name="identity",
    meaning="largest chance of telling whose record it is",
    hint='"1/5" hides everybody among at least five.',
    in_crowds=True,
    does="find whose record it is",
    dot="whose it is",
    nearby=[Fraction(1, size) for size in (100, 50, 30, 20, 15, 10, 7, 5, 4, 3, 2)],
    slider=Slider(
        places=tuple(f"1/{crowd}" for crowd in (2, 3, 4, 5, 6, 8, 10, 11, 15, 20)),
        says="Everybody hides among at least {crowd}.",
        small="{one_in}, a chance of {percent}, is the most that anybody may have.",
        axis="everybody hides among at least this many",
    ),
)
_ATTRIBUTE = Limit(
    name="attribute",
    meaning="largest chance of inferring a private value",
    of_private=True,
    does="infer a private value",
    dot="private value",
    certain="The answer is certainly {value}.",
    guessed="The answer is {value} with a chance of {chance}.",
    nearby=_parts("1/20", "1/10", "1/5", "1/4", "1/3", "2/5", "1/2", "3/5", "2/3", "3/4", "4/5", "9/10"),
    slider=Slider(
        places=("1/5", "1/3", "1/2", "3/5", "3/4", "9/10"),
        says="Nobody guesses {what} with more than {percent}.",
    ),
)
_AVERAGE = Limit(
    name="average",
    meaning="largest average over all targets",
    compares="average",
    most=None,
    does="succeed",
    dot="average",
    strength="{amount} on average",
    worst="{amount} on average",
    remains="{does} in {amount} of cases, on average",
    over_all="the attacker {succeeds} {amount} of the {targets} on average",
    when="on average",
    slider=Slider(
        places=("1/20", "1/10", "1/5", "1/4", "1/3", "1/2"),
        says="At most {percent} are recognised, on average.",
    ),
)
_LOSS = Measured(
    name="loss",
    compares="average",
    part=False,
    does="do harm",
    dot="average loss",
    strength="{amount} lost on average",
    worst="{amount} lost on average",
    remains="{does}: {amount} lost on average",
    over_all="{amount} is lost on average",
    when="on average",
)
"""What the limit of an average is about where not all targets weigh the same: what is lost, which may exceed 1."""

LIMITS: dict[str, Limit] = {limit.name: limit for limit in (_IDENTITY, _ATTRIBUTE, _AVERAGE)}
"""All limits by name: a new one is a row here, and what its attack does with it."""


def kind_of(kind: str) -> Measured:
    """Return what is known of a kind of number: of a limit, of a loss, or of one that a later version measured."""
    return LIMITS.get(kind) or (_LOSS if kind == _LOSS.name else Measured(name=kind))


def of_targets() -> list[str]:
    """Name the limits that single targets may be over."""
    return [limit.name for limit in LIMITS.values() if limit.of_targets]


def over_all() -> list[str]:
    """Name the limits of one number over all targets."""
    return [limit.name for limit in LIMITS.values() if not limit.of_targets]
