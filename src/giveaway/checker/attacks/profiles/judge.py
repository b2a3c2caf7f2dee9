"""Judge the attack `profiles` by a certificate: what the written rules, and earlier lists, say about everybody is worked out again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.checker.attacks.profiles.constraints import (
    CountRow,
    ListTerms,
    absences,
    distribution,
    listed,
    stated,
)
from giveaway.checker.attacks.profiles.maximum_entropy import BoundRows, Certified, Floats, solve
from giveaway.checker.attacks.profiles.population import Crowd, crowd
from giveaway.checker.check import Check, ReadBack
from giveaway.checker.files.reading import rows as delimited
from giveaway.checker.files.rule_files import (
    HEADER,
    ListedRule,
    expected,
    read_rules,
    read_statements,
    same_distribution,
)
from giveaway.checker.grouping import Flags, Ints
from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.checker.together.reading import read_again
from giveaway.checker.together.written import SeenTogether, Some, WrittenNow, every_choice
from giveaway.model.data.table import Table
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Statement

_NEAR = 1e-7
"""How far a chance may be above the limit: many lie exactly at a published confidence."""

_PRECISE = 1e-6
"""The largest violation, gap and error of a certificate."""

_AT_ONCE = 200
_VIOLATED = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class Said:
    """What a list says of some people: rows that hold, and those that hold by its silence."""

    rows: list[CountRow]
    absent: list[CountRow]


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedProfiles:
    """What everybody is believed to have."""

    crowd: Crowd
    chance: Floats
    """The chance of each answer for each profile."""
    error: float
    """How far it may be from the true one."""


def keeps(opened: ReadBack, promise: Promise) -> bool:
    """Tell whether few enough people are believed to have a value with more than the limit."""
    known = crowd(opened.table, tuple(promise.attacker["columns"]), background(opened, promise))
    believed = judged(known, [said_now(known, opened, promise)])
    above, people = count_above(believed, opened, promise)
    return above <= promise.tolerance.share * people


def background(opened: ReadBack, promise: Promise) -> tuple[Statement, ...]:
    """Return what the attacker knows besides."""
    table = opened.table
    return tuple(known.in_classes(table.classes, table.sensitive) for known in promise.attacker["background"])


def said_now(crowd: Crowd, opened: ReadBack, promise: Promise) -> Said:
    """Return what a release says, and what the attacker knows besides."""
    statements = (*opened.release.published_statements, *background(opened, promise))
    release, rules, asked = opened.release, opened.content, promise.attacker
    published = release.published
    assert isinstance(published, PublishedRules)  # noqa: S101 # called for releases of rules
    terms = ListTerms(published, crowd.people, asked["whole_numbers"])
    silent = asked["non_rules"] and _is_complete(crowd, release, opened.table, terms)
    return Said(
        rows=[
            *(listed(crowd, rule, terms) for rule in rules),
            *stated(crowd, statements, opened.table, whole=terms.whole),
            *(distribution(crowd) if published.distribution == "published" else ()),
        ],
        absent=list(absences(crowd, rules, terms)) if silent else [],
    )


def judged(crowd: Crowd, lists: Sequence[Said]) -> JudgedProfiles:
    """Work out what everybody is believed to have by all that is said."""
    certified = _believed(
        crowd, [row for one in lists for row in one.rows], [row for one in lists for row in one.absent]
    )
    if max(certified.violation, certified.gap, certified.error) > _PRECISE:
        raise disagree("What the rules say could not be worked out again precisely enough.")
    return JudgedProfiles(crowd=crowd, chance=certified.chance @ crowd.answers.T, error=certified.error)


def count_above(
    believed: JudgedProfiles, opened: ReadBack, promise: Promise, before: JudgedProfiles | None = None
) -> tuple[int, int]:
    """Count the people over the limit, and those who are judged at all; next to earlier chances only those that grew."""
    limit = float(promise.tolerance.attribute or 1) + _NEAR + believed.error
    over = believed.chance > limit
    if before is not None:
        over &= believed.chance > before.chance + _NEAR + believed.error + before.error
    return _above(believed.crowd, over, opened.release, opened.table, promise.attacker)


def _is_complete(crowd: Crowd, release: Release, table: Table, terms: ListTerms) -> bool:
    """Tell whether every rule that was withheld from a complete list is below the thresholds that are published."""
    planned = release.rules
    if planned is None or not planned.complete:
        return False
    for rule in release.withheld.rules:
        withheld = expected(rule, replace(planned, scores="withheld"), table)
        members = crowd.members({name: {code} for name, code in withheld.condition})
        holding = crowd.holding[members, crowd.first[withheld.sensitive] + withheld.value].sum()
        if holding >= terms.least(int(crowd.weights[members].sum()))[1]:
            return False
    return True


def _believed(crowd: Crowd, rows: list[CountRow], absent: list[CountRow]) -> Certified:
    """Find the chances; of what is absent, those rows are added that would otherwise be violated."""
    silence = _bounds(crowd, absent)
    most = np.array([float(row.high / crowd.people) for row in absent])
    answers = np.array([row.answer for row in absent], np.int64)
    waiting = np.ones(len(absent), np.bool_)
    start: Floats | None = None
    while True:
        certified = solve(crowd.weights, _bounds(crowd, rows), start)
        shares = certified.chance @ crowd.answers.T * (crowd.weights / crowd.people)[:, None]
        over = (silence.members @ shares)[np.arange(len(absent)), answers] - most
        more = np.flatnonzero((over > _VIOLATED) & waiting)
        more = more[np.argsort(-over[more], kind="stable")][:_AT_ONCE]
        if not len(more):
            return certified
        waiting[more] = False
        rows = rows + [absent[place] for place in more]
        start = np.concatenate([certified.multipliers, np.zeros(len(more))])


def _bounds(crowd: Crowd, rows: Sequence[CountRow]) -> BoundRows:
    from scipy import sparse

    offsets = np.cumsum([0, *(len(row.members) for row in rows)])
    places = np.concatenate([np.zeros(0, np.int64), *(row.members for row in rows)])
    shape = (len(rows), len(crowd.weights))
    return BoundRows(
        members=sparse.csr_array((np.ones(len(places)), places, offsets), shape=shape),
        values=crowd.answers[[row.answer for row in rows]],
        low=[row.low for row in rows],
        high=[row.high for row in rows],
    )


def _above(
    crowd: Crowd, over: Flags, release: Release, table: Table, asked: Mapping[str, Any]
) -> tuple[int, int]:
    """Count the people over a limit, and those who are judged at all."""
    labels = [label for name in table.sensitive for label in table.labels[name]]
    worth = np.array([not release.sensitive_values or label in release.sensitive_values for label in labels])
    complete = np.asarray((crowd.codes >= 0).all(axis=1))
    judged: Flags = complete | (asked["missing_profiles"] != "drop")
    over = over & worth
    if asked["judges"] == "any":
        above = int(crowd.weights[judged & over.any(axis=1)].sum())
    else:
        known = np.concatenate([over, np.zeros((len(over), 1), np.bool_)], axis=1)  # a missing answer is -1
        hit = known[crowd.profile[:, None], crowd.truth].any(axis=1)
        above = int(crowd.number[hit & judged[crowd.profile]].sum())
    return above, int(crowd.weights[judged].sum())


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
