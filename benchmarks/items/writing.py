"""Write the results of the benchmarks as Markdown."""

from typing import Any

from benchmarks.shared import opening, part, table

Found = dict[str, Any]


def markdown(results: Found) -> str:
    """Return one page with a table for each part."""
    head = opening(
        "Benchmarks of the attack `items`",
        results,
        "All numbers are of one run. Compiled code is loaded before anything is timed, "
        "so the compilation on first use is not in these times.",
    )
    parts = [
        *head,
        *part("Counting nuggets", _mining(results["mining"])),
        *part("Protecting", _protections(results["protections"])),
        *part("Nuggets kept", _comparison(results["comparison"])),
        *part("Growth, generated transactions, p = 2", _growth(results["growth"])),
    ]
    return "\n".join(parts) + "\n"


def _mining(found: Found) -> list[str]:
    if "skipped" in found:
        return [f"Left out: {found['skipped']}."]
    row = (
        found["data"],
        f"{found['min_support']:,}",
        f"{found['nuggets']:,}",
        f"{found['giveaway_seconds']:.3f}",
        f"{found['fpgrowth_seconds']:.2f}",
        f"{found['ratio']:,.0f}",
    )
    head = "data | support | nuggets | giveaway, s | mlxtend fpgrowth, s | times as fast"
    told = "Both find the same number; fpgrowth also lists the itemsets, giveaway keeps them as intervals."
    return [*table(head, [row]), "", told]


def _settings(found: Found) -> str:
    return f"{found['h']}, {found['k']}, {found['p']}, {found['min_support']:,}"


def _trouble(found: Found) -> str | None:
    return found.get("skipped") or found.get("failed")


def _protections(found: list[Found]) -> list[str]:
    rows = [
        (one["data"], _settings(one), one["score"], _trouble(one), "", "", "", "")
        if _trouble(one)
        else (
            one["data"],
            _settings(one),
            one["score"],
            f"{one['withheld']:,}",
            f"{one['nuggets_kept']:,}",
            f"{one['read_seconds']:.1f}",
            f"{one['seconds']:.1f}",
            f"{one['peak_mb']:,.0f}",
        )
        for one in found
    ]
    head = "data | h, k, p, support | score | items withheld | nuggets kept | reading, s | protecting, s | peak, MB"
    return table(head, rows)


def _comparison(found: list[Found]) -> list[str]:
    rows = [
        (one["data"], _settings(one), _trouble(one), "", "", "", "")
        if _trouble(one)
        else (
            one["data"],
            _settings(one),
            f"{one['nuggets']:,}",
            *(_kept(one, way) for way in ("giveaway", "paper", "kdd08")),
            f"{_kept(one, 'k_to_the_m')}; {one['k_to_the_m_moles_left']:,} moles left",
        )
        for one in found
    ]
    told = (
        "KDD'08 suppresses by minimal moles for each item occurrence; k^m does so with every item public and nothing "
        "said about private items, a weaker guarantee: the moles it leaves under the tolerance are counted."
    )
    head = "data | h, k, p, support | nuggets | giveaway | the paper as printed | KDD'08 | k^m"
    return [*table(head, rows), "", told]


def _kept(found: Found, way: str) -> str:
    return f"{found[way]:,} ({100 * found[way] / found['nuggets']:.1f} %)"


def _growth(found: list[Found]) -> list[str]:
    rows = [
        (one["data"], _trouble(one), "", "", "", "")
        if _trouble(one)
        else (
            f"{one['transactions']:,}",
            f"{one['min_support']:,}",
            f"{one['withheld']:,}",
            f"{one['seconds']:.2f}",
            f"{1e6 * one['seconds'] / one['transactions']:.1f}",
            f"{one['peak_mb']:,.0f}",
        )
        for one in found
    ]
    return table(
        "transactions | support | items withheld | protecting, s | microseconds each | peak, MB", rows
    )
