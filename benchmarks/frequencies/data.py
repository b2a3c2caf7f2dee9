"""The supports of items of public data sets, and generated ones."""

import csv
import gzip
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SHARED = Path("..") / "shared" / "data"
SUPPORTS_ONLY = {"pumsb": "pumsb_item_supports.csv"}


def path_of(folder: Path, name: str) -> Path:
    return folder / "transactions" / SUPPORTS_ONLY.get(name, f"{name}.dat.gz")


def supports(folder: Path, name: str) -> NDArray[np.int64]:
    """Count how many transactions hold each item."""
    path = path_of(folder, name)
    if name in SUPPORTS_ONLY:
        with path.open(encoding="utf-8") as lines:
            return np.array([int(row["support"]) for row in csv.DictReader(lines)])
    counted: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            counted.update(set(line.split()))
    return np.array([counted[item] for item in sorted(counted, key=int)])


def generated(items: int, *, seed: int = 7) -> NDArray[np.int64]:
    """Draw supports in a hundred million transactions."""
    return np.random.default_rng(seed).integers(0, 100_000_000, items)
