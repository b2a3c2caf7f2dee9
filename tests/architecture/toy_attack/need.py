"""What readers of the toy need."""

from dataclasses import dataclass
from typing import ClassVar

from giveaway.attacks.wording import counted
from giveaway.model.question.fields import described
from giveaway.model.question.need import Need


@dataclass(frozen=True, kw_only=True)
class NeedsOccurrences(Need):
    """Keep at least so many item occurrences."""

    word: ClassVar[str] = "occurrences"
    meaning: ClassVar[str] = "item occurrences to keep"

    least: int = described("at least so many")

    def says(self) -> str:
        """Say what is kept."""
        return f"at least {counted(self.least, 'item occurrences')}"
