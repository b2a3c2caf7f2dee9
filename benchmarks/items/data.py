"""The data of the benchmarks: public data sets and seeded transactions of any number."""

import gzip
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from giveaway.model.data import arrays
from giveaway.model.data.labels import in_order
from giveaway.model.data.transactions import Transactions

SHARED = Path("..") / "shared" / "data"
GENERATED = "generated"


def path_of(folder: Path, name: str) -> Path:
    return folder / "transactions" / f"{name}.dat.gz"


def load(folder: Path, name: str, limit: Fraction) -> Transactions:
    """Read a data set, or generate it when its name is `generated-<transactions>`."""
    if name.startswith(GENERATED):
        return generated(int(name.removeprefix(f"{GENERATED}-")), limit)
    with gzip.open(path_of(folder, name), "rt", encoding="utf-8") as lines:
        listed = [line.split() for line in lines]
    labels = in_order({item for row in listed for item in row})
    code_of = {label: code for code, label in enumerate(labels)}
    place = np.repeat(np.arange(len(listed)), [len(row) for row in listed])
    codes = np.array([code_of[item] for row in listed for item in row], np.int64)
    return _encoded(place, codes, len(listed), [str(label) for label in labels], limit)


def generated(transactions: int, limit: Fraction, *, items: int = 2_000, seed: int = 7) -> Transactions:
    """Draw transactions of about ten items whose popularity falls off as in a shop, some bought together."""
    random = np.random.default_rng(seed)
    popularity = 1 / np.arange(10, items + 10)
    size = random.poisson(6, transactions) + 1
    place = np.repeat(np.arange(transactions), size)
    codes = random.choice(items, len(place), p=popularity / popularity.sum())
    follows = random.random(len(place)) < 0.4
    companions = (codes[follows] + 1) % items
    place, codes = np.concatenate([place, place[follows]]), np.concatenate([codes, companions])
    labels = [str(item) for item in range(items)]
    return _encoded(place, codes, transactions, labels, limit)


def _encoded(
    place: NDArray[np.int64], codes: NDArray[np.int64], transactions: int, labels: list[str], limit: Fraction
) -> Transactions:
    """Merge identical rows; items whose number ends in 3 are private unless too frequent for the limit."""
    keys = np.unique(place * len(labels) + codes)
    place, codes = keys // len(labels), keys % len(labels)
    offsets = np.searchsorted(place, np.arange(transactions + 1)).astype(np.int64)
    supports = np.bincount(codes, minlength=len(labels))
    private = [
        code
        for code, label in enumerate(labels)
        if int(label) % 10 == 3 and supports[code] * limit.denominator <= limit.numerator * transactions
    ]
    offsets, merged, weights, _ = arrays.merge(
        offsets, codes.astype(np.int32), np.ones(transactions, np.int64)
    )
    return Transactions(
        offsets=offsets, codes=merged, weights=weights, labels=tuple(labels), private=frozenset(private)
    )
