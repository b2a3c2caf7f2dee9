"""A run that is killed while it writes a table of PostgreSQL leaves none in part, and the next run finishes or undoes it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.sizes import first

import giveaway as ga
from giveaway.engines.loading.postgres import PostgresLoader
from giveaway.sources.address import address

PEOPLE = "who,age\n" + "".join(f"p{i},{20 + i % 3}\n" for i in range(12))
KILLED = """
import os, signal, sys
from giveaway.cli import main
from giveaway.engines.loading.postgres import PostgresLoader

right = getattr(PostgresLoader, {method!r})

def killed(self, *given):
    if {after}:
        right(self, *given)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(PostgresLoader, {method!r}, killed)
main()
"""


def run(
    folder: Path, place: str, table: str, method: str = "open", *, after: bool = False, kill: bool = True
) -> int:
    code = KILLED.format(method=method, after=after) if kill else "from giveaway.cli import main; main()"
    words = ["protect", "people.csv", "--knows", "directory:on=age", "--tolerates", "identity=1/3"]
    words += ["--set", "release.id=who", "-o", "out", "--to", place, "--table", table]
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=folder, capture_output=True, check=False)
    return done.returncode


@pytest.mark.parametrize(
    ("method", "after"),
    first(1, [("create", True), ("add", False), ("add", True), ("give_out", False), ("give_out", True)]),
)
def test_a_killed_run_leaves_no_table_in_part(
    tmp_path: Path, postgres: str, method: str, after: bool
) -> None:
    import psycopg

    table = f"killed_{method}_{after}".lower()
    (tmp_path / "people.csv").write_text(PEOPLE)
    assert run(tmp_path, postgres, table, method, after=after) == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    whole = method == "give_out" and after
    with psycopg.connect(postgres, autocommit=True) as connection:
        stands = "SELECT count(*) FROM pg_tables WHERE tablename = %s"
        assert connection.execute(stands, [table]).fetchone() == (int(whole),)
        again = run(tmp_path, postgres, table, kill=False)
        assert again == (2 if whole else 0)  # what was finished is not written once more
        assert connection.execute(f'SELECT count(*) FROM "{table}"').fetchone() == (12,)  # noqa: S608 # our own
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["manifest.json"]
    assert [path.name for path in tmp_path.iterdir() if "giveaway" in path.name] == []


def test_a_password_is_for_one_address_and_stands_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    driver = SimpleNamespace(connect=lambda *at, **how: asked.append((*at, how["password"])), Error=OSError)
    monkeypatch.setitem(sys.modules, "psycopg", driver)
    ga.unlock("postgres://ann@here/db", "tulip")
    for text in ("postgres://ann@here/db", "postgres://ann@there/db"):
        place = address(text, Path())
        assert place is not None
        PostgresLoader(place, "people").open()
    assert asked == [("postgres://ann@here/db", "tulip"), ("postgres://ann@there/db", None)]
    assert "tulip" not in str(os.environ)
