"""Write the results of the benchmarks as Markdown."""

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.shared import opening, part

Found = dict[str, Any]

_WAYS = {
    "cr": "CR",
    "random": "RANDOM",
    "random max": "RANDOM-MAX",
    "max descendant": "MAX-DESCENDANT",
    "cover": "greedy",
    "giveaway": "giveaway",
    "optimum": "optimum",
}


def markdown(results: Found) -> str:
    """Return one page with a table for each part."""
    head = opening(
        "Benchmarks of the attack `attributes`",
        results,
        f"Data: {results['data']}, sensitive column occupation, limit 0.6; a rule is believed when more "
        "than 0.2 % of the records support it. All numbers of a part are of one run. Compiled code is loaded before anything "
        "is timed, so the compilation on first use is not in these times.",
    )
    parts = [
        *head,
        *part("Entries hidden, sensitive entries of others (a)", _compared(results["values"])),
        *part("The same within other limits, 20 secrets", _varied(results["limits"], "limit")),
        *part(
            "Entries hidden, conditions of others (b), ten secrets of one value",
            _compared(results["conditions"]),
        ),
        *part(
            "The same for 20 secrets with several values, limit 0.7", _varied(results["several"], "values")
        ),
        *part("Every case, 30,000 rows, seven conditions", _regions(results["regions"])),
        *part("Growth, measuring and protecting", _growth(results["growth"])),
    ]
    return "\n".join(parts) + "\n"


def _table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> list[str]:
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    return lines + [f"| {' | '.join(map(str, row))} |" for row in rows]


def _compared(found: list[Found]) -> list[str]:
    ways = [way for way in _WAYS if way in found[0]]
    rows = [
        (
            f"{one['rows']:,}",
            one["columns"],
            f"{one['secrets']:,}",
            f"{one['unsafe_rules']:,.0f}",
            *(_entries(one[way]) for way in ways),
        )
        for one in found
    ]
    head = ["rows", "conditions", "secrets", "unsafe rules", *(_WAYS[way] for way in ways)]
    told = (
        f"Means of {found[0]['draws']} draws, with seconds. CR hides rules one by one (Saygin, Verykios, Clifton 2001, in "
        "our reading). The optimum is proved by constraint programming, independently of the others."
    )
    return [*_table(head, rows), "", told]


def _varied(found: list[Found], what: str) -> list[str]:
    ways = [way for way in _WAYS if way in found[0]]
    rows = [
        (one[what], f"{one['unsafe_rules']:,.0f}", *(_entries(one[way]) for way in ways)) for one in found
    ]
    head = [what, "unsafe rules", *(_WAYS[way] for way in ways)]
    return [*_table(head, rows), "", f"30,000 rows, seven conditions, means of {found[0]['draws']} draws."]


def _entries(found: Found) -> str:
    hidden = "not proved" if found["entries"] is None else f"{found['entries']:,.1f}"
    return f"{hidden} ({found['seconds']:.2f} s)"


def _regions(found: list[Found]) -> list[str]:
    rows = [
        (
            f"{one['secrets']:,}",
            one["case"],
            f"{one['cover']:,} ({one['cover_seconds']:.2f} s)",
            f"{one['giveaway']:,} ({one['seconds']:.2f} s)",
            f"{one['lower_bound']:,}",
            one["method"],
        )
        for one in found
    ]
    head = ["secrets", "case", "greedy", "giveaway", "no fewer than", "found by"]
    return _table(head, rows)


def _growth(found: list[Found]) -> list[str]:
    rows = [
        (*_settings(one), one["failed"], "", "", "", "", "")
        if "failed" in one
        else (
            *_settings(one),
            f"{one['distinct']:,}",
            f"{one['unsafe_rules']:,}",
            f"{one['hidden']:,}",
            f"{one['lower_bound']:,}",
            f"{one['seconds']:.1f}",
            f"{one['peak_mb']:,.0f}",
        )
        for one in found
    ]
    head = [
        "rows",
        "conditions",
        "secrets",
        "case",
        "distinct rows",
        "unsafe rules",
        "entries hidden",
        "no fewer than",
        "seconds",
        "peak, MB",
    ]
    told = (
        "Through the public interface, from the table in memory to the answer: measuring, protecting, measuring again. "
        "Tables larger than the data are drawn from them with replacement and 3 % of the entries drawn anew."
    )
    return [*_table(head, rows), "", told]


def _settings(one: Found) -> tuple[object, ...]:
    return f"{one['rows']:,}", one["columns"], f"{one['secrets']:,}", one["case"]
