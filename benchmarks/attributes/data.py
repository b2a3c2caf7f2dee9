"""The data of the benchmarks: the census table Adult, or a generated one like it, and larger tables made of it."""

import csv
import gzip
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.attacker import KnowsAttributes
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.question import ask
from giveaway.attacks.attributes.unsafe_rules.partial_table import PartialTable
from giveaway.model.data.arrays import alike
from giveaway.model.data.labels import in_order
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.release import Release

SHARED = Path("..") / "shared" / "data"
SENSITIVE = "occupation"
CONDITIONS = (
    "sex",
    "marital_status",
    "workclass",
    "education",
    "salary",
    "race",
    "education_num",
    "relationship",
    "native_country",
    "hours",
    "capital_gain",
    "capital_loss",
    "age",
)
"""The seven conditions of the paper first, the twin of education last among them."""

_FILE = (
    "age",
    "workclass",
    "weight",
    "education",
    "education_num",
    "marital_status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital_gain",
    "capital_loss",
    "hours",
    "native_country",
    "salary",
)
_REDRAWN = 0.03

People = dict[str, tuple[NDArray[np.int32], tuple[str, ...]]]
"""For each column the code of each row, -1 where it is missing, and the labels of the codes."""


def path_of(folder: Path) -> Path:
    return folder / "adult" / "adult.data.gz"


def people(folder: Path) -> People:
    """Read Adult, `?` as missing, or draw a table of the same shape when it is not at hand."""
    if not path_of(folder).exists():
        return generated(32_561)
    with gzip.open(path_of(folder), "rt", encoding="utf-8") as lines:
        rows = [row for row in csv.reader(lines, skipinitialspace=True) if row]
    columns = dict(zip(_FILE, zip(*rows, strict=True), strict=True))
    return {name: _coded(columns[name]) for name in (*CONDITIONS, SENSITIVE)}


def _coded(values: Sequence[str]) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    labels = tuple(str(label) for label in in_order(set(values) - {"?"}))
    code_of = {"?": -1, **{label: code for code, label in enumerate(labels)}}
    return np.array([code_of[value] for value in values], np.int32), labels


def generated(rows: int, *, seed: int = 7) -> People:
    """Draw conditions that hang together by a hidden kind of person, which the occupation follows too."""
    random = np.random.default_rng(seed)
    kind = random.integers(0, 40, rows)
    made = {}
    for place, name in enumerate((*CONDITIONS, SENSITIVE)):
        values = 14 if name == SENSITIVE else (2, 7, 8, 16, 2, 5, 16, 6, 41, 60, 20, 20, 70)[place]
        usual = random.integers(0, values, 40)[kind]
        other = np.minimum(random.geometric(0.4, rows) - 1, values - 1)
        codes = np.where(random.random(rows) < 0.6, usual, other)
        codes[random.random(rows) < 0.01] = -1
        made[name] = codes.astype(np.int32), tuple(map(str, range(values)))
    return made


def drawn(source: People, rows: int, columns: Sequence[str], random: np.random.Generator) -> Table:
    """Draw that many rows: without replacement while there are enough, else with some entries drawn anew."""
    size = len(source[SENSITIVE][0])
    enough = rows <= size
    chosen = random.choice(size, rows, replace=False) if enough else random.integers(0, size, rows)
    codes = {}
    for name in (*columns, SENSITIVE):
        codes[name] = source[name][0][chosen]
        if not enough:
            anew = np.flatnonzero(random.random(rows) < _REDRAWN)
            codes[name][anew] = source[name][0][random.integers(0, size, len(anew))]
    record_of, first = alike(list(codes.values()))
    return Table(
        columns={name: found[first] for name, found in codes.items()},
        labels={name: source[name][1] for name in codes},
        weights=np.bincount(record_of, minlength=len(first)),
        record_of=record_of,
        sensitive=(SENSITIVE,),
    )


def secrets(table: Table, number: int, random: np.random.Generator, values: Sequence[str] = ()) -> Cells:
    """Choose rows whose sensitive entry is secret, all with one of some values when they are given."""
    codes = table.columns[SENSITIVE][table.record_of]
    wanted = [table.code_of[SENSITIVE][value] for value in values]
    there = np.flatnonzero(np.isin(codes, wanted)) if values else np.arange(len(codes))
    return Cells.at({SENSITIVE: random.choice(there, number, replace=False)})


def frequent(source: People, number: int) -> list[str]:
    """Return the most frequent sensitive values."""
    codes, labels = source[SENSITIVE]
    return [labels[code] for code in np.argsort(-np.bincount(codes[codes >= 0]), kind="stable")[:number]]


def partial(table: Table, hidden: Cells, hideable: str, *, limit: Fraction, least: int) -> PartialTable:
    """Put the question of the product and return its table of groups."""
    columns = [name for name in table.columns if name != SENSITIVE]
    question = ask(
        Release(table, secrets=hidden),
        KnowsAttributes(columns=columns, trusts_support_above=least, knows_method=False),
        Tolerance(attribute=limit),
        NeedsCells(hideable=hideable),
    )
    return question.sensitive_columns[0].table
