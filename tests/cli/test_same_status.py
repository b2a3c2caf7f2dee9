"""The exit status is that of the verdict, whoever looks on and whatever is asked for besides."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.sizes import first

ITEMS = 365
SCENARIO = """\
[release]
data = "counts.csv"
kind = "supports"
transactions = 5000

[tolerates]
average = "LIMIT"

[[knows]]
attack = "frequencies"
belief = { around = "5/5000" }
compliance = "0.98712345678901234567"
knows_method = false
"""
MAIN = [sys.executable, "-c", "from giveaway.cli import main; main()"]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with counts whose chances have many different denominators, and a scenario for each verdict."""
    counts = [7 + (number * number) % 1009 + 3 * number for number in range(ITEMS)]
    lines = ["item,support", *(f"i{number},{count}" for number, count in enumerate(counts))]
    (tmp_path / "counts.csv").write_text("\n".join(lines) + "\n")
    for name, limit in (("safe", "999/1000"), ("risky", "1/100000")):
        (tmp_path / f"{name}.toml").write_text(SCENARIO.replace("LIMIT", limit))
    return tmp_path


def piped(folder: Path, *words: str) -> int:
    done = subprocess.run([*MAIN, *words], cwd=folder, capture_output=True, check=False)
    return done.returncode


def on_a_terminal(folder: Path, *words: str) -> int:
    above, below = pty.openpty()
    with subprocess.Popen([*MAIN, *words], cwd=folder, stdout=below, stderr=below, stdin=below) as running:
        os.close(below)
        _drain(above)
        code = running.wait()
    os.close(above)
    return code


def read_no_further(folder: Path, *words: str) -> int:
    """Run with a reader that has gone before anything is written."""
    out, into = os.pipe()
    os.close(out)
    try:
        return subprocess.run(
            [*MAIN, *words], cwd=folder, stdout=into, stderr=subprocess.DEVNULL, check=False
        ).returncode
    finally:
        os.close(into)


def _drain(terminal: int) -> None:
    while True:
        try:
            if not os.read(terminal, 65536):
                return
        except OSError:  # Linux says so that nobody writes any more
            return


@pytest.mark.parametrize(("name", "status"), first(1, [("safe", 0), ("risky", 1)]))
def test_terminal_pipe_and_reports_have_the_same_status(shop: Path, name: str, status: int) -> None:
    words = ("assess", f"{name}.toml")

    assert on_a_terminal(shop, *words, "--json", "a.json") == status
    assert piped(shop, *words, "--html", "o.html", "--public-html", "p.html") == status
    assert read_no_further(shop, *words) == status

    found = json.loads((shop / "a.json").read_text())["findings"][0]
    assert len(found["average_exact"]) > 91, "the case is one of long fractions"
