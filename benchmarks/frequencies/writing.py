"""Write the results of the benchmarks as Markdown."""

from typing import Any

from benchmarks.shared import opening, part, table

Found = dict[str, Any]

PROTOCOL = 5_000 * 10_000 + 20 * 100_000
"""The sweeps of the paper's simulation."""


def markdown(results: Found) -> str:
    """Return one page with a table for each part."""
    parts = opening(
        "Benchmarks of the attack `frequencies`",
        results,
        "All numbers are of one run. Compiled code is loaded before anything is timed. The attacker "
        "knows every frequency give or take the median gap.",
    )
    for title, lines in (
        ("Expected cracks: exact, and the errors of estimates", _exact(results["exact"])),
        ("Exact chances of all pairs", _pairs(results["pairs"])),
        ("Samplers: independent mappings a second", _sampling(results["sampling"])),
        ("Wide beliefs, 285 generated items in 32,711 transactions", _wide(results["wide"])),
        ("Growth, generated supports", _growth(results["growth"])),
    ):
        parts += part(title, lines)
    return "\n".join(parts) + "\n"


def _missing(found: list[Found]) -> list[str]:
    return [f"\nLeft out: {row['skipped']}." for row in found if "skipped" in row]


def _exact(found: list[Found]) -> list[str]:
    rows = [
        (
            row["data"],
            f"{row['items']:,}",
            f"{row['groups']:,}",
            f"{row['transitions']:,}",
            f"{row['expected']:.3f}",
            f"{row['seconds']:.3f}",
            f"{row['reading_seconds']:.2f}",
            f"{100 * row['o_estimate_error']:+.2f} % in {1000 * row['o_estimate_seconds']:.1f} ms",
            f"{100 * row['sinkhorn_error']:+.2f} % in {1000 * row['sinkhorn_seconds']:.1f} ms",
            (
                f"{100 * row['belief_propagation_error']:+.2f} % in "
                f"{1000 * row['belief_propagation_seconds']:.1f} ms"
            ),
        )
        for row in found
        if "skipped" not in row
    ]
    head = "data | items | groups | transitions | exact | exact, s | reading, s | O-estimate | Sinkhorn | belief propagation"
    return [*table(head, rows), *_missing(found)]


def _pairs(found: list[Found]) -> list[str]:
    rows = [
        (row["data"], f"{row['pairs']:,}", f"{row['mean']:.4f}", f"{row['seconds']:.2f}")
        for row in found
        if "skipped" not in row
    ]
    return [*table("data | pairs | mean chance | s", rows), *_missing(found)]


def _sampling(found: list[Found]) -> list[str]:
    rows = [
        (
            row["data"],
            row["sampler"],
            f"{row['draws']:,}",
            f"{row['mean']:.2f} ± {row['margin']:.2f}",
            "-" if row["exact"] is None else f"{row['exact']:.2f}",
            f"{row['sweeps_per_effective']:.1f}",
            f"{row['effective_per_second']:,.0f}",
            _protocol(row) if row["sampler"] == "paper" else "",
        )
        for row in found
        if "skipped" not in row
    ]
    head = (
        "data | sampler | mappings | mean cracks | exact | mappings for one independent | independent a second | "
        "protocol of the paper"
    )
    note = [
        "",
        (
            "The chain of the paper starts with all items cracked; where its mean is far from the exact one it has "
            "not forgotten that, and its numbers say little. Its protocol, 5,000 mappings 10,000 sweeps apart after 20 "
            "starts of 100,000 sweeps, is extrapolated from the sweeps a second seen here."
        ),
    ]
    return [*table(head, rows), *note, *_missing(found)]


def _protocol(row: Found) -> str:
    seconds = PROTOCOL / (row["sweeps_per_effective"] * row["effective_per_second"])
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"


def _growth(found: list[Found]) -> list[str]:
    rows = [
        (
            f"{row['items']:,}",
            f"{row['o_estimate']:,.0f} in {row['o_estimate_seconds']:.2f} s",
            f"{row['belief_propagation']:,.0f} in {row['belief_propagation_seconds']:.2f} s",
            f"over budget in {row['seconds']:.1f} s"
            if row["expected"] is None
            else f"{row['expected']:,.0f} in {row['seconds']:.1f} s",
        )
        for row in found
    ]
    return table("items | O-estimate | belief propagation | exact", rows)


def _wide(found: list[Found]) -> list[str]:
    rows = [
        (
            f"{row['half_width']:g}",
            f"{row['groups']:.0f}",
            "given up" if row["expected"] is None else f"{row['expected']:.2f}",
            f"{row['seconds']:.1f}",
            f"{row['peak'] / 1e6:,.0f}",
        )
        for row in found
    ]
    return table("half-width | groups an item may be in | expected cracks | s | peak MB", rows)
