"""Transactions joined with those of earlier files, each file in its own form."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.checker.together.writing import judged, written

import giveaway as ga
from giveaway.checker.together.reading import read_baskets

THEN = ["a"] * 4 + ["b"] * 4
NOW = ["c", "c", "d", "d"] * 2


def baskets(file: Path, rows: list[str]) -> None:
    file.write_text("".join(" ".join(row) + "\n" for row in rows))


def one_hot(file: Path, rows: list[str]) -> None:
    items = sorted({*"".join(rows)})
    lines = [",".join(str(int(item in row)) for item in items) for row in rows]
    file.write_text("\n".join([",".join(items), *lines]) + "\n")


def lists(file: Path, rows: list[str]) -> None:
    file.write_text("".join(json.dumps({"items": [*row]}) + "\n" for row in rows))


def long(file: Path, rows: list[str]) -> None:
    lines = [f"{at},{item}" for at, row in enumerate(rows, 1) for item in row]
    file.write_text("\n".join(["who,what", *lines]) + "\n")


Form = tuple[str, Callable[[Path, list[str]], None], dict[str, Any]]
FORMS: dict[str, Form] = {
    "baskets": ("dat", baskets, {}),
    "one-hot": ("csv", one_hot, {}),
    "lists": ("jsonl", lists, {"item": "items"}),
    "long": ("csv", long, {"id": "who", "item": "what"}),
}
BOTH = [(one, other) for one, other in product(FORMS, FORMS)]


def release(folder: Path, forms: tuple[str, str], **how: Any) -> ga.Release:
    found = []
    for form, name, rows in zip(forms, ("then", "now"), (THEN, NOW), strict=True):
        ending, write, fields = FORMS[form]
        write(folder / f"{name}.{ending}", rows)
        found.append(
            (ga.read_transactions(folder / f"{name}.{ending}", **fields), folder / f"{name}.{ending}")
        )
    (then, file), (now, _) = found
    said: dict[str, Any] = {"linked": "rows", "rows": range(1, 9), "file": file} | how
    return ga.Release(now, earlier=[ga.Earlier(then, name="2025", **said)])


@pytest.mark.parametrize("forms", BOTH)
def test_each_file_is_read_in_its_own_form(forms: tuple[str, str], tmp_path: Path) -> None:
    judged(release(tmp_path, forms), tmp_path, ga.KnowsItems(at_most=2), identity="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(release(tmp_path, forms), tmp_path, ga.KnowsItems(at_most=2), identity="1/3")
    judged(release(tmp_path, forms, linked="people"), tmp_path, ga.KnowsItems(at_most=1), identity="1/4")


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_was_changed_is_noticed(form: str, tmp_path: Path) -> None:
    made = release(tmp_path, (form, "baskets"))
    ending, write, _ = FORMS[form]
    write(tmp_path / f"then.{ending}", ["a", "b", "a", "a", "b", "b", "b", "b"])
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(made, tmp_path, ga.KnowsItems(at_most=2), identity="1/2")


@pytest.mark.parametrize("form", ["one-hot", "lists", "baskets"])
def test_scenarios_of_every_form_are_written(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ending, write, fields = FORMS[form]
    write(Path(f"then.{ending}"), THEN)
    write(Path(f"now.{ending}"), NOW)
    item = f'item = "{fields["item"]}"\n' if fields else ""
    scenario = f"""
[release]
data = "now.{ending}"
{item}
[[earlier]]
release = "then.{ending}"
linked = "rows"
[tolerates]
identity = "1/2"
[[knows]]
attack = "items"
at_most = 2
"""
    written(scenario, "2026")


def test_what_was_bought_at_some_time_is_judged_where_a_private_item_is(tmp_path: Path) -> None:
    """Milk of each year is bought by 2 of 4 who are ill, and by 4 of 6 at some time."""
    then = ["m", "m", "x", "x", "m", "m", "x", "x", "x", "x"]
    now = ["i", "i", "mi", "mi", "m", "m", "x", "x", "x", "x"]
    files = tmp_path / "then.dat", tmp_path / "now.dat"
    for file, rows in zip(files, (then, now), strict=True):
        baskets(file, rows)
    earlier = ga.Earlier(
        ga.read_transactions(files[0]), name="2025", linked="rows", rows=range(1, 11), file=files[0]
    )
    made = ga.Release(ga.read_transactions(files[1], private=["i"]), earlier=[earlier])
    judged(made, tmp_path, ga.KnowsItems(at_most=1), attribute="2/3")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(made, tmp_path, ga.KnowsItems(at_most=1), attribute="0.66")


def test_codes_are_joined_by_the_items_that_they_stand_for(tmp_path: Path) -> None:
    made = release(tmp_path, ("baskets", "baskets"))
    coded = ga.Release(made.original, renamed=True, earlier=made.earlier)
    judged(coded, tmp_path, ga.KnowsItems(at_most=2), identity="1/2")
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(coded, tmp_path, ga.KnowsItems(at_most=2), identity="1/3")


def test_the_same_transactions_tell_who_joined_by_difference(tmp_path: Path) -> None:
    files = tmp_path / "then.dat", tmp_path / "now.dat"
    for file, rows in zip(files, (["a", "a", "b", "b"], ["a", "a", "b", "b", "a"]), strict=True):
        baskets(file, rows)
    how: dict[str, Any] = {"name": "2025", "facts": "same", "file": files[0], "rows": range(1, 5)}
    one = ga.Earlier(ga.read_transactions(files[0]), linked="rows", **how)
    made = ga.Release(ga.read_transactions(files[1]), earlier=[one])
    with pytest.raises(ga.CheckFailed, match="Together with 2025"):
        judged(made, tmp_path, ga.KnowsItems(at_most=1), identity="1/2")
    unsure = ga.Earlier(ga.read_transactions(files[0]), linked="people", **how)
    with pytest.raises(ga.NotConfirmed, match="only may belong to the same transactions"):
        judged(
            ga.Release(made.original, earlier=[unsure]), tmp_path, ga.KnowsItems(at_most=1), identity="1/2"
        )


def test_baskets_of_an_earlier_release_are_read_from_its_file_and_not_taken_as_planned(
    tmp_path: Path,
) -> None:
    data, file = tmp_path / "data.dat", tmp_path / "release.dat"
    data.write_text("a b\na\nb\n")
    file.write_text("\na\nb\n")
    planned = ga.Release(ga.read_transactions(data), ga.Withheld(items=["b"]))
    one = ga.Earlier(planned, name="other", linked="rows", rows=[2, 1, 3], file=file)
    assert list(read_baskets(one)) == [frozenset(), {"a"}, {"b"}]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rows_of_items_are_read_whatever_ends_their_lines(tmp_path: Path, end: str) -> None:
    file = tmp_path / "then.csv"
    file.write_bytes(end.join(["who,what", "p,a", '"p",b', "q,a", ""]).encode())
    shown = ga.read_transactions(file, id="who", item="what")
    one = ga.Earlier(shown, name="2025", linked="rows", rows=[1, 2], file=file)
    assert list(read_baskets(one)) == [{"a", "b"}, {"a"}]
