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
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
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
Found = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """The sources of a version, and a folder for what is compiled of them."""

    name: str
    src: Path
    compiled: Path


def main() -> None:
    names = [*(example.name for example in EXAMPLES), "reads", "baskets"]
    parser = argparse.ArgumentParser(prog="benchmarks.flow", description=__doc__)
    parser.add_argument("--source", type=Path, help="src of another checkout, measured beside this one")
    parser.add_argument("--called", default="version 0.1", help="what that checkout is called in the results")
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="what to measure")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="giveaway-bench-") as name:
        folder = Path(name)
        named = {given.called: given.source.resolve()} if given.source else {}
        sources = [Source(name, src, folder / name) for name, src in (named | {NOW: OURS}).items()]
        for source in sources:
            compileall.compile_dir(source.src / "giveaway", quiet=2)
        chosen = [example for example in EXAMPLES if example.name in given.only]
        results = {
            "machine": machine("duckdb"),
            "quick": given.only != names,
            "sources": [source.name for source in sources],
            "examples": [measured(example, folder, sources) for example in chosen],
            "reads": list(reads(folder, sources)) if "reads" in given.only else [],
            "baskets": list(baskets(folder, sources)) if "baskets" in given.only else [],
        }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")
    say(f"written to {given.out / 'results.md'}")


def side_by_side(about: Found, work: Callable[[Source], Any], sources: list[Source]) -> Found:
    """Do the same with all sources at the same time, so that whatever else the machine does slows them equally."""
    with ThreadPoolExecutor(len(sources)) as pool:
        done = pool.map(work, sources)
        found = about | {source.name: answer for source, answer in zip(sources, done, strict=True)}
    say(json.dumps(found))
    return found


def measured(example: Example, folder: Path, sources: list[Source]) -> Found:
    """Time the commands of an example, and the same in Python."""
    scenario = example.placed(folder)

    def work(source: Source) -> Found:
        with tempfile.TemporaryDirectory(dir=folder) as name:
            empty, other = Path(name) / "empty", Path(name) / "other"
            protect = ["protect", scenario.name, "--force", "-o", f"{name}/out"]
            assess = ["assess", scenario.name, "--quiet"]
            commands = {"protect": runs(protect, scenario.parent, source, empty, later=1 + example.shipped)}
            if example.shipped:
                commands["assess"] = runs(assess, scenario.parent, source, other, later=2)
            else:  # what protecting compiled is there
                commands["assess"] = runs(assess, scenario.parent, source, empty, first=False, later=2)
        return {"commands": commands, "python": in_child(source, "verdicts", scenario)}

    about = {"name": example.name, "attack": example.attack, "about": example.about}
    return side_by_side(about, work, sources)


def runs(
    words: list[str], folder: Path, source: Source, compiled: Path, *, first: bool = True, later: int
) -> Found:
    """Run a command in fresh processes: first with no compiled code on the disk, then again."""
    command = [sys.executable, "-c", COMMAND, *words]
    times = [timed(command, folder, surroundings(source.src, compiled)) for _ in range(first + later)]
    best = min(filter(None, times[first:]), key=lambda one: one["cpu"], default=None)
    return ({"first": times[0]} if first else {}) | {"later": best}


def timed(command: list[str], folder: Path, env: dict[str, str]) -> Found | None:
    """Return wall and CPU seconds of a process and those that it started, None if there was no verdict."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
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


def reads(folder: Path, sources: list[Source]) -> Iterator[Found]:
    """Count how often a file is read in full, in each format."""
    place = folder / "reads"
    place.mkdir()
    for shape, ending, file in written_forms(place):
        about = {"shape": shape, "format": ending}
        yield side_by_side(about, lambda source: in_child(source, "reads", file, shape), sources)  # noqa: B023 # called at once


def baskets(folder: Path, sources: list[Source]) -> Iterator[Found]:
    """Time reading and writing basket files of several sizes, and DuckDB splitting their lines."""
    fresh = [replace(source, compiled=folder / f"{source.name} for baskets") for source in sources]
    for first, size in ((True, SIZES[0]), *((False, size) for size in SIZES)):
        file = write_baskets(folder / "baskets.dat", size)
        split = in_child(sources[-1], "split_by_duckdb", file)
        about = {"size": size, "first": first, "split_by_duckdb": split}
        yield side_by_side(about, lambda source: in_child(source, "baskets", file), fresh)  # noqa: B023 # called at once


def in_child(source: Source, what: str, *words: object) -> Any:
    """Measure something in a process of its own; None when that source cannot do it."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.flow.child", what, *map(str, words)],
        cwd=ROOT,
        env=surroundings(source.src, source.compiled),
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        say(done.stderr.strip())
        return None
    return json.loads(done.stdout)


def surroundings(src: Path, compiled: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(src), "NUMBA_CACHE_DIR": str(compiled)}


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
