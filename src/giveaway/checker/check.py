"""How the promise of one attack is worked out again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from giveaway.checker.promise import Promise
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release

if TYPE_CHECKING:
    from giveaway.checker.together.written import SeenTogether, WrittenNow

Form = Literal["transactions", "rows", "rules"]


@dataclass(frozen=True, kw_only=True)
class ReadBack:
    """A release as it was read back, once it is the original minus what is withheld."""

    form: Form
    content: Any
    """The transactions with their number, what the rows of a table show, or the rules that are listed."""
    release: Release
    codes: Mapping[Label, str] | None
    """What is written for the items, where they are renamed."""
    promises: Sequence[Promise] = ()
    """What was promised against everybody: what is withheld for one may tell another something."""

    @property
    def table(self) -> Table:
        """The original, of rows or rules."""
        table = self.release.original
        assert isinstance(table, Table)  # noqa: S101 # asked of tables
        return table

    def asked(self, attack: str) -> list[Mapping[str, Any]]:
        """Return the attackers of a kind, also those who were asked about before, when something was withheld already."""
        attackers = [one.attacker for one in self.promises if one.attack == attack]
        now = {id(fields) for one in self.promises for fields in (one.attacker, one.with_earlier)}
        before = [vars(one) for one, _ in self.release.beside if one.attack == attack]
        return [*attackers, *(fields for fields in before if id(fields) not in now)]

    def beside(self, attack: str) -> list[Mapping[str, Any]]:
        """Return the same where they are several and one of them knows the method; else nobody."""
        attackers = self.asked(attack)
        return attackers if len(attackers) > 1 and any(one["knows_method"] for one in attackers) else []


@dataclass(frozen=True, kw_only=True)
class Check:
    """What the judge must know of one attack."""

    attack: str
    form: Form | tuple[Form, ...]
    """What is published where the attack can be judged; several where its attackers differ in that."""
    limits: tuple[str, ...]
    """The limits by which it is judged here: a promise of others alone would be kept by every release."""
    keeps: Callable[[ReadBack, Promise], bool]
    """Tells whether the release keeps the promise."""
    together: "Callable[[WrittenNow, Promise], Iterator[SeenTogether]] | None" = None
    """Gives what is seen of the release with earlier ones at hand; None where that is not worked out."""

    def judges(self, form: Form) -> bool:
        """Tell whether a release of some form can be judged."""
        return form in ((self.form,) if isinstance(self.form, str) else self.form)
