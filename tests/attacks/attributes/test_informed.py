"""Somebody who knows how giveaway chooses: what is judged, what `protect` draws, and what the written file keeps."""

import csv
import importlib.util
import json
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import blanks as oracle
from tests.oracles.shared import SHARED
from tests.sizes import sized

import giveaway as ga
from giveaway import checker, publish
from giveaway.model.release import lot

KNOWN = ["sex", "education", "hours", "district"]
TEACHERS = Path(__file__).parents[3] / "examples" / "teachers" / "make.py"


def release(rows: list[tuple[str, ...]], secrets: list[Any], **how: Any) -> ga.Release:
    """Make a release of rows whose last columns are sensitive."""
    names = how.pop("names", ("town", "job"))
    sensitive = how.pop("sensitive", names[-1])
    table = ga.Table.from_rows(
        [dict(zip(names, row, strict=True)) for row in rows], sensitive=sensitive, missing=["?"]
    )
    return ga.Release(table, secrets=secrets, **how)


def confirmed(made: ga.Release, attacker: ga.KnowsAttributes, tolerance: ga.Tolerance) -> bool | None:
    """Write a release and let the checker judge it; None where it cannot tell."""
    promise = checker.Promise(attack="attributes", attacker=vars(attacker), tolerance=tolerance)
    with TemporaryDirectory() as folder:
        file = publish.write_release(made, Path(folder), publish.draw(made))
        try:
            checker.judge(file, made, [promise])
        except ga.NotConfirmed:
            return None
        except ga.CheckFailed:
            return False
    return True


def figures(found: ga.Assessment) -> dict[str, Any]:
    risk = found.findings[0].risk
    assert risk is not None
    return dict(risk.figures)


FIFTEEN = [("Ulm", "engineer"), *[("Ulm", "teacher")] * 14]
LIMIT = ga.Tolerance(attribute="0.6")
TOWN = ga.KnowsAttributes(columns=["town"])


# What is judged -----------------------------------------------------------------------------------------------


def test_a_blank_alone_is_told_by_the_asking_and_one_more_blank_ends_it() -> None:
    planned = ga.assess(release(FIFTEEN, [2]), TOWN, LIMIT)
    assert planned.verdict == "at risk"
    assert confirmed(planned.release, TOWN, LIMIT) is False
    assert planned.exposures[0].chance == 1
    assert planned.exposures[0].because == (
        "The only blank among the records with town Ulm has job teacher; so have 92.9 % of the visible ones."
    )
    assert planned.findings[0].reasons[1] == (
        "1 person asked for a blank; where nobody else who looks the same has one, the blank itself can give the value away."
    )
    safer = ga.protect(release(FIFTEEN, [2]), TOWN, LIMIT)
    assert list(safer.withheld.cells) == [(1, "job")]
    said = figures(safer)
    assert (said["worst_informed"], said["if_asking_known"]) == (Fraction(1, 2), Fraction(14, 15))
    assert (said["decoys"], said["worst_visible_confidence"]) == (1, 1)
    assert safer.findings[0].against == "somebody who does not know who asked"
    risk = safer.findings[0].risk
    assert risk is not None
    assert risk.warning == (
        "Somebody who knows who asked for a blank can still infer it by a rule, with a chance of up to 93.3 %."
    )
    assert safer.findings[0].reasons == (
        "1 further entry is blank so that a blank says nothing: in each group at most 60 % of the blanks are the same job.",
        "They are entries of people who did not ask, drawn by lot; nothing about these people is altered.",
    )
    assert [(step.label, step.count) for step in risk.worked] == [
        ("all records", 15),
        ("with town Ulm", 15),
        ("of them with a blank job", 2),
        ("of these with job engineer", 1),
    ]


def test_support_has_no_part_in_what_blanks_tell() -> None:
    trusting = ga.KnowsAttributes(columns=["town"], trusts_support_above=1000)
    assert ga.assess(release(FIFTEEN, [2]), trusting, LIMIT).verdict == "at risk"


