"""Crowds, readings and classes are counted where the data are: the same figures, and no rows for a verdict."""

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

import giveaway as ga
from giveaway.engines.connections.spark import Spark
from giveaway.engines.connections.working import Working
from giveaway.engines.part import RowsPart
from giveaway.engines.tables import HeldTable

ENGINES = pytest.mark.engines
HELD = ["duckdb", *(pytest.param(name, marks=ENGINES) for name in ("postgres", "sc", "spark"))]
OBJECTS = ["relation", *(pytest.param(name, marks=ENGINES) for name in ("ibis", "spark"))]
ROWS, CROWD = 300, 4
KNOWN = ("age", "job", "town", "pay")
FIGURES = ("smallest_crowd", "records_below_crowd", "forms")
Values = dict[str, list[str | None]]


def people(rows: int, seed: int, gap: str | None = None) -> Values:
    """Draw people with gaps, some of which may be marked."""
    draw = np.random.default_rng(seed)

    def column(*values: str | None) -> list[str | None]:
        weight = 1 / np.arange(1, len(values) + 1)
        return [values[place] for place in draw.choice(len(values), rows, p=weight / weight.sum())]

    return {
        "who": [f"p{number:03}" for number in range(rows)],
        "age": column("34", "35", "36", "51", "52", "70", gap, None),
        "job": column("cook", "clerk", "nurse", gap),
        "town": column("Ayr", "Wick", "Oban", None, "Tain"),
        "pay": column("1,5", "1,50", "2,25", "10", "3,125"),
        "ill": column("healthy", "gout", "asthma", None),
    }


TABLES = {"people": people(ROWS, 4, gap="?"), "register": people(2 * ROWS, 5)}
TOWNS = {"Ayr": ("south", "*"), "Wick": ("north", "*"), "Oban": ("west", "*"), "Tain": ("north", "*")}
HIERARCHIES = {"town": TOWNS}
PLAIN: dict[str, Any] = {"id": "who", "sensitive": "ill", "missing": ("", "?")}
CLASSED: dict[str, Any] = {
    **PLAIN,
    "classes": {"age": [18, 40, 65], "pay": {"width": "0.5"}},
    "ladders": {"age": "auto"},
    "decimal": ",",
}
ASKED: dict[str, dict[str, Any]] = {
    "itself": {},
    "classes and ladders": {"roles": CLASSED},
    "hierarchies": {"hierarchies": HIERARCHIES},
    "marks are values": {"roles": {"id": "who", "sensitive": "ill"}},
    "sensitive values": {"attribute": "1/2"},
    "sensitive values for somebody who does not know the method": {
        "attribute": "1/2",
        "knows": {"knows_method": False, "judges": "true"},
    },
    "known in part": {"attribute": "3/5", "knows": {"at_most": 2}},
    "another directory": {"people": True},
    "another directory and sensitive values": {"people": True, "attribute": "1/2"},
    "another directory in classes": {"people": True, "roles": CLASSED},
    "another directory and hierarchies": {"people": True, "hierarchies": HIERARCHIES},
}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("there")
    for name, columns in TABLES.items():
        with (folder / f"{name}.csv").open("w", newline="") as out:
            csv.writer(out).writerows([[*columns], *zip(*columns.values(), strict=True)])
    return folder


def rows_of(name: str) -> list[tuple[str | None, ...]]:
    """Return the rows of a table from the last to the first: an engine keeps no order."""
    return list(zip(*TABLES[name].values(), strict=True))[::-1]


@pytest.fixture(scope="session")
def in_duckdb(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("there") / "people.duckdb"
    with duckdb.connect(path) as connection:
        for name, columns in TABLES.items():
            connection.execute(
                f"CREATE TABLE {name} ({', '.join(f'{column} VARCHAR' for column in columns)})"
            )
            connection.executemany(
                f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})",  # noqa: S608
                rows_of(name),
            )
    return f"duckdb:{path}"


