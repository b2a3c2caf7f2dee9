"""Tables from files, frames and rows are the same merged records."""

import gzip
import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized
from tests.sources.forms import delimited

import giveaway as ga
from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.labels import in_order
from giveaway.model.data.table import Table
from giveaway.model.published import Published
from giveaway.sources import read_table

Cells = list[tuple[str, str, str]]
NAMES = ("id", "sex", "job")
records = st.lists(
    st.tuples(st.sampled_from(["f", "m", ""]), st.sampled_from(["x,y", "10", "9", "?"])),
    min_size=1,
    max_size=9,
)


def forms(folder: Path, rows: Cells) -> dict[str, Table]:
    import pandas as pd
    import polars as pl

    (folder / "a.csv").write_text(delimited([NAMES, *rows]))
    (folder / "a.tsv.gz").write_bytes(gzip.compress(delimited([NAMES, *rows], "\t").encode()))
    dicts = [dict(zip(NAMES, row, strict=True)) for row in rows]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in dicts))
    frame = pl.DataFrame(dicts)
    frame.write_parquet(folder / "a.parquet")
    how: dict[str, Any] = {"id": "id", "sensitive": "job", "missing": ["", "?"]}
    return {
        **{name: read_table(folder / name, **how) for name in ("a.csv", "a.tsv.gz", "a.jsonl", "a.parquet")},
        "rows": Table.from_rows(dicts, **how),
        "pandas": Table.from_frame(pd.DataFrame(dicts), **how),
        "polars": Table.from_frame(frame, **how),
        "Arrow": Table.from_frame(frame.to_arrow(), **how),
    }


def values(table: Table, row: int) -> tuple[str | None, ...]:
    record = int(table.record_of[row])
    codes = {name: int(codes[record]) for name, codes in table.columns.items()}
    return tuple(None if code < 0 else str(table.labels[name][code]) for name, code in codes.items())


@sized(8)
@given(rows=records)
def test_every_form_of_a_table_holds_the_same_records(rows: list[tuple[str, str]]) -> None:
    cells = [(f"r{place}", *row) for place, row in enumerate(rows)]
    shown = [tuple(None if value in ("", "?") else value for value in row) for row in rows]
    with TemporaryDirectory() as folder:
        made = forms(Path(folder), cells)
    for name, table in made.items():
        assert [values(table, row) for row in range(len(rows))] == shown, name
        assert table.weights.tolist() == list(Counter(shown).values()), name
        assert table.record_of.tolist() == [list(dict.fromkeys(shown)).index(row) for row in shown], name
        assert table.ids == tuple(cell[0] for cell in cells), name
        assert (table.id, table.sensitive) == ("id", ("job",))
        assert table.labels["job"] == tuple(in_order({row[1] for row in shown if row[1]})), name


def test_the_identifier_is_no_column_and_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,x\n1,a\n,b\n")

    assert list(read_table(tmp_path / "a.csv").columns) == ["id", "x"]
    with pytest.raises(DataError, match="Row 2"):
        read_table(tmp_path / "a.csv", id="id")
    with pytest.raises(DataError, match="Row 1"):
        Table.from_rows([{"id": None, "x": 1}], id="id")


def test_labels_of_rows_and_frames_keep_their_type() -> None:
    import polars as pl

    assert Table.from_rows([{"x": 10}, {"x": 9}, {"x": "a"}]).labels["x"] == (9, 10, "a")
    assert Table.from_frame(pl.DataFrame({"x": [10, None, 9]})).labels["x"] == (9, 10)


def test_a_column_that_some_rows_lack_is_missing_there() -> None:
    table = Table.from_rows([{"x": 1}, {"y": 2}])

    assert {name: codes.tolist() for name, codes in table.columns.items()} == {"x": [0, -1], "y": [-1, 0]}


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(ScenarioError, match="without rows"):
        Table.from_rows([])


def test_a_file_without_header_and_with_its_own_missing_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "adult.data").write_text("39, State-gov, ?\n50, ?, Bachelors\n\n")

    table = read_table(tmp_path / "adult.data", header=False, missing=["", "?"])

    assert table.labels == {"c1": ("39", "50"), "c2": ("State-gov",), "c3": ("Bachelors",)}


@pytest.mark.parametrize("kind", ["rows", "polars", "pandas"])
def test_a_table_in_memory_is_written_and_given_back_without_its_identifier(
    kind: str, tmp_path: Path
) -> None:
    import pandas as pd
    import polars as pl

    rows = [{"id": 1, "x": "a", "y": 2}, {"id": 2, "x": None, "y": 3}]
    make = {"rows": Table.from_rows, "polars": lambda r, **how: Table.from_frame(pl.DataFrame(r), **how)}
    make["pandas"] = lambda r, **how: Table.from_frame(pd.DataFrame(r, index=["p", "q"]), **how)
    table = make[kind](rows, id="id")
    assert table.origin is not None

    file = table.origin.write(tmp_path, Published())
    again = read_table(file)

    assert list(again.columns) == ["x", "y"]
    assert [values(again, row) for row in range(2)] == [("a", "2"), (None, "3")]
    native = table.origin.native(Published())
    assert list(native[0] if kind == "rows" else native.columns) == ["x", "y"]


ROLES = {"sensitive": "ill", "id": "who", "publish_unjudged": ["note"], "leave_out": ["name"]}
PERSON = {"who": "u1", "name": "Ann", "note": "n1", "job": "cook", "ill": "no"}


@pytest.mark.parametrize("form", ["rows", "pandas", "polars"])
def test_tables_in_memory_know_the_roles_of_columns(form: str, tmp_path: Path) -> None:
    rows = [PERSON, PERSON | {"who": "u2", "name": "Bob", "note": "n2", "ill": "yes"}]
    if form == "rows":
        table = ga.Table.from_rows(rows, **ROLES)
    else:
        table = ga.Table.from_frame({"pandas": pd.DataFrame, "polars": pl.DataFrame}[form](rows), **ROLES)

    assert list(table.columns) == ["job", "ill"]
    attacker = ga.KnowsAttributes(columns=["job"], knows_method=False)
    tolerance = ga.Tolerance(attribute="999/1000")
    out = ga.assess(ga.Release(table, secrets=["u1"]), attacker, tolerance).publish(tmp_path / "out")
    written = b"".join(file.read_bytes() for file in (tmp_path / "out").iterdir())
    assert out.written is not None
    assert b"n2" in written
    assert b"Bob" not in written
    assert b"u1" not in written


def test_a_column_that_nobody_looked_at_is_not_published_silently() -> None:
    table = ga.Table.from_rows([PERSON], sensitive="ill", id="who")
    with pytest.raises(ga.ScenarioError, match='Columns "name" and "note" have no role'):
        ga.assess(
            ga.Release(table, secrets=["u1"]),
            ga.KnowsAttributes(columns=["job"]),
            ga.Tolerance(attribute="1/2"),
        )
