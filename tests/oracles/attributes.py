"""The attack `attributes` by its definitions, record by record: slow, and simple enough to be believed."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st

from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable

Record = tuple[str | None, ...]
"""The conditions, then the sensitive entry; None is missing or hidden."""
Entry = tuple[int, int]
"""A row and a column, both from 0."""
Pattern = frozenset[tuple[int, str]]
"""Conditions as columns with values."""
Rule = tuple[Pattern, str]


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A table to be published: who is secret, what must stay ('+') and where entries may be hidden."""

    records: tuple[Record, ...]
    secrets: frozenset[int]
    limit: Fraction
    least: int = 0
    regions: tuple[str, ...] = ()
    marks: frozenset[Entry] = frozenset()
    prices: tuple[int, ...] = ()
    """What hiding an entry of each column costs; 1 where there are none."""

    @property
    def width(self) -> int:
        return len(self.records[0]) - 1

    def allowed(self) -> list[Entry]:
        """Return the visible entries that may be hidden."""
        return [
            (row, column)
            for row, record in enumerate(self.records)
            for column, value in enumerate(record)
            if value is not None
            and (row, column) not in self.marks
            and self._region(row, column) in self.regions
        ]

    def _region(self, row: int, column: int) -> str:
        if column == self.width:
            return "the secret itself" if row in self.secrets else "sensitive of others"
        return "conditions of secrets" if row in self.secrets else "conditions of others"


def letter(name: str) -> tuple[str, ...]:
    """Return the regions that a letter of the paper stands for."""
    return NeedsCells(hideable=name).hideable


def published(table: Planned, hidden: Collection[Entry] = ()) -> list[Record]:
    """Return the records as others see them."""
    gone = {*hidden, *((row, table.width) for row in table.secrets)}
    return [
        tuple(None if (row, column) in gone else value for column, value in enumerate(record))
        for row, record in enumerate(table.records)
    ]


def patterns(record: Record) -> Iterator[Pattern]:
    """Give every non-empty set of visible conditions of a record."""
    seen = [(column, value) for column, value in enumerate(record[:-1]) if value is not None]
    for size in range(1, len(seen) + 1):
        yield from map(frozenset, combinations(seen, size))


def has(record: Record, pattern: Pattern) -> bool:
    return all(record[column] == value for column, value in pattern)


def counts(seen: Sequence[Record], rule: Rule) -> tuple[int, int]:
    """Return supp(p -> s) and supp(p)."""
    pattern, value = rule
    matching = [record for record in seen if has(record, pattern)]
    return sum(record[-1] == value for record in matching), len(matching)


def is_unsafe(showing: int, matching: int, limit: Fraction, least: int) -> bool:
    return showing > least and Fraction(showing, matching) > limit


def attacks(table: Planned, hidden: Collection[Entry] = ()) -> dict[Rule, tuple[int, int]]:
    """Return every rule from visible conditions of a secret to its true value, with its two counts."""
    seen = published(table, hidden)
    rules = {
        (pattern, value)
        for row in table.secrets
        if (value := table.records[row][-1]) is not None
        for pattern in patterns(seen[row])
    }
    return {rule: counts(seen, rule) for rule in rules}


def unsafe_rules(table: Planned, hidden: Collection[Entry] = ()) -> dict[Rule, tuple[int, int]]:
    return {
        rule: found
        for rule, found in attacks(table, hidden).items()
        if is_unsafe(*found, table.limit, table.least)
    }


def safe(table: Planned, hidden: Collection[Entry] = ()) -> bool:
    return not unsafe_rules(table, hidden)


def optimum(table: Planned) -> int | None:
    """Return the fewest entries whose hiding makes the table safe, trying all sets; None when there are none."""
    entries = table.allowed()
    for size in range(len(entries) + 1):
        if any(safe(table, chosen) for chosen in combinations(entries, size)):
            return size
    return None


def cost(table: Planned, hidden: Collection[Entry]) -> int:
    """Return what hidden entries cost."""
    return sum(table.prices[column] if table.prices else 1 for _, column in hidden)


