"""Classes are the same wherever the data are held, and the engine shows nothing else to whoever reads the release."""

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import giveaway as ga

CLASSES: dict[str, Any] = {
    "age": [18, 40, 65],
    "price": "quantiles 3",
    "pay": {"width": "0.5"},
    "born": "quarter",
    "seen": "month",
    "zip": {"prefix": 2},
}
KNOWN = list(CLASSES)


def frame() -> pd.DataFrame:
    draw = np.random.default_rng(5)
    size = 300
    days = pd.Timestamp("1950-01-01") + pd.to_timedelta(draw.integers(0, 700, size), unit="D")
    return pd.DataFrame(
        {
            "who": [f"p{number:03}" for number in range(size)],
            "age": pd.array(draw.integers(10, 95, size), "Int64").astype("Int64"),
            "price": draw.choice([0.1, 0.2, 0.3, 0.7, 1e3, 12.5], size),
            "pay": [f" {value}" for value in draw.choice(["0.1", "0.30", "1e0", "-0.5", "2"], size)],
            "born": [day.date().isoformat() for day in days],
            "seen": days + pd.to_timedelta(draw.integers(0, 86400, size), unit="s"),
            "zip": [f"0{code}" for code in draw.integers(1200, 1300, size)],
        }
    )


def read(engine: str, folder: Path, request: pytest.FixtureRequest) -> ga.Table:
    rows = frame()
    roles: dict[str, Any] = {"id": "who", "classes": CLASSES, "ladders": {"age": "auto"}}
    if engine == "spark":
        session = request.getfixturevalue("spark")
        held = (
            session.createDataFrame(rows)
            .selectExpr("*", "to_date(born) AS b")
            .drop("born")
            .withColumnRenamed("b", "born")
        )
        return ga.Table.from_frame(held.select(*rows.columns), **roles)
    if engine == "postgres":
        return _of_postgres(request.getfixturevalue("postgres"), rows, roles)
    with duckdb.connect(str(folder / "a.duckdb")) as made:
        made.register("given", rows)
        made.execute(
            "CREATE TABLE people AS SELECT * REPLACE (born::DATE AS born, price::FLOAT AS price) FROM given"
        )
    return ga.read_table(f"duckdb:{folder / 'a.duckdb'}", table="people", **roles)


def _of_postgres(address: str, rows: pd.DataFrame, roles: dict[str, Any]) -> ga.Table:
    import psycopg

    with psycopg.connect(address, autocommit=True) as made:
        made.execute("DROP TABLE IF EXISTS classed")
        made.execute(
            "CREATE TABLE classed (who text, age integer, price double precision, pay text, born date, seen timestamp, "
            "zip text)"
        )
        with made.cursor().copy("COPY classed FROM STDIN") as copy:
            for row in rows.itertuples(index=False):
                copy.write_row(
                    [value.isoformat() if isinstance(value, pd.Timestamp) else value for value in row]
                )
    return ga.read_table(address, table="classed", **roles)


@pytest.mark.parametrize(
    "engine", ["duckdb", *(pytest.param(name, marks=pytest.mark.engines) for name in ("postgres", "spark"))]
)
def test_engines_give_the_classes_of_a_frame(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    held = read(engine, tmp_path, request)
    here = ga.Table.from_frame(frame(), id="who", classes=CLASSES, ladders={"age": "auto"})

    assert {name: one.rows for name, one in held.classes.items()} == {
        name: one.rows for name, one in here.classes.items()
    }
    assert held.labels == here.labels
    assert len(held.weights) == len(here.weights) < len(here)
    assert held.ladders == here.ladders
    attacker, tolerance = ga.KnowsDirectory(columns=KNOWN), ga.Tolerance(identity="1/3")
    there, ours = (ga.assess(ga.Release(table), attacker, tolerance) for table in (held, here))
    assert [(one.target, one.chance) for one in there.exposures] == [
        (one.target, one.chance) for one in ours.exposures
    ]


@pytest.mark.parametrize(
    "engine", ["duckdb", *(pytest.param(name, marks=pytest.mark.engines) for name in ("postgres", "spark"))]
)
def test_released_parquet_shows_classes(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    held = read(engine, tmp_path, request)
    safe = ga.protect(ga.Release(held), ga.KnowsDirectory(columns=KNOWN), ga.Tolerance(identity="1/2"))
    safe.publish(tmp_path / "out")

    rows = pd.read_parquet(tmp_path / "out" / "release.parquet")
    coarser = {label for labels in held.ladders["age"].hierarchy.of.values() for label in labels}
    for name in KNOWN:
        assert {*rows[name].dropna()} <= {*held.labels[name]} | (coarser if name == "age" else set())
