"""A command line to test: run in its own process, in an empty folder."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from giveaway.cli.main import app

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Invoke = Callable[..., Result]

BASKETS = """\
bread milk
bread milk jam
bread milk jam insulin
bread milk
bread jam
bread milk
milk jam
milk bread rare insulin

bread
"""

SCENARIO = """\
[release]
data = "baskets.dat"
private = ["insulin"]

[tolerates]
identity = "1/2"
attribute = "1/2"

[[knows]]
attack = "items"
at_most = 2
"""


@pytest.fixture(scope="session")
def forking() -> Iterator["subprocess.Popen[str]"]:
    """A process of which commands are children, so that each need not load the program anew."""
    program = [sys.executable, str(Path(__file__).with_name("forking.py"))]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()  # by which it ends


@pytest.fixture
def run(tmp_path: Path, forking: "subprocess.Popen[str]", tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run giveaway with some words; the folder holds baskets.dat and shop.toml."""
    (tmp_path / "baskets.dat").write_text(BASKETS)
    (tmp_path / "shop.toml").write_text(SCENARIO)
    said = tmp_path_factory.mktemp("said")

    def command(*words: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        out, err = said / "out", said / "err"
        request = {
            "words": words,
            "folder": str(tmp_path),
            "environment": os.environ | {"COLUMNS": "80"} | settings,
            "out": str(out),
            "err": str(err),
        }
        assert forking.stdin is not None
        assert forking.stdout is not None
        print(json.dumps(request), file=forking.stdin, flush=True)
        status = int(forking.stdout.readline())
        done = subprocess.CompletedProcess(words, status, out.read_text(), err.read_text())
        out.unlink()
        err.unlink()
        return done

    return command


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Invoke]:
    """Run giveaway with some words in this process, which is quicker; the folder is empty."""
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)
    yield lambda *words: CliRunner().invoke(app, list(words))
    signal.signal(signal.SIGTERM, before)
