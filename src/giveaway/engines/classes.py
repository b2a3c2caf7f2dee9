"""Classes where the data are: distinct values come here, their classes are handed back and joined."""

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from giveaway.engines.held import HeldRows
from giveaway.engines.part import PlainColumn, RowsPart
from giveaway.model.classes.fixed import Classes
from giveaway.sources.encoding.grouping import Grouping
from giveaway.sources.files.stored import BLANKS

if TYPE_CHECKING:
    import narwhals as nw

_VALUE, _CLASS = "giveaway_value", "giveaway_class"


def classed(
    held: HeldRows, groups: Grouping, missing: Collection[str]
) -> tuple[HeldRows, dict[str, Classes]]:
    """Return the rows with classes in the place of values, and the classes, fixed on these rows.

    Comparing numbers is left to no engine: each value is looked up by its text. A value that was not there when the
    classes were fixed is found in none, which changes the fingerprint of the rows.
    """
    import narwhals as nw

    frame, fixed = held.frame, {}
    for column in groups.classes:
        spelled = frame.with_columns(_text(frame, column).alias(_VALUE))
        counted = spelled.filter(~nw.col(_VALUE).is_null()).group_by(_VALUE).agg(nw.len().alias("n"))
        part = held.backend.whole(counted.select(_VALUE, "n"))
        texts = [str(text) for text in part.columns[_VALUE].array().tolist()]
        counts: dict[str, int] = {}
        for text, count in zip(texts, part.numbers("n").tolist(), strict=True):
            bare = text.strip(BLANKS)
            if bare not in missing:
                counts[bare] = counts.get(bare, 0) + count
        fixed[column] = groups.fixed(column, dict(sorted(counts.items())), missing)
        known = [text for text in texts if text.strip(BLANKS) not in missing]
        labels = [fixed[column].of_value[text.strip(BLANKS)] for text in known]
        named = RowsPart({_VALUE: PlainColumn.of(known), _CLASS: PlainColumn.of(labels)})
        joined = spelled.join(held.backend.put(named), on=_VALUE, how="left")
        frame = joined.select(
            *(nw.col(_CLASS if name == column else name).alias(name) for name in held.columns)
        )
    return replace(held, frame=frame), fixed


def _text(frame: "nw.LazyFrame[Any]", column: str) -> "nw.Expr":
    """Return a value as the engine writes it: numbers and dates mean the same in the words of all of them."""
    import narwhals as nw

    value = nw.col(column)
    return value if frame.collect_schema()[column] == nw.String else value.cast(nw.String)
