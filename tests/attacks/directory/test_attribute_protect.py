"""No release that is called safe tells more of a sensitive value than allowed, in any world that looks like it."""

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import giveaway as ga

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


@settings(max_examples=250)
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
    [
        ("xx xx xy yx yy yy", "7/10", {}),
        ("xx xx xy xy yx yx yy", "4/5", {}),
        ("xx xx xy yx yy yy", "7/10", {"judges": "true"}),
    ],
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


@settings(max_examples=60)
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
        assert not over(rows, forms, told, limit * found.release.earlier_plans_fail, places)
        assert crowd(forms, places) >= 2
