"""What a release withholds: items, entries of a table wholly or in part, rules, and what is said with rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.labels import Label
from giveaway.model.exact import Number, fraction
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.rule import Rule, Scores, Statement, coarser_scores
from giveaway.model.wording import counted


@dataclass(frozen=True, kw_only=True, init=False)
class Withheld:
    """What is withheld; items and rules in the order in which they were.

    Entries of a table are pairs of a row number, counted from 1, and a column; `levels` are those of which a coarser label
    is still published. `item_levels` are the items that are published under their category, with its level, counted from 1.
    Of a list of rules, `scores` tells what is still published with each rule ("withheld" or a number of digits), and
    `min_support` and `min_confidence` are the higher thresholds at which it is published; the rules below these are
    withheld too. None leaves them as planned.

    >>> str(Withheld(items=["a"]) | Withheld(items=["b", "a"]))
    '2 items'
    >>> str(Withheld(cells=[(1, "age"), (7, "age")]))
    '2 entries'
    >>> str(Withheld(items=["tea"]) | Withheld(item_levels={"tea": 1, "cola": 2}))
    '1 item and 1 item given as its category'
    >>> str(Withheld(scores=1) | Withheld(scores="withheld", min_confidence=0.9))
    'the scores and what is below a confidence of 0.9'
    """

    items: tuple[Label, ...]
    cells: Cells
    rules: tuple[Rule, ...]
    levels: Levels
    scores: Scores | None
    min_support: Fraction | None
    min_confidence: Fraction | None
    statements: tuple[Statement, ...]
    item_levels: Mapping[Label, int]

    def __init__(
        self,
        *,
        items: Iterable[Label] = (),
        cells: Cells | Iterable[tuple[int, str]] = (),
        rules: Iterable[Rule] = (),
        levels: Levels | Iterable[tuple[int, str, int]] = (),
        scores: Scores | None = None,
        min_support: Number | None = None,
        min_confidence: Number | None = None,
        statements: Iterable[Statement] = (),
        item_levels: Mapping[Any, int] | None = None,
    ) -> None:
        items = tuple(dict.fromkeys(items))
        cells = cells if isinstance(cells, Cells) else Cells(cells)
        coarser = levels if isinstance(levels, Levels) else Levels(levels)
        if scores not in (None, "withheld") and (isinstance(scores, bool) or not isinstance(scores, int)):
            raise ScenarioError(
                f"scores = {scores!r} is unknown.", exists='"withheld", or a number of digits'
            )
        for name, limit in (("min_support", min_support), ("min_confidence", min_confidence)):
            exact = None if limit is None else fraction(limit, name)
            if exact is not None and not 0 <= exact <= 1:
                raise ScenarioError(f"{name} = {limit} is not between 0 and 1.")
            vars(self)[name] = exact
        vars(self).update(
            items=items,
            cells=cells,
            rules=tuple(dict.fromkeys(rules)),
            levels=coarser.without(cells),
            scores=scores,
            item_levels=_checked(item_levels or {}, gone=frozenset(items)),
            statements=tuple({one.key: one for one in statements}.values()),
        )

    def __or__(self, other: "Withheld") -> "Withheld":
        return Withheld(
            items=(*self.items, *other.items),
            cells=self.cells | other.cells,
            rules=(*self.rules, *other.rules),
            levels=self.levels | other.levels,
            scores=coarser_scores(self.scores, other.scores),
            min_support=_higher(self.min_support, other.min_support),
            min_confidence=_higher(self.min_confidence, other.min_confidence),
            statements=(*self.statements, *other.statements),
            item_levels={
                item: max(part.item_levels.get(item, 0) for part in (self, other))
                for item in {**self.item_levels, **other.item_levels}
            },
        )

    def __bool__(self) -> bool:
        listed = self.items or self.cells or self.rules or self.levels or self.statements or self.item_levels
        return bool(listed) or any(part is not None for part in (self.scores, *self._thresholds))

    @property
    def _thresholds(self) -> tuple[Fraction | None, Fraction | None]:
        return self.min_support, self.min_confidence

    def __str__(self) -> str:
        one = len(self.item_levels) == 1
        counts = (
            (self.items, "items", ""),
            (self.item_levels, "items", f" given as {'its' if one else 'their'} category"),
            (self.cells, "entries", ""),
            (self.levels, "entries", " given less exactly"),
            (self.rules, "rules", ""),
            (self.statements, "statements", ""),
        )
        parts = [f"{counted(len(part), noun)}{how}" for part, noun, how in counts if part]
        if self.scores == "withheld":
            parts.append("the scores")
        elif isinstance(self.scores, int):
            parts.append(f"all but {counted(self.scores, 'digits')} of the scores")
        for limit, name in zip(self._thresholds, ("support", "confidence"), strict=True):
            if limit is not None:
                parts.append(f"what is below a {name} of {float(limit):g}")
        return " and ".join(parts) or "nothing"


def _checked(levels: Mapping[Label, int], *, gone: frozenset[Label]) -> dict[Label, int]:
    """Return the levels of the items that are not withheld altogether."""
    for item, level in levels.items():
        if isinstance(level, bool) or not isinstance(level, int) or level < 1:
            raise ScenarioError(
                f"The level {level!r} of the {nouns().item} {item!r} is not a whole number of at least 1.",
                hint="1 is its category, 2 the wider category.",
                field="item_levels",
            )
    return {item: level for item, level in levels.items() if item not in gone}


def _higher(first: Fraction | None, second: Fraction | None) -> Fraction | None:
    return max((limit for limit in (first, second) if limit is not None), default=None)
