"""The data of the benchmarks: Adult, a seeded table of any number of rows, and the rows that rules make of them."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from pathlib import Path

import numpy as np

import giveaway as ga
from giveaway.itemsets.profile_itemsets import ProfileItemsets, Profiles, frequent, group
from giveaway.itemsets.rule_mining import least_counts
from giveaway.maximum_entropy.constraints import ConstraintRows, Flags

SHARED = Path("..") / "shared" / "data"
GENERATED = "generated"

QUASI_IDENTIFIERS = (
    "workclass",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
    "education",
)
_SIZES = (7, 6, 12, 5, 4, 2, 20, 9)


@dataclass(frozen=True, kw_only=True)
class Case:
    """Rules of a table at thresholds, and what is published of them; `complete` makes absent rules tell."""

    data: str = "adult"
    sensitive: tuple[str, ...] = ("salary-class",)
    s: str = "0.1"
    c: str = "0.6"
    scores: str = "withheld"
    complete: bool = True


def path_of(folder: Path) -> Path:
    return folder / "adult" / "adult_train_complete.csv.gz"


def load(folder: Path, case: Case) -> ga.Table:
    """Read Adult, or generate the table when its name is `generated-<rows>`."""
    if case.data.startswith(GENERATED):
        return generated(int(case.data.removeprefix(f"{GENERATED}-")))
    return ga.read_table(path_of(folder), sensitive=list(case.sensitive))


def generated(rows: int, *, values: int = 6, seed: int = 7) -> ga.Table:
    """Draw people whose eight columns and sensitive value all lean on something hidden."""
    random = np.random.default_rng(seed)
    hidden = random.random(rows)
    columns = {}
    for place, size in enumerate(_SIZES):
        popularity = 1 / np.arange(1, size + 1) ** 1.5
        drawn = random.choice(size, rows, p=popularity / popularity.sum())
        leaning = random.random(rows) < 0.4
        drawn[leaning] = (hidden[leaning] * size).astype(np.int64)
        columns[f"c{place + 1}"] = drawn.astype(np.int32)
    leaning = hidden * values + random.normal(0, 0.5, rows)
    columns["secret"] = np.clip(leaning, 0, values - 1).astype(np.int32)
    return ga.Table(
        columns=columns,
        labels={name: tuple(map(str, range(int(codes.max()) + 1))) for name, codes in columns.items()},
        weights=np.ones(rows, np.int64),
        record_of=np.arange(rows),
        sensitive=("secret",),
    )


def conditions(table: ga.Table, case: Case) -> list[str]:
    columns = QUASI_IDENTIFIERS if case.data == "adult" else table.columns
    return [name for name in columns if name not in table.sensitive]


def profiles_of(table: ga.Table, case: Case) -> Profiles:
    """Merge the records; several sensitive columns make one of all combinations."""
    value, domain = np.zeros(len(table.weights), np.int64), 1
    for name in table.sensitive:
        value = value * len(table.labels[name]) + table.columns[name]
        domain *= len(table.labels[name])
    codes = np.stack([table.columns[name] for name in conditions(table, case)], axis=1)
    return group(codes, table.weights, value.astype(np.int32), domain)


def rows_of(profiles: Profiles, case: Case) -> ConstraintRows:
    """Make the rows of the rules and, when the list is complete, of absent rules that nothing else implies."""
    s, c, records = Fraction(case.s), Fraction(case.c), profiles.records
    itemsets = frequent(profiles, ceil(s * records))
    counts = itemsets.sums(profiles.values)
    rule = counts >= least_counts(records, itemsets.support, s, c, inclusive=True)[:, None]
    limit = np.array([float(max(s * records, c * int(many))) for many in itemsets.support])
    silent = ~rule & (itemsets.support > limit)[:, None] if case.complete else np.zeros_like(rule)
    silent &= ~_implied(itemsets, ~rule & (itemsets.support <= s * records / c)[:, None])
    place, value = np.nonzero(rule | silent)
    known, most = rule[place, value], limit[place]
    exact = case.scores == "exact"
    values = np.zeros((len(place), counts.shape[1]), np.bool_)
    values[np.arange(len(place)), value] = True
    return ConstraintRows(
        offsets=itemsets.member_offsets,
        members=itemsets.members,
        values=values,
        low=np.where(known, counts[place, value] if exact else most, -np.inf),
        high=np.where(known, counts[place, value] if exact else np.inf, most),
        group=place.astype(np.int64),
    )


def _implied(itemsets: ProfileItemsets, implying: Flags) -> Flags:
    """Tell which absent rules another with a part of their condition implies (Theorem 3)."""
    sets = [
        frozenset(zip(itemsets.columns[a:b].tolist(), itemsets.codes[a:b].tolist(), strict=True))
        for a, b in pairwise(itemsets.offsets)
    ]
    place_of = {found: place for place, found in enumerate(sets)}
    implied = np.zeros_like(implying)
    for place in sorted(range(len(sets)), key=lambda place: len(sets[place])):
        if len(sets[place]) > 1:
            for item in sets[place]:
                parent = place_of[sets[place] - {item}]
                implied[place] |= implying[parent] | implied[parent]
    return implied
