"""What somebody sees who knows something of people, and makes of the records of a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.belief import OfPeople
from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_chances import EVEN_MORE
from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph.general import CrackGraph
from giveaway.attacks.frequencies.crack_graph.windows import Flags
from giveaway.attacks.frequencies.estimates.o_estimate import reciprocal_sum
from giveaway.attacks.frequencies.exact_chances.general import (
    BUDGET,
    EdgeChances,
    Shortage,
    chances,
    usable,
)
from giveaway.attacks.frequencies.people.known import Knowledge, People, agreeing, exactly
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.frequencies.view import TargetsView
from giveaway.errors import BudgetExceeded, DataError, NothingToJudge, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.release.release import Release

_MOST_EDGES = 400_000_000
"""The most pairs of different knowledge and different records that are looked at."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenPeople(TargetsView):
    """The published records, the people whom they may belong to, and what is known of each of these."""

    table: Table
    """What is published of the records, in the order of the original."""
    original: Table
    people: tuple[Label, ...]
    """Those of the table, in its order, and then those who have no record."""
    known: tuple[Knowledge, ...]
    """What is known of each of them."""

    @property
    def nouns(self) -> tuple[str, str]:
        """What the targets are called."""
        return "person", "people"

    @property
    def number(self) -> int:
        """The number of people."""
        return len(self.people)

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.table)

    @property
    def counts(self) -> Ints:
        """Everybody has one record at most, so that nobody is more frequent than another."""
        return np.ones(self.number, np.int64)

    @cached_property
    def place_of(self) -> dict[Label, int]:
        """Where each person stands."""
        return {person: place for place, person in enumerate(self.people)}

    @cached_property
    def interesting(self) -> Ints:
        """Those who count: of interest, and with a record."""
        wanted = self.attacker.of_interest
        if not wanted:
            return np.arange(self.records)
        places = [_place(self.place_of, person) for person in wanted]
        strange = next((who for who, at in zip(wanted, places, strict=True) if at >= self.records), None)
        if strange is not None:
            raise ScenarioError(f"of_interest names {strange!r}, who is not in the table.")
        return np.array(sorted(set(places)), np.int64)

    @cached_property
    def graph(self) -> CrackGraph:
        """Which record may be whose."""
        return graph_of(self.table, self.known)

    @cached_property
    def right(self) -> Flags:
        """Of whom nothing wrong is known: their own record is among those that may be theirs."""
        return self.graph.compliant

    @cached_property
    def degrees(self) -> Ints:
        """How many records may be each person's; having none counts as often as there are people without one."""
        return self.graph.degrees

    @cached_property
    def left(self) -> CrackGraph:
        """The graph without what no one-to-one mapping uses."""
        return _possible(self.graph, self.people)

    @cached_property
    def solved(self) -> EdgeChances:
        """How likely each record is each person's."""
        budget = BUDGET * (EVEN_MORE if self.effort.exact else 1)
        return chances(self.left, budget=budget, likeliest=self.likeliest)

    @cached_property
    def chances(self) -> ItemChances:
        """How likely each person is recognised: told from their record, or from the likeliest one."""
        solved = self.solved
        return ItemChances.but_for(
            self._likeliest(solved) if self.likeliest else solved.of_items,
            solved.estimated,
            f"All one-to-one mappings of people to {nouns().records} that agree with what is known were counted",
            sentences.counted(self.number, self.nouns[1], self.nouns[0]),
            self.left.degrees,
        )

    def _likeliest(self, solved: EdgeChances) -> list[Chance]:
        """Return the chance of the likeliest record of each person; to have none is not to be recognised."""
        graph = solved.graph
        real = np.zeros(len(graph.many_columns), np.bool_)
        real[graph.column_of[: self.records]] = True
        best: list[Chance] = [Fraction(0)] * len(graph.many_rows)
        for row, column, chance in zip(graph.row.tolist(), graph.column.tolist(), solved.edges, strict=True):
            if real[column] and chance > best[row]:
                best[row] = chance
        return [best[row] for row in graph.row_of.tolist()]

    @cached_property
    def _propagated(self) -> CrackGraph:
        return general.propagated(self.graph)

    @property
    def degrees_left(self) -> Ints:
        """The same once forced pairs are used up."""
        return self._propagated.degrees

    def estimated(self, places: Ints, *, propagate: bool) -> Chance:
        """Return the O-estimate of some people, with forced pairs used or without."""
        graph = self._propagated if propagate else self.graph
        return reciprocal_sum(graph.degrees[places[graph.compliant[places]]])

    @cached_property
    def known_exactly(self) -> Chance:
        """How many people somebody recognises who knows every value of the same columns of everybody."""
        knows = exactly(self.original, self.attacker.looks_at())
        strangers = [() for _ in range(self.number - self.records)]
        graph = _possible(graph_of(self.table, [*(known for _, known in knows), *strangers]), self.people)
        values = chances(graph, budget=BUDGET).of_items
        total: Chance = sum((values[place] for place in self.interesting.tolist()), start=values[0] * 0)
        return total


