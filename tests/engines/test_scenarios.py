"""Scenarios whose data are at an address, from the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner, Result

from giveaway.cli.main import app

PEOPLE = """\
[release]
data = "{where}"
{what}
id = "who"
sensitive = "ill"

[tolerates]
identity = "1/2"

[[knows]]
attack = "directory"
on = ["job", "town"]
"""
BASKETS = """\
[release]
data = "{where}"
{what}
id = "who"
item = "job"
private = ["cook"]

[tolerates]
identity = "1/3"

[[knows]]
attack = "items"
at_most = 2
"""
ROWS = [("b", "cook", "Ayr", "no"), ("a", "cook", "Ayr", "yes"), ("c", "nurse", "Ayr", "no")]

Assess = Callable[..., Result]


@pytest.fixture
def assess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Assess:
    """Judge a scenario whose file lies in a folder of its own, from another folder."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "people.csv").write_text("who,job,town,ill\n")
    monkeypatch.chdir(tmp_path)

    def judged(where: str, what: str, scenario: str = PEOPLE) -> Result:
        (tmp_path / "here" / "scenario.toml").write_text(scenario.format(where=where, what=what))
        return CliRunner().invoke(app, ["assess", "here/scenario.toml", "--json", "-"])

    return judged


@pytest.fixture
def in_duckdb(assess: Assess, tmp_path: Path) -> str:
    with duckdb.connect(tmp_path / "here" / "held.duckdb") as connection:
        connection.execute("CREATE TABLE people (who text, job text, town text, ill text)")
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", ROWS)
    return "duckdb:held.duckdb"


@pytest.fixture(scope="session")
def in_postgres(postgres: str) -> str:
    import psycopg

    with psycopg.connect(postgres) as connection:
        connection.execute("CREATE TABLE people (who text, job text, town text, ill text)")
        connection.cursor().executemany("INSERT INTO people VALUES (%s, %s, %s, %s)", ROWS)
    return postgres


@pytest.fixture(scope="session")
def in_spark(spark: Any, spark_address: str) -> str:
    made = spark.createDataFrame(ROWS, "who string, job string, town string, ill string")
    made.write.mode("overwrite").saveAsTable("people")
    return spark_address


@pytest.mark.parametrize(
    "place", ["in_duckdb", *(pytest.param(x, marks=pytest.mark.engines) for x in ("in_postgres", "in_spark"))]
)
def test_the_verdict(place: str, assess: Assess, request: pytest.FixtureRequest) -> None:
    where = request.getfixturevalue(place)

    done = assess(where, 'table = "people"')

    assert done.exit_code == 1, done.output
    summary = json.loads(done.stdout)
    assert summary["verdict"] == "at risk"
    columns = summary["data"].pop("variables")
    assert {one["column"] for one in columns} == {"who", "job", "town", "ill"}
    assert summary["data"] == {
        "kind": "table",
        "rows": 3,
        "columns": 3,
        "unjudged": 0,
        "sha256": None,
        "name": f"{where} people",
    }
    assert [exposure["target"] for exposure in summary["findings"][0]["exposures"]] == ["c", "a", "b"]


def test_a_query(assess: Assess, in_duckdb: str) -> None:
    """A query is as good as a table, for transactions too, whose kind needs not be said."""
    table = assess(in_duckdb, "query = \"SELECT * FROM people WHERE town = 'Ayr'\"")
    baskets = assess(in_duckdb, 'query = "SELECT who, job FROM people"', BASKETS)

    assert json.loads(table.stdout)["data"]["name"] == "duckdb:held.duckdb query"
    assert json.loads(baskets.stdout)["data"]["kind"] == "transactions"
    assert json.loads(baskets.stdout)["data"]["rows"] == 3


@pytest.mark.parametrize(
    ("where", "what", "said"),
    [
        ("postgres://ann:hush@host/db", 'table = "people"', "postgres://ann:***@host/db holds a password"),
        ("sc://host/;token=hush", 'table = "people"', "token=*** holds a password or token"),
        ("mysql://ann:hush@host/db", 'table = "people"', "mysql: begins no address"),
        ("duckdb:held.duckdb", "", "needs either table or query"),
        ("duckdb:held.duckdb", 'table = "people"\nquery = "SELECT 1"', "needs either table or query"),
        (
            "duckdb:held.duckdb",
            'table = "persons"',
            'duckdb:held.duckdb cannot answer: it has no table or view "persons"',
        ),
        ("duckdb:none.duckdb", 'table = "people"', 'There is no file "here/none.duckdb"'),
        ("people.csv", 'table = "people"', "table belongs to an address"),
    ],
)
@pytest.mark.usefixtures("in_duckdb")
def test_mistakes(assess: Assess, where: str, what: str, said: str) -> None:
    """Whatever is wrong is one clear error, exit status 2, and no password is told."""
    done = assess(where, what)

    assert done.exit_code == 2
    assert said in " ".join(json.loads(done.stdout)["errors"])
    assert "hush" not in done.output


@pytest.mark.parametrize("ending", ["", ".toml"])
@pytest.mark.parametrize("command", ["assess", "init"])
def test_an_address_instead_of_a_scenario(command: str, ending: str) -> None:
    """A password that stands where a file is expected is not told either."""
    done = CliRunner().invoke(app, [command, f"postgres://ann:hush@host/db{ending}"])

    assert done.exit_code == 2
    assert "hush" not in done.output


def test_supports_are_read_from_files(assess: Assess, in_duckdb: str) -> None:
    scenario = """\
[release]
data = "{where}"
{what}
kind = "supports"
transactions = 3

[tolerates]
average = 0.1

[[knows]]
attack = "frequencies"
"""

    done = assess(in_duckdb, 'table = "people"', scenario)

    assert done.exit_code == 2
    assert (
        "Supports are read from a file, not from duckdb:held.duckdb." in json.loads(done.stdout)["errors"][0]
    )


def test_id_is_needed(assess: Assess, in_duckdb: str) -> None:
    done = assess(in_duckdb, 'table = "people"', PEOPLE.replace('id = "who"\n', ""))

    assert done.exit_code == 2
    assert "duckdb:held.duckdb people needs id" in json.loads(done.stdout)["errors"][0]


def test_a_missing_library_is_told(assess: Assess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.engines.connections.working.find_spec", {"pyarrow": True}.get)

    done = assess("postgres://host/db", 'table = "people"')

    assert done.exit_code == 2
    assert (
        'needs ibis, which is not installed. Hint: pip install "giveaway[warehouse]".'
        in done.output.replace("\\", "")
    )