def test_what_was_hidden_for_the_paper_s_attacker_gives_the_value_away() -> None:
    paper = ga.KnowsAttributes(columns=["town"], knows_method=False)
    safe = ga.protect(release(FIFTEEN, [2]), paper, LIMIT)
    assert safe.findings[0].against == (
        "somebody who does not know how giveaway chooses and counts blank entries as other values"
    )
    found = ga.assess(safe.release, TOWN, LIMIT)
    assert (found.verdict, found.exposures[0].chance) == ("at risk", 1)


def test_who_asked_because_of_the_value_and_is_known_cannot_be_judged() -> None:
    asked = ga.KnowsAttributes(columns=["town"], asking_known=True)
    found = ga.assess(release(FIFTEEN, [2]), asked, LIMIT)
    assert found.verdict == "cannot judge"
    assert 'asking = "independent"' in found.findings[0].reasons[1]


def test_without_a_secret_the_attack_directory_is_named() -> None:
    found = ga.assess(release(FIFTEEN, []), TOWN, LIMIT)
    assert found.verdict == "cannot judge"
    assert "the attack directory with an attribute limit" in found.findings[0].reasons[1]


def test_values_that_go_as_the_visible_ones_are_judged_by_rules_and_left_alone_within_the_limit() -> None:
    rows = [
        ("Ulm", "cook"),
        ("Ulm", "cook"),
        ("Ulm", "clerk"),
        ("Ulm", "nurse"),
        *[("Bonn", "cook")] * 4,
        ("Bonn", "clerk"),
    ]
    asked = ga.KnowsAttributes(columns=["town"], asking="independent")
    planned = ga.assess(release(rows, [1, 5]), asked, LIMIT)
    assert [(one.target, one.chance, one.value) for one in planned.exposures] == [
        (5, Fraction(3, 4), "cook"),
        (1, Fraction(1, 3), "nurse"),
    ]
    assert planned.exposures[0].because == (
        "A rule holds for 75 % of the visible rows that it is about: they have job cook."
    )
    safer = ga.protect(release(rows, [1, 5]), asked, LIMIT)
    assert list(safer.withheld.cells) == [(9, "job")]
    assert "takes asking to be independent of the value" in str(safer.findings[0].against)
    trusting = ga.KnowsAttributes(columns=["town"], asking="independent", trusts_support_above=3)
    assert ga.assess(release(rows, [1, 5]), trusting, LIMIT).safe


def test_blanks_that_are_mixed_anyway_need_no_decoys_even_where_a_rule_is_over_the_limit() -> None:
    asked = ga.KnowsAttributes(columns=["town"], asking="independent")
    found = ga.assess(release(FIFTEEN, [1, 2]), asked, LIMIT)
    assert (found.verdict, found.exposures[0].chance) == ("safe", Fraction(1, 2))


def test_missing_values_are_nobody_s_decoys() -> None:
    rows = [("Ulm", "cook"), ("Ulm", "?"), ("Ulm", "clerk")]
    found = ga.assess(release(rows, [1, 2]), TOWN, LIMIT)
    assert [one.chance for one in found.exposures] == [1]
    assert list(ga.protect(release(rows, [1, 2]), TOWN, LIMIT).withheld.cells) == [(3, "job")]


def test_only_values_worth_protecting_are_limited() -> None:
    rows = [("Ulm", "cook"), ("Ulm", "cook"), ("Ulm", "clerk"), ("Ulm", "clerk"), ("Ulm", "clerk")]
    found = ga.protect(
        release(rows, [1, 3, 4], sensitive_values=["cook"]), TOWN, ga.Tolerance(attribute="1/3")
    )
    assert found.verdict == "safe"
    assert not found.withheld
    assert [one.target for one in found.exposures] == [1]
    more = ga.protect(release(rows, [1], sensitive_values=["cook"]), TOWN, ga.Tolerance(attribute="1/3"))
    assert len(more.withheld.cells) == 2
    assert all(row > 2 for row, _ in more.withheld.cells)


