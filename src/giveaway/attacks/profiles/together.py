"""Somebody who kept earlier lists of rules about the same people: what they said is known when the new one is read."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np

from giveaway.attacks.profiles.attacker import KnowsProfiles
from giveaway.attacks.profiles.measure import measure
from giveaway.attacks.profiles.question import ProfilesQuestion, ask
from giveaway.attacks.together import View, not_judged, with_files_of
from giveaway.attacks.wording import listed
from giveaway.errors import NoSafeRelease, NothingToJudge, ScenarioError
from giveaway.model.answer.risk import Risk
from giveaway.model.data.arrays import Ints
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import some_rows, table_of_rows
from giveaway.model.release.release import Release, table_of
from giveaway.model.release.rule import PublishedRules, Statement
from giveaway.model.release.withheld import Withheld

_MOST = 4
"""How many lists are looked at in all choices of them."""


def views(release: Release, attacker: KnowsProfiles, _: Tolerance) -> tuple[View, ...]:
    """Return the release as somebody reads it who knows what some of the earlier lists said.

    One more list can lower a chance too, so that every choice of them is judged, beside the release alone.
    """
    earlier = [one for one in release.earlier if one.linked != "nobody"]
    for one in earlier:
        _check(one)
    if len(earlier) > _MOST:
        raise NothingToJudge(
            f"{len(earlier)} earlier lists are named, and every choice of them tells something else.",
            hint=f"name at most {_MOST}.",
        )
    sets = (some for size in range(1, len(earlier) + 1) for some in combinations(earlier, size))
    return tuple(_looked_at(release, some, attacker) for some in sets)


def _looked_at(release: Release, earlier: Sequence[Earlier], attacker: KnowsProfiles) -> View:
    gone = [one for one in earlier if one.population.left]
    if len(gone) > 1:
        names = [one.name for one in earlier]
        why = NothingToJudge(
            f"People left since {listed([one.name for one in gone])}, and who of them are the same is not known.",
            hint="name one list that others have left.",
        )
        return not_judged(release, attacker, names, "people", with_files_of(names), why)
    return (
        _with_those_who_left(release, earlier, gone[0], attacker)
        if gone
        else _after(release, earlier, attacker)
    )


def _check(one: Earlier) -> None:
    """Refuse what is not a list of rules, and people who joined or left and are not known."""
    if one.rules is None:
        raise NothingToJudge(
            f"{one.name} shows rows, and what they tell together with rules is not worked out.",
            hint="ask about the rows with an attack on rows, or leave the release out of earlier.",
        )
    if one.changes:
        raise NothingToJudge(
            f"Since {one.name} values changed, and what lists of two times tell of what somebody had at some time is not worked out.",
            hint='leave changes out where everybody has the same values; or say linked = "nobody" if no person is in both.',
        )
    people = one.population
    unknown = any(isinstance(who, int) and who for who in (people.joined, people.left))
    if unknown or (people.left and not isinstance(one.original, Table)):
        raise NothingToJudge(
            f"Since {one.name} people left or joined, and it is not said who: what the difference tells of them is not worked out.",
            hint="name the records that joined, and give those that left with all their values.",
        )


def _after(release: Release, earlier: Sequence[Earlier], attacker: KnowsProfiles) -> View:
    """Read the release as somebody does who knows earlier lists, and who joined since."""
    alone = replace(release, earlier=())
    statements = [statement for one in earlier for statement in _said_by(alone, one, attacker)]
    names = tuple(one.name for one in earlier)
    return View(
        releases=names,
        linked="people",
        release=alone,
        attacker=replace(attacker, background=(*attacker.background, *statements)),
        back=partial(_back, release),
        before=replace(
            alone, rules=PublishedRules.none(), statements=(), withheld=Withheld(), stated=Withheld()
        ),
        accepts=all(one.already == "accept" for one in earlier),
        # Newcomers have the profiles of others, next to whom they would not be told apart.
        adds=any(bool(one.population.joined) for one in earlier),
        figures={"said_earlier": len(statements)},
        says=with_files_of(names),
    )


def _with_those_who_left(
    release: Release, earlier: Sequence[Earlier], gone: Earlier, attacker: KnowsProfiles
) -> View:
    """Read the release among everybody who is or was there: the list now is about those of now, an earlier one about those of then."""
    table, size = table_of(release), len(table_of(release))
    every, now = _everybody(table, gone, attacker), np.arange(size)
    alone = replace(release, earlier=())
    known_now = [
        *alone.published_statements,
        *_bounds(ask(alone, replace(attacker, background=(), ranges_for=()))),
    ]
    own = [
        known_then if known_then.rows is not None else _among(now, known_then)
        for known_then in attacker.background
    ]
    known_then = []
    for one in earlier:
        stayed = _stayed(alone, one)
        there = now if stayed is None else stayed
        if one is gone:
            there = np.concatenate([there, np.arange(size, len(every))])
        listed_then = Release(
            some_rows(Release(every), there).original, rules=one.rules, statements=one.statements
        )
        then = ask(listed_then, replace(attacker, background=(), ranges_for=()))
        known_then += [_among(there, one_said) for one_said in (*one.statements, *_bounds(then))]
    before, seen = (
        Release(every, rules=PublishedRules.none(), sensitive_values=release.sensitive_values)
        for _ in range(2)
    )
    reads = {
        id(before): replace(attacker, background=(*own, *known_then)),
        id(seen): replace(attacker, background=(*own, *known_then, *(_among(now, one) for one in known_now))),
    }

    def measured(read: Release, tolerance: Tolerance, effort: Effort) -> Risk:
        return measure(read, reads[id(read)], tolerance, None, effort)

    def not_planned(_: object) -> None:
        raise NoSafeRelease(
            f"Which rules must be withheld now because people left since {gone.name} is not worked out.",
            helps=("Withhold rules or their scores by hand, and assess again.",),
        )

    names = tuple(one.name for one in earlier)
    return View(
        releases=names,
        linked="people",
        release=seen,
        attacker=reads[id(seen)],
        back=lambda protected: protected,
        before=before,
        measured=measured,
        need=not_planned,
        accepts=all(one.already == "accept" for one in earlier),
        adds=True,
        figures={"said_earlier": len(known_then), "left": len(every) - size},
        says=with_files_of(names),
    )


def _everybody(table: Table, gone: Earlier, attacker: KnowsProfiles) -> Table:
    """Return the records of now, and after them those of people who left, in what is known of them and in what is sensitive."""
    then = gone.original
    assert isinstance(then, Table)  # noqa: S101 # it was checked
    assert not isinstance(gone.population.left, int)  # noqa: S101 # they are named
    names = (*attacker.columns, *table.sensitive)
    missing = [name for name in names if name not in then.columns]
    if missing:
        raise ScenarioError(
            f'Those who left since {gone.name} are without the column "{missing[0]}".',
            exists=", ".join(then.columns),
            field="population",
        )
    rows = np.array([then.row(record) for record in gone.population.left], np.int64)
    codes, labels = {}, {}
    for name in names:
        known = {str(label): code for code, label in enumerate(table.labels[name])}
        others = [label for label in then.labels[name] if str(label) not in known]
        known |= {str(label): len(known) + more for more, label in enumerate(others)}
        new = np.array([*(known[str(label)] for label in then.labels[name]), -1], np.int32)
        codes[name] = np.concatenate(
            [table.columns[name][table.record_of], new[then.columns[name][then.record_of[rows]]]]
        )
        labels[name] = (*table.labels[name], *others)
    own = table.ids if table.id is not None else range(1, len(table) + 1)
    who = (*own, *(f"{gone.name}, row {row + 1}" for row in rows.tolist()))
    return table_of_rows(replace(table, id=table.id or "row", ids=who), codes, labels, table.sensitive)


def _stayed(release: Release, one: Earlier) -> Ints | None:
    """Return the rows that were there when an earlier list was made, None where all were."""
    table, joined = table_of(release), one.population.joined
    if isinstance(joined, int) or not joined:
        return None
    stayed = np.ones(len(table), np.bool_)
    stayed[[table.row(record) for record in joined]] = False
    if not stayed.any():
        raise ScenarioError(f"Everybody joined after {one.name}.", hint='say linked = "nobody".')
    return np.flatnonzero(stayed)


def _said_by(release: Release, one: Earlier, attacker: KnowsProfiles) -> list[Statement]:
    """Return what an earlier list said of those who were there: of each rule in it, and of each that a complete list leaves out."""
    table, rows = table_of(release), _stayed(release, one)
    there = table if rows is None else some_rows(Release(table), rows).original
    then = Release(there, rules=one.rules, statements=one.statements)
    statements = [*one.statements, *_bounds(ask(then, replace(attacker, background=(), ranges_for=())))]
    return statements if rows is None else [_among(rows, statement) for statement in statements]


def _among(rows: Ints, statement: Statement) -> Statement:
    """Return a statement about some rows alone."""
    parts = ("where", "value", "sensitive", "share", "count", "at_least", "at_most")
    return Statement(rows=rows, **{name: getattr(statement, name) for name in parts})


def _bounds(question: ProfilesQuestion) -> list[Statement]:
    """Return as statements what the distribution, the rules and the rules that are absent said."""
    claims = question.claims
    statements = []
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
            statement = Statement(value=value, sensitive=column, at_least=low, at_most=high)
        else:
            rule = claims.rule(row)
            statement = Statement(
                where=dict(rule.condition),
                value=rule.value,
                sensitive=rule.sensitive,
                at_least=low,
                at_most=high,
            )
        statements.append(statement)
    return statements


def _back(release: Release, view: Release) -> Release:
    """Withhold now what a view withholds, which is of the same list."""
    return replace(view, earlier=release.earlier)
