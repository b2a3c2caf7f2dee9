"""A fact of a person belongs to no period: what two releases tell of it at some time, counted from the definition alone.

Worlds are the ways to join the rows: the true one where rows can be joined, all of them where they cannot. In every world
everybody who fits what is known is counted, and those of them who have the private item, or the sensitive value, in either file.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.checker.together.writing import judged, run
from tests.sizes import first
from tests.worlds.lots import every
from tests.worlds.owners import shown as forms

import giveaway as ga

HALF = Fraction(1, 2)
Baskets = Sequence[frozenset[str]]
THEN, NOW = (
    [frozenset(row.split()) for row in rows] for rows in (("m s", "m", "n", "n"), ("p", "p s", "q", "q"))
)


def baskets(rows: Iterable[Iterable[str]]) -> ga.Transactions:
    rows = [frozenset(row) for row in rows]
    return ga.Transactions.from_lists(rows, private={"s"} & frozenset().union(*rows))


def shown(release: ga.Release) -> list[frozenset[str]]:
    found = release.published
    assert isinstance(found, ga.Transactions)
    assert found.record_of is not None
    kinds = [
        frozenset(str(found.labels[code]) for code in found.codes[start:end])
        for start, end in zip(found.offsets, found.offsets[1:], strict=False)
    ]
    return [kinds[record] for record in found.record_of]


def joins(people: int, linked: str) -> list[Sequence[int]]:
    """Return whose row each earlier one is in every world."""
    return [range(people)] if linked == "rows" else list(permutations(range(people)))


def worst_item(files: Sequence[Baskets], worlds: Iterable[Sequence[Sequence[int]]], most: int) -> Fraction:
    """Return the largest chance of `s` at some time for somebody who knows some items, with their period or without."""
    fits, holding = Counter[frozenset[str]](), Counter[frozenset[str]]()
    for world in worlds:
        for whose in zip(*world, strict=True):
            rows = [file[row] for file, row in zip(files, whose, strict=True)]
            known = {f"{item}@{at}" for at, row in enumerate(rows) for item in row - {"s"}}
            known |= {item for row in rows for item in row - {"s"}}
            for size in range(most + 1):
                for some in map(frozenset, combinations(sorted(known), size)):
                    fits[some] += 1
                    holding[some] += any("s" in row for row in rows)
    return max(Fraction(holding[some], many) for some, many in fits.items())


def earlier(rows: Baskets, linked: str, **more: Any) -> ga.Earlier:
    said = {"name": "2025", "linked": linked, "rows": range(1, len(rows) + 1), "order": "shuffled"} | more
    return ga.Earlier(baskets(rows), **said)


@pytest.mark.parametrize(("linked", "chance"), [("rows", 1), ("people", Fraction(3, 4)), ("unknown", 1)])
def test_the_private_item_at_some_time(linked: str, chance: Fraction) -> None:
    knows, limit = ga.KnowsItems(at_most=1), ga.Tolerance(attribute=HALF)
    found = ga.assess(ga.Release(baskets(NOW)), knows, limit, earlier=earlier(THEN, linked))
    assert found.verdict == "at risk"
    worst = found.findings[0].together[0].over[0]
    assert (worst.chance, worst.value) == (chance, "s at some time")
    assert "s at some time" in worst.because
    assert "s at some time" in str(found)
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(ga.Release(baskets(NOW)), knows, limit, earlier=earlier(THEN, linked))


@pytest.mark.parametrize("linked", ["rows", "people", "unknown"])
def test_released_pairs_of_periods_are_within_the_limit(linked: str) -> None:
    """Drawn pairs of periods, one earlier file or two: nothing that is called safe is above the limit."""
    draw, safe = Random(linked), 0  # noqa: S311 # the same cases in every run
    for trial in range(120):
        many, several, most = (
            draw.randint(4, 5 if linked != "rows" else 8),
            trial % 4 == 0,
            draw.randint(1, 2),
        )
        if several and linked != "rows":
            many = 4
        files = [
            [
                frozenset(item for item in "abs" if draw.random() < (0.25 if item == "s" else 0.6))
                for _ in range(many)
            ]
            for _ in range(3 if several else 2)
        ]
        if not any(row - {"s"} for row in files[0]) or not any("s" in row for row in files[0]):
            continue
        before = [earlier(rows, linked, name=str(at)) for at, rows in enumerate(files[1:])]
        try:
            made = ga.protect(
                ga.Release(baskets(files[0])),
                ga.KnowsItems(at_most=most),
                ga.Tolerance(attribute=HALF),
                earlier=before,
            )
        except ga.NoSafeRelease:
            continue
        assert made.safe
        safe += 1
        ways = product(*(joins(many, linked) for _ in before))
        worlds = ([range(many), *way] for way in ways)
        assert worst_item([shown(made.release), *files[1:]], worlds, most) <= HALF
    assert safe >= 15


@pytest.mark.parametrize("facts", ["other", None])
def test_recipients_at_once(facts: Any) -> None:
    knows, limit = ga.KnowsItems(at_most=1), ga.Tolerance(attribute=HALF, identity=HALF if facts else None)
    both = {name: ga.Release(baskets(rows)) for name, rows in (("a", THEN), ("b", NOW))}
    made = ga.protect_together(both, knows, limit, facts=facts)
    files = [shown(one.release) for one in made.assessments.values()]
    assert made.safe
    for linked in ("rows", "people"):
        assert worst_item(files, ([range(4), way] for way in joins(4, linked)), 1) <= HALF


@pytest.mark.parametrize("linked", ["rows", "people", "unknown"])
def test_the_checker_refuses_what_tells_a_private_item_at_some_time(linked: str, tmp_path: Path) -> None:
    made = ga.Release(baskets(NOW), earlier=[earlier(THEN, linked)])
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(made, tmp_path, ga.KnowsItems(at_most=1), attribute=HALF)
    judged(made, tmp_path, ga.KnowsItems(at_most=1), attribute="3/4" if linked == "people" else "1/1")
    judged(made, tmp_path, ga.KnowsItems(at_most=1), identity=HALF)


SCENARIO = """
[release]
data = "{data}"
private = ["s"]
[tolerates]
attribute = "1/2"
[[knows]]
attack = "items"
at_most = 1
"""


@pytest.mark.parametrize("linked", ["rows", "people"])
def test_nothing_is_written_that_tells_it(
    linked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, rows in (("then", THEN), ("now", NOW)):
        Path(f"{name}.dat").write_text("".join(" ".join(sorted(row)) + "\n" for row in rows))
    before = f'[[earlier]]\nrelease = "then.dat"\nlinked = "{linked}"\n'
    Path("now.toml").write_text(SCENARIO.format(data="now.dat") + before)
    assert run("assess", "now.toml").exit_code == 1
    assert run("protect", "now.toml", "-o", "out").exit_code == 1
    assert not Path("out").exists()


# Tables ---------------------------------------------------------------------------------------------------------

Rows = Sequence[tuple[str, str]]
SICK_THEN, SICK_NOW = (
    [(a, s) for a, s in zip("xxyy", words.split(), strict=True)]
    for words in ("hiv flu flu cold", "flu hiv cold flu")
)


def table(rows: Rows) -> ga.Table:
    return ga.Table.from_rows([dict(zip("as", row, strict=True)) for row in rows], sensitive="s")


def then(shown: Rows, linked: str, **more: Any) -> ga.Earlier:
    said = {"name": "2025", "linked": linked, "rows": range(1, len(shown) + 1), "order": "shuffled"} | more
    return ga.Earlier(ga.Release(table(shown)), changes=["s"], **said)


def worst_value(
    known: Sequence[str],
    files: Sequence[Sequence[tuple[str | None, str]]],
    worlds: Iterable[Sequence[Sequence[int]]],
    values: Iterable[set[str]],
) -> Fraction:
    """Return the largest chance that one of some values is somebody's at some time, for whoever knows `a` of one person.

    People are in the order of the first file. A world is possible where every row shows nothing but what is true of its
    person; whoever looks knows `a` of one person, and everybody fits who may have it by the rows they have there.
    """
    fits, holding = Counter[str](), Counter[tuple[str, int]]()
    wanted = list(values)
    for world in worlds:
        rows = [
            [file[row] for file, row in zip(files, whose, strict=True)] for whose in zip(*world, strict=True)
        ]
        if any(len({a for a, _ in own if a is not None}) > 1 for own in rows):
            continue
        for value in {*known}:
            for own in rows:
                if all(a in (value, None) for a, _ in own):
                    fits[value] += 1
                    for at, some in enumerate(wanted):
                        holding[value, at] += any(s in some for _, s in own)
    return max(Fraction(holding[value, at], fits[value]) for value, at in holding)


@pytest.mark.parametrize(
    ("linked", "method", "chance"),
    [("rows", True, 1), ("rows", False, 1), ("people", False, Fraction(3, 4)), ("unknown", False, 1)],
)
def test_the_value_now_or_before(linked: str, method: bool, chance: Fraction) -> None:
    knows, limit = ga.KnowsDirectory(columns=["a"], knows_method=method), ga.Tolerance(attribute=HALF)
    found = ga.assess(ga.Release(table(SICK_NOW)), knows, limit, earlier=then(SICK_THEN, linked))
    assert found.verdict == "at risk"
    told = found.findings[0].together[0]
    assert max(one.chance for one in told.over) == chance
    assert "s at some time" in told.over[0].because
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(ga.Release(table(SICK_NOW)), knows, limit, earlier=then(SICK_THEN, linked))


def test_whoever_knows_the_method_and_cannot_join_rows_is_not_judged() -> None:
    knows, limit = ga.KnowsDirectory(columns=["a"]), ga.Tolerance(attribute=HALF)
    found = ga.assess(ga.Release(table(SICK_NOW)), knows, limit, earlier=then(SICK_THEN, "people"))
    assert found.verdict == "cannot judge"


@pytest.mark.parametrize(
    ("linked", "method", "limit"),
    first(
        1,
        [("rows", True, "1/2"), ("rows", False, "2/3"), ("people", False, "3/4"), ("unknown", False, "3/4")],
    ),
)
def test_tables_of_two_periods_are_within_the_limit(
    linked: str, method: bool, limit: str, tmp_path: Path
) -> None:
    """Drawn pairs, some with classes of values: nothing that is called safe is above the limit, and the checker agrees."""
    draw, safe = Random(f"{linked} {method}"), 0  # noqa: S311 # as above
    for trial in range(80):
        many = draw.randint(4, 6 if linked == "rows" else 4 if trial % 4 == 1 else 5)
        known = [draw.choice("xxy") for _ in range(many)]
        files = [[(a, draw.choice("uvwzklmn")) for a in known] for _ in range(3 if trial % 4 == 1 else 2)]
        if (
            linked == "unknown"
        ):  # whether rows of one earlier file can be joined and of another not is not judged
            files = files[:2]
        classed = trial % 3 == 0 and linked == "rows" and {"u", "v"} <= {s for _, s in files[0]}
        classes: dict[str, Any] = {"sensitive_classes": {"s": {"worst": ["u", "v"]}}} if classed else {}
        now = ga.Release(table(files[0]), **classes)
        knows = ga.KnowsDirectory(columns=["a"], knows_method=method)
        targets = [{value} for value in "uvwzklmn"] + ([{"u", "v"}] if classed else [])
        before = [then(rows, linked, name=str(at)) for at, rows in enumerate(files[1:])]
        try:
            made = ga.protect(now, knows, ga.Tolerance(attribute=limit), earlier=before)
        except ga.NoSafeRelease:
            continue
        if made.verdict != "safe":
            continue
        safe += 1
        hidden = {row for row, _ in made.release.withheld.cells}
        shown_now = [(None if row in hidden else a, s) for row, (a, s) in enumerate(files[0], 1)]
        ways = product(*(joins(many, linked) for _ in before))
        worlds = ([range(many), *way] for way in ways)
        assert worst_value(known, [shown_now, *files[1:]], worlds, targets) <= Fraction(limit)
        if safe <= 3:
            judged(made.release, tmp_path, knows, attribute=limit)
    assert safe >= 8


def test_a_blank_of_the_earlier_file_may_be_any_value() -> None:
    """Of four people each has u now or may have had it: v, v, u, u now, and a blank next to each v in 2025."""
    now, before = [("x", s) for s in "vvuw"], [("x", s) for s in "uvww"]
    blank = ga.Withheld(cells=[(1, "s"), (2, "s")])
    for hidden, verdict in ((blank, "at risk"), (ga.Withheld(), "safe")):
        one = ga.Earlier(
            ga.Release(table(before), hidden), name="2025", linked="rows", rows=range(1, 5), changes=["s"]
        )
        knows = ga.KnowsDirectory(columns=["a"], knows_method=False)
        found = ga.assess(ga.Release(table(now)), knows, ga.Tolerance(attribute="1/2"), earlier=one)
        assert found.findings[0].together[0].safe is (verdict == "safe")


def test_who_joined_and_who_left_have_one_period() -> None:
    """Two people stayed, with u and v at some time each; two who joined have only what they have now."""
    now, before = [("x", s) for s in "uvuv"], [("x", s) for s in "vuv"]
    knows, limit = ga.KnowsDirectory(columns=["a"], knows_method=False), ga.Tolerance(attribute=HALF)
    found = ga.assess(ga.Release(table(now)), knows, limit, earlier=then(before, "rows", rows=[1, 2, 0]))
    joined = found.findings[0].together[0]
    assert joined.risk is not None
    assert {one.target: one.chance for one in joined.risk.exposures} == {1: 1, 2: 1, 3: HALF, 4: HALF}


def test_ways_that_are_mixed_are_not_judged() -> None:
    """Rows of one earlier file can be joined and those of another may not: what that tells at some time is not worked out."""
    both = [then(SICK_THEN, "rows"), then(SICK_THEN, "people", name="2024")]
    knows, limit = ga.KnowsDirectory(columns=["a"], knows_method=False), ga.Tolerance(attribute="3/4")
    assert None in [
        one.safe
        for one in ga.assess(ga.Release(table(SICK_NOW)), knows, limit, earlier=both).findings[0].together
    ]


@pytest.mark.parametrize(("linked", "method"), [("rows", True), ("rows", False), ("people", False)])
def test_the_checker_refuses_what_tells_a_value_at_some_time(
    linked: str, method: bool, tmp_path: Path
) -> None:
    made = ga.Release(table(SICK_NOW), earlier=[then(SICK_THEN, linked)])
    knows = ga.KnowsDirectory(columns=["a"], knows_method=method)
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(made, tmp_path, knows, attribute=HALF)
    judged(made, tmp_path, knows, attribute="3/4" if linked == "people" else "1/1")


# What an earlier plan looked at ---------------------------------------------------------------------------------


def test_an_earlier_file_was_planned_by_columns_that_are_not_compared_now(tmp_path: Path) -> None:
    """Whoever knows a and c finds by all that b may be that the only row which shows p and g is of c, for certain."""
    known, limit = list(zip("aabbc", "ghghg", strict=True)), ga.Tolerance(identity="1/2")
    wanted, whose = Counter({("p", "g"): 1, ("p", "h"): 2, (None, "g"): 2}), Counter[tuple[str, str]]()

    def protected(values: Sequence[str]) -> ga.Release:
        rows = [{"a": a, "b": b} for (a, _), b in zip(known, values, strict=True)]
        knows = ga.KnowsDirectory(columns=["a", "b"])
        return ga.protect(ga.Release(ga.Table.from_rows(rows)), knows, limit).release

    for values in product("pqr", repeat=5):
        for _, made in every(partial(protected, values)) if values.count("p") > 2 else ():
            rows = [(b, c) for (_, b), (_, c) in zip(forms(made), known, strict=True)]
            if {a for a, _ in forms(made)} == {None} and Counter(rows) == wanted:
                whose.update(who for row, who in zip(rows, known, strict=True) if row == ("p", "g"))
                found = made
    assert {*whose} == {("c", "g")}

    now = ga.Release(ga.Table.from_rows([{"c": c} for _, c in known]))
    before = ga.Earlier(found, name="2025", linked="rows", rows=range(1, 6))
    knows = ga.KnowsDirectory(columns=["a", "c"])
    assert ga.assess(now, knows, limit, earlier=before).verdict == "at risk"
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(replace(now, earlier=(before,)), tmp_path, knows, identity=HALF)
    safer = ga.protect(now, knows, limit, earlier=before)
    assert safer.verdict == "safe"
    judged(safer.release, tmp_path, knows, identity=HALF)

    # Who left is told by difference, as c tells it: of three rows that do not show a the only one with p is theirs.
    stayed = [place for place, (_, c) in enumerate(known) if c == "h"]
    later = ga.Release(ga.Table.from_rows([{"d": "x"} for _ in stayed]))
    rows = [stayed.index(place) + 1 if place in stayed else 0 for place in range(5)]
    gone = ga.Earlier(found, name="2025", linked="rows", rows=rows)
    knows = ga.KnowsDirectory(columns=["a", "d"])
    assert ga.assess(later, knows, limit, earlier=gone).verdict == "cannot judge"
    with pytest.raises(ga.CheckFailed, match="those who left"):
        judged(replace(later, earlier=(gone,)), tmp_path, knows, identity=HALF)


# Blanks and rules -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("linked", ["rows", "people", "unknown"])
def test_a_secret_that_changes_is_not_judged_by_the_blanks_of_now(linked: str, tmp_path: Path) -> None:
    """The secret of row 1 is hidden now, and the earlier file shows what it was."""
    rows = [("x", s) for s in ("hiv", "flu", "cold", "hiv", "flu")]
    now = ga.Release(table(rows), secrets=[1]).withholding(ga.Withheld(cells=[(2, "s"), (3, "s")]))
    knows, limit = ga.KnowsAttributes(columns=["a"], knows_method=False), ga.Tolerance(attribute="3/5")
    before = then(rows, linked)
    assert ga.assess(now, knows, limit).safe
    assert ga.assess(now, knows, limit, earlier=before).verdict == "cannot judge"
    with pytest.raises(ga.CheckFailed, match="secrets at another time"):
        judged(replace(now, earlier=(before,)), tmp_path, knows, attribute="3/5")


@pytest.mark.parametrize(
    ("more", "known"),
    [({"knows_method": False}, "a"), ({"asking": "independent"}, "a"), ({"cells_of": 2}, "a"), ({}, "c")],
)
def test_what_an_earlier_file_shows_of_hidden_entries_is_not_judged_where_rows_are_not_joined(
    more: dict[str, Any], known: str, tmp_path: Path
) -> None:
    """What is missing now of the values that the earlier file shows, of all people or of those with the same a and c, is hidden."""
    people = [
        {"a": a, "c": c, "s": s}
        for a, c, s in zip("xxxxyy", "pqrpqr", ("hiv", "flu", "hiv", "flu", "hiv", "flu"), strict=True)
    ]
    data = ga.Table.from_rows(people, sensitive="s", leave_out=["c"] if known == "a" else [])
    before = ga.Earlier(data, name="2025", linked="people", rows=range(1, 7))
    knows, limit = ga.KnowsAttributes(columns=["a"], **more), ga.Tolerance(attribute="2/3")
    beside = [] if known == "a" else [ga.KnowsDirectory(columns=["c"], knows_method=False)]
    limits = [limit, *(ga.Tolerance(identity="1/2") for _ in beside)]
    made = ga.protect(ga.Release(data, secrets=[1]), [knows, *beside], limits)
    assert made.verdict == "safe"
    found = ga.assess(made.release, [knows, *beside], limits, earlier=before).findings[0]
    assert found.safe is None
    assert "2025 shows s, of which entries are hidden now" in " ".join(found.reasons)
    with pytest.raises(ga.CheckFailed, match="whosever its rows are"):
        judged(replace(made.release, earlier=(before,)), tmp_path, knows, attribute="2/3")


def test_blanks_among_blanks_are_judged_whatever_an_earlier_file_shows_of_their_group(tmp_path: Path) -> None:
    data = table([("x", s) for s in ("hiv", "hiv", "flu", "flu")])
    before = ga.Earlier(data, name="2025", linked="people", rows=range(1, 5))
    knows = ga.KnowsAttributes(columns=["a"])
    made = ga.protect(ga.Release(data, secrets=[1]), knows, ga.Tolerance(attribute="1/2"), earlier=before)
    assert made.verdict == "safe"
    judged(made.release, tmp_path, knows, attribute="1/2")


def test_lists_of_values_that_change_are_not_judged(tmp_path: Path) -> None:
    listed = ga.PublishedRules(
        [ga.Rule({"a": "x"}, "flu")], min_support="1/20", min_confidence="1/2", complete=False
    )
    now = ga.Release(table([("x", "flu"), ("x", "flu"), ("x", "hiv"), ("y", "cold")]), rules=listed)
    knows, limit = ga.KnowsProfiles(columns=["a"]), ga.Tolerance(attribute="9/10")
    for changes, verdict in (((), "safe"), (("s",), "cannot judge")):
        before = ga.Earlier(listed, name="2025", linked="people", changes=changes)
        found = ga.assess(now, knows, limit, earlier=before)
        assert found.verdict == verdict
        assert "values that changed since earlier lists" in str(found) or verdict != "safe"
    with pytest.raises(ga.CheckFailed, match="values at another time"):
        judged(replace(now, earlier=(before,)), tmp_path, knows, attribute="9/10")
