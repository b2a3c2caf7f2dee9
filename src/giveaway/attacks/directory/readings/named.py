"""All readings of a table under the names that reviewers ask for.

Blocks that show no value have no reading. Where reviewers' tools differ, the definitions are those of the papers:
l-diversity (Machanavajjhala et al. 2007), t-closeness (Li et al. 2007), beta-likeness (Cao, Karras 2012),
delta-disclosure (Brickell, Shmatikov 2008), (alpha, k)-anonymity (Wong et al. 2006).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from math import exp, log
from typing import Any

import numpy as np

from giveaway.attacks.directory.readings.crowd_readings import CrowdReadings, RegisterReadings
from giveaway.attacks.directory.readings.shares import GroupValues, exceeds, largest, smallest
from giveaway.attacks.directory.readings.weighted import WeightedReadings
from giveaway.model.data.arrays import Codes, Ints

_LARGEST = 1 << 62


def alpha(shares: GroupValues) -> Fraction:
    """Return the largest share of a value among the rows of a block that show one."""
    return largest(shares.count, shares.shown[shares.group])


def distinct_values(shares: GroupValues) -> int:
    """Return the fewest different values in a block: distinct l-diversity."""
    many = np.diff(shares.starts)
    return int(many[many > 0].min(initial=len(shares.totals)))


def entropy_values(shares: GroupValues) -> float:
    """Return the least exponential of the entropy of a block: the l of entropy l-diversity, a real number."""
    shown = shares.shown
    part = shares.count / shown[shares.group]
    entropy = -np.bincount(shares.group, weights=part * np.log(part), minlength=shares.groups)
    return exp(float(entropy[shown > 0].min(initial=log(max(len(shares.totals), 1)))))


def recursive_factor(shares: GroupValues, values: int = 2) -> Fraction | None:
    """Return what c must exceed for recursive (c, l)-diversity with l `values`; None if no c is large enough."""
    _, most, tails, rank = _tails(shares)
    last = rank == values
    if int(last.sum()) < int((shares.shown > 0).sum()):
        return None
    return largest(most[last], tails[last])


def recursive_values(shares: GroupValues, factor: Fraction) -> int:
    """Return the largest l for which every block is recursive (`factor`, l)-diverse; 0 if there is none."""
    group, most, tails, _ = _tails(shares)
    holds = exceeds(tails, most, 1 / factor) if factor > 0 else np.zeros(len(group), np.bool_)
    many = np.bincount(group[holds], minlength=shares.groups)
    return int(many[shares.shown > 0].min(initial=len(shares.totals)))


def _tails(shares: GroupValues) -> tuple[Ints, Ints, Ints, Ints]:
    """Sort the counts of each block downwards; return block, largest count, sum from here on, and rank from 1."""
    order = np.lexsort((-shares.count, shares.group))
    group, count = shares.group, shares.count[order]
    before = np.append(0, np.cumsum(count))
    tails = before[shares.starts[1:]][group] - before[:-1]
    return (
        group,
        count[shares.starts[:-1][group]],
        tails,
        np.arange(len(count)) - shares.starts[:-1][group] + 1,
    )


def t_equal(shares: GroupValues) -> Fraction:
    """Return the largest distance of a block from the table, when all values are equally far from each other."""
    expected = shares.totals[shares.value] * shares.shown[shares.group]
    apart = np.abs(shares.count * shares.total - expected) - expected
    return _farthest(shares, _added(shares, apart) + shares.shown * shares.total, 2)


def t_ordered(shares: GroupValues) -> Fraction:
    """Return the largest distance of a block from the table, when values are as far as their ranks are apart.

    Values must be numbered in their order. The distance is the sum over the values of the cumulated differences; a block
    has few of the values, and between two of them the sum over the others is found from sums over the table.
    """
    occurs = np.flatnonzero(shares.totals)
    rank = np.searchsorted(occurs, shares.value)
    up_to = np.cumsum(shares.totals[occurs])
    wide = len(occurs) * shares.total * shares.total >= _LARGEST
    kind = object if wide else np.int64
    sums = np.append(0, np.cumsum(up_to.astype(kind)))
    shown = shares.shown.astype(kind)
    cumulated = np.append(0, np.cumsum(shares.count))
    has = cumulated[1:] - cumulated[shares.starts[:-1]][shares.group]
    end = np.append(rank[1:], 0)
    end[shares.starts[1:][np.diff(shares.starts) > 0] - 1] = len(occurs)

    def between(first: Ints, until: Ints, has: Ints, group: Ints) -> Ints:
        """Add abs(has / shown - up_to / total), times both, over the ranks from first to before until."""
        size = shares.shown[group]
        turn = np.clip(np.searchsorted(up_to, -(-has * shares.total // size)), first, until)
        level = has.astype(kind) * shares.total
        below = level * (turn - first) - (sums[turn] - sums[first]) * shown[group]
        over = (sums[until] - sums[turn]) * shown[group] - level * (until - turn)
        return below + over  # type: ignore[no-any-return] # whole numbers of either type

    some = np.flatnonzero(shares.shown > 0)
    apart = _added(shares, between(rank, end, has, shares.group), kind)
    none = np.zeros(len(some), np.int64)
    apart[some] += between(none, rank[shares.starts[some]], none, some)
    return _farthest(shares, apart, max(len(occurs) - 1, 1))


def t_hierarchical(shares: GroupValues, labels: Sequence[Codes]) -> Fraction:
    """Return the largest distance of a block from the table, when values are as far apart as their common label is high.

    `labels` holds the label of each value, level by level upwards; the last level has one label for all. A label of height
    h adds h / H times what moves between its children: the surplus of some or the deficit of the others.
    """
    height = len(labels)
    moved = np.zeros(shares.groups, np.int64)
    child = np.arange(len(shares.totals))
    for level, above in enumerate(labels, 1):
        parent = above.astype(np.int64)
        children = shares.renumbered(child, int(child.max(initial=0)) + 1)
        parent_of = np.zeros(len(children.totals), np.int64)
        parent_of[child] = parent
        nodes = int(parent.max(initial=0)) + 1
        expected = children.totals[children.value] * shares.shown[children.group]
        extra = children.count * shares.total - expected
        place = children.group * nodes + parent_of[children.value]
        keys, number = np.unique(place, return_inverse=True)
        surplus, deficit = np.zeros(len(keys), np.int64), np.zeros(len(keys), np.int64)
        np.add.at(surplus, number, np.maximum(extra, 0))
        np.add.at(deficit, number, np.maximum(-extra, 0) - expected)
        of_node = np.bincount(parent_of, weights=children.totals, minlength=nodes).astype(np.int64)
        deficit += of_node[keys % nodes] * shares.shown[keys // nodes]
        np.add.at(moved, keys // nodes, level * np.minimum(surplus, deficit))
        child = parent
    return _farthest(shares, moved, max(height, 1))


def beta(shares: GroupValues) -> Fraction:
    """Return by how much the share of a value in a block exceeds that in the table at most, as part of the latter."""
    return largest(*_gains(shares)) - 1


def delta(shares: GroupValues) -> float:
    """Return the largest logarithm, up or down, of a share in a block over that in the table."""
    gains = _gains(shares)
    most, least = largest(*gains), smallest(*gains)
    return max(log(most), -log(least)) if most else 0.0


def _gains(shares: GroupValues) -> tuple[Ints, Ints]:
    return shares.count * shares.total, shares.totals[shares.value] * shares.shown[shares.group]


def _added(shares: GroupValues, parts: Ints, kind: type = np.int64) -> Ints:
    """Add parts by group."""
    before = np.append(np.zeros(1, kind), np.cumsum(parts))
    sums: Ints = before[shares.starts[1:]] - before[shares.starts[:-1]]
    return sums


def _farthest(shares: GroupValues, apart: Ints, scale: int) -> Fraction:
    """Return the largest of some distances, given as multiples of 1 / (scale x rows of the table x rows of the block)."""
    some = shares.shown > 0
    return largest(apart[some], shares.shown[some]) / (scale * max(shares.total, 1))


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
        alpha=alpha(shares),
        l_distinct=distinct_values(shares),
        l_entropy=entropy_values(shares),
        c_recursive=recursive_factor(shares),
        l_recursive=recursive_values(shares, Fraction(3)),
        t_equal=t_equal(shares),
        t_ordered=None if ranked is None else t_ordered(ranked),
        t_hierarchical=None if labels is None else t_hierarchical(shares, labels),
        beta=beta(shares),
        delta=delta(shares),
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
