"""A released table is read back and compared; whatever was changed in the file is found out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import giveaway as ga
from giveaway import checker, publish
from giveaway.checker.files import tables

ROWS = [
    {"id": "1", "sex": "f", "job": "cook", "ill": "yes"},
    {"id": "2", "sex": "f", "job": "cook", "ill": "no"},
    {"id": "3", "sex": "m", "job": "", "ill": "no"},
    {"id": "4", "sex": "m", "job": "nurse", "ill": "yes"},
]


def csv_table(folder: Path) -> ga.Table:
    lines = [
        ",".join(["note", *ROWS[0]]),
        *(",".join([f"n{at}", *row.values()]) for at, row in enumerate(ROWS)),
    ]
    (folder / "a.csv").write_text("\n".join(lines) + "\n")
    return ga.read_table(folder / "a.csv", id="id", sensitive="ill", publish_unjudged=["note"])


def jsonl_table(folder: Path) -> ga.Table:
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return ga.read_table(folder / "a.jsonl", id="id", sensitive="ill")


def parquet_table(folder: Path) -> ga.Table:
    pl.DataFrame(ROWS).write_parquet(folder / "a.parquet")
    return ga.read_table(folder / "a.parquet", id="id", sensitive="ill")


FORMS: dict[str, Callable[[Path], ga.Table]] = {
    "csv": csv_table,
    "jsonl": jsonl_table,
    "parquet": parquet_table,
    "rows": lambda _: ga.Table.from_rows(ROWS, id="id", sensitive="ill"),
    "pandas": lambda _: ga.Table.from_frame(pd.DataFrame(ROWS), id="id", sensitive="ill"),
    "polars": lambda _: ga.Table.from_frame(pl.DataFrame(ROWS), id="id", sensitive="ill"),
}


def planned(table: ga.Table, order: str = "kept") -> ga.Release:
    return ga.Release(table, ga.Withheld(cells=[(2, "sex"), (4, "ill")]), secrets=["1"], order=order)


def judged(folder: Path, release: ga.Release) -> dict[str, int]:
    (folder / "out").mkdir(exist_ok=True)
    return checker.judge(publish.write_release(release, folder / "out", None), release, [])


@pytest.mark.parametrize("order", ["kept", "shuffled"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_released_table_is_understood(form: str, order: str, tmp_path: Path) -> None:
    release = planned(FORMS[form](tmp_path), order)

    assert list(judged(tmp_path, release).values()) == [4]


def test_values_of_any_type_are_recognised(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "whole": [1, 2, None],
        "broken": [0.1, 1e-9, float("nan")],
        "yes": [True, False, None],
        "day": [pd.Timestamp("2020-01-01").date(), None, pd.Timestamp("2021-05-06").date()],
        "text": ["007", " 7", "nan"],
    }
    frames = {
        "pandas": pd.DataFrame(columns),
        "polars": pl.DataFrame(columns, strict=False),
        "small": pl.DataFrame(columns, strict=False).with_columns(pl.col("broken").cast(pl.Float32)),
    }
    for name, frame in frames.items():
        table = ga.Table.from_frame(frame)
        assert judged(tmp_path, ga.Release(table, ga.Withheld(cells=[(2, "yes"), (1, "day")]))), name
        (frame if name != "pandas" else pl.from_pandas(frame)).write_parquet(tmp_path / "a.parquet")
        read = ga.read_table(tmp_path / "a.parquet")
        assert judged(tmp_path, ga.Release(read, ga.Withheld(cells=[(1, "broken")]))), name


def test_numbers_that_json_writes_otherwise_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"x": 1.50, "y": true}\n{"x": 2, "y": "TRUE"}\n{"x": 1e3, "y": null}\n'
    )

    assert judged(tmp_path, ga.Release(ga.read_table(tmp_path / "a.jsonl"), ga.Withheld(cells=[(2, "x")])))


def test_a_table_without_header_is_compared_by_the_places_of_its_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("7,f,n,yes\n8,m,n,no\n")
    table = ga.read_table(tmp_path / "a.csv", header=False, id="c1", sensitive="c4", publish_unjudged=["c3"])

    assert judged(tmp_path, ga.Release(table, secrets=["7"])) == {"release.csv": 2}


def tampered(folder: Path, order: str, change: Callable[[list[str]], list[str]]) -> None:
    release = planned(csv_table(folder), order)
    (folder / "out").mkdir()
    file = publish.write_release(release, folder / "out", None)
    file.write_text("\n".join(change(file.read_text().splitlines())) + "\n")
    checker.judge(file, release, [])


def in_line(start: str, new: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [new if line.startswith(start) else line for line in lines]


@pytest.mark.parametrize("order", ["kept", "shuffled"])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(in_line("n0", "n0,f,cook,yes"), id="a secret is shown"),
        pytest.param(in_line("n1", "n1,f,cook,no"), id="a hidden entry is shown"),
        pytest.param(in_line("n2", "n2,m,cook,no"), id="a missing value is shown"),
        pytest.param(in_line("n0", "n0,f,nurse,"), id="a value is another one"),
        pytest.param(in_line("n0", "n0,f,baker,"), id="a value is a new one"),
        pytest.param(in_line("n0", "n0,f,,"), id="a value is gone"),
        pytest.param(lambda lines: lines[:-1], id="a row is missing"),
        pytest.param(lambda lines: [*lines, lines[-1]], id="a row stands twice"),
        pytest.param(lambda lines: [*lines[:-1], lines[1]], id="a row stands for another"),
        pytest.param(lambda lines: [f"{line},{at}" for at, line in enumerate(lines)], id="a column more"),
        pytest.param(lambda lines: [line.rpartition(",")[0] for line in lines], id="a column less"),
        pytest.param(
            lambda lines: [line.replace("note", "id") for line in lines], id="a column of another name"
        ),
        pytest.param(lambda lines: [line.replace("note", "ill") for line in lines], id="a column twice"),
        pytest.param(lambda lines: lines[1:], id="no header"),
        pytest.param(lambda _: ['"'], id="no table"),
    ],
)
def test_a_file_that_was_changed_is_refused(order: str, change: Any, tmp_path: Path) -> None:
    with pytest.raises(ga.CheckFailed):
        tampered(tmp_path, order, change)


def test_a_file_in_another_order_is_refused_where_the_order_is_kept(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    tampered(tmp_path / "one", "shuffled", lambda lines: [lines[0], *lines[:0:-1]])
    with pytest.raises(ga.CheckFailed):
        tampered(tmp_path, "kept", lambda lines: [lines[0], *lines[:0:-1]])


ZIPS = ["10", "10 ", "10", " 10"]


def zips_in_parquet(folder: Path, values: list[Any]) -> Path:
    (folder / "out").mkdir(exist_ok=True)
    pl.DataFrame({"zip": values}, strict=False).write_parquet(folder / "out" / "release.parquet")
    return folder / "out" / "release.parquet"


def test_a_parquet_file_that_keeps_blanks_around_values_is_refused(tmp_path: Path) -> None:
    pl.DataFrame({"zip": ZIPS}).write_parquet(tmp_path / "a.parquet")
    release = ga.Release(ga.read_table(tmp_path / "a.parquet"))

    assert checker.judge(zips_in_parquet(tmp_path, ["10"] * 4), release, []) == {"release.parquet": 4}
    with pytest.raises(ga.CheckFailed, match="not one of the original"):
        checker.judge(zips_in_parquet(tmp_path, ZIPS), release, [])


TWO_FORMS = {
    "types": ('{"zip": 10}\n{"zip": "10"}\n', "A value has two written forms in the column zip"),
    "a missing key": ('{"zip": "10"}\n{}\n', "same columns in the same order"),
    "the order of keys": ('{"zip": 10, "x": 1}\n{"x": 1, "zip": 10}\n', "same columns in the same order"),
    "an empty text": ('{"zip": null}\n{"zip": ""}\n', "not one of the original"),
    "a mark": ('{"zip": null}\n{"zip": "?"}\n', "not one of the original"),
    "digits": ('{"zip": 1.5}\n{"zip": 1.50}\n', "A line of release.jsonl is not written as others are"),
    "escapes": (
        '{"zip": "10"}\n{"zip": "1\\u0030"}\n',
        "A line of release.jsonl is not written as others are",
    ),
    "blanks": ('{"zip": 10}\n{"zip":10}\n', "A line of release.jsonl is not written as others are"),
}


@pytest.mark.parametrize("what", TWO_FORMS)
def test_json_lines_with_two_forms_of_one_value_are_refused(what: str, tmp_path: Path) -> None:
    text, message = TWO_FORMS[what]
    (tmp_path / "a.jsonl").write_text(text)
    release = ga.Release(ga.read_table(tmp_path / "a.jsonl", missing=["", "?"]))
    (tmp_path / "release.jsonl").write_text(text)

    assert judged(tmp_path, release) == {"release.jsonl": 2}
    with pytest.raises(ga.CheckFailed, match=message):
        checker.judge(tmp_path / "release.jsonl", release, [])


@pytest.mark.parametrize("order", ["kept", "shuffled"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("n0,f", "n0,?"), "Missing|not one of the original"),
        (("n2,m,,", 'n2,m,"",'), "Missing and hidden entries have two written forms in the column job"),
        (("n3,m,", 'n3,"m",'), "A value has two written forms in the column sex"),
        (("n3,m,", "n3,m ,"), "not one of the original"),
    ],
)
def test_a_delimited_file_with_two_forms_of_one_value_is_refused(
    change: tuple[str, str], message: str, order: str, tmp_path: Path
) -> None:
    release = ga.Release(csv_table(tmp_path), ga.Withheld(cells=[(1, "job")]), order=order)
    (tmp_path / "out").mkdir()
    file = publish.write_release(release, tmp_path / "out", None)
    text = file.read_text()
    assert change[0] in text
    file.write_text(text.replace(*change))

    with pytest.raises(ga.CheckFailed, match=message):
        checker.judge(file, release, [])


def test_numbers_in_memory_that_are_equal_and_stand_in_two_forms_are_refused(tmp_path: Path) -> None:
    for values, text in (([1, True], "1 true"), ([0.0, -0.0], "0.0 -0.0"), ([2, 2.0], "2 2.0")):
        release = ga.Release(ga.Table.from_rows([{"x": value} for value in values]))
        file = tmp_path / "release.jsonl"
        file.write_text("".join(f'{{"x": {token}}}\n' for token in text.split()))

        assert judged(tmp_path, release) == {"release.jsonl": 2}
        with pytest.raises(ga.CheckFailed, match="two written forms in the column x"):
            checker.judge(file, release, [])


@pytest.mark.parametrize(
    ("given", "words", "forged"),
    [
        ("a.dat", {}, "10 20\n10  20\n"),
        ("a.dat", {}, "10 20\n10 20 20\n"),
        ("a.jsonl", {}, '["10", "20"]\n[10, "20"]\n'),
        ("a.jsonl", {}, '["10", "20"]\n["10", "20", "20"]\n'),
        ("a.csv", {"id": "t", "item": "x"}, 't,x\n1,10\n1,20\n2,"10"\n2,20\n'),
    ],
)
def test_transactions_in_two_forms_are_refused(
    given: str, words: dict[str, str], forged: str, tmp_path: Path
) -> None:
    plain = {
        ".dat": "10 20\n10 20\n",
        ".jsonl": '["10","20"]\n["10","20"]\n',
        ".csv": "t,x\n1,10\n1,20\n2,10\n2,20\n",
    }
    (tmp_path / given).write_text(plain[Path(given).suffix])
    release = ga.Release(ga.read_transactions(tmp_path / given, **words))
    file = tmp_path / f"release{Path(given).suffix}"
    file.write_text(forged)

    assert judged(tmp_path, release)
    with pytest.raises(ga.CheckFailed):
        checker.judge(file, release, [])


def test_one_hot_marks_in_two_forms_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,0\ntrue,0\n")
    release = ga.Release(ga.read_transactions(tmp_path / "a.csv"))

    assert judged(tmp_path, release) == {"release.csv": 2}
    assert (tmp_path / "out" / "release.csv").read_text() == "x,y\n1,0\n1,0\n"
    with pytest.raises(ga.CheckFailed, match="two written forms of yes or of no"):
        checker.judge(tmp_path / "a.csv", release, [])


def test_an_empty_field_that_is_a_value_cannot_hide_anything(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sex,ill\nf,yes\nm,\n")
    table = ga.read_table(tmp_path / "a.csv", sensitive="ill", missing=["?"])

    with pytest.raises(ga.ScenarioError, match="an empty field is a value of ill"):
        judged(tmp_path, ga.Release(table, secrets=[1]))
    assert judged(tmp_path, ga.Release(table)) == {"release.csv": 2}


def test_an_empty_field_that_is_a_value_cannot_stand_for_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sex,ill\nf,?\nm,\n")
    table = ga.read_table(tmp_path / "a.csv", sensitive="ill", missing=["?"])

    with pytest.raises(ga.ScenarioError, match="an empty field is a value of ill"):
        judged(tmp_path, ga.Release(table))


def test_values_that_are_written_alike_are_refused(tmp_path: Path) -> None:
    table = ga.Table.from_rows([{"x": 7}, {"x": "7"}])

    with pytest.raises(ga.CheckFailed, match="written in the same way"):
        judged(tmp_path, ga.Release(table))


def test_every_attacker_is_judged_and_an_unknown_one_is_no_promise(tmp_path: Path) -> None:
    release = planned(csv_table(tmp_path))
    (tmp_path / "out").mkdir()
    file = publish.write_release(release, tmp_path / "out", None)

    def promise(attack: str, limit: str) -> checker.Promise:
        attacker = vars(ga.KnowsAttributes(columns=["sex", "job"], knows_method=False))
        return checker.Promise(attack=attack, attacker=attacker, tolerance=ga.Tolerance(attribute=limit))

    assert checker.judge(file, release, [promise("attributes", "1")]) == {"release.csv": 4}
    with pytest.raises(ga.CheckFailed, match="cannot judge attacker 2"):
        checker.judge(file, release, [promise("attributes", "1"), promise("items", "1")])


def test_the_shown_rows_are_those_of_the_file(tmp_path: Path) -> None:
    table = FORMS["rows"](tmp_path)
    release = planned(table)
    shown = tables.same(publish.write_release(release, tmp_path, None), release, table)

    rows = {tuple(row): count for row, count in zip(shown.codes.tolist(), shown.counts.tolist(), strict=True)}
    assert rows == {(0, 0, -1): 1, (-1, 0, 0): 1, (1, -1, 0): 1, (1, 1, -1): 1}
    assert tables.HIDDEN == -1
