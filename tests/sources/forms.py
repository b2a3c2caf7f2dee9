"""The same transactions in every form that can be read, and a plain oracle of what reading them must give."""

import csv
import gzip
import io
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.model.data.transactions import Transactions
from giveaway.sources import read_transactions

Rows = Sequence[Sequence[str]]


def distinct(rows: Rows) -> list[tuple[frozenset[str], int]]:
    """Merge rows the obvious way, in the order of their first occurrence."""
    counted = Counter(frozenset(row) for row in rows)
    return [(row, counted[row]) for row in dict.fromkeys(frozenset(row) for row in rows)]


def held(data: Transactions) -> list[tuple[frozenset[str], int]]:
    """Return the distinct rows of Transactions as labels in text form."""
    made = []
    for row, weight in enumerate(data.weights.tolist()):
        codes = data.codes[data.offsets[row] : data.offsets[row + 1]].tolist()
        assert codes == sorted(set(codes))
        made.append((frozenset(str(data.labels[code]) for code in codes), weight))
    return made


def items(rows: Rows) -> list[str]:
    return sorted({item for row in rows for item in row})


def delimited(lines: Sequence[Sequence[object]], separator: str = ",") -> str:
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if "\\r" in str(lines) else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=separator, lineterminator="\n", quoting=quoting).writerows(lines)
    return out.getvalue()


def long_lines(rows: Rows) -> list[tuple[str, str]]:
    return [(f"t{place}", item) for place, row in enumerate(rows) for item in (row or [""])]


def one_hot_lines(rows: Rows) -> list[list[object]]:
    return [[int(item in row) for item in items(rows)] for row in rows]


def baskets(folder: Path, rows: Rows) -> Transactions:
    file = folder / "data.dat"
    file.write_bytes("".join(" ".join(row) + "\n" for row in rows).encode())
    return read_transactions(file)


def zipped_baskets(folder: Path, rows: Rows) -> Transactions:
    file = folder / "data.txt.gz"
    file.write_bytes(gzip.compress("".join("\t".join(row) + " \r\n" for row in rows).encode()))
    return read_transactions(file)


def long_csv(folder: Path, rows: Rows) -> Transactions:
    file = folder / "long.csv"
    file.write_bytes(delimited([("basket", "product"), *long_lines(rows)]).encode())
    return read_transactions(file, id="basket", item="product")


def long_tsv(folder: Path, rows: Rows) -> Transactions:
    file = folder / "long.tsv.gz"
    file.write_bytes(gzip.compress(delimited([("basket", "product"), *long_lines(rows)], "\t").encode()))
    return read_transactions(file, id="basket", item="product")


def one_hot_csv(folder: Path, rows: Rows) -> Transactions:
    file = folder / "wide.csv"
    file.write_bytes(delimited([items(rows), *one_hot_lines(rows)], ";").encode())
    return read_transactions(file, separator=";")


def long_parquet(folder: Path, rows: Rows) -> Transactions:
    import polars as pl

    file = folder / "long.parquet"
    lines = long_lines(rows)
    pl.DataFrame(
        {"basket": [line[0] for line in lines], "product": [line[1] or None for line in lines]},
        schema={"basket": pl.String, "product": pl.String},
    ).write_parquet(file)
    return read_transactions(file, id="basket", item="product")


def list_parquet(folder: Path, rows: Rows) -> Transactions:
    import polars as pl

    file = folder / "lists.parquet"
    pl.DataFrame({"items": list(map(list, rows))}, schema={"items": pl.List(pl.String)}).write_parquet(file)
    return read_transactions(file, item="items")


def list_jsonl(folder: Path, rows: Rows) -> Transactions:
    file = folder / "lists.jsonl"
    file.write_text("".join(json.dumps(list(row)) + "\n" for row in rows), encoding="utf-8")
    return read_transactions(file)


