"""The levels of a whole table: the best node, again for what it suppresses if asked, and what becomes of the rest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, inf
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.levels.counting import Flags, NodeCounts, ShareLimit
from giveaway.attacks.directory.levels.lattice import CountedRows, Lattice, Node
from giveaway.attacks.directory.levels.search import BestNode, best_node
from giveaway.errors import BudgetExceeded
from giveaway.model.data.arrays import Codes, alike


@dataclass(frozen=True, kw_only=True, eq=False)
class LevelPlan:
    """The level that each row shows of each column, the last level of a column being blank."""

    nodes: tuple[Node, ...]
    """The node of the table; further ones are for the rows that those before them suppress."""
    levels: NDArray[np.int8]
    """A level for each row that was given and each column; suppressed rows are blank in all."""
    suppressed: Flags
    """The rows that show nothing."""
    rows_suppressed: int
    loss: Fraction
    """The mean loss of an entry, a suppressed one losing 1."""
    bound: Fraction
    """What any single node loses at least; further nodes may lose less."""
    proved: bool
    """Whether the first node is proved best."""
    counted: int
    """The nodes that were counted."""


@dataclass(frozen=True, eq=False)
class _ShownByNodes:
    """What profiles show by the nodes of a chain so far."""

    counting: NodeCounts
    nodes: tuple[Node, ...]
    levels: NDArray[np.int8]
    left: Flags
    """The profiles that show nothing so far."""

    @property
    def rows_left(self) -> int:
        return int(self.counting.all.rows[self.left].sum())

    @property
    def units(self) -> int:
        """What is lost; where nothing is shown, all is."""
        counting, shows = self.counting, ~self.left
        lost = self.rows_left * sum(counting.lattice.full)
        for column, costs in enumerate(counting.lattice.cost):
            each = np.stack(costs)[self.levels[:, column], counting.values[:, column]]
            lost += int(each[shows] @ counting.all.rows[shows])
        return lost

    def showing(self, best: BestNode) -> "_ShownByNodes":
        """Let those who show nothing show their labels of a further node, but for those that it suppresses."""
        shows = (self.left & ~best.suppressed)[:, None]
        return replace(
            self,
            nodes=(*self.nodes, best.node),
            levels=np.where(shows, np.array(best.node, np.int8), self.levels),
            left=self.left & best.suppressed,
        )

    def filled(self) -> "_ShownByNodes":
        """Let one block more show nothing."""
        number, blocks = self.counting.patterns(self.levels)
        good = ~self.left[blocks.profile]
        more = self.counting.filling(self.levels[blocks.profile], blocks, good)[number]
        top = np.array(self.counting.lattice.top, np.int8)
        return replace(self, levels=np.where(more[:, None], top, self.levels), left=self.left | more)


def plan_levels(
    lattice: Lattice,
    rows: CountedRows,
    crowd: int,
    *,
    people: CountedRows | None = None,
    shares: Sequence[ShareLimit] = (),
    suppress: Fraction = Fraction(0),
    again: bool = False,
    fills: bool = False,
    seconds: float = inf,
) -> LevelPlan | None:
    """Choose one level for each column, so that every block has a crowd; None if no node is within the limits.

    The crowd is of people where a register is given, else of rows. Without `shares` the choice is blind to sensitive values:
    it depends on profiles alone, so that somebody who knows the method learns no more than who would have looked like this.
    With them, bad blocks are also those in which a target's share is too large, and the choice itself says something.

    With `again`, what the first node suppresses gets the best node for itself, with any extent of suppression, and so on
    while fewer rows are left: each published pattern is a block of one node, and rows of one profile stay together.

    With `fills`, rows that show nothing are a crowd too: where fewer are left, one block more shows nothing. The first node
    is the best with that, and what it loses is counted; at the end of a chain it is the block that loses least, or the last
    node is given up.
    """
    until = monotonic() + seconds
    whole = NodeCounts(lattice, rows, crowd, people, shares, fills=fills)
    first = best_node(whole, suppress, seconds=seconds)
    if first is None:
        return None
    nothing = np.tile(np.array(lattice.top, np.int8), (len(whole.values), 1))
    everybody = np.ones(len(whole.values), np.bool_)
    chain = [_ShownByNodes(whole, (), nothing, everybody).showing(first)]
    counted = first.counted
    while again and chain[-1].rows_left >= crowd and monotonic() < until:
        try:
            further = best_node(whole.part(chain[-1].left), Fraction(1), seconds=until - monotonic())
        except BudgetExceeded:  # what is left stays suppressed
            break
        if further is None or further.node == lattice.top:
            break
        counted += further.counted
        chain.append(chain[-1].showing(further))
    shown = chain[-1]
    if fills and len(chain) > 1 and 0 < shown.rows_left < crowd:
        filled, without = shown.filled(), chain[-2]
        fits = filled.rows_left <= floor(suppress * whole.rows)
        shown = filled if fits and filled.units < without.units else without
    return LevelPlan(
        nodes=shown.nodes,
        levels=shown.levels[whole.profile_of],
        suppressed=shown.left[whole.profile_of],
        rows_suppressed=shown.rows_left,
        loss=lattice.loss(shown.units, whole.rows),
        bound=first.bound,
        proved=first.proved,
        counted=counted,
    )


def open_levels(
    lattice: Lattice, people: CountedRows, plan: LevelPlan, codes: Codes, crowd: int
) -> tuple[NDArray[np.int8], Flags]:
    """Return what values show that nobody planned for has, and which show nothing.

    They are shown as the first node has it at which enough people look like this, where the columns that they miss are not
    compared: those would be missing whoever it is.
    """
    levels = np.tile(np.array(lattice.top, np.int8), (len(codes), 1))
    silent = np.ones(len(codes), np.bool_)
    if not len(codes):
        return levels, silent
    pattern, first = alike(list((codes < 0).T))
    for number, missing in enumerate((codes < 0)[first]):
        here = np.flatnonzero(pattern == number)
        for node in dict.fromkeys(plan.nodes):
            shows = np.flatnonzero((plan.levels == node).all(axis=1) & ~plan.suppressed)
            labels = [np.zeros(len(here) + len(shows), np.int64)]
            for place in np.flatnonzero(~missing).tolist():
                values = np.concatenate([codes[here, place], people.values[shows, place]])
                labels.append(lattice.columns[place].labels[node[place]][values])
            form, _ = alike(labels)
            many = np.bincount(
                form[len(here) :], weights=people.count[shows], minlength=int(form.max(initial=0)) + 1
            )
            fits = here[silent[here] & (many[form[: len(here)]] >= crowd)]
            levels[fits], silent[fits] = node, False
    return levels, silent
