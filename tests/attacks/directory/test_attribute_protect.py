"""No release that is called safe tells more of a sensitive value than allowed, in any world that looks like it."""

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import first, sized

import giveaway as ga
from giveaway.attacks.directory.protecting.public_list import larger_crowds
from giveaway.attacks.directory.question import ask
from giveaway.checker.attacks.directory.asked import asked_of

Row = tuple[str, ...]
NAMES = ("a", "b")

values = st.sampled_from(["x", "y"])
rows_of_three = st.lists(st.tuples(values, values, st.sampled_from("uvw")), min_size=3, max_size=6)


def table(rows: Sequence[Row]) -> ga.Table:
    return ga.Table.from_rows([dict(zip((*NAMES, "s"), row, strict=True)) for row in rows], sensitive="s")


def forms_of(found: ga.Assessment, rows: Sequence[Row]) -> list[Row]:
    """Return what each row shows of the columns compared: coarser labels stand behind a mark."""
    hidden, coarser = (
        set(found.release.hidden),
        {(row, name): level for row, name, level in found.release.coarser},
    )
    return [
        tuple(
            "" if (at, name) in hidden else f"{coarser[at, name]}*" if (at, name) in coarser else value
            for name, value in zip(NAMES, row, strict=False)
        )
        for at, row in enumerate(rows, 1)
    ]


def published(found: ga.Assessment) -> list[Row]:
    """Write the release, which the checker reads back, and return what stands in the file."""
    with TemporaryDirectory() as folder:
        found.publish(Path(folder) / "out")
        lines = (Path(folder) / "out" / "release.jsonl").read_text().splitlines()
    return [tuple(value or "" for value in json.loads(line).values()) for line in lines]


def over(
    known: Sequence[Row], forms: Sequence[Row], told: Sequence[str], limit: Fraction, places: Sequence[int]
) -> int:
    """Count the people of whom a value is likelier than the limit, by all ways to match rows with people.

    Somebody knows the profiles of all people in some columns, and how many of each profile carry each form.
    """
    people = [tuple(row[place] for place in places) for row in known]
    shown = [tuple(form[place] for place in places) for form in forms]
    split = Counter(zip(people, shown, strict=True))
    ways, hits = 0, Counter[tuple[int, str]]()
    for whose in permutations(range(len(people))):
        if Counter((people[who], form) for who, form in zip(whose, shown, strict=True)) == split:
            ways += 1
            hits.update(zip(whose, told, strict=True))
    return len({who for (who, _), count in hits.items() if Fraction(count, ways) > limit})


def crowd(forms: Sequence[Row], places: Sequence[int]) -> int:
    return min(Counter(tuple(form[place] for place in places) for form in forms).values())


@sized(250)
@given(
    rows=rows_of_three,
    limit=st.sampled_from(["1/2", "2/3", "3/4"]),
    identity=st.sampled_from([None, "1/2"]),
    share=st.sampled_from(["0", "1/3"]),
    at_most=st.sampled_from([None, 1, 2]),
    marks=st.sets(st.tuples(st.integers(1, 3), st.sampled_from(NAMES)), max_size=1),
    always=st.booleans(),
    levels=st.booleans(),
)
def test_no_safe_release_tells_too_much_in_any_world(
    rows: list[Row],
    limit: str,
    identity: str | None,
    share: str,
    at_most: int | None,
    marks: set[tuple[int, str]],
    always: bool,
    levels: bool,
) -> None:
    """Where the first plan is published its choice tells nothing; marks are taken as known."""
    tolerance = ga.Tolerance(attribute=limit, identity=identity, share=share)
    try:
        found = ga.protect(
            ga.Release(table(rows), must_publish=marks),
            ga.KnowsDirectory(columns=NAMES, at_most=at_most),
            tolerance,
            need=ga.NeedsColumns(always=["a"]) if always else None,
            **({"directory": {"method": "levels", "suppress": "1/3"}} if levels else {}),
        )
    except ga.NoSafeRelease:
        return
    assert found.verdict == "safe"
    forms = forms_of(found, rows)
    assert Counter(published(found)) == Counter(
        (*form, row[-1]) for form, row in zip(forms, rows, strict=True)
    )
    assert all(form[NAMES.index(name)] for (at, name), form in ((mark, forms[mark[0] - 1]) for mark in marks))
    fail = found.release.earlier_plans_fail
    known = [(*row[:2], *(str((at, name) in marks) for name in NAMES)) for at, row in enumerate(rows, 1)]
    most = 2 if at_most is None else at_most
    for places in (chosen for size in range(most + 1) for chosen in combinations(range(2), size)):
        if len(places) < 2 and at_most is None:
            continue
        views = over(known, forms, [row[-1] for row in rows], tolerance.attribute * fail, places)
        assert views <= tolerance.share * len(rows)
        if identity is not None and not tolerance.share:
            assert crowd(forms, places) >= 2


