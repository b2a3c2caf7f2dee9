"""A first look at a table in a database: what a look at the same rows in a file finds."""

import csv
from pathlib import Path

import duckdb
import pytest

import giveaway as ga
from giveaway.sources import Look

ROWS = {
    "patients": "id,age,town,illness\n"
    + "".join(
        f"p{n},{20 + n % 50},{'north' if n % 3 else 'NA'},{'flu' if n % 7 else 'gout'}\n" for n in range(60)
    ),
    "sales": "customer,product\n" + "".join(f"c{n // 3},{'abc'[n % 3]}{n % 5}\n" for n in range(60)),
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with two files and a database of the same rows."""
    with duckdb.connect(str(tmp_path / "all.duckdb")) as database:
        for name, text in ROWS.items():
            file = tmp_path / f"{name}.csv"
            file.write_text(text)
            database.execute(f"CREATE TABLE {name} AS FROM read_csv('{file}', all_varchar = true)")
    return tmp_path


def same(there: Look, here: Look) -> None:
    assert there.columns == here.columns
    assert (there.rows, there.shape, there.kind) == (here.rows, here.shape, here.kind)
    assert (there.items, there.frequent, there.ids) == (here.items, here.frequent, here.ids)
    assert there.missing == here.missing


@pytest.mark.parametrize("name", ROWS)
def test_duckdb_looks_like_the_file(files: Path, name: str) -> None:
    same(ga.look(f"duckdb:{files / 'all.duckdb'}", table=name), ga.look(files / f"{name}.csv"))


@pytest.mark.parametrize("name", ROWS)
def test_postgres_looks_like_the_file(files: Path, name: str, postgres: str) -> None:
    import psycopg

    head, *rows = csv.reader(ROWS[name].splitlines())
    with psycopg.connect(postgres) as database:
        database.execute(f"DROP TABLE IF EXISTS looked_{name}")
        database.execute(f"CREATE TABLE looked_{name} ({', '.join(f'{column} text' for column in head)})")
        with database.cursor() as cursor:
            values = ", ".join(["%s"] * len(head))
            cursor.executemany(f"INSERT INTO looked_{name} VALUES ({values})", rows)  # noqa: S608 # our own  # noqa: S608
    same(ga.look(postgres, table=f"looked_{name}"), ga.look(files / f"{name}.csv"))


@pytest.mark.parametrize(("name", "kind"), [("patients", "table"), ("sales", "transactions")])
def test_a_proposed_question_can_be_asked(files: Path, name: str, kind: str) -> None:
    address = f"duckdb:{files / 'all.duckdb'}"
    scenario = ga.Scenario.from_text(ga.propose(address, table=name), files)
    assert isinstance(scenario.release.original, ga.Table) == (kind == "table")
    assert scenario.assess().verdict in ("safe", "at risk")
