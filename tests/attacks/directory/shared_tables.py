"""Adult with the hierarchies of ARX, and the bank table, when they are at hand."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from tests.oracles.shared import SHARED

import giveaway as ga
from giveaway.attacks.directory.levels.lattice import CountedRows
from giveaway.model.data.arrays import Codes
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.sources.side_files.hierarchies import read_hierarchy

NINE = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
NINE = [*NINE, "salary-class"]


def at_hand(*names: str) -> None:
    """Skip the test where a data set is not there."""
    for name in names:
        if not (SHARED / name).exists():
            pytest.skip(f"the data set {name} is not at hand")


@cache
def hierarchy(column: str) -> Hierarchy:
    return read_hierarchy(SHARED / "adult" / "arx" / f"adult_hierarchy_{column}.csv")


@cache
def adult() -> pd.DataFrame:
    """Read the 30,162 complete rows with coarser columns: ARX's decades and twenties, education at 2, marital at 1."""
    at_hand("adult/arx/adult.csv.gz")
    frame = pd.read_csv(SHARED / "adult" / "arx" / "adult.csv.gz", sep=";")
    for made, column, level in (
        ("decade", "age", 2),
        ("age20", "age", 3),
        ("edu2", "education", 2),
        ("mar1", "marital-status", 1),
    ):
        frame[made] = [hierarchy(column).label(str(value), level) for value in frame[column]]
    return frame


@cache
def subset() -> pd.DataFrame:
    at_hand("adult/arx/adult_subset.csv.gz")
    return pd.read_csv(SHARED / "adult" / "arx" / "adult_subset.csv.gz", sep=";")


@cache
def bank() -> pd.DataFrame:
    at_hand("bank/bank-full.csv.gz")
    frame = pd.read_csv(SHARED / "bank" / "bank-full.csv.gz", sep=";")
    frame["decade"] = frame["age"] // 10
    return frame


def codes(table: ga.Table, columns: list[str]) -> Codes:
    """Return the different records of a table as rows of codes."""
    return np.stack([table.columns[name] for name in columns], axis=1)


def profiles(table: ga.Table, columns: list[str]) -> CountedRows:
    return CountedRows(values=codes(table, columns), count=table.weights)
