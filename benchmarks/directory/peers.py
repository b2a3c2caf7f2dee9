"""The same questions put to recordlinkage and to pyCANON, and to giveaway from the same frame."""

from typing import Literal

import numpy as np
import pandas as pd
import recordlinkage
from pycanon.anonymity import k_anonymity

import giveaway as ga
from giveaway.attacks.directory.question import ask

Index = Literal["full", "block"]
Match = Literal["exact", "jaro"]

BLOCK = "given_name"
"""The column that pairs must share when they are blocked; rows without it are left out then, as blocking does."""
NAMES = (BLOCK, "surname", "suburb")
"""The columns that may be compared by likeness."""
COMPARED = (*NAMES, "postcode")

_LEAST = 0.8 - 1e-9
"""A similarity of 0.8 may come out a little lower in floats."""


def with_recordlinkage(frame: pd.DataFrame, index: Index, match: Match) -> list[int]:
    """Build pairs, compare them, and count for each record those that agree in every column; missing agrees."""
    ours, theirs = frame.rename_axis("ours"), frame.rename_axis("theirs")
    indexer = recordlinkage.Index()
    if index == "full":
        indexer.full()
    else:
        indexer.block(BLOCK)
    pairs = indexer.index(ours, theirs)
    compare = recordlinkage.Compare()
    for name in COMPARED:
        if match == "jaro" and name in _by_likeness(index):
            compare.string(name, name, method="jaro", threshold=_LEAST, missing_value=1)
        else:
            compare.exact(name, name, missing_value=1)
    agree = compare.compute(pairs, ours, theirs).min(axis=1) == 1
    found = agree.groupby(level=0).sum().reindex(frame.index, fill_value=0)
    return list(map(int, found))


def with_giveaway(frame: pd.DataFrame, index: Index, match: Match) -> list[int]:
    """Count for each record who agrees with it."""
    likeness = _by_likeness(index) if match == "jaro" else ()
    table = ga.Table.from_frame(frame[list(COMPARED)])
    question = ask(
        ga.Release(table, gaps="agree"), ga.KnowsDirectory(match={name: ga.Jaro("0.8") for name in likeness})
    )
    return list(map(int, question.crowds[:, 0][question.groups.group_of]))


def fit_for(frame: pd.DataFrame, index: Index) -> pd.DataFrame:
    """Leave rows out that blocking would drop."""
    return frame if index == "full" else frame[frame[BLOCK].notna()].reset_index(drop=True)


def _by_likeness(index: Index) -> tuple[str, ...]:
    return NAMES if index == "full" else tuple(name for name in NAMES if name != BLOCK)


def k_with_pycanon(frame: pd.DataFrame, columns: list[str]) -> int:
    return int(k_anonymity(frame, columns))


def k_with_giveaway(frame: pd.DataFrame, columns: list[str]) -> int:
    """Return how often the rarest record occurs: a table keeps distinct records with their numbers."""
    return int(np.min(ga.Table.from_frame(frame[columns]).weights))


def k_with_assess(frame: pd.DataFrame, columns: list[str]) -> int:
    """Return it as one figure of a whole assessment, with exposures, curves and what each column identifies."""
    table = ga.Table.from_frame(frame[columns])
    found = ga.assess(
        ga.Release(table, gaps="agree"), ga.KnowsDirectory(columns=columns), ga.Tolerance(identity="1/5")
    )
    return int(found.to_dict()["findings"][0]["figures"]["k_in_release"])
