"""Databases as data and as targets: without Arrow, by their own names, and never taken for what they are not."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner, Result

import giveaway as ga
from giveaway.cli.main import app
from giveaway.engines.loading import duckdb as loading_duckdb
from giveaway.engines.opening import opened
from giveaway.sources.address import address

ROWS = "who,age,ill\nann,30,yes\nbob,31,no\ncay,31,yes\ndan,,no\n"
TYPES = """
SELECT range AS who, (range % 3)::UTINYINT AS small, (range % 2)::HUGEINT AS long, (range % 2 = 0) AS truth,
       DATE '2020-01-01' + (range % 2)::INTEGER AS day, (range % 3 / 2)::DOUBLE AS real, 1.50::DECIMAL(5, 2) AS pay,
       CASE WHEN range % 4 < 2 THEN ' cook ' END AS job, ['a', 'b'] AS listed, 'no' AS ill
FROM range(12)
"""
SCENARIO = """\
[release]
data = "{data}"
{more}
kind = "table"
id = "who"
sensitive = "ill"
secrets = "secrets.csv"
{unjudged}

[tolerates]
attribute = "999/1000"

[[knows]]
attack = "attributes"
columns = {columns}
knows_method = false
"""
WITHOUT_ARROW = """
import sys
for name in ("pyarrow", "pandas", "polars", "ibis"):
    sys.modules[name] = None
from giveaway.cli import main
main()
"""


def scenario(
    folder: Path, data: str, *, more: str = "", columns: str = '["age"]', unjudged: str = ""
) -> Path:
    (folder / "people.csv").write_text(ROWS)
    (folder / "secrets.csv").write_text("who\n" + ("ann\n" if data == "people.csv" else "1\n"))
    file = folder / "people.toml"
    file.write_text(SCENARIO.format(data=data, more=more, columns=columns, unjudged=unjudged))
    return file


def of_types(folder: Path, *, as_query: bool = False) -> Path:
    with duckdb.connect(folder / "held.duckdb") as connection:
        connection.execute(f"CREATE TABLE people AS {TYPES}")
    return scenario(
        folder,
        "duckdb:held.duckdb",
        more='query = "SELECT * FROM people;"' if as_query else 'table = "people"',
        columns='["small", "long", "truth", "day", "real", "pay", "job"]',
        unjudged='publish_unjudged = ["listed"]',
    )


def command(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Without Arrow -----------------------------------------------------------------------------------------------------


def child(*words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_ARROW, *map(str, words)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("as_query", [False, True])
def test_the_core_install_judges_a_duckdb_table_like_a_whole_one(as_query: bool, tmp_path: Path) -> None:
    file = of_types(tmp_path, as_query=as_query)

    bare, whole = child("assess", file, "--json", "-"), command("assess", file, "--json", "-")

    assert bare.stderr == ""
    assert bare.returncode == whole.exit_code == 0
    ours, theirs = (json.loads(said.stdout) | {"seconds": 0} for said in (bare, whole))
    assert ours == theirs
    assert ours["findings"][0]["figures"]["records"] == 12


def test_the_core_install_protects_a_duckdb_table_and_makes_one(tmp_path: Path) -> None:
    file = of_types(tmp_path)

    to_files = child("protect", file, "-o", tmp_path / "files")
    to_table = child(
        "protect", file, "-o", tmp_path / "out", "--to", f"duckdb:{tmp_path}/new.duckdb", "--table", "r"
    )

    assert (to_files.returncode, to_files.stderr) == (to_table.returncode, to_table.stderr) == (0, "")
    held = f"SELECT * EXCLUDE (who, job, ill), 'cook' FROM ({TYPES}) WHERE job IS NOT NULL ORDER BY ALL"  # noqa: S608
    with duckdb.connect(tmp_path / "new.duckdb", read_only=True) as made:
        released = "SELECT * EXCLUDE (job, ill), trim(job) FROM {} WHERE job IS NOT NULL ORDER BY ALL"
        expected = made.execute(held).fetchall()
        assert made.execute(released.format("r")).fetchall() == expected
        assert made.execute(released.format(f"'{tmp_path}/files/release.parquet'")).fetchall() == expected
        assert made.execute("SELECT count(*), count(ill) FROM r").fetchall() == [(12, 11)]


FORMS = {
    "a.csv": ("who,age,ill\n1,30,yes\n2,,no\n", {"id": "who", "sensitive": "ill"}),
    "a.jsonl": (
        '{"who": 1, "x": 0.1, "y": true, "z": 7}\n{"who": 2, "x": 2.5, "y": null, "z": -1}\n',
        {"id": "who"},
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_any_release_becomes_a_duckdb_table_without_arrow(name: str, tmp_path: Path) -> None:
    text, how = FORMS[name]
    (tmp_path / name).write_text(text)
    work = f"""
