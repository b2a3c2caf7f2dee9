"""Somebody who knows the method: no release that is called safe is over the limit in any world that fits it."""

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.directory.test_informed_checker import opened
from tests.sizes import sized

import giveaway as ga
from giveaway.checker.attacks.directory import judge
from giveaway.checker.promise import Promise

Row = tuple[str, ...]

NAMES = ("a", "b", "c")


def table(rows: Sequence[Row], **how: Any) -> ga.Table:
    """Make a table of rows; an empty text is a missing value."""
    made = [{name: value or None for name, value in zip(NAMES, row, strict=False)} for row in rows]
    return ga.Table.from_rows(made, **how)


def published(found: ga.Assessment) -> list[Row]:
    """Return the rows that are released, which the checker confirms."""
    release = found.release
    assert isinstance(release.original, ga.Table)
    for one in found.findings:
        promise = Promise(attack="directory", attacker=vars(one.attacker), tolerance=one.tolerance)
        assert judge.keeps(opened(release, release.original), promise)
    return [tuple(value or "" for value in row.values()) for row in found.released()]


def written(found: ga.Assessment) -> list[Row]:
    """Read the rows of the written file back."""
    with TemporaryDirectory() as folder:
        found.publish(Path(folder) / "out")
        lines = (Path(folder) / "out" / "release.jsonl").read_text().splitlines()
    return [tuple(value or "" for value in json.loads(line).values()) for line in lines]


def names_of(rows: Sequence[Row]) -> list[str]:
    return list(NAMES[: len(rows[0])])


def chances(people: Sequence[Row], forms: Sequence[Row], split: Counter[tuple[Row, Row]]) -> Fraction:
    """Go through all ways to match published rows with people that the split of profiles allows: the worst chance.

    Which members of a profile carry which form is drawn, so that all these ways are equally likely.
    """
    ways, hits = 0, Counter[tuple[int, int]]()
    for whose in permutations(range(len(people))):
        if Counter((people[who], form) for who, form in zip(whose, forms, strict=True)) == split:
            ways += 1
            hits.update(enumerate(whose))
    return max((Fraction(count, ways) for count in hits.values()), default=Fraction(0))


def split_of(found: ga.Assessment, rows: Sequence[Row]) -> Counter[tuple[Row, Row]]:
    """Count how many people with some values are published in which form."""
    hidden = found.release.hidden
    marks = [set(hidden.positions(name).tolist()) for name in names_of(rows)]
    forms = [
        tuple("" if at in gone else value for value, gone in zip(row, marks, strict=True))
        for at, row in enumerate(rows)
    ]
    return Counter(zip(rows, forms, strict=True))


values = st.sampled_from(["x", "y", "z"])


@st.composite
def small_tables(draw: st.DrawFn, most: int = 6) -> list[Row]:
    width = draw(st.integers(1, 3))
    return draw(st.lists(st.tuples(*[values] * width), min_size=2, max_size=most))


@sized(150)
@given(small_tables(), st.integers(2, 3))
def test_no_chance_of_a_safe_release_is_above_the_limit_in_any_world(rows: list[Row], crowd: int) -> None:
    attacker, limit = ga.KnowsDirectory(columns=names_of(rows)), Fraction(1, crowd)
    try:
        found = ga.protect(ga.Release(table(rows)), attacker, ga.Tolerance(identity=limit))
    except ga.NoSafeRelease:
        return
    forms = published(found)
    split = split_of(found, rows)
    assert Counter(forms) == Counter(form for _, form in split.elements())
    assert chances(rows, forms, split) <= limit
    assert min(Counter(forms).values()) >= crowd


@sized(100)
@given(small_tables(), st.integers(2, 3), st.randoms(use_true_random=False))
def test_whoever_makes_the_release_again_gets_the_same_forms_for_the_same_values(
    rows: list[Row], crowd: int, random: Any
) -> None:
    attacker, limit = ga.KnowsDirectory(columns=names_of(rows)), ga.Tolerance(identity=Fraction(1, crowd))
    shuffled = random.sample(rows, len(rows))
    splits = []
    for order in (rows, shuffled):
        try:
            splits.append(split_of(ga.protect(ga.Release(table(order)), attacker, limit), order))
        except ga.NoSafeRelease:
            splits.append(Counter())
    assert splits[0] == splits[1]


