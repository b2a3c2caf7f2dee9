"""Files that tell how much it hurts when a record is recognised: weights of records, of entries, of pairs of entries."""

from collections.abc import Container, Iterable, Mapping

from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.exact import Number
from giveaway.model.release.sensitivity import Form, Sensitivity, Weight, weight
from giveaway.sources.encoding.roles import check_names
from giveaway.sources.side_files.lines import FileLine, PathLike, lines_by_record, nothing_in, row_of

_FURTHER = ("third", "fourth", "fifth", "sixth")
"""The columns of a file of pairs that name further entries."""


def read_weights(
    table: Table,
    *,
    columns: Mapping[str, Number] | None = None,
    records: PathLike | None = None,
    cells: PathLike | None = None,
    pairs: PathLike | None = None,
    form: Form = "additive",
    wrong: Number = 0,
) -> Sensitivity:
    """Make a sensitivity of the weights of columns and of files.

    A column named like the identifier of the table gives records by it, else the column `row` gives row numbers from 1.
    `records` has the column weight besides, `cells` a column for each attribute (empty is 0), and `pairs` the columns
    first, second and weight, and third to sixth where more entries weigh together (empty is none). A weight is a number of at least 0, or inf.
    """
    check_names(list(columns or ()), list(table.columns))
    return Sensitivity(
        columns=columns,
        records=None if records is None else _of_records(records, table),
        cells=None if cells is None else _of_cells(cells, table),
        pairs=None if pairs is None else _of_pairs(pairs, table),
        form=form,
        wrong=wrong,
    )


def _of_records(path: PathLike, table: Table) -> dict[Label, Weight]:
    key, _, lines = _opened(path, table, ("weight",))
    weights: dict[Label, Weight] = {}
    for line in lines:
        weights[_new(line, key, table, weights)] = _weight(line, "weight", f"record {line.text(key)}")
    return weights


def _of_cells(path: PathLike, table: Table) -> dict[Label, dict[str, Weight]]:
    key, names, lines = _opened(path, table, ())
    columns = [name for name in names if name != key]
    check_names(columns, list(table.columns))
    weights: dict[Label, dict[str, Weight]] = {}
    for line in lines:
        weighed = [name for name in columns if line.text(name)]
        weights[_new(line, key, table, weights)] = {name: _weight(line, name, name) for name in weighed}
    return weights


def _of_pairs(path: PathLike, table: Table) -> dict[Label, dict[tuple[str, ...], Weight]]:
    key, names, lines = _opened(path, table, ("first", "second", "weight"))
    further = [place for place in _FURTHER if place in names]
    weights: dict[Label, dict[tuple[str, ...], Weight]] = {}
    for line in lines:
        more = [line.text(place) for place in further if line.text(place)]
        together = tuple(sorted([line.text("first"), line.text("second"), *more]))
        for name in together:
            if name not in table.columns:
                line.wrong(f'There is no column "{name}".', exists=", ".join(table.columns))
            if together.count(name) > 1:
                line.wrong(f"It names {name} twice.", hint="a pair is two different columns.")
        pairs, listed = weights.setdefault(_record(line, key, table), {}), " and ".join(together)
        if together in pairs:
            line.wrong(
                f"The pair {listed} of this record appears twice.",
                hint="give each pair once, whichever column is first.",
            )
        pairs[together] = _weight(line, "weight", listed)
    return weights


def _opened(
    path: PathLike, table: Table, needed: tuple[str, ...]
) -> tuple[str, list[str], Iterable[FileLine]]:
    """Return the column that names records, the names of all columns, and the lines, of which there must be some."""
    key, names, lines = lines_by_record(path, table, needed, ", ")
    held = list(lines)
    if not held:
        raise nothing_in(path, "gives no weight", "write one record a line, or leave the file out.")
    return key, names, held


def _new(line: FileLine, key: str, table: Table, known: Container[Label]) -> Label:
    record = _record(line, key, table)
    if record in known:
        line.wrong(f"The record {line.text(key)} appears twice.", hint="give each record one line.")
    return record


def _record(line: FileLine, key: str, table: Table) -> Label:
    """Return the name of a record, as the table gives it."""
    return table.record(row_of(line, key, table))


def _weight(line: FileLine, column: str, of: str) -> Weight:
    value: Weight = line.checked(lambda: weight(line.text(column), of))
    return value
