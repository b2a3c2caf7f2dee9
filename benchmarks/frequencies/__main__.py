"""Measure the attack `frequencies` in one run: `python -m benchmarks.frequencies [--data FOLDER] [--quick]`.

Writes results.md and results.json beside this file. Compiled code is loaded before anything is timed. Rows whose data
are not at hand are named and left out.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.frequencies import core
from benchmarks.frequencies.data import SHARED
from benchmarks.frequencies.writing import markdown
from benchmarks.shared import machine

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.frequencies", description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED, help="folder that holds transactions/*.dat.gz")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    given = parser.parse_args()
    core.warm_up()
    quick = given.quick
    results = {
        "machine": machine("scipy"),
        "quick": quick,
        "exact": said(core.exact(given.data, core.DATA[:3] if quick else core.DATA)),
        "pairs": said(core.pairs(given.data, core.PAIRS[:1] if quick else core.PAIRS)),
        "sampling": said(core.sampling(given.data, core.SAMPLED[:1] if quick else core.SAMPLED, 20_000)),
        "wide": said(core.wide((0.003,) if quick else (0.0003, 0.001, 0.003, 0.01, 0.1))),
        "growth": said(core.growth((1_000,) if quick else (1_000, 10_000, 100_000, 1_000_000))),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")
    print(f"written to {given.out / 'results.md'}", flush=True)


def said(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for row in found:
        print(json.dumps(row), flush=True)
    return found


if __name__ == "__main__":
    main()
