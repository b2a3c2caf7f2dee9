"""Rows of codes in compressed form: merging identical rows, dropping codes."""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_LARGEST_KEY = 1 << 62
_FEW_KEYS = 8
"""This many possible keys for each row are looked up in a table."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def lengths(offsets: Ints) -> Ints:
    """Return the number of codes in each row."""
    return np.diff(offsets)


def merge(offsets: Ints, codes: Codes, weights: Ints) -> tuple[Ints, Codes, Ints, Ints]:
    """Merge identical rows, adding their weights.

    Rows must be ascending. Returns offsets, codes and weights of the distinct rows, in the order of their first
    occurrence, and for each given row the distinct row it became.
    """
    first, group = _groups(offsets, codes)
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    group = rank[group]
    return *take(offsets, codes, first[order]), added(group, weights, len(order)), group


def added(group: NDArray[np.integer], weights: Ints, size: int) -> Ints:
    """Add up the weights of each of so many groups."""
    total = np.zeros(size, np.int64)
    np.add.at(total, group, weights)
    return total


def distinct(matrix: Codes, sizes: Sequence[int]) -> tuple[Ints, Ints]:
    """Number the distinct rows of a matrix of codes in the order of their first occurrence.

    Codes of column j are below `sizes[j]`, -1 where missing. Returns where each distinct row stands first, and the
    number of each row.
    """
    count, width = matrix.shape
    keys = prod(size + 1 for size in sizes)
    if keys > _LARGEST_KEY:
        shift = np.cumsum([0, *(size + 1 for size in sizes)])[:width] + 1
        flat = (matrix + shift).astype(np.int32).reshape(-1)
        group = merge(np.arange(count + 1, dtype=np.int64) * width, flat, np.ones(count, np.int64))[3]
        return np.unique(group, return_index=True)[1], group
    key = np.zeros(count, np.int64)
    for codes, size in zip(matrix.T, sizes, strict=True):
        key *= size + 1
        key += codes + 1
    if keys <= _FEW_KEYS * (count + 1):
        first_of = np.empty(keys, np.int64)
        first_of[key[::-1]] = np.arange(count - 1, -1, -1)
        leader = first_of[key]
    else:
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        leader = first[group.reshape(-1)]
    leads = leader == np.arange(count)
    return np.flatnonzero(leads), (np.cumsum(leads) - 1)[leader]


def alike(columns: Sequence[NDArray[np.generic]]) -> tuple[Ints, Ints]:
    """Number the classes of rows with the same codes, in the order of the codes; return a row of each class too."""
    key = np.zeros(len(columns[0]), np.int64)
    span = 1
    for column in columns:
        codes = column.astype(np.int64)
        size = int(codes.max(initial=-1)) + 2
        if span * size > _LARGEST_KEY:
            key, codes = _ranked(key), _ranked(codes)
            span = size = len(key) + 1
        key = key * size + codes + 1
        span *= size
    _, first, classes = np.unique(key, return_index=True, return_inverse=True)
    return classes.reshape(-1), first


def summed(keys: Ints, counts: Ints, size: int) -> tuple[Ints, Ints]:
    """Add the counts of equal keys, which lie below `size`; return the different keys, ascending, and their sums.

    Sums stay exact below 2 ** 53.
    """
    if size <= _FEW_KEYS * (len(keys) + 1):
        occurs = np.zeros(size, np.bool_)
        occurs[keys] = True
        different = np.flatnonzero(occurs)
        return different, np.bincount(keys, weights=counts, minlength=size)[different].astype(np.int64)
    order = np.argsort(keys)
    ascending = keys[order]
    first = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1])[: len(keys)])
    return ascending[first], np.add.reduceat(counts[order], first) if len(first) else np.zeros(0, np.int64)


def take(offsets: Ints, codes: Codes, rows: Ints) -> tuple[Ints, Codes]:
    """Return the chosen rows, in the order given."""
    size = offsets[rows + 1] - offsets[rows]
    taken = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(size, out=taken[1:])
    return taken, codes[positions(offsets[rows], size)]


def drop(offsets: Ints, codes: Codes, dropped: NDArray[np.bool_]) -> tuple[Ints, Codes]:
    """Remove the codes marked in `dropped` from all rows; emptied rows stay."""
    stays = ~dropped[codes]
    before = np.zeros(len(codes) + 1, np.int64)
    np.cumsum(stays, out=before[1:])
    return before[offsets], codes[stays]


def ascending(offsets: Ints, codes: Codes) -> tuple[Ints, Codes]:
    """Sort the codes of each row and drop repeated ones."""
    row = np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), np.diff(offsets))
    return from_pairs(row, codes, len(offsets) - 1)


def from_pairs(row: Ints, codes: Codes, count: int) -> tuple[Ints, Codes]:
    """Make `count` rows of (row, code) pairs in any order, each pair once."""
    base = int(codes.max()) + 1 if len(codes) else 1
    keys = row * np.int64(base) + codes
    if len(keys) > 1 and not bool((keys[1:] > keys[:-1]).all()):
        keys = np.sort(keys)
        keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
    held, kept = np.divmod(keys, base)
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(held, minlength=count), out=offsets[1:])
    return offsets, kept.astype(np.int32)


def positions(starts: Ints, size: Ints) -> Ints:
    """Return the places of stretches that begin somewhere, each so long, one stretch after the other."""
    ends = np.cumsum(size)
    total = int(ends[-1]) if len(ends) else 0
    inside: Ints = np.arange(total, dtype=np.int64) + np.repeat(starts - (ends - size), size)
    return inside


def _groups(offsets: Ints, codes: Codes) -> tuple[Ints, Ints]:
    """Number the classes of identical rows; return a row of each class and the class of each row."""
    size = lengths(offsets)
    keys = fingerprints(offsets, codes.astype(np.uint64))
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    twin = first[group]
    same = bool((size == size[twin]).all())
    if same and len(codes):
        same = bool((codes == codes[positions(offsets[:-1][twin], size)]).all())
    return (first, group.reshape(-1)) if same else _groups_by_bytes(offsets, codes)


def fingerprints(offsets: Ints, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a 64-bit number for each row of numbers, equal for equal rows and nearly always different for others."""
    mixed = numbers + _ODD
    for shift, factor in _MIXING:
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    total = np.zeros(len(mixed) + 1, np.uint64)
    np.cumsum(mixed, out=total[1:])
    prints: NDArray[np.uint64] = total[offsets[1:]] - total[offsets[:-1]]
    return prints


def _groups_by_bytes(offsets: Ints, codes: Codes) -> tuple[Ints, Ints]:
    """Do the same slowly and surely, for the rare case of equal fingerprints of different rows."""
    seen: dict[bytes, int] = {}
    first: list[int] = []
    group = np.empty(len(offsets) - 1, np.int64)
    for row in range(len(offsets) - 1):
        key = codes[offsets[row] : offsets[row + 1]].tobytes()
        if key not in seen:
            seen[key] = len(first)
            first.append(row)
        group[row] = seen[key]
    return np.array(first, np.int64), group


def _ranked(codes: Ints) -> Ints:
    """Number the different codes in their order."""
    ranks: Ints = np.unique(codes, return_inverse=True)[1].reshape(-1)
    return ranks
