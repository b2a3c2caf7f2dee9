"""Judge the attack `profiles` by a certificate: what the written rules say about everybody is worked out again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from giveaway.checker.attacks.profiles.constraints import Row, Terms, absences, distribution, listed, stated
from giveaway.checker.attacks.profiles.maximum_entropy import Bounds, Certified, Floats, solve
from giveaway.checker.attacks.profiles.population import Crowd, crowd
from giveaway.checker.check import Check, Opened
from giveaway.checker.files.rule_files import Listed, expected
from giveaway.checker.grouping import Flags
from giveaway.checker.promise import Promise, disagree
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules

_NEAR = 1e-7
"""How far a chance may be above the limit: many lie exactly at a published confidence."""

_PRECISE = 1e-6
"""The largest violation, gap and error of a certificate."""

_AT_ONCE = 200
_VIOLATED = 1e-12


def keeps(rules: Sequence[Listed], release: Release, table: Table, promise: Promise) -> bool:
    """Tell whether few enough people are believed to have a value with more than the limit."""
    published = release.published
    assert isinstance(published, PublishedRules)  # noqa: S101 # called for releases of rules
    asked = promise.attacker
    background = (said.in_classes(table.classes, table.sensitive) for said in asked["background"])
    statements = (*release.published_statements, *background)
    known = crowd(table, tuple(asked["columns"]), statements)
    terms = Terms(published, known.people, asked["whole_numbers"])
    rows = [
        *(listed(known, rule, terms) for rule in rules),
        *stated(known, statements, table, whole=terms.whole),
    ]
    if published.distribution == "published":
        rows += distribution(known)
    silent = asked["non_rules"] and _is_complete(known, release, table, terms)
    absent = list(absences(known, rules, terms)) if silent else []
    found = _believed(known, rows, absent)
    if max(found.violation, found.gap, found.error) > _PRECISE:
        raise disagree("What the rules say could not be worked out again precisely enough.")
    limit = float(promise.tolerance.attribute or 1) + _NEAR + found.error
    above, judged = _above(known, found.chance @ known.answers.T, release, table, asked, limit)
    return above <= promise.tolerance.share * judged


def _is_complete(crowd: Crowd, release: Release, table: Table, terms: Terms) -> bool:
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


def _believed(crowd: Crowd, rows: list[Row], absent: list[Row]) -> Certified:
    """Find the chances; of what is absent, those rows are added that would otherwise be violated."""
    silence = _bounds(crowd, absent)
    most = np.array([float(row.high / crowd.people) for row in absent])
    answers = np.array([row.answer for row in absent], np.int64)
    waiting = np.ones(len(absent), np.bool_)
    start: Floats | None = None
    while True:
        found = solve(crowd.weights, _bounds(crowd, rows), start)
        shares = found.chance @ crowd.answers.T * (crowd.weights / crowd.people)[:, None]
        over = (silence.members @ shares)[np.arange(len(absent)), answers] - most
        more = np.flatnonzero((over > _VIOLATED) & waiting)
        more = more[np.argsort(-over[more], kind="stable")][:_AT_ONCE]
        if not len(more):
            return found
        waiting[more] = False
        rows = rows + [absent[place] for place in more]
        start = np.concatenate([found.multipliers, np.zeros(len(more))])


def _bounds(crowd: Crowd, rows: Sequence[Row]) -> Bounds:
    from scipy import sparse

    offsets = np.cumsum([0, *(len(row.members) for row in rows)])
    places = np.concatenate([np.zeros(0, np.int64), *(row.members for row in rows)])
    shape = (len(rows), len(crowd.weights))
    return Bounds(
        members=sparse.csr_array((np.ones(len(places)), places, offsets), shape=shape),
        values=crowd.answers[[row.answer for row in rows]],
        low=[row.low for row in rows],
        high=[row.high for row in rows],
    )


def _above(
    crowd: Crowd, chance: Floats, release: Release, table: Table, asked: Mapping[str, Any], limit: float
) -> tuple[int, int]:
    """Count the people over a limit, and those who are judged at all."""
    labels = [label for name in table.sensitive for label in table.labels[name]]
    worth = np.array([not release.sensitive_values or label in release.sensitive_values for label in labels])
    complete = np.asarray((crowd.codes >= 0).all(axis=1))
    judged: Flags = complete | (asked["missing_profiles"] != "drop")
    over = (chance > limit) & worth
    if asked["judges"] == "any":
        above = int(crowd.weights[judged & over.any(axis=1)].sum())
    else:
        known = np.concatenate([over, np.zeros((len(over), 1), np.bool_)], axis=1)  # a missing answer is -1
        hit = known[crowd.profile[:, None], crowd.truth].any(axis=1)
        above = int(crowd.number[hit & judged[crowd.profile]].sum())
    return above, int(crowd.weights[judged].sum())


def _keeps(opened: Opened, promise: Promise) -> bool:
    table = opened.release.original
    assert isinstance(table, Table)  # noqa: S101 # called for tables
    return keeps(opened.content, opened.release, table, promise)


CHECK = Check(attack="profiles", form="rules", limits=("attribute",), keeps=_keeps)
