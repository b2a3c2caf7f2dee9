"""Measure the attack `attributes` in one run: `python -m benchmarks.attributes [--data FOLDER] [--quick]`.

Writes results.md and results.json beside this file. Compiled code is loaded before anything is timed. Where the census
table Adult is not at hand a generated one takes its place, and the results say so.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.attributes import data
from benchmarks.attributes.child import Case
from benchmarks.attributes.writing import markdown
from benchmarks.shared import machine
from tests.oracles import fewest_hidden as solve

from giveaway.attacks.attributes.hiding import best_of_all
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import PartialTable
from giveaway.papers.attributes import along_rgraph, rule_by_rule

HERE = Path(__file__).parent
LIMIT = Fraction(6, 10)
SHARE = 500
"""A rule is believed when more than one record in so many supports it."""
LONGEST = 240
"""Seconds after which a table of the growth is given up."""
Found = dict[str, Any]
Ways = dict[str, Callable[[PartialTable], int | None]]

VALUES = [(30_000, 7, secrets) for secrets in (2, 4, 10, 20, 35, 1_000)]
"""Rows, conditions and secrets of the tables in which sensitive entries of others are hidden: Figures 3(a) and 3(c)."""
LIMITS = [Fraction(tenths, 10) for tenths in range(2, 10)]
"""The limits of Figures 3(b) and 3(d), with 20 secrets."""
SEVERAL = [1, 2, 3, 5, 9]
"""How many values the 20 secrets of section 6.2 have, within a limit of 0.7."""
CONDITIONS = [(30_000, 4), (30_000, 5), (30_000, 6), (30_000, 7), (10_000, 7), (20_000, 7)]
"""Rows and conditions of the tables in which conditions of others are hidden."""
REGIONS = [35, 1_000]
GROWTH = [
    *(Case(rows=rows, columns=7, secrets=1_000) for rows in (30_000, 100_000, 1_000_000, 10_000_000)),
    *(Case(rows=30_000, columns=columns, secrets=1_000) for columns in (4, 10, 13)),
    *(Case(rows=1_000_000, columns=7, secrets=secrets) for secrets in (35, 10_000)),
    *(Case(rows=1_000_000, columns=7, secrets=1_000, hideable=letter) for letter in "bce"),
    Case(rows=30_000, columns=13, secrets=10_000),
    Case(rows=10_000_000, columns=12, secrets=10_000),
]
SMALL_GROWTH = [
    Case(rows=10_000, columns=5, secrets=100),
    Case(rows=40_000, columns=7, secrets=35, hideable="b"),
]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.attributes", description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=data.SHARED, help="folder that holds adult/adult.data.gz"
    )
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    parser.add_argument("--only", nargs="+", metavar="PART", help="measure these parts, and keep the others")
    given = parser.parse_args()
    quick = given.quick
    source = data.people(given.data)
    warm_up(source)
    parts = {
        "values": lambda: in_values(source, VALUES[:2] if quick else VALUES, 2 if quick else 10),
        "limits": lambda: by_limit(source, LIMITS[-2:] if quick else LIMITS, 2 if quick else 10),
        "conditions": lambda: in_conditions(
            source, CONDITIONS[:1] if quick else CONDITIONS, 1 if quick else 3
        ),
        "several": lambda: by_values(source, SEVERAL[:2] if quick else SEVERAL, 1 if quick else 3),
        "regions": lambda: in_regions(source, REGIONS[:1] if quick else REGIONS),
        "growth": lambda: growth(SMALL_GROWTH if quick else GROWTH, given.data),
    }
    kept = json.loads((given.out / "results.json").read_text(encoding="utf-8")) if given.only else {}
    results = kept | {
        "machine": machine("scipy", "ortools"),
        "quick": quick,
        "data": "Adult" if data.path_of(given.data).exists() else "generated",
        **{name: part() for name, part in parts.items() if not given.only or name in given.only},
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")
    say(f"written to {given.out / 'results.md'}")


def warm_up(source: data.People) -> None:
    for letter in "abe":
        table = draw(source, (2_000, 4, 10), letter, 0)
        best_of_all.protect(table)
        solve.solve(table, seconds=10)


def draw(
    source: data.People,
    shape: tuple[int, int, int],
    letter: str,
    seed: int,
    values: Sequence[str] = (),
    limit: Fraction = LIMIT,
) -> PartialTable:
    """Draw a table of some rows and conditions, with some secrets, and say where entries may be hidden."""
    rows, columns, number = shape
    random = np.random.default_rng(seed)
    table = data.drawn(source, rows, data.CONDITIONS[:columns], random)
    hidden = data.secrets(table, number, random, values)
    return data.partial(table, hidden, letter, limit=limit, least=rows // SHARE)


def measured(tables: Sequence[PartialTable], ways: Ways) -> Found:
    """Return the mean number of entries that each way hides, None where it fails once, and of the seconds it takes."""
    found: Found = {"unsafe_rules": mean([len(search.find(table)) for table in tables])}
    for name, way in ways.items():
        runs = [timed(lambda table=table, way=way: way(table)) for table in tables]
        entries = [hidden for _, hidden in runs]
        found[name] = {
            "entries": None if None in entries else mean(entries),
            "seconds": mean([seconds for seconds, _ in runs]),
        }
    return found


def optimum(table: PartialTable) -> int | None:
    solved = solve.solve(table, seconds=60)
    return solved.bound if solved.proved else None


def in_values(source: data.People, shapes: Sequence[tuple[int, int, int]], draws: int) -> list[Found]:
    """Hide sensitive entries of others: the paper's case (a)."""
    found = []
    for shape in shapes:
        tables = [draw(source, shape, "a", seed) for seed in range(draws)]
        ways: Ways = {
            "cr": lambda table: rule_by_rule.protect(table).entries,
            "cover": lambda table: best_of_all.protect(table, method="cover").entries,
            "giveaway": lambda table: best_of_all.protect(table).entries,
            "optimum": optimum,
        }
        rows, columns, number = shape
        about = {"rows": rows, "columns": columns, "secrets": number, "draws": draws}
        found.append(about | measured(tables, ways))
        say(json.dumps(found[-1]))
    return found


