"""Write the results of a run as a page."""

from typing import Any

from benchmarks.shared import opening, part, table


def markdown(results: dict[str, Any]) -> str:
    told = f"Adult, {results['rows']:,} rows. One run; the shortest of nine calls for giveaway, of five for pyCANON's k, one call for its l and t."
    lines = opening("Readings and levels", results, told)
    lines += part("k, l and t from the same frame", _readings(results["readings"]))
    lines += part("One level for each column", _levels(results["levels"]))
    return "\n".join(lines) + "\n"


def _readings(found: list[dict[str, Any]]) -> list[str]:
    lines = [
        "giveaway's time for k is that of `ga.readings` without a sensitive column; its time for l and t is that of all readings at once.",
        "Nearly all of it goes into numbering the values of the frame; the time from a `ga.Table`, of which this was done, is in the next column.",
        "The sensitive column is occupation. All values are equal.",
        "",
    ]
    rows = []
    for one in found:
        for name in ("k", "l", "t"):
            seconds = one[name]
            ratio = seconds["pycanon"] / seconds["giveaway"]
            rows.append(
                (
                    ", ".join(one["columns"]),
                    name,
                    f"{seconds['value']:.6g}",
                    f"{seconds['giveaway'] * 1000:.1f}",
                    f"{seconds['giveaway_table'] * 1000:.2f}",
                    f"{seconds['pycanon'] * 1000:,.0f}",
                    f"{ratio:,.0f} x",
                )
            )
    return lines + table(
        "columns | reading | value | giveaway ms | from a Table ms | pyCANON ms | faster", rows
    )


def _levels(found: list[dict[str, Any]]) -> list[str]:
    lines = [
        "Nine columns with the hierarchies of ARX; eleven with hours (by tens, by working time) and relationship (couples) in addition.",
        "Every node is proved best. `counted` leaves out the sets of up to three columns that bound the others; their time is included.",
        "",
    ]
    head = "nodes | crowd | suppress | best node | suppressed | loss | nodes counted | CPU s"
    return lines + table(
        head,
        (
            (
                f"{one['nodes']:,}",
                one["crowd"],
                one["suppress"],
                " ".join(map(str, one["node"])),
                f"{one['suppressed']:,}",
                f"{one['loss']:.6f}",
                f"{one['counted']:,}",
                f"{one['cpu']:.2f}",
            )
            for one in found
        ),
    )
