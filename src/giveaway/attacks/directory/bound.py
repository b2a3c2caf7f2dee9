"""What is known of directories that were not given: Theorem 1, its conditions, and a true directory beside."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.attacks.directory.lookup import matched
from giveaway.attacks.directory.losses import Tally, tallied
from giveaway.attacks.directory.question import Question
from giveaway.attacks.directory.reporting.sentences import amount
from giveaway.attacks.directory.theorem1 import holds, precedes
from giveaway.model.data.people import People


@dataclass(frozen=True, kw_only=True, eq=False)
class Beside:
    """A second directory, taken for the attacker's, beside the one that the risk is estimated with."""

    question: Question
    estimate: Tally
    people: People

    @cached_property
    def tally(self) -> Tally:
        """What is given away to somebody with the true directory."""
        question, lookup = self.question, self.question.lookup
        weighed = question.attributes[lookup.compared :]
        matching = matched(
            self.people,
            question.original,
            question.attacker,
            question.compared,
            weighed,
            lookup.hierarchies,
            lookup.gaps,
        )
        levels = question.groups.levels if question.groups.levels.any() else None
        crowds = matching.candidates(question.groups.values, levels)[:, None]
        return tallied(question.groups, crowds, question.phis, (), self.estimate.tolerance)

    @cached_property
    def smaller(self) -> bool | None:
        """Whether every directory of the estimate precedes the true one; None where ids do not tell."""
        found = [
            precedes(m.people, self.people, self.question.compared, m.gaps)
            for m in self.question.lookup.matchings
        ]
        return None if None in found else all(found)

    @cached_property
    def holds(self) -> bool | None:
        """Whether every directory of the estimate holds the records; None where ids do not tell."""
        return holding(self.question)

    @property
    def is_bound(self) -> bool:
        """Whether Theorem 1 makes the estimate an upper bound."""
        return bool(self.smaller and self.holds)

    @property
    def losses(self) -> tuple[np.ndarray, np.ndarray]:
        """The true and the estimated loss of each group."""
        return self.tally.losses, self.estimate.losses

    def words(self) -> str:
        """Say which conditions of Theorem 1 hold."""
        name = self.people.name
        true = f"Looked up in {name}, the true risk is {amount(self.tally.risk)}."
        if self.is_bound:
            return (
                f"{true} The estimate is an upper bound of it (Theorem 1): checked, every record is in its directory, and "
                f"everybody of that directory is in {name} {_values(self.question)}."
            )
        if self.smaller is None or self.holds is None:
            return f"{true} Whether the estimate must be above it cannot be checked without ids (Theorem 1)."
        fails = []
        if not self.holds:
            fails.append("not every record is in the directory of the estimate")
        if not self.smaller:
            fails.append(f"not everybody of that directory is in {name} {_values(self.question)}")
        return f"{true} The estimate need not be above it (Theorem 1): {', and '.join(fails)}."


def holding(question: Question) -> bool | None:
    """Tell whether every directory holds the records; None where ids do not tell."""
    if question.lookup.is_own:
        return True
    found = [holds(m.people, question.original, question.compared, m.gaps) for m in question.lookup.matchings]
    return None if None in found else all(found)


def conditions(question: Question) -> str:
    """Say what the table as its own directory rests on; nothing where a directory was given."""
    if not question.lookup.is_own:
        return ""
    ids = (
        "no id stands twice"
        if question.original.id is not None
        else "without an id each row is taken for somebody else"
    )
    return (
        "The table itself is the directory. By Theorem 1 this bounds the risk from the attacker's own directory from "
        f"above. Checked: every record is in it, and {ids}. It cannot be checked, and must be true, that the attacker's "
        f"directory holds all these people, {_values(question)}."
    )


def _values(question: Question) -> str:
    """Say which values people must have in the larger of two directories, so that nobody is lost there."""
    return f"with the same values or {'fewer' if question.lookup.gaps == 'agree' else 'more'}"
