"""Measure the attack `items` in one run: `python -m benchmarks.items [--data FOLDER] [--quick]`.

Writes results.md and results.json beside this file. Compiled code is loaded before anything is timed. Rows whose data
are not at hand are named and left out.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.items.child import Case
from benchmarks.items.comparators import Compared, k_to_the_m, kdd08
from benchmarks.items.data import GENERATED, SHARED, load, path_of
from benchmarks.items.writing import markdown
from benchmarks.shared import machine, timed
from mlxtend import frequent_patterns

from giveaway.attacks.items.nuggets import counts
from giveaway.model.data.transactions import Transactions

HERE = Path(__file__).parent
Found = dict[str, Any]

PROTECTIONS = [
    Case(data="retail", limit="4/5", crowd=10, at_most=2, min_support=88),
    Case(data="retail", limit="4/5", crowd=10, at_most=3, min_support=88),
    Case(data="retail", limit="4/5", crowd=5, at_most=4, min_support=88),
    Case(data="mushroom", limit="4/5", crowd=10, at_most=4, min_support=812),
    Case(data="mushroom", limit="4/5", crowd=10, at_most=7, min_support=812),
]
KNOWN = [
    Case(data="mushroom", limit="4/5", crowd=10, at_most=3, min_support=812),
    Case(data="mushroom", limit="1", crowd=50, at_most=3, min_support=812),
    Case(data="groceries", limit="4/5", crowd=5, at_most=2, min_support=10),
    Case(data="retail", limit="4/5", crowd=10, at_most=2, min_support=88),
    Case(data="chess", limit="9/10", crowd=50, at_most=3, min_support=2238),
]
GROWTH = (10_000, 100_000, 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.items", description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED, help="folder that holds transactions/*.dat.gz")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for results.md and results.json")
    parser.add_argument("--quick", action="store_true", help="small settings, to try the script itself")
    given = parser.parse_args()
    results = {
        "machine": machine("mlxtend"),
        "quick": given.quick,
        "mining": mining(given.data, 4_000 if given.quick else 813),
        "protections": protections(given.data, PROTECTIONS[3:4] if given.quick else PROTECTIONS),
        "comparison": comparison(given.data, KNOWN[2:3] if given.quick else KNOWN),
        "growth": growth((1_000, 10_000) if given.quick else GROWTH),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    (given.out / "results.md").write_text(markdown(results), encoding="utf-8")
    say(f"written to {given.out / 'results.md'}")


def mining(folder: Path, min_support: int) -> Found:
    """Count the nuggets of mushroom, and list them with mlxtend's fpgrowth."""
    if not at_hand(folder, "mushroom"):
        return {"skipped": "mushroom is not at hand"}
    data = load(folder, "mushroom", Fraction(1))
    counts.count(data, min_support)
    ours, counted = timed(lambda: counts.count(data, min_support), repeat=5)
    frame = one_hot(data)
    theirs, listed = timed(lambda: fpgrowth(frame, min_support))
    if counted.total != listed:
        raise SystemExit(f"fpgrowth finds {listed:,} itemsets, giveaway {counted.total:,}")
    say(f"mushroom at {min_support}: {listed:,} nuggets, {ours:.3f} s against {theirs:.1f} s")
    return {
        "data": "mushroom",
        "min_support": min_support,
        "nuggets": listed,
        "giveaway_seconds": ours,
        "fpgrowth_seconds": theirs,
        "ratio": theirs / ours,
    }


def one_hot(data: Transactions) -> pd.DataFrame:
    filled = np.zeros((len(data.weights), len(data.labels)), np.bool_)
    filled[np.repeat(np.arange(len(data.weights)), np.diff(data.offsets)), data.codes] = True
    return pd.DataFrame(np.repeat(filled, data.weights, axis=0), columns=list(data.labels))


def fpgrowth(frame: pd.DataFrame, min_support: int) -> int:
    # Half a transaction less, because the share is rounded up to a whole number of transactions.
    return len(frequent_patterns.fpgrowth(frame, min_support=(min_support - 0.5) / len(frame)))


def protections(folder: Path, cases: list[Case]) -> list[Found]:
    """Protect with either score, each time in a fresh process."""
    found = []
    for plain in cases:
        for score in ("minimal", "paper"):
            case = replace(plain, score=score)
            found.append({**named(case), "score": score, **in_fresh_process(case, folder)})
            say(json.dumps(found[-1]))
    return found


def comparison(folder: Path, cases: list[Case]) -> list[Found]:
    """Compare the nuggets kept with those of two older ways to choose items."""
    found = []
    for case in cases:
        if not at_hand(folder, case.data):
            found.append({**named(case), "skipped": f"{case.data} is not at hand"})
            continue
        limit = Fraction(case.limit)
        data = load(folder, case.data, limit)
        settings = (limit, case.crowd, case.at_most, case.min_support)
        ways: dict[str, Callable[..., Compared]] = {"kdd08": kdd08, "k_to_the_m": k_to_the_m}
        compared = {name: way(data, *settings) for name, way in ways.items()}
        found.append(
            {
                **named(case),
                "nuggets": counts.count(data, case.min_support).total,
                "giveaway": case.protect(data).kept["items"]["nuggets"],
                "paper": replace(case, score="paper", reinstate=False).protect(data).kept["items"]["nuggets"],
                "kdd08": compared["kdd08"].nuggets_kept,
                "k_to_the_m": compared["k_to_the_m"].nuggets_kept,
                "k_to_the_m_moles_left": compared["k_to_the_m"].moles_left,
            }
        )
        say(json.dumps(found[-1]))
    return found


def growth(sizes: tuple[int, ...]) -> list[Found]:
    """Protect more and more generated transactions at p = 2, each time in a fresh process."""
    found = []
    for size in sizes:
        case = Case(
            data=f"{GENERATED}-{size}", limit="4/5", crowd=5, at_most=2, min_support=max(5, size // 1000)
        )
        found.append({**named(case), **in_fresh_process(case, Path())})
        say(json.dumps(found[-1]))
    return found


def in_fresh_process(case: Case, folder: Path) -> Found:
    if not at_hand(folder, case.data):
        return {"skipped": f"{case.data} is not at hand"}
    command = [sys.executable, "-m", "benchmarks.items.child", case.as_json(), str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1]}
    measured: Found = json.loads(done.stdout)
    return measured


def named(case: Case) -> Found:
    return {
        "data": case.data,
        "h": case.limit,
        "k": case.crowd,
        "p": case.at_most,
        "min_support": case.min_support,
    }


def at_hand(folder: Path, name: str) -> bool:
    there = name.startswith(GENERATED) or path_of(folder, name).exists()
    if not there:
        say(f"left out: {name} is not at hand")
    return there


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
