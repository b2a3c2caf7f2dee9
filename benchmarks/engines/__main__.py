"""Measure reading and counting of large tables in one run: `python -m benchmarks.engines [--quick]`.

Writes results.md and results.json beside this file. The data are generated in a folder for temporary files (TMPDIR) and
removed again; with what the engine puts aside they take about 6 GB of disk. Every table is read in a process of its own.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
from benchmarks.engines import data, servers
from benchmarks.engines.child import Case
from benchmarks.engines.writing import markdown
from benchmarks.shared import machine

HERE = Path(__file__).parent
ATTACKS = ("attributes", "directory")
MEMORY = 1 << 30
ROWS = (1_000_000, 10_000_000, 50_000_000)
SMALL_ROWS = (50_000, 200_000)
LITTLE = 256 << 20
TIMES = 4
"""How many times larger than its memory a file is."""
SMALL_LITTLE = 64 << 20
COMPARED = 1_000_000
LONGEST = 3600
"""Seconds after which a table is given up."""
Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.engines", description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="giveaway-bench-") as name:
        folder = Path(name)
        results = {
            "machine": machine("duckdb", "pyarrow"),
            "quick": given.quick,
            "memory": MEMORY,
            "growth": list(growth(folder, SMALL_ROWS if given.quick else ROWS)),
            "larger": list(
                larger(folder, SMALL_LITTLE if given.quick else LITTLE, 1 if given.quick else TIMES)
            ),
            "engines": list(engines(folder, SMALL_ROWS[0] if given.quick else COMPARED)),
        }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")
    say(f"written to {given.out / 'results.md'}")


def growth(folder: Path, sizes: tuple[int, ...]) -> Iterator[Found]:
    """Read and measure larger and larger Parquet files."""
    for rows in sizes:
        path = data.write(folder / "people.parquet", rows)
        for attack in ATTACKS:
            about = {"file_mb": path.stat().st_size / (1 << 20), "attack": attack}
            yield ran(about, Case(source=str(path), attack=attack, memory=MEMORY))
        path.unlink()


def larger(folder: Path, memory: int, times: int) -> Iterator[Found]:
    """Read, measure and write files that are larger than the memory allowed."""
    for ending in ("csv", "parquet"):
        path = folder / f"people.{ending}"
        data.write_large(path, times * memory)
        about = {"format": ending, "file_mb": path.stat().st_size / (1 << 20), "memory_mb": memory >> 20}
        yield ran(about, Case(source=str(path), attack=ATTACKS[0], memory=memory, writes=True))
        path.unlink()


def engines(folder: Path, rows: int) -> Iterator[Found]:
    """Read and measure the same rows where they live: a file, DuckDB, Spark, PostgreSQL."""
    path = data.write(folder / "people.parquet", rows)
    case = Case(source=str(path), attack=ATTACKS[0], memory=MEMORY)
    yield ran({"engine": "Parquet file"}, case)
    stored = folder / "people.duckdb"
    with duckdb.connect(str(stored)) as connection:
        connection.execute(f"CREATE TABLE people AS FROM '{path}'")
    yield ran({"engine": "DuckDB"}, replace(case, source=f"duckdb:{stored}", table="people"))
    stored.unlink()
    if (why := servers.spark_missing()) is None:
        yield ran({"engine": "Spark"}, replace(case, source=f"spark:{path}"))
    else:
        yield {"engine": "Spark", "failed": why}
    if (why := servers.postgres_missing()) is None:
        listed = data.write(folder / "people.csv", rows)
        with servers.postgres("people", listed) as address:
            yield ran({"engine": "PostgreSQL"}, replace(case, source=address, table="people"))
    else:
        yield {"engine": "PostgreSQL", "failed": why}


def ran(about: Found, case: Case) -> Found:
    """Run a case in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.engines.child", case.as_json()]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        found: Found = {"failed": f"stopped after {LONGEST} s"}
    else:
        failed = done.stderr.strip().splitlines()[-1:] or ["it ended without a word"]
        found = {"failed": failed[0]} if done.returncode else json.loads(done.stdout.splitlines()[-1])
    say(json.dumps(about | found))
    return about | found


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
