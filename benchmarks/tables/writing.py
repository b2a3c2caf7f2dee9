"""Write the results of the benchmark as Markdown."""

from typing import Any

from benchmarks.shared import opening, part, table

Found = dict[str, Any]


def markdown(results: Found) -> str:
    """Return one page with a table for each part."""
    told = "All numbers are of one run with fixed seeds. Times are those of the processor, from rows of codes to the entries that are blank, the draw included."
    parts = [
        *opening("Benchmarks of crowds", results, told),
        *part("Blanks, against two other ways", _compared(results)),
        *part("Somebody knows at most some of the columns", _some_columns(results["some_columns"])),
        *part("A generated table, six columns", _generated(results["generated"])),
        *part("The same table in DuckDB, counted there", _held(results["held"])),
    ]
    return "\n".join(parts) + "\n"


def _compared(results: Found) -> list[str]:
    head = (
        "table | columns | k | by column order: blanks | rows below k | s | least for each record: blanks | rows below k (alone) | s "
        "| plan: blanks | s | plan with repair: blanks | s | lower bound | s | by a linear program | s"
    )
    rows = []
    for one in results["tables"]:
        order, least, plan, repair = (
            one.get(way) for way in ("by column order", "least for each record", "plan", "plan with repair")
        )
        rows.append(
            (
                one["table"],
                ", ".join(one["columns"]),
                one["crowd"],
                f"{order['blanks']:,}",
                order["below"],
                f"{order['seconds']:.2f}",
                f"{least['blanks']:,}",
                f"{least['below']:,} ({least['alone']:,})",
                f"{least['seconds']:.2f}",
                f"{plan['blanks']:,}",
                f"{plan['seconds']:.2f}",
                f"{repair['blanks']:,}" if repair else "-",
                f"{repair['seconds']:.2f}" if repair else "-",
                f"{one['bound']:,.0f}",
                f"{one['bound_seconds']:.2f}",
                f"{one['linear_bound']:,.0f}",
                f"{one['linear_seconds']:.2f}",
            )
        )
    below = sum(one["plan"]["below"] for one in results["tables"])
    told = (
        "By column order: rows in too small a crowd get blank after blank, the column with most values first, as in "
        "local suppression of sdcMicro. Least for each record: what `protect` chooses for somebody who does not know how "
        "it chooses; somebody who does finds rows below k among the others. The plans leave "
        f"{below} rows below k. Repair: {results['rounds']} rounds, up to 7 columns."
    )
    return [*table(head, rows), "", told]


def _some_columns(found: list[Found]) -> list[str]:
    rows = [
        (
            ", ".join(one["columns"]),
            one["crowd"],
            one["known"],
            one["sets"],
            f"{one['blanks']:,}",
            one["short"],
            f"{one['seconds']:.2f}",
            f"{one['bound']:,.0f}",
            f"{one['whole']:,}",
            f"{one['whole_seconds']:.2f}",
        )
        for one in found
    ]
    told = (
        "Adult. Rows shown as they are have a crowd in each of the sets of that many columns, all others one in all "
        "columns; rows short are those without. The plan in all columns is made on the way, and its time is included."
    )
    head = "columns | k | known at most | sets | plan: blanks | rows short | s | lower bound | plan in all columns: blanks | s"
    return [*table(head, rows), "", told]


def _generated(found: Found) -> list[str]:
    rows = [
        (
            f"{found['rows']:,}",
            f"{one['profiles']:,}",
            one["crowd"],
            f"{one['blanks']:,}",
            one["smallest"],
            f"{one['seconds']:.2f}",
            f"{one['bound']:,.0f}",
            f"{one['bound_seconds']:.2f}",
        )
        for one in found["crowds"]
    ]
    return [
        *table("rows | profiles | k | plan: blanks | smallest crowd | s | lower bound | s", rows),
        "",
        f"In a fresh process. Peak memory {found['peak_mb']:,.0f} MB; {found['peak_mb_before']:,.0f} MB before, for the table and what is imported.",
    ]


def _held(found: Found) -> list[str]:
    rows = [
        (
            one["step"],
            f"{one['rows']:,}",
            f"{one['brought']:,}",
            one["answer"],
            f"{one['seconds']:.1f}",
            f"{one['peak_mb']:,.0f}",
        )
        for one in found["steps"]
    ]
    told = (
        "In a fresh process, one step after the other, reading included; nothing was loaded or compiled before. Times "
        "are those of the processor, DuckDB's included; the peak is that of the process so far, DuckDB included, "
        f"{found['peak_mb_before']:,.0f} MB before. What comes here are distinct rows with their numbers, and two "
        "answers about ids."
    )
    return [*table("step | rows | rows brought here | answer | s | peak, MB", rows), "", told]
