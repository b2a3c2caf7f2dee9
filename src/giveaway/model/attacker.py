"""What an attacker knows besides the release: the base of the five kinds."""

from abc import ABC, abstractmethod
from typing import ClassVar


class Attacker(ABC):
    """Somebody with stated knowledge; each attack has its own frozen, validated kind."""

    attack: ClassVar[str]

    @abstractmethod
    def knows(self) -> str:
        """Say in words what this attacker knows, as in "any two items of a transaction"."""
