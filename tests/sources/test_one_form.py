"""Whatever is judged as one label has one written form, and keeps its type where all values of its column have it."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import giveaway as ga
from giveaway import checker
from giveaway.model.data.origin import Origin
from giveaway.model.data.table import Table
from giveaway.model.published import Published
from giveaway.model.release.cells import Cells
from giveaway.sources import read_table, read_transactions


def origin(data: Any) -> Origin:
    assert data.origin is not None
    made: Origin = data.origin
    return made


def parquet(folder: Path, values: Any, **how: Any) -> pa.ChunkedArray:
    pq.write_table(pa.table({"x": values}), folder / "a.parquet")
    (folder / "out").mkdir(exist_ok=True)
    made = origin(read_table(folder / "a.parquet", **how)).write(folder / "out", Published())
    return pq.read_table(made).column("x")


def test_blanks_around_the_texts_of_parquet_are_gone(tmp_path: Path) -> None:
    assert parquet(tmp_path, ["10", "10 ", "\t10", " 10"]).to_pylist() == ["10"] * 4


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1, 2, None]),
        pa.array([True, None]),
        pa.array([0.5, -0.0, 0.0]),
        pa.array([np.float32(0.1), None], pa.float32()),
        pa.array([Decimal("1.50")]),
        pa.array([dt.date(2020, 1, 2)]),
        pa.array([1, 1000], pa.timestamp("ns")),
    ],
)
def test_types_of_parquet_that_tell_values_apart_stay(values: pa.Array, tmp_path: Path) -> None:
    found = parquet(tmp_path, values)

    assert found.type == values.type
    assert repr(found.to_pylist()) == repr(values.to_pylist())


def test_other_types_of_parquet_become_the_texts_that_were_judged(tmp_path: Path) -> None:
    assert parquet(tmp_path, pa.array([b"10", b" 10"])).to_pylist() == ["10", "10"]


def test_numbers_that_are_none_have_the_same_bits(tmp_path: Path) -> None:
    bits = np.array([0x7FF8000000000000, 0xFFF8000000000001], np.uint64)

    found = parquet(tmp_path, pa.array(bits.view(np.float64)))

    assert len(set(found.to_numpy().view(np.uint64).tolist())) == 1


def test_what_is_missing_is_null_in_parquet_whatever_it_was(tmp_path: Path) -> None:
    assert parquet(tmp_path, ["?", "", None, "a"], missing=["", "?"]).to_pylist() == [None, None, None, "a"]
    assert parquet(tmp_path, [999, 7], missing=["999"]).to_pylist() == [None, 7]


def jsonl(folder: Path, *tokens: str, **how: Any) -> list[str]:
    (folder / "a.jsonl").write_text("".join(f'{{"x": {token}}}\n' for token in tokens))
    (folder / "out").mkdir(exist_ok=True)
    lines = (
        origin(read_table(folder / "a.jsonl", **how))
        .write(folder / "out", Published())
        .read_text()
        .splitlines()
    )
    return [line.removeprefix('{"x": ').removesuffix("}") for line in lines]


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("10 20 null", "10 20 null"),
        ("true false", "true false"),
        ("1.50 2", "1.5 2"),
        ('10 "10"', '"10" "10"'),
        ('true "true"', '"true" "true"'),
        ("1.50 1.5", '"1.50" "1.5"'),
        ("1 1.0", '"1" "1.0"'),
        ("0.0 -0.0", '"0.0" "-0.0"'),
        ("1e400 2", '"1e400" "2"'),
        ('"" null "?" 7', "null null null 7"),
    ],
)
def test_a_column_of_json_keeps_its_type_where_it_tells_labels_apart_and_is_text_elsewhere(
    given: str, written: str, tmp_path: Path
) -> None:
    assert jsonl(tmp_path, *given.split(), missing=["", "?"]) == written.split()


def test_every_record_of_json_has_the_same_columns_in_the_same_order(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a":"1","note":[1]}\n{"note":null,"a":"1"}\n{"a":"1"}\n{"note":2}\n')
    table = read_table(tmp_path / "a.jsonl", publish_unjudged=["note"])
    (tmp_path / "out").mkdir()

    assert origin(table).write(tmp_path / "out", Published()).read_text().splitlines() == [
        '{"a": "1", "note": [1]}',
        '{"a": "1", "note": null}',
        '{"a": "1", "note": null}',
        '{"a": null, "note": 2}',
    ]


@pytest.mark.parametrize(
    ("name", "text", "how", "written"),
    [
        ("a.jsonl", '[10, "20"]\n["10"]\n[" 20"]\n', {}, '["10", "20"]\n["10"]\n["20"]\n'),
        ("a.jsonl", "[10, 20]\n[-0, 0]\n", {}, "[10, 20]\n[0]\n"),
        (
            "a.jsonl",
            '{"t":1,"i":10}\n{"i":"10","t":2}\n{"t":3}\n',
            {"id": "t", "item": "i"},
            '{"t": 1, "i": "10"}\n{"t": 2, "i": "10"}\n{"t": 3, "i": null}\n',
        ),
        (
            "a.jsonl",
            '{"x":1,"y":false}\n{"y":"0","x":true}\n',
            {},
            '{"x": 1, "y": false}\n{"x": 1, "y": false}\n',
        ),
        ("a.csv", "x,y\n1,false\n true,0\n", {}, "x,y\n1,0\n1,0\n"),
        ("b.csv", "x,y\nTRUE,FALSE\nFALSE,TRUE\n", {}, "x,y\nTRUE,FALSE\nFALSE,TRUE\n"),
    ],
)
def test_items_that_are_judged_equal_are_written_equal(
    name: str, text: str, how: dict[str, str], written: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "out").mkdir()

    assert (
        origin(read_transactions(tmp_path / name, **how)).write(tmp_path / "out", Published()).read_text()
        == written
    )


def test_equal_values_in_memory_are_written_as_they_stand_first(tmp_path: Path) -> None:
    values = [1, True, 1.0, 0.0, -0.0, None, "", float("nan"), Decimal("1.5"), 1.5, Decimal("1.50")]
    table = Table.from_rows([{"x": value} for value in values])

    made = origin(table).write(tmp_path, Published()).read_text().splitlines()

    tokens = ["1", "1", "1", "0.0", "0.0", "null", "null", "null", '"1.5"', '"1.5"', '"1.5"']
    assert made == [f'{{"x": {token}}}' for token in tokens]
    native: Any = origin(table).native(Published())
    assert [repr(row["x"]) for row in native[:8]] == ["1", "1", "1", "0.0", "0.0", "None", "None", "None"]


def test_rows_in_memory_have_the_same_columns_in_the_same_order() -> None:
    table = Table.from_rows([{"a": 1, "b": 2}, {"b": 2, "a": 1}, {"b": 2}], publish_unjudged=["b"])

    native: Any = origin(table).native(Published())

    assert list(map(list, native)) == [["a", "b"]] * 3
    assert native[2] == {"a": None, "b": 2}


def test_rows_in_memory_are_written_as_they_were_read(tmp_path: Path) -> None:
    rows = [{"x": "a"}, {"x": "b"}]
    table = Table.from_rows(rows)
    rows[0]["x"] = "later"

    assert origin(table).native(Published()) == [{"x": "a"}, {"x": "b"}]


def test_a_column_in_memory_with_coarser_labels_is_text(tmp_path: Path) -> None:
    table = Table.from_rows([{"x": 10}, {"x": 20}])
    planned = ga.Release(
        table,
        ga.Withheld(levels=[(1, "x", 1)]),
        hierarchies={"x": {10: ["10"], 20: ["20-29"]}},
        order="kept",
    )

    from giveaway.publish import write_release

    assert write_release(planned, tmp_path, None).read_text() == '{"x": "10"}\n{"x": "20"}\n'


FRAMES = {
    "pandas": lambda: pd.DataFrame({"x": pd.Series([1, True, 1.0, None, "", float("nan")], dtype=object)}),
    "pandas floats": lambda: pd.DataFrame({"x": [0.0, -0.0, 0.0, float("nan"), None, float("nan")]}),
    "polars": lambda: pl.DataFrame({"x": [0.0, -0.0, 0.0, float("nan"), None, None]}),
    "Arrow": lambda: pa.table({"x": [0.0, -0.0, 0.0, float("nan"), None, None]}),
    "polars nanoseconds": lambda: pl.DataFrame(
        {"x": pl.Series([1001, 1002, 1001, None, None, None]).cast(pl.Datetime("ns"))}
    ),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_equal_values_of_a_frame_are_equal_bit_by_bit(kind: str, tmp_path: Path) -> None:
    table = Table.from_frame(FRAMES[kind]())
    assert len(table.labels["x"]) == 1

    found = pq.read_table(origin(table).write(tmp_path, Published(cells=Cells([(3, "x")])))).column("x")

    assert len(set(map(repr, found.to_pylist()[:2]))) == 1
    assert found.is_null().to_pylist() == [False, False, True, True, True, True]
    native: Any = origin(table).native(Published())
    if "pandas" not in kind:
        native = (native if kind == "Arrow" else native.to_arrow()).to_pandas(integer_object_nulls=True)
    assert len(set(map(repr, native["x"].tolist()[:3]))) == 1
    assert len(set(map(repr, native["x"].tolist()[3:]))) == 1


def test_items_of_frames_that_are_equal_are_written_equal(tmp_path: Path) -> None:
    lists = ga.Transactions.from_frame(pd.DataFrame({"i": [[1, "a"], [True], [1.0]]}), item="i")
    long = ga.Transactions.from_frame(
        pd.DataFrame({"t": [1, 2, 3, 4], "i": pd.Series([1, True, 1.0, ""], dtype=object), "n": range(4)}),
        id="t", item="i", publish_unjudged=["n"],
    )  # fmt: skip

    assert pq.read_table(origin(lists).write(tmp_path, Published())).column("i").to_pylist() == [
        ["1", "a"],
        ["1"],
        ["1"],
    ]
    native: Any = origin(lists).native(Published())
    assert repr(native["i"].tolist()) == "[[1, 'a'], [1], [1]]"
    assert pq.read_table(origin(long).write(tmp_path, Published())).column("i").to_pylist() == [1, 1, 1, None]


def test_a_text_of_a_delimited_file_that_stands_in_quotes_is_written_like_others(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('x,y\n"10", 10\n10 ,"10"\n?,""\n')
    (tmp_path / "out").mkdir()

    made = origin(read_table(tmp_path / "a.csv", missing=["", "?"])).write(tmp_path / "out", Published())

    assert made.read_text() == "x,y\n10,10\n10,10\n,\n"


@pytest.mark.engines
def test_a_release_of_json_becomes_a_table_with_one_form_for_each_label(tmp_path: Path) -> None:
    import duckdb

    (tmp_path / "a.jsonl").write_text('{"x": 10, "y": 1}\n{"x": "10", "y": 2}\n')
    release = ga.Release(ga.read_table(tmp_path / "a.jsonl"))
    held = ga.Assessment(release=release, findings=(), effort=ga.Effort(), seconds=0)

    held.publish(tmp_path / "out", to=f"duckdb:{tmp_path / 'b.duckdb'}", table="b")

    with duckdb.connect(tmp_path / "b.duckdb") as connection:
        assert sorted(connection.execute("SELECT * FROM b").fetchall()) == [("10", 1), ("10", 2)]
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["table"]["rows"] == 2


def test_half_a_character_is_written_in_the_escapes_of_json(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"x": "\\ud800"}\n{"x": "\\u00e9"}\n')
    (tmp_path / "out").mkdir()
    for table in (ga.read_table(tmp_path / "a.jsonl"), Table.from_rows([{"x": "\ud800"}, {"x": "é"}])):
        made = origin(table).write(tmp_path / "out", Published())

        assert made.read_bytes() == '{"x": "\\ud800"}\n{"x": "é"}\n'.encode()
        assert checker.judge(made, ga.Release(table, order="kept"), []) == {"release.jsonl": 2}
