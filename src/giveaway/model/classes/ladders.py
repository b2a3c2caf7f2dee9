"""Ladders: hierarchies that are made by rule, level by level, of the values or the classes of a column."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from giveaway.errors import Mistake, ScenarioError
from giveaway.model.classes import dates
from giveaway.model.classes.dates import NESTED, Unit
from giveaway.model.classes.fixed import Classes
from giveaway.model.classes.numbers import Cuts, Steps, is_whole, number, written
from giveaway.model.classes.rules import ClassRule, LadderRule
from giveaway.model.data.hierarchy import ANYTHING, Hierarchy
from giveaway.model.data.labels import Label

Level = Callable[[str], str]
"""What is published of a value or class at one level, by its text."""

_PADDING = "_"
_LARGEST_RANGE = 150
_USUAL_WIDTHS = (Decimal(5), Decimal(10), Decimal(20))
_USUAL_QUANTILES = 8
_USUAL_UNITS: tuple[Unit, ...] = ("month", "year", "decade")


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """A hierarchy that was made by rule, with the words for it."""

    hierarchy: Hierarchy
    says: str
    finds_cuts: bool = False
    """Whether its cuts come from the data: then each may be somebody's value."""


def ladder(
    column: str, rule: LadderRule, counts: Mapping[Label, int], classes: Classes | None, decimal: str = "."
) -> Ladder:
    """Make the hierarchy of a column whose values, or classes where it has any, occur so often.

    >>> ages = ladder("age", LadderRule.of([5, 10]), {"23": 1, "28": 1, "61": 1}, None)
    >>> ages.hierarchy.of["28"], ages.says
    (('25-29', '20-29'), 'in steps of 5, 10')
    """
    texts = {str(value): count for value, count in counts.items()}
    chosen = _chosen(column, rule, texts, classes, decimal) if rule.auto else rule
    if chosen.prefix:
        levels = list(_prefixes(column, chosen.prefix, texts, classes))
    else:
        rules = _levels(chosen, texts if classes is None else classes.counts, column, decimal)
        levels = (
            [Classes.of(column, rule, texts, decimal).of_value.__getitem__ for rule in rules]
            if classes is None
            else list(_of_classes(rules, classes))
        )
    lines = {value: [level(str(value)) for level in levels] for value in counts}
    # A level that joins nothing more than the one before it says nothing new.
    new = [
        place
        for place in range(len(levels))
        if not place or any(x[place] != x[place - 1] for x in lines.values())
    ]
    try:
        hierarchy = Hierarchy(
            {value: [*(labels[place] for place in new), ANYTHING] for value, labels in lines.items()}
        )
    except ScenarioError as error:
        raise ScenarioError([_about(column, one.fact, one.hint) for one in error.mistakes]) from None
    if not hierarchy.depth:
        raise ScenarioError(f"The ladder of {column} has no level coarser than what is published.")
    padded = ", shorter ones filled up" if chosen.prefix and len(set(map(len, texts))) > 1 else ""
    joins = rule.auto and classes is not None and chosen.cuts
    says = "its classes joined in pairs" if joins else _says(chosen) + padded
    return Ladder(hierarchy=hierarchy, says=says, finds_cuts=chosen.quantiles is not None)


def can_be_chosen(counts: Mapping[str, int], classes: Classes | None, decimal: str = ".") -> bool:
    """Tell whether a ladder can be made without being told how."""
    return classes is not None or _are_numbers(counts, decimal) or _are_dates(counts)


def _about(column: str, fact: str, hint: str | None = None) -> Mistake:
    return Mistake(f"The ladder of {column}: {fact}", hint=hint)


def _says(rule: LadderRule) -> str:
    if rule.width:
        return f"in steps of {', '.join(map(written, rule.width))}"
    if rule.by:
        return f"by {', '.join(rule.by)}"
    if rule.prefix:
        return f"by the first {', '.join(map(str, rule.prefix))} characters"
    if rule.cuts:
        return f"cut at {', '.join(map(written, rule.cuts))}, then joined in pairs"
    return f"in {rule.quantiles} quantiles, then joined in pairs"


# What is chosen where nothing is said ---------------------------------------------------------------------------


def _are_numbers(texts: Mapping[str, int], decimal: str) -> bool:
    return all(number(text, decimal) is not None for text in texts)


def _are_dates(texts: Mapping[str, int]) -> bool:
    return all(dates.span(text) is not None for text in texts)


def _chosen(
    column: str, rule: LadderRule, texts: Mapping[str, int], classes: Classes | None, decimal: str
) -> LadderRule:
    """Choose a ladder that fits the values, or nests in the classes that they were put into."""
    if classes is not None:
        return _chosen_above(classes)
    if _are_numbers(texts, decimal):
        values = [value for text in texts if (value := number(text, decimal)) is not None]
        narrow = max(values) - min(values) <= _LARGEST_RANGE
        if narrow and all(map(is_whole, values)):
            return LadderRule(width=_USUAL_WIDTHS)
        return LadderRule(quantiles=_USUAL_QUANTILES)
    if rule.format is not None or _are_dates(texts):
        return LadderRule(by=_USUAL_UNITS, format=rule.format)
    raise ScenarioError(
        f"The ladder of {column} cannot be chosen: its values are neither numbers nor dates.",
        hint="say how, as in { prefix = [3, 2] }, or give a file in hierarchies.",
    )


