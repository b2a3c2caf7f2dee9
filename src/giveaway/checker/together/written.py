"""A written release next to earlier ones, and what is judged of them together."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from giveaway.checker.check import ReadBack
from giveaway.checker.files.stored import Written
from giveaway.checker.promise import disagree, unconfirmed
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release

Some = tuple[Earlier, ...]
"""Some of the earlier releases."""

_MOST = 6
"""How many earlier releases are looked at in all choices of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WrittenNow:
    """A written release, and how it was made of its original."""

    file: Written
    release: Release
    opened: ReadBack
    """What was read back of it."""
    codes: Mapping[Label, str] | None
    """What is written for the items, where they are renamed."""
    order: Ints | None
    """The row of the original at each place of the file; None where they stand as in the original."""

    def rows_now(self, one: Earlier) -> Ints:
        """Return the row now of each row of an earlier release, -1 for who has left."""
        rows, _ = one.row_now(self.release)
        if rows is None:
            raise unconfirmed(
                f"Nobody says whose rows those of {one.name} are, so that they cannot be joined again."
            )
        there = rows[rows >= 0]
        if len(np.unique(there)) < len(there):
            raise disagree(f"Two rows of {one.name} are said to be one person's.")
        return rows


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenTogether:
    """What an attacker sees of a release with some earlier ones at hand."""

    earlier: Some
    keeps: Callable[[], bool]
    """Tells whether the promise is kept."""
    proves: bool = True
    """Whether the promise is broken where it is not kept here; else nothing can be told then."""
    adds_nothing: Callable[[], bool] | None = None
    """Tells whether all that is over a limit was so before, and is no worse; None where that is not worked out."""

    @property
    def names(self) -> str:
        """The earlier releases."""
        return ", ".join(one.name for one in self.earlier)

    @property
    def accepts(self) -> bool:
        """Whether what the earlier releases gave away by themselves is accepted."""
        return all(one.already == "accept" for one in self.earlier)


def one_by_one_and_all(these: Sequence[Earlier]) -> Iterator[Some]:
    """Give each earlier release, and all together where there are several."""
    yield from ((one,) for one in these)
    if len(these) > 1:
        yield tuple(these)


def every_choice(these: Sequence[Earlier]) -> Iterator[Some]:
    """Give all choices of earlier releases: with one more of them something may also seem less likely."""
    if len(these) > _MOST:
        raise unconfirmed(f"More than {_MOST} earlier releases are not checked in all choices of them.")
    for size in range(1, len(these) + 1):
        yield from combinations(these, size)
