"""The data sets of the paper, its attacker, and which items somebody is right about."""

from fractions import Fraction
from math import floor
from random import Random
from typing import Any, NamedTuple

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.model.data.labels import Label
from giveaway.model.data.supports import Supports
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.papers.study import Lab

FILES = {
    name: f"transactions/{name}.dat.gz"
    for name in ("chess", "mushroom", "connect", "retail", "accidents_first15224")
} | {"pumsb": "transactions/pumsb_item_supports.csv"}

TENTH = Tolerance(average="1/10")
ALPHAS = tuple(Fraction(step, 10) for step in range(1, 11))

_PUMSB_TRANSACTIONS = 49_046


class Shop(NamedTuple):
    """Transactions, or the supports of their items, under the name of a data set."""

    name: str
    data: Transactions | Supports


def files(*names: str) -> tuple[str, ...]:
    """Return the files of some data sets."""
    return tuple(FILES[name] for name in names)


def named(lab: Lab, name: str, **how: Any) -> Shop:
    """Return a data set of the paper; of PUMSB there are the supports of its items only."""

    def read() -> Transactions | Supports:
        if name == "pumsb":
            counts: dict[Label, int] = {row["item"]: int(row["support"]) for row in lab.rows(FILES["pumsb"])}
            return Supports.from_counts(counts, transactions=_PUMSB_TRANSACTIONS)
        data: Transactions = lab.transactions(FILES[name], **how)
        return data

    return Shop(name, lab.once(f"{name} {how}", read))


def attacker(**more: Any) -> KnowsFrequencies:
    """Return the paper's attacker, who judges true codes only."""
    return KnowsFrequencies(knows_method=False, **more)


def risk(lab: Lab, data: Transactions | Supports, tolerance: Tolerance = TENTH, **more: Any) -> Any:
    """Return what is measured of the paper's attacker."""
    return lab.assess(Release(data), attacker(**more), tolerance).findings[0].risk


def figures(
    lab: Lab, data: Transactions | Supports, tolerance: Tolerance = TENTH, **more: Any
) -> dict[str, Any]:
    """Return the figures of the paper's attacker."""
    return dict(risk(lab, data, tolerance, **more).figures)


def right_about(items: int, part: Fraction, seed: int) -> list[int]:
    """Draw the items that somebody is right about; the others are not recognised (section 4.2)."""
    return Random(seed).sample(range(items), floor(part * items))  # noqa: S311 - nobody is protected by it
