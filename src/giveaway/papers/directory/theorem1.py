"""Theorem 1: when the risk in one directory bounds the risk in another, by the order of directories (Definition 8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.lookup import ELSEWHERE, all_fitting, paired
from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.reporting.sentences import amount, counted
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve
from giveaway.model.data.arrays import Codes
from giveaway.model.data.people import Gaps, People

POINTS = 400
"""The most points of a cloud."""


def precedes(smaller: People, larger: People, columns: Sequence[str], gaps: Gaps) -> bool | None:
    """Tell whether a directory holds everybody of another one, so that whoever agrees there agrees here; None without ids.

    Lebanon et al., Definition 8, on the columns compared: the smaller directory's risk is never below the larger one's.
    Where gaps agree, people have the same values there or fewer; where gaps are apart, the same or more.
    """
    if smaller.ids is None or smaller.entries is None or larger.ids is None or larger.entries is None:
        return None
    ours, theirs = paired(smaller.ids, larger.ids)
    left, right = smaller.entries[ours], larger.entries[theirs]
    fits = np.ones(len(ours), np.bool_)
    for name in columns:
        if name in larger.columns:
            known, before = larger.columns[name][right], _translated(smaller, larger, name)[left]
            gap = (known if gaps == "agree" else before) == HIDDEN
            fits &= gap | (known == before)
    return all_fitting(fits, ours, len(smaller.ids))


@dataclass(frozen=True, kw_only=True, eq=False)
class TrueDirectory:
    """A second directory, taken for the attacker's own, next to the one that the risk is estimated with."""

    question: DirectoryQuestion
    estimate: GroupsTally
    people: People

    @cached_property
    def tally(self) -> GroupsTally:
        """What is given away to somebody with the true directory."""
        question, lookup, groups = self.question, self.question.lookup, self.question.groups
        matching = lookup.matched(self.people)
        if question.attacker.knows_method:
            crowds = question.looking_alike(self.people).crowds(question.only(list(range(lookup.compared))))
        else:
            crowds = matching.candidates(groups.values, groups.levels if groups.levels.any() else None)
        return GroupsTally(
            count=groups.count,
            crowds=crowds[:, None],
            phis=question.phis,
            prior=(),
            tolerance=self.estimate.tolerance,
        )

    @cached_property
    def smaller(self) -> bool | None:
        """Whether every directory of the estimate precedes the true one; None where ids do not tell."""
        answers = [
            precedes(m.people, self.people, self.question.compared, m.gaps)
            for m in self.question.lookup.matchings
        ]
        return None if None in answers else all(answers)

    @property
    def holds(self) -> bool | None:
        """Whether every directory of the estimate holds the records; None where ids do not tell."""
        return self.question.lookup.holds

    @property
    def is_bound(self) -> bool:
        """Whether Theorem 1 makes the estimate an upper bound: it is about people who agree."""
        return not self.question.attacker.knows_method and bool(self.smaller and self.holds)

    @property
    def losses(self) -> tuple[np.ndarray, np.ndarray]:
        """The true and the estimated loss of each group."""
        return self.tally.losses, self.estimate.losses

    def words(self) -> str:
        """Say which conditions of Theorem 1 hold."""
        name = self.people.name
        true = f"Looked up in {name}, the true risk is {amount(self.tally.risk)}."
        if self.question.attacker.knows_method:
            return true
        if self.is_bound:
            return (
                f"{true} The estimate is an upper bound of it (Theorem 1): checked, every {nouns().record} is in its directory, and "
                f"everybody of that directory is in {name} {_values(self.question)}."
            )
        if self.smaller is None or self.holds is None:
            return f"{true} Whether the estimate must be above it cannot be checked without ids (Theorem 1)."
        fails = []
        if not self.holds:
            fails.append(f"not every {nouns().record} is in the directory of the estimate")
        if not self.smaller:
            fails.append(f"not everybody of that directory is in {name} {_values(self.question)}")
        return f"{true} The estimate need not be above it (Theorem 1): {', and '.join(fails)}."

    def curves(self) -> tuple[Curve, ...]:
        """Set the estimated loss of records against the true one, as points."""
        true, believed = self.losses
        finite = np.isfinite(true) & np.isfinite(believed)
        points = np.unique(np.stack([true[finite], believed[finite]], axis=1), axis=0)
        if not len(points):
            return ()
        chosen = np.unique(np.linspace(0, len(points) - 1, min(len(points), POINTS)).round().astype(np.int64))
        below = int((points[:, 1] < points[:, 0]).sum())
        says = (
            "No estimated loss is below the true one."
            if not below
            else f"{counted(below, 'losses are', 'loss is')} estimated below the true one."
        )
        if self.is_bound:
            says += (
                f" The estimate is an upper bound: its directory is smaller and holds the {nouns().records}."
            )
        return (
            Curve(
                name="estimated",
                x_label="true loss",
                y_label="estimated loss",
                x=tuple(points[chosen, 0].tolist()),
                y=tuple(points[chosen, 1].tolist()),
                says=says,
            ),
        )


def conditions(question: DirectoryQuestion) -> str:
    """Say what the table as its own directory rests on; nothing where a directory was given."""
    if not question.lookup.is_own:
        return ""
    ids = (
        "no id appears twice"
        if question.original.id is not None
        else "without an id each row is taken for a different person"
    )
    return (
        "The table itself is the directory. By Theorem 1 this bounds the risk from the attacker's own directory from "
        f"above. Checked: every {nouns().record} is in it, and {ids}. It cannot be checked, and must be true, that the attacker's "
        f"directory holds all these people, {_values(question)}."
    )


def _values(question: DirectoryQuestion) -> str:
    """Say which values people must have in the larger of two directories, so that nobody is lost there."""
    return f"with the same values or {'fewer' if question.lookup.gaps == 'agree' else 'more'}"


def _translated(smaller: People, larger: People, name: str) -> Codes:
    """Return the code that each entry has among the labels of another directory; one that has no column has any value."""
    if name not in smaller.columns:
        return np.full(len(smaller.alone), ELSEWHERE, np.int32)
    code_of = {str(label): code for code, label in enumerate(larger.labels[name])}
    codes = [*(code_of.get(str(label), ELSEWHERE) for label in smaller.labels[name]), HIDDEN]
    return np.array(codes, np.int32)[smaller.columns[name]]
