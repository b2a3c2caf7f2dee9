"""Data whose equal values are spelled in many ways, in every format, and releases read back raw, by plain readers of their own.

A value as it stands in a release is a `Raw`: what it means, None for nothing, and its form, in which every letter and
its type count.
"""

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

import giveaway as ga

MISSING = ("", "?")
LABELS = ("10", "1.5", "0")


class Raw(NamedTuple):
    """A written value."""

    meaning: str | None
    form: str


Row = Mapping[str, Raw]
Spelled = Mapping[str | None, Sequence[Any]]
"""The spellings of each label, and of nothing."""

IN_TEXT: Spelled = {
    "10": ["10", " 10", "10 ", '"10"', '" 10"'],
    "1.5": ["1.5", '"1.5"', " 1.5 "],
    "0": ["0", "0 "],
    None: ["", "?", '" ?"', '""'],
}
AS_TEXTS: Spelled = {
    "10": ["10", "10 ", " 10", "\t10"],
    "1.5": ["1.5", " 1.5"],
    "0": ["0", " 0"],
    None: [None, "", "?", " "],
}
IN_JSON: Spelled = {
    "10": ["10", '"10"', '" 10"'],
    "1.5": ["1.5", '"1.5"'],
    "0": ["0", '"0 "', "-0"],
    None: ["null", '""', '"? "', "absent"],
}
IN_MEMORY: Spelled = {
    "10": [10, 10.0],
    "1.5": [1.5],
    "0": [0, False, 0.0, -0.0],
    None: [None, "", "?", float("nan")],
}
AS_NUMBERS: Spelled = {"10": [10.0], "1.5": [1.5], "0": [0.0, -0.0], None: [None, float("nan")]}


def meaning(value: Any) -> str | None:
    """Return what a value means, whichever way it is spelled."""
    if value is None or value in MISSING or (isinstance(value, float) and isnan(value)):
        return None
    text = str(value).strip(" \t").removesuffix(".0")
    return {"-0": "0", "False": "0", "": None, "?": None}.get(text, text)


def raw(value: Any) -> Raw:
    return Raw(meaning(value), f"{type(value).__name__} {value!r}")


# Tables ------------------------------------------------------------------------------------------------------

Cells = Sequence[Mapping[str, Any]]
"""Rows of spelled entries."""


def _delimited(separator: str, name: str) -> Callable[[Path, Cells, Any], ga.Table]:
    def make(folder: Path, cells: Cells, how: Any) -> ga.Table:
        lines = [separator.join(cells[0]), *(separator.join(row.values()) for row in cells)]
        (folder / name).write_text("\n".join(lines) + "\n")
        return ga.read_table(folder / name, missing=MISSING, **how)

    return make


def _jsonl(folder: Path, cells: Cells, how: Any) -> ga.Table:
    lines = []
    for number, row in enumerate(cells):
        names = list(row)[:: 1 if number % 2 else -1]
        entries = [f'"{name}": {row[name]}' for name in names if row[name] != "absent"]
        lines.append(f"{{{', '.join(entries)}}}\n")
    (folder / "a.jsonl").write_text("".join(lines))
    return ga.read_table(folder / "a.jsonl", missing=MISSING, **how)


def _parquet(folder: Path, cells: Cells, how: Any) -> ga.Table:
    columns = {name: pa.array([row[name] for row in cells], pa.string()) for name in cells[0]}
    pq.write_table(pa.table(columns), folder / "a.parquet")
    return ga.read_table(folder / "a.parquet", missing=MISSING, **how)


def _duckdb(folder: Path, cells: Cells, how: Any) -> ga.Table:
    columns = {name: pa.array([row[name] for row in cells], pa.string()) for name in cells[0]}
    given = pa.table({"who": [f"{number:03}" for number in range(len(cells))], **columns})
    (folder / "a.duckdb").unlink(missing_ok=True)
    with duckdb.connect(folder / "a.duckdb") as connection:
        connection.register("given", given)
        connection.execute("CREATE TABLE people AS SELECT * FROM given")
    return ga.read_table(f"duckdb:{folder / 'a.duckdb'}", table="people", id="who", missing=MISSING, **how)


def _frame(make: Callable[[dict[str, list[Any]]], Any]) -> Callable[[Path, Cells, Any], ga.Table]:
    return lambda _, cells, how: ga.Table.from_frame(
        make({name: [row[name] for row in cells] for name in cells[0]}), missing=(*MISSING, None), **how
    )


def _rows(_: Path, cells: Cells, how: Any) -> ga.Table:
    return ga.Table.from_rows(cells, missing=(*MISSING, None), **how)


