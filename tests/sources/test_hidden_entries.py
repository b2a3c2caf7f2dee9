"""Hidden entries in every form of a table: empty where it is written, nothing else changed."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized
from tests.sources.forms import delimited
from tests.sources.test_tables import NAMES, forms, values

from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.published import Published
from giveaway.model.release.cells import Cells
from giveaway.sources import read_table

hidden_tables = st.lists(
    st.tuples(
        st.sampled_from(["f", "m", ""]), st.sampled_from(["x,y", "10", "?"]), st.booleans(), st.booleans()
    ),
    min_size=1,
    max_size=9,
)


def written(table: Table, folder: Path, cells: Cells, **how: Any) -> Path:
    assert table.origin is not None
    (folder / "out").mkdir(exist_ok=True)
    return table.origin.write(folder / "out", Published(cells=cells, **how))


@sized(3)
@given(rows=hidden_tables)
def test_every_form_reads_back_with_nothing_in_the_hidden_entries(
    rows: list[tuple[str, str, bool, bool]],
) -> None:
    cells = Cells(
        (number, column)
        for number, (_, _, *gone) in enumerate(rows, 1)
        for column, is_gone in zip(("sex", "job"), gone, strict=True)
        if is_gone
    )
    expected = [
        (None if one or sex == "" else sex, None if two or job == "?" else job) for sex, job, one, two in rows
    ]
    with TemporaryDirectory() as name:
        folder = Path(name)
        made = forms(folder, [(f"r{place}", sex, job) for place, (sex, job, *_) in enumerate(rows)])
        for form, table in made.items():
            kept = read_table(written(table, folder, cells), missing=["", "?"])
            assert list(kept.columns) == ["sex", "job"], form
            assert [values(kept, row) for row in range(len(rows))] == expected, form
            order = np.arange(len(rows))[::-1]
            mixed = read_table(written(table, folder, cells, order=order), missing=["", "?"])
            assert [values(mixed, row) for row in order] == expected, form


def test_a_hidden_entry_of_a_delimited_file_is_an_empty_field(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,age,job,note\n7,30,"a,b",x\n8,?,"say ""x""",\n9,31,c,y\n')
    table = read_table(tmp_path / "a.csv", id="id", missing=["", "?"], publish_unjudged=["note"])

    made = written(table, tmp_path, Cells([(1, "age"), (1, "job"), (3, "job")]))

    assert made.read_text() == 'age,job,note\n,,x\n,"say ""x""",\n31,,y\n'


def test_a_row_whose_only_entry_is_hidden_is_no_blank_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,ill\n1,yes\n2,no\n")

    made = written(read_table(tmp_path / "a.csv", id="id"), tmp_path, Cells([(1, "ill")]))

    assert made.read_text() == 'ill\n""\nno\n'


def test_types_of_parquet_stay_and_hidden_entries_are_null(tmp_path: Path) -> None:
    pl.DataFrame({"age": [30, 31], "ill": [True, False], "x": [0.5, 1.5]}).write_parquet(
        tmp_path / "a.parquet"
    )

    made = written(read_table(tmp_path / "a.parquet"), tmp_path, Cells([(2, "age"), (1, "ill"), (2, "x")]))

    frame = pl.read_parquet(made)
    assert frame.rows() == [(30, None, 0.5), (None, False, None)]
    assert frame.dtypes == [pl.Int64, pl.Boolean, pl.Float64]


