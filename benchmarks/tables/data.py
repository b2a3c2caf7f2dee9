"""The tables of the benchmark: Adult and Bank by their columns, and generated ones of any size."""

import csv
import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from benchmarks.attributes import data as census

from giveaway.crowds.forms import ColumnForms, CrowdProfiles
from giveaway.model.data.arrays import Ints
from giveaway.model.data.table import Table

SHARED = census.SHARED
FILES = {"Adult": ("adult/adult_train_complete.csv.gz", ","), "Bank": ("bank/bank-full.csv.gz", ";")}
_NINE = "decade sex race education marital-status workclass occupation native-country salary-class"
_SEVEN = "job marital education default housing loan contact"
TABLES = [
    ("Adult", "decade sex education workclass"),
    ("Adult", "age sex race education"),
    ("Adult", "decade sex race education marital-status"),
    ("Adult", "sex race education occupation salary-class"),
    ("Adult", "decade sex race marital-status workclass salary-class"),
    ("Adult", _NINE),
    ("Adult", f"age {_NINE.removeprefix('decade ')} education-num relationship hours-per-week"),
    ("Bank", _SEVEN),
    ("Bank", f"{_SEVEN} decade y"),
]
KNOWN_IN_PART = [("decade sex race education marital-status", (1, 2, 3, 4)), (_NINE, (2, 3))]
"""Columns of Adult, and how many of them somebody knows at most."""
_SIZES = (40, 2, 5, 12, 7, 6)


def path_of(folder: Path, name: str) -> Path:
    return folder / FILES[name][0]


def columns_of(folder: Path, name: str) -> dict[str, list[str]]:
    """Read a table, with the decade of each age."""
    with gzip.open(path_of(folder, name), "rt", encoding="utf-8") as lines:
        head, *rows = csv.reader(lines, delimiter=FILES[name][1])
    found = {label: list(column) for label, column in zip(head, zip(*rows, strict=True), strict=True)}
    return found | {"decade": [str(int(age) // 10 * 10) for age in found["age"]]}


def coded(columns: Mapping[str, Sequence[str]], names: Sequence[str]) -> tuple[Ints, list[list[str]]]:
    """Number the values of each column in their order."""
    parts = [np.unique(np.array(columns[name]), return_inverse=True) for name in names]
    return np.stack([codes for _, codes in parts], axis=1), [values.tolist() for values, _ in parts]


def profiles(codes: Ints) -> tuple[CrowdProfiles, Ints]:
    return CrowdProfiles.of_rows(codes, [ColumnForms(values=int(column.max()) + 1) for column in codes.T])


def table(codes: Ints, names: Sequence[str], labels: Sequence[Sequence[str]]) -> Table:
    every = np.arange(len(codes))
    return Table(
        columns={name: column.astype(np.int32) for name, column in zip(names, codes.T, strict=True)},
        labels=dict(zip(names, map(tuple, labels), strict=True)),
        weights=np.ones(len(codes), np.int64),
        record_of=every,
    )


def generated(rows: int, seed: int = 1) -> Ints:
    """Draw six columns in which a few values are common and the others ever rarer, as in a census."""
    draw = np.random.default_rng(seed)
    weights = [1 / np.arange(1, size + 1) ** 1.5 for size in _SIZES]
    return np.stack([draw.choice(len(one), rows, p=one / one.sum()) for one in weights], axis=1)
