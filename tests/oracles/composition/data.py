"""Real tables and baskets cut into releases, and what they give away together, counted in plain numpy.

Golden values of releases over time start from these constructions, so that everybody counts the same.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, reduce
from itertools import chain, combinations

import numpy as np
from tests.oracles.build import shared_rows
from tests.oracles.crowds import census

Ints = np.ndarray
Shown = np.ndarray
"""For each row of Adult the columns that a release shows of it: bit i stands for column i of COLUMNS."""

A = ("decade", "sex", "race", "education")
B = ("decade", "sex", "marital-status", "workclass")
C = ("sex", "race", "salary-class", "native-country")
COLUMNS = tuple(dict.fromkeys([*A, *B, *C, "occupation", "fnlwgt"]))


@cache
def adult() -> dict[str, Ints]:
    """The 30,162 complete rows in the order of the file, each column as codes; `decade` is age // 10 * 10."""
    return {name: np.unique(values, return_inverse=True)[1] for name, values in census().items()}


def rows() -> int:
    return len(adult()["sex"])


def bits(columns: Sequence[str]) -> int:
    return sum(1 << COLUMNS.index(name) for name in columns)


@cache
def group(some: int) -> Ints:
    """Number the rows of Adult by their values in some columns."""
    number = np.zeros(rows(), np.int64)
    for place, name in enumerate(COLUMNS):
        if some >> place & 1:
            values = adult()[name]
            number = np.unique(number * (values.max() + 1) + values, return_inverse=True)[1]
    return number


@cache
def crowd(some: int) -> Ints:
    """For each row of Adult, how many rows are equal in some columns."""
    return np.bincount(group(some))[group(some)]


def widest_first(columns: Sequence[str], never_blank: Sequence[str] = ()) -> Iterator[tuple[str, ...]]:
    """Give all sets of columns, the largest first, then in the order of itertools.combinations."""
    sizes = range(len(columns), -1, -1)
    every = chain.from_iterable(combinations(columns, size) for size in sizes)
    return (some for some in every if set(never_blank) <= set(some))


def safe_release(columns: Sequence[str], k: int, *, never_blank: Sequence[str] = ()) -> Shown:
    """The blanks rule: each row shows the most columns in which at least k people are equal, ties in order."""
    return given_before(np.zeros(rows(), np.int64), columns, k, never_blank=never_blank)


def given_before(before: Shown, columns: Sequence[str], k: int, *, never_blank: Sequence[str] = ()) -> Shown:
    """The same rule for a release after another: people must agree with what is out and with what is shown now."""
    found = np.full(rows(), -1)
    for some in map(bits, widest_first(columns, never_blank)):
        found = np.where((found < 0) & (crowds_of(before | some) >= k), some, found)
    assert (found >= 0).all()
    return found


def together(*releases: Shown) -> Shown:
    """Return what joined rows show."""
    return reduce(np.bitwise_or, releases)


def crowds_of(shown: Shown) -> Ints:
    """For each row, how many people agree with what is shown of it."""
    found = np.zeros(rows(), np.int64)
    for some in np.unique(shown).tolist():
        mine = shown == some
        found[mine] = crowd(some)[mine]
    return found


def blanks(shown: Shown, columns: Sequence[str]) -> int:
    return sum(int((shown >> COLUMNS.index(name) & 1 == 0).sum()) for name in columns)


def at_once(first: Sequence[str], second: Sequence[str], k: int) -> int:
    """Return the fewest blanks of two releases that are planned together: per row the best set of columns of both."""
    best = np.full(rows(), -1)
    for some in widest_first(list(dict.fromkeys([*first, *second]))):
        worth = len(set(some) & set(first)) + len(set(some) & set(second))
        best = np.where(crowd(bits(some)) >= k, np.maximum(best, worth), best)
    return int((len(first) + len(second) - best).sum())


def below(crowds: Ints, k: int) -> tuple[int, int]:
    """Return how many people have a crowd below k, and how many are alone."""
    return int((crowds < k).sum()), int((crowds == 1).sum())


def bound_without_join(earlier: Shown, now: Shown) -> Ints:
    """For each row the smallest crowd with any earlier row that fits the person."""
    least = np.full(rows(), rows())
    for some in np.unique(earlier).tolist():
        carried = np.unique(group(some)[earlier == some])
        fits = np.isin(group(some), carried)
        least = np.where(fits, np.minimum(least, crowds_of(now | some)), least)
    return least


def joinable(columns: Sequence[str]) -> int:
    """Count the rows that are unique in columns that both releases show of everybody."""
    return int((crowd(bits(columns)) == 1).sum())


# Rows that cannot be joined: the sensitive column is in both releases.


