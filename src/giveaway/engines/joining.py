"""Joining rows of several tables by their ids where the data are: only distinct joined rows with their numbers come here."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from giveaway.engines.held import HeldRows
from giveaway.engines.part import PlainColumn, RowsPart
from giveaway.engines.tables import HeldTable
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.data.kinds import CountedTogether
from giveaway.model.data.table import Table
from giveaway.sources.files.stored import BLANKS

if TYPE_CHECKING:
    import narwhals as nw

_ABSENT = -1


def count_joined(now: HeldTable, also: Sequence[Table], earlier: Sequence[Table]) -> CountedTogether | None:
    """Join the rows of a table with further columns of it and with tables of the same ids, and count the distinct ones.

    An earlier table of the same engine stays there; of another, ids and the record of each are handed over. None where the
    ids are neither texts nor whole numbers, which engines may write differently, or where columns are held elsewhere.
    """
    import narwhals as nw

    held = now.held
    assert held is not None  # noqa: S101 # asked of tables whose rows stay there
    columns = [one for one in also if _is_beside(one, held)]
    if len(columns) < len(also):
        return None
    there = [one for one in earlier if _is_beside(one, held)]
    whole = _whole_numbers([now, *columns, *there], only=len(there) == len(earlier))
    if whole is None:
        return None
    rows = {"now": now} | {f"t{at}": one for at, one in enumerate(also) if _of_same_rows(one, held)}
    joined = _named(rows, whole=whole)
    names = [name for name in joined.collect_schema().names() if name != "whose"]
    for called, one in ((f"t{place}", one) for place, one in enumerate((*columns, *earlier))):
        if called in rows:
            continue
        other = (
            _named({called: one}, whole=whole) if _is_beside(one, held) else _handed_over(one, held, called)
        )
        names += [name for name in other.collect_schema().names() if name != "whose"]
        joined = joined.join(other, on="whose", how="left")
    flags = [f"t{place}" for place in range(len(also), len(also) + len(earlier))]
    joined = joined.with_columns(*(nw.col(flag).fill_null(_ABSENT).alias(flag) for flag in flags))
    part = held.backend.whole(joined.group_by(names).agg(nw.len().alias("n")).select(*names, "n"))
    records = [_records(now, part, "now")]
    records += [_records(one, part, f"t{place}") for place, one in enumerate(columns)]
    for flag, one in zip(flags, earlier, strict=True):
        numbers = part.numbers(flag)
        if _is_beside(one, held):
            present = numbers != _ABSENT
            numbers = np.full(len(part), _ABSENT, np.int64)
            numbers[present] = _records(one, part.where(present), flag)
        records.append(numbers)
    kind, first = alike(records)
    weights = np.zeros(len(first), np.int64)
    np.add.at(weights, kind, part.numbers("n"))
    if int(weights.sum()) != len(now):
        raise held.changed()
    of_kind = [numbers[first] for numbers in records]
    return CountedTogether(
        weights, of_kind[0], of_kind[1 : 1 + len(also)], of_kind[1 + len(also) :], held.changed
    )


def _is_beside(one: Table, held: HeldRows) -> bool:
    """Tell whether a table is held by the same connection."""
    return isinstance(one, HeldTable) and one.held is not None and one.held.backend is held.backend


def _whole_numbers(tables: Sequence[Table], *, only: bool) -> bool | None:
    """Tell whether ids are compared as whole numbers, not as texts; None where they are something else."""
    import narwhals as nw

    kinds = [
        one.held.frame.collect_schema()[str(one.id)]
        for one in tables
        if isinstance(one, HeldTable) and one.held
    ]
    if any(kind != nw.String and not kind.is_integer() for kind in kinds):
        return None
    return only and all(kind.is_signed_integer() for kind in kinds)


def _of_same_rows(one: Table, held: HeldRows) -> bool:
    """Tell whether columns are of the very rows that are held, so that they need not be joined."""
    return isinstance(one, HeldTable) and one.held is not None and one.held.frame is held.frame


def _named(tables: Mapping[str, Table], *, whole: bool) -> "nw.LazyFrame[Any]":
    """Return the columns of held tables of the same rows under names of our own, whose row each is, and that it is there."""
    import narwhals as nw

    first = next(iter(tables.values()))
    assert isinstance(first, HeldTable) and first.held is not None  # noqa: S101, PT018 # asked of those
    frame, named = first.held.frame, nw.col(str(first.id))
    is_text = frame.collect_schema()[str(first.id)] == nw.String
    if whole:
        whose = named.cast(nw.Int64)
    else:
        whose = named.str.replace_all(f"^[{BLANKS}]+|[{BLANKS}]+$", "") if is_text else named.cast(nw.String)
    chosen = [whose.alias("whose")]
    for called, one in tables.items():
        columns = (nw.col(name).alias(f"{called}c{place}") for place, name in enumerate(one.columns))
        chosen += [nw.lit(1).alias(called), *columns]
    return frame.select(*chosen)


def _handed_over(one: Table, held: HeldRows, called: str) -> "nw.LazyFrame[Any]":
    """Hand the ids of a table over, each with the number of its record."""
    ids = one.ids_as_texts("an earlier release")
    records = PlainColumn(one.record_of.astype(np.int64))
    return held.backend.put(RowsPart({"whose": PlainColumn.of(iter(ids)), called: records}))


def _records(one: Table, part: RowsPart, called: str) -> Ints:
    """Return the record that each counted row is in a table."""
    assert isinstance(one, HeldTable)  # noqa: S101 # asked of those
    columns = [part.columns[f"{called}c{place}"] for place in range(len(one.columns))]
    return one.records_of(columns, len(part))