@pytest.fixture(scope="session")
def in_postgres(postgres: str) -> str:
    import psycopg

    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE SCHEMA there")
        for name, columns in TABLES.items():
            connection.execute(
                f"CREATE TABLE there.{name} ({', '.join(f'{column} text' for column in columns)})"
            )
            with connection.cursor().copy(f"COPY there.{name} FROM STDIN") as copy:
                for row in rows_of(name):
                    copy.write_row(row)
    return postgres


@pytest.fixture(scope="session")
def in_spark(spark: Any) -> Any:
    for name, columns in TABLES.items():
        schema = ", ".join(f"{column} string" for column in columns)
        spark.createDataFrame(rows_of(name), schema).write.mode("overwrite").saveAsTable(f"there_{name}")
    return spark


Source = Callable[[str, str], tuple[Any, dict[str, str]]]


@pytest.fixture(scope="session")
def source(request: pytest.FixtureRequest) -> Source:
    """Return a function that tells where a table is held: what is read, and the name of the table at an address."""
    fixture = request.getfixturevalue

    def ibis_table(name: str) -> Any:
        import ibis
        import psycopg

        connection = psycopg.connect(fixture("in_postgres"), autocommit=True)
        request.addfinalizer(connection.close)
        return ibis.postgres.from_connection(connection).table(name, database="there")

    def relation(name: str) -> Any:
        connection = duckdb.connect(fixture("in_duckdb").removeprefix("duckdb:"), read_only=True)
        request.addfinalizer(connection.close)
        return connection.table(name)

    where: dict[str, Callable[[str], tuple[Any, dict[str, str]]]] = {
        "duckdb": lambda name: (fixture("in_duckdb"), {"table": name}),
        "postgres": lambda name: (fixture("in_postgres"), {"table": f"there.{name}"}),
        "sc": lambda name: (fixture("in_spark") and fixture("spark_address"), {"table": f"there_{name}"}),
        "spark": lambda name: (fixture("in_spark").table(f"there_{name}"), {}),
        "ibis": lambda name: (ibis_table(name), {}),
        "relation": lambda name: (relation(name), {}),
    }
    return cache(lambda engine, name: where[engine](name))


def read(place: Any, named: dict[str, str], roles: dict[str, Any]) -> ga.Table:
    if isinstance(place, str | Path):
        return ga.read_table(place, **named, **roles)
    return ga.Table.from_frame(place, **roles)


def question(name: str, table: ga.Table, files: Path) -> tuple[ga.Release, ga.KnowsDirectory, ga.Tolerance]:
    asked = ASKED[name]
    release = ga.Release(table, hierarchies=asked.get("hierarchies"))
    register: dict[str, Any] = {"people": files / "register.csv", "id": "who"} if "people" in asked else {}
    attacker = ga.KnowsDirectory(columns=KNOWN, **register, **asked.get("knows", {}))
    return release, attacker, ga.Tolerance(identity=Fraction(1, CROWD), attribute=asked.get("attribute"))


def roles(name: str) -> dict[str, Any]:
    found: dict[str, Any] = ASKED[name].get("roles", PLAIN)
    return found


@contextmanager
def no_rows() -> Iterator[None]:
    """Let whoever asks an engine for its rows fail."""

    def asked(_: Any) -> Any:
        pytest.fail("rows were asked for")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HeldTable, "_rows", property(asked))
        yield


@pytest.fixture(scope="session")
def here(files: Path) -> Callable[[str], ga.Assessment]:
    """Return a function that answers a question from the file, once for all engines."""
    return cache(lambda name: ga.assess(*question(name, read(files / "people.csv", {}, roles(name)), files)))


@pytest.mark.parametrize("engine", [*HELD, pytest.param("ibis", marks=ENGINES)])
@pytest.mark.parametrize("name", ASKED)
def test_a_verdict_is_the_same_and_needs_no_rows_and_so_are_figures(
    name: str, engine: str, source: Source, files: Path, here: Callable[[str], ga.Assessment]
) -> None:
    with no_rows():
        held = ga.assess(*question(name, read(*source(engine, "people"), roles(name)), files))
        ours, theirs = held.findings[0].risk, here(name).findings[0].risk

        assert held.verdict == here(name).verdict == "at risk"
        assert (ours.share, ours.average) == (theirs.share, theirs.average)
        assert 0 < ours.share < 1
        assert ours.reasons == theirs.reasons
        assert ours.details.levels == theirs.details.levels
    if engine == "ibis":  # what it holds is asked as PostgreSQL is
        return
    assert ours.figures == theirs.figures
    assert None not in [theirs.figures[figure] for figure in FIGURES]
    assert [(one.target, one.chance) for one in ours.exposures] == [
        (one.target, one.chance) for one in theirs.exposures
    ]


