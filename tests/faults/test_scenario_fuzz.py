"""Whatever a scenario says, the answer is a verdict or one clear refusal, and what is written is safe."""

import io
import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from tests.faults.mutating import mutant, toml
from tests.faults.scenarios import BASES, FILES, write_files
from tests.sizes import ALL
from typer.main import get_command

from giveaway.cli.main import app
from giveaway.report.agreeing import contradictions
from giveaway.report.schema import misfits

COMMAND = get_command(app)
MUTANTS = 2_000 if os.environ.get("GIVEAWAY_FAULTS") == "all" else 800 if ALL else 200
PARTS = 10
MEASURED = 0.4 if MUTANTS >= 800 else 0.1
"""The part of the mutants that must be measured, and not refused; of few it may be small by chance."""
SECONDS = 20
STATUS = {"safe": 0, "at risk": 1, "cannot judge": 2}
LARGEST = {"frequencies": 1.0}
"""Where a chance of exactly the limit counts as over it."""


class Hangs(BaseException):
    """A mutant that takes too long; no command may catch it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("fuzz")
    write_files(made)
    return made


@pytest.fixture(autouse=True)
def _guarded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in the folder, stop what hangs, and leave the signals as they were."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Hangs

    monkeypatch.chdir(folder)
    before = {number: signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGTERM)}
    signal.signal(signal.SIGALRM, stop)
    yield
    signal.alarm(0)
    for number, handler in before.items():
        signal.signal(number, handler)


def asked(folder: Path, text: str, command: str) -> dict[str, Any]:
    """Ask a question, check everything that must hold whatever the question is, and return the Summary."""
    (folder / "a.toml").write_text(text, encoding="utf-8")
    shutil.rmtree(folder / "out", ignore_errors=True)
    (folder / "out.owner.json").unlink(missing_ok=True)
    status, out, said = run(
        [command, "a.toml", "--json", "-", *(["-o", "out"] if command == "protect" else [])]
    )
    assert "Traceback" not in said
    assert "giveaway failed" not in said, said
    made: dict[str, Any] = json.loads(out)
    assert status == STATUS[made["verdict"]]
    assert_valid(made)
    assert_files(folder, written=command == "protect" and status == 0)
    assert_means_something(made)
    return made


def run(words: list[str]) -> tuple[int, str, str]:
    """Run a command in this process; the command line is made once, which is what takes longest."""
    out, said = io.StringIO(), io.StringIO()
    signal.alarm(SECONDS)
    with pytest.raises(SystemExit) as left, redirect_stdout(out), redirect_stderr(said):
        COMMAND(words)
    signal.alarm(0)
    return left.value.code, out.getvalue(), said.getvalue()


def assert_valid(made: dict[str, Any]) -> None:
    if "errors" in made:
        assert misfits(made, "mistakes", most=3) == []
        assert made["errors"]
        return
    assert misfits(made, most=3) == []
    assert list(contradictions(made)) == []


def assert_files(folder: Path, *, written: bool) -> None:
    """Nothing is written unless it is safe, nothing is left, and the inputs are as they were."""
    found = {path.name for path in folder.iterdir() if path.name != "out.owner.json"}
    assert found == {"a.toml", *FILES, *(["out"] if written else [])}
    assert not written or (folder / "out" / "manifest.json").is_file()
    for name, text in FILES.items():
        assert (folder / name).read_text() == text, name


def assert_means_something(made: dict[str, Any]) -> None:
    """Every attacker that is called safe was judged by a limit that somebody could have exceeded."""
    for place, finding in enumerate(made.get("findings", ())):
        limits = finding["tolerance"]
        seen = [*finding["exposures"], *(made["before"][place]["exposures"] if made["before"] else ())]
        losses = [one["sensitivity"] for one in seen if one["sensitivity"] is not None]
        largest = {"average": max(map(float, losses), default=1)}
        exceeded = [
            name
            for name in ("identity", "attribute", "average")
            if name in limits
            and (limits[name] < largest.get(name, 1) or (name == "identity" and finding["attack"] in LARGEST))
        ]
        assert finding["safe"] is not True or exceeded, (finding["attack"], limits)


@pytest.mark.parametrize("command", ["assess", "protect"])
@pytest.mark.parametrize("name", BASES)
def test_every_base_can_be_asked(folder: Path, name: str, command: str) -> None:
    found = asked(folder, toml(BASES[name]), command)

    assert ("errors" in found) == ((name, command) == ("frequencies of supports", "protect")), found


@pytest.mark.sized
@pytest.mark.parametrize("part", range(PARTS))
def test_no_scenario_breaks_anything(folder: Path, part: int) -> None:
    random = Random(part)  # noqa: S311 # the same mutants in every run
    measured = 0
    for number in range(MUTANTS // PARTS):
        name, made = mutant(random)
        text, command = toml(made), random.choice(("assess", "protect"))
        try:
            found = asked(folder, text, command)
        except (AssertionError, Hangs, ValueError) as error:
            raise AssertionError(f"{command}, mutant {number} of {name}:\n{text[:3000]}") from error
        measured += "findings" in found
    assert measured >= MUTANTS // PARTS * MEASURED, measured