def values_that_fit(shown: Shown, sensitive: str) -> Ints:
    """For each person and sensitive value, how many rows of a release agree with the person and have the value."""
    value = adult()[sensitive]
    found = np.zeros((rows(), value.max() + 1), np.int64)
    for some in np.unique(shown).tolist():
        found += _by_group(some, value, shown == some)[group(some)]
    return found


def _by_group(some: int, value: Ints, mine: Ints) -> Ints:
    wide = value.max() + 1
    counted = np.bincount((group(some) * wide + value)[mine], minlength=(group(some).max() + 1) * wide)
    return counted.reshape(-1, wide)


def normalised(weights: Ints) -> np.ndarray:
    return weights / weights.sum(axis=1, keepdims=True)


def beliefs(first: Ints, second: Ints, shared: Sequence[str], sensitive: str) -> np.ndarray:
    """n1(s) n2(s) / n(s), normalised; n(s) counts the people who are equal in the shared columns and have s."""
    every = np.ones(rows(), bool)
    alike = _by_group(bits(shared), adult()[sensitive], every)[group(bits(shared))]
    return normalised(np.divide(first * second, alike, out=np.zeros(first.shape), where=alike > 0))


def crowds_of_people(fit_earlier: Ints, now: Shown, sensitive: str) -> Ints:
    """For each row, how many people agree with it and with an earlier row of the same sensitive value."""
    value = adult()[sensitive]
    possible = (fit_earlier > 0).astype(np.int64)
    found = np.zeros(rows(), np.int64)
    for some in np.unique(now).tolist():
        counted = np.zeros((group(some).max() + 1, possible.shape[1]), np.int64)
        np.add.at(counted, group(some), possible)
        mine = now == some
        found[mine] = counted[group(some)[mine], value[mine]]
    return found


def sure(chances: np.ndarray) -> tuple[int, int, int]:
    """Return how many people have a value that is believed above 1/2, above 9/10, for certain; tolerance 1e-9."""
    largest = chances.max(axis=1)
    return tuple(int((largest > limit).sum()) for limit in (0.5 + 1e-9, 0.9 + 1e-9, 1 - 1e-9))  # type: ignore[return-value]


# Baskets.


@cache
def baskets(name: str) -> list[frozenset[str]]:
    """All lines of a data set in order, blank ones too."""
    return [frozenset(row) for row in shared_rows(name)]


def parts(name: str, number: int) -> list[list[frozenset[str]]]:
    """Cut a data set into equal parts of consecutive lines; the lines left over at the end are dropped.

    Row i of each part plays the same person where rows are joined.
    """
    every = baskets(name)
    size = len(every) // number
    return [every[at * size : (at + 1) * size] for at in range(number)]


def supports(name: str, number: int) -> Ints:
    """Return how often each item of the whole data set occurs in each part, one line for each item."""
    place: dict[str, int] = {}
    found = [
        [place.setdefault(item, len(place)) for row in part for item in row] for part in parts(name, number)
    ]
    items = len(set().union(*baskets(name)))
    return np.stack([np.bincount(np.array(codes, np.int64), minlength=items) for codes in found], axis=1)


def sets_of_rows(name: str) -> list[tuple[int, ...]]:
    """Return for each item the lines that hold it."""
    found: dict[str, list[int]] = {}
    for line, row in enumerate(baskets(name)):
        for item in row:
            found.setdefault(item, []).append(line)
    return [tuple(lines) for lines in found.values()]


def near(counts: Ints) -> np.ndarray:
    """Return which items' counts lie within the median gap of the distinct counts of each item's."""
    gap = np.median(np.diff(np.unique(counts)))
    return np.abs(counts[:, None] - counts[None, :]) <= gap


def o_estimate(fits: np.ndarray) -> float:
    return float((1 / fits.sum(axis=1)).sum())


def newcomers(columns: Sequence[str], number: int, k: int) -> tuple[int, int]:
    """The last rows of Adult joined: how many have a crowd of k among all and not among them, and how many are alone there."""
    numbers = group(bits(columns))[-number:]
    among = np.bincount(numbers)[numbers]
    return int(((among < k) & (crowd(bits(columns))[-number:] >= k)).sum()), int((among == 1).sum())


def rare_sets(rows: Sequence[frozenset[str]], k: int) -> tuple[set[frozenset[str]], int]:
    """Return the minimal sets of one or two items that fewer than k baskets hold, and how many baskets hold one."""
    ones = Counter(item for row in rows for item in row)
    rare = {item for item, many in ones.items() if many < k}
    pairs = Counter(pair for row in rows for pair in combinations(sorted(row - rare), 2))
    found = {pair for pair, many in pairs.items() if many < k}
    exposed = sum(
        bool(row & rare) or any(pair in found for pair in combinations(sorted(row), 2)) for row in rows
    )
    return {frozenset([item]) for item in rare} | {frozenset(pair) for pair in found}, exposed