import sys
sys.modules["pyarrow"] = None
import giveaway as ga
table = ga.read_table({str(tmp_path / name)!r}, **{how!r})
ga.Assessment(release=ga.Release(table), findings=(), effort=ga.Effort(), seconds=0).publish(
    {str(tmp_path / "out")!r}, to={f"duckdb:{tmp_path}/a.duckdb"!r}, table="t")
"""

    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, check=False)

    assert done.stderr == ""
    with duckdb.connect(tmp_path / "a.duckdb", read_only=True) as made:
        found = sorted(made.table("t").fetchall(), key=str)
    assert found == ([("30", "yes"), (None, "no")] if name == "a.csv" else [(0.1, True, 7), (2.5, None, -1)])


def test_baskets_in_duckdb_are_judged_and_protected_without_arrow(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "held.duckdb") as connection:
        connection.execute(
            "CREATE TABLE sales AS SELECT range // 2 AS basket, "
            "CASE WHEN range = 3 THEN 'caviar' ELSE ['bread', 'milk'][1 + (range % 2)::INT] END AS product FROM range(20)"
        )
    (tmp_path / "sales.toml").write_text(
        '[release]\ndata = "duckdb:held.duckdb"\ntable = "sales"\nkind = "transactions"\n'
        'id = "basket"\nitem = "product"\n[tolerates]\nidentity = "1/3"\n[[knows]]\nattack = "items"\nat_most = 2\n'
    )

    judged = child("assess", tmp_path / "sales.toml", "--json", "-")
    safer = child("protect", tmp_path / "sales.toml", "-o", tmp_path / "out")

    assert judged.returncode == 1
    assert json.loads(judged.stdout)["findings"][0]["figures"]["smallest_support"] == 1
    assert (safer.returncode, safer.stderr) == (0, "")
    released = ga.read_transactions(tmp_path / "out" / "release.parquet", id="basket", item="product")
    assert (len(released), sorted(released.labels)) == (10, ["bread", "milk"])


# What is a database ------------------------------------------------------------------------------------------------


def not_databases(folder: Path) -> dict[str, Path]:
    made = {name: folder / f"{name}.duckdb" for name in ("text", "empty", "pipe", "folder", "short")}
    made["text"].write_text(ROWS)
    made["empty"].touch()
    made["short"].write_bytes(b"\0" * 8 + b"DUC")
    os.mkfifo(made["pipe"])
    made["folder"].mkdir()
    return made


@pytest.mark.parametrize("name", ["text", "empty", "pipe", "folder", "short"])
def test_what_is_not_a_database_is_neither_read_nor_written(name: str, tmp_path: Path) -> None:
    place = not_databases(tmp_path)[name]
    before = place.read_bytes() if place.is_file() else None
    file = scenario(tmp_path, "people.csv")
    said = "is not a (regular file|DuckDB database)|is a (FIFO|folder).*, not a file"

    written = command("protect", file, "-o", tmp_path / "out", "--to", f"duckdb:{place}", "--table", "r")
    read = command(
        "assess", scenario(tmp_path, f"duckdb:{place.name}", more='table = "people"'), "--json", "-"
    )

    assert (written.exit_code, read.exit_code) == (2, 2)
    assert re.search(said, written.stderr)
    assert re.search(said, json.loads(read.stdout)["errors"][0])
    assert (place.read_bytes() if place.is_file() else None) == before
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob("*.wal"))


def planned() -> ga.Assessment:
    table = ga.Table.from_rows([{"who": number, "age": number % 7} for number in range(100)], id="who")
    return ga.Assessment(release=ga.Release(table), findings=(), effort=ga.Effort(), seconds=0)


def test_a_new_table_is_whole_in_its_file_alone(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE other AS SELECT 1 AS x")

    planned().publish(tmp_path / "out", to=f"duckdb:{tmp_path}/a.duckdb", table="r")

    assert left(tmp_path) == ["a.duckdb", "out", "out.owner.json"]
    shutil.copy(tmp_path / "a.duckdb", tmp_path / "alone.duckdb")
    with duckdb.connect(tmp_path / "alone.duckdb", read_only=True) as copied:
        assert copied.execute("SELECT count(*) FROM r").fetchall() == [(100,)]
        assert copied.execute("SELECT * FROM other").fetchall() == [(1,)]


@pytest.mark.parametrize("change", ["DELETE FROM r WHERE age = 0", "DROP TABLE r"])
def test_a_table_that_is_not_there_as_committed_is_not_called_written(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is counted again, by whoever opens the file anew."""
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE other AS SELECT 1 AS x")
    real = loading_duckdb.DuckDBLoader.give_out

    def spoiled(self: loading_duckdb.DuckDBLoader) -> None:
        self.connection.execute(change)
        real(self)

    monkeypatch.setattr(loading_duckdb.DuckDBLoader, "give_out", spoiled)
    with pytest.raises(ga.NotWritten) as raised:
        planned().publish(tmp_path / "out", to=f"duckdb:{tmp_path}/a.duckdb", table="r")

    if change.startswith("DELETE"):
        assert isinstance(raised.value, ga.CheckFailed)
        assert "holds 85 rows after it was committed, and 100 were loaded" in str(raised.value)
    assert left(tmp_path) == ["a.duckdb"]
    with duckdb.connect(tmp_path / "a.duckdb", read_only=True) as connection:
        assert connection.execute("SHOW TABLES").fetchall() == [("other",)]


