"""Public data sets are counted as published."""

from pathlib import Path

import pytest
from tests.oracles.shared import SHARED
from tests.sizes import first

from giveaway.model.published import Published
from giveaway.sources import read_table, read_transactions

DATA = SHARED


def data_file(name: str) -> Path:
    file = DATA / name
    if not file.exists():
        pytest.skip(f"{name} is not there")
    return file


@pytest.mark.parametrize(
    ("name", "items", "transactions", "occurrences"),
    first(
        3,
        [
            ("retail", 16_470, 88_162, 908_576),
            ("mushroom", 119, 8_124, 8_124 * 23),
            ("chess", 75, 3_196, 3_196 * 37),
            ("connect", 129, 67_557, 67_557 * 43),
            ("onlineretail_words", 2_603, 541_909, 2_363_344),
        ],
    ),
)
def test_transactions_have_the_published_size(
    name: str, items: int, transactions: int, occurrences: int
) -> None:
    read = read_transactions(data_file(f"transactions/{name}.dat.gz"))

    assert (len(read.labels), len(read), read.occurrences) == (items, transactions, occurrences)


def test_empty_lines_are_transactions() -> None:
    read = read_transactions(data_file("transactions/onlineretail_words.dat.gz"))

    assert read.weights[(read.offsets[1:] == read.offsets[:-1])].tolist() == [1454]


def test_a_released_basket_file_read_again_is_the_original_without_an_item(tmp_path: Path) -> None:
    data = read_transactions(data_file("transactions/groceries.dat.gz"))
    assert data.origin is not None
    gone = data.labels[:3]

    again = read_transactions(data.origin.write(tmp_path, Published(gone)))

    expected = data.without(gone)
    assert again.labels == expected.labels
    assert again.codes.tolist() == expected.codes.tolist()
    assert again.weights.tolist() == expected.weights.tolist()


def test_adult_has_the_published_rows_and_missing_values() -> None:
    table = read_table(data_file("adult/adult.data.gz"), header=False, missing=["", "?"])

    complete = sum(
        int(weight)
        for record, weight in enumerate(table.weights.tolist())
        if all(codes[record] >= 0 for codes in table.columns.values())
    )
    assert (len(table), complete) == (32_561, 30_162)
