"""Entries blanked in one release and visible in another, joined record by record."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from tests.oracles import attributes
from tests.oracles.attributes import Entry, Planned, Record, Rule


def visible(releases: Sequence[Sequence[Record]]) -> list[Record]:
    """An entry is visible if it ever was."""
    return [
        tuple(
            next((value for value in values if value is not None), None)
            for values in zip(*records, strict=True)
        )
        for records in zip(*releases, strict=True)
    ]


def already(table: Planned, earlier: Sequence[Record]) -> set[int]:
    """Return the secrets whose entry was visible before: the chance is 1."""
    return {row for row in table.secrets if earlier[row][-1] is not None}


def rules_of(table: Planned, seen: Sequence[Record]) -> dict[Rule, tuple[int, int]]:
    """Return every rule from visible conditions of a secret to its true value, with its two counts in what is seen."""
    rules = {
        (pattern, value)
        for row in table.secrets
        if (value := table.records[row][-1]) is not None
        for pattern in attributes.patterns(seen[row])
    }
    return {rule: attributes.counts(seen, rule) for rule in rules}


def unsafe_rules(table: Planned, seen: Sequence[Record]) -> dict[Rule, tuple[int, int]]:
    return {
        rule: found
        for rule, found in rules_of(table, seen).items()
        if attributes.is_unsafe(*found, table.limit, table.least)
    }


def worst(table: Planned, seen: Sequence[Record]) -> Fraction:
    """Return the largest confidence of a rule that is believed."""
    believed = [Fraction(*found) for found in rules_of(table, seen).values() if found[0] > table.least]
    return max(believed, default=Fraction(0))


def safe_of_rows(table: Planned, releases: Sequence[Sequence[Record]]) -> bool:
    """Rows can be joined: rules of the union and of each release, the worst; nothing secret was visible before."""
    views = [visible(releases), *releases]
    return not any(already(table, seen) or unsafe_rules(table, seen) for seen in views)


def safe_of_people(table: Planned, releases: Sequence[Sequence[Record]]) -> bool:
    """Rows cannot be joined: rules of each release apart."""
    return not any(already(table, seen) or unsafe_rules(table, seen) for seen in releases)


def best_given_before(table: Planned, earlier: Sequence[Record]) -> int | None:
    """Return the fewest entries to hide now so that both releases together are safe, trying all sets; None where none helps."""
    entries = table.allowed()
    for size in range(len(entries) + 1):
        for chosen in combinations(entries, size):
            if safe_of_rows(table, [earlier, attributes.published(table, chosen)]):
                return size
    return None


def marked(table: Planned, earlier: Sequence[Record]) -> Planned:
    """Let what was visible before be what must be published."""
    out: Collection[Entry] = {
        (row, column)
        for row, record in enumerate(earlier)
        for column, value in enumerate(record)
        if value is not None
    }
    return replace(table, marks=table.marks | frozenset(out))
