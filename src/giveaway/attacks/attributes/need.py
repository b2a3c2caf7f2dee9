"""What readers of a table with blanks need."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from giveaway.attacks.wording import listed
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.question.fields import described, documented
from giveaway.model.question.need import Need

MOST_WEIGHT = 1_000
"""The largest weight of an entry, so that sums stay exact in every search."""

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
_WORDS: dict[str, str] = {
    _OTHERS: "sensitive entries of other records",
    _CONDITIONS: "conditions of other records",
    _OWN: "conditions of the secret records",
}


@documented
@dataclass(frozen=True, kw_only=True, init=False)
class NeedsCells(Need):
    """Keep as many entries as possible, or those of the most weight, and hide others only where it is allowed.

    >>> NeedsCells(hideable="g").hideable
    ('sensitive of others', 'conditions of others')
    >>> NeedsCells(hideable="g", weights={"job": 3}).says()
    'every entry (except sensitive entries of other records and conditions of other records), an entry of job counts 3'
    """

    word: ClassVar[str] = "cells"
    meaning: ClassVar[str] = "entries of a table to keep, and which may be hidden"

    hideable: tuple[str, ...] = described(
        'where entries may be hidden: "sensitive of others", "conditions of others", "conditions of secrets", or a '
        'letter "a" to "h" of the paper; [] forbids hiding',
        default=("sensitive of others",),
    )
    weights: Mapping[str, int] = described(
        f"how much an entry of a column counts, from 1 to {MOST_WEIGHT:,}; 1 where nothing is said",
        default=None,
    )

    def __init__(
        self, *, hideable: str | Iterable[str] = (_OTHERS,), weights: Mapping[str, int] | None = None
    ) -> None:
        words = (hideable,) if isinstance(hideable, str) else tuple(hideable)
        named = _LETTERS[words[0]] if len(words) == 1 and words[0] in _LETTERS else words
        unknown = [word for word in named if word not in get_args(Region)]
        if unknown:
            raise ScenarioError(
                f"hideable = {unknown[0]!r} is unknown.",
                exists=", ".join((*get_args(Region), *_LETTERS)),
                field="hideable",
            )
        for column, weight in (weights or {}).items():
            whole = isinstance(weight, int) and not isinstance(weight, bool)
            if not whole or not 1 <= weight <= MOST_WEIGHT:
                raise ScenarioError(
                    f"weights: that of {column} is {weight!r} and must be a whole number from 1 to {MOST_WEIGHT:,}.",
                    hint="must_publish keeps an entry whatever else it costs.",
                    field="weights",
                )
        object.__setattr__(self, "hideable", tuple(word for word in get_args(Region) if word in named))
        object.__setattr__(self, "weights", dict(weights or {}))

    def says(self) -> str:
        """Say what is kept."""
        some = [nouns().told(_WORDS[region]) for region in self.hideable]
        kept = f"every entry (except {listed(some)})" if some else "every entry"
        weighed = [f"an entry of {column} counts {weight:,}" for column, weight in self.weights.items()]
        return ", ".join([kept, *weighed])
