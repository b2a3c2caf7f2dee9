"""Remove guards one at a time, each in a copy of the tree, and report those that no test misses."""

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("mutants.toml")

COPIED = ("src", "tests")
"""What is copied; all else is linked to."""

FAILED = 1
"""What pytest exits with where tests ran and some failed; a tree that cannot even be imported tells nothing of a guard."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A guard and what takes its place."""

    name: str
    file: str
    old: str
    new: str
    tests: Sequence[str]
    """The tests that must fail."""
    why: str
    """What the guard protects."""


def every() -> list[Mutant]:
    """Read the list."""
    return [Mutant(**one) for one in tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]]


def stale(mutant: Mutant) -> str:
    """Say why a mutant cannot be tried: the list does not follow the code; nothing where it can."""
    times = (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old)
    return "" if times == 1 else f"{mutant.name}: its text occurs {times} times in {mutant.file}"


def sample(mutants: Sequence[Mutant], count: int) -> list[Mutant]:
    """Draw some mutants by the commit, or by the day where there is none."""
    seed = str(datetime.now(UTC).date())
    if (ROOT / ".git").exists():
        seed = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    print(f"{count} of {len(mutants)} mutants, drawn by {seed}")
    return random.Random(seed).sample(mutants, count)  # noqa: S311 # it shall repeat


def tested(tree: Path, tests: Sequence[str], seconds: float) -> tuple[int | None, str]:
    """Run tests in a copy; return the exit status, None where they did not end, and what was printed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    beside = os.environ | {"PYTHONPATH": str(tree / "src"), "GIVEAWAY_CASES": "all"}
    try:
        done = subprocess.run(
            command, cwd=tree, env=beside, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return None, f"not at an end after {seconds:.0f} s"
    return done.returncode, done.stdout + done.stderr


def copied(tree: Path, place: Path, copy: Callable[..., object]) -> Path:
    """Copy the sources and tests of a tree, and link to all else."""
    place.mkdir()
    for one in tree.iterdir():
        if one.name in COPIED:
            shutil.copytree(one, place / one.name, copy_function=copy)
        elif not one.name.startswith("."):
            (place / one.name).symlink_to(one.resolve())
    return place


def without(mutant: Mutant, base: Path, place: Path, seconds: float) -> tuple[Mutant, str, float]:
    """Try a mutant; return what is wrong, nothing where its tests fail as they must, and the time taken."""
    started = time.monotonic()
    tree = copied(base, place, os.link)
    try:
        file = tree / mutant.file
        text = file.read_text(encoding="utf-8")
        file.unlink()  # else its other names would hold the mutant too
        file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        status, printed = tested(tree, mutant.tests, seconds)
    finally:
        shutil.rmtree(tree, ignore_errors=True)
    wrong = (
        "" if status == FAILED else "SURVIVES" if status == 0 else f"NOT TOLD (status {status})\n{printed}"
    )
    return mutant, wrong, time.monotonic() - started


def main() -> int:
    """Try the mutants; return 1 where one survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of those to try; all unless told")
    parser.add_argument("-j", type=int, default=2, help="how many at the same time")
    parser.add_argument("--sample", type=int, help="how many to draw")
    parser.add_argument("--seconds", type=float, default=300, help="how long the tests of one may take")
    asked = parser.parse_args()
    chosen = [one for one in every() if not asked.names or any(name in one.name for name in asked.names)]
    chosen = sample(chosen, min(asked.sample, len(chosen))) if asked.sample else chosen
    if wrong := [told for one in chosen if (told := stale(one))]:
        print(*wrong, sep="\n")
        return 1
    with TemporaryDirectory(prefix="mutants-") as folder:
        base = copied(ROOT, Path(folder) / "base", shutil.copy2)
        started = time.monotonic()
        status, printed = tested(base, sorted({test for one in chosen for test in one.tests}), 1800)
        if status != 0:
            print(printed, "Tests fail without a mutant.", sep="\n")
            return 1
        print(f"{time.monotonic() - started:6.1f} s  all tests pass without a mutant", flush=True)
        survivors = []
        with ThreadPoolExecutor(asked.j) as workers:
            tries = [
                workers.submit(without, one, base, Path(folder) / str(number), asked.seconds)
                for number, one in enumerate(chosen)
            ]
            for attempt in tries:
                mutant, wrong, seconds = attempt.result()
                print(f"{seconds:6.1f} s  {mutant.name}: {wrong or 'caught'}", flush=True)
                if wrong:
                    survivors.append(mutant)
                    print(f"          {mutant.why}", flush=True)
    print(f"{len(chosen)} mutants, {len(survivors)} survive.")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