def object_jsonl(folder: Path, rows: Rows) -> Transactions:
    file = folder / "objects.jsonl.gz"
    file.write_bytes(gzip.compress("".join(json.dumps({"i": list(row)}) + "\n" for row in rows).encode()))
    return read_transactions(file, item="i")


def long_jsonl(folder: Path, rows: Rows) -> Transactions:
    file = folder / "long.jsonl"
    lines = (json.dumps({"b": basket, "p": item or None}) for basket, item in long_lines(rows))
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return read_transactions(file, id="b", item="p")


def lists(folder: Path, rows: Rows) -> Transactions:
    return Transactions.from_lists(rows)


def sets(folder: Path, rows: Rows) -> Transactions:
    return Transactions.from_lists([set(row) for row in rows])


def long_frame(make: Callable[[dict[str, list[Any]]], Any]) -> Callable[[Path, Rows], Transactions]:
    def read(folder: Path, rows: Rows) -> Transactions:
        lines = long_lines(rows)
        columns = {"basket": [line[0] for line in lines], "product": [line[1] or None for line in lines]}
        return Transactions.from_frame(make(columns), id="basket", item="product")

    return read


def one_hot_frame(make: Callable[[dict[str, list[Any]]], Any]) -> Callable[[Path, Rows], Transactions]:
    def read(folder: Path, rows: Rows) -> Transactions:
        return Transactions.from_frame(make({item: [item in row for row in rows] for item in items(rows)}))

    return read


def list_frame(make: Callable[[dict[str, list[Any]]], Any]) -> Callable[[Path, Rows], Transactions]:
    def read(folder: Path, rows: Rows) -> Transactions:
        return Transactions.from_frame(make({"items": [list(row) for row in rows]}), item="items")

    return read


def pandas_frame(columns: dict[str, list[Any]]) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)


def polars_frame(columns: dict[str, list[Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(
        columns, schema_overrides={"items": pl.List(pl.String)} if "items" in columns else None
    )


def lazy_frame(columns: dict[str, list[Any]]) -> Any:
    return polars_frame(columns).lazy()


def arrow_frame(columns: dict[str, list[Any]]) -> Any:
    return polars_frame(columns).to_arrow()


def wrapped_frame(columns: dict[str, list[Any]]) -> Any:
    import narwhals as nw

    return nw.from_native(polars_frame(columns))


def sparse_pandas_frame(columns: dict[str, list[Any]]) -> Any:
    import pandas as pd

    return pd.DataFrame(columns).astype(pd.SparseDtype(bool, fill_value=False))


def sparse_matrix(folder: Path, rows: Rows) -> Transactions:
    from scipy import sparse

    dense = np.array(one_hot_lines(rows), np.int8).reshape(len(rows), len(items(rows)))
    return Transactions.from_frame(sparse.csr_array(dense), labels=items(rows))


FRAMES = {
    "pandas": pandas_frame,
    "polars": polars_frame,
    "lazy polars": lazy_frame,
    "Arrow": arrow_frame,
    "narwhals": wrapped_frame,
}
FORMS: dict[str, Callable[[Path, Rows], Transactions]] = {
    "baskets": baskets,
    "zipped baskets": zipped_baskets,
    "long csv": long_csv,
    "long tsv": long_tsv,
    "one-hot csv": one_hot_csv,
    "long parquet": long_parquet,
    "list parquet": list_parquet,
    "list jsonl": list_jsonl,
    "object jsonl": object_jsonl,
    "long jsonl": long_jsonl,
    "lists": lists,
    "sets": sets,
    "sparse matrix": sparse_matrix,
    "sparse pandas": one_hot_frame(sparse_pandas_frame),
    **{f"long {name}": long_frame(make) for name, make in FRAMES.items()},
    **{f"one-hot {name}": one_hot_frame(make) for name, make in FRAMES.items()},
    **{f"list {name}": list_frame(make) for name, make in FRAMES.items()},
}
