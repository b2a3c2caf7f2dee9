"""Counting where the data are: filter, group, count and join, written once for all engines.

Columns get names of our own first, so that no name of the data can be in the way. Only counts and distinct values come
back, except from `rows_in_parts`.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from giveaway.engines.held import HeldRows
from giveaway.engines.part import PartColumn, PlainColumn, RowsPart
from giveaway.engines.spelling import MISSING_CODE, coded
from giveaway.errors import DataError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.data.labels import Label
from giveaway.sources.encoding.looks_like import MOST, looked_at
from giveaway.sources.files.stored import BLANKS

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True, eq=False)
class CodeRows:
    """Distinct rows of codes in lexicographic order, -1 before all codes; a row is found column by column."""

    sizes: tuple[int, ...]
    """One more than the number of labels of each column."""
    keys: tuple[Ints, ...]
    """For each column, ascending: the place of what stands before it times the size, and the code plus one."""

    @classmethod
    def of(cls, columns: Sequence[Codes], labels: Sequence[int], count: int) -> "tuple[CodeRows, Ints, Ints]":
        """Return the records of some rows, the first row of each record, and the record of each row."""
        place = np.zeros(count, np.int64)
        sizes = tuple(number + 1 for number in labels)
        keys = []
        for codes, size in zip(columns, sizes, strict=True):
            known, place = np.unique(place * size + codes + 1, return_inverse=True)
            keys.append(known)
        _, first = np.unique(place, return_index=True)
        return cls(sizes, tuple(keys)), first, place.astype(np.int64)

    def find(self, columns: Sequence[Codes], count: int) -> Ints | None:
        """Return the record of each row; None where a row is none of them."""
        place = np.zeros(count, np.int64)
        for codes, size, known in zip(columns, self.sizes, self.keys, strict=True):
            wanted = place * size + codes + 1
            place = np.searchsorted(known, wanted).astype(np.int64)
            if not np.array_equal(known[np.minimum(place, len(known) - 1)], wanted):
                return None
        return place


@dataclass(frozen=True, eq=False)
class Distinct:
    """Distinct rows of some columns in the order of their codes, each with the number of times it occurs."""

    columns: dict[str, Codes]
    labels: dict[str, tuple[Label, ...]]
    weights: Ints
    records: CodeRows


def distinct_rows(held: HeldRows, columns: Sequence[str], missing: Collection[str]) -> Distinct:
    """Count the distinct rows of some columns; those that become alike as text are merged."""
    import narwhals as nw

    names = [f"c{place}" for place in range(len(columns))]
    chosen = _chosen(held, columns)
    counted = chosen.group_by(names).agg(nw.len().alias("n")) if names else chosen.select(nw.len().alias("n"))
    return merged(held.backend.whole(counted), columns, missing)[0]


def merged(part: RowsPart, columns: Sequence[str], missing: Collection[str]) -> tuple[Distinct, Ints]:
    """Merge counted rows, columns c0, c1, ... and n, that are alike as text; return also what each row became."""
    codes: dict[str, Codes] = {}
    labels: dict[str, tuple[Label, ...]] = {}
    for place, column in enumerate(columns):
        codes[column], labels[column] = coded(part.columns[f"c{place}"], missing)
    weight = part.numbers("n")
    records, first, record = CodeRows.of(list(codes.values()), [len(x) for x in labels.values()], len(weight))
    weights = np.zeros(len(first), np.int64)
    np.add.at(weights, record, weight)
    return Distinct({name: x[first] for name, x in codes.items()}, labels, weights, records), record


def people_rows(held: HeldRows, id: str, columns: Sequence[str]) -> RowsPart:
    """Count the people with each entry, columns c0, c1, ...; those with several are numbered in the column person.

    `person` is -1 for people with one entry, of whom there are `n`. No id leaves the engine.
    """
    import narwhals as nw

    names = [f"c{place}" for place in range(1, len(columns) + 1)]
    entries = _chosen(held, [id, *columns]).select(*names, whose=_whose(held, id)).unique()
    owned = entries.group_by("whose").agg(nw.len().alias("owned"))
    one = entries.join(owned.filter(nw.col("owned") == 1), on="whose", how="inner")
    several = owned.filter(nw.col("owned") > 1).with_row_index("person", order_by="whose")
    counted = held.backend.whole(one.group_by(names).agg(nw.len().alias("n")).select(*names, "n"))
    numbered = held.backend.whole(entries.join(several, on="whose", how="inner").select(*names, "person"))
    whose = np.concatenate([np.full(len(counted), -1), numbered.numbers("person")])
    count = np.concatenate([counted.numbers("n"), np.ones(len(numbered), np.int64)])
    entry = {
        f"c{place}": counted.columns[name].joined([numbered.columns[name]])
        for place, name in enumerate(names)
    }
    return RowsPart({**entry, "n": PlainColumn(count), "person": PlainColumn(whose)})


def rows_in_parts(held: HeldRows, columns: Sequence[str]) -> Iterator[RowsPart]:
    """Give some columns of all rows in parts, in no order, named c0, c1, ..."""
    return held.backend.batches(_chosen(held, columns))


def first_looked_at(held: HeldRows, columns: Sequence[str]) -> dict[str, str | None]:
    """Tell what some columns look like, from whichever rows the engine gives first."""
    return looked_at(first_rows(held, columns)) if columns else {}


def first_rows(held: HeldRows, columns: Sequence[str]) -> dict[str, list[Any]]:
    """Return what stands in some columns of whichever rows the engine gives first."""
    first = held.backend.whole(_chosen(held, columns).head(MOST))
    return {name: first.column(place).array().tolist() for place, name in enumerate(columns)}


def refuse_ids(held: HeldRows, id: str, missing: Collection[str], *, repeated: bool) -> None:
    """Refuse a table without rows, rows that belong to nobody and, where an id names one record, ids that appear twice."""
    import narwhals as nw

    whose = _chosen(held, [id]).select(whose=_whose(held, id))
    lacking = _lacks(missing).cast(nw.Int32).sum().cast(nw.Int64).alias("bare")
    numbers = held.backend.collect(whose.select(nw.len().alias("n"), lacking))
    if not numbers["n"][0]:
        raise DataError(f"{held.name} has columns but no rows.", hint="check where they were loaded.")
    if numbers["bare"][0]:
        raise DataError(
            f'{numbers["bare"][0]} rows of {held.name} have no value in the column "{id}".',
            hint="every row needs the id of its transaction or record.",
        )
    if repeated:
        return
    counts = whose.group_by("whose").agg(nw.len().alias("n")).filter(nw.col("n") > 1)
    twice = _number(held, counts.select(nw.len().alias("n")))
    if twice:
        raise DataError(
            f'{twice} values of the column "{id}" of {held.name} stand in several rows.',
            hint="an id names one record each, since a table there has no other order of its rows.",
        )


@dataclass(frozen=True, eq=False)
class Items:
    """The items of a long table, and its rows as a frame that is worked out by the engine.

    `pairs` has the columns whose and code, each pair once: the transaction, by its id as stored, and an item.
    """

    held: HeldRows
    pairs: "nw.LazyFrame[Any]"
    labels: tuple[Label, ...]
    transactions: int


def coded_items(held: HeldRows, id: str, item: str, missing: Collection[str]) -> Items:
    """Number the items of a long table in label order, and count its transactions."""
    import narwhals as nw

    long = _chosen(held, [id, item]).select(whose=_whose(held, id), item=nw.col("c1"))
    long = held.backend.comparable(long)
    whose = long.select("whose").unique()
    transactions = _number(held, whose.select(nw.len().alias("n")))
    values = held.backend.whole(long.select("item").filter(~nw.col("item").is_null()).unique())
    codes, labels = coded(values.columns["item"], missing)
    named = values.beside(code=PlainColumn(codes)).where(codes != MISSING_CODE)
    pairs = long.join(held.backend.put(named), on="item", how="inner")
    return Items(held, pairs.select("whose", "code").unique(), labels, transactions)


def item_counts(items: Items) -> Ints:
    """Count the transactions that hold each item."""
    import narwhals as nw

    counted = items.pairs.group_by("code").agg(nw.len().alias("n"))
    rows = items.held.backend.collect(counted)
    supports = np.zeros(len(items.labels), np.int64)
    supports[rows["code"].astype(np.int64)] = rows["n"].astype(np.int64)
    return supports


def merged_baskets(items: Items) -> tuple[Ints, Codes, Ints]:
    """Bring the distinct transactions here: offsets, codes and weights."""
    gather = _Gather()
    for part in items.held.backend.batches(items.pairs.sort("whose", "code")):
        gather.add(part.columns["whose"], part.columns["code"].array().astype(np.int32))
    return gather.merged(items.transactions)


class _Gather:
    """Makes rows of pairs that come sorted by transaction, in parts that may end inside one."""

    def __init__(self) -> None:
        self._starts: list[Ints] = []
        self._codes: list[Codes] = []
        self._last: Any = None
        self._size = 0

    def add(self, whose: PartColumn, codes: Codes) -> None:
        """Add pairs."""
        begins = np.flatnonzero(np.concatenate([[whose[0] != self._last], whose.changes()]))
        self._starts.append(begins + self._size)
        self._codes.append(codes)
        self._size += len(codes)
        self._last = whose[len(whose) - 1]

    def merged(self, transactions: int) -> tuple[Ints, Codes, Ints]:
        """Merge identical rows; transactions without items are one empty row."""
        starts = np.concatenate([np.zeros(0, np.int64), *self._starts])
        offsets = np.append(starts, self._size)
        codes = np.concatenate([np.zeros(0, np.int32), *self._codes])
        bare = transactions - len(starts)
        weights = np.ones(len(starts) + bool(bare), np.int64)
        if bare:
            offsets, weights[-1] = np.append(offsets, self._size), bare
        return arrays.merge(offsets, codes, weights)[:3]


def _chosen(held: HeldRows, columns: Sequence[str]) -> "nw.LazyFrame[Any]":
    import narwhals as nw

    if not columns:
        return held.frame
    return held.frame.select(*(nw.col(column).alias(f"c{place}") for place, column in enumerate(columns)))


def _whose(held: HeldRows, id: str) -> "nw.Expr":
    """Return the id, text without the blanks around it; `id` was chosen first."""
    import narwhals as nw

    whose = nw.col("c0")
    if held.frame.collect_schema()[id] != nw.String:
        return whose
    return whose.str.replace_all(f"^[{BLANKS}]+|[{BLANKS}]+$", "")  # Ibis strips no characters of our choice


def _lacks(missing: Collection[str]) -> "nw.Expr":
    import narwhals as nw

    nothing = nw.col("whose").is_null()
    return nothing | nw.col("whose").cast(nw.String).is_in(sorted(missing)) if missing else nothing


def _number(held: HeldRows, counted: "nw.LazyFrame[Any]") -> int:
    return int(held.backend.collect(counted)["n"][0])
