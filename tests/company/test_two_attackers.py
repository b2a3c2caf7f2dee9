"""Several attackers on one table: what is withheld for one is chosen by columns that another may see."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from tests.oracles.all_lots import Channel, chances, shown
from tests.sizes import first
from tests.worlds.lots import every

import giveaway as ga
from giveaway import checker
from giveaway.errors import CheckFailed, NotConfirmed
from giveaway.model.question.attacker import Attacker

ROWS = "apg apg aph bqh"
BY_HAND = ga.Withheld(cells=[(1, "A"), (1, "B"), (2, "A"), (3, "A"), (4, "A"), (4, "B")])
"""What protecting against who knows A and B, and then against who knows A and C, would withhold."""
Asked = Callable[[], list[ga.KnowsDirectory]]
HALF = ga.Tolerance(identity="1/2")
VALUES = ["ab", "pq", "gh"]


def table(rows: str, **roles: str) -> ga.Table:
    names = "ABCS"[: len(rows.split(maxsplit=1)[0])]
    return ga.Table.from_rows([dict(zip(names, row, strict=True)) for row in rows.split()], **roles)


def knows(columns: str, **how: object) -> ga.KnowsDirectory:
    return ga.KnowsDirectory(columns=list(columns), **how)


def registered() -> ga.KnowsDirectory:
    people = [{"id": number, "A": row[0], "C": row[2]} for number, row in enumerate(ROWS.split())]
    return knows("AC", people=ga.Table.from_rows(people, id="id"))


COMPANY = {
    "both know the method": lambda: [knows("AB"), knows("AC")],
    "in another order": lambda: [knows("AC"), knows("AB")],
    "beside the paper's attacker": lambda: [knows("AB", knows_method=False), knows("AC")],
    "a register that lacks a column": lambda: [knows("AB"), registered()],
    "one of three": lambda: [knows("AB"), knows("B"), knows("AC")],
    "some of the columns": lambda: [knows("AB", at_most=1), knows("ABC", at_most=2), knows("AC")],
}


def protected(
    asked: Sequence[ga.KnowsDirectory], tolerance: object = HALF
) -> Callable[[list[dict[str, str]]], ga.Release | None]:
    def protect(rows: list[dict[str, str]]) -> ga.Release | None:
        try:
            found = ga.protect(ga.Release(ga.Table.from_rows(rows)), asked, tolerance)
        except ga.NoSafeRelease:
            return None
        assert found.verdict == "safe"
        return found.release

    return protect


@pytest.mark.parametrize("asked", COMPANY.values(), ids=COMPANY)
def test_nobody_is_sure_of_a_row_by_columns_that_were_looked_at_for_another(asked: Asked) -> None:
    channel = Channel(protected(asked()), "ABC")
    known = [(row[0], row[2]) for row in ROWS.split()]
    seen = chances(channel, known, (0, 2), VALUES)
    assert seen
    assert max(seen.values()) <= Fraction(1, 2)


@pytest.mark.parametrize("first", first(0, [False, True]), ids=["by who knows AC", "by who knows AB"])
def test_all_tables_of_four_rows_and_all_lots(first: bool) -> None:
    places = (0, 1) if first else (0, 2)
    channel = Channel(protected([knows("AB"), knows("AC")]), "ABC")
    pairs = list(product(*(VALUES[place] for place in places)))
    lists = list(combinations_with_replacement(pairs, 4))
    for known in lists[1::4] if first else lists[::4]:
        assert all(chance <= Fraction(1, 2) for chance in chances(channel, known, places, VALUES).values())


def test_each_has_the_limit_that_is_stated_for_them() -> None:
    limits = ga.Tolerance(identity="1/3"), HALF
    for asked, tolerance in ((("AB", "AC"), limits), (("AC", "AB"), limits[::-1])):
        channel = Channel(protected([knows(one) for one in asked], tolerance), "ABC")
        for columns, limit in (("AB", Fraction(1, 3)), ("AC", Fraction(1, 2))):
            places = tuple("ABC".index(name) for name in columns)
            known = [tuple(row[place] for place in places) for row in ["apg", "apg", "aqg", "bqh"]]
            assert all(chance <= limit for chance in chances(channel, known, places, VALUES).values())


def test_whoever_is_named_first_the_plan_is_the_same() -> None:
    limits = [
        ga.Tolerance(identity="1/2"),
        ga.Tolerance(average="2/5"),
        ga.Tolerance(identity="1/2", share="1/4"),
    ]
    asked = list(zip([knows("AB"), knows("BC", knows_method=False), knows("AC")], limits, strict=True))
    rows = tuple(sorted(tuple(row) for row in ["apg", "apg", "aph", "bqh", "bqg"]))
    seen = []
    for order in (asked, asked[::-1], [asked[1], asked[0], asked[2]]):
        attackers, tolerances = zip(*order, strict=True)
        channel = Channel(protected(attackers, tolerances), "ABC")
        seen.append({(chance, tuple(sorted(forms, key=str))) for chance, forms in channel.of(rows)})
    assert seen[0] == seen[1] == seen[2] != set()


def promises(asked: Sequence[ga.KnowsDirectory], tolerance: ga.Tolerance) -> list[checker.Promise]:
    return [checker.Promise(attack=one.attack, attacker=vars(one), tolerance=tolerance) for one in asked]


def written(folder: Path, release: ga.Release) -> Path:
    """Write what a release shows, in another order of rows."""
    names, file = list(release.original.columns), folder / "released.jsonl"
    rows = reversed(shown(release))
    file.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    return file


BREAKS = pytest.raises(CheckFailed, match="breaks the promise")
UNKNOWN = pytest.raises(NotConfirmed, match=r"not worked out|one attacker compares")


@pytest.mark.parametrize("asked", COMPANY.values(), ids=COMPANY)
@pytest.mark.parametrize("stated", [False, True])
def test_a_file_that_was_planned_for_each_apart_is_refused(
    asked: Asked, stated: bool, tmp_path: Path
) -> None:
    release = ga.Release(table(ROWS), BY_HAND, stated=None if stated else ga.Withheld())
    found = ga.assess(release, asked(), HALF)
    assert found.verdict != "safe"
    informed = [
        one.safe for one in found.findings if one.attacker.knows_method and set(one.attacker.columns) > {"A"}
    ]
    assert not any(informed)
    with BREAKS:
        checker.judge(written(tmp_path, release), release, promises(asked(), HALF))


@pytest.mark.parametrize("asked", COMPANY.values(), ids=COMPANY)
def test_what_protect_makes_is_published_and_judged_the_same_again(asked: Asked, tmp_path: Path) -> None:
    attackers = asked()
    found = ga.protect(ga.Release(table(ROWS)), attackers, HALF)
    found.publish(tmp_path / "out")
    assert ga.assess(found.release, attackers, HALF).verdict == "safe"
    checker.judge(written(tmp_path, found.release), found.release, promises(attackers, HALF))


LIMITS = ga.Tolerance(identity="1/2", attribute="1/2")


def test_sensitive_values_of_rows_that_stand_alone_are_told(tmp_path: Path) -> None:
    # Whoever knows A and C knows which row is whose, though two rows of each form in A and C differ in S.
    release = ga.Release(table("apgu apgv aphu bqhv", sensitive="S"), BY_HAND, stated=ga.Withheld())
    asked, told = [knows("AB"), knows("AC")], ga.Tolerance(attribute="1/2")
    found = ga.assess(release, asked, told)
    assert found.verdict == "at risk"
    assert found.findings[1].risk.figures["worst_attribute"] == 1
    with BREAKS:
        checker.judge(written(tmp_path, release), release, promises(asked, told))
    safe = ga.protect(ga.Release(table("apgu apgv aphu bqhv", sensitive="S")), asked, LIMITS)
    safe.publish(tmp_path / "out")
    shares = ga.Tolerance(attribute="1/2", share="1/2")
    assert ga.assess(release, asked, shares).findings[1].safe is None  # of how many people, nobody knows
    with UNKNOWN:
        checker.judge(written(tmp_path, release), release, promises(asked, shares))


def test_sensitive_values_are_not_worked_out_for_a_register_that_lacks_a_column(tmp_path: Path) -> None:
    release = ga.Release(table("apgu apgv aphu bqhv", sensitive="S"), BY_HAND, stated=ga.Withheld())
    told = ga.Tolerance(attribute="1/2")
    assert ga.assess(release, [knows("AB"), registered()], told).findings[1].safe is None
    with UNKNOWN:
        checker.judge(written(tmp_path, release), release, promises([registered(), knows("AB")], told))


def test_what_was_withheld_for_somebody_before_counts(tmp_path: Path) -> None:
    release = ga.Release(table(ROWS, sensitive=["B", "C"]))
    drawn = [one for _, one in every(lambda: ga.protect(release, knows("AB"), HALF).release)]
    before = next(one for one in drawn if min(map(shown(one).count, shown(one))) == 1)
    found = ga.assess(before, knows("AC"), HALF)
    assert found.verdict == "at risk"
    with BREAKS:
        checker.judge(written(tmp_path, before), before, promises([knows("AC")], HALF))
    after = ga.protect(before, knows("AC"), HALF)
    assert min(shown(after.release).count(form) for form in shown(after.release)) > 1


CELLS = "x u,x u,x u,x v,x v,x v"


def hiding(infers: Attacker, **how: object) -> tuple[ga.Release, list[Attacker]]:
    rows = [dict(zip("AS", row.split(), strict=True)) for row in CELLS.split(",")]
    release = ga.Release(ga.Table.from_rows(rows, sensitive="S"), secrets=[1])
    return release, [knows("AS", **how), infers]


@pytest.mark.parametrize("infers", [ga.KnowsAttributes(columns=["A"]), knows("A")], ids=["entries", "values"])
@pytest.mark.parametrize("informed", [True, False])
@pytest.mark.parametrize("turned", [True, False])
def test_a_hidden_value_that_another_compares_is_not_judged(
    infers: Attacker, informed: bool, turned: bool, tmp_path: Path
) -> None:
    release, asked = hiding(infers, knows_method=informed)
    limits = [HALF, ga.Tolerance(attribute="1/2")]
    if turned:
        asked, limits = asked[::-1], limits[::-1]
    found = ga.assess(release, asked, limits)
    assert all(one.safe is None for one in found.findings if one.attacker.knows_method)
    assert ga.protect(release, asked, limits).verdict == "cannot judge"
    hidden = replace(release, withheld=ga.Withheld(cells=[(4, "S")]))
    said = [replace(one, tolerance=limit) for one, limit in zip(promises(asked, HALF), limits, strict=True)]
    with UNKNOWN:
        checker.judge(written(tmp_path, hidden), hidden, said)


def test_conditions_are_not_hidden_by_sensitive_values_next_to_who_compares_them() -> None:
    rows = [dict(zip("AS", row.split(), strict=True)) for row in ["x u", "x u", "x u", "y v", "y v", "y u"]]
    release = ga.Release(ga.Table.from_rows(rows, sensitive="S"), secrets=[1])
    asked = [knows("A"), ga.KnowsAttributes(columns=["A"], knows_method=False)]
    limits = [HALF, ga.Tolerance(attribute="1/2")]
    with pytest.raises(ga.NoSafeRelease, match="what that tells"):
        ga.protect(
            release,
            asked,
            limits,
            need=ga.NeedsCells(hideable=["conditions of others", "conditions of secrets"]),
        )


def test_values_together_with_earlier_releases_are_not_judged_for_several() -> None:
    rows = "apgu apgv aphu aphv"
    earlier = ga.Earlier(ga.Release(table(rows, sensitive="S")), name="2025", linked="rows")
    release = ga.Release(table(rows, sensitive="S"), earlier=[earlier])
    found = ga.assess(release, [knows("AB"), knows("AC")], ga.Tolerance(attribute="1/2"))
    assert [one.safe for one in found.findings] == [None, None]


def test_releases_that_are_planned_at_once_have_one_attacker_of_a_table() -> None:
    releases = {name: ga.Release(table(ROWS)) for name in ("insurer", "ministry")}
    with pytest.raises(ga.ScenarioError, match="not worked out"):
        ga.protect_together(releases, [knows("AB"), knows("AC")], HALF)


@pytest.mark.parametrize("informed", [True, False])
def test_values_are_not_hidden_by_what_they_are_next_to_who_infers_them(informed: bool) -> None:
    # Of all S that fit only this one gives a file with all of S blank, which tells that v is 2 of 3 among the b.
    release = ga.Release(
        ga.Table.from_rows([{"A": a, "S": s} for a, s in ["au", "av", "bu", "bv", "bv"]], sensitive="S")
    )
    asked = [knows("A"), knows("AS", knows_method=informed)]
    with pytest.raises(ga.NoSafeRelease, match="one attacker compares and another infers"):
        ga.protect(release, asked, [ga.Tolerance(attribute="1/2"), HALF])
