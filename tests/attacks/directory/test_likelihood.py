"""Somebody who takes some people for likelier than others (section 2.1): by its definition, and where it is refused."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.conftest import Invoke
from tests.sizes import sized

import giveaway as ga

NAMES = ("c0", "c1")
LIMIT = ga.Tolerance(identity="1/2")
Person = tuple[str, str, str, Fraction]


def held(people: list[Person]) -> ga.Table:
    rows = [{"who": who, "c0": a, "c1": b, "often": str(often)} for who, a, b, often in people]
    return ga.Table.from_rows(rows, id="who")


def knows(people: list[Person], **more: Any) -> ga.KnowsDirectory:
    given_ = {"id": "who", "columns": NAMES, "likelihood": "often", "knows_method": False} | more
    return ga.KnowsDirectory(people=held(people), **given_)


def records(people: list[Person], hidden: set[tuple[int, str]] = frozenset(), **more: Any) -> ga.Release:
    rows = [{"who": who, "c0": a, "c1": b} for who, a, b, _ in people]
    return ga.Release(ga.Table.from_rows(rows, id="who"), ga.Withheld(cells=hidden), **more)


def chance(everybody: list[Person], row: int, hidden: set[tuple[int, str]]) -> Fraction:
    """The person's own number, over those of all who agree with what the record shows."""
    shown = [name for name in NAMES if (row + 1, name) not in hidden]
    place = {"c0": 1, "c1": 2}
    agree = [
        one for one in everybody if all(one[place[name]] == everybody[row][place[name]] for name in shown)
    ]
    return everybody[row][3] / sum(one[3] for one in agree)


PEOPLE = st.lists(
    st.tuples(
        st.sampled_from("ab"),
        st.sampled_from("xy"),
        st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(7, 2)]),
    ),
    min_size=2,
    max_size=6,
)


@sized(60)
@given(
    PEOPLE, st.integers(1, 6), st.sets(st.tuples(st.integers(1, 6), st.sampled_from(NAMES))), st.booleans()
)
def test_every_chance_is_that_of_the_definition(
    drawn: list[Any], many: int, hidden: set[tuple[int, str]], wrong: bool
) -> None:
    everybody = [(f"p{place}", *one) for place, one in enumerate(drawn)]
    some = everybody[:many]
    hidden = {(row, name) for row, name in hidden if row <= len(some)}
    part = Fraction(1, 4) if wrong else Fraction(0)
    weights = ga.Sensitivity(columns={"c0": 1, "c1": 2}, wrong=part)
    release = records(some, hidden, sensitivity=weights)
    if release.is_empty:
        return
    found = ga.assess(release, knows(everybody), ga.Tolerance(identity="1/3", average="1/2"))
    risk = found.findings[0].risk
    expected = {f"p{row}": chance(everybody, row, hidden) for row in range(len(some))}
    assert {one.target: one.chance for one in risk.exposures} == expected
    total = Fraction(0)
    for row in range(len(some)):
        phi = sum(place + 1 for place, name in enumerate(NAMES) if (row + 1, name) not in hidden)
        likely = expected[f"p{row}"]
        total += phi * (likely + part * (1 - likely))
    assert risk.average == total / len(some)
    assert risk.figures["exposed_records"] == sum(one > Fraction(1, 3) for one in expected.values())
    everything = sum(one[3] for one in everybody)
    assert {one.target: one.baseline for one in risk.exposures} == {
        f"p{row}": one[3] / everything for row, one in enumerate(some)
    }
    alike = ga.assess(release, knows([(*one[:3], Fraction(5)) for one in everybody]), LIMIT).findings[0].risk
    uniform = ga.assess(release, knows(everybody, likelihood=None), LIMIT).findings[0].risk
    assert alike.average == uniform.average
    assert [one.chance for one in alike.exposures] == [one.chance for one in uniform.exposures]


PAIR = [("p0", "a", "x", Fraction(9)), ("p1", "a", "x", Fraction(1)), ("p2", "a", "x", Fraction(10))]


def test_two_who_agree_and_are_not_equally_likely() -> None:
    found = ga.assess(records(PAIR[:2]), knows(PAIR), ga.Tolerance(identity="2/5"))
    assert {one.target: str(one.chance) for one in found.exposures} == {"p0": "9/20", "p1": "1/20"}
    assert found.verdict == "at risk"
    assert "as often as their often is of all theirs together" in found.findings[0].risk.how.detail
    assert ga.assess(records(PAIR[:2]), knows(PAIR, likelihood=None), ga.Tolerance(identity="2/5")).safe


def test_the_checker_counts_them_too(tmp_path: Path) -> None:
    """It confirms the limit that is just kept, and refuses one that is not, though the uniform chance of 1/3 keeps both."""
    found = ga.assess(records(PAIR[:2]), knows(PAIR), ga.Tolerance(identity="9/20"))
    assert found.safe
    found.publish(tmp_path / "out")
    lie = replace(found.findings[0], tolerance=ga.Tolerance(identity="2/5"))
    with pytest.raises(ga.CheckFailed):
        replace(found, findings=(lie,)).publish(tmp_path / "other")


def test_a_release_without_ids_is_refused() -> None:
    release = ga.Release(ga.Table.from_rows([{"c0": "a", "c1": "x"}]))
    with pytest.raises(ga.ScenarioError, match="has no id"):
        ga.assess(release, knows(PAIR), LIMIT)


