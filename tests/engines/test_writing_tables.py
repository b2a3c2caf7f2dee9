"""Releases that become new tables: what stands in them, what is refused, and what failures leave behind."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from tests.engines.test_writing import drawn_rows
from typer.testing import CliRunner, Result

import giveaway as ga
from giveaway import checker
from giveaway.cli.main import app
from giveaway.engines.loading import duckdb as loading_duckdb
from giveaway.engines.loading import loader
from giveaway.engines.opening import opened
from giveaway.sources.address import address

SCENARIO = """\
[release]
data = "people.csv"
kind = "table"
id = "who"
sensitive = "ill"
secrets = "secrets.csv"

[tolerates]
attribute = "999/1000"

[[knows]]
attack = "attributes"
columns = ["age"]
knows_method = false
"""
ROWS = "who,age,ill\nann,30,yes\nbob,31,no\ncay,31,yes\ndan,,no\n"


def holding(release: ga.Release) -> ga.Assessment:
    return ga.Assessment(release=release, findings=(), effort=ga.Effort(), seconds=0)


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def planned(folder: Path) -> ga.Release:
    (folder / "people.csv").write_text(ROWS)
    table = ga.read_table(folder / "people.csv", id="who", sensitive="ill")
    return ga.Release(table, ga.Withheld(cells=[(2, "age")]), secrets=["ann"])


class Target:
    """One engine with a place for tables."""

    def __init__(self, to: Any, ask: Callable[[str], list[tuple[Any, ...]]]) -> None:
        self.to, self.ask = to, ask

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.ask(f"SELECT * FROM {table}")]  # noqa: S608 # our own

    def tables(self) -> set[str]:
        return {str(name) for (name,) in self.ask("SELECT table_name FROM information_schema.tables")}


class SparkTarget(Target):
    def __init__(self, to: Any, session: Any) -> None:
        super().__init__(to, lambda query: [tuple(row) for row in session.sql(query).collect()])
        self.session = session

    def tables(self) -> set[str]:
        return {table.name for table in self.session.catalog.listTables()}


def on(*engines: str) -> Any:
    marked = [pytest.param(name, marks=() if name == "duckdb" else pytest.mark.engines) for name in engines]
    return pytest.mark.parametrize("target", marked, indirect=True)


@pytest.fixture
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Target]:
    if request.param == "duckdb":
        file = tmp_path.with_suffix(".duckdb")

        def ask(query: str) -> list[tuple[Any, ...]]:
            with duckdb.connect(file) as connection:
                return connection.execute(query).fetchall()

        yield Target(f"duckdb:{file}", ask)
    elif request.param == "postgres":
        import psycopg

        place = request.getfixturevalue("postgres")
        with psycopg.connect(place, autocommit=True) as connection:

            def ask_postgres(query: str) -> list[tuple[Any, ...]]:
                cursor = connection.execute(query)
                return cursor.fetchall() if cursor.description else []

            yield from _tidied(Target(place, ask_postgres))
    else:
        session = request.getfixturevalue(request.param)
        to = session if request.param == "spark" else request.getfixturevalue("spark_address")
        yield from _tidied(SparkTarget(to, session))


def _tidied(target: Target) -> Iterator[Target]:
    before = target.tables()
    yield target
    for name in target.tables() - before:
        target.ask(f"DROP TABLE {name}")


TYPES = """
SELECT 0.1::FLOAT AS short, 0.1::DOUBLE AS long, 1e20::DOUBLE AS large, 1.50::DECIMAL(5, 2) AS exact, true AS truth,
       DATE '2020-01-02' AS day, TIMESTAMP '2020-01-02 03:04:05.5' AS moment, 7::UTINYINT AS small, -7::SMALLINT AS below,
       12345678901::BIGINT AS whole, 'é"x' AS "te xt"
