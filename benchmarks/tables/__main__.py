"""Measure plans of crowds in one run: `python -m benchmarks.tables [--data FOLDER] [--quick]`.

Writes results.md and results.json beside this file. Times are those of the processor. Tables that are not at hand are
named and left out; the generated one is always there.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.shared import machine, peak_mb
from benchmarks.tables import comparators, data
from benchmarks.tables.writing import markdown

from giveaway.crowds.bounds import better_bound, lower_bound
from giveaway.crowds.draw import deal
from giveaway.crowds.plan import plan

HERE = Path(__file__).parent
CROWDS = (5, 11)
ROUNDS = 200
WIDE = 9
"""Tables of so many columns and more are planned without rounds of repair."""
ROWS = 1_000_000
SMALL_ROWS = 20_000
Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.tables", description=__doc__)
    parser.add_argument("--data", type=Path, default=data.SHARED, help="folder that holds adult and bank")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    parser.add_argument(
        "--generated", type=int, metavar="ROWS", help="plan a generated table and print what it took"
    )
    asked = parser.parse_args()
    if asked.generated:
        print(json.dumps(generated(asked.generated)))
        return
    results = {
        "machine": machine("scipy"),
        "quick": asked.quick,
        "rounds": ROUNDS,
        "tables": real(asked.data, quick=asked.quick),
        "generated": in_fresh_process(SMALL_ROWS if asked.quick else ROWS),
    }
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (asked.out / "results.md").write_text(markdown(results), encoding="utf-8")


def real(folder: Path, *, quick: bool) -> list[Found]:
    """Compare three ways on each table."""
    read = {}
    for name in data.FILES:
        if data.path_of(folder, name).exists():
            read[name] = data.columns_of(folder, name)
        else:
            print(f"{name} is not at hand: left out", file=sys.stderr)
    found = []
    for name, columns in [table for table in data.TABLES if table[0] in read][: 2 if quick else None]:
        codes, labels = data.coded(read[name], columns.split())
        for crowd in CROWDS:
            found.append(
                {"table": name, "columns": columns.split()} | compared(codes, columns.split(), labels, crowd)
            )
            print(json.dumps(found[-1]), file=sys.stderr)
    return found


def compared(codes: np.ndarray, names: list[str], labels: list[list[str]], crowd: int) -> Found:
    """Blank one table in three ways, and count the rows that are left in too small a crowd."""
    ways: dict[str, Callable[[], np.ndarray]] = {
        "by column order": lambda: comparators.by_column_order(codes, crowd),
        "least for each record": lambda: comparators.least_for_each_record(codes, names, labels, crowd),
        "plan": lambda: dealt(codes, crowd, 0),
    }
    if len(names) < WIDE:
        ways["plan with repair"] = lambda: dealt(codes, crowd, ROUNDS)
    found: Found = {"crowd": crowd, "rows": len(codes)}
    for way, work in ways.items():
        seconds, blank = on_processor(work)
        crowds = comparators.crowds(codes, blank)
        found[way] = {
            "blanks": int(blank.sum()),
            "below": int((crowds < crowd).sum()),
            "alone": int((crowds == 1).sum()),
            "seconds": seconds,
        }
    profiles, _ = data.profiles(codes)
    seconds, bound = on_processor(lambda: lower_bound(profiles, crowd))
    linear_seconds, linear = on_processor(lambda: better_bound(profiles, crowd))
    return found | {
        "profiles": len(profiles.counts),
        "bound": float(bound),
        "bound_seconds": seconds,
        "linear_bound": float(linear),
        "linear_seconds": linear_seconds,
    }


def dealt(codes: np.ndarray, crowd: int, rounds: int) -> np.ndarray:
    """Plan from rows to the entries that are blank, the draw included."""
    profiles, profile_of = data.profiles(codes)
    return deal(plan(profiles, crowd, rounds=rounds), profile_of).levels > 0


def generated(rows: int) -> Found:
    """Plan a generated table; the memory before is that of the table and of everything imported."""
    codes = data.generated(rows)
    dealt(codes[:1_000], 5, 0)
    before = peak_mb()
    found: Found = {"rows": rows, "peak_mb_before": before, "crowds": []}
    for crowd in CROWDS:
        seconds, blank = on_processor(lambda crowd=crowd: dealt(codes, crowd, 0))
        profiles, _ = data.profiles(codes)
        bound_seconds, bound = on_processor(
            lambda crowd=crowd, profiles=profiles: lower_bound(profiles, crowd)
        )
        found["crowds"].append(
            {
                "crowd": crowd,
                "profiles": len(profiles.counts),
                "smallest": int(comparators.crowds(codes, blank).min()),
                "blanks": int(blank.sum()),
                "seconds": seconds,
                "bound": float(bound),
                "bound_seconds": bound_seconds,
            }
        )
    return found | {"peak_mb": peak_mb()}


def in_fresh_process(rows: int) -> Found:
    command = [sys.executable, "-m", "benchmarks.tables", "--generated", str(rows)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def on_processor(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    answer = work()
    return time.process_time() - started, answer


if __name__ == "__main__":
    main()
