"""What the numerical core of the attack `frequencies` costs."""

import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.frequencies.data import generated, path_of, supports
from benchmarks.frequencies.samplers import independent
from benchmarks.frequencies.sinkhorn import scaled
from numpy.typing import NDArray

from giveaway.attacks.frequencies.crack_graph.mappings import propagated, usable
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Windows, around, gaps
from giveaway.attacks.frequencies.estimates.belief_propagation import beliefs_passed
from giveaway.attacks.frequencies.estimates.o_estimate import SetKinds, kinds_of_pairs, o_estimate
from giveaway.attacks.frequencies.exact_chances import items as crack_exact
from giveaway.attacks.frequencies.exact_chances.itemsets import SetChances
from giveaway.attacks.frequencies.sampling.chains import Blocks, summary
from giveaway.papers.frequencies.explore.swaps import local_chain, paper_chain

Found = dict[str, Any]
Counts = NDArray[np.int64]

DATA = (
    "chess",
    "mushroom",
    "connect",
    "groceries",
    "bms_webview1",
    "accidents_first15224",
    "retail",
    "kosarak_first36682",
    "pumsb",
    "onlineretail_words",
)
PAIRS = ("chess", "mushroom", "connect")
SAMPLED = ("chess", "mushroom", "retail")
BUDGET = 100_000_000


def warm_up() -> None:
    """Run everything once on small data, so that no compilation is timed."""
    random = np.random.default_rng(0)
    counts = random.integers(0, 300, 100)
    low, high = (2 * counts + sign * random.integers(0, 9, 100) for sign in (-1, 1))
    windows = recipe(counts)
    propagated(Beliefs(counts=counts, low=low, high=high).windows)
    crack_exact.chances(windows, fractions=0)
    crack_exact.chances(windows)
    beliefs_passed(windows)
    for sampler in samplers().values():
        summary(sampler(windows, draws=64, seed=0))


def recipe(counts: Counts) -> Windows:
    """Return the graph of the paper's recipe: every frequency give or take the median gap."""
    found = gaps(counts)
    left = None if found is None else usable(around(counts, found.median2).windows)
    if not isinstance(left, Windows):
        raise SystemExit("no graph")
    return left


def exact(folder: Path, names: tuple[str, ...]) -> list[Found]:
    """Compare the exact chances with the estimates, and what both cost."""
    return [
        exact_of(name, *timed(partial(supports, folder, name))) if there(folder, name) else left_out(name)
        for name in names
    ]


def exact_of(name: str, reading: float, counts: Counts) -> Found:
    windows = recipe(counts)
    seconds, solved = timed(lambda: crack_exact.chances(windows, budget=BUDGET))
    if solved is None:
        return {"data": name, "skipped": f"more than {BUDGET:,} transitions"}
    plain_seconds, plain = timed(lambda: o_estimate(recipe(counts)))
    scaled_seconds, ruled = timed(lambda: scaled(windows))
    passed_seconds, passed = timed(lambda: beliefs_passed(windows))
    expected = total(windows, solved.chances)
    return {
        "data": name,
        "reading_seconds": reading,
        "items": len(counts),
        "groups": len(windows.sizes),
        "components": len(windows.pieces),
        "transitions": solved.work,
        "seconds": seconds,
        "expected": expected,
        "o_estimate": float(plain),
        "o_estimate_seconds": plain_seconds,
        "o_estimate_error": float(plain) / expected - 1,
        "sinkhorn_error": total(windows, ruled.chances) / expected - 1,
        "sinkhorn_seconds": scaled_seconds,
        "belief_propagation_error": total(windows, passed.chances) / expected - 1,
        "belief_propagation_seconds": passed_seconds,
    }


def pairs(folder: Path, names: tuple[str, ...]) -> list[Found]:
    """Compute the exact chance of every pair of items."""
    found = []
    for name in names:
        if not there(folder, name):
            found.append(left_out(name))
            continue
        windows = recipe(supports(folder, name))
        kinds = kinds_of_pairs(windows)
        seconds, chances = timed(lambda w=windows, k=kinds: chances_of(w, k))
        mean = float(np.array(chances, np.float64) @ kinds.many / kinds.many.sum())
        found.append({"data": name, "pairs": int(kinds.many.sum()), "mean": mean, "seconds": seconds})
    return found


