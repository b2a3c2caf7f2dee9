"""The supports of items of public data sets, and generated ones."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import giveaway as ga
from giveaway.sources import read_supports

SHARED = Path("..") / "shared" / "data"
SUPPORTS_ONLY = {"pumsb": "pumsb_item_supports.csv"}
PUMSB_TRANSACTIONS = 49_046


def path_of(folder: Path, name: str) -> Path:
    return folder / "transactions" / SUPPORTS_ONLY.get(name, f"{name}.dat.gz")


def supports(folder: Path, name: str) -> NDArray[np.int64]:
    """Read how many transactions hold each item."""
    path = path_of(folder, name)
    if name in SUPPORTS_ONLY:
        return read_supports(path, transactions=PUMSB_TRANSACTIONS).supports
    return ga.read_transactions(path).supports


def generated(items: int, *, seed: int = 7) -> NDArray[np.int64]:
    """Draw supports in a hundred million transactions."""
    return np.random.default_rng(seed).integers(0, 100_000_000, items)
