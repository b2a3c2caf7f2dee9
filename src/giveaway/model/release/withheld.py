"""What a release withholds: items, entries of a table wholly or in part, rules."""

from collections.abc import Iterable
from dataclasses import dataclass

from giveaway.model.data.labels import Label
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.rule import Rule


@dataclass(frozen=True, kw_only=True, init=False)
class Withheld:
    """What is withheld; items and rules in the order in which they were.

    Entries of a table are pairs of a row number, counted from 1, and a column; `levels` are those of which a coarser label
    is still published.

    >>> str(Withheld(items=["a"]) | Withheld(items=["b", "a"]))
    '2 items'
    >>> str(Withheld(cells=[(1, "age"), (7, "age")]))
    '2 entries'
    """

    items: tuple[Label, ...]
    cells: Cells
    rules: tuple[Rule, ...]
    levels: Levels

    def __init__(
        self,
        *,
        items: Iterable[Label] = (),
        cells: Cells | Iterable[tuple[int, str]] = (),
        rules: Iterable[Rule] = (),
        levels: Levels | Iterable[tuple[int, str, int]] = (),
    ) -> None:
        object.__setattr__(self, "items", tuple(dict.fromkeys(items)))
        object.__setattr__(self, "cells", cells if isinstance(cells, Cells) else Cells(cells))
        object.__setattr__(self, "rules", tuple(dict.fromkeys(rules)))
        coarser = levels if isinstance(levels, Levels) else Levels(levels)
        object.__setattr__(self, "levels", coarser.without(self.cells))

    def __or__(self, other: "Withheld") -> "Withheld":
        return Withheld(
            items=(*self.items, *other.items),
            cells=self.cells | other.cells,
            rules=(*self.rules, *other.rules),
            levels=self.levels | other.levels,
        )

    def __bool__(self) -> bool:
        return bool(self.items or self.cells or self.rules or self.levels)

    def __str__(self) -> str:
        counts = (
            (self.items, "item", "items"),
            (self.cells, "entry", "entries"),
            (self.levels, "entry in part", "entries in part"),
            (self.rules, "rule", "rules"),
        )
        said = [f"{len(part):,} {one if len(part) == 1 else many}" for part, one, many in counts if part]
        return " and ".join(said) or "nothing"