# The whole rule: theorem 3 ---------------------------------------------------------------------------------------

Seen = tuple[Fraction, frozenset[tuple[Row, int]]]
"""How likely earlier plans were said to fail, and how many rows have each form and value."""


def outcome(rows: Sequence[Row], limit: str, **how: Any) -> Seen | None:
    """Return what is published of a table, None where nothing is; that the first plan failed is seen too."""
    try:
        found = ga.protect(
            ga.Release(table(rows)), ga.KnowsDirectory(columns=NAMES, **how), ga.Tolerance(attribute=limit)
        )
    except ga.NoSafeRelease:
        return None
    forms = zip(forms_of(found, rows), rows, strict=True)
    tried = Fraction(found.release.earlier_plans_fail < 1)
    return tried, frozenset(Counter((*form, row[-1]) for form, row in forms).items())


@pytest.mark.parametrize(
    ("people", "limit", "how"),
    first(
        1,
        [
            ("xx xx xy yx yy yy", "7/10", {}),
            ("xx xx xy xy yx yx yy", "4/5", {}),
            ("xx xx xy yx yy yy", "7/10", {"judges": "true"}),
        ],
    ),
)
def test_that_a_larger_crowd_was_tried_tells_no_more_than_allowed(
    people: str, limit: str, how: dict[str, Any]
) -> None:
    """All ways to give people one of two values are equally likely before; the rule decides what is seen of each."""
    profiles = [tuple(word) for word in people.split()]
    worlds: dict[Seen, list[tuple[str, ...]]] = {}
    for held in product("uv", repeat=len(profiles)):
        rows = [(*profile, value) for profile, value in zip(profiles, held, strict=True)]
        seen = outcome(rows, limit, **how)
        if seen is not None:
            worlds.setdefault(seen, []).append(held)
    assert any(tried for tried, _ in worlds)
    for every in worlds.values():
        for person in range(len(profiles)):
            likely = max(Counter(held[person] for held in every).values())
            assert Fraction(likely, len(every)) <= Fraction(limit)


def test_that_a_larger_crowd_was_tried_does_not_tell_whose_record_it_is() -> None:
    """What is chosen by values tells something of who has them, and so of which record is whose."""
    profiles = [tuple(word) for word in ["xx", "xy", "yx", "yx", "yy"]]
    tolerance = ga.Tolerance(attribute="3/4")
    worlds: dict[Seen, list[list[Row]]] = {}
    said: dict[Seen, Fraction] = {}
    for held in product("uv", repeat=len(profiles)):
        rows = [(*profile, value) for profile, value in zip(profiles, held, strict=True)]
        try:
            found = ga.protect(ga.Release(table(rows)), ga.KnowsDirectory(columns=NAMES), tolerance)
        except ga.NoSafeRelease:
            continue
        shown = [(*form, row[-1]) for form, row in zip(forms_of(found, rows), rows, strict=True)]
        fail = found.release.earlier_plans_fail
        seen = Fraction(fail < 1), frozenset(Counter(shown).items())
        worlds.setdefault(seen, []).append(shown)
        said[seen] = min(Fraction(1), Fraction(1, crowd(forms_of(found, rows), range(2))) / fail)
    assert any(tried for tried, _ in worlds)
    for seen, every in worlds.items():
        for person, row in product(range(len(profiles)), dict(seen[1])):
            mine = sum(shown[person] == row for shown in every)
            assert Fraction(mine, len(every) * dict(seen[1])[row]) <= said[seen]


