"""Protect one table in a process of its own and print what it took: `python -m benchmarks.attributes.child JSON`."""

import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from benchmarks.attributes.data import CONDITIONS, drawn, people, secrets
from benchmarks.shared import peak_mb

import giveaway as ga
from giveaway.model.data.table import Table
from giveaway.model.release.cells import Cells


@dataclass(frozen=True, kw_only=True)
class Case:
    """One protection to run."""

    rows: int
    columns: int
    secrets: int
    hideable: str = "a"
    seed: int = 1

    @property
    def least(self) -> int:
        """A rule is believed when more than 0.2 % of the records support it, as in the paper."""
        return self.rows // 500

    def protect(self, table: Table, hidden: Cells) -> ga.Assessment:
        """Measure as planned, protect, and measure again, as every user does."""
        return ga.protect(
            ga.Release(table, secrets=hidden),
            ga.KnowsAttributes(
                columns=CONDITIONS[: self.columns], trusts_support_above=self.least, knows_method=False
            ),
            ga.Tolerance(attribute="0.6"),
            need=ga.NeedsCells(hideable=self.hideable),
            effort=ga.Effort(seconds=3600),
        )

    def as_json(self) -> str:
        return json.dumps(asdict(self))


def run(case: Case, folder: Path) -> dict[str, float | int | bool | None]:
    """Draw the table, warm up so that compiled code is loaded, then protect once."""
    source = people(folder)
    random = np.random.default_rng(case.seed)
    small = drawn(source, 2_000, CONDITIONS[: case.columns], random)
    case.protect(small, secrets(small, 10, random))
    table = drawn(source, case.rows, CONDITIONS[: case.columns], random)
    hidden = secrets(table, case.secrets, random)
    before = peak_mb()
    started = time.perf_counter()
    answer = case.protect(table, hidden)
    seconds = time.perf_counter() - started
    figures = answer.to_dict()["findings"][0]["figures"]
    planned = answer.to_dict()["before"][0]["figures"]
    return {
        "distinct": len(table.weights),
        "seconds": seconds,
        "peak_mb_before": before,
        "peak_mb": peak_mb(),
        "unsafe_rules": planned["unsafe_rules"],
        "hidden": figures["hidden_entries"],
        "lower_bound": figures["lower_bound"],
        "optimal": figures["optimal"],
    }


if __name__ == "__main__":
    print(json.dumps(run(Case(**json.loads(sys.argv[1])), Path(sys.argv[2]))))
