"""Somebody who kept earlier lists of rules about the same people: what they said is known when the new one is read."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.attacks.profiles.question import Question, ask
from giveaway.attacks.together import View, with_files_of
from giveaway.errors import NothingToJudge, ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import some_rows
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Statement
from giveaway.model.release.withheld import Withheld

_MOST = 4
"""How many lists are looked at in all choices of them."""


def views(release: Release, attacker: KnowsProfiles, _: Tolerance) -> tuple[View, ...]:
    """Return the release as somebody reads it who knows what some of the earlier lists said.

    One more list can lower a chance too, so that every choice of them is judged, beside the release alone.
    """
    told = [one for one in release.earlier if one.linked != "nobody"]
    for one in told:
        _check(one)
    if len(told) > _MOST:
        raise NothingToJudge(
            f"{len(told)} earlier lists are named, and every choice of them tells something else.",
            hint=f"name at most {_MOST}.",
        )
    sets = (some for size in range(1, len(told) + 1) for some in combinations(told, size))
    return tuple(_after(release, some, attacker) for some in sets)


def _check(one: Earlier) -> None:
    """Refuse what is not a list of rules, and people who have left: their profiles are not among the data."""
    if one.rules is None:
        raise NothingToJudge(
            f"{one.name} shows rows, and what they tell together with rules is not worked out.",
            hint="ask about the rows with an attack on rows, or leave the release out of earlier.",
        )
    if one.population.left or (isinstance(one.population.joined, int) and one.population.joined):
        raise NothingToJudge(
            f"Since {one.name} people left, or some joined and it is not said who: what the difference tells of them is not worked out.",
            hint="name the records that joined, and publish no list that others have left.",
        )


def _after(release: Release, earlier: Sequence[Earlier], attacker: KnowsProfiles) -> View:
    """Read the release as somebody does who knows earlier lists, and who joined since."""
    alone = replace(release, earlier=())
    said = [statement for one in earlier for statement in _said_by(alone, one, attacker)]
    names = tuple(one.name for one in earlier)
    return View(
        releases=names,
        linked="people",
        release=alone,
        attacker=replace(attacker, background=(*attacker.background, *said)),
        back=partial(_back, release),
        before=replace(
            alone, rules=PublishedRules.none(), statements=(), withheld=Withheld(), stated=Withheld()
        ),
        accepts=all(one.already == "accept" for one in earlier),
        # Newcomers have the profiles of others, next to whom they would not be told apart.
        adds=any(bool(one.population.joined) for one in earlier),
        figures={"said_earlier": len(said)},
        says=with_files_of(names),
    )


def _table(release: Release) -> Table:
    assert isinstance(release.original, Table)  # noqa: S101 # the attack is on tables
    return release.original


def _stayed(release: Release, one: Earlier) -> Ints | None:
    """Return the rows that were there when an earlier list was made, None where all were."""
    table, joined = _table(release), one.population.joined
    if isinstance(joined, int) or not joined:
        return None
    stayed = np.ones(len(table), np.bool_)
    stayed[[table.row(record) for record in joined]] = False
    if not stayed.any():
        raise ScenarioError(f"Everybody joined after {one.name}.", hint='say linked = "nobody".')
    return np.flatnonzero(stayed)


def _said_by(release: Release, one: Earlier, attacker: KnowsProfiles) -> list[Statement]:
    """Return what an earlier list said of those who were there: of each rule in it, and of each that a complete list leaves out."""
    table, rows = _table(release), _stayed(release, one)
    there = table if rows is None else some_rows(Release(table), rows).original
    listed = Release(there, rules=one.rules, statements=one.statements)
    said = [*one.statements, *_bounds(ask(listed, replace(attacker, background=(), ranges_for=())))]
    return said if rows is None else [_among(rows, statement) for statement in said]


def _among(rows: Ints, said: Statement) -> Statement:
    """Return a statement about some rows alone."""
    parts = ("where", "value", "sensitive", "share", "count", "at_least", "at_most")
    return Statement(rows=rows, **{name: getattr(said, name) for name in parts})


def _bounds(question: Question) -> list[Statement]:
    """Return as statements what the distribution, the rules and the rules that are absent said."""
    claims = question.claims
    found = []
    for row in range(len(claims.statements), len(claims)):
        people = int(claims.patterns.people[row])
        low, high = (
            Fraction(float(bound)) / people if np.isfinite(bound) else None
            for bound in (claims.low[row], claims.high[row])
        )
        if low is None and high is None:
            continue
        if row < claims.fixed:
            column, value = question.people.domain.named(int(claims.patterns.answer[row]))
            said = Statement(value=value, sensitive=column, at_least=low, at_most=high)
        else:
            rule = claims.rule(row)
            said = Statement(
                where=dict(rule.condition),
                value=rule.value,
                sensitive=rule.sensitive,
                at_least=low,
                at_most=high,
            )
        found.append(said)
    return found


def _back(release: Release, view: Release) -> Release:
    """Withhold now what a view withholds, which is of the same list."""
    return replace(view, earlier=release.earlier)
