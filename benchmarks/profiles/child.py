"""Solve one problem in a process of its own and print what it took: `python -m benchmarks.profiles.child JSON FOLDER`."""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.profiles.data import Case, conditions, load, profiles_of, rows_of
from benchmarks.shared import peak_mb

import giveaway as ga
from giveaway import compiling
from giveaway.maximum_entropy.solve import solve


def run(case: Case, folder: Path) -> dict[str, Any]:
    """Mine the rules, make their rows and solve, each step timed, after a warm-up that loads compiled code."""
    compiling.STEPS = 0  # no step as plain Python, so that the warm-up loads all kernels
    small = replace(case, data="generated-500", s="0.1", c="0.1", scores="exact")
    work(load(folder, small), small)
    table = load(folder, case)
    before = peak_mb()
    return {"records": len(table), "peak_mb_before": before, **work(table, case), "peak_mb": peak_mb()}


def work(table: ga.Table, case: Case) -> dict[str, Any]:
    mining, _ = timed(
        lambda: ga.mine_rules(
            table, columns=conditions(table, case), min_support=case.s, min_confidence=case.c
        )
    )
    grouping, profiles = timed(lambda: profiles_of(table, case))
    making, rows = timed(lambda: rows_of(profiles, case))
    solving, found = timed(lambda: solve(profiles.weights, profiles.values.shape[1], rows))
    return {
        "profiles": len(profiles.weights),
        "values": profiles.values.shape[1],
        "rules": int(np.isfinite(rows.low).sum()),
        "rows": len(rows),
        "mining_seconds": mining,
        "preparing_seconds": grouping + making,
        "solving_seconds": solving,
        "rounds": found.rounds,
        "active": found.active,
        "violation": found.violation,
        "gap": found.gap,
    }


def timed(step: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = step()
    return time.perf_counter() - started, answer


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    chosen = Case(**{**given, "sensitive": tuple(given["sensitive"])})
    print(json.dumps(run(chosen, Path(sys.argv[2]))))
