"""All readings of a table under the names that reviewers ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from typing import Any

from giveaway.attacks.directory.readings import value_readings
from giveaway.attacks.directory.readings.crowd_readings import CrowdReadings, RegisterReadings
from giveaway.attacks.directory.readings.shares import GroupValues
from giveaway.attacks.directory.readings.weighted import WeightedReadings
from giveaway.model.data.arrays import Codes, Ints

Reading = str | int | float | Fraction | None


@dataclass(frozen=True, kw_only=True)
class ValueReadings:
    """Readings of a sensitive column; where it is missing a row is left out, and counted in `blank_sensitive`."""

    sensitive: str
    blank_sensitive: int
    alpha: Fraction
    l_distinct: int
    l_entropy: float
    c_recursive: Fraction | None
    """What c must exceed for recursive (c, 2)-diversity; None if no c is large enough."""
    l_recursive: int
    """The largest l of recursive (3, l)-diversity."""
    t_equal: Fraction
    t_ordered: Fraction | None
    """None unless every value is a number."""
    t_hierarchical: Fraction | None
    """None without a hierarchy."""
    beta: Fraction
    delta: float


def value_readings_of(
    shares: GroupValues, name: str, *, order: Ints | None = None, labels: Sequence[Codes] | None = None
) -> ValueReadings:
    """Read off the values of a sensitive column in blocks.

    `order` gives the rank of each value where they are numbers, `labels` the label of each value at each level of a
    hierarchy, of which the last says nothing.
    """
    ranked = None if order is None else shares.renumbered(order, int(order.max(initial=-1)) + 1)
    return ValueReadings(
        sensitive=name,
        blank_sensitive=int(shares.missing.sum() + shares.hidden.sum()),
        alpha=value_readings.alpha(shares),
        l_distinct=value_readings.distinct_values(shares),
        l_entropy=value_readings.entropy_values(shares),
        c_recursive=value_readings.recursive_factor(shares),
        l_recursive=value_readings.recursive_values(shares, Fraction(3)),
        t_equal=value_readings.t_equal(shares),
        t_ordered=None if ranked is None else value_readings.t_ordered(ranked),
        t_hierarchical=None if labels is None else value_readings.t_hierarchical(shares, labels),
        beta=value_readings.beta(shares),
        delta=value_readings.delta(shares),
    )


@dataclass(frozen=True, repr=False)
class Readings:
    """The readings of a table; each is an attribute, such as `k`, `l_distinct` or `marketer`.

    Those of a directory of people, of a sensitive column, or of the weights of a survey are there if one was given.
    """

    crowds: CrowdReadings
    register: RegisterReadings | None = None
    values: ValueReadings | None = None
    estimates: WeightedReadings | None = None

    @property
    def _parts(self) -> tuple[Any, ...]:
        parts = (self.crowds, self.register, self.values, self.estimates)
        return tuple(part for part in parts if part is not None)

    def as_dict(self) -> dict[str, Reading]:
        """Return the readings by name, in the order in which they are printed."""
        return {name: value for part in self._parts for name, value in asdict(part).items()}

    def __getattr__(self, name: str) -> Reading:
        for part in self._parts if not name.startswith("_") else ():
            if any(field.name == name for field in fields(part)):
                reading: Reading = getattr(part, name)
                return reading
        message = f"There is no reading {name!r}; there are {', '.join(self.as_dict())}."
        raise AttributeError(message)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.as_dict()})

    def __repr__(self) -> str:
        return aligned(self.as_dict())


def aligned(values: Mapping[str, Reading]) -> str:
    """Write readings by name, one in a line."""
    lines = [(name.replace("_", " "), _written(value)) for name, value in values.items()]
    wide, long = (max(len(line[place]) for line in lines) for place in (0, 1))
    return "\n".join(f"{name:<{wide}}  {value:>{long}}" for name, value in lines)


def _written(value: Reading) -> str:
    if isinstance(value, bool | str):
        return str(value)
    if value is None:
        return "none"
    if isinstance(value, Fraction) and value.denominator < 1_000:  # longer ones are hard to read
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{float(value):.6g}"
