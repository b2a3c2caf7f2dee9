"""The exceptions, one tree.

GiveawayError
├── WrongQuestion            the question cannot be judged as it was put
│   ├── ScenarioError        a scenario file, an option or an argument is wrong
│   │   └── NotInstalled     a package is needed that is not installed; an ImportError too
│   └── DataError            the data are not what the scenario says
├── NoAnswer                 the question is fine, there is no good answer
│   ├── NoSafeRelease        nothing worth releasing is within tolerance
│   ├── NothingToJudge       there is nothing in the release that the attacker could learn from
│   └── BudgetExceeded       the answer would cost more work than allowed
└── NotWritten               the answer stands, but its files were not written
    └── CheckFailed          the independent checker does not agree with the release
        └── NotConfirmed     it could not work out whether the release keeps its promise
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from giveaway.masking import masked


@dataclass(frozen=True)
class Mistake:
    """One thing that is wrong: the fact, what there is instead, and a hint; where it stands if known."""

    fact: str
    exists: str | None = None
    hint: str | None = None
    where: str | None = None
    field: str | None = None
    """The field of the scenario that it is about, whose line is told; None where it is about none, or several."""

    def __str__(self) -> str:
        parts = [masked(self.fact if self.where is None else f"{self.where}: {self.fact}")]
        if self.exists:
            parts.append(f"It has: {masked(self.exists)}.")
        if self.hint:
            parts.append(f"Hint: {masked(self.hint)}")
        return " ".join(parts)


class GiveawayError(Exception):
    """Base of every error giveaway raises on purpose."""


class WrongQuestion(GiveawayError):
    """The question cannot be judged as put; `mistakes` lists everything that is wrong with it."""

    def __init__(
        self,
        fact: str | Sequence[Mistake],
        *,
        exists: str | None = None,
        hint: str | None = None,
        field: str | None = None,
    ) -> None:
        self.mistakes = (Mistake(fact, exists, hint, field=field),) if isinstance(fact, str) else tuple(fact)
        super().__init__("\n".join(map(str, self.mistakes)))


class ScenarioError(WrongQuestion):
    """Correct the scenario file, the option or the argument that is named."""


class NotInstalled(ScenarioError, ImportError):
    """Install the package that is named, as `hint` says."""


class DataError(WrongQuestion):
    """Correct the data, or what the scenario says about them."""


class NoAnswer(GiveawayError):
    """The question is understood, but there is no good answer to it."""


Setting = str | int | Sequence[str] | None
"""What a field of a scenario is changed to; None takes it out."""


class Help(str):
    """What would help, in words; any one of the changes in `set` would do, by the names of the scenario's fields.

    >>> help = Help("Tolerate more.", {"tolerates.identity": "1/2"}, {"tolerates.share": "1/10"})
    >>> help, help.set[0]
    ('Tolerate more.', {'tolerates.identity': '1/2'})
    """

    __slots__ = ("set",)

    set: tuple[Mapping[str, Setting], ...]

    def __new__(cls, says: str, *changes: Mapping[str, Setting]) -> Self:
        """Say what helps, with the changes that would do."""
        text = super().__new__(cls, says)
        text.set = changes
        return text


class NoSafeRelease(NoAnswer):
    """Relax the tolerance as `helps` says, or do not release.

    `proved` tells whether no safe release exists or none was found; `assessment` is the release as planned.
    """

    def __init__(self, reason: str, *, helps: Sequence[str] = (), proved: bool = False) -> None:
        self.reason = reason
        self.helps = tuple(one if isinstance(one, Help) else Help(one) for one in helps)
        self.proved = proved
        self.assessment: object | None = None
        super().__init__(masked(" ".join([reason, *self.helps])))


class NothingToJudge(NoAnswer):
    """Ask another question as `hint` says: of this one, safe would be an empty word."""

    def __init__(self, fact: str, *, hint: str) -> None:
        self.fact = fact
        self.hint = hint
        super().__init__(str(Mistake(fact, hint=hint)))


class BudgetExceeded(NoAnswer):
    """Ask for less as `hint` says, or allow more work."""

    def __init__(self, fact: str, *, hint: str) -> None:
        self.fact = fact
        self.hint = hint
        super().__init__(str(Mistake(fact, hint=hint)))


class NotWritten(GiveawayError):
    """Choose another place to write to; what stood there was left alone. `stands`: something was written all the same."""

    def __init__(self, fact: str, *, hint: str | None = None, stands: bool = False) -> None:
        self.fact = fact
        self.hint = hint
        self.stands = stands
        super().__init__(str(Mistake(fact, hint=hint)))


class CheckFailed(NotWritten):
    """Do not release: the files as written do not keep the promise. Please report this as a bug."""


class NotConfirmed(CheckFailed):
    """Ask for what can be checked, as `hint` says: nothing is known to be wrong, but nothing unchecked is released."""
