"""Measure the way from data to a verdict in one run: `python -m benchmarks.flow [--source FOLDER] [--only NAME...]`.

Writes results.md and results.json beside this file. `--source` names the `src` of another checkout, which is measured
beside this one, on the same data. Everything else is written into a folder for temporary files and removed again.
"""

import argparse
import compileall
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.flow.examples import EXAMPLES, Example, write_baskets, written_forms
from benchmarks.flow.writing import NOW, markdown
from benchmarks.shared import machine

import giveaway

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OURS = Path(giveaway.__file__).parents[1]
SIZES = (1_000, 50_000, 1_000_000)
COMMAND = "from giveaway.cli import main; main()"
WORDS = {"assess": ["--quiet"], "protect": ["--force", "-o", "out"]}
Found = dict[str, Any]
Sources = dict[str, Path]


def main() -> None:
    names = [*(example.name for example in EXAMPLES), "reads", "baskets"]
    parser = argparse.ArgumentParser(prog="benchmarks.flow", description=__doc__)
    parser.add_argument("--source", type=Path, help="src of another checkout, measured beside this one")
    parser.add_argument("--called", default="version 0.1", help="what that checkout is called in the results")
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="what to measure")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    given = parser.parse_args()
    sources = ({given.called: given.source.resolve()} if given.source else {}) | {NOW: OURS}
    for folder in sources.values():
        compileall.compile_dir(folder / "giveaway", quiet=2)
    with tempfile.TemporaryDirectory(prefix="giveaway-bench-") as name:
        folder = Path(name)
        chosen = [example for example in EXAMPLES if example.name in given.only]
        results = {
            "machine": machine("duckdb"),
            "quick": given.only != names,
            "sources": list(sources),
            "examples": [measured(example, folder, sources) for example in chosen],
            "reads": list(reads(folder, sources)) if "reads" in given.only else [],
            "baskets": list(baskets(folder, sources)) if "baskets" in given.only else [],
        }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")
    say(f"written to {given.out / 'results.md'}")


def measured(example: Example, folder: Path, sources: Sources) -> Found:
    """Time the commands of an example, and the same in Python."""
    scenario = example.placed(folder)
    found: Found = {"name": example.name, "attack": example.attack, "about": example.about}
    for name, source in sources.items():
        with tempfile.TemporaryDirectory(dir=folder) as cache:
            place = Path(cache)
            commands = {
                "protect": runs("protect", scenario, source, place / "protect", 3 if example.shipped else 2),
                "assess": runs("assess", scenario, source, place / "assess", 3)
                if example.shipped
                else runs("assess", scenario, source, place / "protect", 2),
            }
            python = in_child(source, place / "protect", "verdicts", scenario)
        found[name] = {"commands": commands, "python": python}
        say(f"{example.name}, {name}: {json.dumps(found[name])}")
    return found


def runs(verb: str, scenario: Path, source: Path, cache: Path, count: int) -> Found:
    """Run a command in fresh processes; the first is set apart where no compiled code is on the disk yet."""
    command = [sys.executable, "-c", COMMAND, verb, scenario.name, *WORDS[verb]]
    fresh = not cache.exists()
    times = [timed(command, scenario.parent, source, cache) for _ in range(count)]
    later = min(filter(None, times[fresh:]), key=lambda one: one["cpu"], default=None)
    return {"first": times[0], "later": later} if fresh else {"later": later}


def timed(command: list[str], folder: Path, source: Path, cache: Path) -> Found | None:
    """Return wall and CPU seconds of a process and those that it started, None if there was no verdict."""
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=folder,
        env=surroundings(source, cache),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        complaint = process.stderr.read() if process.stderr else b""
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    judged = process.returncode == 0 or (process.returncode == 1 and "assess" in command)
    if not judged:
        say(complaint.decode(errors="replace"))
        return None
    return {"wall": wall, "cpu": used.ru_utime + used.ru_stime}


def reads(folder: Path, sources: Sources) -> Iterator[Found]:
    """Count how often a file is read in full, in each format."""
    place = folder / "reads"
    place.mkdir()
    for shape, ending, file in written_forms(place):
        found: Found = {"shape": shape, "format": ending}
        for name, source in sources.items():
            found[name] = in_child(source, folder / f"cache-{name}", "reads", file, shape)
        say(json.dumps(found))
        yield found


def baskets(folder: Path, sources: Sources) -> Iterator[Found]:
    """Time reading and writing basket files of several sizes, and DuckDB splitting their lines."""
    for size in SIZES:
        file = write_baskets(folder / "baskets.dat", size)
        found: Found = {"size": size, "split_by_duckdb": in_child(OURS, folder, "split_by_duckdb", file)}
        for name, source in sources.items():
            with tempfile.TemporaryDirectory(dir=folder) as cache:
                first, later = (in_child(source, Path(cache), "baskets", file) for _ in range(2))
            found[name] = {"first": first, "later": later}
        say(json.dumps(found))
        yield found


def in_child(source: Path, cache: Path, what: str, *words: object) -> Any:
    """Measure something in a process of its own; None when that source cannot do it."""
    command = [sys.executable, "-m", "benchmarks.flow.child", what, *map(str, words)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=surroundings(source, cache),
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        say(done.stderr.strip())
        return None
    return json.loads(done.stdout)


def surroundings(source: Path, cache: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache)}


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
