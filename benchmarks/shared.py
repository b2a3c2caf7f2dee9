"""What all benchmarks share: the machine they ran on, timing, and tables in Markdown."""

import os
import platform
import resource
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any


def machine(*packages: str) -> dict[str, Any]:
    """Say where and with what a benchmark runs."""
    return {
        "cores": os.cpu_count(),
        "processor": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("giveaway", "numpy", "numba", *packages)},
    }


def timed(work: Callable[[], Any], repeat: int = 1) -> tuple[float, Any]:
    """Return the shortest of some runs, and the answer."""
    best, answer = float("inf"), None
    for _ in range(repeat):
        started = time.perf_counter()
        answer = work()
        best = min(best, time.perf_counter() - started)
    return best, answer


def table(head: str, rows: Iterable[Iterable[object]]) -> list[str]:
    """Write a table; `head` names its columns, separated by bars."""
    columns = head.split("|")
    lines = [f"| {' | '.join(column.strip() for column in columns)} |", "|---" * len(columns) + "|"]
    return lines + [f"| {' | '.join(map(str, row))} |" for row in rows]


def opening(title: str, results: dict[str, Any], told: str) -> list[str]:
    """Begin a page: what is measured, on which machine, and whether the settings are those of results."""
    about = results["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    machine_said = f"{about['cores']} cores, {about['processor']}, {about['system']}, Python {about['python']}, {versions}."
    lines = [f"# {title}", "", f"{machine_said} {told}"]
    if results["quick"]:
        lines += ["", "**Small settings, to try the script: these are not results.**"]
    return lines


def part(title: str, lines: Iterable[str]) -> list[str]:
    """Write a part of a page under its title."""
    return ["", f"## {title}", "", *lines]


def peak_mb() -> float:
    """Return the most memory this process held so far.

    Linux hands the figure of getrusage down from the parent, so its own account of the process goes first.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