def test_json_lines_hold_null_for_what_is_hidden_and_the_same_columns_in_every_record(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id":1,"a":9,"b":[1]}\n{"a":7,"id":2}\n{"id":3,"a":8}\n')
    table = read_table(tmp_path / "a.jsonl", id="id", publish_unjudged=["b"])

    made = written(table, tmp_path, Cells([(1, "a"), (3, "a")]))

    assert [json.loads(line) for line in made.read_text().splitlines()] == [
        {"a": None, "b": [1]},
        {"a": 7, "b": None},
        {"a": None, "b": None},
    ]


def test_rows_in_memory_come_back_with_none_and_stay_as_they_were() -> None:
    rows = [{"id": 1, "x": "a"}, {"id": 2, "x": "b"}]
    origin = Table.from_rows(rows, id="id").origin
    assert origin is not None

    assert origin.native(Published(cells=Cells([(2, "x")]))) == [{"x": "a"}, {"x": None}]
    assert origin.native(Published()) == [{"x": "a"}, {"x": "b"}]


def test_whole_numbers_and_truth_values_of_pandas_stay_what_they_are(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "age": [30, 31, 32],
            "small": np.array([1, 2, 3], np.uint8),
            "ill": [True, False, True],
            "share": [0.5, 1.5, 2.5],
            "when": pd.to_datetime(["2020-01-01"] * 3),
            "sparse": pd.arrays.SparseArray([0, 0, 7]),
            "other": [1, 2, 3],
        },
        index=["x", "y", "z"],
    )
    origin = Table.from_frame(frame).origin
    assert origin is not None
    cells = Cells((2, column) for column in frame.columns if column != "other")

    native: Any = origin.native(Published(cells=cells))

    kinds = ["Int64", "UInt8", "boolean", "float64", str(frame["when"].dtype), "Int64", "int64"]
    assert [str(kind) for kind in native.dtypes] == kinds
    assert native.index.tolist() == [0, 1, 2]
    assert native.loc[1].isna().tolist() == [True] * 6 + [False]
    assert native.loc[2, ["age", "small", "ill", "sparse"]].tolist() == [32, 3, True, 7]
    assert pl.read_parquet(written(Table.from_frame(frame), tmp_path, cells))["age"].to_list() == [
        30,
        None,
        32,
    ]


CATEGORIES = {
    "pandas": lambda values: pd.DataFrame({"ill": pd.Categorical(values), "n": range(len(values))}),
    "polars": lambda values: pl.DataFrame({"ill": pl.Series(values, dtype=pl.Categorical)}),
    "polars enum": lambda values: pl.DataFrame({"ill": pl.Series(values, dtype=pl.Enum(["flu", "zoster"]))}),
    "Arrow": lambda values: pa.table({"ill": pa.array(values).dictionary_encode()}),
}


@pytest.mark.parametrize("kind", CATEGORIES)
def test_the_list_of_categories_does_not_name_a_hidden_value(kind: str, tmp_path: Path) -> None:
    table = Table.from_frame(CATEGORIES[kind](["flu", "zoster", "flu"]))

    made = written(table, tmp_path, Cells([(2, "ill")]))

    assert b"zoster" not in made.read_bytes()
    assert pl.read_parquet(made)["ill"].to_list() == ["flu", None, "flu"]


@pytest.mark.parametrize("kind", CATEGORIES)
def test_the_list_of_categories_does_not_name_a_withheld_item(kind: str, tmp_path: Path) -> None:
    frame: Any = CATEGORIES[kind](["flu", "zoster", "flu"])
    whose = [1, 1, 2]
    if kind == "pandas":
        frame = frame.assign(who=whose).drop(columns="n")
    else:
        frame = (
            frame.append_column("who", [whose])
            if kind == "Arrow"
            else frame.with_columns(who=pl.Series(whose))
        )
    origin = Transactions.from_frame(frame, id="who", item="ill").origin
    assert origin is not None

    assert b"zoster" not in origin.write(tmp_path, Published(["zoster"])).read_bytes()


def test_transactions_have_no_entries_to_hide(tmp_path: Path) -> None:
    origin = Transactions.from_lists([["a", "b"]]).origin
    assert origin is not None

    assert origin.write(tmp_path, Published(["b"], cells=Cells([(1, "a")]))).read_text() == "a\n"


def test_a_larger_file_hides_the_entries_of_the_right_rows(tmp_path: Path) -> None:
    rows = [(str(number), f"v{number % 7}", f"w{number % 11}") for number in range(30_000)]
    (tmp_path / "a.csv").write_text(delimited([NAMES, *rows]))
    draw = np.random.default_rng(1)
    cells = Cells.at({name: draw.integers(0, len(rows), 500) for name in ("sex", "job")})

    made = pl.read_csv(written(read_table(tmp_path / "a.csv"), tmp_path, cells))

    assert made["id"].to_list() == list(range(30_000))
    for place, name in enumerate(NAMES[1:], 1):
        gone = set(cells.positions(name).tolist())
        assert made[name].to_list() == [None if at in gone else row[place] for at, row in enumerate(rows)]
