"""Make transactions for tests from plain lists or shared data, without the readers."""

import gzip
from collections.abc import Collection, Sequence

import numpy as np
import pytest
from tests.oracles.shared import SHARED

from giveaway.model.data import arrays
from giveaway.model.data.labels import Label, in_order
from giveaway.model.data.transactions import Transactions

DATA = SHARED / "transactions"


def shared_rows(name: str) -> list[list[str]]:
    """Read one of the shared data sets, or skip the test when it is not there."""
    path = DATA / f"{name}.dat.gz"
    if not path.exists():
        pytest.skip(f"the data set {name} is not at hand")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [line.split() for line in lines]


def transactions(lists: Sequence[Collection[Label]], private: Collection[Label] = ()) -> Transactions:
    """Encode and merge rows of labels."""
    labels = tuple(in_order({item for row in lists for item in row} | set(private)))
    code_of = {label: code for code, label in enumerate(labels)}
    encoded = [sorted({code_of[item] for item in row}) for row in lists]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(row) for row in encoded], out=offsets[1:])
    codes = np.array([code for row in encoded for code in row], np.int32)
    offsets, codes, weights, _ = arrays.merge(offsets, codes, np.ones(len(encoded), np.int64))
    return Transactions(
        offsets=offsets,
        codes=codes,
        weights=weights,
        labels=labels,
        private=frozenset(code_of[item] for item in private),
    )


def packed(itemsets: Collection[Collection[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return itemsets of codes in compressed form."""
    ordered = sorted(sorted(itemset) for itemset in itemsets)
    offsets = np.zeros(len(ordered) + 1, np.int64)
    np.cumsum([len(itemset) for itemset in ordered], out=offsets[1:])
    return offsets, np.array([code for itemset in ordered for code in itemset], np.int32)
