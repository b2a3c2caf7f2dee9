"""What earlier releases gave away by themselves is accepted where the owner says so, and nothing is added to it."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.checker.together.writing import csv, judged, written

import giveaway as ga

PEOPLE = [f"{age},{job},{town}" for age, job in product("345", ("cook", "smith")) for town in "xxyy"]
ALONE = ["6,nurse,x", "7,baker,x", "8,clerk,x"]
SCENARIO = """
[release]
data = "people.csv"
leave_out = ["job"]
[[earlier]]
release = "out.csv"
linked = "rows"
already = "accept"
[tolerates]
identity = "1/3"
[[knows]]
attack = "directory"
columns = ["age", "job", "town"]
knows_method = {informed}
"""


@pytest.mark.parametrize("informed", ["false", "true"])
def test_somebody_who_was_alone_before_is_accepted(
    informed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    csv(tmp_path, "people.csv", "age,job,town", [*PEOPLE, *ALONE])
    csv(tmp_path, "out.csv", "age,job", [line.rsplit(",", 1)[0] for line in [*PEOPLE, *ALONE]])
    out = written(SCENARIO.format(informed=informed), "2026")
    assert ",\n" in (out / "release.csv").read_text()  # of somebody nothing more is shown


BY_FIT = ga.KnowsDirectory(columns=["age", "job", "town"], knows_method=False)


def release(folder: Path, hidden: list[tuple[int, str]], **how: Any) -> ga.Release:
    """Towns after ages and jobs, which gave away the last three people."""
    lines = [line.split(",") for line in [*PEOPLE, *ALONE]]
    then = csv(folder, "2025.csv", "age,job", [",".join(line[:2]) for line in lines])
    now = csv(folder, "now.csv", "age,town", [f"{age},{town}" for age, _, town in lines])
    rows = range(1, len(lines) + 1)
    said: dict[str, Any] = {"linked": "rows", "already": "accept"} | how
    one = ga.Earlier(ga.read_table(then), name="2025", rows=rows, file=then, **said)
    return ga.Release(ga.read_table(now), ga.Withheld(cells=hidden), earlier=[one])


LAST = range(len(PEOPLE) + 1, len(PEOPLE) + 4)
ALL = [(row, column) for row in LAST for column in ("age", "town")]


@pytest.mark.parametrize("informed", [False, True])
def test_nothing_may_be_added_to_what_is_out(informed: bool, tmp_path: Path) -> None:
    attacker = ga.KnowsDirectory(columns=["age", "job", "town"], knows_method=informed)
    judged(release(tmp_path, ALL), tmp_path, attacker, identity="1/2")
    if not informed:
        judged(release(tmp_path, ALL, linked="unknown"), tmp_path, attacker, identity="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(release(tmp_path, ALL, already="refuse"), tmp_path, attacker, identity="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):  # the town of somebody who is known
        judged(release(tmp_path, [(row, "age") for row in LAST]), tmp_path, attacker, identity="1/2")
    if not informed:
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):  # others are over the limit now
            judged(release(tmp_path, ALL), tmp_path, attacker, identity="1/3")


def test_what_is_not_compared_with_before_is_not_confirmed(tmp_path: Path) -> None:
    with pytest.raises(ga.NotConfirmed, match="could not be told"):
        judged(release(tmp_path, ALL), tmp_path, BY_FIT, identity="1/2", average="1/2")


def test_an_earlier_file_that_was_changed_is_noticed(tmp_path: Path) -> None:
    now = release(tmp_path, ALL)
    file = tmp_path / "2025.csv"
    honest = file.read_text()
    file.write_text(honest.replace("6,nurse", "3,cook"))
    with pytest.raises(ga.CheckFailed, match="not true of the person"):
        judged(now, tmp_path, BY_FIT, identity="1/2")
    file.write_text(honest.replace("6,nurse\n", ""))
    with pytest.raises(ga.CheckFailed, match="does not have the rows"):
        judged(now, tmp_path, BY_FIT, identity="1/2")


def ill(folder: Path, lines: list[str], **how: Any) -> ga.Release:
    """Towns and illnesses after ages and illnesses, which told that all of one age have hiv."""
    parts = [line.split(",") for line in [*lines, "6,x,hiv", "6,x,hiv"]]
    then = csv(folder, "2025.csv", "age,illness", [f"{age},{illness}" for age, _, illness in parts])
    now = csv(folder, "now.csv", "town,illness", [f"{town},{illness}" for _, town, illness in parts])
    said: dict[str, Any] = {"linked": "rows", "already": "accept", "rows": range(1, len(parts) + 1)} | how
    one = ga.Earlier(ga.read_table(then), name="2025", file=then, **said)
    return ga.Release(ga.read_table(now, sensitive="illness"), earlier=[one])


def test_a_value_that_is_out_is_accepted_as_long_as_no_other_is_told(tmp_path: Path) -> None:
    attacker = ga.KnowsDirectory(columns=["age", "town"], knows_method=False)
    mixed = [f"{age},{town},{illness}" for age, town, illness in product("34", "xy", ("flu", "hiv"))]
    judged(ill(tmp_path, mixed), tmp_path, attacker, attribute="2/3")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(ill(tmp_path, mixed, already="refuse"), tmp_path, attacker, attribute="2/3")
    apart = [
        f"{age},{town},{'flu' if (age == '3') == (town == 'x') else 'hiv'}"
        for age, town in product("34", "xy")
        for _ in "12"
    ]
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(ill(tmp_path, apart), tmp_path, attacker, attribute="2/3")
    for linked in ("people", "unknown"):
        judged(ill(tmp_path, mixed, linked=linked), tmp_path, attacker, attribute="2/3")
        with pytest.raises(ga.CheckFailed, match="Together with 2025"):
            judged(ill(tmp_path, mixed, linked=linked, already="refuse"), tmp_path, attacker, attribute="2/3")
    only_true = ga.KnowsDirectory(columns=["age", "town"], knows_method=False, judges="true")
    judged(ill(tmp_path, mixed), tmp_path, only_true, attribute="2/3")


# Secrets and items ----------------------------------------------------------------------------------------------


def secret(folder: Path, then: list[str], **how: Any) -> ga.Release:
    """Of seven people two have a secret; in last year's file some entries were visible."""
    now = csv(folder, "now.csv", "town,ill", ["x,yes", "y,yes", "x,no", "x,no", "y,no", "y,yes", "x,yes"])
    file = csv(folder, "2025.csv", "town,ill", then)
    one = ga.Earlier(ga.read_table(file), name="2025", linked="rows", rows=range(1, 8), file=file, **how)
    return ga.Release(ga.read_table(now, sensitive="ill"), secrets=[1, 2], earlier=[one])


