"""Which transaction of a file became which row: told by every reader, and kept when items go."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import giveaway as ga

ROWS = [["b", "a"], ["c"], ["a", "b"], [], ["c"], ["a"]]


def _dat(folder: Path) -> ga.Transactions:
    file = folder / "rows.dat"
    file.write_text("".join(" ".join(row) + "\n" for row in ROWS))
    return ga.read_transactions(file)


def _long(folder: Path) -> ga.Transactions:
    file = folder / "rows.csv"
    pairs = [(number, item) for number, row in enumerate(ROWS) for item in row or [""]]
    file.write_text("who,what\n" + "".join(f"p{who},{what}\n" for who, what in pairs))
    return ga.read_transactions(file, id="who", item="what")


def _one_hot(folder: Path) -> ga.Transactions:
    file = folder / "rows.csv"
    cells = [",".join(str(int(item in row)) for item in "abc") for row in ROWS]
    file.write_text("\n".join(["a,b,c", *cells]) + "\n")
    return ga.read_transactions(file)


def _lists(folder: Path) -> ga.Transactions:
    file = folder / "rows.parquet"
    pq.write_table(pa.table({"items": ROWS}), file)
    return ga.read_transactions(file, item="items")


def _json(folder: Path) -> ga.Transactions:
    file = folder / "rows.jsonl"
    file.write_text("".join(str(row).replace("'", '"') + "\n" for row in ROWS))
    return ga.read_transactions(file)


def _memory(_: Path) -> ga.Transactions:
    return ga.Transactions.from_lists(ROWS)


def _shown(found: ga.Transactions) -> list[set[object]]:
    assert found.record_of is not None
    ends = found.offsets
    return [
        {found.labels[code] for code in found.codes[ends[row] : ends[row + 1]]} for row in found.record_of
    ]


@pytest.mark.parametrize("read", [_dat, _long, _one_hot, _lists, _json, _memory])
def test_every_reader_tells_the_row_of_each_transaction(
    read: Callable[[Path], ga.Transactions], tmp_path: Path
) -> None:
    assert _shown(read(tmp_path)) == [set(row) for row in ROWS]


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=4), min_size=1, max_size=12))
def test_rows_are_found_again_without_some_items(rows: list[list[str]]) -> None:
    data = ga.Transactions.from_lists(rows)
    gone = [item for item in "ab" if item in data.labels]
    assert _shown(data.without(gone)) == [set(row) - {"a", "b"} for row in rows]
    coarse = dict.fromkeys(gone, "x")
    assert _shown(data.under(coarse)) == [{coarse.get(item, item) for item in row} for row in rows]


def test_rows_are_found_in_a_file_that_is_read_in_parts(tmp_path: Path) -> None:
    rows = [[f"i{number % 97}", f"j{number % 13}"] for number in range(300_000)]
    file = tmp_path / "many.dat"
    file.write_text("".join(" ".join(row) + "\n" for row in rows))
    found = ga.read_transactions(file)
    assert _shown(found)[::997] == [set(row) for row in rows[::997]]
