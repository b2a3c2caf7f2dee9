"""The need of readers for some items by name, which every attack serves that has items withheld."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from giveaway.attacks.wording import listed, named
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.labels import Label
from giveaway.model.question.fields import described, documented
from giveaway.model.question.need import Need
from giveaway.model.release.release import Release

_FEW = 5


@documented
@dataclass(frozen=True, kw_only=True, init=False)
class NeedsItems(Need):
    """Keep some items whatever else it costs: `protect` withholds others instead, and publishes these under their own names.

    >>> NeedsItems(keep=["milk", "bread"]).says()
    'the items milk and bread'
    """

    word: ClassVar[str] = "items"
    meaning: ClassVar[str] = "items to keep"

    keep: tuple[Label, ...] = described("items that must not be withheld, nor given as their category")

    def __init__(self, *, keep: Iterable[Label]) -> None:
        if isinstance(keep, str):
            raise ScenarioError(
                "keep is a list of items, not one text.", hint=f'write keep = ["{keep}"].', field="keep"
            )
        object.__setattr__(self, "keep", tuple(dict.fromkeys(keep)))
        if not self.keep:
            raise ScenarioError(
                "keep names no item.", hint="leave it out when every item may be withheld.", field="keep"
            )

    def says(self) -> str:
        """Say what is kept."""
        some = [named(item) for item in self.keep[:_FEW]]
        more = len(self.keep) - len(some)
        items = f"{', '.join(some)} and {more:,} more" if more else listed(some)
        return f"the {nouns().item if len(self.keep) == 1 else nouns().items} {items}"

    def marked(self, release: Release) -> Release:
        """Return the release with these items marked to be published."""
        return replace(release, keep=self.keep)
