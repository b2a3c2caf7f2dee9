"""Coarser labels in some entries: every kind of source writes and returns them, and everything else stays."""

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import giveaway as ga
from giveaway.model.published import Published
from giveaway.publish import coarser_texts, write_release

ROWS = [
    {"name": "ann", "age": 23, "city": "rome", "note": "a"},
    {"name": "bob", "age": 28, "city": "paris", "note": "b"},
    {"name": "eve", "age": None, "city": "rome", "note": "c"},
    {"name": "kim", "age": 61, "city": None, "note": "d"},
]
AGES = {"23": ["20-29", "young"], "28": ["20-29", "young"], "61": ["60-69", "old"]}
WITHHELD = ga.Withheld(cells=[(2, "city"), (4, "age")], levels=[(1, "age", 1), (2, "age", 2), (3, "age", 1)])
EXPECTED = [
    {"age": "20-29", "city": "rome", "note": "a"},
    {"age": "young", "city": None, "note": "b"},
    {"age": None, "city": "rome", "note": "c"},
    {"age": None, "city": None, "note": "d"},
]


def frame(kind: str) -> Any:
    rows = pd.DataFrame(ROWS).astype({"age": "Int64"})
    return {"pandas": rows, "polars": pl.DataFrame(ROWS), "arrow": pa.Table.from_pylist(ROWS)}[kind]


def release(table: ga.Table) -> ga.Release:
    ages = {label: AGES[str(label)] for label in table.labels["age"]}
    return ga.Release(table, WITHHELD, hierarchies={"age": ages}, order="kept")


def written(folder: Path, suffix: str) -> Path:
    path = folder / f"people{suffix}"
    header = ["name", "age", "city", "note"]
    lines = [[str(row[name] if row[name] is not None else "") for name in header] for row in ROWS]
    text = "\n".join(";".join(line) for line in [header, *lines]) + "\n"
    if suffix == ".parquet":
        pq.write_table(frame("arrow"), path)
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    elif suffix == ".csv.gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def shown(path: Path) -> list[dict[str, Any]]:
    """Read a released file back, with None for nothing."""
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if ".jsonl" in path.suffixes:
        return [json.loads(line) for line in raw.decode().splitlines()]
    found = csv.DictReader(raw.decode().splitlines(), delimiter=";")
    return [{name: value or None for name, value in row.items()} for row in found]


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".jsonl"])
def test_files_are_written_with_coarser_labels(tmp_path: Path, suffix: str) -> None:
    table = ga.read_table(written(tmp_path, suffix), id="name")

    target = write_release(release(table), tmp_path, None)

    assert shown(target) == EXPECTED


@pytest.mark.engines
def test_a_table_of_an_engine_is_written_with_coarser_labels(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
        connection.register("rows", frame("arrow"))
        connection.execute("CREATE TABLE people AS SELECT * FROM rows ORDER BY name DESC")
    table = ga.read_table(f"duckdb:{tmp_path / 'people.duckdb'}", table="people", id="name")

    target = write_release(release(table), tmp_path, None)

    assert shown(target) == EXPECTED


MAKERS: dict[str, Callable[[], ga.Table]] = {
    "rows": lambda: ga.Table.from_rows(ROWS, id="name"),
    **{
        kind: lambda kind=kind: ga.Table.from_frame(frame(kind), id="name")  # type: ignore[misc] # bound now
        for kind in ("pandas", "polars", "arrow")
    },
}


@pytest.mark.parametrize("kind", MAKERS)
def test_data_in_memory_are_written_and_returned_with_coarser_labels(tmp_path: Path, kind: str) -> None:
    planned = release(MAKERS[kind]())

    target = write_release(planned, tmp_path, None)
    assert planned.original.origin is not None
    back: Any = planned.original.origin.native(Published(cells=planned.hidden, levels=coarser_texts(planned)))

    assert shown(target) == EXPECTED
    if kind == "pandas":
        back = back.astype(object).where(back.notna(), None).to_dict("records")
    elif kind == "polars":
        back = back.to_dicts()
    elif kind == "arrow":
        back = back.to_pylist()
    assert back == EXPECTED


def test_a_column_with_coarser_labels_becomes_text_as_it_was_read(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"age": pa.array([23, 28, 61]), "pay": pa.array([1.5, 2.0, 2.5])}), tmp_path / "p.parquet"
    )
    table = ga.read_table(tmp_path / "p.parquet")
    pay = {label: ["some"] for label in table.labels["pay"]}
    planned = ga.Release(table, ga.Withheld(levels=[(1, "pay", 1)]), hierarchies={"pay": pay}, order="kept")

    found = pq.read_table(write_release(planned, tmp_path, None))

    assert found.to_pydict() == {"age": [23, 28, 61], "pay": ["some", "2.0", "2.5"]}
    assert set(found.column("pay").to_pylist()[1:]) <= set(table.labels["pay"])


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_shuffled_rows_keep_their_labels(tmp_path: Path, suffix: str) -> None:
    table = ga.read_table(written(tmp_path, suffix), id="name")
    ages = {label: AGES[str(label)] for label in table.labels["age"]}
    planned = ga.Release(table, WITHHELD, hierarchies={"age": ages}, order="shuffled")

    target = write_release(planned, tmp_path, None)

    assert sorted(shown(target), key=str) == sorted(EXPECTED, key=str)


def test_hiding_wins_over_coarser_labels() -> None:
    table = ga.Table.from_rows(ROWS, id="name")
    planned = release(table).withholding(ga.Withheld(cells=[(1, "age")]))

    texts = coarser_texts(planned)

    assert texts["age"][0].tolist() == [1]
    assert texts["age"][1].tolist() == ["young"]
