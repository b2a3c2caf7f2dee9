"""Other ways to blank entries until crowds are large enough: by the order of columns, and the least for each record."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from benchmarks.tables import data
from numpy.typing import NDArray

from giveaway.attacks.directory.attacker import DirectoryOptions, KnowsDirectory
from giveaway.attacks.directory.protect import protect
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release

Blanks = NDArray[np.bool_]


def by_column_order(codes: Ints, crowd: int) -> Blanks:
    """Blank one column after the other in the rows whose crowd is too small, the column with most values first.

    This is the order of local suppression in sdcMicro, where columns with few values are the important ones. Crowds are
    rows with the same values and blanks.
    """
    blank = np.zeros(codes.shape, np.bool_)
    for column in np.argsort(-codes.max(axis=0), kind="stable").tolist():
        blank[crowds(codes, blank) < crowd, column] = True
    return blank


def least_for_each_record(
    codes: Ints, names: Sequence[str], labels: Sequence[Sequence[str]], crowd: int
) -> Blanks:
    """Blank the least in each record so that enough people of the table agree with it, whatever others show."""
    found = protect(
        Release(data.table(codes, names, labels)),
        KnowsDirectory(columns=names),
        Tolerance(identity=Fraction(1, crowd)),
        None,
        Effort(),
        DirectoryOptions(),
    )
    cells = found.release.withheld.cells
    return np.stack([cells.marks(name, len(codes)) for name in names], axis=1)


def crowds(codes: Ints, blank: Blanks) -> Ints:
    """Return how many rows look exactly like each row."""
    form_of = alike(list(np.where(blank, -1, codes).T))[0]
    return np.bincount(form_of)[form_of]
