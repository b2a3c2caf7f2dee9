"""The order of directories (Definition 8), and whether a directory holds the records: what Theorem 1 rests on."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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


def _translated(smaller: People, larger: People, name: str) -> Codes:
    """Return the code that each entry has among the labels of another directory; one that has no column has any value."""
    if name not in smaller.columns:
        return np.full(len(smaller.alone), _ELSEWHERE, np.int32)
    code_of = {str(label): code for code, label in enumerate(larger.labels[name])}
    codes = [*(code_of.get(str(label), _ELSEWHERE) for label in smaller.labels[name]), _MISSING]
    return np.array(codes, np.int32)[smaller.columns[name]]


def _paired(ours: Sequence[Label], theirs: Sequence[Label]) -> tuple[Ints, Ints]:
    """Return the places of equal ids, written alike, each with each."""
    found: dict[str, list[int]] = {}
    for place, label in enumerate(theirs):
        found.setdefault(str(label), []).append(place)
    pairs = [(at, place) for at, label in enumerate(ours) for place in found.get(str(label), ())]
    made = np.array(pairs, np.int64).reshape(-1, 2)
    return made[:, 0], made[:, 1]


def _any(fits: NDArray[np.bool_], of: Ints, size: int) -> NDArray[np.bool_]:
    """Tell for each place whether one of its pairs fits."""
    made = np.zeros(size, np.bool_)
    made[of[fits]] = True
    return made
