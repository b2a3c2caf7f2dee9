"""A generated table that DuckDB holds: a verdict and readings, and how many rows come here for them."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
from benchmarks.shared import peak_mb
from benchmarks.tables import data

import giveaway as ga
from giveaway.engines.connections.working import Working
from giveaway.engines.part import RowsPart

TABLE, ID = "people", "who"
COLUMNS = tuple(f"c{place}" for place in range(6))
KNOWN, SENSITIVE = COLUMNS[:5], COLUMNS[5]
Found = dict[str, Any]


def store(file: Path, rows: int) -> None:
    """Let DuckDB hold six generated columns as text, and an id."""
    given = dict(zip(COLUMNS, data.generated(rows).T, strict=True))
    texts = ", ".join(f"CAST({name} AS VARCHAR) AS {name}" for name in COLUMNS)
    with duckdb.connect(str(file)) as connection:
        connection.register("given", given)
        connection.execute(f"CREATE TABLE {TABLE} AS SELECT row_number() OVER () AS {ID}, {texts} FROM given")  # noqa: S608


def judged(file: Path) -> Found:
    """Judge the table and read it off; each step has its time, its peak of memory so far, and the rows that came here."""
    brought: list[int] = []
    batches = Working.batches

    def counting(self: Working, frame: Any) -> Iterator[RowsPart]:
        for part in batches(self, frame):
            brought.append(len(part))
            yield part

    Working.batches = counting  # type: ignore[method-assign]
    address = f"duckdb:{file}"

    def assessed(columns: tuple[str, ...]) -> Found:
        table = ga.read_table(address, table=TABLE, id=ID, sensitive=SENSITIVE if columns is KNOWN else ())
        found = ga.assess(ga.Release(table), ga.KnowsDirectory(columns=columns), ga.Tolerance(identity="1/5"))
        return {"answer": f"{found.verdict}, {found.findings[0].risk.share} over", "rows": len(table)}

    def read_off() -> Found:
        found = ga.readings(address, table=TABLE, columns=KNOWN, sensitive=SENSITIVE)
        return {"answer": f"k = {found.k}, l = {found.l_distinct}", "rows": found.rows}

    steps: dict[str, Callable[[], Found]] = {
        "`assess`, six columns known": lambda: assessed(COLUMNS),
        "`assess`, five known, one sensitive": lambda: assessed(KNOWN),
        "`ga.readings`, five and one sensitive": read_off,
    }
    results: Found = {"peak_mb_before": peak_mb(), "steps": []}
    for name, step in steps.items():
        brought.clear()
        started = time.process_time()
        answer = step()
        seconds = time.process_time() - started
        results["steps"].append(
            {"step": name, "seconds": seconds, "peak_mb": peak_mb(), "brought": sum(brought)} | answer
        )
    return results