def by_limit(source: data.People, limits: Sequence[Fraction], draws: int) -> list[Found]:
    """Hide sensitive entries of others for 20 secrets within other limits."""
    found = []
    for limit in limits:
        tables = [draw(source, (30_000, 7, 20), "a", seed, limit=limit) for seed in range(draws)]
        ways: Ways = {
            "cr": lambda table: rule_by_rule.protect(table).entries,
            "cover": lambda table: best_of_all.protect(table, method="cover").entries,
            "giveaway": lambda table: best_of_all.protect(table).entries,
        }
        found.append({"limit": float(limit), "draws": draws} | measured(tables, ways))
        say(json.dumps(found[-1]))
    return found


def by_values(source: data.People, numbers: Sequence[int], draws: int) -> list[Found]:
    """Hide conditions of others for 20 secrets with the most frequent values, more and more of them."""
    found = []
    for number in numbers:
        values = data.frequent(source, number)
        tables = [draw(source, (30_000, 7, 20), "b", seed, values, Fraction(7, 10)) for seed in range(draws)]
        ways: Ways = {
            "max descendant": lambda table: (
                along_rgraph.protect(table, heuristic="max descendant", seed=0).entries
            ),
            "cover": lambda table: best_of_all.protect(table, method="cover").entries,
            "giveaway": lambda table: best_of_all.protect(table).entries,
        }
        found.append({"values": number, "draws": draws} | measured(tables, ways))
        say(json.dumps(found[-1]))
    return found


def in_conditions(source: data.People, shapes: Sequence[tuple[int, int]], draws: int) -> list[Found]:
    """Hide conditions of others for ten secrets with the same value: the paper's case (b)."""
    values = data.frequent(source, 1)
    found = []
    for rows, columns in shapes:
        tables = [draw(source, (rows, columns, 10), "b", seed, values) for seed in range(draws)]
        ways: Ways = {
            "cr": lambda table: rule_by_rule.protect(table).entries,
            "random": lambda table: along_rgraph.protect(table, heuristic="random", seed=0).entries,
            "random max": lambda table: along_rgraph.protect(table, heuristic="random max", seed=0).entries,
            "max descendant": lambda table: (
                along_rgraph.protect(table, heuristic="max descendant", seed=0).entries
            ),
            "cover": lambda table: best_of_all.protect(table, method="cover").entries,
            "giveaway": lambda table: best_of_all.protect(table).entries,
            "optimum": optimum,
        }
        about = {"rows": rows, "columns": columns, "secrets": 10, "draws": draws}
        found.append(about | measured(tables, ways))
        say(json.dumps(found[-1]))
    return found


def in_regions(source: data.People, numbers: Sequence[int]) -> list[Found]:
    """Hide wherever each of the paper's cases allows it, in one table of 30,000 rows."""
    found = []
    for number in numbers:
        for letter in "abcdefg":
            table = draw(source, (30_000, 7, number), letter, 1)
            covering, covered = timed(lambda table=table: best_of_all.protect(table, method="cover"))
            seconds, plan = timed(lambda table=table: best_of_all.protect(table))
            found.append(
                {
                    "secrets": number,
                    "case": letter,
                    "cover": covered.entries,
                    "cover_seconds": covering,
                    "giveaway": plan.entries,
                    "seconds": seconds,
                    "lower_bound": plan.lower_bound,
                    "method": plan.method,
                }
            )
            say(json.dumps(found[-1]))
    return found


def growth(cases: Sequence[Case], folder: Path) -> list[Found]:
    """Protect larger and larger tables, each in a fresh process."""
    found = []
    for case in cases:
        about = {
            "rows": case.rows,
            "columns": case.columns,
            "secrets": case.secrets,
            "case": case.hideable,
            "least": case.least,
        }
        found.append(about | in_fresh_process(case, folder))
        say(json.dumps(found[-1]))
    return found


def in_fresh_process(case: Case, folder: Path) -> Found:
    command = [sys.executable, "-m", "benchmarks.attributes.child", case.as_json(), str(folder)]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return {"failed": f"stopped after {LONGEST} s"}
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1]}
    result: Found = json.loads(done.stdout)
    return result


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = work()
    return time.perf_counter() - started, answer


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
