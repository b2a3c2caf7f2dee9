"""The results of the page as Markdown."""

from collections.abc import Iterator
from typing import Any

from benchmarks.shared import opening, part, table

Found = dict[str, Any]
GOAL, STOP_GOAL = 300, 1500


def markdown(results: Found) -> str:
    """Write what was measured, with the goals beside it."""
    told = (
        f"Chromium {results['browser']}, without a window, on the same machine; the load was {results['load']} when it began, "
        "so that a quiet machine is quicker. All times are in milliseconds by the clock of the page, of one run."
    )
    quick = [one for one in results["data"] if "new" in one]
    slow = [one for one in results["data"] if "stops" in one]
    lines = opening("Benchmarks of the page", results, told)
    if quick:
        lines += part("From moving a slider to the painted answer", _sliders(quick))
    if slow:
        lines += part("Where measuring is slow: progress and Stop", _stops(slow))
    return "\n".join(lines) + "\n"


def _sliders(found: list[Found]) -> Iterator[str]:
    yield (
        f"Goal: {GOAL} ms for nine moves of ten. A move is to a question not asked before, or back to one that was; "
        "measuring alone is part of the first. Between two moves pass 0.2 to 2.5 seconds, in which the page tries by itself what helps "
        "and draws charts further."
    )
    yield ""
    head = "data | about | first page | moves | median | 90 % | worst | measuring alone, median | asked before: median | 90 % | goal"
    yield from table(head, map(_row, found))


def _row(one: Found) -> tuple[object, ...]:
    new, again = one["new"], one["again"]
    met = "met" if new["ninety"] <= GOAL else "missed"
    times = (new[name] for name in ("median", "ninety", "worst", "measuring"))
    return (
        one["name"],
        one["about"],
        f"{one['first']:.1f} s",
        new["moves"],
        *(f"{time:.0f}" for time in times),
        f"{again['median']:.0f}",
        f"{again['ninety']:.0f}",
        met,
    )


def _stops(found: list[Found]) -> Iterator[str]:
    yield (
        f"From letting a slider go to progress on the screen (goal: {GOAL} ms), and from pressing Stop to the last answer with "
        f"free controls (goal: {STOP_GOAL} ms); a dash where the answer came before Stop could be pressed."
    )
    yield ""
    rows = [
        (one["name"], one["about"], place + 1, f"{stop['progress']:.0f}", _time(stop["stop"]))
        for one in found
        for place, stop in enumerate(one["stops"])
    ]
    yield from table("data | about | try | progress | Stop", rows)


def _time(taken: float | None) -> str:
    return "-" if taken is None else f"{taken:.0f}"
