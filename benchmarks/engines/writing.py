"""Write the results of the benchmarks as Markdown."""

from typing import Any

from benchmarks.shared import opening, part, table

Found = dict[str, Any]

GOAL_MB = 2048


def markdown(results: Found) -> str:
    """Return one page with a table for each part."""
    head = opening(
        "Benchmarks of the engines",
        results,
        "A generated table of people: an id, seven conditions, a disease; at most a million distinct "
        "rows. Every line is one run in a process of its own. Compiled code is loaded before anything is timed. The "
        "peak of a stage is the most memory the process held during it, and includes what earlier stages left.",
    )
    return "\n".join([*head, *_growth(results), *_larger(results), *_engines(results)]) + "\n"


def _growth(results: Found) -> list[str]:
    rows = [
        (one["attack"], f"{one['file_mb']:,.0f}", *_counts(one), *_stages(one, 2))
        for one in results["growth"]
    ]
    told = (
        f"Parquet files, read with `--memory {results['memory'] >> 20}MB`. The goal for ten million rows is a peak of at "
        f"most {GOAL_MB:,} MB."
    )
    head = "attack | file, MB | rows | distinct rows | read, s | peak, MB | measure, s | peak, MB"
    return part("Growth", [*table(head, rows), "", told])


def _larger(results: Found) -> list[str]:
    rows = [
        (one["format"], f"{one['file_mb']:,.0f}", one["memory_mb"], *_counts(one), *_stages(one, 3))
        for one in results["larger"]
    ]
    head = (
        "format | file, MB | memory allowed, MB | rows | distinct rows | read, s | peak, MB | measure, s | peak, MB | "
        "write, s | peak, MB"
    )
    told = (
        "The memory allowed is that of the engine; the process holds besides it the program itself, the distinct rows, "
        "four bytes for each row, and the ids. The Parquet file is stored without packing. Writing hides 1,000 entries."
    )
    return part("Files larger than their memory", [*table(head, rows), "", told])


def _engines(results: Found) -> list[str]:
    first = _seconds(results["engines"][0])
    rows = [
        (
            one["engine"],
            *_counts(one),
            *_stages(one, 2),
            f"{_seconds(one) / first:.1f}" if first and _seconds(one) else "",
        )
        for one in results["engines"]
    ]
    head = "engine | rows | distinct rows | read, s | peak, MB | measure, s | peak, MB | times the file"
    told = (
        "The attack `attributes` on the same rows. Spark runs on two cores of this machine and was started before; the "
        "memory of Spark and PostgreSQL themselves is not in the peak. Rows that stay in an engine are asked who "
        "has which record while measuring."
    )
    return part("The same rows in several engines", [*table(head, rows), "", told])


def _counts(one: Found) -> tuple[str, str]:
    return (one["failed"], "") if "failed" in one else (f"{one['rows']:,}", f"{one['distinct']:,}")


def _stages(one: Found, count: int) -> list[str]:
    found = [
        text
        for stage in one.get("stages", {}).values()
        for text in (f"{stage['seconds']:.1f}", f"{stage['peak_mb']:,.0f}")
    ]
    return found + [""] * (2 * count - len(found))


def _seconds(one: Found) -> float:
    return sum(stage["seconds"] for stage in one.get("stages", {}).values())
