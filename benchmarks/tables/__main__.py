"""Measure plans of crowds in one run: `python -m benchmarks.tables [--data FOLDER] [--quick]`.

Writes results.md and results.json beside this file. Times are those of the processor. Tables that are not at hand are
named and left out; the generated one is always there.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.shared import machine, peak_mb
from benchmarks.tables import comparators, data, held
from benchmarks.tables.writing import markdown
from tests.oracles.linear_bound import better_bound

from giveaway.crowds.bounds import lower_bound
from giveaway.crowds.draw import deal
from giveaway.crowds.plan import plan
from giveaway.crowds.some_columns import bound_for_some, plan_for_some, short

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
    parser.add_argument(
        "--held", type=Path, metavar="FILE", help="judge a table that DuckDB holds, and print"
    )
    parser.add_argument(
        "--only",
        choices=["tables", "some_columns", "generated", "held"],
        help="renew a part, keep the others",
    )
    asked = parser.parse_args()
    if asked.generated:
        print(json.dumps(generated(asked.generated)))
        return
    if asked.held:
        print(json.dumps(held.judged(asked.held)))
        return
    rows = SMALL_ROWS if asked.quick else ROWS
    parts: dict[str, Callable[[], Any]] = {
        "tables": lambda: real(asked.data, quick=asked.quick),
        "some_columns": lambda: known_in_part(asked.data, quick=asked.quick),
        "generated": lambda: in_fresh_process("--generated", str(rows)),
        "held": lambda: from_duckdb(rows),
    }
    results: Found = json.loads((asked.out / "results.json").read_text()) if asked.only else {}
    results |= {"machine": machine("scipy", "duckdb"), "quick": asked.quick, "rounds": ROUNDS}
    results |= {name: work() for name, work in parts.items() if asked.only in (None, name)}
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


def known_in_part(folder: Path, *, quick: bool) -> list[Found]:
    """Plan for somebody who knows at most so many of Adult's columns, whichever they are."""
    if not data.path_of(folder, "Adult").exists():
        return []
    read, found = data.columns_of(folder, "Adult"), []
    for columns, most in data.KNOWN_IN_PART[: 1 if quick else None]:
        names = columns.split()
        profiles, _ = data.profiles(data.coded(read, names)[0])
        plan(profiles, CROWDS[0])  # what is imported on the way is not measured
        whole_seconds, whole = on_processor(lambda profiles=profiles: plan(profiles, CROWDS[0]))
        for known in most:
            sets = [(columns, CROWDS[0]) for columns in combinations(range(len(names)), known)]
            arguments = (profiles, CROWDS[0], sets)
            seconds, some = on_processor(lambda arguments=arguments: plan_for_some(*arguments))
            bound = bound_for_some(*arguments)
            found.append(
                {"columns": names, "known": known, "crowd": CROWDS[0], "sets": len(sets)}
                | {"whole": whole.blanks, "whole_seconds": whole_seconds}
                | {"blanks": some.blanks, "seconds": seconds, "bound": float(bound)}
                | {"short": int(some.members[short(some, sets)].sum())}
            )
            print(json.dumps(found[-1]), file=sys.stderr)
    return found


def dealt(codes: np.ndarray, crowd: int, rounds: int) -> np.ndarray:
    """Plan from rows to the entries that are blank, the draw included."""
    profiles, profile_of = data.profiles(codes)
    return deal(plan(profiles, crowd, rounds=rounds), profile_of) > 0


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


def from_duckdb(rows: int) -> Found:
    """Let DuckDB hold a generated table, and judge it there."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "generated.duckdb"
        held.store(file, rows)
        return in_fresh_process("--held", str(file))


def in_fresh_process(*asked: str) -> Found:
    command = [sys.executable, "-m", "benchmarks.tables", *asked]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def on_processor(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    answer = work()
    return time.process_time() - started, answer


if __name__ == "__main__":
    main()
