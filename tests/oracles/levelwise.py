"""Minimal moles level by level with integers as bitmaps: plain, and quick enough for the shared data sets."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations


def covers(rows: Sequence[Collection[str]]) -> dict[str, int]:
    """Map each item to the set of its rows, as bits of an integer."""
    found: dict[str, bytearray] = {}
    for place, row in enumerate(rows):
        for item in row:
            found.setdefault(item, bytearray(-(-len(rows) // 8)))[place >> 3] |= 1 << (place & 7)
    return {item: int.from_bytes(bits, "little") for item, bits in found.items()}


def private_items(rows: Sequence[Collection[str]], h: Fraction) -> set[str]:
    """Choose the private items of the known results: whole numbers ending in 3, not more frequent than h allows."""
    return {
        item
        for item, cover in covers(rows).items()
        if int(item) % 10 == 3 and cover.bit_count() <= h * len(rows)
    }


def minimal_moles(
    rows: Sequence[Collection[str]], private: Collection[str], h: Fraction, k: int, p: int, threshold: int
) -> set[frozenset[str]]:
    """Find the minimal moles among public items of at least `threshold` support."""
    all_covers = covers(rows)
    secret = [all_covers[item] for item in private]
    public = sorted(
        i for i, cover in all_covers.items() if i not in private and cover.bit_count() >= threshold
    )
    found: set[frozenset[str]] = set()
    level = {(): (1 << len(rows)) - 1}
    for _ in range(p):
        longer: dict[tuple[str, ...], int] = {}
        for known, cover in level.items():
            for item in public:
                grown = (*known, item)
                if (known and item <= known[-1]) or any(
                    part not in level for part in combinations(grown, len(known))
                ):
                    continue
                both = cover & all_covers[item]
                if not both:
                    continue
                support = both.bit_count()
                if support < k or any((both & one).bit_count() > h * support for one in secret):
                    found.add(frozenset(grown))
                else:
                    longer[grown] = both
        level = longer
    return found
