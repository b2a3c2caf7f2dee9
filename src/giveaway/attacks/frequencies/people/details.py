"""What a report shows of people among records: the largest chances, the paper's figures, and how far the limits hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from giveaway.attacks.frequencies.people.view import SeenPeople, see_people
from giveaway.attacks.frequencies.question import FrequenciesQuestion
from giveaway.attacks.frequencies.reporting import curves
from giveaway.attacks.frequencies.reporting.details import OneByOne
from giveaway.attacks.frequencies.reporting.exposures import OneByOneExposures, Recognised
from giveaway.attacks.frequencies.reporting.figures import short
from giveaway.attacks.frequencies.reporting.sentences import counted, percent
from giveaway.guests import brought
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Curve, Exposure, Step
from giveaway.model.data.labels import Label
from giveaway.model.release.release import Release

ANY_RECORD = " The likeliest record of every person counts, true or not, so that the verdict tells nothing about the true ones."


@dataclass(frozen=True, kw_only=True, eq=False)
class PeopleQuestion(FrequenciesQuestion):
    """What somebody sees of a table, and what the owner tolerates of it."""

    seen: SeenPeople


class PeopleExposures(OneByOneExposures):
    """The exposures of people."""

    _question: PeopleQuestion

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        seen, person = self._question.seen, int(self.order[place])
        return Recognised(
            target=seen.people[person],
            kind="identity",
            chance=seen.chances.of(person),
            baseline=Fraction(1, seen.number),
            because=_because(seen, person),
            again=partial(_again, seen, seen.people[person]),
        )


def _again(seen: SeenPeople, person: Label, release: Release) -> Chance:
    now = see_people(release, seen.attacker, seen.effort)
    return now.chances.of(now.place_of[person])


def _because(seen: SeenPeople, person: int) -> str:
    chance, fitting = seen.chances.of(person), _fitting(seen, person)
    whose = " for the likeliest of them" if seen.likeliest else ""
    if not seen.right[person]:
        if seen.likeliest:
            return f"What is known of them is wrong; to the attacker their likeliest {nouns().record} has a chance of {percent(chance)}."
        return "What is known of them is wrong, so they are not recognised."
    columns = [column for column, _ in seen.known[person]]
    first = (
        f"{counted(fitting, 'records agree', 'record agrees')} with what is known of their {', '.join(columns)}"
        if columns
        else f"Nothing is known of them, and {counted(fitting, 'records')} may be theirs"
    )
    if chance == 1 and fitting > 1:
        return f"{first}, but the others must be other people's: recognised with certainty."
    if chance == 1:
        return f"{first}: recognised with certainty."
    if isinstance(chance, Fraction) and chance * fitting == 1:
        return f"{first}: one chance in {fitting:,}."
    return f"{first}; what is known of all people leaves a chance of {percent(chance)}{whose}."


def _fitting(seen: SeenPeople, person: int) -> int:
    """Count the records that may be a person's."""
    return int(seen.degrees[person]) - (seen.number - seen.records)


class PeopleDetails(OneByOne):
    """The chances of people behind a verdict."""

    _question: PeopleQuestion
    _any_one = ANY_RECORD

    def __init__(self, question: PeopleQuestion) -> None:
        self._question = question

    @cached_property
    def exposures(self) -> PeopleExposures:
        """The people who count, by falling chance."""
        return PeopleExposures(self._question)

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """The numbers that the contract names."""
        seen = self._question.seen
        return {
            "people": seen.number,
            "records": seen.records,
            "groups": len(np.unique(seen.graph.column_of[: seen.records])),
            "compliance": seen.compliance,
            "point_valued_cracks": short(seen.known_exactly),
            **self._cracks,
        }

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The chances of people, and what is lost as somebody is right about more of them."""
        return curves.chances(self._question), *curves.strength(self._question, self._breaking)

    @cached_property
    def recipe(self) -> tuple[str, ...]:
        """The steps of the paper's recipe, where a guest tells them."""
        recipe = brought("ways", "frequencies.recipe")
        return () if recipe is None else tuple(recipe.of_people(self._question, self._breaking))

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """How the records that may be the worst exposed person's become fewer."""
        seen, order = self._question.seen, self.exposures.order
        if not len(order):
            return ()
        person = int(order[0])
        fitting = _fitting(seen, person)
        steps = [
            Step(label=f"{nouns().records} in the release", count=seen.records),
            Step(label=f"{nouns().records} that agree with what is known", count=fitting),
        ]
        if seen.chances.of(person) == 1 and fitting > 1:
            steps.append(Step(label=f"{nouns().records} left when the others have theirs", count=1))
        return tuple(steps)

    @cached_property
    def kept(self) -> Mapping[str, int]:
        """How many entries are published, of all that have a value."""
        seen = self._question.seen
        return {"cells": entries(seen.table), "cells_total": entries(seen.original)}


def entries(table: Any) -> int:
    """Count the entries of a table that have a value."""
    return sum(int(table.weights[codes >= 0].sum()) for codes in table.columns.values())
