"""What readers of records need."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from giveaway.errors import ScenarioError
from giveaway.model.question.fields import check_whole, described, documented
from giveaway.model.question.need import Need


@documented
@dataclass(frozen=True, kw_only=True, init=False)
class NeedsColumns(Need):
    """Disclose a number of values: of each record, in total, or of each column (the paper's Delta2, Delta1, Delta3).

    >>> NeedsColumns(per_record=4, always=["sex"])
    NeedsColumns(per_record=4, total=None, per_column=None, always=('sex',), clip=False, fill=True)
    """

    word: ClassVar[str] = "columns"
    meaning: ClassVar[str] = "how many values of a table to disclose"

    per_record: int | None = described("disclose this many values of every record", default=None)
    total: int | None = described("disclose this many values in all", default=None)
    per_column: int | None = described("disclose this many values of every column", default=None)
    always: tuple[str, ...] = described("columns that are shown wherever they have a value", default=())
    clip: bool = described(
        "a record with fewer values discloses those it has; otherwise that is an error", default=False
    )
    fill: bool = described(
        "put further values back, cheapest first, while the tolerance holds; false: exactly this many",
        default=True,
    )

    def __init__(
        self,
        *,
        per_record: int | None = None,
        total: int | None = None,
        per_column: int | None = None,
        always: Iterable[str] = (),
        clip: bool = False,
        fill: bool = True,
    ) -> None:
        numbers = {"per_record": per_record, "total": total, "per_column": per_column}
        named = [name for name, value in numbers.items() if value is not None]
        if len(named) > 1:
            raise ScenarioError(
                f"{named[0]} and {named[1]} are both given.", hint="give one of them.", field=named[0]
            )
        for name, value in numbers.items():
            if value is not None:
                check_whole(name, value, 0)
        if not named and not fill:
            raise ScenarioError(
                "fill = false needs a number of values.", exists=", ".join(numbers), field="fill"
            )
        if isinstance(always, str):
            raise ScenarioError(
                "always is a list of columns, not one text.", hint='write always = ["sex"].', field="always"
            )
        settings = {"always": tuple(dict.fromkeys(always)), "clip": clip, "fill": fill}
        for name, setting in {**numbers, **settings}.items():
            object.__setattr__(self, name, setting)
