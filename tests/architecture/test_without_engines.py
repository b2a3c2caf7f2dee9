"""What talks to databases and clusters is a guest: where it is absent, only what needs it is refused, in one sentence."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from typer.testing import CliRunner

import giveaway as ga
from giveaway import guests
from giveaway.cli.main import app
from giveaway.sources.counted_table import counted_table
from giveaway.sources.side_files.people import read_people

ROWS = pl.DataFrame({"who": ["a", "b", "c"], "age": ["30", "30", "40"], "ill": ["no", "no", "yes"]})
ABSENT = {
    "not registered": [],
    "registered, and gone": [EntryPoint("engines", "giveaway.gone:ENGINES", "giveaway.engines")],
}
REFUSED = (
    r"needs what talks to databases and clusters, which is not installed\. It has: files, .* Hint: install"
)


@pytest.fixture(autouse=True, params=ABSENT)
def absent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide the guest, and have a database that only it could read."""
    points = EntryPoints(ABSENT[request.param])
    monkeypatch.setattr(guests, "entry_points", points.select)
    monkeypatch.chdir(tmp_path)
    rows = ROWS
    with duckdb.connect("held.duckdb") as held:
        held.execute("CREATE TABLE people AS SELECT * FROM rows")
    rows.write_csv("people.csv")


def held_by(module: str, name: str) -> Any:
    """Make an object as an engine would have it."""
    return type(name, (), {"__module__": module, "get_backend": None})()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (lambda: ga.read_table("duckdb:held.duckdb", table="people", id="who"), "duckdb:held.duckdb"),
        (lambda: ga.read_table("postgres://host/db", table="people", id="who"), "postgres://host/db"),
        (lambda: ga.read_transactions("sc://host:1", table="sold", id="t", item="i"), "sc://host:1"),
        (lambda: ga.look("duckdb:held.duckdb", table="people"), "duckdb:held.duckdb"),
        (lambda: counted_table("duckdb:held.duckdb", table="people"), "duckdb:held.duckdb"),
        (lambda: ga.Table.from_frame(held_by("pyspark.sql.classic.dataframe", "DataFrame")), "DataFrame of"),
        (lambda: ga.Transactions.from_frame(held_by("ibis.expr.types.relations", "Table")), "Table of ibis"),
        (lambda: read_people(held_by("ibis.expr.types.relations", "Table"), id="who"), "Table of ibis"),
    ],
)
def test_what_needs_it_is_refused(asked: Callable[[], object], told: str) -> None:
    with pytest.raises(ga.NotInstalled, match=REFUSED) as raised:
        asked()

    assert str(raised.value).startswith(told)


def test_a_password_in_an_address_is_refused_first() -> None:
    with pytest.raises(ga.ScenarioError, match="holds a password") as raised:
        ga.read_table("postgres://ann:hush@host/db", table="people")

    assert "hush" not in str(raised.value)


@pytest.mark.parametrize("command", ["assess", "protect"])
def test_a_command_tells_it_in_one_sentence(command: str) -> None:
    words = [] if command == "assess" else ["-o", "out"]
    where = ["--set", "release.table=people", "--set", "release.id=who", "--tolerates", "identity=1/2"]
    run = CliRunner().invoke(
        app, [command, "duckdb:held.duckdb", "--knows", "directory:columns=age", *where, *words]
    )

    assert run.exit_code == 2
    assert run.output.count("which is not installed") == 1
    assert "Traceback" not in run.output
    assert not Path("out").exists()


def test_a_release_becomes_no_table() -> None:
    release = ga.Release(ga.read_table("people.csv", id="who", sensitive="ill"))
    safe = ga.protect(release, ga.KnowsDirectory(columns=["age"]), ga.Tolerance(identity="1/2"))

    with pytest.raises(ga.NotInstalled, match=f"A new table {REFUSED}"):
        safe.publish("out", to="duckdb:new.duckdb", table="people")

    assert not Path("out").exists()
    assert not Path("new.duckdb").exists()


def test_everything_else_is_read() -> None:
    table = ga.read_table("people.csv", id="who")

    assert len(ga.Table.from_frame(ROWS, id="who")) == len(table) == len(ROWS)
    assert ga.look("people.csv").rows == len(ROWS)
    with duckdb.connect("held.duckdb") as held:
        relation = held.table("people")
        assert len(ga.Table.from_frame(relation, id="who")) == len(ROWS)
        assert len(counted_table(relation, ["age"])) == len(ROWS)
        assert sum(read_people(relation, columns=["age"]).alone) == len(ROWS)


def test_files_are_judged_without_it() -> None:
    script = (
        "import sys; sys.modules['giveaway.engines'] = None\n"
        "import giveaway as ga\n"
        "release = ga.Release(ga.read_table('people.csv', id='who', sensitive='ill'))\n"
        "ga.protect(release, ga.KnowsDirectory(columns=['age']), ga.Tolerance(identity='1/2')).publish('out')\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)

    assert Path("out", "manifest.json").exists()


def test_a_guest_that_is_there_and_lacks_something_is_not_taken_for_absent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "lacking.py").write_text("import nothing_of_this_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    points = EntryPoints([EntryPoint("engines", "lacking:ENGINES", "giveaway.engines")])
    monkeypatch.setattr(guests, "entry_points", points.select)
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        guests.brought("engines", "engines")
