"""All forms of the same data give the same Transactions, and come back in the same form."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sizes import sized
from tests.sources.forms import FORMS, distinct, held, items

from giveaway.checker.files import transactions as checked
from giveaway.model.data.labels import in_order
from giveaway.model.data.transactions import Transactions
from giveaway.model.published import Published
from giveaway.sources import read_transactions

WORDS = [
    "a",
    "B",
    "7",
    "007",
    "-3",
    "10",
    "é",
    "ß-x",
    "=1+1",
    "O'Neil",
    "x,y",
    'q"r',
    "a;b",
    "\N{SNOWMAN}",
    "_0",
]
rows_of_words = st.lists(st.lists(st.sampled_from(WORDS), max_size=5), min_size=1, max_size=8).filter(any)

SAMPLE = [["milk", "bread"], [], ["bread"], ["milk", "bread"], ["7", "007", "x,y"], [], ["bread"]]


def same(first: Transactions, second: Transactions) -> bool:
    return (
        first.offsets.tolist() == second.offsets.tolist()
        and first.codes.tolist() == second.codes.tolist()
        and first.weights.tolist() == second.weights.tolist()
        and tuple(map(str, first.labels)) == tuple(map(str, second.labels))
    )


@sized(12)
@given(rows=rows_of_words)
def test_every_form_of_the_same_data_gives_the_same_transactions(rows: Sequence[Sequence[str]]) -> None:
    with TemporaryDirectory() as folder:
        expected = Transactions.from_lists(rows)
        for name, read in FORMS.items():
            assert same(read(Path(folder), rows), expected), name


@settings(max_examples=60)
@given(rows=rows_of_words)
def test_basket_files_hold_what_a_plain_split_says(rows: Sequence[Sequence[str]]) -> None:
    with TemporaryDirectory() as folder:
        read = FORMS["baskets"](Path(folder), rows)

    assert held(read) == distinct(rows)
    assert list(read.labels) == in_order(items(rows))
    assert len(read) == len(rows)


@sized(25)
@given(rows=rows_of_words)
def test_long_delimited_files_hold_what_plain_counting_says(rows: Sequence[Sequence[str]]) -> None:
    with TemporaryDirectory() as folder:
        read = FORMS["long csv"](Path(folder), rows)

    assert held(read) == distinct(rows)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("gone", [[], ["milk"], ["bread", "milk"], ["7", "x,y", "bread"]])
def test_a_written_release_read_again_is_the_original_without_the_withheld(
    name: str, gone: list[str], tmp_path: Path
) -> None:
    data = FORMS[name](tmp_path, SAMPLE)
    assert data.origin is not None
    folder = tmp_path / "out"
    folder.mkdir()

    file = data.origin.write(folder, Published(gone))

    assert [path.name for path in folder.iterdir()] == [file.name]
    assert Counter(checked.read(file, data.origin.layout)) == checked.expected(data, gone, None)
    again = read_again(file, data)
    assert same(again, data.without(gone))
    assert again.supports.tolist() == data.without(gone).supports.tolist()


def read_again(file: Path, data: Transactions) -> Transactions:
    assert data.origin is not None
    layout = data.origin.layout
    return read_transactions(
        file,
        id=layout.id,
        item=layout.item,
        separator=layout.separator if layout.format == "csv" else None,
        header=layout.header,
    )


@pytest.mark.parametrize("name", FORMS)
def test_a_renamed_and_shuffled_release_holds_the_same_rows_under_their_codes(
    name: str, tmp_path: Path
) -> None:
    data = FORMS[name](tmp_path, SAMPLE)
    assert data.origin is not None
    codes = {"bread": "11", "007": "2", "7": "1", "x,y": "30"}
    folder = tmp_path / "out"
    folder.mkdir()

    file = data.origin.write(folder, Published(["milk"], renaming=codes, order=np.arange(len(data))[::-1]))

    assert Counter(checked.read(file, data.origin.layout)) == checked.expected(data, ["milk"], codes)
    if file.suffix in (".dat", ".csv", ".jsonl"):
        assert "bread" not in file.read_text()


@pytest.mark.parametrize(
    "name", ["baskets", "list jsonl", "lists", "list parquet", "long csv", "long polars"]
)
def test_renamed_items_stand_in_the_order_of_their_codes(name: str, tmp_path: Path) -> None:
    data = FORMS[name](tmp_path, [["a", "b", "c"]])
    assert data.origin is not None

    file = data.origin.write(tmp_path, Published(renaming={"a": "3", "b": "20", "c": "1"}))

    ordered = {
        ".dat": lambda: file.read_text().split(),
        ".jsonl": lambda: __import__("json").loads(file.read_text()),
        ".csv": lambda: [line.split(",")[1] for line in file.read_text().splitlines()[1:]],
        ".parquet": lambda: parquet_items(file),
    }
    assert ordered[file.suffix]() == ["1", "3", "20"]


def parquet_items(file: Path) -> list[str]:
    import polars as pl

    frame = pl.read_parquet(file)
    return frame["items"][0].to_list() if "items" in frame.columns else frame["product"].to_list()


@pytest.mark.parametrize("name", ["baskets", "long csv", "one-hot csv", "list jsonl", "long polars", "lists"])
def test_shuffling_changes_the_order_of_rows_and_nothing_else(name: str, tmp_path: Path) -> None:
    rows = [[f"i{place}"] for place in range(60)]
    data = FORMS[name](tmp_path, rows)
    assert data.origin is not None

    again = read_again(data.origin.write(tmp_path, Published(order=np.arange(60)[::-1])), data)

    assert again.supports.tolist() == data.supports.tolist()
    assert again.codes.tolist() != data.codes.tolist()


@pytest.mark.parametrize(
    "name", [name for name in FORMS if "polars" in name or "pandas" in name or "Arrow" in name]
)
def test_a_frame_comes_back_as_the_same_kind_of_frame(name: str, tmp_path: Path) -> None:
    data = FORMS[name](tmp_path, SAMPLE)
    assert data.origin is not None
    origin: Any = data.origin

    native = origin.native(Published(["milk"]))

    assert type(native) is type(origin.native(Published()))
    layout = {"long": {"id": "basket", "item": "product"}, "lists": {"item": "items"}}.get(origin.shape, {})
    assert same(Transactions.from_frame(native, **layout), data.without(["milk"]))


@pytest.mark.parametrize("name", [name for name in FORMS if "one-hot" not in name and "sparse" not in name])
def test_transactions_without_any_item_are_transactions(name: str, tmp_path: Path) -> None:
    data = FORMS[name](tmp_path, [[], [], []])
    assert data.origin is not None

    again = read_again(data.origin.write(tmp_path, Published(renaming={}, order=np.array([2, 0, 1]))), data)

    assert (held(data), data.labels) == ([(frozenset(), 3)], ())
    assert same(again, data)