def cheapest(table: Planned) -> int | None:
    """Return the least cost of entries whose hiding makes the table safe, trying all sets; None when there are none."""
    entries = table.allowed()
    sets = (chosen for size in range(len(entries) + 1) for chosen in combinations(entries, size))
    return min((cost(table, chosen) for chosen in sets if safe(table, chosen)), default=None)


def encoded(table: Planned) -> tuple[PartialTable, list[list[int]]]:
    """Group identical records; return the table of groups and the rows of each group, lowest first."""
    codes = [_codes(column) for column in zip(*table.records, strict=True)]
    masks = dict.fromkeys(range(len(table.records)), 0)
    for row, column in table.allowed():
        masks[row] |= 1 << column
    rows_of: dict[tuple[int, ...], list[int]] = {}
    for row, record in enumerate(table.records):
        *conditions, value = (code[entry] for code, entry in zip(codes, record, strict=True))
        is_secret = row in table.secrets
        ends = (UNKNOWN, value) if is_secret else (value, UNKNOWN)
        rows_of.setdefault((*conditions, *ends, masks[row], is_secret), []).append(row)
    keys = np.array(sorted(rows_of), np.int64).reshape(-1, table.width + 4)
    made = PartialTable(
        conditions=keys[:, : table.width].astype(np.int32),
        value=keys[:, -4].astype(np.int32),
        truth=keys[:, -3].astype(np.int32),
        count=np.array([len(rows_of[key]) for key in sorted(rows_of)], np.int64),
        may=keys[:, -2],
        limit=table.limit,
        least=table.least,
        prices=table.prices,
    )
    return made, [rows_of[key] for key in sorted(rows_of)]


def _codes(column: Sequence[str | None]) -> dict[str | None, int]:
    values = sorted({value for value in column if value is not None})
    return {None: UNKNOWN, **{value: code for code, value in enumerate(values)}}


def entries(hidden: Hidden, rows_of: Sequence[Sequence[int]]) -> list[Entry]:
    """Return the entries hidden in the records, the lowest rows of each group first."""
    left = [list(rows) for rows in rows_of]
    found = []
    for group, mask, times in zip(
        hidden.group.tolist(), hidden.mask.tolist(), hidden.times.tolist(), strict=True
    ):
        rows, left[group] = left[group][:times], left[group][times:]
        assert len(rows) == times
        found += list(product(rows, [column for column in range(mask.bit_length()) if mask >> column & 1]))
    return found


def drawn(
    rng: np.random.Generator, *, rows: int, width: int, regions: tuple[str, ...], marked: float
) -> Planned:
    """Draw a small table with strong rules, a few secrets and blanks, and a part of the entries marked '+'."""
    sizes = rng.integers(2, 4, width)
    conditions = rng.integers(0, sizes, (rows, width))
    follows = rng.random(rows) < 0.5
    values = np.where(follows, conditions[:, 0] % 2, rng.integers(0, rng.integers(2, 4), rows))
    codes = np.column_stack([conditions, values])
    codes[rng.random(codes.shape) < 0.05] = -1
    chosen = rng.choice(rows, rng.integers(1, 5), replace=False)
    marks = np.argwhere(rng.random(codes.shape) < marked)
    return Planned(
        records=tuple(tuple(None if code < 0 else "abc"[code] for code in row) for row in codes.tolist()),
        secrets=frozenset(chosen.tolist()),
        limit=Fraction(int(rng.integers(3, 8)), 10),
        least=int(rng.choice([0, 0, 1, 2])),
        regions=regions,
        marks=frozenset(map(tuple, marks.tolist())),
    )


def tables(
    *, rows: int, width: int, regions: st.SearchStrategy[tuple[str, ...]]
) -> st.SearchStrategy[Planned]:
    """Give tables of at most so many rows, with missing entries, secrets and marks anywhere."""
    some_entries = st.frozensets(st.tuples(st.integers(0, rows - 1), st.integers(0, width)), max_size=rows)
    values = st.sampled_from(["a", "a", "b", None])
    return st.builds(
        Planned,
        records=st.lists(st.tuples(*[values] * (width + 1)), min_size=2, max_size=rows).map(tuple),
        secrets=st.frozensets(st.integers(0, 1), min_size=1),
        limit=st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(3, 5), Fraction(1)]),
        least=st.sampled_from([0, 0, 1]),
        regions=regions,
        marks=some_entries,
    )