"""
EVERYWHERE = on("duckdb", "postgres", "spark", "connect")


@EVERYWHERE
def test_values_that_are_judged_equal_stand_in_the_table_in_one_form(target: Target, tmp_path: Path) -> None:
    lines = [
        '{"zip": 10, "x": 1}',
        '{"x": 2, "zip": "10 "}',
        '{"zip": "?", "x": 3}',
        '{"x": null, "zip": ""}',
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    release = ga.Release(ga.read_table(tmp_path / "a.jsonl", missing=["", "?"]))

    holding(release).publish(tmp_path / "out", to=target.to, table="one_form")

    assert sorted(target.rows("one_form"), key=str) == [("10", 1), ("10", 2), (None, 3), (None, None)]


@EVERYWHERE
def test_a_release_becomes_a_table_and_the_folder_holds_the_manifest(target: Target, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "who": [1, 2, 3],
            "age": [30, 31, 31],
            "fit": [True, False, None],
            "dose": [0.5, None, 2.0],
            "born": pd.to_datetime(["2020-01-02", "2020-01-03", "2020-01-03"]).date,
            "ill": ["yes", "no", None],
        }
    )
    table = ga.Table.from_frame(frame, id="who", sensitive="ill")
    release = ga.Release(table, ga.Withheld(cells=[(2, "age")]), secrets=[1])

    done = holding(release).publish(tmp_path / "out", to=target.to, table="released")

    found = sorted(target.rows("released"), key=str)
    born = [str(row[3]) for row in found]
    assert [(*row[:3], row[4]) for row in found] == [
        (30, True, 0.5, None),
        (31, None, 2.0, None),
        (None, False, None, "no"),
    ]
    assert born == ["2020-01-02", "2020-01-03", "2020-01-03"]
    assert left(tmp_path) == ["manifest.json", "out", "out.owner.json"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    shown = "the Spark session" if not isinstance(target.to, str) else target.to
    assert manifest["table"] == {"address": shown, "name": "released", "rows": 3}
    assert manifest["files"] == []
    assert [(part.file, part.rows) for part in done.written] == [("released", 3)]
    assert done.to_dict()["written"] == [{"file": "released", "address": shown, "rows": 3, "sha256": None}]


@EVERYWHERE
def test_values_of_many_types_are_read_back_as_what_they_are(target: Target, tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({TYPES}) TO '{tmp_path}/types.parquet'")
    table = ga.read_table(tmp_path / "types.parquet")

    done = holding(ga.Release(table)).publish(tmp_path / "out", to=target.to, table="released")

    assert len(table.columns) == 11
    assert [part.rows for part in done.written] == [1]


@on("duckdb", "postgres", "connect")
def test_a_table_that_exists_is_never_touched(target: Target, tmp_path: Path) -> None:
    target.ask("CREATE TABLE released AS SELECT 1 AS x")
    before = target.tables()

    for force in (False, True):
        with pytest.raises(ga.NotWritten, match=r"exists at .* and was left alone"):
            holding(planned(tmp_path)).publish(tmp_path / "out", to=target.to, table="released", force=force)
    with pytest.raises(ga.NotWritten, match="left alone"):
        loader.destination(target.to, "released").check()

    assert target.rows("released") == [(1,)]
    assert target.tables() == before
    assert left(tmp_path) == ["people.csv"]


@on("duckdb", "postgres", "spark")
def test_a_table_that_is_not_as_promised_is_undone(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = target.tables()
    real = checker.judge

    def suspicious(written: Any, *promised: Any) -> dict[str, int]:
        rows = real(written, *promised)
        if not isinstance(written, Path):
            raise ga.CheckFailed("no.")
        return rows

    monkeypatch.setattr(checker, "judge", suspicious)
    with pytest.raises(ga.CheckFailed):
        holding(planned(tmp_path)).publish(tmp_path / "out", to=target.to, table="released")

    assert target.tables() == before
    assert left(tmp_path) == ["people.csv"]


@on("duckdb", "postgres")
def test_a_table_without_manifest_is_taken_back(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = target.tables()

    def broken(*_: Path) -> None:
        raise OSError(5, "broken")

    monkeypatch.setattr("giveaway.publish.swap.Swap.move_folder", broken)
    with pytest.raises(ga.NotWritten, match="broken"):
        holding(planned(tmp_path)).publish(tmp_path / "out", to=target.to, table="released")

    assert target.tables() == before
    assert left(tmp_path) == ["people.csv"]


@on("duckdb", "postgres", "spark", "connect")
def test_a_table_with_other_rows_than_were_loaded_is_taken_back(
    target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = target.tables()
    kind = type(loader.destination(target.to, "released"))
    real, seen = kind.count_again, []

    def one_too_many(self: Any) -> int:
        seen.append(real(self))
        return seen[-1] + 1

    monkeypatch.setattr(kind, "count_again", one_too_many)
    with pytest.raises(ga.CheckFailed, match="holds 5 rows after it was committed, and 4 were loaded"):
        holding(planned(tmp_path)).publish(tmp_path / "out", to=target.to, table="released")

    assert seen == [4]
    assert target.tables() == before
    assert left(tmp_path) == ["people.csv"]


@on("duckdb", "postgres")
def test_trying_a_name_out_leaves_nothing(target: Target) -> None:
    before = target.tables()

    loader.destination(target.to, "released").check()

    assert target.tables() == before


# Forms ----------------------------------------------------------------------------------------------------

FORMS = {
    "baskets": ("a.dat", "a b\n\nb c\n", {}),
    "lists": ("a.jsonl", '["a", "b"]\n[]\n["b", "c"]\n', {}),
    "list column": ("a.jsonl", '{"x": ["a", "b"], "n": 1}\n{"x": [], "n": 2}\n{"x": ["b", "c"]}\n', {"item": "x", "publish_unjudged": ["n"]}),
    "long": ("a.csv", "who,what\nann,a\nann,b\nbob,\ncay,b\ncay,c\n", {"id": "who", "item": "what"}),
    "long json": ("a.jsonl", '{"who": "ann", "what": "a"}\n{"who": "bob", "what": "b"}\n', {"id": "who", "item": "what"}),
    "one-hot": ("a.csv", "a,b,c\n1,1,0\n0,0,0\n0,1,1\n", {}),
    "no header": ("a.csv", "ann,x,a\nann,y,b\nbob,z,a\n", {"id": "c1", "item": "c3", "publish_unjudged": ["c2"], "header": False}),
}  # fmt: skip


@on("duckdb", "postgres")
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_transactions_becomes_a_table(target: Target, form: str, tmp_path: Path) -> None:
    name, text, how = FORMS[form]
    (tmp_path / name).write_text(text)
    data = ga.read_transactions(tmp_path / name, **how)

    for renamed in (False, True):
        release = ga.Release(data, ga.Withheld(items=["c"] if "c" in data.labels else []), renamed=renamed)
        done = holding(release).publish(tmp_path / f"out{renamed}", to=target.to, table=f"t{int(renamed)}")
        assert [part.rows for part in done.written] == [len(data)]


def test_baskets_become_rows_of_a_transaction_and_an_item(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_text("a b\n\nb c\n")
    release = ga.Release(ga.read_transactions(tmp_path / "a.dat"), ga.Withheld(items=["c"]))

    key = tmp_path / "key.json"
    holding(release).publish(tmp_path / "out", to=f"duckdb:{tmp_path}/a.duckdb", table="t", key=key)

    original = [["a", "b"], [None], ["b"]]
    drawn = enumerate((original[place - 1] for place in drawn_rows(key)), start=1)
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        found = connection.table("t")
        assert found.columns == ["transaction", "item"]
        assert found.fetchall() == [(number, item) for number, items in drawn for item in items]


@EVERYWHERE
def test_the_rows_of_a_new_table_stand_in_the_drawn_order(target: Target, tmp_path: Path) -> None:
    table = ga.Table.from_rows([{"who": number, "age": number} for number in range(50)], id="who")
    key = tmp_path / "key.json"

    holding(ga.Release(table)).publish(tmp_path / "out", to=target.to, table="mixed_up", key=key)

    found = [age for (age,) in target.rows("mixed_up")]
    drawn = [place - 1 for place in drawn_rows(key)]
    assert sorted(found) == list(range(50)) != found
    assert found == drawn or isinstance(target, SparkTarget)  # which reads its parts in any order


TABLES = {
    "header": ("a.csv", "who,age,ill\nann, 30,yes\nbob,31.50,\n", {"id": "who", "sensitive": "ill"}),
    "no header": ("a.csv", "ann,30,yes\nbob,31,\n", {"id": "c1", "sensitive": "c3", "header": False}),
    "json": ("a.jsonl", '{"who": 1, "age": 1.50, "fit": true, "ill": "yes"}\n{"who": 2, "age": 2.5, "ill": null}\n', {"id": "who", "sensitive": "ill"}),
    "empty values": ("a.csv", "who,age,ill\nann,,yes\nbob,31,no\n", {"id": "who", "sensitive": "ill", "missing": ["?"]}),
    "quotes": ("a.csv", 'who;"a;""ge";ill\nann;"3\n0";"y\'es"\nbob;\\N;\n', {"id": "who", "sensitive": "ill", "separator": ";"}),
}  # fmt: skip


@on("duckdb", "postgres")
@pytest.mark.parametrize("form", TABLES)
def test_every_form_of_tables_becomes_a_table(target: Target, form: str, tmp_path: Path) -> None:
    name, text, how = TABLES[form]
    (tmp_path / name).write_text(text)
    release = ga.Release(ga.read_table(tmp_path / name, **how))

    done = holding(release).publish(tmp_path / "out", to=target.to, table="t")

    assert [part.rows for part in done.written] == [2]


def test_rows_made_by_hand_keep_truth_and_numbers(tmp_path: Path) -> None:
    rows = [{"fit": True, "n": 1, "x": 2**70, "y": 0.1}, {"fit": False, "n": 2, "x": 1, "y": 2.0}]

    holding(ga.Release(ga.Table.from_rows(rows), order="kept")).publish(
        tmp_path / "out", to=f"duckdb:{tmp_path}/a.duckdb", table="t"
    )

    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        assert connection.table("t").fetchall() == [(True, 1, str(2**70), 0.1), (False, 2, "1", 2.0)]


def test_rules_do_not_become_a_table(tmp_path: Path) -> None:
    table = ga.Table.from_rows([{"job": "cook", "ill": "yes"}], sensitive="ill")
    rules = ga.PublishedRules([ga.Rule({"job": "cook"}, "yes")], min_support=0, min_confidence=0)

    with pytest.raises(ga.ScenarioError, match="Rules are published as files"):
        holding(ga.Release(table, rules=rules)).publish(tmp_path / "out", to="duckdb:x.duckdb", table="t")


# What is refused ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "table", "said"),
    [
        (None, "people", "not where it is to be"),
        ("duckdb:x.duckdb", None, "not its name"),
        ("people.csv", "people", "not the address"),
        ("mysql://host/db", "people", "begins no address"),
        ("duckdb:x.duckdb", "a..b", "not the name of a table"),
        ("postgres://me:hunter2@host/db", "people", r"\*\*\*"),
    ],
)
def test_a_wrong_place_is_one_clear_error(
    to: str | None, table: str | None, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ga.ScenarioError, match=said) as caught:
        holding(planned(tmp_path)).publish(tmp_path / "out", to=to, table=table)

    assert "hunter2" not in str(caught.value)
    assert left(tmp_path) == ["people.csv"]


def test_a_new_duckdb_file_is_gone_when_nothing_came_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(loading_duckdb.DuckDBEngine):
        def run(self, *_: Any) -> Any:
            raise duckdb.IOException("IO Error: No space left on device: secret value")

    monkeypatch.setattr(loading_duckdb, "DuckDBEngine", Full)
    with pytest.raises(ga.NotWritten, match=r"could not be written .* \(IO\)") as caught:
        holding(planned(tmp_path)).publish(tmp_path / "out", to=f"duckdb:{tmp_path}/new.duckdb", table="t")

    assert "secret value" not in str(caught.value)
    assert left(tmp_path) == ["people.csv"]


@pytest.mark.engines
def test_names_that_postgresql_would_cut_are_refused(postgres: str, tmp_path: Path) -> None:
    with pytest.raises(ga.NotWritten, match="longer than the 63 bytes"):
        loader.destination(postgres, "x" * 64)
    release = ga.Release(ga.Table.from_rows([{"y" * 64: 1}]))
    with pytest.raises(ga.NotWritten, match="longer than the 63 bytes"):
        holding(release).publish(tmp_path / "out", to=postgres, table="t")
    assert left(tmp_path) == []


# Faults ---------------------------------------------------------------------------------------------------


@pytest.mark.engines
def test_a_connection_lost_while_loading_leaves_nothing(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    from giveaway.engines.loading import postgres as loading_postgres

    real = loading_postgres.PostgresLoader.add

    def cut(self: Any, batch: Any) -> None:
        real(self, batch)
        with psycopg.connect(postgres, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [self.connection.info.backend_pid])
        real(self, batch)

    monkeypatch.setattr(loading_postgres.PostgresLoader, "add", cut)
    with pytest.raises(ga.NotWritten, match=r"could not be written at postgresql"):
        holding(planned(tmp_path)).publish(tmp_path / "out", to=postgres, table="released")

    with psycopg.connect(postgres) as other:
        assert other.execute("SELECT to_regclass('released')").fetchone() == (None,)
    assert left(tmp_path) == ["people.csv"]


@pytest.mark.engines
def test_a_job_of_spark_that_is_killed_while_loading_leaves_nothing(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from giveaway.engines.loading.spark import SparkLoader

    before = SparkTarget(spark, spark).tables()
    loading_now, over = threading.Event(), threading.Event()

    def kill() -> None:
        loading_now.wait()
        while not over.wait(0.002):
            spark.sparkContext.cancelAllJobs()

    real = SparkLoader.add
    monkeypatch.setattr(SparkLoader, "add", lambda *given: (loading_now.set(), real(*given))[1])
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with pytest.raises(ga.NotWritten, match="could not be written at the Spark session"):
            holding(planned(tmp_path)).publish(tmp_path / "out", to=spark, table="released")
    finally:
        loading_now.set()
        over.set()
        killer.join()
    assert SparkTarget(spark, spark).tables() == before
    assert left(tmp_path) == ["people.csv"]


# The command line ----------------------------------------------------------------------------------------


def protect(folder: Path, *words: object) -> Result:
    (folder / "people.csv").write_text(ROWS)
    (folder / "people.toml").write_text(SCENARIO)
    (folder / "secrets.csv").write_text("who\nann\n")
    asked = ["protect", folder / "people.toml", "-o", folder / "out", *words]
    return CliRunner().invoke(app, list(map(str, asked)))


def test_protect_writes_a_table_and_says_so(tmp_path: Path) -> None:
    to = f"duckdb:{tmp_path}/a.duckdb"

    done = protect(tmp_path, "--to", to, "--table", "main.people")

    assert done.exit_code == 0
    assert f"Wrote the table main.people at {to} and {tmp_path}/out/manifest.json, and " in done.stdout
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        assert sorted(connection.table("people").fetchall(), key=str) == [
            ("30", None),
            ("31", "no"),
            ("31", "yes"),
            (None, "no"),
        ]
    again = protect(tmp_path, "--to", to, "--table", "main.people", "--force")
    assert again.exit_code == 2
    assert "exists at" in again.stderr


def test_the_reports_name_the_table(tmp_path: Path) -> None:
    page, public = tmp_path / "page.html", tmp_path / "public.html"

    done = protect(
        tmp_path, "--to", f"duckdb:{tmp_path}/a.duckdb", "--table", "people", "--html", page, "--public-html", public
    )  # fmt: skip

    assert done.exit_code == 0
    assert "table   4 rows" in page.read_text()
    assert "a.duckdb" not in public.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "duckdb:x.duckdb"], "not its name"),
        (["--table", "people"], "not where it is to be"),
        (["--to", "postgresql:///none?host=/nowhere", "--table", "people"], "could not be written"),
    ],
)
def test_a_wrong_place_is_told_before_any_work(words: list[str], said: str, tmp_path: Path) -> None:
    done = protect(tmp_path, *words)

    assert done.exit_code == 2
    assert said in done.stderr
    assert left(tmp_path) == ["people.csv", "people.toml", "secrets.csv"]


def test_a_duckdb_file_that_is_read_is_not_written_meanwhile(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE people AS SELECT range AS who, 'no' AS ill FROM range(9)")
    held = opened(address("duckdb:a.duckdb", tmp_path), table="people")

    with pytest.raises(ga.NotWritten, match="is being read"):
        loader.destination(f"duckdb:{tmp_path}/a.duckdb", "released").check()
    held.backend.close()
