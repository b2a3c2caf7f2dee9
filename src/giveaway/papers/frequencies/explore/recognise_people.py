"""The wider use of section 8.1 of the paper: who is recognised among records whose names were removed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Literal, NamedTuple

import numpy as np

from giveaway.attacks.frequencies.chances import ItemChances, weighted_sum
from giveaway.attacks.frequencies.crack_chances import cracked
from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.mappings import Violation, propagated
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs
from giveaway.attacks.frequencies.estimates.compliance import random_breaking_point
from giveaway.attacks.frequencies.estimates.o_estimate import o_estimate, reciprocal_sum
from giveaway.attacks.frequencies.exact_chances.general import EdgeChances, Shortage, chances, usable
from giveaway.attacks.frequencies.people.known import Knowledge, of_people
from giveaway.attacks.frequencies.people.view import graph_of, named_once
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.errors import DataError, ScenarioError
from giveaway.model.answer.risk import Chance, How
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.table import Table
from giveaway.model.exact import Number, fraction
from giveaway.model.question.effort import Effort

Edge = Sequence[Any]
Known = tuple[Number, Number, Number]
"""The true value of somebody, and the lower and upper end of what is believed of it."""

Weights = Mapping[tuple[int, int], Fraction]
"""The weight of each edge between the numbers of a person and a record."""


@dataclass(frozen=True, kw_only=True)
class Cracks:
    """How likely each person is told from their record, the expected number of them, and how that was found.

    `candidates` counts the records that may be each person's, and `right` are the people whose own record is among them.
    The O-estimate is the paper's: one in these numbers for everybody who is right, with forced pairs used and without.
    """

    chances: Mapping[Label, Chance]
    expected: Chance
    o_estimate: Chance
    o_estimate_plain: Chance
    candidates: Mapping[Label, int]
    right: frozenset[Label]
    how: How

    @property
    def compliance(self) -> Fraction:
        """The part of the people of whom something true is known, or nothing."""
        return Fraction(len(self.right), len(self.chances))

    def breaking_point(self, average: Number, *, by: Literal["chances", "o_estimate"] = "chances") -> Chance:
        """Return the largest part of the people, drawn at random, about whom somebody may be right within a limit.

        The limit is on the expected share of people who are recognised; of people about whom somebody is wrong none is. By the
        chances found, with their margin, or by
        the O-estimate, as in the recipe of the paper (Figure 8).

        >>> import giveaway as ga
        >>> known = ga.cracks(edges=[("Ann", "Ann"), ("Bob", "Bob"), ("Cid", "Cid"), ("Cid", "Bob")])
        >>> known.expected, known.breaking_point("1/2")
        (Fraction(3, 1), Fraction(1, 2))
        """
        expected = self.o_estimate if by == "o_estimate" else self.expected
        margin = self.how.margin if by == "chances" else None
        return self.compliance * random_breaking_point(
            expected + margin if margin else expected, len(self.chances), fraction(average, "average")
        )


def cracks(
    *,
    edges: Iterable[Edge] | None = None,
    intervals: Mapping[Label, Known] | None = None,
    table: Table | None = None,
    knows: Mapping[Label, Mapping[str, Any]] | Table | None = None,
) -> Cracks:
    """Return how likely each person is recognised among records whose names were removed.

    `edges` lists which record may be whose, as pairs of a person and the person whose record it truly is; a third part,
    a weight, makes mappings as likely as the product of their weights. `intervals` gives for each person the true value of
    an attribute and the range that is believed of it: everybody's record may be any whose value is in that range. `table`
    is the relation whose names, its id, are removed, and `knows` says of some people what is known of their columns: a
    value, a list of values, a pair of ends `(30, 35)`, or `"30..35"` in a table with the same id. A record without a value
    may be anybody's. All one-to-one mappings that agree are equally likely, unless there are weights.

    >>> import giveaway as ga
    >>> found = ga.cracks(edges=[("John", "John"), ("Mary", "Mary"), ("Mary", "Bob"), ("Bob", "Mary"), ("Bob", "Bob")])
    >>> {name: str(chance) for name, chance in found.chances.items()}, str(found.expected)
    ({'Bob': '1/2', 'John': '1', 'Mary': '1/2'}, '2')
    >>> str(ga.cracks(intervals={"Mary": (32, 30, 35), "Bob": (34, 0, 99), "Ann": (50, 40, 60)}).expected)
    '2'
    >>> rows = [("John", "Toyota", 41), ("Mary", "Fiat", 33), ("Bob", "Fiat", 52)]
    >>> relation = ga.Table.from_rows([dict(zip(("name", "car", "age"), row)) for row in rows], id="name")
    >>> str(ga.cracks(table=relation, knows={"John": {"car": "Toyota"}, "Mary": {"age": (30, 55)}}).expected)
    '2'
    """
    stated = [part is not None for part in (edges, intervals, table)]
    if sum(stated) != 1:
        raise ScenarioError("Give edges, intervals or a table, one of them.")
    if (knows is None) != (table is None):
        raise ScenarioError(
            "A table and what is known of its people belong together.", hint="give knows with table."
        )
    if table is not None:
        return _by_table(table, dict(of_people(knows or {})))
    return _by_edges(edges) if edges is not None else _by_intervals(intervals or {})


def _by_edges(edges: Iterable[Edge]) -> Cracks:
    pairs = [_edge(edge) for edge in edges]
    people = in_order(person for pair in pairs for person in pair[:2])
    number = {person: place for place, person in enumerate(people)}
    asked = {person for person, _, _ in pairs}
    silent = [person for person in people if person not in asked]
    if silent:
        raise DataError(
            f"Nothing says which record may be that of {silent[0]!r}.",
            hint="connect somebody of whom nothing is known with every record.",
        )
    if not pairs:
        raise DataError("No edge is given.", hint='for example [("Mary", "Mary"), ("Mary", "Bob")].')
    if any(weight != 1 for _, _, weight in pairs):
        weights = {(number[one], number[other]): weight for one, other, weight in pairs}
        if len(weights) < len(pairs):
            raise DataError("An edge is listed twice, and edges have weights.", hint="list each edge once.")
        return _by_graph(people, _told_apart(len(people), weights), weights)
    listed = np.array([(number[one], number[other]) for one, other, _ in pairs], np.int64)
    return _by_graph(people, general.from_edges(len(people), listed))


def _by_graph(people: Sequence[Label], graph: CrackGraph, weights: Weights | None = None) -> Cracks:
    """Count the mappings of a graph, by the product of their weights where there are some."""
    left = usable(graph)
    if isinstance(left, Shortage):
        raise _impossible([people[item] for item in left.items.tolist()], len(left.renamed))
    if weights is None:
        return _solved(people, graph, chances(left))
    common = lcm(*(weight.denominator for weight in weights.values()))
    kept = zip(left.row.tolist(), left.column.tolist(), strict=True)
    whole = np.array([int(weights[edge] * common) for edge in kept], object)
    return _solved(people, graph, chances(left, weights=whole))


def _told_apart(people: int, weights: Weights) -> CrackGraph:
    """Return the graph of edges with weights, which tell apart people with the same candidates."""
    everybody, edges = np.arange(people), np.array(sorted(weights), np.int64)
    return CrackGraph(row_of=everybody, column_of=everybody, row=edges[:, 0], column=edges[:, 1])


def _solved(people: Sequence[Label], graph: CrackGraph, solved: EdgeChances) -> Cracks:
    values, right = solved.of_items, np.flatnonzero(graph.compliant)
    left = general.propagated(graph)
    return _cracks(
        people,
        values,
        ItemChances.counted(values, solved.estimated, "", candidates=solved.graph.degrees).margin(
            np.arange(len(people))
        ),
        int(solved.estimated.sum()),
        _Degrees(graph.degrees, reciprocal_sum(left.degrees[left.compliant]), right),
    )


def _by_table(table: Table, stated: Mapping[Label, Knowledge]) -> Cracks:
    """Connect everybody with the records that agree with what is known of them."""
    everybody = named_once(table)
    people = set(everybody)
    strangers = [person for person in stated if person not in people]
    if strangers:
        raise DataError(
            f"{strangers[0]!r} is not in the table.", hint="state what is known of its people only."
        )
    return _by_graph(everybody, graph_of(table, [stated.get(person, ()) for person in everybody]))


def _edge(edge: Edge) -> tuple[Label, Label, Fraction]:
    members = () if isinstance(edge, str) else tuple(edge)
    if len(members) not in (2, 3):
        raise ScenarioError(
            f"{edge!r} is not a pair of a person and the person whose record it is.",
            hint='write ("Mary", "Bob"), or ("Mary", "Bob", 3) with a weight.',
        )
    weight = fraction(members[2], "a weight") if members[2:] else Fraction(1)
    if weight <= 0:
        raise ScenarioError(f"The weight of {edge!r} must be above 0.", hint="leave out what cannot be.")
    return members[0], members[1], weight


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
    windows, guessed = beliefs.windows, solved.estimated[solved.kind_of]
    return _cracks(
        people,
        [solved.of(item) for item in range(len(people))],
        solved.margin(np.arange(len(people))),
        int(guessed.sum()),
        _Degrees(windows.degrees, o_estimate(propagated(windows)), np.flatnonzero(windows.compliant)),
    )


def _known(person: Label, parts: Known) -> tuple[Fraction, Fraction, Fraction]:
    if not isinstance(parts, tuple | list) or len(parts) != 3:  # noqa: PLR2004 - a value and two ends
        raise ScenarioError(
            f"What is known of {person!r} is not a value with a lower and an upper end.",
            hint='write {"Mary": (32, 30, 35)}.',
        )
    value, low, high = (fraction(part, f"what is known of {person!r}") for part in parts)
    if low > high:
        raise ScenarioError(f"The range of {person!r} goes from {parts[1]} to {parts[2]}, which is lower.")
    return value, low, high


def _impossible(people: list[Label], records: int) -> DataError:
    return DataError(
        f"No one-to-one mapping agrees: {sentences.listed(people)} compete for "
        f"{sentences.counted(records, 'records')}.",
        hint="what is known of some of them must be wrong.",
    )


class _Degrees(NamedTuple):
    """How many records may be each person's, the O-estimate once forced pairs are used, and who is right."""

    candidates: Ints
    o_estimate: Chance
    right: Ints


def _cracks(
    people: Sequence[Label], values: Sequence[Chance], margin: float, guessed: int, degrees: _Degrees
) -> Cracks:
    how = How(method="exact", detail="All one-to-one mappings that agree were counted.")
    if guessed:
        how = How(
            method="estimate",
            detail=f"The chances of {guessed:,} of {len(people):,} people are estimated by belief propagation.",
            margin=margin,
        )
    return Cracks(
        chances=dict(zip(people, values, strict=True)),
        expected=weighted_sum(values, [1] * len(values)),
        o_estimate=degrees.o_estimate,
        o_estimate_plain=reciprocal_sum(degrees.candidates[degrees.right]),
        candidates=dict(zip(people, degrees.candidates.tolist(), strict=True)),
        right=frozenset(people[place] for place in degrees.right.tolist()),
        how=how,
    )
