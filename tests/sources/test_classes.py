"""Classes are what is read, published, compared and judged, whatever the data came from."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.oracles.shared import SHARED
from tests.sizes import first

import giveaway as ga

_drawn = random.Random(7)  # noqa: S311 # made up, and the same each time
ROWS = [
    {
        "id": number,
        "age": _drawn.randint(10, 95) if number % 29 else None,
        "price": _drawn.choice([0.1, 0.2, 0.30, 12.5, 1000.0]),
        "born": f"19{_drawn.randint(40, 69)}-0{_drawn.randint(1, 9)}-{_drawn.randint(10, 28)}",
        "zip": f"0{_drawn.randint(1200, 1299)}",
        "note": f"n{number}",
        "ill": _drawn.choice(["yes", "no"]),
    }
    for number in range(400)
]
GROUPS: dict[str, Any] = {
    "id": "id",
    "sensitive": "ill",
    "publish_unjudged": ["note"],
    "classes": {"age": [18, 40, 65], "price": "quantiles 3", "born": "decade", "zip": {"prefix": 3}},
    "ladders": {"age": "auto"},
}
KNOWN = ga.KnowsDirectory(columns=["age", "price", "born", "zip"])
TOLERANCE = ga.Tolerance(identity="1/4")


def _csv(folder: Path, **more: Any) -> ga.Table:
    pd.DataFrame(ROWS).astype({"age": "Int64"}).to_csv(folder / "a.csv", index=False)
    return ga.read_table(folder / "a.csv", **{**GROUPS, **more})


def _parquet(folder: Path, **more: Any) -> ga.Table:
    pl.DataFrame(ROWS).write_parquet(folder / "a.parquet")
    return ga.read_table(folder / "a.parquet", **{**GROUPS, **more})


def _jsonl(folder: Path, **more: Any) -> ga.Table:
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return ga.read_table(folder / "a.jsonl", **{**GROUPS, **more})


def _duckdb(folder: Path, **more: Any) -> ga.Table:
    pl.DataFrame(ROWS).write_parquet(folder / "b.parquet")
    with duckdb.connect(str(folder / "a.duckdb")) as made:
        made.execute(f"CREATE TABLE t AS SELECT * REPLACE (born::DATE AS born) FROM '{folder}/b.parquet'")  # noqa: S608
    return ga.read_table(f"duckdb:{folder}/a.duckdb", table="t", **{**GROUPS, **more})


FORMS: dict[str, Callable[..., ga.Table]] = {
    "csv": _csv,
    "parquet": _parquet,
    "jsonl": _jsonl,
    "duckdb": _duckdb,
    "rows": lambda _, **more: ga.Table.from_rows(ROWS, **{**GROUPS, **more}),
    "pandas": lambda _, **more: ga.Table.from_frame(pd.DataFrame(ROWS), **{**GROUPS, **more}),
    "polars": lambda _, **more: ga.Table.from_frame(pl.DataFrame(ROWS), **{**GROUPS, **more}),
    "arrow": lambda _, **more: ga.Table.from_frame(pa.Table.from_pylist(ROWS), **{**GROUPS, **more}),
}


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest) -> Callable[..., ga.Table]:
    return FORMS[request.param]


def counted(table: ga.Table) -> dict[tuple[Any, ...], int]:
    found: dict[tuple[Any, ...], int] = {}
    for record, weight in enumerate(table.weights.tolist()):
        row = tuple(
            None if codes[record] < 0 else str(table.labels[name][codes[record]])
            for name, codes in sorted(table.columns.items())
        )
        found[row] = found.get(row, 0) + weight
    return found


def released(folder: Path) -> list[dict[str, Any]]:
    file = next(path for path in folder.iterdir() if path.name.startswith("release"))
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in file.read_text().splitlines()]
    frame = pd.read_csv(file, dtype=str) if file.suffix == ".csv" else pl.read_parquet(file).to_pandas()
    return [{k: None if pd.isna(v) else v for k, v in row.items()} for row in frame.to_dict("records")]


def test_every_form_gives_the_same_records(form: Callable[..., ga.Table], tmp_path: Path) -> None:
    table, usual = form(tmp_path), FORMS["rows"](tmp_path)

    assert counted(table) == counted(usual)
    assert {name: one.rows for name, one in table.classes.items()} == {
        name: one.rows for name, one in usual.classes.items()
    }
    assert table.ladders == usual.ladders


def test_labels_are_written_and_confirmed(form: Callable[..., ga.Table], tmp_path: Path) -> None:
    table = form(tmp_path)
    safe = ga.protect(ga.Release(table), KNOWN, TOLERANCE)
    safe.publish(tmp_path / "out")

    rows = released(tmp_path / "out")
    assert len(rows) == len(ROWS)
    assert {row["born"] for row in rows} <= {"1940s", "1950s", "1960s", None}
    assert {row["zip"] for row in rows} <= {"012**", None}
    coarser = {"<40", "40+"}
    assert {row["age"] for row in rows} <= {"<18", "18-39", "40-64", "65+", None} | coarser
    assert sorted(row["note"] for row in rows) == sorted(row["note"] for row in ROWS)
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert told["classes"] == {
        "age": {"cuts": [18, 40, 65]},
        "price": {"quantiles": 3},
        "born": {"by": "decade"},
        "zip": {"prefix": 3},
    }


def test_a_classed_column_without_a_role_is_published_in_its_classes(
    form: Callable[..., ga.Table], tmp_path: Path
) -> None:
    table = form(tmp_path, rest="publish_unjudged", ladders=None)
    found = ga.assess(ga.Release(table), ga.KnowsDirectory(columns=["born"]), TOLERANCE)
    found.publish(tmp_path / "out")

    assert {row["age"] for row in released(tmp_path / "out")} == {"<18", "18-39", "40-64", "65+", None}


@pytest.mark.parametrize(
    ("more", "fact"),
    [
        ({"classes": {"agee": [3]}}, 'no column "agee"'),
        ({"classes": {"note": {"prefix": 1}}}, '"note" has classes and is not judged'),
        ({"classes": {"id": 5}}, '"id" has classes and is not judged'),
        ({"ladders": {"note": [3, 2]}}, '"note" has ladders and is not judged'),
        ({"classes": {"age": [40, 18]}, "ladders": {"age": [5, 7]}}, "classes of age: The cut 18"),
        ({"ladders": {"age": [5, 10]}}, "The ladder of age"),
        ({"classes": "age"}, "must name columns"),
        ({"decimal": ";"}, "decimal = ';' is unknown"),
        ({"classes": {"age": {"cuts": [40], "labels": ["", "old"]}}}, "labels = '' must be a text"),
        ({"missing": ["", None, "65+"]}, "written as what counts as missing"),
    ],
)
def test_what_cannot_be_grouped_is_refused(more: dict[str, Any], fact: str) -> None:
    with pytest.raises(ga.ScenarioError, match=fact):
        ga.Table.from_rows(ROWS, **{**GROUPS, **more})


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ga.ScenarioError) as caught:
        ga.Table.from_rows(ROWS, classes={"age": [2, 1], "zip": {"prefix": 0}}, ladders={"age": [5, 7]})
    assert len(caught.value.mistakes) == 3


def test_values_that_are_not_numbers_are_shown_to_the_owner(
    form: Callable[..., ga.Table], tmp_path: Path
) -> None:
    with pytest.raises(
        ga.DataError, match=r'2 values of the column ill \(in 400 rows\) are not numbers: "no", "yes"'
    ):
        form(tmp_path, classes={"ill": 5}, ladders=None)


def test_a_hierarchy_and_a_ladder_for_one_column_are_refused() -> None:
    table = ga.Table.from_rows(ROWS, **GROUPS)
    with pytest.raises(ga.ScenarioError, match="a hierarchy and a ladder"):
        ga.Release(table, hierarchies={"age": {label: ["any"] for label in table.labels["age"]}})


def test_a_file_that_changed_within_its_classes_is_not_released(tmp_path: Path) -> None:
    table = _csv(tmp_path, rest="publish_unjudged", ladders=None)
    safe = ga.assess(ga.Release(table), ga.KnowsDirectory(columns=["zip"]), TOLERANCE)
    assert safe.safe
    file = tmp_path / "a.csv"
    file.write_text(file.read_text().replace("1000.0", "1001.0"))

    with pytest.raises(ga.GiveawayError, match="chang"):
        safe.publish(tmp_path / "out")


def test_a_decimal_comma(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("pay;sex\n1,5;f\n2,5;m\n10;m\n")
    table = ga.read_table(tmp_path / "a.csv", classes={"pay": [2]}, decimal=",")

    assert table.classes["pay"].rows == {"<2": 1, "2+": 2}


def test_own_labels_and_ages(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("born\n2010-05-05\n2008-01-01\n1930-12-31\n\n")
    rule = {"age_at": "2026-01-01", "cuts": [18, 65], "labels": ["minor", "adult", "old"]}
    table = ga.read_table(tmp_path / "a.csv", classes={"born": rule})

    assert table.classes["born"].rows == {"minor": 1, "adult": 1, "old": 1}


def test_exact_values_under_another_name_are_pointed_out(
    form: Callable[..., ga.Table], tmp_path: Path
) -> None:
    for row in ROWS:
        row["year"] = None if row["age"] is None else 2025 - row["age"]  # type: ignore[operator]
    try:
        table = form(tmp_path, publish_unjudged=["note", "year"], ladders=None)
    finally:
        for row in ROWS:
            del row["year"]

    assert table.origin is not None
    assert table.origin.layout.others["year"] == "the exact age"
    assert table.origin.layout.others["note"] is None


# Golden values --------------------------------------------------------------------------------------------------


def _shared(name: str) -> Path:
    file = SHARED / name
    if not file.exists():
        pytest.skip(f"{name} is not there")
    return file


@pytest.mark.parametrize(
    ("name", "column", "rule", "rows"),
    first(
        2,
        [
            (
                "adult/arx/adult.csv.gz",
                "age",
                [18, 40, 65],
                {"<18": 328, "18-39": 16667, "40-64": 12192, "65+": 975},
            ),
            (
                "adult/arx/adult.csv.gz",
                "age",
                "quantiles 4",
                {"<29": 8010, "29-37": 7408, "38-47": 7399, "48+": 7345},
            ),
            (
                "bank/bank-full.csv.gz",
                "balance",
                [0, 1000, 10000],
                {"<0": 3766, "0-999": 26803, "1000-9999": 13813, "10000+": 829},
            ),
            (
                "bank/bank-full.csv.gz",
                "balance",
                {"quantiles": 5, "round": 1},
                {"<23": 9053, "23-272": 9060, "273-701": 9017, "702-1859": 9039, "1860+": 9042},
            ),
        ],
    ),
)
def test_golden_values(name: str, column: str, rule: Any, rows: dict[str, int]) -> None:
    table = ga.read_table(_shared(name), classes={column: rule})

    assert table.classes[column].rows == rows