def test_a_table_that_cannot_be_taken_back_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE other AS SELECT 1 AS x")

    def stuck(*_: Any) -> None:
        raise duckdb.IOException("IO Error: stuck")

    monkeypatch.setattr(loading_duckdb.DuckDBLoader, "count_again", lambda _: 1)
    monkeypatch.setattr(loading_duckdb.DuckDBLoader, "drop", stuck)
    with pytest.raises(
        ga.NotWritten, match=r"The table r stands at .* could not be taken back \(IO\)"
    ) as raised:
        planned().publish(tmp_path / "out", to=f"duckdb:{tmp_path}/a.duckdb", table="r")

    assert "nothing was left" not in str(raised.value)


@pytest.mark.parametrize("room", [0, 100_000])
def test_on_a_full_disk_the_database_stays_as_it_was(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import signal

    with duckdb.connect(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE other AS SELECT range AS x FROM range(1000)")
    real = loading_duckdb.DuckDBLoader.fill
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def full(self: loading_duckdb.DuckDBLoader, rows: Any) -> None:
        most = (tmp_path / "a.duckdb").stat().st_size + room
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
        real(self, rows)

    monkeypatch.setattr(loading_duckdb.DuckDBLoader, "fill", full)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with pytest.raises(ga.NotWritten, match="could not be written"):
            planned().publish(tmp_path / "out", to=f"duckdb:{tmp_path}/a.duckdb", table="r")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)

    assert left(tmp_path) == ["a.duckdb"]
    with duckdb.connect(tmp_path / "a.duckdb", read_only=True) as connection:
        assert connection.execute("SHOW TABLES").fetchall() == [("other",)]
        assert connection.execute("SELECT count(*) FROM other").fetchall() == [(1000,)]


# Names -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A database with a table, a view and a schema, beside a file of the same form."""
    for name in ("outside", "outside.csv"):
        (tmp_path / name).write_text("who,ill\n1,hush\n")
    with duckdb.connect(tmp_path / "d.duckdb") as connection:
        connection.execute("CREATE TABLE people AS SELECT 1 AS who, 'no' AS ill")
        connection.execute("CREATE VIEW seen AS SELECT * FROM people")
        connection.execute("CREATE SCHEMA care")
        connection.execute("CREATE TABLE care.\"Odd name\" AS SELECT 2 AS who, 'yes' AS ill")
        connection.execute(f"CREATE VIEW beyond AS SELECT * FROM read_csv('{tmp_path}/outside.csv')")  # noqa: S608
    monkeypatch.chdir(tmp_path)
    return address("duckdb:d.duckdb", tmp_path)


people_here = {"who": [1], "ill": ["hush"]}


@pytest.mark.parametrize(
    "name",
    ["outside.csv", "outside", "people_here", "nowhere", "main.outside.csv", "duckdb_tables", "people; x"],
)
def test_a_name_is_that_of_a_table_or_of_nothing(held: Any, name: str) -> None:
    with pytest.raises(ga.DataError, match="cannot answer: it has no table or view") as raised:
        opened(held, table=name)

    assert "care.Odd name, beyond, people, seen" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "rows"), [("people", 1), ("PEOPLE", 1), ("main.seen", 1), ("care.Odd name", 1)]
)
def test_tables_and_views_are_found_by_their_names(held: Any, name: str, rows: int) -> None:
    found = opened(held, table=name)

    assert found.columns == ("who", "ill")
    assert found.backend.fingerprint(found.frame).startswith(f"{rows}:")
    found.backend.close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM 'outside.csv'",
        'SELECT * FROM "outside.csv"',
        "SELECT * FROM read_csv('outside.csv')",
        "SELECT content AS who FROM read_text('outside.csv')",
        "SELECT * FROM glob('*')",
        "SELECT * FROM people_here",
        "SELECT * FROM beyond",
        "SELECT 1 AS who; SELECT 2",
        "SELECT * FROM people); SET enable_external_access = true; SELECT * FROM (SELECT 1",
    ],
)
def test_a_query_reads_the_database_and_nothing_else(held: Any, query: str) -> None:
    with pytest.raises(ga.DataError, match="cannot answer") as raised:
        opened(held, query=query)

    assert "hush" not in str(raised.value)


@pytest.mark.parametrize("end", [";", " ; \n", ";;", "-- all", ""])
def test_a_query_may_end_as_queries_do(held: Any, end: str) -> None:
    found = opened(held, query=f"SELECT who FROM people{end}")  # noqa: S608

    assert found.columns == ("who",)
    found.backend.close()
