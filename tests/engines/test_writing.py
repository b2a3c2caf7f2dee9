"""Releases of data that an engine holds: what stands in the written files, and that only what was counted is written."""

import datetime as dt
import json
import resource
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import giveaway as ga
from giveaway.engines import writing
from giveaway.engines.opening import opened
from giveaway.engines.tables import read_engine_table
from giveaway.engines.transactions import read_engine_transactions
from giveaway.model.data.labels import label_key
from giveaway.model.progress import limited
from giveaway.model.published import Published
from giveaway.sources.address import address
from giveaway.sources.encoding.roles import roles
from giveaway.sources.files.duckdb import label_order

PEOPLE = [
    ("10", 31, Decimal("1.50"), True, dt.date(2020, 1, 2), dt.datetime(2020, 1, 2, 3, 4, 5), 0.5, "yes"),  # noqa: DTZ001
    ("9", 30, Decimal("2.00"), None, None, dt.datetime(2020, 1, 2, 3, 4), 1.0, "no"),  # noqa: DTZ001
    ("b", 31, None, False, dt.date(2020, 1, 2), None, None, None),
    ("a", None, Decimal("1.50"), True, dt.date(2019, 1, 2), dt.datetime(2020, 1, 2), 1e-3, " yes "),  # noqa: DTZ001
]
COLUMNS = [
    ("who", "varchar"),
    ("age", "bigint"),
    ("pay", "decimal(10, 2)"),
    ("fit", "boolean"),
    ("born", "date"),
    ("seen", "timestamp"),
    ("dose", "double precision"),
    ("ill", "varchar"),
]
NAMES = [name for name, _ in COLUMNS]
IN_ORDER = [PEOPLE[place] for place in (1, 0, 3, 2)]


def holding(release: ga.Release) -> ga.Assessment:
    return ga.Assessment(release=release, findings=(), effort=ga.Effort(), seconds=0)


def people(held: Any, **how: Any) -> ga.Table:
    return read_engine_table(held, id="who", sensitive=("ill",), **how)


def baskets(held: Any, private: tuple[str, ...] = (), **how: Any) -> ga.Transactions:
    return read_engine_transactions(held, roles(private=private, **how), id="who", item="what")


def rows_in(path: Path) -> list[tuple[Any, ...]]:
    stored = f"{path}/*.parquet" if path.is_dir() else str(path)
    with duckdb.connect() as connection:
        return connection.execute("SELECT * FROM read_parquet(?)", [stored]).fetchall()


def drawn_rows(key: Path) -> list[int]:
    """Return the drawn order of the last release of an owner's file."""
    rows: list[int] = json.loads(key.read_text())["releases"][-1]["rows"]
    assert sorted(rows) == list(range(1, len(rows) + 1))
    return rows


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


class Source:
    """One engine with tables of its own."""

    def __init__(self, run: Callable[[str], Any], hold: Callable[[str], Any]) -> None:
        self.run, self.hold = run, hold

    def made(self, name: str, columns: list[tuple[str, str]], rows: list[tuple[Any, ...]]) -> Any:
        """Make a table, in the place of one of the same name, and open it."""
        self.run(f"DROP TABLE IF EXISTS {name}")
        self.run(f"CREATE TABLE {name} ({', '.join(' '.join(column) for column in columns)})")
        cells = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
        self.run(f"INSERT INTO {name} VALUES {cells}")  # noqa: S608 # our own
        return self.hold(name)


class SparkSource:
    """A Spark session with views of its own."""

    def __init__(self, session: Any) -> None:
        self.session = session

    def made(self, name: str, columns: list[tuple[str, str]], rows: list[tuple[Any, ...]]) -> Any:
        kinds = {"varchar": "string", "double precision": "double", "timestamp": "timestamp_ntz"}
        schema = ", ".join(f"{column} {kinds.get(kind, kind)}" for column, kind in columns)
        self.session.createDataFrame(rows, schema).createOrReplaceTempView(name)
        return opened(self.session.table(name))


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return f"CAST('{value}' AS double precision)"  # a bare -0.0 would be a decimal number
    if isinstance(value, bool | int | Decimal):
        return str(value).lower()
    kind = {dt.date: "DATE ", dt.datetime: "TIMESTAMP "}.get(type(value), "")
    return f"{kind}'{value}'"


def on(*engines: str) -> Any:
    marked = [pytest.param(name, marks=() if name == "duckdb" else pytest.mark.engines) for name in engines]
    return pytest.mark.parametrize("source", marked, indirect=True)


