"""What the reader of the data needs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from giveaway.errors import ScenarioError
from giveaway.model.question.fields import described
from giveaway.model.release.rule import Rule

Region = Literal["sensitive of others", "conditions of others", "conditions of secrets"]

_OTHERS, _CONDITIONS, _OWN = get_args(Region)
_LETTERS: dict[str, tuple[str, ...]] = {
    "a": (_OTHERS,),
    "b": (_CONDITIONS,),
    "c": (_OWN,),
    "d": (_CONDITIONS, _OWN),
    "e": (_OTHERS, _OWN),
    "f": (_OTHERS, _CONDITIONS, _OWN),
    "g": (_OTHERS, _CONDITIONS),
    "h": (),
}
"""The subcases of the paper."""
_MOST = 10**15
"""More transactions than there are."""


class Need:
    """Something the release should keep; each kind is a frozen, validated value."""


@dataclass(frozen=True, kw_only=True)
class NeedsItemsets(Need):
    """Keep as many frequent itemsets (nuggets) as possible.

    >>> NeedsItemsets(min_support=100)
    NeedsItemsets(min_support=100, max_size=None)
    """

    min_support: int = described("an itemset counts when at least this many transactions hold it")
    max_size: int | None = described("and when it has at most this many items", default=None)

    def __post_init__(self) -> None:
        for name, value in (("min_support", self.min_support), ("max_size", self.max_size)):
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MOST:
                raise ScenarioError(
                    f"{name} = {value!r} must be a whole number of at least 1 and at most {_MOST:,}."
                )


@dataclass(frozen=True, kw_only=True, init=False)
class NeedsCells(Need):
    """Keep as many entries as possible, and hide others only where it is allowed.

    >>> NeedsCells(hideable="g").hideable
    ('sensitive of others', 'conditions of others')
    """

    hideable: tuple[str, ...] = described(
        'where entries may be hidden: "sensitive of others", "conditions of others", "conditions of secrets", or a '
        'letter "a" to "h" of the paper; [] forbids hiding',
        default=("sensitive of others",),
    )

    def __init__(self, *, hideable: str | Iterable[str] = (_OTHERS,)) -> None:
        words = (hideable,) if isinstance(hideable, str) else tuple(hideable)
        named = _LETTERS[words[0]] if len(words) == 1 and words[0] in _LETTERS else words
        unknown = [word for word in named if word not in get_args(Region)]
        if unknown:
            raise ScenarioError(
                f"hideable = {unknown[0]!r} is unknown.",
                exists=", ".join((*get_args(Region), *_LETTERS)),
            )
        object.__setattr__(self, "hideable", tuple(word for word in get_args(Region) if word in named))


@dataclass(frozen=True, kw_only=True, init=False)
class NeedsRules(Need):
    """Keep as many rules as possible, those of large support first, and some in any case.

    >>> NeedsRules(must_publish=[Rule({"sex": "f"}, "yes")]).must_publish[0].value
    'yes'
    """

    must_publish: tuple[Rule, ...] = described(
        "rules that are published in any case: a file like rules.csv", default=()
    )

    def __init__(self, *, must_publish: Iterable[Rule] = ()) -> None:
        object.__setattr__(self, "must_publish", tuple(dict.fromkeys(must_publish)))


@dataclass(frozen=True, kw_only=True, init=False)
class NeedsColumns(Need):
    """Disclose so many values: of each record, in total, or of each column (the paper's Delta2, Delta1, Delta3).

    >>> NeedsColumns(per_record=4, always=["sex"])
    NeedsColumns(per_record=4, total=None, per_column=None, always=('sex',), clip=False, fill=True)
    """

    per_record: int | None = described("disclose so many values of every record", default=None)
    total: int | None = described("disclose so many values in all", default=None)
    per_column: int | None = described("disclose so many values of every column", default=None)
    always: tuple[str, ...] = described("columns that are shown wherever they have a value", default=())
    clip: bool = described(
        "a record with fewer values discloses those it has; otherwise that is an error", default=False
    )
    fill: bool = described(
        "put further values back, cheapest first, while the tolerance holds; false: exactly so many",
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
        given = {"per_record": per_record, "total": total, "per_column": per_column}
        named = [name for name, value in given.items() if value is not None]
        if len(named) > 1:
            raise ScenarioError(f"{named[0]} and {named[1]} are both given.", hint="give one of them.")
        for name, value in given.items():
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise ScenarioError(f"{name} = {value!r} must be a whole number of at least 0.")
        if not named and not fill:
            raise ScenarioError("fill = false needs a number of values.", exists=", ".join(given))
        if isinstance(always, str):
            raise ScenarioError("always is a list of columns, not one text.", hint='write always = ["sex"].')
        settings = {"always": tuple(dict.fromkeys(always)), "clip": clip, "fill": fill}
        for name, setting in {**given, **settings}.items():
            object.__setattr__(self, name, setting)
