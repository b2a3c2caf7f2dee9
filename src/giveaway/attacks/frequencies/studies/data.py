"""The data sets of the paper, its attacker, and somebody who is right about a part of the items."""

from fractions import Fraction
from math import floor
from random import Random
from typing import Any, NamedTuple

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.belief import Belief
from giveaway.attacks.frequencies.item_counts import counted
from giveaway.model.answer.study import Lab
from giveaway.model.data.labels import Label
from giveaway.model.data.supports import Supports
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

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


def partly_right(data: Transactions | Supports, part: Fraction, seed: int) -> Belief:
    """Believe the median gap around the truth for a part of the items, drawn at random, and around others' for the rest.

    Somebody who is wrong about an item believes the range of another item, drawn among those whose range does not hold the
    true frequency.
    """
    items = counted(data)
    around = Belief.around()
    if part == 1:
        return around
    width = around.half_width(items) or Fraction(0)
    random, number = Random(seed), len(items.labels)  # noqa: S311 - nobody is protected by it
    shares = [Fraction(count, items.transactions) for count in items.counts.tolist()]
    right = set(random.sample(range(number), floor(part * number)))
    return Belief.intervals(
        {
            label: _around(shares[place if place in right else _other(shares, place, width, random)], width)
            for place, label in enumerate(items.labels)
        }
    )


def _other(shares: list[Fraction], place: int, width: Fraction, random: Random) -> int:
    """Draw an item whose range does not hold the frequency of one; itself where there is none."""
    for _ in range(len(shares)):
        other = random.randrange(len(shares))
        if abs(shares[other] - shares[place]) > width:
            return other
    return next((one for one, share in enumerate(shares) if abs(share - shares[place]) > width), place)


def _around(share: Fraction, width: Fraction) -> tuple[Fraction, Fraction]:
    return max(share - width, Fraction(0)), min(share + width, Fraction(1))
