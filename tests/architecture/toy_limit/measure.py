"""Measure how full baskets are, next to how many have a size of their own."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from tests.architecture.toy_attack import measure as alone
from tests.architecture.toy_attack.attacker import KnowsSizes
from tests.architecture.toy_attack.need import NeedsOccurrences

from giveaway.model.answer.risk import Chance, Exposure, HoldsUpTo, Level, Risk
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def measure(
    release: Release,
    attacker: KnowsSizes,
    tolerance: Tolerance,
    need: NeedsOccurrences | None,
    effort: Effort,
) -> Risk:
    """Count the baskets that are too full too, and how full all of them are."""
    risk = alone.measure(release, attacker, tolerance, need, effort)
    details = FullDetails(release, alone.sizes(release), attacker.up_to, tolerance)
    return replace(
        risk,
        share=max(risk.share or 0, details.crowded_share),
        further={"filled": details.filled},
        details=details,
    )


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance once more is withheld."""
    if exposure.kind != "crowded":
        return alone.after(exposure, release)
    size = int(str(exposure.target).rsplit(" ", 1)[1])
    return exposure.chance if alone.sizes(release)[size] else "withheld"


class FullDetails(alone.SizesDetails):
    """What a report shows of sizes, and of how full baskets are."""

    def __init__(self, release: Release, counts: Counter[int], up_to: int, tolerance: Tolerance) -> None:
        super().__init__(release, counts, up_to, tolerance)
        assert isinstance(release.original, Transactions)
        items, limit = len(release.original.labels), tolerance.crowded
        self._parts = {size: Fraction(size, items) for size in sorted(counts, reverse=True)}
        self._counts = counts
        self._too_full = [size for size, part in self._parts.items() if limit and part > limit]
        self.crowded = sum(counts[size] for size in self._too_full)
        self.crowded_share = Fraction(self.crowded, counts.total())
        self.filled = sum(part * counts[size] for size, part in self._parts.items()) / counts.total()

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The worst of each kind, of those that are limited."""
        of_sizes = super().levels if self._tolerance.identity else ()
        fullest = max(self._parts.values())
        return (
            *of_sizes,
            Level(kind="crowded", worst=fullest, limit=self._tolerance.crowded, baseline=Fraction(1, 10)),
            Level(kind="filled", worst=self.filled, limit=self._tolerance.filled, baseline=Fraction(1, 10)),
        )

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """Every size too rare or too full."""
        full = [
            Exposure(
                target=f"size {size}",
                kind="crowded",
                chance=part,
                because=f"It holds {size} of all items.",
            )
            for size, part in self._parts.items()
        ]
        return [*full, *(super().exposures if self._tolerance.identity else ())]

    @cached_property
    def over(self) -> int:
        """How many sizes are over a limit."""
        return super().over + len(self._too_full)

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The counts; what is not limited has none."""
        of_sizes, tolerance = super().figures, self._tolerance
        return {
            **of_sizes,
            "exposed_transactions": of_sizes["exposed_transactions"] if tolerance.identity else None,
            "crowded_transactions": self.crowded if tolerance.crowded else None,
        }

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """How far somebody may count: it does not matter where baskets are too full."""
        limit = self._tolerance.filled
        if self.crowded_share > self._tolerance.share or (limit and self.filled > limit):
            return HoldsUpTo(value=None, unit="items")
        return super().holds_up_to
