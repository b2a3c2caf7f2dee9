"""How the promise of one attack is worked out again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from giveaway.checker.promise import Promise
from giveaway.model.data.labels import Label
from giveaway.model.release.release import Release

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
    by_looks: bool = False
    """Whether somebody who knows the method is hidden by those who look the same in each of several files."""
    joins: bool = False
    """Whether rows joined with those of earlier releases are judged as those of a release are."""

    def judges(self, form: Form) -> bool:
        """Tell whether a release of some form can be judged."""
        return form in ((self.form,) if isinstance(self.form, str) else self.form)