@pytest.fixture
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Source | SparkSource]:
    if request.param == "duckdb":
        connection = duckdb.connect()
        yield Source(connection.execute, lambda name: opened(connection.table(name)))
        connection.close()
    elif request.param == "postgres":
        import psycopg

        place = request.getfixturevalue("postgres")
        with psycopg.connect(place, autocommit=True) as connection:
            held = []

            def hold(name: str) -> Any:
                held.append(opened(address(place, tmp_path), table=name))
                return held[-1]

            yield Source(connection.execute, hold)
            for one in held:
                one.backend.close()
    else:
        yield SparkSource(request.getfixturevalue(request.param))


@on("duckdb", "postgres", "spark", "connect")
def test_a_table_is_written_in_the_drawn_order_without_its_ids(source: Source, tmp_path: Path) -> None:
    table = people(source.made("held_people", COLUMNS, PEOPLE))
    release = ga.Release(table, ga.Withheld(cells=[(1, "age"), (4, "fit")]), secrets=["10"])

    done = holding(release).publish(tmp_path / "out", key=tmp_path / "key.json")

    expected = [list(row[1:]) for row in IN_ORDER]
    expected[0][0] = expected[3][2] = expected[1][6] = None
    expected[2][6] = "yes"
    drawn = [expected[place - 1] for place in drawn_rows(tmp_path / "key.json")]
    assert [list(row) for row in rows_in(tmp_path / "out" / "release.parquet")] == drawn
    assert [(part.file, part.rows) for part in done.written] == [("release.parquet", 4)]
    assert left(tmp_path / "out") == ["manifest.json", "release.parquet"]


@on("duckdb", "postgres")
def test_a_kept_order_is_that_of_the_ids(source: Source, tmp_path: Path) -> None:
    table = people(source.made("held_people", COLUMNS, PEOPLE))

    holding(ga.Release(table, order="kept")).publish(tmp_path / "out")

    shown = rows_in(tmp_path / "out" / "release.parquet")
    assert [row[:3] for row in shown] == [row[1:4] for row in IN_ORDER]


@on("duckdb", "postgres", "spark", "connect")
def test_values_that_are_judged_equal_are_written_equal(source: Source, tmp_path: Path) -> None:
    columns = [("who", "varchar"), ("zip", "varchar"), ("dose", "double precision"), ("note", "varchar")]
    rows = [("1", "10", 0.0, "a"), ("2", " 10", -0.0, "?"), ("3", "10 ", 0.5, ""), ("4", "10", None, None)]
    table = read_engine_table(source.made("held_forms", columns, rows), id="who", missing=("", "?"))

    holding(ga.Release(table)).publish(tmp_path / "out")

    written = Counter(map(repr, rows_in(tmp_path / "out" / "release.parquet")))
    assert written == Counter(
        ["('10', 0.0, 'a')", "('10', 0.0, None)", "('10', 0.5, None)", "('10', None, None)"]
    )
    assert len(table.record_of) == 4


@on("duckdb", "postgres", "spark")
def test_long_transactions_are_numbered_in_the_drawn_order(source: Source, tmp_path: Path) -> None:
    rows = [
        ("10", "tea", 1),
        ("9", "gin", 2),
        ("10", "ale", 3),
        ("10", "tea", 1),
        ("a", None, 4),
        ("9", "tea", 5),
    ]
    data = baskets(
        source.made("held_baskets", [("who", "varchar"), ("what", "varchar"), ("day", "bigint")], rows),
        publish_unjudged=["day"],
    )
    release = ga.Release(data, ga.Withheld(items=["gin"]))

    holding(release).publish(tmp_path / "out", key=tmp_path / "key.json")

    by_id = [[("tea", 5)], [("ale", 3), ("tea", 1)], [(None, None)]]
    drawn = enumerate((by_id[place - 1] for place in drawn_rows(tmp_path / "key.json")), start=1)
    assert rows_in(tmp_path / "out" / "release.parquet") == [
        (number, *row) for number, rows in drawn for row in rows
    ]


@on("duckdb", "postgres", "connect")
def test_a_table_that_changed_is_not_written(source: Source, tmp_path: Path) -> None:
    columns = [("who", "varchar"), ("note", "varchar"), ("ill", "varchar")]
    table = people(
        source.made("held_people", columns, [("1", "x", "no"), ("2", "y", "no")]), publish_unjudged=("note",)
    )
    source.made("held_people", columns, [("1", "x", "no"), ("2", "z", "no")])

    with pytest.raises(ga.DataError, match="has changed since it was counted"):
        holding(ga.Release(table)).publish(tmp_path / "out")
    assert left(tmp_path) == []