def test_several_sensitive_columns_are_protected_one_by_one() -> None:
    rows = [("Ulm", "cook", "rich"), ("Ulm", "clerk", "poor"), ("Ulm", "cook", "poor")]
    planned = release(rows, [(1, "job"), (2, "pay")], names=("town", "job", "pay"), sensitive=["job", "pay"])
    found = ga.protect(planned, TOWN, LIMIT)
    assert list(found.withheld.cells) == [(1, "pay"), (2, "job")]
    assert [line.withheld for line in found.findings[0].protection.ledger] == [
        "job of others",
        "pay of others",
    ]  # type: ignore[union-attr]
    assert [line.removed for line in found.findings[0].protection.ledger] == [1, 1]  # type: ignore[union-attr]


def test_the_breaking_point_is_the_number_of_columns_that_somebody_may_look_at() -> None:
    rows = [
        ("Ulm", "old", "cook"), ("Ulm", "young", "clerk"), ("Bonn", "old", "clerk"), ("Bonn", "young", "cook"),
        ("Ulm", "old", "nurse"), ("Bonn", "young", "nurse"),
    ]  # fmt: skip
    planned = release(rows, [1, 2, 3, 4], names=("town", "age", "job"))
    asked = ga.KnowsAttributes(columns=["town", "age"])
    risk = ga.assess(planned, asked, LIMIT).findings[0].risk
    assert risk is not None
    assert (risk.holds_up_to.value, risk.holds_up_to.unit) == (1, "columns")
    assert ga.breaking_point(planned, asked, LIMIT).value == 1
    (strength,) = (curve for curve in risk.curves if curve.name == "strength")
    assert (strength.x, strength.y) == ((1.0, 2.0), (0.0, 1.0))
    (limits,) = (curve for curve in risk.curves if curve.name == "limits")
    assert limits.y[-2:] == (4.0, 0.0)


def test_coarser_groups_and_odds() -> None:
    rows = [(f"t{number}", "cook" if number % 2 else "clerk") for number in range(6)]
    together = ga.KnowsAttributes(columns=["town"], cells_of=3)
    planned = release(rows, [1, 6])
    with pytest.raises(ga.NoSafeRelease, match="cannot be hidden among other blanks"):
        ga.protect(planned, TOWN, LIMIT)
    safer = ga.protect(planned, together, LIMIT)
    assert len(safer.withheld.cells) == 2
    assert "group of 3" in str(safer.findings[0].against)
    unsure = ga.KnowsAttributes(columns=["town"], cells_of=6, odds=2)
    assert ga.assess(planned, unsure, ga.Tolerance(attribute="2/3")).safe
    assert ga.assess(planned, unsure, LIMIT).exposures[0].chance == Fraction(2, 3)


def test_so_many_decoys_are_drawn_that_odds_reach_the_limit_and_do_not_pass_it() -> None:
    rows = [("Ulm", "cook"), ("Ulm", "clerk"), ("Ulm", "clerk"), ("Ulm", "nurse")]
    half = ga.Tolerance(attribute="1/2")
    for odds, decoys in ((1, 1), (2, 2)):
        unsure = ga.KnowsAttributes(columns=["town"], odds=odds)
        safer = ga.protect(release(rows, [1]), unsure, half)
        assert (safer.verdict, len(safer.withheld.cells)) == ("safe", decoys)
        assert safer.exposures[0].chance == Fraction(1, 2)


# What is drawn ------------------------------------------------------------------------------------------------


def test_entries_that_must_be_published_are_never_drawn() -> None:
    rows = [("Ulm", "cook"), ("Ulm", "clerk"), ("Ulm", "clerk")]
    marked = release(rows, [1], must_publish=[(2, "job")])
    assert list(ga.protect(marked, TOWN, LIMIT).withheld.cells) == [(3, "job")]
    with pytest.raises(ga.NoSafeRelease, match="job of record 1") as refused:
        ga.protect(release(rows, [1], must_publish=[(2, "job"), (3, "job")]), TOWN, LIMIT)
    assert refused.value.proved
    assert refused.value.helps[-1] == "Some of the entries that could be blanked must be published."


