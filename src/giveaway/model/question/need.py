"""What the reader of the data needs: the base of the kinds that attacks have."""

from collections.abc import Callable
from typing import ClassVar

from giveaway.model.question.reading import Reading
from giveaway.model.release.release import Release


class Need:
    """Something the release should keep; each kind is a frozen, validated value."""

    word: ClassVar[str] = ""
    """The field of [needs] that states it; a need without one cannot be stated."""
    meaning: ClassVar[str] = ""
    """What that field is for."""

    def says(self) -> str:
        """Say what is kept, as in "you need ..."; empty where there is nothing to say."""
        return ""

    def marked(self, release: Release) -> Release:
        """Return the release with what must stay marked in it; refuse what the release does not have."""
        return release

    def loaded(self, reading: Reading, release: Callable[[], Release]) -> "Need":  # noqa: ARG002 # most name no files
        """Return the need with what its files hold, where a scenario wrote their names."""
        return self
