"""Join many rows in DuckDB and judge them, in a process of its own: `python -m benchmarks.composition.where_data_are FOLDER`.

The folder holds the made-up database; prints as JSON what judging takes, alone or together with the earlier release.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import duckdb
from benchmarks.shared import peak_mb, timed

import giveaway as ga

ROWS, FEWER = 10_000_000, 20_000
EARLIER = """
[[earlier]]
release = "duckdb:people.duckdb"
table = "earlier"
id = "person"
linked = "rows"
"""
SCENARIO = """
[release]
data = "duckdb:people.duckdb"
table = "people"
id = "person"
leave_out = ["town"]
{earlier}
[tolerates]
identity = "1/5"

[[knows]]
attack = "directory"
columns = ["age", "job", "sex"{more}]
knows_method = false
"""


def measured(*, quick: bool) -> dict[str, Any]:
    """Make the data, and judge them alone and together, each in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), FEWER if quick else ROWS)
        return {"alone": asked(folder, "alone"), "together": asked(folder, "together")}


def make(folder: Path, rows: int) -> None:
    """Write the people now and an earlier release of them: about a tenth as many distinct joined rows as rows."""
    with duckdb.connect(folder / "people.duckdb") as made:
        made.execute("SET threads = 1")
        made.execute("SET enable_progress_bar = false")
        made.execute("SELECT setseed(0.5)")
        made.execute(
            "CREATE TABLE people AS SELECT i AS person, (random() * 100)::INT AS age, (random() * 20)::INT AS job, "
            "(random() * 2)::INT AS sex, (random() * ?)::INT AS town FROM range(?) AS r(i)",
            [max(rows // 50_000, 2), rows],
        )
        made.execute(
            "CREATE TABLE earlier AS SELECT person, CASE WHEN random() < 0.02 THEN NULL ELSE town END AS town, age FROM people "
            "ORDER BY random()"
        )


def asked(folder: str, how: str) -> dict[str, Any]:
    """Ask in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.composition.where_data_are", folder, how]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def judged(folder: Path, how: str) -> dict[str, Any]:
    """Read and judge, once everything is loaded by asking the same about few people."""
    more = {"earlier": EARLIER, "more": ', "town"'} if how == "together" else {"earlier": "", "more": ""}
    text = SCENARIO.format(**more)

    def ask(place: Path) -> ga.Assessment:
        return ga.Scenario.from_text(text, place).assess(effort=ga.Effort(seconds=3600))

    with tempfile.TemporaryDirectory() as few:
        make(Path(few), FEWER)
        ask(Path(few))
    before = peak_mb()
    seconds, found = timed(lambda: ask(folder))
    (finding,) = found.findings
    seen = finding.together[0].view.release if finding.together else found.release
    return {
        "rows": len(seen.original),
        "distinct": len(seen.original.weights),
        "seconds": seconds,
        "verdict": found.verdict,
        "peak_mb_before": before,
        "peak_mb": peak_mb(),
    }


if __name__ == "__main__":
    json.dump(judged(Path(sys.argv[1]), sys.argv[2]), sys.stdout)