def test_it_is_drawn_who_of_equals_is_blanked() -> None:
    rows = [("Ulm", "cook"), *[("Ulm", "clerk")] * 4]
    drawn = {tuple(ga.protect(release(rows, [1]), TOWN, LIMIT).withheld.cells) for _ in range(60)}
    assert drawn == {((row, "job"),) for row in (2, 3, 4, 5)}


def test_a_draw_that_still_holds_is_used_again() -> None:
    rows = [("Ulm", "cook"), *[("Ulm", "clerk")] * 4]
    earlier = ga.Withheld(cells=[(4, "job")])
    again = ga.protect(release(rows, [1]).withholding(earlier), TOWN, LIMIT)
    assert again.withheld == earlier
    more = ga.protect(release(rows, [1, 2, 3]).withholding(earlier), TOWN, ga.Tolerance(attribute="3/4"))
    assert more.withheld == earlier


def test_regions_and_methods_that_do_not_fit_are_refused() -> None:
    planned = release(FIFTEEN, [2])
    with pytest.raises(ga.NoSafeRelease, match="sensitive entries of other records"):
        ga.protect(planned, TOWN, LIMIT, need=ga.NeedsCells(hideable="b"))
    for method in ("cover", "r-graph", "cr", "same columns"):
        with pytest.raises(ga.ScenarioError, match=f'The method "{method}" is for somebody who'):
            ga.protect(planned, TOWN, LIMIT, attributes={"method": method})
    paper = ga.KnowsAttributes(columns=["town"], knows_method=False)
    with pytest.raises(ga.ScenarioError, match='The method "decoys" is for somebody who knows'):
        ga.protect(planned, paper, LIMIT, attributes={"method": "decoys"})
    with pytest.raises(ga.ScenarioError, match="asking is about somebody who knows"):
        ga.KnowsAttributes(columns=["town"], knows_method=False, asking="independent")
    with pytest.raises(ga.ScenarioError, match="smallest_block = 1"):
        ga.protect(planned, TOWN, LIMIT, attributes={"smallest_block": 1})
    with pytest.raises(ga.ScenarioError, match="cells_of and odds are about blanks"):
        ga.KnowsAttributes(columns=["town"], asking_known=True, asking="independent", cells_of=5)
    with pytest.raises(ga.ScenarioError, match="odds = 1/2 must be at least 1"):
        ga.KnowsAttributes(columns=["town"], odds="1/2")


def test_a_larger_smallest_block() -> None:
    rows = [("Ulm", "cook"), *[("Ulm", "clerk")] * 4, ("Ulm", "nurse")]
    found = ga.protect(release(rows, [1]), TOWN, LIMIT, attributes={"smallest_block": 3})
    assert len(found.withheld.cells) == 2
    assert found.findings[0].protection.figures["optimal"] is False  # type: ignore[union-attr]
    assert found.findings[0].protection.figures["lower_bound"] == 1  # type: ignore[union-attr]
    assert figures(found)["if_asking_known"] is not None


def test_only_blanks_that_stand_alone_may_stay_exposed() -> None:
    rows = [("Ulm", "cook"), ("Bonn", "cook"), ("Bonn", "clerk"), ("Jena", "cook"), ("Jena", "cook")]
    tolerant = ga.Tolerance(attribute="0.6", share="1/2")
    found = ga.protect(release(rows, [1, 2]), TOWN, tolerant)
    assert list(found.withheld.cells) == [(3, "job")]
    assert (
        "1 secret entry with nothing blank next to them stay exposed" in found.findings[0].protection.detail
    )  # type: ignore[union-attr]
    pair = ga.assess(
        release(rows, [1, 4, 5, 2]).withholding(found.withheld),
        TOWN,
        ga.Tolerance(attribute="0.6", share="3/4"),
    )
    assert pair.verdict == "cannot judge"
    assert "share a group" in pair.findings[0].reasons[-1]
    assert confirmed(pair.release, TOWN, ga.Tolerance(attribute="0.6", share="3/4")) is None