def crowds_in_sql(engine: str, source: Source, sql: str) -> tuple[int, ...]:
    """Let the engine itself count."""
    place, _ = source(engine, "people")
    if engine == "duckdb":
        with duckdb.connect(place.removeprefix("duckdb:"), read_only=True) as connection:
            found = connection.execute(sql.format("people")).fetchone()
    elif engine == "postgres":
        import psycopg

        with psycopg.connect(place) as connection:
            found = connection.execute(sql.format("there.people")).fetchone()
    else:
        found = place.sparkSession.sql(sql.format("there_people")).collect()[0]
    assert found is not None
    return tuple(map(int, found))


COUNTED = f"""
    SELECT min(n), sum(CASE WHEN n < {CROWD} THEN n ELSE 0 END), count(*)
    FROM (SELECT count(*) AS n FROM {{}} GROUP BY {", ".join(f"nullif({name}, '?')" for name in KNOWN)}) AS forms
"""  # noqa: S608 # our own


@pytest.mark.parametrize(
    "engine", ["duckdb", *(pytest.param(name, marks=ENGINES) for name in ("postgres", "spark"))]
)
def test_crowds_are_those_that_the_engine_counts_in_sql(engine: str, source: Source, files: Path) -> None:
    figures = (
        ga.assess(*question("itself", read(*source(engine, "people"), PLAIN), files)).findings[0].risk.figures
    )

    assert tuple(figures[name] for name in FIGURES) == crowds_in_sql(engine, source, COUNTED)


@pytest.fixture(scope="session")
def protected_here(files: Path) -> Callable[[str], ga.Assessment]:
    """Return a function that protects the file, once for all engines."""
    return cache(lambda name: ga.protect(*question(name, read(files / "people.csv", {}, roles(name)), files)))


@pytest.mark.parametrize("engine", HELD)
@pytest.mark.parametrize("name", ["itself", "classes and ladders", "another directory"])
def test_as_much_is_withheld_and_every_form_has_its_crowd(
    name: str,
    engine: str,
    source: Source,
    files: Path,
    protected_here: Callable[[str], ga.Assessment],
    tmp_path: Path,
) -> None:
    """The release is written to a table of DuckDB, where its forms are counted in SQL."""
    held = ga.protect(*question(name, read(*source(engine, "people"), roles(name)), files))
    held.publish(tmp_path / "out", to=f"duckdb:{tmp_path / 'released.duckdb'}", table="released")

    withheld = [found.to_dict()["withheld"] for found in (held, protected_here(name))]
    assert withheld[0]["cells_by_column"] == withheld[1]["cells_by_column"]
    assert held.findings[0].risk.figures["smallest_crowd"] >= CROWD
    if "people" not in ASKED[name]:
        with duckdb.connect(tmp_path / "released.duckdb", read_only=True) as connection:
            rows, fewest = connection.execute(
                f"SELECT sum(n), min(n) FROM (SELECT count(*) AS n FROM released GROUP BY {', '.join(KNOWN)})"  # noqa: S608
            ).fetchall()[0]
        assert rows == ROWS
        assert fewest >= CROWD


@pytest.fixture
def brought(monkeypatch: pytest.MonkeyPatch) -> list[RowsPart]:
    """Remember every part that an engine brings here."""
    parts: list[RowsPart] = []
    batches, whole = Working.batches, Spark.whole

    def in_parts(self: Working, frame: Any) -> Iterator[RowsPart]:
        for part in batches(self, frame):
            parts.append(part)
            yield part

    def at_once(self: Spark, frame: Any) -> RowsPart:
        parts.append(whole(self, frame))
        return parts[-1]

    monkeypatch.setattr(Working, "batches", in_parts)
    monkeypatch.setattr(Spark, "whole", at_once)
    return parts


