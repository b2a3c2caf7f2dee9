"""A release: a form of the original minus what is withheld."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from giveaway.errors import ScenarioError
from giveaway.model.labels import Label
from giveaway.model.table import Table
from giveaway.model.transactions import Transactions


@dataclass(frozen=True, kw_only=True, init=False)
class Withheld:
    """What is withheld, in the order in which it was.

    >>> str(Withheld(items=["a"]) | Withheld(items=["b", "a"]))
    '2 items'
    """

    items: tuple[Label, ...] = ()

    def __init__(self, *, items: Iterable[Label] = ()) -> None:
        object.__setattr__(self, "items", tuple(dict.fromkeys(items)))

    def __or__(self, other: "Withheld") -> "Withheld":
        return Withheld(items=(*self.items, *other.items))

    def __bool__(self) -> bool:
        return bool(self.items)

    def __str__(self) -> str:
        if not self.items:
            return "nothing"
        return "1 item" if len(self.items) == 1 else f"{len(self.items):,} items"


@dataclass(frozen=True, eq=False)
class Release:
    """The original data, inside as the truth that guesses are scored with, and what is withheld of them.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a"]]))
    >>> release.withholding(ga.Withheld(items=["b"])).published.labels
    ('a',)
    """

    original: Transactions | Table
    withheld: Withheld = Withheld()
    renamed: bool = field(default=False, kw_only=True)
    """Whether random codes are published instead of item labels."""
    order: Literal["kept", "shuffled"] = field(default="kept", kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.original, Transactions | Table):
            raise ScenarioError(
                f"A release is made of Transactions or a Table, not of {type(self.original).__name__}.",
                hint="ga.Transactions.from_lists(rows) or ga.Transactions.from_frame(frame) makes them.",
            )

    @cached_property
    def published(self) -> Transactions | Table:
        """What the attacker sees."""
        return (
            self.original.without(self.withheld.items)
            if isinstance(self.original, Transactions)
            else self.original
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left that the attacker could use or a reader would want."""
        return isinstance(self.published, Transactions) and bool(self.published.is_private.all())

    def withholding(self, more: Withheld) -> "Release":
        """Return a release that withholds more."""
        return replace(self, withheld=self.withheld | more)
