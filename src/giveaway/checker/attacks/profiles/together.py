"""Judge the attack `profiles` with earlier lists at hand: what all of them say is worked out anew from their files."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from giveaway.checker.attacks.profiles.constraints import (
    CountRow,
    ListTerms,
    absences,
    distribution,
    listed,
    stated,
)
from giveaway.checker.attacks.profiles.judge import (
    JudgedProfiles,
    Said,
    background,
    count_above,
    judged,
    keeps,
    said_now,
)
from giveaway.checker.attacks.profiles.population import Crowd, crowd
from giveaway.checker.check import Check
from giveaway.checker.files.reading import rows as delimited
from giveaway.checker.files.rule_files import (
    HEADER,
    ListedRule,
    read_rules,
    read_statements,
    same_distribution,
)
from giveaway.checker.grouping import Ints
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.checker.together.reading import read_again
from giveaway.checker.together.written import SeenTogether, Some, WrittenNow, every_choice
from giveaway.model.data.table import Table
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.rule import PublishedRules, Statement


def together(written: WrittenNow, promise: Promise) -> Iterator[SeenTogether]:
    """Give what is believed by somebody who knows what some earlier lists said; one more list can lower a chance too."""
    lists_before = [one for one in written.release.earlier if one.linked != "nobody"]
    for one in lists_before:
        if one.changes:
            raise unconfirmed(f"What {one.name} tells of values at another time is not checked.")
    for some in every_choice(lists_before):
        lists = RuleLists(written, promise, some)
        yield SeenTogether(earlier=some, keeps=lists.keeps, adds_nothing=lists.adds_nothing)


class RuleLists:
    """A list of rules next to earlier ones about the same people."""

    def __init__(self, written: WrittenNow, promise: Promise, earlier: Some) -> None:
        self._opened, self._promise, self._earlier = written.opened, promise, earlier
        table = written.release.original
        assert isinstance(table, Table)  # noqa: S101 # rules are of tables
        self._table = table
        self._known = background(written.opened, promise)
        stayed = [_stayed(one, table) for one in earlier]
        self._crowd = crowd(table, tuple(promise.attacker["columns"]), self._known, stayed)
        first = self._crowd.groups.shape[1] - len(stayed)
        self._said = [self._said_by(one, self._crowd.within(first + at)) for at, one in enumerate(earlier)]

    @cached_property
    def _believed(self) -> JudgedProfiles:
        """What is believed by all that is said."""
        return judged(self._crowd, [*self._said, said_now(self._crowd, self._opened, self._promise)])

    def keeps(self) -> bool:
        """Tell whether few enough people are believed to have a value with more than the limit."""
        above, people = count_above(self._believed, self._opened, self._promise)
        return above <= self._promise.tolerance.share * people

    def adds_nothing(self) -> bool:
        """Tell whether nobody over the limit is believed to have a value with more than before.

        Newcomers have the profiles of others, next to whom they would not be told apart.
        """
        if any(one.population.joined for one in self._earlier):
            return False
        whole = self._promise.attacker["whole_numbers"]
        known = Said(rows=[*stated(self._crowd, self._known, self._table, whole=whole)], absent=[])
        before = judged(self._crowd, [*self._said, known])
        return count_above(self._believed, self._opened, self._promise, before)[0] == 0

    def _said_by(self, one: Earlier, there: Crowd) -> Said:
        """Return what an earlier list said of those who were there, by its files."""
        rules, statements = _read(one, self._table)
        published, asked = one.rules, self._promise.attacker
        assert published is not None  # noqa: S101 # it was read
        terms = ListTerms(published, there.people, asked["whole_numbers"])
        silent = asked["non_rules"] and published.complete
        return Said(
            rows=[
                *(listed(there, rule, terms) for rule in rules),
                *stated(there, statements, self._table, whole=terms.whole),
                *self._distribution(one, published, there),
            ],
            absent=list(absences(there, rules, terms)) if silent else [],
        )

    def _distribution(self, one: Earlier, published: PublishedRules, there: Crowd) -> list[CountRow]:
        if published.distribution != "published":
            return []
        file = one.file and one.file.with_name("distribution.csv")
        if one.has_manifest and file is not None and there.people == len(self._table):
            same_distribution(file, self._table)
        return distribution(there)


def _stayed(one: Earlier, table: Table) -> Ints:
    """Return the rows of those who were there when an earlier list was made."""
    joined, left = one.population.joined, one.population.left
    if one.rules is None or left or (isinstance(joined, int) and joined):
        raise unconfirmed(f"Of whom {one.name} tells is not known well enough to check it again.")
    gone = set() if isinstance(joined, int) else {table.row(record) for record in joined}
    return np.array([row for row in range(len(table)) if row not in gone], np.int64)


def _read(one: Earlier, table: Table) -> tuple[Sequence[ListedRule], Sequence[Statement]]:
    """Read the rules and statements of an earlier release from its files."""
    file = one.file
    if file is None:
        raise unconfirmed(f"{one.name} has no file that could be read again.")
    beside = file.with_name("statements.csv") if one.has_manifest else file
    with read_again(one):
        rules = read_rules(file, table) if _is_list(file) else []
        statements = read_statements(beside, table) if one.statements else []
    if one.rules is not None and one.rules.rules and not rules:
        raise unconfirmed(f"The files of {one.name} could not be read again.")
    return rules, statements


def _is_list(file: Path) -> bool:
    return next(iter(delimited(file)), None) == HEADER


CHECK = Check(attack="profiles", form="rules", limits=("attribute",), keeps=keeps, together=together)
