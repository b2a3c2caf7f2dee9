"""Coarser labels joined with what earlier releases show: the finer of two labels counts."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.checker.together.writing import csv, judged, written

import giveaway as ga

AGES = {str(age): [f"{age // 10 * 10}s"] for age in (31, 32, 41, 42)}
SCENARIO = """
[release]
data = "people.csv"
leave_out = ["{without}"]
hierarchies = {{ age = "ages.csv" }}
{earlier}
[tolerates]
identity = "1/3"
[[knows]]
attack = "directory"
columns = ["age", "job", "town"]
knows_method = false
"""


def test_coarser_labels_are_confirmed_with_those_of_last_year(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ages = [str(age) for age in (31, 32, 33, 41, 42, 43)]
    csv(tmp_path, "ages.csv", "31,30s", [f"{age},{age[0]}0s" for age in ages[1:]])
    people = [f"{age},{job},{town}" for age in ages for job in ("cook", "smith") for town in "xy"]
    csv(tmp_path, "people.csv", "age,job,town", people)
    first = SCENARIO.format(without="town", earlier="").replace(', "town"]', "]")
    then = written(first, "2025", "--ledger", "ledger.json")
    said = '[[earlier]]\nrelease = "2025"\nlinked = "rows"\nledger = "ledger.json"\n'
    now = written(SCENARIO.format(without="job", earlier=said), "2026", "--ledger", "ledger.json")
    assert all("30s" in (out / "release.csv").read_text() for out in (then, now))


def release(folder: Path, ages: list[str], then: list[str], now: list[int | None]) -> ga.Release:
    """A release of ages at some levels, None for nothing, after one that showed some texts."""
    file = csv(folder, "2025.csv", "age,x", [f"{text},1" for text in then])
    shown = ga.Table.from_rows([{"age": text, "x": "1"} for text in then])
    one = ga.Earlier(shown, name="2025", linked="rows", rows=range(1, len(ages) + 1), file=file)
    table = ga.Table.from_rows([{"age": age, "town": "t"} for age in ages])
    withheld = ga.Withheld(
        cells=[(row, "age") for row, level in enumerate(now, 1) if level is None],
        levels=[(row, "age", level) for row, level in enumerate(now, 1) if level],
    )
    return ga.Release(table, withheld, hierarchies={"age": AGES}, earlier=[one])


BY_FIT = ga.KnowsDirectory(columns=["age"], knows_method=False)


def test_the_finer_label_counts(tmp_path: Path) -> None:
    ages = ["31", "32", "41", "41"]
    coarse = ["30s", "30s", "40s", "40s"]
    judged(release(tmp_path, ages, coarse, [1, 1, 1, 1]), tmp_path, BY_FIT, identity="1/2")
    for then, now in ((["31", "30s", "40s", "40s"], [1, 1, 1, 1]), (["31", *coarse[1:]], [None, 1, 1, 1])):
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):
            judged(release(tmp_path, ages, then, now), tmp_path, BY_FIT, identity="1/2")
    informed = ga.KnowsDirectory(columns=["age"])
    judged(release(tmp_path, ages, ["", "", "41", "41"], [1, 1, 1, 1]), tmp_path, informed, identity="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):  # who was blank then, and who was not
        judged(
            release(tmp_path, ages, ["", "30s", "41", "41"], [1, 1, 1, 1]), tmp_path, informed, identity="1/2"
        )


def test_a_file_that_was_changed_is_noticed(tmp_path: Path) -> None:
    now = release(tmp_path, ["31", "32", "41", "41"], ["30s", "30s", "40s", "40s"], [1, 1, 1, 1])
    file = tmp_path / "2025.csv"
    file.write_text(file.read_text().replace("30s", "31", 1))
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(now, tmp_path, BY_FIT, identity="1/2")
    file.write_text(file.read_text().replace("31", "40s", 1))
    with pytest.raises(ga.CheckFailed, match="not true of the person"):
        judged(now, tmp_path, BY_FIT, identity="1/2")
    honest = release(tmp_path, ["31", "32", "41", "41"], ["30s", "30s", "40s", "40s"], [1, 1, 1, 1])
    with pytest.raises(ga.CheckFailed, match="not the original"):
        judged(
            honest,
            tmp_path,
            BY_FIT,
            lambda out: out.write_text(out.read_text().replace("30s", "31", 1)),
            identity="1/2",
        )


LEVEL = st.sampled_from([0, 1, None])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(people=st.lists(st.tuples(st.sampled_from(sorted(AGES)), LEVEL, LEVEL), min_size=2, max_size=7))
def test_crowds_are_those_of_plain_counting(
    people: list[tuple[str, int | None, int | None]], tmp_path: Path
) -> None:
    """Everybody whose age agrees with the label of each file, one by one."""

    def shown(age: str, level: int | None) -> str | None:
        return None if level is None else AGES[age][0] if level else age

    def agrees(age: str, label: str | None) -> bool:
        return label in (None, age, AGES[age][0])

    ages = [age for age, _, _ in people]
    then = [shown(age, level) or "" for age, level, _ in people]
    now = [level for _, _, level in people]
    if all(level is None for level in now):
        return
    crowds = [
        (
            sum(agrees(other, shown(age, level)) for other in ages),
            sum(agrees(other, shown(age, level)) and agrees(other, shown(age, before)) for other in ages),
        )
        for age, before, level in people
    ]
    alone, both = (min(part) for part in zip(*crowds, strict=True))
    made = release(tmp_path, ages, then, now)
    judged(made, tmp_path, BY_FIT, identity=Fraction(1, both))
    if both < alone:
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):
            judged(made, tmp_path, BY_FIT, identity=Fraction(1, both + 1))
