"""The two functions that read files."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.origin import Rest
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.scratch import scratch_folder
from giveaway.sources.address import Address, address
from giveaway.sources.elsewhere import HeldElsewhere, opened
from giveaway.sources.encoding.grouping import grouping
from giveaway.sources.encoding.roles import roles, several
from giveaway.sources.files.duckdb import engine, exact_path, literal
from giveaway.sources.files.stored import StoredFile, stored
from giveaway.sources.formats import CSV, FORMATS, endings
from giveaway.sources.formats.format import ReadAs
from giveaway.sources.formats.parquet import PARQUET

PathLike = str | os.PathLike[str]


def read_transactions(
    path: PathLike | Address,
    *,
    table: str | None = None,
    query: str | None = None,
    private: Iterable[str] = (),
    private_from: PathLike | None = None,
    domain: Iterable[str] = (),
    domain_from: PathLike | None = None,
    id: str | None = None,
    item: str | None = None,
    separator: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    missing: Iterable[str] = ("",),
    leave_out: Iterable[str] = (),
    publish_unjudged: Iterable[str] = (),
    rest: Rest | None = None,
) -> Transactions:
    """Read transactions from a file; its ending tells the format, labels stay text.

    A .dat or .txt file holds one transaction a line. In .csv, .tsv, .parquet and .jsonl files `id` and `item` name the
    columns of a long table, `item` alone names a column of lists, and with neither every column is an item that a row
    has or has not. A .jsonl file may also hold one list a line. Columns that are neither are named in `leave_out` or
    `publish_unjudged`, or are all what `rest` says.

    An address ("duckdb:file.duckdb", "postgres://host/database", "sc://host:port") comes with `table` or `query`, and
    with `id` and `item`; the rows stay there and are counted there.
    """
    named = roles(
        private,
        domain,
        private_from=private_from,
        domain_from=domain_from,
        publish_unjudged=publish_unjudged,
        leave_out=leave_out,
        rest=rest,
    )
    lacks = several("missing", ("", *several("missing", missing)))  # an empty item stands for none
    stated = ReadAs(id=id, item=item, separator=separator, header=header, missing=lacks)
    where = data_at(path, table, query)
    if isinstance(where, HeldElsewhere):
        return where.transactions(named, stated)
    if id is not None and item is None:
        raise ScenarioError(
            f'id = "{id}" is given, but not the column of the items.',
            hint="say item = the column that names them.",
        )
    with as_one(where) as one:
        file = stored(one, encoding)
        if file.format is None and not stated.columns:
            raise unknown_ending(file)
        return (file.format or CSV).work().transactions(file, named, stated)


def read_table(
    path: PathLike | Address,
    *,
    table: str | None = None,
    query: str | None = None,
    sensitive: str | Iterable[str] = (),
    id: str | None = None,
    separator: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    missing: Iterable[str] = ("",),
    leave_out: Iterable[str] = (),
    publish_unjudged: Iterable[str] = (),
    rest: Rest | None = None,
    classes: Mapping[str, Any] | None = None,
    ladders: Mapping[str, Any] | Literal["auto"] | None = None,
    decimal: str = ".",
) -> Table:
    """Read a table from a file, one record a row; values stay text.

    Columns that no attacker of a later question knows, and that have no role here, are what `rest` says: left out, or
    published unjudged; without it such a question is refused.

    `classes` puts the values of columns into classes before anything is judged: `{"age": [18, 40, 65]}` by cuts,
    `{"income": 10000}` by a width, `"quantiles 5"`, `"year"`, `{"prefix": 3}` and more. `ladders` makes hierarchies of
    coarser labels by rule, as in `{"age": [5, 10, 20]}`, or "auto". Numbers are read by their text, with the decimals
    after `decimal`.

    Files that end neither in .parquet nor in .jsonl are read as delimited text. An address ("duckdb:file.duckdb",
    "postgres://host/database", "sc://host:port") comes with `table` or `query`, and with `id`, by which the rows are
    ordered; they stay there and are counted there.
    """
    secret = (sensitive,) if isinstance(sensitive, str) else several("sensitive", sensitive)
    named = roles(publish_unjudged=publish_unjudged, leave_out=leave_out, rest=rest)
    groups = grouping(classes, ladders, decimal)
    lacks = several("missing", missing)
    stated = ReadAs(id=id, sensitive=secret, separator=separator, header=header, missing=lacks)
    where = data_at(path, table, query)
    if isinstance(where, HeldElsewhere):
        return where.table(named, stated, groups)
    with as_one(where) as one:
        file = stored(one, encoding)
        return (file.format or CSV).work().table(file, named, stated, groups)


def data_at(path: PathLike | Address, table: str | None, query: str | None) -> PathLike | HeldElsewhere:
    """Return the file, or open the data that live in a database or on a cluster."""
    where = address(path, Path()) or path if isinstance(path, str) else path
    if isinstance(where, Address):
        return opened(where, table=table, query=query)
    if table is not None or query is not None:
        raise ScenarioError(
            f'{"table" if query is None else "query"} belongs to an address, and "{path}" is a file.',
            hint="an address begins with duckdb:, postgres:// or sc://.",
        )
    return where


@contextmanager
def as_one(path: PathLike) -> Iterator[PathLike]:
    """Give a file as it is; for a folder of parts, one file with the rows of all of them in order, gone afterwards."""
    where = Path(path)
    parts = sorted(where.iterdir()) if where.is_dir() else []
    if not parts or any(part.suffix not in PARQUET.endings for part in parts):
        yield path
        return
    with scratch_folder() as folder:
        whole = folder / f"{where.name}{PARQUET.endings[0]}"
        with engine() as asked:
            stored = ", ".join(map(exact_path, parts))
            asked.run(
                f"COPY (SELECT * FROM read_parquet([{stored}])) TO {literal(str(whole))} (FORMAT parquet)"  # noqa: S608 # quoted
            )
        yield whole


def unknown_ending(file: StoredFile) -> DataError:
    """Make the error for a file of unknown format; of the formats of other programs it says how they are converted."""
    whole = " and ".join(row.title for row in FORMATS.values() if not row.is_text)
    reads = f"it reads {endings('and')}, and .gz of all but {whole}."
    way = _ELSEWHERE.get(file.ending)
    return DataError(
        f'The ending of "{file.name}" tells no format that giveaway knows.',
        hint=f"{way}; {reads}" if way else reads,
    )


_SPREADSHEET = "save the sheet as CSV in UTF-8, with the names of the columns in the first line"
_ELSEWHERE = {
    ".xlsx": _SPREADSHEET,
    ".xls": _SPREADSHEET,
    ".ods": _SPREADSHEET,
    ".sav": 'export it as CSV in SPSS, or in Python: pandas.read_spss("FILE").to_csv("FILE.csv", index=False)',
    ".dta": 'export it as CSV in Stata, or in Python: pandas.read_stata("FILE").to_csv("FILE.csv", index=False)',
    ".sas7bdat": 'export it as CSV in SAS, or in Python: pandas.read_sas("FILE").to_csv("FILE.csv", index=False)',
    ".feather": 'in Python: pandas.read_feather("FILE").to_parquet("FILE.parquet")',
    ".rds": 'in R: write.csv(readRDS("FILE"), "FILE.csv", row.names = FALSE, na = "")',
}
"""How files of other programs become files that are read; their own readers guess types and labels, and are not kept here."""
