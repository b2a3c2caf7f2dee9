"""The words of a scenario for the toy, whose files are read when asked for, and what `giveaway init` proposes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from tests.architecture.toy_attack.attacker import KnowsSizes
from tests.architecture.toy_attack.need import NeedsOccurrences

from giveaway.attacks.proposal import DataFound, Form, Proposal
from giveaway.errors import ScenarioError
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import File, described
from giveaway.model.question.reading import Reading
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True)
class SizesFields(Attacker):
    """An entry of [[knows]] with attack = "sizes"."""

    attack: ClassVar[str] = "sizes"

    up_to: int | None = described("how many items the attacker counts at a glance", default=None, also="most")
    up_to_from: File | None = described("the same from a file", default=None)

    def __post_init__(self) -> None:
        if (self.up_to is None) == (self.up_to_from is None):
            raise ScenarioError("up_to or up_to_from must be given.", hint="give one of them.")
        if self.up_to is not None:
            KnowsSizes(up_to=self.up_to)

    def knows(self) -> str:
        """Say what this attacker knows, before the file is read."""
        return "how many items a transaction has"

    def loaded(self, reading: Reading) -> KnowsSizes:
        """Return the attacker with its file read."""
        if self.up_to is not None:
            return KnowsSizes(up_to=self.up_to)
        return KnowsSizes(up_to=int((reading.base / str(self.up_to_from)).read_text()))


@dataclass(frozen=True, kw_only=True)
class OccurrencesFields:
    """What `occurrences` in [needs] says."""

    least_from: File = described("a file that holds the least number")

    def loaded(self, reading: Reading, release: Callable[[], Release]) -> NeedsOccurrences:  # noqa: ARG002 # some needs speak of the data
        """Return the need with its file read."""
        return NeedsOccurrences(least=int((reading.base / self.least_from).read_text()))


_KNOWS = """\
# Somebody who saw how full the basket was:
# [[knows]]
# attack = "sizes"
# up_to = 3
"""


def _needs(found: DataFound) -> str:
    return f'# occurrences = {{ least_from = "least.txt" }}    # of {found.rows} transactions\n'


PROPOSES: dict[Form, Proposal] = {"transactions": Proposal(knows=lambda _: _KNOWS, needs=_needs)}