def test_the_secrets_of_every_column_are_checked() -> None:
    """All others of Ulm are ill, and nobody else is of Bonn: by rules the secret of the first column is told."""
    rows = [*[("Ulm", "yes", "cook")] * 3, ("Bonn", "no", "clerk")]
    made = release(rows, [(1, "ill"), (4, "job")], names=("town", "ill", "job"), sensitive=("ill", "job"))
    naive = ga.KnowsAttributes(columns=["town"], knows_method=False)
    assert confirmed(made, naive, ga.Tolerance(attribute="1/2")) is False
    assert confirmed(made, naive, ga.Tolerance(attribute="1/2", share="1/2")) is True


def test_what_blanks_of_several_columns_tell_of_each_other_is_not_confirmed() -> None:
    rows = [("Ulm", "yes", "cook"), ("Ulm", "no", "clerk")]
    names = ("town", "ill", "job")
    made = release(rows, [(1, "job"), (2, "job"), (1, "ill"), (2, "ill")], names=names, sensitive=names[1:])
    half = ga.Tolerance(attribute="1/2")
    for uses_sensitive, verdict in ((False, True), (True, None)):
        attacker = ga.KnowsAttributes(columns=["town"], uses_sensitive=uses_sensitive)
        assert confirmed(made, attacker, half) is verdict


def test_secrets_that_share_a_group_are_protected_even_where_they_might_stay_exposed() -> None:
    rows = [
        ("Ulm", "cook"),
        ("Ulm", "cook"),
        ("Ulm", "clerk"),
        ("Ulm", "nurse"),
        ("Bonn", "cook"),
        ("Bonn", "clerk"),
    ]
    found = ga.protect(release(rows, [1, 2, 5, 6]), TOWN, ga.Tolerance(attribute="0.6", share="1/2"))
    assert found.safe
    assert list(found.withheld.cells) == [(3, "job"), (4, "job")]


def test_groups_whose_secrets_need_no_protection_are_left_alone() -> None:
    rows = [("Ulm", "clerk"), ("Ulm", "cook"), ("Ulm", "cook"), ("Bonn", "cook"), ("Bonn", "clerk")]
    planned = release(rows, [1, 4], sensitive_values=["cook"]).withholding(
        ga.Withheld(cells=[(2, "job"), (3, "job")])
    )
    found = ga.protect(planned, TOWN, LIMIT)
    assert list(found.withheld.cells) == [(2, "job"), (3, "job"), (5, "job")]


# Who knows who asked ------------------------------------------------------------------------------------------


def test_the_same_columns_are_hidden_in_all_secrets_by_what_the_visible_rows_say() -> None:
    rows = [
        *[("master", "Ulm", "teacher")] * 4, ("master", "Bonn", "cook"), *[("school", "Ulm", "cook")] * 2,
        ("school", "Ulm", "clerk"), ("school", "Bonn", "clerk"), ("school", "Bonn", "cook"), ("school", "Bonn", "teacher"),
    ]  # fmt: skip
    planned = release(rows, [1, 7], names=("education", "town", "job"))
    asked = ga.KnowsAttributes(
        columns=["education", "town"], asking="independent", asking_known=True, trusts_support_above=1
    )
    both = ga.NeedsCells(hideable="e")
    with pytest.raises(ga.NoSafeRelease, match="conditions of secrets may not be hidden"):
        ga.protect(planned, asked, LIMIT)
    found = ga.protect(planned, asked, LIMIT, need=both)
    assert list(found.withheld.cells) == [(1, "education"), (7, "education")]
    assert found.findings[0].against == "somebody who takes asking to be independent of the value"
    assert figures(found)["if_asking_known"] == figures(found)["worst_informed"] == Fraction(3, 5)
    marked = release(rows, [1, 7], names=("education", "town", "job"), must_publish=["education"])
    with pytest.raises(ga.NoSafeRelease, match="education must be published"):
        ga.protect(marked, asked, LIMIT, need=both)