def _chosen_above(classes: Classes) -> LadderRule:
    rule = classes.rule
    if rule.prefix is not None:
        return LadderRule(prefix=tuple(range(max(rule.prefix - 1, 1), 0, -1)))
    if rule.by is not None:
        coarser = NESTED[NESTED.index(rule.by) + 1 :] if rule.by in NESTED else ("week",)
        return LadderRule(by=coarser or ("decade",))
    if rule.width is not None:
        return LadderRule(width=(2 * rule.width, 4 * rule.width), from_=rule.from_)
    assert isinstance(classes.scale, Cuts)  # noqa: S101 # cuts, given or found
    return LadderRule(cuts=classes.scale.at or (Decimal(0),))


# The levels -----------------------------------------------------------------------------------------------------


def _levels(rule: LadderRule, texts: Mapping[str, int], column: str, decimal: str) -> list[ClassRule]:
    """Return the classes of each level, the finest first."""
    if rule.width:
        return [ClassRule(width=width, from_=rule.from_) for width in rule.width]
    if rule.by:
        return [ClassRule(by=unit, format=rule.format) for unit in rule.by]
    cuts = rule.cuts
    if rule.quantiles is not None:
        fixed = Classes.of(column, ClassRule(quantiles=rule.quantiles), texts, decimal)
        cuts = fixed.scale.at if isinstance(fixed.scale, Cuts) else ()
    levels = []
    while cuts:
        levels.append(ClassRule(cuts=cuts))
        cuts = cuts[1::2]
    return levels


def _prefixes(
    column: str, lengths: Sequence[int], texts: Mapping[str, int], classes: Classes | None
) -> Iterator[Level]:
    """Leave fewer and fewer characters; texts that are shorter than others are filled up at their end first."""
    size = max(map(len, texts), default=0)
    if classes is not None and classes.rule.prefix is None:
        raise ScenarioError([_about(column, "prefixes do not nest in classes of another kind.")])
    for length in lengths:
        if classes is not None and length >= (classes.rule.prefix or 0):
            continue
        if length >= size:
            raise ScenarioError(
                [_about(column, f"{length} characters are not fewer than the {size} of the longest value.")]
            )
        yield lambda text, length=length: text.ljust(size, _PADDING)[:length] + "*" * (size - length)  # type: ignore[misc]


def _of_classes(rules: Sequence[ClassRule], classes: Classes) -> Iterator[Level]:
    """Give the levels that are coarser than the classes; refuse those that cut a class into pieces."""
    for rule in rules:
        if rule.is_numeric != classes.rule.is_numeric or classes.rule.prefix is not None:
            raise ScenarioError([_about(classes.column, "it does not nest in classes of another kind.")])
        level = _by_unit(rule, classes) if rule.by is not None else _by_scale(rule, classes)
        if level is not None:
            yield level


def _by_unit(rule: ClassRule, classes: Classes) -> Level | None:
    fine, coarse = classes.rule.by, rule.by
    assert fine is not None and coarse is not None  # noqa: S101, PT018 # both are of dates
    order = (*NESTED, "week")
    if coarse in (fine, "day"):
        return None
    if "week" in (fine, coarse) and fine != "day":
        raise _not_nested(classes.column, coarse)
    if coarse != "week" and order.index(coarse) < order.index(fine):
        return None

    def label(text: str) -> str:
        days = dates.labelled(text)
        assert days is not None  # noqa: S101 # a label of ours
        return str(dates.label(days, coarse))

    return label


def _by_scale(rule: ClassRule, classes: Classes) -> Level | None:
    ours = classes.scale
    theirs: Cuts | Steps = Cuts(rule.cuts) if rule.width is None else Steps(rule.width, rule.from_)
    if _has_borders_of(theirs, ours):
        return None
    what = f"the width {written(theirs.width)}" if isinstance(theirs, Steps) else "one of its cuts"
    if isinstance(ours, Cuts) and isinstance(theirs, Steps):
        # The ends of the classes stay open: of the steps only the borders among the cuts are left.
        inside = _between(theirs, ours.at[0], ours.at[-1]) if ours.at else []
        theirs = Cuts(tuple(inside))
    if not _has_borders_of(ours, theirs):
        raise _not_nested(classes.column, what)

    def label(text: str) -> str:
        low = classes.intervals[text].low
        return theirs.interval(0 if low is None else theirs.place(low)).label(whole=classes.whole)

    return label


def _has_borders_of(fine: Cuts | Steps, coarse: Cuts | Steps) -> bool:
    """Tell whether every border of one scale is a border of the other, which is then finer or the same."""
    if isinstance(coarse, Cuts):
        return all(fine.interval(fine.place(cut)).low == cut for cut in coarse.at)
    if isinstance(fine, Cuts):
        return False
    parts = Fraction(coarse.width), Fraction(coarse.start) - Fraction(fine.start)
    return all(part % Fraction(fine.width) == 0 for part in parts)


def _between(steps: Steps, low: Decimal, high: Decimal) -> list[Decimal]:
    """Return the borders of steps between two numbers, both included."""
    borders = (steps.interval(place).low for place in range(steps.place(low), steps.place(high) + 1))
    return [border for border in borders if border is not None and low <= border <= high]


def _not_nested(column: str, what: str) -> ScenarioError:
    return ScenarioError(
        [_about(column, f"{what} cuts a class into pieces.", "each level joins whole classes.")]
    )
