"""One small case for each attack: what the shared bench of properties runs on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import giveaway as ga
from giveaway.model.attacker import Attacker
from giveaway.model.need import Need


@dataclass(frozen=True, kw_only=True)
class Case:
    """A release that is at risk and can be protected, with ways to vary the question."""

    rows: list[Any]
    release: Callable[[list[Any]], ga.Release]
    attacker: Attacker
    stronger: Attacker
    tolerance: ga.Tolerance
    looser: ga.Tolerance
    need: Need | None
    labels: tuple[str, ...]
    """Texts that must not appear in what is published about the release."""


ROWS = [
    ["bread", "milk"],
    ["bread", "milk", "jam"],
    ["bread", "milk", "jam", "insulin"],
    ["bread", "milk"],
    ["bread", "jam"],
    ["bread", "milk", "caviar"],
    ["milk", "jam"],
    ["bread", "milk", "saffron", "insulin"],
    [],
    ["bread"],
]

CASES = {
    "items": Case(
        rows=ROWS,
        release=lambda rows: ga.Release(ga.Transactions.from_lists(rows, private=["insulin"])),
        attacker=ga.KnowsItems(at_most=2),
        stronger=ga.KnowsItems(at_most=3),
        tolerance=ga.Tolerance(identity="1/2", attribute="1/2"),
        looser=ga.Tolerance(identity="1/1", attribute="1"),
        need=ga.NeedsItemsets(min_support=2),
        labels=("bread", "milk", "jam", "caviar", "saffron", "insulin"),
    ),
}
