"""Write the results of the benchmarks as Markdown."""

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.shared import opening, part, table

Found = dict[str, Any]

NOW = "this version"
VERBS = ("assess", "protect")


def markdown(results: Found) -> str:
    """Return one page with a table for each part."""
    head = opening(
        "Benchmarks from data to verdict",
        results,
        "All numbers are of one run. Versions are measured at the same time, each step in a process of its own. Times are CPU "
        "seconds of all threads, which depend less than the clock on what else runs on the machine; a dash stands for "
        "what a version cannot do.",
    )
    parts = [*head]
    if results["examples"]:
        parts += part("The examples", _examples(results))
        for verb in VERBS:
            parts += part(f"Verdict and report: `{verb}` in Python", _python(results, verb))
        for verb in VERBS:
            parts += part(f"From the command line: `giveaway {verb}`", _commands(results, verb))
    if results["reads"]:
        parts += part("How often a file is read", _reads(results))
    if results["baskets"]:
        parts += part("Splitting baskets", _baskets(results))
    return "\n".join(parts) + "\n"


def _examples(results: Found) -> list[str]:
    rows = [(one["name"], one["attack"], one["about"]) for one in results["examples"]]
    told = (
        "The first five are those of `giveaway demo`, the README and `examples/`; the others are larger. All are made up "
        "and drawn from a seed."
    )
    return [*table("example | attack | data", rows), "", told]


def _python(results: Found, verb: str) -> list[str]:
    def cells(measured: Found) -> Iterator[str]:
        times = measured["python"][verb] if measured["python"] else {}
        verdict, report = (times.get(name) for name in ("verdict", "report"))
        yield _cpu(verdict, 3)
        yield _cpu(report, 3)
        yield f"{report['cpu'] / verdict['cpu']:.1f}" if verdict and report else "-"

    told = (
        f"`ga.{verb}(...).verdict`, and the same with the Summary and the HTML page. The data are in memory and compiled "
        "code is loaded; the best of three. The last columns say how many times as long the report takes."
    )
    return [*_compared(results, ("verdict, s", "with report, s", "ratio"), cells), "", told]


def _commands(results: Found, verb: str) -> list[str]:
    def cells(measured: Found) -> Iterator[str]:
        for when in ("first", "later"):
            times = measured["commands"][verb].get(when, {})
            yield "" if times == {} else f"{_cpu(times, 2)} ({times['wall']:.1f})" if times else "-"

    done = (
        "saying the verdict" if verb == "assess" else "the terminal report, writing and checking the release"
    )
    told = (
        f"Each run is a process of its own: starting Python, reading the data, the work, {done}. First: no compiled code "
        "is on the disk (not measured for `assess` on larger data). Later: the best of further runs. In brackets seconds "
        "by the clock."
    )
    return [*_compared(results, ("first, s", "later, s"), cells), "", told]


def _compared(
    results: Found, measures: tuple[str, ...], cells: Callable[[Found], Iterator[str]]
) -> list[str]:
    """Write what was measured of each example, the sources side by side."""
    sources = results["sources"]
    head = " | ".join(["example", *(f"{measure}: {source}" for measure in measures for source in sources)])
    rows = []
    for one in results["examples"]:
        columns = zip(*(cells(one[source]) for source in sources), strict=True)
        rows.append((one["name"], *(cell for column in columns for cell in column)))
    return table(head, rows)


def _reads(results: Found) -> list[str]:
    rows = [
        (one["shape"], one["format"], *(_count(one[source]) for source in results["sources"]))
        for one in results["reads"]
    ]
    told = (
        "Full reads of the original file from the question to the published release: bytes that Python reads, over the "
        "size of the file, and scans in the plans of DuckDB. The transactions are those of pharmacy, the table is that "
        "of teachers."
    )
    return [*table(" | ".join(["shape", "format", *results["sources"]]), rows), "", told]


def _baskets(results: Found) -> list[str]:
    works = {"read": "reading", "write": "writing", "shuffle": "writing in another order"}
    rows = []
    for one in results["baskets"]:
        size = f"{one['size']:,}" + (", nothing compiled yet" if one["first"] else "")
        for name, work in works.items():
            cells = [_cpu((one[source] or {}).get(name), 2) for source in results["sources"]]
            split = _cpu((one["split_by_duckdb"] or {}).get(name), 2) if name == "read" else ""
            rows.append((size, work, *cells, split))
    head = [
        "baskets",
        "work",
        *(f"{source}, s" for source in results["sources"]),
        "DuckDB, splitting alone, s",
    ]
    told = (
        "Baskets of about eight of 16,000 items. Version 0.1 splits all files by compiled code; this version does so "
        "where a file is large, and splits smaller ones by Python's own `split` and a dictionary. Whatever splits them, "
        "rows are sorted and merged after reading, which the last column leaves out."
    )
    return [*table(" | ".join(head), rows), "", told]


def _cpu(times: Found | None, digits: int) -> str:
    return f"{times['cpu']:.{digits}f}" if times else "-"


def _count(full: float | None) -> str:
    return "-" if full is None else f"{full:.1f}"
