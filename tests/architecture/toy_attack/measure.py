"""Measure how many baskets have the size that is known."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from tests.architecture.toy_attack.attacker import KnowsSizes
from tests.architecture.toy_attack.need import NeedsOccurrences

from giveaway.attacks.wording import counted
from giveaway.errors import NothingToJudge
from giveaway.model.answer.risk import Chance, Curve, Details, Exposure, HoldsUpTo, How, Level, Risk, Step
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

_BINS = 20


def refuse(release: Release, attacker: KnowsSizes, tolerance: Tolerance, effort: Effort) -> None:
    """Refuse transactions that hold nothing."""
    if not sizes(release) or max(sizes(release)) == 0:
        raise NothingToJudge("No transaction holds an item.", hint="publish something.")


def measure(
    release: Release,
    attacker: KnowsSizes,
    tolerance: Tolerance,
    need: NeedsOccurrences | None,
    effort: Effort,
) -> Risk:
    """Count the baskets whose size is too rare."""
    tell("counting sizes", 0)
    found = sizes(release)
    exposed = _exposed(found, attacker.up_to, tolerance)
    said = f"{exposed:,} of {counted(found.total(), 'transactions')} have a size of their own."
    return Risk(
        share=Fraction(exposed, found.total()),
        reasons=(said,) if exposed > tolerance.share * found.total() else (),
        details=SizesDetails(release, found, attacker.up_to, tolerance),
    )


def sizes(release: Release) -> Counter[int]:
    """Count the transactions of each size."""
    published = release.published
    assert isinstance(published, Transactions)
    lengths = np.diff(published.offsets)
    found: Counter[int] = Counter()
    for size, weight in zip(lengths.tolist(), published.weights.tolist(), strict=True):
        found[size] += weight
    return found


def _crowds(found: Counter[int], up_to: int) -> dict[str, int]:
    """Count the transactions that look alike to somebody."""
    alike: Counter[str] = Counter()
    for size, count in found.items():
        alike[f"size {size}" if size <= up_to else f"more than {up_to}"] += count
    return dict(sorted(alike.items(), key=lambda pair: (pair[1], pair[0])))


def _exposed(found: Counter[int], up_to: int, tolerance: Tolerance) -> int:
    crowd = tolerance.smallest_crowd
    return sum(count for count in _crowds(found, up_to).values() if count < crowd)


def after(exposure: Exposure, release: Release) -> Chance | Literal["withheld"]:
    """Return the chance once more is withheld."""
    found = sizes(release)
    size = str(exposure.target).rsplit(" ", 1)[1]
    many = str(exposure.target).startswith("more")
    count = sum(n for at, n in found.items() if (at > int(size) if many else at == int(size)))
    return Fraction(1, count) if count else "withheld"


class SizesDetails(Details):
    """What a report shows of sizes."""

    def __init__(self, release: Release, found: Counter[int], up_to: int, tolerance: Tolerance) -> None:
        self._release, self._found, self._up_to, self._tolerance = release, found, up_to, tolerance
        self._alike = _crowds(found, up_to)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The worst chance."""
        worst = Fraction(1, min(self._alike.values()))
        alone = Fraction(1, self._found.total())
        return (Level(kind="identity", worst=worst, limit=self._tolerance.identity, baseline=alone),)

    @cached_property
    def how(self) -> How:
        """How it was counted."""
        return How(method="exact", detail="Every size was counted.")

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """Every size, the rarest first."""
        return [
            Exposure(
                target=name,
                kind="identity",
                chance=Fraction(1, count),
                because=f"{counted(count, 'transactions')} {'has' if count == 1 else 'have'} it.",
                baseline=Fraction(1, self._found.total()),
            )
            for name, count in self._alike.items()
        ]

    @cached_property
    def over(self) -> int:
        """How many sizes are too rare."""
        return sum(count < self._tolerance.smallest_crowd for count in self._alike.values())

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The counts."""
        exposed = _exposed(self._found, self._up_to, self._tolerance)
        return {"transactions": self._found.total(), "exposed_transactions": exposed}

    @cached_property
    def _shares(self) -> list[float]:
        total = self._found.total()
        return [_exposed(self._found, at, self._tolerance) / total for at in range(max(self._found) + 1)]

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """How far somebody may count."""
        broken = next((at for at, share in enumerate(self._shares) if share > self._tolerance.share), None)
        if broken is None:
            return HoldsUpTo(value=len(self._shares) - 1, unit="items", at_least=True, whole_scale=True)
        return HoldsUpTo(value=broken - 1 if broken else None, unit="items")

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The chances, the exposure as more is counted, and the sizes themselves."""
        edges = tuple((at + 1) / _BINS for at in range(_BINS))
        chances = [1 / count for count in self._alike.values()]
        bins = tuple(
            float(sum(low < c <= high for c in chances))
            for low, high in zip((0, *edges), edges, strict=False)
        )
        places = sorted(self._found)
        return (
            Curve(name="chances", x_label="chance", y_label="sizes", x=edges, y=bins, says="Sizes.", limit=float(self._tolerance.identity or 1)),
            Curve(name="strength", x_label="items counted", y_label="share exposed", x=tuple(map(float, range(len(self._shares)))), y=tuple(self._shares), says="Exposed.", limit=float(self._tolerance.share)),
            Curve(name="sizes", x_label="items", y_label="transactions", x=tuple(map(float, places)), y=tuple(float(self._found[at]) for at in places), says="Most are small."),
        )  # fmt: skip

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """From all to those of the rarest size."""
        return (
            Step(label="transactions", count=self._found.total()),
            Step(label="of that size", count=min(self._alike.values())),
        )

    @cached_property
    def kept(self) -> dict[str, int]:
        """What is left of the occurrences."""
        published, original = self._release.published, self._release.original
        assert isinstance(published, Transactions)
        assert isinstance(original, Transactions)
        return {"item_occurrences": published.occurrences, "item_occurrences_total": original.occurrences}
