"""Releases that become a table or the parts of one, judged with earlier ones."""

from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.checker.together.writing import csv, run, written

import giveaway as ga
from giveaway.sources.engines import writing as engines

PEOPLE = [f"{at},{30 + at % 2},{'cook' if at % 4 < 2 else 'smith'}" for at in range(16)]
SCENARIO = """
[release]
data = "{data}"
id = "who"
leave_out = ["{without}"]
{earlier}
[tolerates]
identity = "1/4"
[[knows]]
attack = "directory"
columns = ["age", "job"]
knows_method = false
"""
EARLIER = '[[earlier]]\nrelease = "2025"\nlinked = "rows"\nledger = "ledger.json"\n'


@pytest.fixture
def then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ages of last year, of sixteen people."""
    monkeypatch.chdir(tmp_path)
    csv(tmp_path, "people.csv", "who,age,job", PEOPLE)
    first = SCENARIO.format(data="people.csv", without="job", earlier="").replace(', "job"]', "]")
    return written(first, "2025", "--ledger", "ledger.json")


def stored(**how: Any) -> str:
    with duckdb.connect("people.duckdb") as connection:
        connection.execute("CREATE TABLE people AS SELECT * FROM read_csv('people.csv', all_varchar = true)")
    return SCENARIO.format(data="duckdb:people.duckdb", **how).replace("[release]", '[release]\ntable = "people"')


def test_a_release_that_becomes_a_table_is_confirmed(then: Path) -> None:
    said = SCENARIO.format(data="people.csv", without="age", earlier=EARLIER)
    written(said, "2026", "--to", "duckdb:out.duckdb", "--table", "jobs", "--ledger", "ledger.json")
    with duckdb.connect("out.duckdb") as connection:
        assert connection.execute("SELECT count(*) FROM jobs").fetchall() == [(16,)]
    Path("strict.toml").write_text(said.replace("1/4", "1/5"))
    refused = run("protect", "strict.toml", "-o", "strict", "--to", "duckdb:strict.duckdb", "--table", "jobs")
    assert refused.exit_code == 1


def test_a_release_of_a_database_in_parts_is_confirmed(then: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_MOST_ROWS", 5)
    out = written(stored(without="age", earlier=EARLIER), "2026")
    assert len([*(out / "release").iterdir()]) == 4


def test_earlier_releases_in_parts_are_read_again(then: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_MOST_ROWS", 5)
    first = stored(without="job", earlier="").replace(', "job"]', "]")
    written(first, "parts", "--ledger", "ledger.json")
    said = SCENARIO.format(data="people.csv", without="age", earlier=EARLIER.replace("2025", "parts"))
    written(said, "2026")
