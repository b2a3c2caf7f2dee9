"""`giveaway open` is found by its entry point, and says what to install where the page cannot be drawn."""

import os
import socket
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from typer.testing import CliRunner

from giveaway.cli.main import app
from giveaway.page import command

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
POINT = EntryPoint("open", PROJECT["entry-points"]["giveaway.commands"]["open"], "giveaway.commands")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the entry point of the project, however it was installed."""
    monkeypatch.setattr(
        sys.modules["giveaway.cli.main"],
        "entry_points",
        lambda **params: EntryPoints([POINT]).select(**params),
    )


def test_the_command_is_named_and_explained() -> None:
    run = CliRunner().invoke(app, ["--help"])
    assert run.exit_code == 0
    assert "Ask by clicking" in run.output
    told = CliRunner().invoke(app, ["open", "--help"])
    assert all(option in told.output for option in ("--port", "--no-browser", "--folder"))


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _: None)
    run = CliRunner().invoke(app, ["open", "--no-browser"])
    assert run.exit_code == 2
    assert 'pip install "giveaway[page]"' in run.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--folder", "nowhere"], "--folder nowhere is not a folder"),
        (["--folder", __file__], "is not a folder"),
        (["--port", "99999999"], "65535"),
        (["--port", "-1"], "'--port'"),
        (["--port", "PORT"], "cannot be used: Address already in use"),
        ([os.fsdecode(b"bad\xff.csv")], "cannot be shown"),
    ],
)
def test_what_cannot_be_served_is_told_at_once(words: list[str], told: str) -> None:
    pytest.importorskip("uvicorn", reason="the extra page is not installed")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = [word.replace("PORT", str(taken.getsockname()[1])) for word in words]
        run = CliRunner().invoke(app, ["open", "--no-browser", *words])
    assert run.exit_code == 2
    assert told in " ".join(run.output.split())
    assert "giveaway failed" not in run.output


def test_help_loads_no_server() -> None:
    code = (
        "import sys, giveaway.page.command; from typer.testing import CliRunner; from giveaway.cli.main import app;"
        "CliRunner().invoke(app, ['--help']); "
        "sys.exit(bool({'starlette', 'uvicorn', 'numpy', 'jinja2'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
