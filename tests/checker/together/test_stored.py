"""Releases that become a table or the parts of one, judged with earlier ones."""

from pathlib import Path

import duckdb
import pytest
from tests.checker.together.writing import csv, judged, run, written

import giveaway as ga

pytestmark = pytest.mark.engines

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


def in_database() -> str:
    """Put the people into a database, and say where they are."""
    with duckdb.connect("people.duckdb") as connection:
        connection.execute("CREATE TABLE people AS SELECT * FROM read_csv('people.csv', all_varchar = true)")
    return "duckdb:people.duckdb"


def test_a_release_that_becomes_a_table_is_confirmed(then: Path) -> None:
    said = SCENARIO.format(data="people.csv", without="age", earlier=EARLIER)
    written(said, "2026", "--to", "duckdb:out.duckdb", "--table", "jobs", "--ledger", "ledger.json")
    with duckdb.connect("out.duckdb") as connection:
        assert connection.execute("SELECT count(*) FROM jobs").fetchall() == [(16,)]
    Path("strict.toml").write_text(said.replace("1/4", "1/5"))
    refused = run("protect", "strict.toml", "-o", "strict", "--to", "duckdb:strict.duckdb", "--table", "jobs")
    assert refused.exit_code == 1


def test_transactions_that_become_a_table_are_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"{at},{'c' if at % 4 < 2 else 'd'}" for at in range(8)]
    csv(tmp_path, "now.csv", "who,what", lines)
    scenario = """
[release]
data = "now.csv"
id = "who"
item = "what"
[tolerates]
identity = "1/2"
[[knows]]
attack = "items"
at_most = 2
"""
    long = [f"{at},{'a' if at < 4 else 'b'}" for at in range(8)]
    csv(tmp_path, "then.csv", "who,what", long)
    said = scenario.replace("[tolerates]", '[[earlier]]\nrelease = "then.csv"\nlinked = "rows"\n[tolerates]')
    written(said, "2026", "--to", "duckdb:out.duckdb", "--table", "baskets")
    Path("strict.toml").write_text(said.replace("1/2", "1/3"))
    refused = run("protect", "strict.toml", "-o", "strict", "--to", "duckdb:strict.duckdb", "--table", "x")
    assert refused.exit_code == 1


def jobs(folder: Path) -> ga.Release:
    """The people of a database without their ages, which were given away in the order of their names."""
    table = ga.read_table(in_database(), table="people", id="who", leave_out=["age"])
    order = sorted(range(16))
    ages = csv(folder, "ages.csv", "age", [PEOPLE[at].split(",")[1] for at in order])
    place = {str(name): at for at, name in enumerate(table.ids, 1)}
    rows = [place[str(at)] for at in order]
    one = ga.Earlier(ga.read_table(ages), name="2025", linked="rows", rows=rows, file=ages)
    return ga.Release(table, earlier=[one])


def test_a_release_in_parts_is_confirmed(then: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.engines.writing._MOST_ROWS", 5)
    release, attacker = jobs(tmp_path), ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    judged(release, tmp_path, attacker, identity="1/4")
    assert len([*(tmp_path / "out" / "release").iterdir()]) == 4
    (tmp_path / "more").mkdir()
    with pytest.raises(ga.CheckFailed, match="Together with 2025, release breaks the promise"):
        judged(release, tmp_path / "more", attacker, identity="1/5")


def test_earlier_releases_in_parts_are_read_again(then: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giveaway.engines.writing._MOST_ROWS", 5)
    first = SCENARIO.format(data=in_database(), without="job", earlier="").replace(', "job"]', "]")
    parts = written(
        first.replace("[release]", '[release]\ntable = "people"'), "parts", "--ledger", "parts.json"
    )
    assert len([*(parts / "release").iterdir()]) == 4
    said = SCENARIO.format(
        data="people.csv",
        without="age",
        earlier=EARLIER.replace("2025", "parts").replace("ledger.json", "parts.json"),
    )
    written(said, "2026")
    Path("strict.toml").write_text(said.replace("1/4", "1/5"))
    assert run("protect", "strict.toml", "-o", "strict").exit_code == 1
    again = run("protect", "2026.toml", "-o", "parts", "--force")
    assert (again.exit_code, "is read by this command" in again.output) == (2, True)
    max((parts / "release").iterdir()).unlink()
    assert run("protect", "2026.toml", "-o", "lacks").exit_code == 2