def test_the_values_decide_nothing_where_several_attackers_are_asked_about() -> None:
    """All arrangements of the values lead to the same forms, which so tell nothing but what they show."""
    profiles = [tuple(word) for word in ["xx", "xx", "xy", "xy", "yx", "yx", "yx"]]
    attackers = [ga.KnowsDirectory(columns=NAMES), ga.KnowsDirectory(columns=NAMES)]
    limits = [ga.Tolerance(attribute="4/5"), ga.Tolerance(identity="1/4", attribute="4/5")]
    forms = set()
    for held in ("uvvvuuv", "uuvvuuu", "uvuvuvu", "vvuuvvv"):
        rows = [(*profile, value) for profile, value in zip(profiles, held, strict=True)]
        for order in (1, -1):
            try:
                found = ga.protect(ga.Release(table(rows)), attackers[::order], limits[::order])
            except ga.NoSafeRelease:
                continue
            assert found.release.earlier_plans_fail == 1
            forms.add(frozenset(Counter(zip(profiles, forms_of(found, rows), strict=True)).items()))
    assert len(forms) == 1


def test_what_a_failure_tells_belongs_to_the_release_and_to_the_columns_known() -> None:
    rows = [tuple(word) for word in ["xxu", "xxv", "xyv", "xyv", "yxu", "yxu", "yxv"]]
    attacker, tolerance = ga.KnowsDirectory(columns=NAMES), ga.Tolerance(attribute="4/5")
    found = ga.protect(ga.Release(table(rows)), attacker, tolerance)
    assert found.release.earlier_plans is not None
    assert ga.assess(found.release, ga.KnowsDirectory(columns=NAMES), tolerance).verdict == "safe"
    # More is withheld afterwards: all arrangements of all values look the same then, and in 23 of 35 the first plan fails.
    blank = ga.Withheld(
        cells=[(row, name) for row in range(1, 8) for name in NAMES if (row, name) != (1, "a")]
    )
    later = found.release.withholding(blank)
    assert later.earlier_plans_fail < Fraction(23, 35) < found.release.earlier_plans_fail
    other = ga.KnowsDirectory(columns=NAMES, at_most=1)
    assert ga.assess(found.release, other, tolerance).verdict == "cannot judge"
    with pytest.raises(ga.NoSafeRelease, match="decided before"):
        ga.protect(found.release, attacker, ga.Tolerance(attribute="3/5"))
    for one, fail in ((attacker, found.release.earlier_plans_fail), (other, 0)):
        assert asked_of(vars(one), found.release, table(rows)).earlier_plans_fail == fail


@sized(60)
@given(rows=st.lists(st.tuples(values, values, st.sampled_from("uv")), min_size=4, max_size=6))
def test_two_attackers_are_each_told_little_enough(rows: list[Row]) -> None:
    limit = Fraction(2, 3)
    attackers = [ga.KnowsDirectory(columns=["a"]), ga.KnowsDirectory(columns=["b"])]
    try:
        found = ga.protect(ga.Release(table(rows)), attackers, ga.Tolerance(attribute=limit, identity="1/2"))
    except ga.NoSafeRelease:
        return
    forms, told = forms_of(found, rows), [row[-1] for row in rows]
    assert Counter(published(found)) == Counter((*form, one) for form, one in zip(forms, told, strict=True))
    for places in ([0], [1]):
        assert not over(rows, forms, told, limit, places)
        assert crowd(forms, places) >= 2


