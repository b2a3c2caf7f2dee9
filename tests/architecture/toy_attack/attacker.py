"""The attacker who saw how large a basket was, and the options of the protector."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from giveaway.errors import ScenarioError
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import described


@dataclass(frozen=True, kw_only=True)
class KnowsSizes(Attacker):
    """Somebody who can count up to `up_to` items at a glance; more is "many" to them."""

    attack: ClassVar[str] = "sizes"

    up_to: int = described("how many items the attacker counts at a glance")

    def __post_init__(self) -> None:
        if not isinstance(self.up_to, int) or self.up_to < 0:
            raise ScenarioError(
                f"up_to = {self.up_to!r} must be a whole number of at least 0.", field="up_to"
            )

    def knows(self) -> str:
        """Say what this attacker knows."""
        return f"how many items a transaction has, up to {self.up_to}"


@dataclass(frozen=True, kw_only=True)
class SizesOptions:
    """Which items are withheld first."""

    first: Literal["rarest", "commonest"] = described("the items that are withheld first", default="rarest")
