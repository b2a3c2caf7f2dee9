"""Write down all that is said and written about examples and mutants, so that two versions can be compared.

`python -m tests.frozen.freeze FOLDER` in each version, then `diff -r` of the two folders: nothing may differ that the
CHANGELOG does not name. What is drawn, the time, the date and the number of the version are recorded ones.
"""

import io
import itertools
import os
import random
import re
import resource
import runpy
import shutil
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from hashlib import shake_256
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[2]
MUTANTS = 500
PASSING = re.compile(
    rb'"run": "[0-9a-f]{16}"|%s(T[\d:]{8}\+00:00)?' % datetime.now(UTC).date().isoformat().encode()
)
"""What differs from run to run: the name of a run, and the day."""


class Recorded:
    """The recorded source of all that is drawn: the same for the same case, whatever was drawn before it."""

    def __init__(self) -> None:
        self.begin("")

    def begin(self, case: str) -> None:
        self._case, self._drawn = case, 0

    def __call__(self, size: int) -> bytes:
        self._drawn += 1
        return shake_256(f"{self._case} {self._drawn}".encode()).digest(size)


def record() -> Recorded:
    """Put recorded sources in the place of chance, time, memory and version; before the product is imported."""
    drawn, ticks = Recorded(), itertools.count()
    os.urandom = random._urandom = drawn
    uuid.uuid4 = lambda: uuid.UUID(bytes=drawn(16))
    time.monotonic = time.perf_counter = time.process_time = lambda: next(ticks) * 1e-9
    resource.getrusage = lambda _: SimpleNamespace(ru_maxrss=0, ru_utime=0.0, ru_stime=0.0)
    from giveaway import _version

    _version.__version__ = "0.1.0"  # of the first that was written down
    return drawn


def cases(work: Path) -> Iterator[tuple[str, Path, Sequence[str]]]:
    """Yield the name of each case, the folder to work in and its command; the files that it needs are made before."""
    from tests.faults.mutating import mutant, toml
    from tests.faults.scenarios import BASES, write_files

    shutil.copytree(ROOT / "examples", work / "examples")
    for maker in sorted((work / "examples").glob("*/make.py")):
        sys.argv = [str(maker)]
        with redirect_stdout(io.StringIO()):
            runpy.run_path(str(maker), run_name="__main__")
    for scenario in sorted((work / "examples").glob("*/*.toml")):
        more = ["--ledger", "ledger.json"] if scenario.stem == "2025" else []
        for words in (["assess"], ["protect", "-o", scenario.stem, *more]):
            yield f"{scenario.stem}-{words[0]}", scenario.parent, [words[0], scenario.name, *words[1:]]
    place = work / "demo"
    place.mkdir()
    yield "demo", place, ["demo"]
    place = work / "scenarios"
    place.mkdir()
    write_files(place)
    for number, (name, made) in enumerate(sorted(BASES.items())):
        (place / "a.toml").write_text(toml(made), encoding="utf-8")
        yield f"base-{number:03}-{name}".replace(" ", "-"), place, ["protect", "a.toml", "-o", "out"]
    chosen = random.Random(2026)  # noqa: S311 # the same mutants in every run
    for number in range(MUTANTS):
        (place / "a.toml").write_text(toml(mutant(chosen)[1]), encoding="utf-8")
        command = chosen.choice((["assess"], ["protect", "-o", "out"]))
        yield f"mutant-{number:03}", place, [command[0], "a.toml", *command[1:]]


def freeze(folder: Path, work: Path) -> None:
    """Run every case, with its screen, Summary and reports, and move all that it writes into a folder of its own."""
    drawn = record()
    from typer.main import get_command

    from giveaway.cli.main import app

    command = get_command(app)
    for name, place, words in cases(work):
        drawn.begin(name)
        kept = folder / name
        kept.mkdir(parents=True)
        before = set(place.iterdir())
        every = [*words, "--json", "told.json", "--html", "owner.html", "--public-html", "public.html"]
        out = io.StringIO()
        with chdir(place), redirect_stdout(out), redirect_stderr(out):
            try:
                command(words if words == ["demo"] else every)
            except SystemExit as left:
                out.write(f"status {left.code}\n")
        (kept / "screen.txt").write_text(out.getvalue(), encoding="utf-8")
        for made in sorted(set(place.iterdir()) - before):
            if made.is_dir():
                shutil.copytree(made, kept / made.name)
            else:
                shutil.copy2(made, kept / made.name)
            if place.parent.name != "examples":  # there the release of a year is asked for by the next
                shutil.rmtree(made) if made.is_dir() else made.unlink()
        for path in filter(Path.is_file, kept.rglob("*")):
            path.write_bytes(PASSING.sub(b"--", path.read_bytes().replace(bytes(work), b"WORK")))


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as name:
        freeze(Path(sys.argv[1]).absolute(), Path(name))