@sized(150)
@given(
    small_tables(5), st.lists(st.tuples(values, values, values), min_size=2, max_size=6), st.integers(2, 3)
)
def test_in_another_directory_enough_people_would_look_like_every_record(
    rows: list[Row], others: list[Row], crowd: int
) -> None:
    width = len(rows[0])
    listed = [*rows, *(row[:width] for row in others)]
    attacker = ga.KnowsDirectory(people=_directory(listed), columns=names_of(rows))
    try:
        found = ga.protect(ga.Release(table(rows)), attacker, ga.Tolerance(identity=Fraction(1, crowd)))
    except ga.NoSafeRelease:
        return
    forms = published(found)
    shown = _shown_by_plan(found, listed, rows)
    by_form = Counter(shown)
    for row, form in split_of(found, rows):
        assert shown[listed.index(row)] == form
    assert all(by_form[form] >= crowd for form in forms)


def _directory(listed: Sequence[Row]) -> ga.Table:
    made = [dict(zip(NAMES, row, strict=False)) | {"who": str(at)} for at, row in enumerate(listed)]
    return ga.Table.from_rows(made, id="who")


def _shown_by_plan(found: ga.Assessment, listed: Sequence[Row], rows: Sequence[Row]) -> list[Row]:
    """Return what the record of everybody listed would show."""
    if not found.release.plans:
        return list(listed)
    (plan,) = found.release.plans
    entry_of = {
        tuple(plan.people.labels[name][plan.people.columns[name][at]] for name in names_of(rows)): at
        for at in range(len(plan.people.alone))
    }
    return [
        tuple("" if plan.levels[entry_of[row], place] < 0 else value for place, value in enumerate(row))
        for row in listed
    ]


def test_the_rows_of_the_papers_rule_are_matched_one_to_one() -> None:
    """Three blanks are enough for people who agree, and the first record is then certain (ax ay by, k = 2)."""
    rows = [("a", "x"), ("a", "y"), ("b", "y")]
    limit = ga.Tolerance(identity="1/2")
    least = ga.protect(
        ga.Release(table(rows)), ga.KnowsDirectory(columns=["a", "b"], knows_method=False), limit
    )
    assert len(least.withheld.cells) == 3
    assert ga.assess(least.release, ga.KnowsDirectory(columns=["a", "b"]), limit).verdict == "at risk"
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(ga.Release(table(rows)), ga.KnowsDirectory(columns=["a", "b"]), limit)


TINY = [
    (2, "ab bb bc bc", 2, 2),
    (2, "aa ab ba cb", 4, 4),
    (2, "aa bb bc bc ca cc", 6, 5),
    (2, "aa aa ba bb bb bc", 2, 2),
    (2, "aa ab ab ba", 2, 2),
]


@pytest.mark.parametrize(("crowd", "text", "blanks", "bound"), TINY)
def test_tiny_tables_cost_what_exhaustive_search_finds(
    crowd: int, text: str, blanks: int, bound: int
) -> None:
    rows = [tuple(word) for word in text.split()]
    attacker = ga.KnowsDirectory(columns=names_of(rows))
    found = ga.protect(ga.Release(table(rows)), attacker, ga.Tolerance(identity=Fraction(1, crowd)))
    assert len(found.withheld.cells) == blanks
    assert sorted(written(found)) == sorted(published(found))
    figures = found.findings[0].protection.figures
    assert bound <= figures["lower_bound"] <= blanks


def test_a_blank_matches_blanks_only_and_missing_values_are_blanks() -> None:
    rows = [("a", "x"), ("a", ""), ("a", ""), ("a", "x"), ("a", "y")]
    found = ga.assess(
        ga.Release(table(rows)), ga.KnowsDirectory(columns=["a", "b"]), ga.Tolerance(identity="1/2")
    )
    figures = found.findings[0].risk.figures
    assert (figures["smallest_crowd"], figures["records_below_crowd"], figures["forms"]) == (1, 1, 3)
    assert [one.target for one in found.exposures[:1]] == [5]
    assert found.exposures[0].because == "Only this record shows exactly this a and b."


