"""People who are in several tables whose rows cannot be joined: crowds and beliefs, counted from the files."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.checker.together.writing import csv, judged, run, written
from tests.oracles.composition import tables as oracle
from tests.oracles.composition.tables import Columns, Row
from tests.sizes import sized

import giveaway as ga
from giveaway.checker.attacks.directory.everybody_known import proved
from giveaway.checker.attacks.directory.people_in_both import RowsApart

ROWS = [
    f"{age},{job},{illness}"
    for age, job in product(("30", "40"), ("cook", "smith"))
    for illness in ("flu", "flu", "hiv", "ulcer")
]
SCENARIO = """
[release]
data = "people.csv"
sensitive = "illness"
leave_out = ["{without}"]
{earlier}
[tolerates]
identity = "1/4"
attribute = "3/5"
[[knows]]
attack = "directory"
columns = ["age", "job"]
knows_method = false
"""
EARLIER = '[[earlier]]\nrelease = "2025"\nlinked = "people"\n'
BY_FIT = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)


@pytest.mark.parametrize("ledger", [True, False])
def test_beliefs_of_people_who_are_in_both_are_confirmed(
    ledger: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    csv(tmp_path, "people.csv", "age,job,illness", ROWS)
    first = SCENARIO.format(without="job", earlier="").replace('"age", "job"', '"age"')
    written(first, "2025", *(["--ledger", "ledger.json"] if ledger else []))
    said = EARLIER + ('ledger = "ledger.json"\n' if ledger else "")
    written(SCENARIO.format(without="age", earlier=said), "2026")
    unsure = SCENARIO.format(without="age", earlier=said.replace('"people"', '"unknown"'))
    written(unsure if ledger else unsure.replace('attribute = "3/5"\n', ""), "unsure")
    strict = SCENARIO.format(without="age", earlier=said).replace("3/5", "1/2").replace('"1/4"', '"1/8"')
    Path("strict.toml").write_text(strict)
    assert run("protect", "strict.toml", "-o", "strict").exit_code == 0  # flu 1/2, and every crowd is 8


def people(folder: Path, lines: list[str], **how: Any) -> ga.Release:
    """A release of job and illness after one of age and illness, of the people of these lines."""
    parts = [line.split(",") for line in lines]
    then = csv(folder, "2025.csv", "age,illness", sorted(f"{age},{ill}" for age, _, ill in parts))
    now = csv(folder, "now.csv", "job,illness", [f"{job},{ill}" for _, job, ill in parts])
    whole = ga.Table.from_rows([{"age": age} for age, _, _ in parts])
    one = ga.Earlier(ga.read_table(then), name="2025", linked="people", file=then, original=whole)
    return ga.Release(ga.read_table(now, sensitive="illness"), earlier=[one], **how)


def test_a_value_that_is_believed_too_strongly_together_breaks_the_promise(tmp_path: Path) -> None:
    """The six people: each release alone says 2/3 at most, both say flu for certain of the first."""
    six = ["30,cook,flu", "30,smith,flu", "30,smith,hiv", "40,cook,flu", "40,cook,ulcer", "40,smith,hiv"]
    judged(people(tmp_path, six), tmp_path, BY_FIT, attribute="1/1")
    with pytest.raises(ga.CheckFailed, match=r"Together with 2025, release\.csv breaks the promise"):
        judged(people(tmp_path, six), tmp_path, BY_FIT, attribute="2/3")
    judged(people(tmp_path, six), tmp_path, BY_FIT, attribute="2/3", share="2/6")  # the first and the last
    with pytest.raises(ga.CheckFailed, match="breaks the promise"):
        judged(people(tmp_path, six), tmp_path, BY_FIT, attribute="2/3", share="1/6")
    judged(people(tmp_path, six), tmp_path, BY_FIT, attribute="4/5", share="2/6")
    with pytest.raises(
        ga.NotConfirmed, match="could not be told"
    ):  # who knows everybody is certain of the last too
        judged(people(tmp_path, six), tmp_path, BY_FIT, attribute="4/5", share="1/6")
    judged(people(tmp_path, six, sensitive_values=["ulcer"]), tmp_path, BY_FIT, attribute="2/3")
    only_true = ga.KnowsDirectory(columns=["age", "job"], knows_method=False, judges="true")
    judged(people(tmp_path, six), tmp_path, only_true, attribute="2/3", share="2/6")


def test_a_file_that_was_changed_is_noticed(tmp_path: Path) -> None:
    release = people(tmp_path, ROWS)
    judged(release, tmp_path, BY_FIT, identity="1/4", attribute="1/2")
    file = tmp_path / "2025.csv"
    honest = file.read_text()
    # The same values, of others: all ulcers are of the young, and all others with flu old.
    file.write_text(
        honest.replace("30,flu", "30,x", 2).replace("40,ulcer", "40,flu").replace("30,x", "30,ulcer")
    )
    with pytest.raises(ga.CheckFailed, match="breaks the promise"):
        judged(release, tmp_path, BY_FIT, identity="1/4", attribute="1/2")
    file.write_text(honest.replace("30,flu", "30,hiv", 1))
    with pytest.raises(ga.CheckFailed, match="do not have the same values in the columns of both"):
        judged(release, tmp_path, BY_FIT, identity="1/4", attribute="1/2")
    file.write_text(honest)
    with pytest.raises(ga.CheckFailed, match="not the original"):
        judged(
            release,
            tmp_path,
            BY_FIT,
            lambda out: out.write_text(out.read_text().replace("cook,hiv", "cook,flu", 1)),
            attribute="1/2",
        )


def test_what_is_not_counted_is_not_confirmed(tmp_path: Path) -> None:
    blank = ga.Withheld(cells=[(1, "illness")])
    with pytest.raises(
        ga.NotConfirmed, match="2025 too is not checked: a column that all releases have is blank"
    ):
        judged(people(tmp_path, ROWS, withheld=blank), tmp_path, BY_FIT, attribute="3/4")
    informed = ga.KnowsDirectory(columns=["age", "job"])
    with pytest.raises(ga.NotConfirmed, match="somebody who knows the method"):
        judged(people(tmp_path, ROWS), tmp_path, informed, attribute="3/4")
    few = ga.KnowsDirectory(columns=["age", "job"], at_most=1, knows_method=False)
    with pytest.raises(ga.NotConfirmed, match="at_most"):
        judged(people(tmp_path, ROWS), tmp_path, few, identity="1/4")
    classes = {"illness": {"bad": ["hiv", "ulcer"]}}
    with pytest.raises(ga.NotConfirmed, match="classes of values"):
        judged(people(tmp_path, ROWS, sensitive_classes=classes), tmp_path, BY_FIT, attribute="3/4")


def test_who_knows_the_method_is_hidden_from_by_rows_that_show_the_same(tmp_path: Path) -> None:
    """Among four of each job two have flu, one hiv and one an ulcer, which both files show."""
    informed = ga.KnowsDirectory(columns=["age", "job"])
    judged(people(tmp_path, ROWS * 2), tmp_path, informed, identity="1/4")
    with pytest.raises(ga.NotConfirmed, match="could not be told"):
        judged(people(tmp_path, ROWS), tmp_path, informed, identity="1/4")


# Against all worlds ---------------------------------------------------------------------------------------------

SENSITIVE = 3
NAMES = "abcs"
ROW = st.tuples(*[st.sampled_from("xy")] * 3, st.sampled_from("uvw"))
SOME = st.frozensets(st.integers(0, 2))


@st.composite
def releases(draw: st.DrawFn, number: int = 2) -> tuple[list[Row], list[list[Row]], Columns]:
    """Give what is known of people, and releases that share the sensitive column and perhaps one more."""
    table = draw(st.lists(ROW, min_size=2, max_size=5 if number == 2 else 4))
    both = draw(SOME)
    own = [draw(SOME) - both for _ in range(number)]
    for at in range(number):  # no column is shared by some of several only
        own[at] -= frozenset().union(*own[:at])
    found = []
    for columns in own:
        kept = [(draw(SOME) & columns) | both | {SENSITIVE} for _ in table]
        found.append([oracle.keep(row, mine) for row, mine in zip(table, kept, strict=True)])
    return [oracle.keep(row, frozenset(range(3))) for row in table], found, both


def texts(rows: list[Row], columns: Columns) -> dict[str, list[Any]]:
    return {NAMES[at]: [row[at] for row in rows] for at in sorted(columns)}


def apart(people: list[Row], found: list[list[Row]], both: Columns) -> RowsApart:
    shown = [frozenset(at for row in rows for at in oracle.shown(row)) | both | {SENSITIVE} for rows in found]
    return RowsApart(
        releases=[texts(rows, columns) for rows, columns in zip(found, shown, strict=True)],
        truth=texts(people, frozenset(range(3))),
        known=("a", "b", "c"),
    )


@settings(max_examples=100, deadline=None)
@given(releases())
def test_beliefs_are_those_of_all_ways_to_join_the_rows(drawn: Any) -> None:
    known, found, both = drawn
    counted = apart(known, found, both)
    beliefs = counted.beliefs("s")
    for person, profile in zip(known, counted.profiles, strict=True):
        assert beliefs[counted.number_of[profile]] == oracle.belief_of_worlds(found, person, SENSITIVE)


@settings(max_examples=40, deadline=None)
@given(releases(2))
def test_what_is_proved_to_who_knows_everybody_holds_in_every_world(drawn: Any) -> None:
    known, found, both = drawn
    if len(known) > 4:
        return
    counted = apart(known, found, both)
    values = proved(counted, "s")
    for person, profile in enumerate(counted.profiles):
        value = values[counted.number_of[profile]]
        believed = oracle.belief_of_register(found, known, person, SENSITIVE)
        assert value is None or believed == {value: 1}


def test_the_last_of_the_six_people_is_proved_to_who_knows_everybody() -> None:
    """By one person's values hiv is believed with 3/4."""
    ages = [30, 30, 30, 40, 40, 40]
    jobs = ["cook", "smith", "smith", "cook", "cook", "smith"]
    ill = ["flu", "flu", "hiv", "flu", "ulcer", "hiv"]
    table: dict[str, list[Any]] = {"age": list(map(str, ages)), "job": jobs, "ill": ill}
    then, now = ({name: table[name] for name in names} for names in (("age", "ill"), ("job", "ill")))
    counted = RowsApart(releases=[now, then], truth=table, known=("age", "job"))
    values = proved(counted, "ill")
    assert [values[counted.number_of[one]] for one in counted.profiles] == [
        "flu",
        None,
        None,
        None,
        None,
        "hiv",
    ]
    assert counted.beliefs("ill")[counted.number_of["40", "smith"]]["hiv"] == Fraction(3, 4)