def test_whether_columns_are_hidden_does_not_depend_on_those_of_the_secrets() -> None:
    """A secret whose own education is harmless is treated as one whose education is not."""
    rows = [
        *[("master", "teacher")] * 3, ("school", "cook"), ("school", "clerk"), ("school", "nurse"), ("school", "driver"),
    ]  # fmt: skip
    asked = ga.KnowsAttributes(columns=["education"], asking="independent", asking_known=True)
    both = ga.NeedsCells(hideable="e")
    hidden = [
        ga.protect(release(rows, [secret], names=("education", "job")), asked, LIMIT, need=both).withheld
        for secret in (1, 4)
    ]
    assert [list(cells.cells) for cells in hidden] == [[(1, "education")], [(4, "education")]]
    alone = ga.assess(release(rows, [4], names=("education", "job")), asked, LIMIT)
    assert alone.verdict == "safe"


def test_decoys_are_judged_by_whom_they_could_belong_to_when_it_is_known_who_asked() -> None:
    asked = ga.KnowsAttributes(columns=["town"], asking="independent", asking_known=True)
    made = release(FIFTEEN, [2]).withholding(ga.Withheld(cells=[(1, "job")]))
    found = ga.assess(made, asked, LIMIT)
    assert found.exposures[0].chance == Fraction(14, 15)
    with pytest.raises(ga.NoSafeRelease):
        ga.protect(release(FIFTEEN, [2]), asked, LIMIT, attributes={"method": "decoys"})


# The written file ---------------------------------------------------------------------------------------------

VALUES = "pqr"
TINY = st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from(VALUES)), min_size=2, max_size=6)


def has_blocks(rows: list[tuple[str, str]], asked: list[int], limit: Fraction) -> bool:
    """Tell by trying everything whether the blanks of every group with a secret can be mixed."""
    for town in {rows[row - 1][0] for row in asked}:
        jobs = [
            (VALUES.index(job), number in asked)
            for number, (place, job) in enumerate(rows, 1)
            if place == town
        ]
        blank, free = (
            [sum(job == (value, secret) for job in jobs) for value in range(3)] for secret in (True, False)
        )
        if oracle.fewest(blank, free, [True] * 3, limit) is None:
            return False
    return True


@settings(max_examples=120, deadline=None)
@given(
    rows=TINY,
    secrets=st.sets(st.integers(0, 5), min_size=1, max_size=3),
    limit=st.sampled_from(["1/3", "1/2", "3/5"]),
)
def test_in_no_written_release_one_value_is_too_frequent_among_the_blanks_of_a_group(
    rows: list[tuple[str, str]], secrets: set[int], limit: str
) -> None:
    asked = sorted({place % len(rows) + 1 for place in secrets})
    with TemporaryDirectory() as folder:
        try:
            safe = ga.protect(release(rows, asked), TOWN, ga.Tolerance(attribute=limit))
        except ga.NoSafeRelease:
            assert not has_blocks(rows, asked, Fraction(limit))
            return
        safe.publish(Path(folder) / "out")
        (file,) = (path for path in (Path(folder) / "out").iterdir() if path.name != "manifest.json")
        written = [json.loads(line) for line in file.read_text().splitlines()]
    for town in {rows[row - 1][0] for row in asked}:
        blank = [job for place, job in rows if place == town]
        for row in written:
            if row["town"] == town and row["job"]:
                blank.remove(row["job"])
        assert max(map(blank.count, blank)) <= Fraction(limit) * len(blank)


class _Lots:
    """Stands in the place of the lot: remembers what could have been drawn."""

    def __init__(self) -> None:
        self.drawn: list[tuple[list[int], int]] = []

    def sample(self, rows: list[int], number: int) -> list[int]:
        self.drawn.append((rows, number))
        return rows[:number]


