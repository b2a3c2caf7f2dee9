"""Measure the attack `profiles` in one run: `python -m benchmarks.profiles [--data FOLDER] [--quick]`.

Writes results.md and results.json beside this file. Compiled code is loaded before anything is timed. Rows whose data
are not at hand are named and left out.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.profiles.comparators import clarabel, compressed
from benchmarks.profiles.data import GENERATED, SHARED, Case, load, path_of, profiles_of, rows_of
from benchmarks.profiles.writing import markdown
from benchmarks.shared import machine, timed

from giveaway.maximum_entropy.solve import solve

HERE = Path(__file__).parent
Found = dict[str, Any]

OCCUPATION, BOTH = ("occupation",), ("occupation", "salary-class")
COMPARED = [Case(), Case(c="0.9")]
SCALING = [
    *(
        Case(s=s, c=c)
        for s, c in (("0.1", "0.6"), ("0.05", "0.8"), ("0.02", "0.6"), ("0.01", "0.6"), ("0.01", "0.9"))
    ),
    *(Case(s=s, scores="exact", complete=False) for s in ("0.1", "0.05", "0.02", "0.01")),
    Case(s="0.02", scores="exact"),
    *(Case(sensitive=OCCUPATION, s="0.01", c="0.15", scores=scores) for scores in ("withheld", "exact")),
    *(Case(sensitive=BOTH, s="0.01", c="0.15", scores=scores) for scores in ("withheld", "exact")),
]
GROWTH = (10_000, 100_000, 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.profiles", description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED, help="folder that holds adult/*.csv.gz")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    given = parser.parse_args()
    results = {
        "machine": machine("scipy", "cvxpy", "clarabel"),
        "quick": given.quick,
        "comparison": comparison(given.data, COMPARED[:1] if given.quick else COMPARED),
        "scaling": apart(given.data, SCALING[:2] if given.quick else SCALING),
        "growth": apart(given.data, growth((1_000, 10_000) if given.quick else GROWTH)),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")
    say(f"written to {given.out / 'results.md'}")


def comparison(folder: Path, cases: list[Case]) -> list[Found]:
    """Solve the same problem, its profiles merged, with giveaway and with Clarabel."""
    found = []
    for case in cases:
        if not at_hand(folder, case):
            found.append({**asdict(case), "skipped": "adult is not at hand"})
            continue
        profiles = profiles_of(load(folder, case), case)
        rows = rows_of(profiles, case)
        domain = profiles.values.shape[1]
        weights, smaller, class_of = compressed(profiles.weights, rows)
        solve(weights, domain, smaller)
        full, whole = timed(lambda p=profiles, r=rows, d=domain: solve(p.weights, d, r), repeat=5)
        ours, mine = timed(lambda w=weights, r=smaller, d=domain: solve(w, d, r), repeat=5)
        theirs = clarabel(weights, domain, smaller)
        found.append(
            {
                **asdict(case),
                "rows": len(rows),
                "profiles": len(profiles.weights),
                "classes": len(weights),
                "giveaway_seconds": ours,
                "giveaway_unmerged_seconds": full,
                "clarabel_seconds": theirs.seconds,
                "cvxpy_seconds": theirs.wall,
                "ratio": theirs.seconds / ours,
                "giveaway_violation": max(mine.violation, whole.violation),
                "clarabel_violation": theirs.violation,
                "entropy_difference": abs(mine.entropy - theirs.entropy),
                "chance_difference": float(np.abs(mine.chance - theirs.chance).max()),
                "merging_difference": float(np.abs(mine.chance[class_of] - whole.chance).max()),
            }
        )
        say(json.dumps(found[-1]))
    return found


def apart(folder: Path, cases: list[Case]) -> list[Found]:
    """Solve each case in a fresh process."""
    found = []
    for case in cases:
        found.append({**asdict(case), **in_fresh_process(case, folder)})
        say(json.dumps(found[-1]))
    return found


def growth(sizes: tuple[int, ...]) -> list[Case]:
    return [
        Case(data=f"{GENERATED}-{size}", s="0.01", c="0.4", scores=scores)
        for size in sizes
        for scores in ("withheld", "exact")
    ]


def in_fresh_process(case: Case, folder: Path) -> Found:
    if not at_hand(folder, case):
        return {"skipped": f"{case.data} is not at hand"}
    command = [sys.executable, "-m", "benchmarks.profiles.child", json.dumps(asdict(case)), str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1]}
    measured: Found = json.loads(done.stdout)
    return measured


def at_hand(folder: Path, case: Case) -> bool:
    there = case.data.startswith(GENERATED) or path_of(folder).exists()
    if not there:
        say(f"left out: {case.data} is not at hand")
    return there


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
