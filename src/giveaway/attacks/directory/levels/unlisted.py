"""What records show by a plan that was made for others: for the people of a directory, of whom none has these values."""

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.levels.counting import Flags
from giveaway.attacks.directory.levels.lattice import CountedRows, Lattice
from giveaway.attacks.directory.levels.plan import LevelPlan
from giveaway.model.data.arrays import Codes, alike


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