def test_the_person_of_every_record_must_be_among_those_who_agree() -> None:
    stranger = [("p9", "a", "x", Fraction(1))]
    moved = [("p1", "b", "x", Fraction(1))]
    for some in (stranger, moved):
        found = ga.assess(records([PAIR[0], *some]), knows(PAIR), LIMIT)
        assert found.verdict == "cannot judge"
        assert "likelihood needs the person of every record" in found.findings[0].reasons[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"knows_method": True}, "knows_method is true"),
        ({"at_most": 1}, "at_most is given"),
        ({"true_people": held(PAIR)}, "true_people is given"),
        ({"likelihood": "luck"}, 'has no column "luck"'),
    ],
)
def test_what_does_not_follow_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        knows(PAIR, **changes)


@pytest.mark.parametrize("often", ["0", "-1", "much", ""])
def test_everybody_has_a_number_above_0(often: str) -> None:
    rows = [{"who": "p0", "c0": "a", "often": "1"}, {"who": "p1", "c0": "a", "often": often}]
    with pytest.raises(ga.GiveawayError, match=r"often|likelihood"):
        ga.KnowsDirectory(
            people=ga.Table.from_rows(rows, id="who"), id="who", likelihood="often", knows_method=False
        )


def rules(many: int) -> list[set[tuple[int, str]]]:
    """Every way to hide some of the entries of so many records."""
    entries = [(row + 1, name) for row in range(many) for name in NAMES]
    return [{*some} for size in range(len(entries) + 1) for some in combinations(entries, size)]


def serves(hidden: set[tuple[int, str]], records_: int, name: str, number: int) -> bool:
    shown = [(row + 1, one) for row in range(records_) for one in NAMES if (row + 1, one) not in hidden]
    if name == "total":
        return len(shown) == number
    if name == "per_record":
        return all(sum(row == place + 1 for row, _ in shown) == number for place in range(records_))
    return all(sum(one == column for _, one in shown) == number for column in NAMES)


@pytest.mark.papers
@settings(max_examples=30)
@given(PEOPLE, st.sampled_from(["per_record", "per_column", "total"]), st.integers(1, 2))
def test_the_least_risk_is_that_of_every_rule_tried(drawn: list[Any], name: str, number: int) -> None:
    everybody = [(f"p{place}", *one) for place, one in enumerate(drawn)]
    some = everybody[: min(3, len(everybody) - 1)]
    risks = [
        sum(chance(everybody, row, hidden) for row in range(len(some))) / len(some)
        for hidden in rules(len(some))
        if serves(hidden, len(some), name, number)
    ]
    if not risks:
        return
    found = ga.least_risk(records(some), knows(everybody), ga.NeedsColumns(**{name: number}))
    assert (found.risk, found.proved) == (min(risks), True)


@settings(max_examples=30)
@given(PEOPLE, st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(2, 3)]))
def test_as_little_is_withheld_as_any_rule_within_the_limit_withholds(
    drawn: list[Any], limit: Fraction
) -> None:
    everybody = [(f"p{place}", *one) for place, one in enumerate(drawn)]
    some = everybody[: min(3, len(everybody) - 1)]
    fits = [
        hidden
        for hidden in rules(len(some))
        if all(chance(everybody, row, hidden) <= limit for row in range(len(some)))
    ]
    fewest = min(map(len, fits), default=None)
    asked = records(some), knows(everybody), ga.Tolerance(identity=limit)
    if fewest is None or fewest == 2 * len(some):
        with pytest.raises(ga.NoSafeRelease):
            ga.protect(*asked)
        return
    answer = ga.protect(*asked)
    assert (answer.verdict, len(answer.withheld.cells)) == ("safe", fewest)


def test_other_ways_to_protect_do_not_know_it(tmp_path: Path) -> None:
    at_risk = [*PAIR, ("p3", "a", "y", Fraction(1))]
    asked = records([at_risk[3], *PAIR[:2]]), knows(at_risk), ga.Tolerance(identity="9/20")
    safer = ga.protect(*asked)
    assert (safer.verdict, sorted(safer.withheld.cells)) == ("safe", [(1, "c1")])
    safer.publish(tmp_path / "out")
    for method in ("crowd", "levels", "minrisk"):
        with pytest.raises(ga.ScenarioError, match="the method is"):
            ga.protect(*asked, directory={"method": method}, need=ga.NeedsColumns(per_record=1))


def test_a_scenario_names_the_column(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "records.csv").write_text("who,c0\np0,a\np1,a\n")
    (tmp_path / "book.csv").write_text("who,c0,often\np0,a,9\np1,a,1\np2,a,10\n")
    (tmp_path / "it.toml").write_text("""\
[release]
data = "records.csv"
id = "who"

[tolerates]
identity = "2/5"

[[knows]]
attack = "directory"
people = "book.csv"
id = "who"
columns = ["c0"]
likelihood = "often"
knows_method = false
""")
    told = invoke("assess", str(tmp_path / "it.toml"))
    assert told.exit_code == 1
    told = invoke("assess", str(tmp_path / "it.toml"), "--set", "tolerates.identity=9/20")
    assert told.exit_code == 0
