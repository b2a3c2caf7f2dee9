"""What stops halfway leaves nothing and does not hang, and what was edited by hand is refused in one sentence."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import duckdb
import pytest

import giveaway as ga
from giveaway.errors import BudgetExceeded
from giveaway.model.progress import limited, stop_after
from giveaway.sources.files import duckdb as engines

PEOPLE = "who,age\n" + "".join(f"p{i},{20 + i % 3}\n" for i in range(12))
ABOUT = ("--knows", "directory:on=age", "--tolerates", "identity=1/3", "--set", "release.id=who")
STOPPED = """
import os, pathlib, signal, sys
from giveaway.cli import main
made = pathlib.Path.mkdir
def mkdir(self, *given, **how):
    made(self, *given, **how)
    if "scratch" in self.name:
        os.kill(os.getpid(), signal.SIGTERM)
pathlib.Path.mkdir = mkdir
main()
"""


def protect(folder: Path, *more: str, code: str = "from giveaway.cli import main; main()") -> Any:
    return subprocess.run(
        [sys.executable, "-c", code, "protect", "people.csv", *ABOUT, "-o", "out", *more],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "people.csv").write_text(PEOPLE)
    return tmp_path


def test_a_signal_just_after_a_scratch_folder_is_made_leaves_none(folder: Path) -> None:
    done = protect(folder, code=STOPPED)
    assert (done.returncode, "Stopped." in done.stderr) == (2, True)
    assert list((folder / "tmp").iterdir()) == []


@pytest.mark.engines
def test_a_database_that_could_not_be_begun_is_gone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ga.read_table(folder / "people.csv", id="who")
    made = ga.protect(ga.Release(table), ga.KnowsDirectory(columns=["age"]), ga.Tolerance(identity="1/3"))
    to, connect = folder / "new.duckdb", duckdb.connect

    def full(file: Any, **how: Any) -> Any:
        if Path(file) != to:
            return connect(file, **how)
        to.write_bytes(b"\0" * 8192)
        raise duckdb.IOException("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(duckdb, "connect", full)
        with pytest.raises(ga.NotWritten, match="could not be written"):
            made.publish(folder / "out", to=f"duckdb:{to}", table="people")
    assert not to.exists()
    made.publish(folder / "out", to=f"duckdb:{to}", table="people")


def test_a_query_that_hears_nothing_is_left_when_its_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Deaf:
        def query_progress(self) -> float:
            return -1

        def interrupt(self) -> None:
            asked.set()

    asked, ended = threading.Event(), threading.Event()
    monkeypatch.setattr(engines, "_PATIENCE", 0.01)
    engine = engines.DuckDBEngine(Deaf(), tmp_path)  # type: ignore[arg-type] # what is asked of a connection here
    with limited():
        stop_after(0.05)
        with pytest.raises(BudgetExceeded):
            engine._watched(ended.wait)
    assert asked.is_set()
    ended.set()


def test_an_edited_owners_file_is_refused_and_stays(folder: Path) -> None:
    assert protect(folder, "--key", "own.json").returncode == 0
    written = (folder / "own.json").read_text()
    for edit in ("a section", "a list", "twice the same", "codes"):
        told = json.loads(written)
        entry = told["releases"][0]
        if edit == "codes":
            entry["codes"] = {"3": ["x"]}
        else:
            rows = {"a section": {"a": 1}, "a list": [[]], "twice the same": entry["rows"][1]}
            entry["rows"][0] = rows[edit]
        (folder / "own.json").write_text(json.dumps(told))
        before = (folder / "own.json").read_bytes()
        done = protect(folder, "--key", "own.json", "--force")
        assert done.returncode == 2, edit
        assert "has an entry that giveaway does not write" in done.stderr
        assert (folder / "own.json").read_bytes() == before


def test_a_name_that_is_not_utf_8_is_refused_in_one_sentence(folder: Path) -> None:
    os.rename(folder / "people.csv", os.fsencode(folder) + b"/people.csv\xff.csv")  # noqa: PTH104 # no text
    (folder / "people.csv").symlink_to(os.fsdecode(b"people.csv\xff.csv"))
    done = subprocess.run(
        [sys.executable, "-m", "giveaway", "assess", b"people.csv\xff.csv", *ABOUT],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"is not UTF-8 text" in done.stderr
    assert b"giveaway failed" not in done.stderr


@pytest.mark.parametrize("columns", ['columns = ["age"]', ""])
def test_likelihood_without_another_column_is_refused_in_one_sentence(folder: Path, columns: str) -> None:
    (folder / "register.csv").write_text("x\n1\n2\n")
    text = (
        '[release]\ndata = "people.csv"\nid = "who"\n[tolerates]\nidentity = "1/3"\n[[knows]]\nattack = "directory"\n'
        f'people = "register.csv"\nlikelihood = "x"\nknows_method = false\n{columns}\n'
    )
    with pytest.raises(ga.GiveawayError):
        ga.Scenario.from_text(text, folder).assess()
