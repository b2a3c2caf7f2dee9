"""What all benchmarks share: the machine they ran on, timing, and tables in Markdown."""

import os
import platform
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
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