@sized(30)
@given(releases(3))
def test_beliefs_of_three_releases_are_those_of_all_ways_to_join_them(drawn: Any) -> None:
    known, found, both = drawn
    counted = apart(known, found, both)
    counted.check()
    beliefs = counted.beliefs("s")
    for person, profile in zip(known, counted.profiles, strict=True):
        assert beliefs[counted.number_of[profile]] == oracle.belief_of_worlds(found, person, SENSITIVE)


def written_after(
    known: list[Row], then: list[Row], now: list[Row], linked: Any, folder: Path
) -> tuple[ga.Release | None, ga.KnowsDirectory]:
    """Return a release after another one of the same people, whose rows nobody can join; None where nothing is compared."""
    rows = [
        [{name: "" if row[at] is None else row[at] for at, name in enumerate(NAMES)} for row in part]
        for part in (then, now)
    ]
    truth = [dict(zip(NAMES, row, strict=True)) for row in known]
    held = [[name for name in NAMES if any(row[name] for row in part)] for part in rows]
    values = [
        {name: row["s"] if name == "s" else own[name] for name in held[1]}
        for row, own in zip(rows[1], truth, strict=True)
    ]
    hidden = [(at, name) for at, row in enumerate(rows[1], 1) for name in held[1] if not row[name]]
    lines = [",".join(row[name] for name in held[0]) for row in rows[0]]
    file = csv(folder, "2025.csv", ",".join(held[0]), lines)
    original = ga.Table.from_rows([{name: own[name] for name in "abc"} for own in truth])
    shown = ga.Table.from_rows([{name: row[name] for name in held[0]} for row in rows[0]])
    one = ga.Earlier(shown, name="2025", linked=linked, file=file, original=original)
    release = ga.Release(
        ga.Table.from_rows(values, sensitive="s"), ga.Withheld(cells=hidden), earlier=[one], order="shuffled"
    )
    columns = [name for name in "abc" if name in held[0] or name in held[1]]
    attacker = ga.KnowsDirectory(columns=columns or ["a"], knows_method=False)
    return (release if {*columns} & {*held[1]} else None), attacker


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=releases())
def test_crowds_are_those_of_all_ways_to_join_the_rows(drawn: Any, tmp_path: Path) -> None:
    """A release is confirmed with the smallest crowd of all worlds, and found out with a larger one."""
    known, (then, now), _ = drawn
    release, attacker = written_after(known, then, now, "people", tmp_path)
    if release is None:
        return
    alone = min(oracle.crowd_alone(now, known, at) for at in range(len(now)))
    crowd = min(oracle.crowd_of_worlds(then, now, known, at) for at in range(len(now)))
    judged(release, tmp_path, attacker, identity=Fraction(1, crowd))
    if crowd < alone:
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):
            judged(release, tmp_path, attacker, identity=Fraction(1, crowd + 1))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=releases())
def test_where_nobody_says_whose_row_it_was_the_worst_that_fits_is_taken(drawn: Any, tmp_path: Path) -> None:
    """The smallest crowd of all earlier rows that fit somebody in what is compared: confirmed with it, and not with a larger one."""
    known, (then, now), _ = drawn
    release, attacker = written_after(known, then, now, "rows", tmp_path)
    if release is None:
        return
    alone = min(oracle.crowd_alone(now, known, at) for at in range(len(now)))
    seen = [oracle.keep(row, frozenset(range(3))) for row in then]
    crowd = min(oracle.crowd_without_join(seen, now, known, at) for at in range(len(now)))
    judged(release, tmp_path, attacker, identity=Fraction(1, crowd))
    if crowd < alone:
        with pytest.raises(ga.NotConfirmed, match="could not be told"):
            judged(release, tmp_path, attacker, identity=Fraction(1, crowd + 1))
