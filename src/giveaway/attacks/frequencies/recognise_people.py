"""The wider use of section 8.1 of the paper: who is recognised among records whose names were removed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from giveaway.attacks.frequencies.chances import LEAST_MARGIN, weighted_sum
from giveaway.attacks.frequencies.crack_chances import cracked
from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph.mappings import Violation
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs
from giveaway.attacks.frequencies.exact_chances.general import Shortage, chances, usable
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.errors import DataError, ScenarioError
from giveaway.model.answer.risk import Chance, How
from giveaway.model.data.labels import Label, in_order
from giveaway.model.exact import Number, fraction
from giveaway.model.question.effort import Effort

Edge = Sequence[Label]
Known = tuple[Number, Number, Number]
"""The true value of somebody, and the lower and upper end of what is believed of it."""


@dataclass(frozen=True, kw_only=True)
class Cracks:
    """How likely each person is told from their record, the expected number of them, and how that was found."""

    chances: Mapping[Label, Chance]
    expected: Chance
    how: How


def cracks(*, edges: Iterable[Edge] | None = None, intervals: Mapping[Label, Known] | None = None) -> Cracks:
    """Return how likely each person is recognised among records whose names were removed.

    `edges` lists which record may be whose, as pairs of a person and the person whose record it truly is. `intervals`
    gives for each person the true value of an attribute and the range that is believed of it: everybody's record may
    be any whose value is in that range. All one-to-one mappings that agree are equally likely.

    >>> import giveaway as ga
    >>> found = ga.cracks(edges=[("John", "John"), ("Mary", "Mary"), ("Mary", "Bob"), ("Bob", "Mary"), ("Bob", "Bob")])
    >>> {name: str(chance) for name, chance in found.chances.items()}, str(found.expected)
    ({'Bob': '1/2', 'John': '1', 'Mary': '1/2'}, '2')
    >>> str(ga.cracks(intervals={"Mary": (32, 30, 35), "Bob": (34, 0, 99), "Ann": (50, 40, 60)}).expected)
    '2'
    """
    if (edges is None) == (intervals is None):
        raise ScenarioError("Give edges or intervals, one of them.")
    return _by_edges(edges) if edges is not None else _by_intervals(intervals or {})


def _by_edges(edges: Iterable[Edge]) -> Cracks:
    pairs = [_edge(edge) for edge in edges]
    people = in_order(person for pair in pairs for person in pair)
    number = {person: place for place, person in enumerate(people)}
    asked = {person for person, _ in pairs}
    silent = [person for person in people if person not in asked]
    if silent:
        raise DataError(
            f"Nothing says which record may be that of {silent[0]!r}.",
            hint="connect somebody of whom nothing is known with every record.",
        )
    if not pairs:
        raise DataError("No edge is given.", hint='for example [("Mary", "Mary"), ("Mary", "Bob")].')
    graph = general.from_edges(
        len(people), np.array([(number[one], number[other]) for one, other in pairs], np.int64)
    )
    left = usable(graph)
    if isinstance(left, Shortage):
        raise _impossible([people[item] for item in left.items.tolist()], len(left.renamed))
    solved = chances(left)
    values = solved.of_items
    guessed = int(solved.estimated.sum())
    return _cracks(
        people, values, sum(float(v) for v, g in zip(values, solved.estimated, strict=True) if g), guessed
    )


def _edge(edge: Edge) -> tuple[Label, Label]:
    members = () if isinstance(edge, str) else tuple(edge)
    if len(members) != 2:  # noqa: PLR2004 - a person and a record
        raise ScenarioError(
            f"{edge!r} is not a pair of a person and the person whose record it is.",
            hint='write ("Mary", "Bob").',
        )
    return members[0], members[1]


def _by_intervals(intervals: Mapping[Label, Known]) -> Cracks:
    people = in_order(intervals)
    if not people:
        raise DataError("No person is given.", hint='for example {"Mary": (32, 30, 35)}.')
    known = [_known(person, intervals[person]) for person in people]
    values = sorted({value for value, _, _ in known})
    place = {value: number for number, value in enumerate(values)}
    beliefs = Beliefs(
        counts=np.array([place[value] for value, _, _ in known], np.int64),
        low=np.array([2 * sum(value < low for value in values) for _, low, _ in known], np.int64),
        high=np.array([2 * sum(value <= high for value in values) - 2 for _, _, high in known], np.int64),
    )
    solved = cracked(beliefs, Effort())
    if isinstance(solved, Violation):
        raise _impossible([people[item] for item in solved.items.tolist()], solved.slots)
    everybody = np.arange(len(people))
    guessed = solved.estimated[solved.kind_of]
    return _cracks(
        people,
        [solved.of(item) for item in everybody.tolist()],
        float(solved.floats[guessed].sum()),
        int(guessed.sum()),
    )


def _known(person: Label, given: Known) -> tuple[Fraction, Fraction, Fraction]:
    if not isinstance(given, tuple | list) or len(given) != 3:  # noqa: PLR2004 - a value and two ends
        raise ScenarioError(
            f"What is known of {person!r} is not a value with a lower and an upper end.",
            hint='write {"Mary": (32, 30, 35)}.',
        )
    value, low, high = (fraction(part, f"what is known of {person!r}") for part in given)
    if low > high:
        raise ScenarioError(f"The range of {person!r} goes from {given[1]} to {given[2]}, which is lower.")
    return value, low, high


def _impossible(people: list[Label], records: int) -> DataError:
    return DataError(
        f"No one-to-one mapping agrees: {sentences.listed(people)} compete for "
        f"{sentences.counted(records, 'record', 'records')}.",
        hint="what is known of some of them must be wrong.",
    )


def _cracks(people: Sequence[Label], values: Sequence[Chance], estimated: float, guessed: int) -> Cracks:
    expected = weighted_sum(values, [1] * len(values))
    how = How(method="exact", detail="All one-to-one mappings that agree were counted.")
    if guessed:
        how = How(
            method="estimate",
            detail=f"The chances of {guessed:,} of {len(people):,} people are estimated by belief propagation.",
            margin=float(LEAST_MARGIN) * estimated,
        )
    return Cracks(chances=dict(zip(people, values, strict=True)), expected=expected, how=how)
