"""What an attacker knows besides the release: the base of the five kinds."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from giveaway.errors import ScenarioError
from giveaway.model.data.table import Table


class Attacker(ABC):
    """Somebody with stated knowledge; each attack has its own frozen, validated kind."""

    attack: ClassVar[str]

    @abstractmethod
    def knows(self) -> str:
        """Say in words what this attacker knows, as in "any two items of a transaction"."""

    def knows_publicly(self) -> str:
        """Say the same for everybody's eyes: files and tables of the owner are not named."""
        return self.knows()

    @property
    def knows_size(self) -> bool:
        """Whether this attacker is measured as somebody who knows how many people the data are about."""
        return True

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:  # noqa: ARG002 # some know what the table has
        """Return the columns of a table that this attacker knows; without the table, those that are named."""
        found: tuple[str, ...] = getattr(self, "columns", ())
        return found


def named(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that an attacker knows, at least one and each once."""
    if isinstance(columns, str):
        raise ScenarioError(
            "columns is a list of names, not one text.", hint='write columns = ["age", "sex"].'
        )
    given = tuple(columns)
    if not given:
        raise ScenarioError("columns names no column.", hint="name what the attacker knows of a person.")
    if len(set(given)) < len(given):
        raise ScenarioError("columns names a column twice.")
    return given