def _possible(graph: CrackGraph, people: Sequence[Label]) -> CrackGraph:
    left = usable(graph)
    if isinstance(left, Shortage):
        named = sentences.listed([people[place] for place in left.items.tolist()])
        records = sentences.counted(len(left.renamed), "records")
        raise NothingToJudge(
            f"No one-to-one mapping agrees with what is known: {named} compete for {records}.",
            hint="what is known of some of them must be wrong.",
        )
    return left


def _place(place_of: dict[Label, int], person: Label) -> int:
    place = place_of.get(person, place_of.get(str(person)))
    if place is None:
        raise ScenarioError(f"of_interest names {person!r}, who is not in the table.")
    return place


def see_people(release: Release, attacker: KnowsFrequencies, effort: Effort) -> SeenPeople:
    """Return what an attacker sees of a published table; worked out once for the same release and attacker."""
    original, table, belief = release.original, release.published, attacker.belief
    if not isinstance(original, Table) or not isinstance(table, Table) or not isinstance(belief, OfPeople):
        raise ScenarioError("What is known of people belongs to a table whose rows are published.")

    def made() -> SeenPeople:
        people, known = _everybody(named_once(original), belief.given)
        return SeenPeople(
            attacker=attacker, effort=effort, table=table, original=original, people=people, known=known
        )

    return table.remember("seen people", (attacker, effort), made)


def _everybody(named: list[Label], stated: People) -> tuple[tuple[Label, ...], tuple[Knowledge, ...]]:
    """Set what is known next to everybody; people of the table come first, and their names may be texts."""
    by_text = {str(person): place for place, person in enumerate(named)}
    people, known = [*named], [Knowledge()] * len(named)
    for person, knowledge in stated:
        place = by_text.get(str(person))
        if place is None:
            people.append(person)
            known.append(knowledge)
        else:
            known[place] = knowledge
    return tuple(people), tuple(known)


def named_once(table: Table) -> list[Label]:
    """Return who the records are of; each person has one."""
    if table.id is None:
        raise ScenarioError(
            "The table names nobody.", hint='read it with id = "name", the column of the names.'
        )
    if not table.names_once:
        raise DataError(
            f"Some names stand twice in {table.id}.", hint=f"give every {nouns().record} its own name."
        )
    return list(table.ids)


def graph_of(table: Table, known: Sequence[Knowledge]) -> CrackGraph:
    """Connect people with the records that agree with what is known of them.

    The first people are those of the table, in its order, and their codes are their records. Whoever comes after them has
    none: as many more codes, which may be anybody's, stand for having no record.
    """
    absent = len(known) - len(table)
    kinds: dict[Knowledge, int] = {}
    row_of = [kinds.setdefault(knowledge, len(kinds)) for knowledge in known]
    if len(kinds) * len(table.weights) > _MOST_EDGES:
        raise BudgetExceeded(
            f"{len(kinds):,} different kinds of knowledge and {len(table.weights):,} different {nouns().records} are too many to be "
            "matched with each other.",
            hint="judge a part of the table, or let the attack directory judge it.",
        )
    fits = np.stack([agreeing(table, knowledge) for knowledge in kinds])
    if absent:
        fits = np.concatenate([fits, np.ones((len(kinds), 1), np.bool_)], axis=1)
    column_of = np.concatenate(
        [np.asarray(table.record_of, np.int64), np.full(absent, len(table.weights), np.int64)]
    )
    rows, row = _kinds_of_rows(fits)
    columns, column = _kinds_of_rows(fits[rows].T)
    edges = np.argwhere(fits[np.ix_(rows, columns)])
    return CrackGraph(
        row_of=row[np.array(row_of, np.int64)],
        column_of=column[column_of],
        row=edges[:, 0],
        column=edges[:, 1],
    )


def _kinds_of_rows(fits: Flags) -> tuple[Ints, Ints]:
    """Return one of each kind of equal rows, and the kind of each row."""
    packed = np.ascontiguousarray(np.packbits(fits, axis=1))
    whole = packed.view(np.dtype((np.void, packed.shape[1]))).reshape(-1)
    _, first, kind = np.unique(whole, return_index=True, return_inverse=True)
    return first, kind.reshape(-1)
