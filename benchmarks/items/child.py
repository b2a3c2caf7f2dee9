"""Protect one data set in a process of its own and print what it took: `python -m benchmarks.items.child JSON`."""

import json
import sys
import time
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from benchmarks.items.data import load
from benchmarks.shared import peak_mb

import giveaway as ga
from giveaway import compiling
from giveaway.model.data.transactions import Transactions


@dataclass(frozen=True, kw_only=True)
class Case:
    """One protection to run."""

    data: str
    limit: str
    crowd: int
    at_most: int
    min_support: int
    score: Literal["paper", "minimal"] = "minimal"
    reinstate: bool = True

    def protect(self, data: Transactions) -> ga.Assessment:
        """Measure as planned, protect, and measure again, as every user does."""
        return ga.protect(
            ga.Release(data),
            ga.KnowsItems(at_most=self.at_most),
            ga.Tolerance(identity=Fraction(1, self.crowd), attribute=self.limit),
            need=ga.NeedsItemsets(min_support=self.min_support),
            effort=ga.Effort(seconds=3600),
            items={"score": self.score, "reinstate": self.reinstate},
        )

    def as_json(self) -> str:
        return json.dumps(asdict(self))


def run(case: Case, folder: Path) -> dict[str, float | int]:
    """Read, warm up so that compiled code is loaded, then protect once."""
    started = time.perf_counter()
    data = load(folder, case.data, Fraction(case.limit))
    read = time.perf_counter() - started
    started = time.perf_counter()
    compiling.STEPS = 0  # no step as plain Python, so that the warm-up loads all kernels
    warm_up(case)
    warmed = time.perf_counter() - started
    before = peak_mb()
    started = time.perf_counter()
    answer = case.protect(data)
    seconds = time.perf_counter() - started
    return {
        "transactions": len(data),
        "read_seconds": read,
        "warm_up_seconds": warmed,
        "seconds": seconds,
        "peak_mb_before": before,
        "peak_mb": peak_mb(),
        "withheld": len(answer.release.withheld.items),
        "nuggets_kept": answer.kept["items"]["nuggets"],
    }


def warm_up(case: Case) -> None:
    """Protect a small sample of the same options, so that no compilation is timed."""
    small = load(Path(), "generated-300", Fraction(case.limit))
    Case(
        data="generated-300",
        limit=case.limit,
        crowd=2,
        at_most=case.at_most,
        min_support=20,
        score=case.score,
        reinstate=case.reinstate,
    ).protect(small)


if __name__ == "__main__":
    print(json.dumps(run(Case(**json.loads(sys.argv[1])), Path(sys.argv[2]))))
