"""Somebody who takes some people for likelier than others (section 2.1): by its definition, and where it is refused."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.conftest import Invoke

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


@settings(max_examples=60)
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


def test_nothing_is_withheld_against_it() -> None:
    for limit in ("2/5", "9/20"):
        with pytest.raises(ga.ScenarioError, match="measured only"):
            ga.protect(records(PAIR[:2]), knows(PAIR), ga.Tolerance(identity=limit))
    with pytest.raises(ga.ScenarioError, match="likelihood is given"):
        ga.least_risk(records(PAIR[:2]), knows(PAIR), ga.NeedsColumns(per_record=1))


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
