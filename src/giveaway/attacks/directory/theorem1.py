"""Theorem 1: when the risk in one directory bounds the risk in another, by the order of directories (Definition 8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.reporting.sentences import amount
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.people import Gaps, People
from giveaway.model.data.table import Table

_MISSING, _ELSEWHERE = -1, -2


def precedes(smaller: People, larger: People, columns: Sequence[str], gaps: Gaps) -> bool | None:
    """Tell whether a directory holds everybody of another one, so that whoever agrees there agrees here; None without ids.

    Lebanon et al., Definition 8, on the columns compared: the smaller directory's risk is never below the larger one's.
    Where gaps agree, people have the same values there or fewer; where gaps are apart, the same or more.
    """
    if smaller.ids is None or smaller.entries is None or larger.ids is None or larger.entries is None:
        return None
    ours, theirs = _paired(smaller.ids, larger.ids)
    left, right = smaller.entries[ours], larger.entries[theirs]
    fits = np.ones(len(ours), np.bool_)
    for name in columns:
        if name in larger.columns:
            known, before = larger.columns[name][right], _translated(smaller, larger, name)[left]
            gap = (known if gaps == "agree" else before) == _MISSING
            fits &= gap | (known == before)
    return bool(_any(fits, ours, len(smaller.ids)).all())


def holds(people: People, table: Table, columns: Sequence[str], gaps: Gaps) -> bool | None:
    """Tell whether every record is in a directory: the same id, with values that agree."""
    if table.id is None or people.ids is None or people.entries is None:
        return None
    rows, lines = _paired(table.ids, people.ids)
    fits = np.ones(len(rows), np.bool_)
    for name in columns:
        if name not in people.columns:
            continue
        code_of = {str(label): code for code, label in enumerate(people.labels[name])}
        translated = np.array(
            [*(code_of.get(str(label), _ELSEWHERE) for label in table.labels[name]), _MISSING], np.int32
        )
        ours = translated[table.columns[name][table.record_of[rows]]]
        theirs = people.columns[name][people.entries[lines]]
        gap = (theirs == _MISSING) & (gaps == "agree")
        fits &= (ours == _MISSING) | gap | (ours == theirs)
    return bool(_any(fits, rows, len(table)).all())


def holding(question: DirectoryQuestion) -> bool | None:
    """Tell whether every directory holds the records; None where ids do not tell."""
    if question.lookup.is_own:
        return True
    answers = [
        holds(m.people, question.original, question.compared, m.gaps) for m in question.lookup.matchings
    ]
    return None if None in answers else all(answers)


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

    @cached_property
    def holds(self) -> bool | None:
        """Whether every directory of the estimate holds the records; None where ids do not tell."""
        return holding(self.question)

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
        return np.full(len(smaller.alone), _ELSEWHERE, np.int32)
    code_of = {str(label): code for code, label in enumerate(larger.labels[name])}
    codes = [*(code_of.get(str(label), _ELSEWHERE) for label in smaller.labels[name]), _MISSING]
    return np.array(codes, np.int32)[smaller.columns[name]]


def _paired(ours: Sequence[Label], theirs: Sequence[Label]) -> tuple[Ints, Ints]:
    """Return all pairs of places whose ids are written the same."""
    rows_of: dict[str, list[int]] = {}
    for place, label in enumerate(theirs):
        rows_of.setdefault(str(label), []).append(place)
    pairs = [(at, place) for at, label in enumerate(ours) for place in rows_of.get(str(label), ())]
    paired = np.array(pairs, np.int64).reshape(-1, 2)
    return paired[:, 0], paired[:, 1]


def _any(fits: NDArray[np.bool_], of: Ints, size: int) -> NDArray[np.bool_]:
    """Tell for each place whether one of its pairs fits."""
    some = np.zeros(size, np.bool_)
    some[of[fits]] = True
    return some
