"""What `giveaway explore` shows of the attack `frequencies`: crack space, simulation, every pair, similar data."""

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from giveaway.errors import ScenarioError
from giveaway.model.exact import fraction
from giveaway.papers.paper import Explorer


def crack_space(release: Any, attacker: Any, *_: Any) -> dict[str, Any]:
    """Return which codes may stand for which items."""
    from giveaway.papers.frequencies.explore.crack_space import crack_space as space_of

    space = space_of(release, attacker)
    return {
        "says": f"{space!r}.",
        "candidates": dict(space.candidates),
        "groups": list(map(asdict, space.groups)),
        "rows": list(map(asdict, space.rows)),
    }


def every_pair(release: Any, attacker: Any, *_: Any) -> dict[str, Any]:
    """Return what somebody recognises who knows how often every pair occurs."""
    from giveaway.papers.frequencies.explore.every_pair import every_pair as kinds_of

    kinds = kinds_of(release, attacker)
    least, most = (
        sum((len(one.items) * getattr(one, end) for one in kinds), Fraction(0)) for end in ("least", "most")
    )
    items = sum(len(one.items) for one in kinds)
    cracks = f"{most}" if least == most else f"{least} to {most}"
    return {
        "says": f"Somebody who knows how often every item and every pair occurs is expected to crack {cracks} of {items:,} items.",
        "least": least,
        "most": most,
        "interchangeable": list(map(asdict, kinds)),
    }


def simulation(
    release: Any, attacker: Any, *_: Any, draws: int = 5_000, chain: Any = "local", seed: int = 0
) -> dict[str, Any]:
    """Return what mappings crack that are drawn at random."""
    from giveaway.papers.frequencies.explore.simulate import simulate

    drawn = simulate(release, attacker, draws=draws, chain=chain, seed=seed)
    chances = {
        " ".join(map(str, who)) if isinstance(who, tuple) else who: part
        for who, part in drawn.chances.items()
    }
    return {
        "says": f"{drawn.how.detail} They crack {drawn.mean:.4g} of {drawn.items:,} on average, {drawn.low:.4g} to {drawn.high:.4g} with 95 %.",
        "mean": drawn.mean,
        "low": drawn.low,
        "high": drawn.high,
        "mean_chance": sum(chances.values()) / max(len(chances), 1),
        "chances": chances,
    }


def similar_data(
    release: Any, attacker: Any, *_: Any, sizes: Sequence[Any] = (), seed: int = 0
) -> dict[str, Any]:
    """Return what samples of some sizes are right about."""
    from giveaway.attacks.frequencies.question import see
    from giveaway.model.question.effort import Effort
    from giveaway.papers.frequencies.similar_data import SIZES, similar

    wanted = tuple(fraction(size, "sizes") for size in sizes) or SIZES
    if not all(0 < size <= 1 for size in wanted):
        raise ScenarioError("sizes are parts of the transactions.", hint="write sizes=0.05,0.1.")
    drawn = similar(see(release, attacker, Effort(seed=seed)), wanted)
    if drawn is None:
        raise ScenarioError("There are too few transactions to draw from, or what is believed has no width.")
    rows: list[dict[str, Any]] = [
        {"size": size, "mean": mean, "least": least, "most": most}
        for size, mean, least, most in zip(drawn.sizes, drawn.mean, drawn.least, drawn.most, strict=True)
    ]
    best = max(rows, key=lambda row: float(row["mean"]))
    return {
        "says": f"A sample of {float(100 * best['size']):.3g} % of the transactions is right about {100 * best['mean']:.3g} % of the items on average.",
        "samples": rows,
        "drawn": drawn.samples,
    }


EXPLORES = {
    "crack-space": Explorer(says="which codes may stand for which items", finds=crack_space),
    "every-pair": Explorer(
        says="what somebody recognises who knows how often every pair occurs",
        finds=every_pair,
    ),
    "simulation": Explorer(
        says="what mappings crack that are drawn at random",
        finds=simulation,
        options={"draws": "how many mappings", "chain": "local, or paper", "seed": "makes runs repeat"},
    ),
    "similar-data": Explorer(
        says="what samples of the data are right about",
        finds=similar_data,
        lists=frozenset({"sizes"}),
        options={"sizes": "parts of the transactions, as in 0.05,0.1", "seed": "makes runs repeat"},
    ),
}