TABLES: dict[str, tuple[Spelled, Callable[[Path, Cells, Any], ga.Table]]] = {
    "csv": (IN_TEXT, _delimited(",", "a.csv")),
    "tsv": (IN_TEXT, _delimited("\t", "a.tsv")),
    "jsonl": (IN_JSON, _jsonl),
    "parquet": (AS_TEXTS, _parquet),
    "duckdb": (AS_TEXTS, _duckdb),
    "rows": (IN_MEMORY, _rows),
    "pandas": (IN_MEMORY, _frame(lambda columns: pd.DataFrame(columns, dtype=object))),
    "pandas floats": (AS_NUMBERS, _frame(lambda columns: pd.DataFrame(columns, dtype=float))),
    "polars": (AS_NUMBERS, _frame(lambda columns: pl.DataFrame(columns, dict.fromkeys(columns, pl.Float64)))),
}


@st.composite
def tables(draw: st.DrawFn, form: str, *, gaps: Sequence[str], rows: int = 7) -> Cells:
    """Draw a table with the columns a, b and ill, each entry spelled in some way; `gaps` are columns that may lack values."""
    spelled = TABLES[form][0]
    labels = {name: [*LABELS[:2], *([None] if name in gaps else [])] for name in ("a", "b", "ill")}
    return [
        {name: draw(st.sampled_from(spelled[draw(st.sampled_from(labels[name]))])) for name in labels}
        for _ in range(draw(st.integers(2, rows)))
    ]


def table_of(form: str, folder: Path, cells: Cells) -> ga.Table:
    return TABLES[form][1](folder, cells, {"sensitive": "ill"})


def meant(form: str, cells: Cells) -> list[dict[str, str | None]]:
    """Return what the entries mean, by what they were spelled from."""
    of = {str(spelling): label for label, texts in TABLES[form][0].items() for spelling in texts}
    return [{name: of[str(entry)] for name, entry in row.items()} for row in cells]


# Releases read back ------------------------------------------------------------------------------------------


def read(file: Path) -> list[dict[str, Raw]]:
    """Read a released table; no value of it holds a separator or an end of line."""
    if file.suffix == ".parquet":
        return read_rows(pq.read_table(file).to_pylist())
    lines = file.read_text().splitlines()
    if file.suffix == ".jsonl":
        return list(map(_json_record, lines))
    cut = "\t" if file.suffix == ".tsv" else ","
    names, *rows = [line.split(cut) for line in lines]
    return [dict(zip(names, map(_field, row), strict=True)) for row in rows]


def read_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Raw]]:
    return [{name: raw(value) for name, value in row.items()} for row in rows]


def _field(field: str) -> Raw:
    return Raw(meaning("".join(next(csv.reader([field])))), field)


def _json_record(line: str) -> dict[str, Raw]:
    tokens = json.loads(line, parse_int=_Token, parse_float=_Token)
    shown = {name: Raw(meaning(value), f"{type(value).__name__} {value}") for name, value in tokens.items()}
    return {**shown, " columns": Raw("columns", " ".join(tokens))}


class _Token(str):
    """A number as it stands."""

    __slots__ = ()


def one_form(rows: Sequence[Row]) -> bool:
    """Tell whether whatever means the same in a column stands there in the same form."""
    return all(
        len({row[name].form for row in rows}) == len({row[name].meaning for row in rows}) for name in rows[0]
    )


# Transactions ------------------------------------------------------------------------------------------------

Basket = Sequence[tuple[str, Any]]
"""The items of a transaction, and how each is spelled."""

ITEMS = ("10", "20", "30", "40")
_BLANKS = [" ", "  ", "\t"]
SPELLINGS: dict[str, Callable[[str], list[Any]]] = {
    "baskets": lambda _: _BLANKS,
    "long csv": lambda item: [item, f" {item}", f'"{item}"', f'" {item}"'],
    "long parquet": lambda item: [item, f" {item}", f"{item} "],
    "list parquet": lambda item: [item, f" {item}", f"{item} "],
    "list jsonl": lambda item: [int(item), item, f" {item}"],
    "long jsonl": lambda item: [int(item), item, f" {item}"],
    "one-hot csv": lambda _: ["1", "true", " 1", '"True"'],
    "one-hot jsonl": lambda _: [1, True, "1", "true"],
    "lists": lambda item: [int(item), float(item)],
    "pandas lists": lambda item: [int(item), float(item)],
}


@st.composite
def baskets(draw: st.DrawFn, form: str) -> list[Basket]:
    """Draw transactions, each item spelled in some way; each item is in one of them at least."""
    held = draw(st.lists(st.frozensets(st.sampled_from(ITEMS)), min_size=3, max_size=7))
    return [
        [(item, draw(st.sampled_from(SPELLINGS[form](item)))) for item in sorted(row)]
        for row in [*held, frozenset(ITEMS)]
    ]


def _file(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text)
    return folder / name


def _one_hot_rows(rows: Sequence[Basket], no: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {item: dict(row).get(item, no[number % len(no)]) for item in ITEMS} for number, row in enumerate(rows)
    ]


def _long_rows(rows: Sequence[Basket], nothing: Sequence[Any]) -> list[tuple[str, Any]]:
    return [
        (f"t{number}", spelled)
        for number, row in enumerate(rows)
        for spelled in ([spelled for _, spelled in row] or [nothing[number % len(nothing)]])
    ]