def test_what_is_true_is_judged_only_where_the_release_shows_it() -> None:
    """One ay among two of five ax, shown as v v w: were v the value of ay, it would be over the limit and not published."""
    rows = [tuple(word) for word in ("ayw", "axv", "axv", "axw", "axu", "axu")]
    release = ga.Release(
        ga.Table.from_rows([dict(zip((*NAMES, "s"), row, strict=True)) for row in rows], sensitive="s"),
        ga.Withheld(cells=[(1, "b"), (2, "b"), (3, "b")]),
        stated=ga.Withheld(),
    )
    attacker, tolerance = ga.KnowsDirectory(columns=NAMES, judges="true"), ga.Tolerance(attribute="3/5")
    assert ga.assess(release, attacker, tolerance).verdict == "at risk"
    assert (
        over(
            [row[:2] for row in rows],
            forms_of(ga.assess(release, attacker, tolerance), rows),
            [row[-1] for row in rows],
            tolerance.attribute,
            [0, 1],
        )
        == 1
    )


def test_the_ledger_counts_people_of_whom_too_much_was_told() -> None:
    """Both people with xy have the same value, until too much is blank to tell them from others."""
    rows = [tuple(word) for word in ("xxu", "xxv", "xyv", "xyv", "yxu", "yxu", "yxv", "yxv")]
    found = ga.protect(
        ga.Release(table(rows)), ga.KnowsDirectory(columns=NAMES), ga.Tolerance(attribute="4/5")
    )
    protection = found.findings[0].protection
    assert protection is not None
    (curve,) = protection.curves
    assert curve.y_label == "share of people over the limit"
    assert (curve.y[0], curve.y[-1]) == (2 / 8, 0)
    assert sum(line.removed for line in protection.ledger) == 2


def test_what_must_not_decide_is_judged_at_the_end() -> None:
    """All with the same values have the same illness, and nobody may put them together because of that."""
    rows = [tuple(word) for word in ("xxu", "xxu", "yyv", "yyv")]
    attackers = [ga.KnowsDirectory(columns=NAMES), ga.KnowsDirectory(columns=NAMES, at_most=1)]
    limits = ga.Tolerance(identity="1/2", attribute="2/3")
    with pytest.raises(ga.NoSafeRelease, match="several attackers") as refused:
        ga.protect(ga.Release(table(rows)), attackers, limits)
    assert refused.value.assessment is not None
    assert refused.value.assessment.verdict == "at risk"


@pytest.mark.parametrize(
    ("listed", "at_most", "said"), [(False, 1, "some of the columns"), (True, None, "another directory")]
)
def test_a_refusal_says_why_larger_crowds_are_not_tried(listed: bool, at_most: int | None, said: str) -> None:
    rows = [tuple(word) for word in ("xxu", "xxu", "xxu", "yyv", "yyv", "yyv")]
    people = pl.DataFrame([row[:2] for row in rows], schema=list(NAMES), orient="row")
    attacker = ga.KnowsDirectory(people=people if listed else None, columns=NAMES, at_most=at_most)
    with pytest.raises(ga.NoSafeRelease, match=said):
        ga.protect(ga.Release(table(rows)), attacker, ga.Tolerance(identity="1/2", attribute="2/3"))


def test_larger_crowds_are_tried_only_where_it_is_worked_out_what_that_tells() -> None:
    rows = table([tuple(word) for word in ["xyu", "yyv", "yxu", "yxv", "yxv", "yxu"]])
    hidden = ga.Release(rows, ga.Withheld(cells=[(3, "s")]), stated=ga.Withheld())
    whole, some = ga.KnowsDirectory(columns=NAMES), ga.KnowsDirectory(columns=NAMES, at_most=1)
    asked = [ask(*one) for one in ((ga.Release(rows), whole), (hidden, whole), (ga.Release(rows), some))]
    assert [list(larger_crowds(question, 1, 6)) for question in asked] == [[3], [], []]
    with pytest.raises(ga.NoSafeRelease, match="worked out where sensitive entries are hidden"):
        ga.protect(hidden, whole, ga.Tolerance(attribute="3/4"))
