"""Baskets read, looked at and written; words that something else cuts are a table."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.arrays import lengths
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Layout
from giveaway.sources.encoding.roles import Roles
from giveaway.sources.files.first_look import Look, look_at_columns, top
from giveaway.sources.files.guesses import tabular
from giveaway.sources.files.read_tables import read_table_file, read_transactions_file
from giveaway.sources.files.record_values import lines_of
from giveaway.sources.files.stored import BLANKS, StoredFile, TextPass, opened
from giveaway.sources.formats.baskets.text import counted, read_baskets
from giveaway.sources.formats.delimited.work import COLUMNS
from giveaway.sources.formats.format import FormatWork, Kind, LookFor, ReadAs, Rows


def _transactions(file: StoredFile, roles: Roles, stated: ReadAs) -> Transactions:
    if stated.columns:
        return read_transactions_file(file, roles, stated)
    if roles.leave_out or roles.publish_unjudged or roles.rest:
        raise ScenarioError(
            f'"{file.name}" has no columns to leave out or to publish.',
            hint="every word of it is an item.",
        )
    return read_baskets(file, roles)


def _look(file: StoredFile, asked: LookFor) -> Look:
    if asked.separator is not None:
        return look_at_columns(file, asked)
    seems = None if asked.kind == "transactions" else tabular(file)
    if seems is not None:
        as_table = replace(asked, kind="table", separator=seems.separator, header=seems.header)
        return replace(look_at_columns(file, as_table), because=seems.because)
    return look_at_columns(file, asked) if asked.kind == "table" else _look_at_baskets(file)


def _look_at_baskets(file: StoredFile) -> Look:
    words, (offsets, codes, weights, _) = counted(TextPass(file))
    size = lengths(offsets)
    supports = np.bincount(codes, weights=np.repeat(weights, size), minlength=len(words))
    return Look(
        name=file.name,
        shape="baskets",
        encoding=file.encoding,
        rows=int(weights.sum()),
        items=len(words),
        frequent=top({word: int(count) for word, count in zip(words, supports.tolist(), strict=True)}),
        longest=int(size.max(initial=0)),
    )


def _kind(file: StoredFile) -> Kind:
    seems = tabular(file)
    if seems is not None:
        raise DataError(
            f'It cannot be guessed whether "{file.name}" holds baskets or a table: {seems.because}.',
            hint='say kind = "table", or kind = "transactions" if each line is a basket of items; '
            "without a scenario file --set release.kind=table.",
        )
    return "transactions"


def _rows(file: Path, layout: Layout) -> tuple[list[str], Rows]:
    del layout
    return [], (([word.decode() for word in line.split()],) for line in lines_of(file))


def _write_lists(target: Path, lists: Iterable[list[str]]) -> None:
    with opened(target) as out:
        out.writelines(" ".join(map(_word, items)).encode() + b"\n" for items in lists)


def _word(item: str) -> str:
    if not item or len(item.split()) != 1 or item.strip(BLANKS) != item:
        raise ScenarioError(
            f"The item {item!r} has a blank in it, which separates items in a dat file.",
            hint="write another format.",
        )
    return item


WORK = FormatWork(
    transactions=_transactions,
    table=read_table_file,
    look=_look,
    kind=_kind,
    columns=COLUMNS,
    rows=_rows,
    write_lists=_write_lists,
)