def _read_long(file: Path, roles: Any) -> ga.Transactions:
    return ga.read_transactions(file, id="who", item="what", missing=MISSING, **roles)


def _baskets(folder: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    lines = ("".join(f"{blank}{item}" for item, blank in row) + "\n" for row in rows)
    return ga.read_transactions(_file(folder, "a.dat", "".join(lines)), **roles)


def _long_csv(folder: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    lines = (f"{who},{what}\n" for who, what in _long_rows(rows, ["", " ", "?"]))
    return _read_long(_file(folder, "a.csv", "who,what\n" + "".join(lines)), roles)


def _long_parquet(folder: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    whose, what = zip(*_long_rows(rows, [None, "", "?"]), strict=True)
    pq.write_table(pa.table({"who": whose, "what": what}), folder / "a.parquet")
    return _read_long(folder / "a.parquet", roles)


def _long_jsonl(folder: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    records = [
        dict([("who", who), ("what", what)][:: number % 2 * 2 - 1])
        for number, (who, what) in enumerate(_long_rows(rows, [None, "", "?"]))
    ]
    return _read_long(_file(folder, "a.jsonl", _lines(records)), roles)


def _list_parquet(folder: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    lists = pa.array(_spelled(rows), pa.list_(pa.string()))
    pq.write_table(pa.table({"what": lists}), folder / "a.parquet")
    return ga.read_transactions(folder / "a.parquet", item="what", **roles)


def _list_jsonl(folder: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    return ga.read_transactions(_file(folder, "a.jsonl", _lines(_spelled(rows))), **roles)


def _one_hot_csv(folder: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    table = _one_hot_rows(rows, ["0", "false", " 0"])
    lines = [",".join(ITEMS), *(",".join(row.values()) for row in table)]
    return ga.read_transactions(_file(folder, "a.csv", "\n".join(lines) + "\n"), **roles)


def _one_hot_jsonl(folder: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    return ga.read_transactions(
        _file(folder, "a.jsonl", _lines(_one_hot_rows(rows, [0, False, "0"]))), **roles
    )


def _lists(_: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    return ga.Transactions.from_lists(_spelled(rows), private=map(int, roles.get("private", ())))


def _pandas_lists(_: Path, rows: Sequence[Basket], roles: Any) -> ga.Transactions:
    frame = pd.DataFrame({"what": _spelled(rows)})
    return ga.Transactions.from_frame(frame, item="what", private=map(int, roles.get("private", ())))


def _spelled(rows: Sequence[Basket]) -> list[list[Any]]:
    return [[spelling for _, spelling in row] for row in rows]


TRANSACTIONS: dict[str, Callable[[Path, Sequence[Basket], Any], ga.Transactions]] = {
    "baskets": _baskets,
    "long csv": _long_csv,
    "long parquet": _long_parquet,
    "list parquet": _list_parquet,
    "list jsonl": _list_jsonl,
    "long jsonl": _long_jsonl,
    "one-hot csv": _one_hot_csv,
    "one-hot jsonl": _one_hot_jsonl,
    "lists": _lists,
    "pandas lists": _pandas_lists,
}


def baskets_of(form: str, folder: Path, rows: Sequence[Basket], **roles: Any) -> ga.Transactions:
    """Make transactions of spelled items in some form."""
    return TRANSACTIONS[form](folder, rows, roles)


def _lines(values: Iterable[Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def read_baskets(form: str, file: Path) -> tuple[list[frozenset[str]], bool]:
    """Read released transactions; tell also whether each item has one form, each row no more than its items."""
    if form.startswith("one-hot"):
        table = read(file)
        said = [{name: value.meaning for name, value in row.items() if name != " columns"} for row in table]
        yes = ("1", "True", "true")
        return [frozenset(name for name, value in row.items() if value in yes) for row in said], _marked(
            table
        )
    if form.startswith("long"):
        rows: dict[str, list[Raw]] = {}
        for row in read(file):
            rows.setdefault(row["who"].form, []).append(row["what"])
        return _gathered(rows.values())
    if file.suffix == ".parquet":
        return _gathered([[raw(item) for item in items] for items in pq.read_table(file)["what"].to_pylist()])
    lines = file.read_text().splitlines()
    if file.suffix == ".jsonl":
        return _gathered([[raw(item) for item in json.loads(line)] for line in lines])
    return _gathered([[Raw(item, item) for item in line.split(" ") if line] for line in lines])


def _gathered(rows: Iterable[Sequence[Raw]]) -> tuple[list[frozenset[str]], bool]:
    listed = list(rows)
    items = [item for row in listed for item in row]
    shown = [frozenset(item.meaning for item in row if item.meaning is not None) for row in listed]
    once = all(len(row) == max(len(held), 1) or not row for row, held in zip(listed, shown, strict=True))
    return shown, once and len({item.form for item in items}) == len({item.meaning for item in items})


def _marked(table: Sequence[Row]) -> bool:
    return all(len({row[name].form for row in table}) <= 2 for name in table[0])  # yes and no
