"""A command line to test: run in its own process, in an empty folder."""

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


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run giveaway with some words; the folder holds baskets.dat and shop.toml."""
    (tmp_path / "baskets.dat").write_text(BASKETS)
    (tmp_path / "shop.toml").write_text(SCENARIO)

    def command(*words: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", "from giveaway.cli import main; main()", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"COLUMNS": "80"} | settings,
        )

    return command


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Invoke]:
    """Run giveaway with some words in this process, which is quicker; the folder is empty."""
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)
    yield lambda *words: CliRunner().invoke(app, list(words))
    signal.signal(signal.SIGTERM, before)