def chosen_blanks(
    values: oracle.Values, asked: oracle.Rows, limit: Fraction, monkeypatch: pytest.MonkeyPatch
) -> dict[oracle.Rows, Fraction]:
    """Return what `protect` may blank of a group, with the chance of each choice; nothing where there is no release."""
    lots = _Lots()
    monkeypatch.setattr(lot, "source", lambda *_: lots)
    planned = release([("x", VALUES[value]) for value in values], [row + 1 for row in sorted(asked)])
    try:
        ga.protect(planned, TOWN, ga.Tolerance(attribute=limit))
    except ga.NoSafeRelease:
        return {}
    draws = list(product(*(combinations(rows, number) for rows, number in lots.drawn)))
    return {asked.union(*map(frozenset, drawn)): Fraction(1, len(draws)) for drawn in draws}


@pytest.mark.parametrize("limit", [Fraction(1, 2), Fraction(3, 5)])
@pytest.mark.parametrize("asking", [{"p": 1, "q": 1}, {"p": 1, "q": 0}, {"p": 9, "q": 1}])
def test_re_running_protect_on_every_world_tells_nobody_more_than_the_limit(
    limit: Fraction, asking: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four people of two values; they ask whatever their value, only those with p, or those with p far more often."""
    odds = [Fraction(asking["p"], 10), Fraction(asking["q"], 10)]
    worlds = {}
    for values, asked in oracle.everybody(4, 2):
        weight = Fraction(9) ** sum(value == 0 for value in values)
        for row, value in enumerate(values):
            weight *= odds[value] if row in asked else 1 - odds[value]
        worlds[values, asked] = weight
    found = oracle.releases(worlds, lambda values, asked: chosen_blanks(values, asked, limit, monkeypatch))
    chances = [oracle.largest_chance(seen, lambda _, b=blank: b) for (blank, _), seen in found.items()]
    assert len(chances) > 20
    assert max(chances) <= limit


# Known numbers ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def teachers(tmp_path_factory: pytest.TempPathFactory) -> ga.Release:
    folder = tmp_path_factory.mktemp("teachers")
    spec = importlib.util.spec_from_file_location("make", TEACHERS)
    assert spec is not None
    assert spec.loader is not None
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    make.main(folder)
    people, secrets = (
        list(csv.DictReader((folder / name).read_text().splitlines()))
        for name in ("teachers.csv", "secrets.csv")
    )
    return ga.Release(
        ga.Table.from_rows(people, sensitive="job", id="person"), secrets=[row["person"] for row in secrets]
    )


@pytest.mark.parametrize(("limit", "decoys"), [("1/2", 12), ("0.6", 11), ("0.75", 10)])
def test_the_example_takes_as_many_decoys_as_known(teachers: ga.Release, limit: str, decoys: int) -> None:
    found = ga.protect(teachers, ga.KnowsAttributes(columns=KNOWN), ga.Tolerance(attribute=limit))
    assert (len(found.withheld.cells), figures(found)["secrets_without_block"]) == (decoys, 0)
    assert found.findings[0].protection.figures["optimal"]  # type: ignore[union-attr]


def test_the_example_has_six_groups_without_a_block_at_a_third(teachers: ga.Release) -> None:
    with pytest.raises(
        ga.NoSafeRelease, match="6 secret entries in 6 groups cannot be hidden among other blanks"
    ) as refused:
        ga.protect(teachers, ga.KnowsAttributes(columns=KNOWN), ga.Tolerance(attribute="1/3"))
    assert refused.value.proved
    assert refused.value.helps[0] == "The smallest limit at which they can: tolerates.attribute=1/2."


def test_the_example_hides_education_from_who_knows_who_asked(teachers: ga.Release) -> None:
    asked = ga.KnowsAttributes(
        columns=KNOWN, trusts_support_above=10, asking="independent", asking_known=True
    )
    found = ga.protect(teachers, asked, LIMIT, need=ga.NeedsCells(hideable="e"))
    assert found.withheld.cells.columns == ("education",)
    assert len(found.withheld.cells) == 12


def census(name: str, sensitive: str, columns: list[str], every: int, separator: str = ",") -> ga.Release:
    """Take every so-manieth record of a public table for one with a secret."""
    if not (SHARED / name).exists():
        pytest.skip(f"{name} is not at hand")
    frame = pl.read_csv(SHARED / name, infer_schema=False, separator=separator)
    table = ga.Table.from_frame(frame.select([*columns, sensitive]), sensitive=sensitive)
    return ga.Release(table, secrets=range(every, len(frame) + 1, every))


ADULT = ["sex", "marital-status", "workclass", "education"]
BANK = ["marital", "education", "housing", "loan"]


@pytest.mark.parametrize(
    ("data", "columns", "limit", "decoys", "without"),
    [
        *(("adult", ADULT, limit, 18, 0) for limit in ("1/2", "0.6", "0.75")),
        ("adult", [*ADULT, "relationship", "race", "native-country"], "0.6", 21, 5),
        ("bank", BANK, "1/3", 81, 0),
        ("bank", BANK, "0.6", 23, 0),
    ],
)
def test_public_tables_take_as_many_decoys_as_known(
    data: str, columns: list[str], limit: str, decoys: int, without: int
) -> None:
    """Secrets without a block stand alone: tolerated, they are the ones that stay exposed."""
    planned = {
        "adult": lambda: census("adult/adult_train_complete.csv.gz", "occupation", columns, 1000),
        "bank": lambda: census("bank/bank-full.csv.gz", "job", columns, 500, ";"),
    }[data]()
    asked = ga.KnowsAttributes(columns=columns)
    strict = ga.assess(planned, asked, ga.Tolerance(attribute=limit))
    assert figures(strict)["secrets_without_block"] == without
    share = Fraction(without, len(planned.secrets))
    found = ga.protect(planned, asked, ga.Tolerance(attribute=limit, share=share))
    assert (found.verdict, len(found.withheld.cells)) == ("safe", decoys)
    assert figures(found)["exposed_records"] == without


# The checker --------------------------------------------------------------------------------------------------

SETTINGS: list[dict[str, Any]] = [
    {},
    {"cells_of": 3},
    {"cells_of": 2, "odds": "3/2"},
    {"asking": "independent"},
    {"asking": "independent", "trusts_support_above": 1, "cells_of": 2},
    {"asking": "independent", "asking_known": True},
]
WIDE = st.lists(
    st.tuples(st.sampled_from("xy?"), st.sampled_from("uv"), st.sampled_from("pqr?")), min_size=2, max_size=8
)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@sized(200)
@given(
    rows=WIDE,
    secrets=st.sets(st.integers(0, 7), min_size=1, max_size=4),
    hidden=st.sets(st.tuples(st.integers(0, 7), st.sampled_from(["town", "job"])), max_size=4),
    limit=st.sampled_from(["1/3", "1/2", "3/5", "2/3"]),
    share=st.sampled_from(["0", "1/2"]),
)
def test_the_checker_finds_the_same_of_any_release(
    setting: dict[str, Any],
    rows: list[tuple[str, ...]],
    secrets: set[int],
    hidden: set[tuple[int, str]],
    limit: str,
    share: str,
) -> None:
    size, names = len(rows), ("town", "age", "job")
    made = release(rows, sorted({row % size + 1 for row in secrets}), names=names).withholding(
        ga.Withheld(cells=sorted({(row % size + 1, name) for row, name in hidden}))
    )
    attacker = ga.KnowsAttributes(columns=["town", "age"], **setting)
    tolerance = ga.Tolerance(attribute=limit, share=share)
    found = ga.assess(made, attacker, tolerance)
    if found.findings[0].risk is None:
        return
    verdict = confirmed(made, attacker, tolerance)
    if verdict is None and attacker.asking_known:
        assert figures(found)["decoys"]
    else:
        assert verdict == found.safe
