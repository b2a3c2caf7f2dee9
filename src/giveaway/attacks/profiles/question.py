"""The question put about profiles, checked: who is known, what is published, and which chances are judged."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.attacks.profiles.claims.claims import Claims, gather
from giveaway.attacks.profiles.population import PeopleProfiles, people
from giveaway.errors import DataError, ScenarioError
from giveaway.itemsets import profile_itemsets
from giveaway.itemsets.profile_itemsets import ProfileItemsets
from giveaway.maximum_entropy.constraints import Flags
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Statement


@dataclass(frozen=True, kw_only=True, eq=False)
class ProfilesQuestion:
    """A table, the rules that are published of it, and somebody who knows everybody's profile."""

    table: Table
    published: PublishedRules
    attacker: KnowsProfiles
    statements: tuple[Statement, ...]
    """What is published besides the rules, and what the attacker believes."""
    only: Flags
    """The answers that are judged."""
    people: PeopleProfiles

    @property
    def silence_tells(self) -> bool:
        """Whether the attacker makes something of rules that are absent."""
        return self.published.complete and self.attacker.non_rules

    @cached_property
    def judged(self) -> Flags:
        """The profiles of those people who are judged."""
        if self.attacker.missing_profiles == "drop":
            return ~self.people.incomplete
        return np.ones(len(self.people.profiles.weights), np.bool_)

    @cached_property
    def judged_people(self) -> int:
        """The number of people who are judged."""
        return int(self.people.profiles.weights[self.judged].sum())

    @cached_property
    def claims(self) -> Claims:
        """Everything that the attacker takes into account."""
        return self.claimed(self.published, silence=self.silence_tells)

    def claimed(self, published: PublishedRules, *, silence: bool) -> Claims:
        """Put together what another list of rules would say to this attacker."""
        return gather(
            self.people,
            published,
            self.statements,
            whole=self.attacker.whole_numbers,
            itemsets=self._itemsets if silence else None,
        )

    def _itemsets(self, least: int) -> ProfileItemsets:
        return self.table.remember(
            "profile itemsets",
            (self.attacker.columns, _rows_of(self.statements), least),
            lambda: profile_itemsets.frequent(self.people.profiles, least),
        )


def ask(release: Release, attacker: KnowsProfiles) -> ProfilesQuestion:
    """Put the question together, and refuse one about nothing."""
    table, published = release.original, release.published
    if not isinstance(table, Table) or not isinstance(published, PublishedRules):
        raise ScenarioError(
            "No rules are published, so there is nothing that this attacker could read.",
            hint="give the release rules, for example rules = { min_support = 0.1, min_confidence = 0.6 }.",
        )
    _check(table, attacker)
    background = (one.in_classes(table.classes, table.sensitive) for one in attacker.background)
    statements = (*release.published_statements, *background)
    groups = {one.rows.tobytes(): one.rows for one in statements if one.rows is not None}
    for rows in groups.values():
        if len(rows) and not 0 <= int(rows[0]) <= int(rows[-1]) < len(table):
            raise ScenarioError("A statement is about a row that the table does not have.")
    known = table.remember(
        "people by profile",
        (attacker.columns, _rows_of(statements)),
        lambda: people(table, attacker.columns, list(groups.values())),
    )
    question = ProfilesQuestion(
        table=table,
        published=published,
        attacker=attacker,
        statements=statements,
        only=_only(known, release),
        people=known,
    )
    _check_missing(question)
    return question


def _rows_of(statements: tuple[Statement, ...]) -> tuple[bytes, ...]:
    """Return the groups of rows that statements are about, each once."""
    return tuple(dict.fromkeys(one.rows.tobytes() for one in statements if one.rows is not None))


def _check(table: Table, attacker: KnowsProfiles) -> None:
    """Refuse columns that the attacker cannot know, and a table in which nothing is secret."""
    for column in attacker.columns:
        if column == table.id:
            raise ScenarioError(
                f"The column {column} is the identifier and not part of a profile.",
                exists=", ".join(table.columns),
            )
        if table.checked(column) in table.sensitive:
            raise ScenarioError(
                f"The column {column} is sensitive, so the attacker cannot know it beforehand.",
                hint="name what somebody may know of a person, such as age and sex.",
            )
    if not table.sensitive:
        raise ScenarioError(
            "The table has no sensitive column, so there is nothing to infer.",
            exists=", ".join(table.columns),
            hint='name one, for example sensitive = "disease".',
        )
    for column in table.sensitive:
        if not table.labels[column]:
            raise DataError(f"The sensitive column {column} has no value in any {nouns().record}.")


def _check_missing(question: ProfilesQuestion) -> None:
    """Refuse records that miss a value of their profile unless the attacker says what to do with them."""
    missing = int(question.people.profiles.weights[question.people.incomplete].sum())
    if missing and question.attacker.missing_profiles == "refuse":
        raise ScenarioError(
            f"{missing:,} of {len(question.table):,} {nouns().records} miss a value of their profile.",
            hint='set missing_profiles = "value" to take a missing value as one, or "drop" not to judge these people.',
        )
    if not question.judged_people:
        raise DataError(
            f"Every {nouns().record} misses a value of its profile, so nobody is left to be judged."
        )


def _only(known: PeopleProfiles, release: Release) -> Flags:
    """Return the answers that are worth protecting: the sensitive values named, else all."""
    names = [known.domain.named(answer) for answer in range(int(known.domain.first[-1]))]
    if not release.sensitive_values:
        return np.ones(len(names), np.bool_)
    values = {value for _, value in names}
    unknown = next((value for value in release.sensitive_values if value not in values), None)
    if unknown is not None:
        raise ScenarioError(
            f"sensitive_values names {unknown!r}, which no {nouns().record} has.",
            exists=", ".join(map(str, values)),
        )
    return np.array([value in release.sensitive_values for _, value in names])
