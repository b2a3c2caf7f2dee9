"""The levels of a whole table: the best node, again for what it suppresses if asked, and what becomes of the rest."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from time import monotonic
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.levels.counting import Counting, Flags, ShareLimit
from giveaway.attacks.directory.levels.lattice import Lattice, Node
from giveaway.attacks.directory.levels.search import best_node
from giveaway.attacks.directory.readings.partial_knowledge import Profiles
from giveaway.errors import BudgetExceeded

Rest = Literal["blank", "left out"]


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
    rest: Rest | None
    """What becomes of suppressed rows; they are left out if as one block they would not meet the limits. None without any."""
    loss: Fraction
    """The mean loss of an entry, a suppressed one losing 1."""
    bound: Fraction
    """What any single node loses at least; further nodes may lose less."""
    proved: bool
    """Whether the first node is proved best."""
    counted: int
    """The nodes that were counted."""


def plan_levels(
    lattice: Lattice,
    rows: Profiles,
    crowd: int,
    *,
    people: Profiles | None = None,
    shares: ShareLimit | None = None,
    suppress: Fraction = Fraction(0),
    rest: Rest = "blank",
    again: bool = False,
    seconds: float = inf,
) -> LevelPlan | None:
    """Choose one level for each column, so that every block has a crowd; None if no node is within the limits.

    The crowd is of people where a register is given, else of rows. Without `shares` the choice is blind to sensitive values:
    it depends on profiles alone, so that somebody who knows the method learns no more than who would have looked like this.
    With them, bad blocks are also those in which a target's share is too large, and the choice itself says something.

    With `again`, what the first node suppresses gets the best node for itself, with any extent of suppression, and so on
    while fewer rows are left: each published pattern is a block of one node, and rows of one profile stay together.
    """
    until = monotonic() + seconds
    whole = Counting(lattice, rows, crowd, people, shares)
    first = best_node(whole, suppress, seconds=seconds)
    if first is None:
        return None
    level_of = np.tile(np.array(lattice.top, np.int8), (len(whole.values), 1))
    nodes, counted, left = [first.node], first.counted, first.suppressed
    level_of[~left] = first.node
    while again and int(whole.all.rows[left].sum()) >= crowd and monotonic() < until:
        try:
            further = best_node(whole.part(left), Fraction(1), seconds=until - monotonic())
        except BudgetExceeded:  # what is left stays suppressed
            break
        if further is None or further.node == lattice.top:
            break
        level_of[left & ~further.suppressed] = further.node
        nodes.append(further.node)
        counted += further.counted
        left = left & further.suppressed
    suppressed = int(whole.all.rows[left].sum())
    lost = suppressed * sum(lattice.full)
    for column, costs in enumerate(lattice.cost):
        each = np.stack(costs)[level_of[:, column], whole.values[:, column]]
        lost += int(each[~left] @ whole.all.rows[~left])
    return LevelPlan(
        nodes=tuple(nodes),
        levels=level_of[whole.profile_of],
        suppressed=left[whole.profile_of],
        rows_suppressed=suppressed,
        rest=None if not suppressed else rest if whole.meets(left) else "left out",
        loss=lattice.loss(lost, whole.rows),
        bound=first.bound,
        proved=first.proved,
        counted=counted,
    )
