"""Measure what judging together with an earlier release costs: `python -m benchmarks.composition [--data FOLDER] [--quick]`.

Each question is asked about the release now alone and together with an earlier one, in the same run; `protect` likewise.
Ten million made-up rows are joined and judged where they are, in DuckDB.
Writes results.md and results.json beside this file.
"""

import argparse
import csv
import gzip
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.attributes.data import SHARED
from benchmarks.composition import where_data_are
from benchmarks.shared import machine, opening, part, peak_mb, table, timed

import giveaway as ga

HERE = Path(__file__).parent
CROWD = ga.Tolerance(identity="1/5")
QUESTIONS = {
    "Adult": (
        "adult/adult_train_complete.csv.gz",
        ",",
        ("decade", "sex", "race", "education"),
        ("decade", "sex", "marital-status", "workclass"),
    ),
    "bank": (
        "bank/bank-full.csv.gz",
        ";",
        ("decade", "job", "marital", "education"),
        ("decade", "housing", "loan", "contact", "month"),
    ),
}
BASKETS = ("groceries", "mushroom")
Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.composition", description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=SHARED, help="folder that holds adult, bank and transactions"
    )
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--busy", action="store_true", help="say that other work ran on the machine")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    given = parser.parse_args()
    if not (given.data / "adult").exists():
        sys.exit(f"Adult is not in {given.data}.")
    most = 2_000 if given.quick else None
    results = {
        "machine": machine("duckdb"),
        "quick": given.quick,
        "busy": given.busy,
        "tables": [of_table(given.data, name, most) for name in QUESTIONS],
        "baskets": [of_baskets(given.data, name, most) for name in BASKETS],
        "peak_mb": peak_mb(),
        "where_data_are": where_data_are.measured(quick=given.quick),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")


def of_table(folder: Path, name: str, most: int | None) -> Found:
    """Join two releases of four columns each, row by row, for somebody who knows all of them."""
    path, separator, first, second = QUESTIONS[name]
    with gzip.open(folder / path, "rt", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter=separator))[:most]
    for row in rows:
        row["decade"] = str(int(row["age"]) // 10 * 10)
    tables = [
        ga.Table.from_rows([{c: row[c] for c in columns} for row in rows]) for columns in (first, second)
    ]
    known = tuple(dict.fromkeys((*first, *second)))
    then = ga.protect(ga.Release(tables[0]), knows(first), CROWD).release
    before = ga.Earlier(then, name="earlier", linked="rows", rows=range(1, len(rows) + 1))
    return asked(name, len(rows), ga.Release(tables[1]), knows(second), knows(known), before)


def knows(columns: tuple[str, ...]) -> ga.KnowsDirectory:
    return ga.KnowsDirectory(columns=columns, knows_method=False)


def of_baskets(folder: Path, name: str, most: int | None) -> Found:
    """Join the halves of a file: row i of both plays one person."""
    with gzip.open(folder / "transactions" / f"{name}.dat.gz", "rt", encoding="utf-8") as lines:
        rows = [line.split() for line in lines if line.strip()][:most]
    half = len(rows) // 2
    two = ga.KnowsItems(at_most=2)
    releases = [ga.Release(ga.Transactions.from_lists(part)) for part in (rows[:half], rows[half : 2 * half])]
    then = ga.protect(releases[0], two, CROWD).release
    before = ga.Earlier(then, name="earlier", linked="rows", rows=range(1, half + 1))
    return asked(name, half, releases[1], two, two, before)


def asked(name: str, rows: int, now: ga.Release, alone: Any, knowing: Any, before: ga.Earlier) -> Found:
    """Ask about a release alone and together with an earlier one; each is asked anew, once everything is loaded."""

    def fresh() -> ga.Release:
        # What was counted is kept with the data.
        return replace(now, original=replace(now.original))

    ga.assess(now, alone, CROWD)
    by_itself, first = timed(lambda: ga.assess(fresh(), alone, CROWD).verdict, 3)
    together, found = timed(lambda: ga.assess(fresh(), knowing, CROWD, earlier=before), 3)
    one = found.findings[0].together[0]
    protect_alone, safe = timed(lambda: ga.protect(fresh(), alone, CROWD))
    protect_together, after = timed(lambda: ga.protect(fresh(), knowing, CROWD, earlier=before))
    return {
        "name": name,
        "rows": rows,
        "alone": by_itself,
        "together": together,
        "verdicts": [first, found.verdict, after.verdict],
        "share": float(one.risk.share),
        "protect_alone": protect_alone,
        "protect_together": protect_together,
        "withheld": [str(safe.withheld), str(after.withheld)],
    }


def markdown(results: Found) -> str:
    told = (
        "Two releases joined row by row; the earlier one is protected at a crowd of 5. Shortest of three calls of `assess`, "
        "one call of `protect`; attackers do not know the method."
    )
    busy = (
        " Other work ran on the machine: only figures of one line can be compared." if results["busy"] else ""
    )
    lines = opening("Releases over time", results, told + busy)
    head = "data | people | assess alone s | together s | times | protect alone s | after the earlier one s | over when joined | withheld alone | after"
    rows = [
        (
            one["name"],
            f"{one['rows']:,}",
            f"{one['alone']:.2f}",
            f"{one['together']:.2f}",
            f"{one['together'] / one['alone']:.1f}",
            f"{one['protect_alone']:.1f}",
            f"{one['protect_together']:.1f}",
            f"{one['share']:.1%}",
            *one["withheld"],
        )
        for one in (*results["tables"], *results["baskets"])
    ]
    lines += part("Judging and protecting together, next to now alone", table(head, rows))
    lines += ["", f"Peak memory of this part: {results['peak_mb']:,.0f} MB."]
    lines += part("Joined where the data are", in_engine(results["where_data_are"]))
    return "\n".join(lines) + "\n"


def in_engine(found: Found) -> list[str]:
    """Tell what judging many rows in DuckDB costs, alone and together."""
    told = (
        "Made-up people and an earlier release of them, two tables of one DuckDB file, joined by id there; once, each in a "
        "process of its own, reading included."
    )
    alone, together = found["alone"], found["together"]
    head = "people | distinct rows now | distinct joined rows | alone s | together s | times | peak alone MB | together MB"
    row = (
        f"{together['rows']:,}",
        f"{alone['distinct']:,}",
        f"{together['distinct']:,}",
        f"{alone['seconds']:.0f}",
        f"{together['seconds']:.0f}",
        f"{together['seconds'] / alone['seconds']:.1f}",
        f"{alone['peak_mb']:,.0f}",
        f"{together['peak_mb']:,.0f}",
    )
    return [told, "", *table(head, [row])]


if __name__ == "__main__":
    main()
