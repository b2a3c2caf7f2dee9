"""Read and measure one table in a process of its own and print what it took: `python -m benchmarks.engines.child JSON`."""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.engines.data import CONDITIONS, ID, SENSITIVE
from benchmarks.shared import peak_mb

import giveaway as ga
from giveaway.model.data.table import Table
from giveaway.model.progress import limited
from giveaway.model.published import Published
from giveaway.model.release.cells import Cells

SECRETS = 1_000


@dataclass(frozen=True, kw_only=True)
class Case:
    """One table to read, measure and perhaps write."""

    source: str
    """A file, an address, or `spark:` and a Parquet file."""
    table: str | None = None
    attack: str | None = None
    memory: int = 1 << 30
    writes: bool = False

    def as_json(self) -> str:
        return json.dumps(asdict(self))


def run(case: Case) -> dict[str, Any]:
    """Load compiled code on a small table, then run the stages; each has its own time and peak."""
    stages: dict[str, dict[str, float]] = {}
    with source(case) as read, limited(memory=case.memory):
        if case.attack is not None:
            measured(case, small())
        found: dict[str, Any] = {"peak_mb_before": peak_mb(), "stages": stages}
        table = stage(stages, "read", read)
        found |= {"rows": len(table), "distinct": len(table.weights)}
        if case.attack is not None:
            finding = stage(stages, "measure", lambda: measured(case, table)).to_dict()["findings"][0]
            found["worst"] = finding["worst"]
        if case.writes:
            stage(stages, "write", lambda: written(table))
    return found


def measured(case: Case, table: Table) -> ga.Assessment:
    """Judge the table as the attack wants it judged."""
    effort = ga.Effort(seconds=3600)
    if case.attack == "directory":
        attacker: Any = ga.KnowsDirectory(columns=CONDITIONS)
        return ga.assess(ga.Release(table), attacker, ga.Tolerance(identity="1/5"), effort=effort)
    attacker = ga.KnowsAttributes(
        columns=CONDITIONS, trusts_support_above=len(table) // 500, knows_method=False
    )
    release = ga.Release(table, secrets=secrets(table))
    return ga.assess(release, attacker, ga.Tolerance(attribute="0.6"), effort=effort)


def written(table: Table) -> None:
    """Write the release with the secrets hidden."""
    with tempfile.TemporaryDirectory() as folder:
        assert table.origin is not None  # noqa: S101 # it was read from a file
        table.origin.write(Path(folder), Published(cells=secrets(table)))


def secrets(table: Table) -> Cells:
    return Cells.at({SENSITIVE: np.linspace(0, len(table) - 1, min(SECRETS, len(table))).astype(np.int64)})


def small() -> Table:
    random = np.random.default_rng(1)
    names = (*CONDITIONS, SENSITIVE)
    rows = [
        dict(zip(names, map(str, row), strict=True)) | {ID: str(at)}
        for at, row in enumerate(random.integers(0, 3, (500, len(names))).tolist())
    ]
    return ga.Table.from_rows(rows, sensitive=SENSITIVE, id=ID)


@contextmanager
def source(case: Case) -> Iterator[Callable[[], Table]]:
    """Give what reads the table; a Spark session is started before, so that its start is in no time."""
    how: dict[str, Any] = {"sensitive": SENSITIVE, "id": ID}
    if not case.source.startswith("spark:"):
        place = {} if case.table is None else {"table": case.table}
        yield lambda: ga.read_table(case.source, **place, **how)
        return
    from benchmarks.engines.servers import spark_session

    with spark_session() as session:
        frame = session.read.parquet(case.source.removeprefix("spark:"))
        frame.count()
        yield lambda: ga.Table.from_frame(frame, **how)


def stage(stages: dict[str, dict[str, float]], name: str, work: Callable[[], Any]) -> Any:
    forget_peak()
    started = time.perf_counter()
    answer = work()
    stages[name] = {"seconds": time.perf_counter() - started, "peak_mb": peak_mb()}
    return answer


def forget_peak() -> None:
    """Let Linux begin anew to note the most memory that this process holds."""
    noted = Path("/proc/self/clear_refs")
    if noted.exists():
        noted.write_text("5", encoding="utf-8")


if __name__ == "__main__":
    print(json.dumps(run(Case(**json.loads(sys.argv[1])))))
