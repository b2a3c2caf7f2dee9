"""Measure readings and levels in one run: `python -m benchmarks.readings [--data FOLDER] [--quick]`.

Needs pyCANON, in an environment of its own: `make bench-readings`. Writes results.md and results.json beside this file.
Every value that both tools define alike is compared; the run stops where they differ.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.attributes.data import SHARED
from benchmarks.readings.writing import markdown
from benchmarks.shared import machine, timed
from pycanon import anonymity

import giveaway as ga
from giveaway.attacks.directory.levels.counting import NodeCounts
from giveaway.attacks.directory.levels.lattice import ColumnLevels, CountedRows, Lattice
from giveaway.attacks.directory.levels.search import best_node
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.sources.side_files.hierarchies import read_hierarchy

HERE = Path(__file__).parent
NINE = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
NINE = [*NINE, "salary-class"]
KNOWN = [
    ["sex", "race"],
    ["sex", "race", "marital-status"],
    ["sex", "race", "education", "marital-status"],
    ["age", "sex", "race", "education"],
]
SENSITIVE = "occupation"
QUESTIONS = [(5, "0"), (5, "1/50"), (5, "1/10"), (5, "1"), (11, "1"), (20, "1")]
LONGER = [(5, "1/50"), (5, "1"), (20, "1")]
Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.readings", description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED, help="folder that holds adult")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    given = parser.parse_args()
    folder = given.data / "adult"
    if not (folder / "adult_train_complete.csv.gz").exists():
        sys.exit(f"Adult is not in {folder}.")
    frame = pd.read_csv(folder / "adult_train_complete.csv.gz").head(2_000 if given.quick else None)
    results = {
        "machine": machine("pandas", "pycanon"),
        "quick": given.quick,
        "rows": len(frame),
        "readings": [read(frame, columns) for columns in KNOWN],
        "levels": [
            found for columns in (9, 11) for found in levels(frame, folder, columns, quick=given.quick)
        ],
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")


def read(frame: pd.DataFrame, columns: list[str]) -> Found:
    """Compare k, distinct l and t with pyCANON's, from the same frame."""
    ga.readings(frame.head(100), columns=columns, sensitive=SENSITIVE)  # libraries are loaded here
    found: Found = {"columns": columns}
    held = ga.Table.from_frame(frame[[*columns, SENSITIVE]])
    theirs: dict[str, Callable[[], Any]] = {
        "k": lambda: anonymity.k_anonymity(frame, columns),
        "l": lambda: anonymity.l_diversity(frame, columns, [SENSITIVE]),
        "t": lambda: anonymity.t_closeness(frame, columns, [SENSITIVE]),
    }
    ours: dict[str, Callable[[Any], Any]] = {
        "k": lambda table: ga.readings(table, columns=columns).k,
        "l": lambda table: ga.readings(table, columns=columns, sensitive=SENSITIVE).l_distinct,
        "t": lambda table: float(ga.readings(table, columns=columns, sensitive=SENSITIVE).t_equal),
    }
    for name, work in ours.items():
        our_seconds, our_value = timed(lambda work=work: work(frame), 9)
        held_seconds, _ = timed(lambda work=work: work(held), 9)
        their_seconds, their_value = timed(theirs[name], 5 if name == "k" else 1)
        if abs(float(our_value) - float(their_value)) > 1e-9:
            sys.exit(f"{name} differs: {our_value} and {their_value}")
        found[name] = {
            "value": float(our_value),
            "giveaway": our_seconds,
            "giveaway_table": held_seconds,
            "pycanon": their_seconds,
        }
    say(found)
    return found


def levels(frame: pd.DataFrame, folder: Path, number: int, *, quick: bool) -> list[Found]:
    """Find the best levels of nine columns with the hierarchies of ARX, or of eleven."""
    columns = [*NINE, "hours-per-week", "relationship"][:number]
    table = ga.Table.from_frame(frame[columns])
    rows = CountedRows(
        values=np.stack([table.columns[name] for name in columns], axis=1), count=table.weights
    )
    hierarchies = {name: hierarchy(folder, name, table) for name in columns}
    lattice = Lattice.of(
        [ColumnLevels.of(table.labels[name], hierarchies[name]) for name in columns], len(table)
    )
    found = []
    for crowd, suppress in (QUESTIONS if number == len(NINE) else LONGER)[: 1 if quick else None]:
        started = time.process_time()
        best = best_node(NodeCounts(lattice, rows, crowd), Fraction(suppress))
        seconds = time.process_time() - started
        if best is None or not best.proved:
            sys.exit("no node was proved best")
        found.append(
            {
                "columns": number,
                "nodes": lattice.nodes,
                "crowd": crowd,
                "suppress": suppress,
                "node": best.node,
                "suppressed": best.rows,
                "loss": float(best.loss),
                "counted": best.counted,
                "cpu": seconds,
            }
        )
        say(found[-1])
    return found


def hierarchy(folder: Path, name: str, table: ga.Table) -> Hierarchy:
    """Read ARX's hierarchy, or make one: hours by tens and by working time, relationships by couples."""
    if name == "hours-per-week":
        times = ("part", "full", "long")
        return Hierarchy(
            {hours: (f"{hours // 10}0s", times[(hours >= 40) + (hours >= 50)]) for hours in range(1, 100)}
        )
    if name == "relationship":
        return Hierarchy(
            {value: ("couple" if value in ("Husband", "Wife") else "other",) for value in table.labels[name]}
        )
    return read_hierarchy(folder / "arx" / f"adult_hierarchy_{name}.csv")


def say(found: Found) -> None:
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
