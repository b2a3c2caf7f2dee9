"""What an attacker knows besides the release: the base of the kinds that attacks have."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import ClassVar, Self

from giveaway.errors import Mistake, NothingToJudge, ScenarioError
from giveaway.model.data.table import Table
from giveaway.model.question.fields import check_switch, described
from giveaway.model.question.reading import Reading


@dataclass(frozen=True, kw_only=True, eq=False)
class Attacker(ABC):
    """Somebody with stated knowledge; each attack has its own frozen, validated kind."""

    attack: ClassVar[str]

    knows_method: bool = described(
        "whether the attacker knows how giveaway chooses what to withhold; false is the attacker of the paper",
        default=True,
    )

    def __post_init__(self) -> None:
        check_switch("knows_method", self.knows_method)

    @abstractmethod
    def knows(self) -> str:
        """Say in words what this attacker knows, as in "any two items of a transaction"."""

    def knows_briefly(self) -> str:
        """Say the same as short as a heading must be: where many columns are known, they are counted."""
        return self.knows()

    def knows_publicly(self) -> str:
        """Say the same for everybody's eyes: files and tables of the owner are not named."""
        return self.knows()

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:  # noqa: ARG002 # some know what the table has
        """Return the columns of a table that this attacker knows; without the table, those that are named."""
        return ()

    def among(self, columns: Collection[str]) -> Self:
        """Return the attacker who knows no more than some columns: others are those of earlier releases."""
        named = self.looks_at()
        known = tuple(column for column in named if column in columns)
        if known == named:
            return self
        if not known:
            raise NothingToJudge(
                f"Nothing of {', '.join(named)} is in this release.", hint="name a column that it shows too."
            )
        fewer = copy(self)
        object.__setattr__(fewer, "columns", known)
        return fewer

    def with_columns_of(self, others: Iterable["Attacker"]) -> Self:
        """Return the attacker who knows what others of the kind know too, where columns are named."""
        named = self.looks_at()
        every = tuple(dict.fromkeys((*named, *(column for one in others for column in one.looks_at()))))
        if every == named:
            return self
        more = copy(self)
        object.__setattr__(more, "columns", every)
        return more

    def differences(self, other: "Attacker") -> list[str]:
        """Name the fields in which another attacker of the kind differs, but for which columns are named."""
        mine, theirs = vars(self), vars(other)
        differ = sorted(name for name in mine if name != "columns" and mine[name] != theirs.get(name))
        return [*differ, *(["columns"] if bool(self.looks_at()) != bool(other.looks_at()) else [])]

    def loaded(self, reading: Reading) -> "Attacker":  # noqa: ARG002 # most name no files
        """Return the attacker with what its files hold, where a scenario wrote their names."""
        return self

    def objections(self, unjudged: Sequence[str]) -> list[Mistake]:  # noqa: ARG002 # most hold nothing but what they know
        """Say which columns cannot be published unjudged although nothing says that this attacker knows them."""
        return []


def named(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that an attacker knows, at least one and each once."""
    if isinstance(columns, str):
        raise ScenarioError(
            "columns is a list of names, not one text.",
            hint='write columns = ["age", "sex"].',
            field="columns",
        )
    names = tuple(columns)
    if not names:
        raise ScenarioError(
            "columns names no column.", hint="name what the attacker knows of a person.", field="columns"
        )
    if len(set(names)) < len(names):
        raise ScenarioError("columns names a column twice.", field="columns")
    return names