def test_the_plan_does_not_look_at_who_has_a_record() -> None:
    """Directory ay ax ax, one record: to blank b for ay alone would tell, though three people agree."""
    people = _directory([("a", "y"), ("a", "x"), ("a", "x")])
    limit = ga.Tolerance(identity="1/2")
    shown = {}
    for record in (("a", "y"), ("a", "x")):
        attacker = ga.KnowsDirectory(people=people, columns=["a", "b"])
        found = ga.protect(ga.Release(table([record] * 2)), attacker, limit)
        shown[record] = published(found)[0]
    assert set(shown.values()) == {("a", "")}


def test_weights_and_averages_are_judged_on_crowds() -> None:
    rows = [("x", "x")] * 4 + [("x", "y")] * 2 + [("x", "z")] * 2
    attacker = ga.KnowsDirectory(columns=["a", "b"])
    found = ga.assess(ga.Release(table(rows)), attacker, ga.Tolerance(average="3/8"))
    assert found.findings[0].risk.average == Fraction(3, 8)
    assert found.verdict == "safe"
    assert ga.assess(ga.Release(table(rows)), attacker, ga.Tolerance(average="1/4")).verdict == "at risk"
    safer = ga.protect(ga.Release(table(rows)), attacker, ga.Tolerance(average="1/4"))
    assert safer.findings[0].risk.average == Fraction(1, 4)
    assert len(safer.withheld.cells) == 4


@st.composite
def marked_tables(draw: st.DrawFn) -> tuple[list[Row], list[tuple[int, str]]]:
    rows = draw(st.lists(st.tuples(values, values, values), min_size=3, max_size=6))
    cells = st.tuples(st.integers(1, len(rows)), st.sampled_from(NAMES))
    return rows, draw(st.lists(cells, max_size=2))


@sized(100)
@given(marked_tables(), st.sampled_from([None, 1, 2]), st.booleans())
def test_marks_and_needs_are_part_of_the_profile(
    marked: tuple[list[Row], list[tuple[int, str]]], per_record: int | None, always: bool
) -> None:
    """Entries that must be published steer the plan, and who has such a mark is taken as known."""
    rows, marks = marked
    need = ga.NeedsColumns(per_record=per_record, always=["a"] if always else ())
    release = ga.Release(table(rows), must_publish=marks)
    try:
        found = ga.protect(release, ga.KnowsDirectory(columns=NAMES), ga.Tolerance(identity="1/2"), need=need)
    except ga.NoSafeRelease:
        return
    forms = published(found)
    hidden = set(found.withheld.cells)
    assert not hidden & set(marks)
    assert not (always and any(name == "a" for _, name in hidden))
    assert all(sum(map(bool, form)) >= (per_record or 0) for form in forms)
    known = [(*row, *(str((at + 1, name) in marks) for name in NAMES)) for at, row in enumerate(rows)]
    split = Counter(zip(known, (form for _, form in _in_rows(found, rows)), strict=True))
    assert chances(known, [form for _, form in _in_rows(found, rows)], split) <= Fraction(1, 2)


