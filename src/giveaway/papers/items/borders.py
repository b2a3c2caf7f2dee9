"""The borders of moles and nuggets, and the paper's algorithm on them step by step: for small data."""

from dataclasses import dataclass

from giveaway.attacks.items.attacker import KnowsItems
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.question import ask
from giveaway.model.data.labels import Label
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.papers.items.labelled import LabelledBorder, border_of
from giveaway.papers.items.on_borders import (
    ItemsetRows,
    MoleLimits,
    after_observation_2,
    border_greedy,
    mole_border,
)


@dataclass(frozen=True, kw_only=True)
class BorderStep:
    """One step of Figure 2: for every public item the moles and nuggets that contain it, and the item suppressed."""

    counts: dict[Label, tuple[int, int]]
    suppressed: Label


@dataclass(frozen=True, kw_only=True)
class Borders:
    """The borders after rare items were deleted, and the steps that end all moles; without a need only the moles."""

    infrequent: tuple[Label, ...]
    moles: LabelledBorder
    nuggets: LabelledBorder | None = None
    steps: tuple[BorderStep, ...] = ()

    @property
    def suppressed(self) -> tuple[Label, ...]:
        """All items deleted, in their order, as the algorithm is printed: perhaps every public one."""
        return (*self.infrequent, *(step.suppressed for step in self.steps))


def borders(
    release: Release, attacker: KnowsItems, tolerance: Tolerance, *, need: NeedsItemsets | None = None
) -> Borders:
    """Find the borders of moles and nuggets, and run the algorithm as it is printed, without putting anything back.

    For small data: `BudgetExceeded` is raised where a border has too many edges. Raises `NoSafeRelease` when no choice
    of items helps.

    Xu et al., Definition 4 and Figures 2 and 3.

    >>> import giveaway as ga
    >>> rows = [{"a", "b"}, {"a", "b"}, {"a", "c"}, {"b", "c"}, {"a"}]
    >>> found = ga.borders(ga.Release(ga.Transactions.from_lists(rows)), ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))
    >>> sorted(map(sorted, found.moles.upper)), found.moles.edges
    ([['a', 'c'], ['b', 'c']], (<a c, a c>, <b c, b c>))
    >>> found.moles.count(["c"]), found.moles.counts()
    (2, {'a': 1, 'b': 1, 'c': 2})
    """
    question = ask(release, attacker, tolerance)
    limits = MoleLimits.of(question)
    if need is None:
        infrequent, rows = after_observation_2(ItemsetRows.of(question.published), limits, limits.crowd)
        moles = border_of(question.label, mole_border(rows, limits), limits.at_most)
        return Borders(infrequent=tuple(map(question.label, infrequent)), moles=moles)
    choice = border_greedy(question.published, limits, need.min_support, need.max_size)
    return Borders(
        infrequent=tuple(map(question.label, choice.infrequent)),
        moles=border_of(question.label, choice.moles, limits.at_most),
        nuggets=border_of(question.label, choice.nuggets, need.max_size),
        steps=tuple(
            BorderStep(
                counts={question.label(item): counted for item, counted in step.counts.items()},
                suppressed=question.label(step.suppressed),
            )
            for step in choice.steps
        ),
    )