@pytest.mark.parametrize("engine", [*HELD, "relation", pytest.param("ibis", marks=ENGINES)])
def test_readings_are_the_same_and_bring_counts_only(
    engine: str, source: Source, files: Path, brought: list[RowsPart]
) -> None:
    place, named = source(engine, "people")
    asked: dict[str, Any] = {"columns": ["job", "town"], "sensitive": "ill", "limit": "1/40"}
    held = ga.readings(place, **named, **asked)
    here = ga.readings(files / "people.csv", **asked)

    assert held == here == ga.readings(read(files / "people.csv", {}, {"missing": ("",)}), **asked)
    assert here.rows == ROWS
    assert here.blank_sensitive > 0
    distinct = {row[2:4] + row[5:] for row in rows_of("people")}
    assert sum(map(len, brought)) == len(distinct) < ROWS
    assert all(len(part.columns) == len(asked["columns"]) + 2 for part in brought)


@pytest.mark.parametrize("engine", OBJECTS)
def test_readings_count_a_directory_where_it_is(
    engine: str, source: Source, files: Path, brought: list[RowsPart]
) -> None:
    held, register = source(engine, "people")[0], source(engine, "register")[0]
    found = ga.readings(held, columns=["job", "town"], people=register)

    assert found == ga.readings(files / "people.csv", columns=["job", "town"], people=files / "register.csv")
    assert found.people == 2 * ROWS
    assert sum(map(len, brought)) < ROWS


def test_readings_of_all_columns_and_of_a_query(source: Source, files: Path) -> None:
    place, _ = source("duckdb", "people")
    found = ga.readings(place, query="SELECT job, town FROM people WHERE ill IS NOT NULL;")

    assert found.rows == sum(row[-1] is not None for row in rows_of("people"))
    assert found.blocks == len({row[2:4] for row in rows_of("people") if row[-1] is not None})
    assert ga.readings(files / "people.csv").k == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"columns": ["jobb"], "table": "people"}, 'did you mean "job"'),
        ({"columns": ["job"]}, "needs either table or query"),
        ({"columns": ["job", "job"], "table": "people"}, "two roles"),
    ],
)
def test_a_wrong_question_is_refused(source: Source, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.readings(source("duckdb", "people")[0], **options)


@pytest.mark.parametrize("kind", ["file", "frame", "relation", "table"])
def test_only_an_address_has_tables(kind: str, source: Source, files: Path) -> None:
    import polars as pl

    places: dict[str, Any] = {
        "file": files / "people.csv",
        "frame": pl.DataFrame(TABLES["people"]),
        "relation": source("relation", "people")[0],
        "table": ga.Table.from_rows([{"job": "cook"}]),
    }
    with pytest.raises(ga.ScenarioError, match=r"belongs? to an address"):
        ga.readings(places[kind], columns=["job"], table="people")


@pytest.mark.parametrize("rest", ["leave_out", "publish_unjudged"])
def test_columns_without_a_role_are_not_counted(
    rest: Any, files: Path, tmp_path: Path, brought: list[RowsPart]
) -> None:
    """A column in which everybody is different would bring all rows here."""
    with duckdb.connect(tmp_path / "wide.duckdb") as connection:
        connection.execute(
            f"CREATE TABLE wide AS SELECT *, 'note of ' || who AS note FROM read_csv('{files / 'people.csv'}', "  # noqa: S608
            "all_varchar = true)"
        )
    known, tolerance = ga.KnowsDirectory(columns=["job"]), ga.Tolerance(identity=Fraction(1, CROWD))
    table = ga.read_table(f"duckdb:{tmp_path / 'wide.duckdb'}", table="wide", id="who", rest=rest)
    found = ga.assess(ga.Release(table), known, tolerance)

    assert found.verdict == "safe"
    looks = 0 if rest == "leave_out" else ROWS  # what unjudged columns look like is told from the first rows
    jobs = len({row[2] for row in rows_of("people")})
    about_ids = 4  # how many there are, lack and appear twice, asked before and after roles are known
    assert sum(map(len, brought)) <= looks + jobs + about_ids