def _in_rows(found: ga.Assessment, rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Return what each row has and shows."""
    marks = [set(found.release.hidden.positions(name).tolist()) for name in names_of(rows)]
    return [
        (row, tuple("" if at in gone else value for value, gone in zip(row, marks, strict=True)))
        for at, row in enumerate(rows)
    ]


@pytest.mark.parametrize("need", [{"total": 7}, {"per_record": 2}, {"per_column": 3}])
def test_what_is_needed_is_published_or_nothing_is(need: dict[str, int]) -> None:
    """In crowds of two, each of xx, xy, yx and yy shows one value, all of the same column."""
    rows = table([("x", "x"), ("x", "y"), ("y", "x"), ("y", "y")])
    release = ga.Release(rows)
    attacker, limit = ga.KnowsDirectory(columns=["a", "b"]), ga.Tolerance(identity="1/2")
    assert len(ga.protect(release, attacker, limit).withheld.cells) == 4
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(release, attacker, limit, need=ga.NeedsColumns(**need))
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(ga.Release(rows, must_publish=[(1, "a"), (1, "b")]), attacker, limit)


@sized(100)
@given(st.lists(st.tuples(values, values, values), min_size=3, max_size=6))
def test_two_attackers_with_other_columns_are_each_within_the_limit(rows: list[Row]) -> None:
    attackers = [ga.KnowsDirectory(columns=["a", "b"]), ga.KnowsDirectory(columns=["b", "c"])]
    try:
        found = ga.protect(ga.Release(table(rows)), attackers, ga.Tolerance(identity="1/2"))
    except ga.NoSafeRelease:
        return
    forms = published(found)
    for part in (slice(0, 2), slice(1, 3)):
        people = [row[part] for row in rows]
        split = Counter((own[part], form[part]) for own, form in _in_rows(found, rows))
        assert min(Counter(form[part] for form in forms).values()) >= 2
        assert chances(people, [form[part] for form in forms], split) <= Fraction(1, 2)


@sized(100)
@given(small_tables(), st.sampled_from(["1/4", "1/3", "1/2"]))
def test_a_share_leaves_whole_profiles_over_the_limit_and_no_more_than_tolerated(
    rows: list[Row], share: str
) -> None:
    tolerance = ga.Tolerance(identity="1/2", share=share)
    try:
        found = ga.protect(ga.Release(table(rows)), ga.KnowsDirectory(columns=names_of(rows)), tolerance)
    except ga.NoSafeRelease:
        return
    forms = Counter(published(found))
    alone = {form for form, count in forms.items() if count < 2}
    assert sum(forms[form] for form in alone) <= tolerance.share * len(rows)
    by_profile: dict[Row, set[Row]] = {}
    for own, form in _in_rows(found, rows):
        by_profile.setdefault(own, set()).add(form)
    assert all(len(shown) == 1 for shown in by_profile.values() if shown & alone)


def test_what_crowds_have_in_common_is_told_and_not_judged() -> None:
    rows = [{"zip": zip_, "ill": ill} for zip_, ill in ("1f", "1f", "1f", "1g", "2f", "2g", "2g", "2h")]
    release = ga.Release(ga.Table.from_rows(rows, sensitive="ill"))
    found = ga.assess(release, ga.KnowsDirectory(columns=["zip"]), ga.Tolerance(identity="1/4"))
    assert found.verdict == "safe"
    assert found.findings[0].risk.figures["worst_attribute"] == Fraction(3, 4)
    assert "what everybody who fits has in common" in str(found)


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"withheld": ga.Withheld(cells=[(1, "b"), (3, "b")])},
        {"sensitivity": ga.Sensitivity(columns={"s": 1})},
    ],
)
def test_no_bound_is_above_what_is_withheld(how: dict[str, Any]) -> None:
    """What is withheld already, and columns that weigh without being compared, are not counted twice."""
    rows = [{"a": a, "b": b, "s": "q"} for a, b in ("ax", "ay", "ax", "by", "ay", "bx")]
    release = ga.Release(ga.Table.from_rows(rows, sensitive="s"), **how)
    found = ga.protect(release, ga.KnowsDirectory(columns=["a", "b"]), ga.Tolerance(identity="1/2"))
    figures = found.findings[0].protection.figures
    assert figures["lower_bound"] == len(found.withheld.cells)
    assert figures["price_of_secrecy"] == 1


def test_an_average_that_asks_for_more_does_not_raise_the_bound() -> None:
    rows = [("x", "x")] * 4 + [("x", "y")] * 2 + [("x", "z")] * 2
    tolerance = ga.Tolerance(identity="1/2", average="1/4")
    found = ga.protect(ga.Release(table(rows)), ga.KnowsDirectory(columns=["a", "b"]), tolerance)
    assert len(found.withheld.cells) == 4
    assert found.findings[0].protection.figures["lower_bound"] == 0


def test_a_plan_on_a_directory_never_breaks_marks_and_a_refusal_is_never_called_safe() -> None:
    people = _directory([("a", "y"), ("a", "x"), ("a", "x")])
    attacker, limit = ga.KnowsDirectory(people=people, columns=["a", "b"]), ga.Tolerance(identity="1/2")
    release = ga.Release(table([("a", "x"), ("a", "x")]), must_publish=[(1, "b")])
    assert ga.assess(release, attacker, limit).verdict == "safe"
    with pytest.raises(ga.NoSafeRelease, match="must be published") as refused:
        ga.protect(release, attacker, limit)
    assert refused.value.assessment.verdict == "at risk"
