"""How the promise of one attack is worked out again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from giveaway.checker.promise import Promise
from giveaway.model.data.labels import Label
from giveaway.model.release.release import Release

if TYPE_CHECKING:
    from giveaway.checker.together.given import Given, Seen

Form = Literal["transactions", "rows", "rules"]


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A release as it was read back, once it is the original minus what is withheld."""

    form: Form
    content: Any
    """The transactions with their number, what the rows of a table show, or the rules that are listed."""
    release: Release
    codes: Mapping[Label, str] | None
    """What is written for the items, where they are renamed."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """What the judge must know of one attack."""

    attack: str
    form: Form | tuple[Form, ...]
    """What is published where the attack can be judged; several where its attackers differ in that."""
    limits: tuple[str, ...]
    """The limits by which it is judged here: a promise of others alone would be kept by every release."""
    keeps: Callable[[Opened, Promise], bool]
    """Tells whether the release keeps the promise."""
    together: "Callable[[Given, Promise], Iterator[Seen]] | None" = None
    """Gives what is seen of the release with earlier ones at hand; None where that is not worked out."""

    def judges(self, form: Form) -> bool:
        """Tell whether a release of some form can be judged."""
        return form in ((self.form,) if isinstance(self.form, str) else self.form)