@on("duckdb")
def test_renamed_and_shuffled_transactions_are_judged_like_others(source: Source, tmp_path: Path) -> None:
    rows = [(str(who), item) for who in range(6) for item in ("tea", "gin")[: 1 + who % 2]]
    data = baskets(source.made("held_baskets", [("who", "varchar"), ("what", "varchar")], rows))
    release = ga.Release(data, renamed=True, order="shuffled")

    holding(release).publish(tmp_path / "out")

    written = rows_in(tmp_path / "out" / "release.parquet")
    assert sorted({who for who, _ in written}) == [1, 2, 3, 4, 5, 6]
    assert sorted(Counter(item for _, item in written).items()) in (
        [("1", 6), ("2", 3)],
        [("1", 3), ("2", 6)],
    )


# What does not depend on the engine ---------------------------------------------------------------------


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def test_a_large_release_is_written_in_parts_that_the_checker_reads(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_MOST_ROWS", 40)
    connection.execute(
        "CREATE TABLE t AS SELECT 100 - range AS who, range % 7 AS age, 'no' AS ill FROM range(100)"
    )
    release = ga.Release(people(opened(connection.table("t"))), ga.Withheld(cells=[(50, "age")]))

    done = holding(release).publish(tmp_path / "out", key=tmp_path / "key.json")

    names = [f"release/part-0000{number}.parquet" for number in range(3)]
    assert [(part.file, part.rows) for part in done.written] == list(zip(names, (40, 40, 20), strict=True))
    expected = [(None if who == 50 else (100 - who) % 7, "no") for who in range(1, 101)]
    drawn = drawn_rows(tmp_path / "key.json")
    assert rows_in(tmp_path / "out" / "release") == [expected[place - 1] for place in drawn]
    assert drawn != sorted(drawn)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [part["file"] for part in manifest["files"]] == names
    holding(release).publish(tmp_path / "out", force=True)
    (tmp_path / "out" / "release" / "thesis.tex").write_text("years of work")
    with pytest.raises(ga.NotWritten, match="left alone"):
        holding(release).publish(tmp_path / "out", force=True)


def test_parts_of_long_transactions_are_read_as_one(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_MOST_ROWS", 3)
    connection.execute("CREATE TABLE t AS SELECT range // 2 AS who, 'i' || range % 3 AS what FROM range(8)")

    done = holding(ga.Release(baskets(opened(connection.table("t"))))).publish(tmp_path / "out")

    assert [part.rows for part in done.written] == [3, 3, 2]


def test_a_part_that_shows_a_hidden_entry_is_found(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_MOST_ROWS", 4)
    connection.execute("CREATE TABLE t AS SELECT range AS who, range AS age, 'no' AS ill FROM range(10)")
    release = ga.Release(
        people(opened(connection.table("t"))), ga.Withheld(cells=[(10, "age")]), order="kept"
    )
    from giveaway import checker

    written = release.original.origin.write(tmp_path, Published())

    with pytest.raises(ga.CheckFailed, match="shows an entry that must be hidden"):
        checker.judge(written, release, [])


def test_a_table_without_rows_is_refused(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    connection.execute("CREATE TABLE t (who BIGINT, ill VARCHAR)")
    held = opened(connection.table("t"))
    origin = writing.EngineOrigin(
        held=held, fingerprint=held.backend.fingerprint(held.frame), shape="table", id="who"
    )

    with pytest.raises(ga.DataError, match="has no rows"):
        origin.write(tmp_path, Published())


def test_data_in_an_engine_have_no_form_in_memory(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE TABLE t AS SELECT 1 AS who, 'no' AS ill")

    with pytest.raises(ga.NotWritten, match=r"publish\(folder\)"):
        holding(ga.Release(people(opened(connection.table("t"))))).released()


@settings(max_examples=40)
@given(st.lists(st.one_of(st.integers().map(str), st.text("0-9aA é", max_size=4)), unique=True))
def test_the_order_of_the_engine_is_that_of_labels(labels: list[str]) -> None:
    texts = list(dict.fromkeys(label.strip(" \t") for label in labels))
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (label VARCHAR)")
        if texts:
            connection.executemany("INSERT INTO t VALUES (?)", [[text] for text in texts])
        found = connection.execute(f"SELECT label FROM t ORDER BY {label_order('label')}").fetchall()  # noqa: S608 # our own

    assert [label for (label,) in found] == sorted(texts, key=label_key)


# Faults ---------------------------------------------------------------------------------------------------


def test_a_disk_that_is_full_while_spilling_leaves_nothing(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.execute(
        "CREATE TABLE t AS SELECT range AS who, md5(range::VARCHAR) AS note, 'no' AS ill FROM range(400000)"
    )
    table = people(opened(connection.table("t")), publish_unjudged=("note",))
    real = writing.engine

    def tiny() -> Any:
        return _spilling_into(real(), "1MB")

    monkeypatch.setattr(writing, "engine", tiny)
    with limited(memory=40 << 20), pytest.raises(ga.NotWritten, match="memory or disk space"):
        holding(ga.Release(table)).publish(tmp_path / "out")
    assert left(tmp_path) == []


def test_a_target_that_is_full_leaves_nothing(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    connection.execute("CREATE TABLE t AS SELECT range AS who, md5(range::VARCHAR) AS ill FROM range(20000)")
    table = people(opened(connection.table("t")))
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(ga.NotWritten, match="disk may be full"):
            holding(ga.Release(table)).publish(tmp_path / "out")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert left(tmp_path) == []


@pytest.mark.engines
def test_a_connection_lost_while_reading_leaves_nothing(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("DROP TABLE IF EXISTS many")
        other.execute(
            "CREATE TABLE many AS SELECT g AS who, 'no' AS ill FROM generate_series(1, 150000) AS g"
        )
        held = opened(address(postgres, tmp_path), table="many")
        table = people(held)
        seen = []

        def cut(part: Any) -> None:
            seen.append(len(part))
            other.execute("SELECT pg_terminate_backend(%s)", [held.backend.database.con.info.backend_pid])

        _after_each_part(held, cut, monkeypatch)
        with pytest.raises(ga.DataError, match="answer"):
            holding(ga.Release(table)).publish(tmp_path / "out")

        assert len(seen) == 1
        assert other.execute("SELECT count(*) FROM many").fetchone() == (150000,)
        held.backend.close()
    assert left(tmp_path) == []


@pytest.mark.engines
def test_rows_that_come_while_others_are_read_are_not_written(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("DROP TABLE IF EXISTS many")
        other.execute("CREATE TABLE many AS SELECT g AS who, 'no' AS ill FROM generate_series(1, 70000) AS g")
        held = opened(address(postgres, tmp_path), table="many")
        release = ga.Release(people(held))
        release.original.record_of  # noqa: B018 # the rows are looked at before others come
        _after_each_part(
            held, lambda _: other.execute("INSERT INTO many VALUES (0, 'yes'), (70001, 'yes')"), monkeypatch
        )

        done = holding(release).publish(tmp_path / "out")

        held.backend.close()
    assert [part.rows for part in done.written] == [70000]
    assert {ill for (ill,) in rows_in(tmp_path / "out" / "release.parquet")} == {"no"}


@pytest.mark.engines
def test_a_job_of_spark_that_is_killed_leaves_nothing(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = opened(spark.range(0, 200, 1, 20).selectExpr("id AS who", "'no' AS ill"))
    table = people(held)
    reading, over = threading.Event(), threading.Event()

    def kill() -> None:
        reading.wait()
        while not over.wait(0.005):
            spark.sparkContext.cancelAllJobs()

    killer = threading.Thread(target=kill)
    killer.start()
    real = held.backend.parts
    monkeypatch.setattr(held.backend, "parts", lambda frame: (reading.set(), real(frame))[1])
    try:
        with pytest.raises(ga.DataError, match="answer"):
            holding(ga.Release(table)).publish(tmp_path / "out")
    finally:
        reading.set()
        over.set()
        killer.join()
    assert left(tmp_path) == []


def _after_each_part(held: Any, act: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    real = held.backend.parts

    def parts(frame: Any) -> Iterator[Any]:
        for part in real(frame):
            yield part
            act(part)

    monkeypatch.setattr(held.backend, "parts", parts)


class _spilling_into:  # noqa: N801 # a context like the one that it wraps
    def __init__(self, real: Any, most: str) -> None:
        self.real, self.most = real, most

    def __enter__(self) -> Any:
        opened = self.real.__enter__()
        opened.connection.execute(f"SET max_temp_directory_size = '{self.most}'")
        return opened

    def __exit__(self, *failure: object) -> Any:
        return self.real.__exit__(*failure)