def samplers() -> dict[str, Callable[..., Blocks | None]]:
    """Return the samplers; of the paper's chain every sweep is a mapping, so that none is lost."""
    return {
        "paper": partial(paper_chain, burn_in=1_000, spacing=1, restart=1 << 40),
        "local": local_chain,
        "independent": partial(independent, budget=BUDGET),
    }


def sampling(folder: Path, names: tuple[str, ...], draws: int) -> list[Found]:
    """Compare samplers by the independent mappings they are worth in a second, their preparation included."""
    found = []
    for name in names:
        if not there(folder, name):
            found.append(left_out(name))
            continue
        windows = recipe(supports(folder, name))
        solved = crack_exact.chances(windows, budget=BUDGET)
        many = draws if windows.items < 1_000 else draws // 40
        for sampler, draw in samplers().items():
            seconds, sample = timed(
                lambda d=draw, w=windows, m=many: summary(d(w, draws=m, seed=1)), repeat=1
            )
            found.append(
                {
                    "data": name,
                    "sampler": sampler,
                    "draws": many,
                    "seconds": seconds,
                    "mean": sample.mean,
                    "margin": sample.margin,
                    "exact": None if solved is None else total(windows, solved.chances),
                    "effective_per_second": sample.effective / seconds,
                    "sweeps_per_effective": many / sample.effective,
                }
            )
    return found


def growth(sizes: tuple[int, ...]) -> list[Found]:
    """Estimate and solve more and more generated items."""
    found = []
    for items in sizes:
        counts = generated(items)
        windows = recipe(counts)
        plain_seconds, plain = timed(lambda c=counts: o_estimate(recipe(c)), repeat=1)
        passed_seconds, passed = timed(lambda w=windows: beliefs_passed(w), repeat=1)
        seconds, solved = timed(lambda w=windows: crack_exact.chances(w), repeat=1)
        found.append(
            {
                "items": items,
                "o_estimate_seconds": plain_seconds,
                "o_estimate": float(plain),
                "belief_propagation_seconds": passed_seconds,
                "belief_propagation": total(windows, passed.chances),
                "seconds": seconds,
                "expected": None if solved is None else total(windows, solved.chances),
            }
        )
    return found


def wide(parts: tuple[float, ...]) -> list[Found]:
    """Count, or give up, where each of 285 generated items may be each of many; the peak is that of all arrays."""
    counts = np.round(32_711 * np.exp(-np.random.default_rng(1).gamma(2.0, 1.6, 285))).astype(np.int64)
    found = []
    for part in parts:
        windows = usable(around(counts, round(2 * part * 32_711)).windows)
        if not isinstance(windows, Windows):
            raise SystemExit("no graph")
        seconds, solved = timed(lambda w=windows: crack_exact.chances(w))
        tracemalloc.start()
        crack_exact.chances(windows)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        candidates = float(np.mean(windows.classes.last - windows.classes.first + 1))
        expected = None if solved is None else total(windows, solved.chances)
        found.append(
            {"half_width": part, "groups": candidates, "seconds": seconds, "peak": peak, "expected": expected}
        )
    return found


def total(windows: Windows, chances: NDArray[np.float64]) -> float:
    """Return the expected number of cracks."""
    return float(chances @ windows.classes.many)


def chances_of(windows: Windows, kinds: SetKinds) -> list[Any]:
    chances = SetChances(windows)
    return [chances.chance(kind) for kind in kinds.classes.tolist()]


def there(folder: Path, name: str) -> bool:
    return path_of(folder, name).exists()


def left_out(name: str) -> Found:
    return {"data": name, "skipped": f"{name} is not at hand"}


def timed(work: Callable[[], Any], repeat: int = 3) -> tuple[float, Any]:
    """Return the shortest of some runs."""
    best, answer = float("inf"), None
    for _ in range(repeat):
        started = time.perf_counter()
        answer = work()
        best = min(best, time.perf_counter() - started)
    return best, answer
