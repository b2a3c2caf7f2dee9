"""Write the results of the benchmarks as Markdown."""

from collections.abc import Iterable
from typing import Any

from benchmarks.shared import opening, part, table

Found = dict[str, Any]


def markdown(results: Found) -> str:
    """Return one page with a table for each part."""
    head = opening(
        "Benchmarks of the attack `profiles`",
        results,
        "All numbers are of one run. Compiled code is loaded before anything is timed, "
        "so the compilation on first use is not in these times.",
    )
    parts = [
        *head,
        *part("The same problem with a cone solver", _comparison(results["comparison"])),
        *part("Adult, thresholds and numbers of values", _scaling(results["scaling"])),
        *part("Growth, generated tables of eight columns and six values", _growth(results["growth"])),
    ]
    return "\n".join(parts) + "\n"


def _trouble(found: Found) -> str | None:
    return found.get("skipped") or found.get("failed")


def _settings(found: Found) -> str:
    silence = "" if found["complete"] else ", absent rules not told"
    return f"s = {found['s']}, c = {found['c']}, scores {found['scores']}{silence}"


def _comparison(found: list[Found]) -> list[str]:
    rows = [
        (_settings(one), _trouble(one), *[""] * 7)
        if _trouble(one)
        else (
            _settings(one),
            f"{one['rows']:,}",
            f"{one['classes']:,}",
            f"{one['giveaway_seconds']:.4f}",
            f"{one['clarabel_seconds']:.2f}",
            f"{one['ratio']:,.0f}",
            f"{one['giveaway_violation']:.0e}",
            f"{one['clarabel_violation']:.0e}",
            f"{one['entropy_difference']:.0e}",
        )
        for one in found
    ]
    head = (
        "Adult | rows | classes | giveaway, s | Clarabel, s | times as fast | violation, giveaway | "
        "violation, Clarabel | difference of entropies"
    )
    told = [
        f"{_settings(one)}: with all {one['profiles']:,} profiles, not merged beforehand, giveaway takes "
        f"{one['giveaway_unmerged_seconds']:.4f} s; with modelling in CVXPY, Clarabel takes {one['cvxpy_seconds']:.2f} s."
        for one in found
        if not _trouble(one)
    ]
    note = (
        "Both solve the same merged problem: profiles that the same rows cover are one class, and rows that others "
        "imply are left out. Clarabel's time is its own account of solving, at its usual tolerance; violations are "
        "shares of the records."
    )
    return [*table(head, rows), "", note, *(line for text in told for line in ("", text))]


def _measured(one: Found, first: Iterable[object]) -> tuple[object, ...]:
    return (
        *first,
        f"{one['profiles']:,}",
        f"{one['rules']:,}",
        f"{one['rows']:,}",
        f"{one['mining_seconds']:.2f}",
        f"{one['preparing_seconds']:.2f}",
        f"{one['solving_seconds']:.3f}",
        one["rounds"],
        f"{one['active']:,}",
        f"{one['violation']:.0e}",
        f"{one['gap']:.0e}",
        f"{one['peak_mb']:,.0f}",
    )


_MEASURED = "profiles | rules | rows | mining, s | preparing, s | solving, s | rounds | active | violation | gap | peak, MB"


def _scaling(found: list[Found]) -> list[str]:
    rows = [
        (one.get("values", ""), _settings(one), _trouble(one), *[""] * 10)
        if _trouble(one)
        else _measured(one, (one["values"], _settings(one)))
        for one in found
    ]
    return table(f"values | settings | {_MEASURED}", rows)


def _growth(found: list[Found]) -> list[str]:
    rows = [
        (one["data"], one["scores"], _trouble(one), *[""] * 10)
        if _trouble(one)
        else _measured(one, (f"{one['records']:,}", one["scores"]))
        for one in found
    ]
    return table(f"records | scores | {_MEASURED}", rows)