def test_a_secret_that_was_visible_counts_as_given_away_unless_that_is_accepted(tmp_path: Path) -> None:
    attacker = ga.KnowsAttributes(columns=["town"], trusts_support_above=0, knows_method=False)
    silent = ["x,", "y,", "x,no", "x,no", "y,no", "y,yes", "x,yes"]
    told = ["x,yes", *silent[1:]]
    judged(secret(tmp_path, silent), tmp_path, attacker, attribute="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(secret(tmp_path, told), tmp_path, attacker, attribute="1/2")
    judged(secret(tmp_path, told), tmp_path, attacker, attribute="1/2", share="1/2")
    judged(secret(tmp_path, told, already="accept"), tmp_path, attacker, attribute="1/2")
    with pytest.raises(ga.NotConfirmed, match="Every secret was visible"):
        judged(secret(tmp_path, ["x,yes", "y,yes", *silent[2:]]), tmp_path, attacker, attribute="1/2")


def baskets(folder: Path, then: list[str], now: list[str], **how: Any) -> ga.Release:
    files = folder / "then.dat", folder / "now.dat"
    for file, rows in zip(files, (then, now), strict=True):
        file.write_text("".join(" ".join(row) + "\n" for row in rows))
    rows_now = range(1, len(now) + 1)
    said: dict[str, Any] = {"linked": "rows", "already": "accept"} | how
    one = ga.Earlier(ga.read_transactions(files[0]), name="2025", rows=rows_now, file=files[0], **said)
    return ga.Release(ga.read_transactions(files[1], private=["p"]), earlier=[one])


def test_a_rare_item_that_is_out_is_accepted_as_long_as_nothing_is_added(tmp_path: Path) -> None:
    """One person bought b last year; that the same person has p now is news."""
    one_item = ga.KnowsItems(at_most=1)
    then, now = ["a", "a", "a", "ab"], ["c", "cp", "c", "c"]
    judged(baskets(tmp_path, then, now), tmp_path, one_item, identity="1/2", attribute="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(
            baskets(tmp_path, then, now, already="refuse"),
            tmp_path,
            one_item,
            identity="1/2",
            attribute="1/2",
        )
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(
            baskets(tmp_path, then, ["c", "c", "c", "cp"]),
            tmp_path,
            one_item,
            identity="1/2",
            attribute="1/2",
        )
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):  # more items are more than one
        judged(baskets(tmp_path, then, now), tmp_path, ga.KnowsItems(at_most=2), identity="1/2")
