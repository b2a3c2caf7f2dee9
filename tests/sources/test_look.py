"""A first look guesses what a file holds and counts it rightly."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.sources.forms import FORMS

from giveaway.sources import guess_kind, look

ROWS = [["bread", "milk"], ["bread"], ["bread", "jam", "milk"], ["jam"]]


@pytest.mark.parametrize(
    ("form", "file", "shape"),
    [
        ("baskets", "data.dat", "baskets"),
        ("long csv", "long.csv", "long"),
        ("long parquet", "long.parquet", "long"),
        ("one-hot csv", "wide.csv", "one-hot"),
        ("list parquet", "lists.parquet", "lists"),
        ("list jsonl", "lists.jsonl", "lists"),
        ("object jsonl", "objects.jsonl.gz", "lists"),
    ],
)
def test_transactions_are_known_in_every_shape_with_their_supports(
    form: str, file: str, shape: str, tmp_path: Path
) -> None:
    FORMS[form](tmp_path, ROWS)

    seen = look(tmp_path / file)

    assert (seen.shape, seen.kind, seen.items) == (shape, "transactions", 3)
    assert seen.frequent == (("bread", 3), ("jam", 2), ("milk", 2))
    assert guess_kind(tmp_path / file) == "transactions"
    assert seen.says.startswith(file)


def test_columns_of_a_long_table_are_proposed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("date,order_id,product,price\nmo,1,tea,3\nmo,1,gin,9\ntu,2,tea,3\n")

    seen = look(tmp_path / "a.csv")

    assert (seen.shape, seen.ids, seen.item_columns) == ("long", ("order_id",), ("product",))


def test_long_json_lines_are_known(tmp_path: Path) -> None:
    rows = [(1, "tea"), (1, "gin"), (2, "tea"), (2, None)]
    lines = (json.dumps({"basket": basket, "item": item}) for basket, item in rows)
    (tmp_path / "a.jsonl").write_text("\n".join(lines))

    seen = look(tmp_path / "a.jsonl")

    assert (seen.shape, seen.ids, seen.item_columns) == ("long", ("basket",), ("item",))
    assert seen.frequent == (("tea", 2), ("gin", 1))


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_table_is_known_with_what_its_columns_look_like(name: str, tmp_path: Path) -> None:
    rows = [("1", "30", "f", "x"), ("2", "31.5", "m", ""), ("3", "30", "f", "y"), ("4", "-2", "m", "x")]
    columns = ("patient", "age", "sex", "job")
    if name == "a.csv":
        (tmp_path / name).write_text("\n".join(map(";".join, [columns, *rows])))
    else:
        lines = (json.dumps(dict(zip(columns, row, strict=True))) for row in rows)
        (tmp_path / name).write_text("\n".join(lines))

    seen = look(tmp_path / name)

    assert (seen.shape, seen.kind, seen.rows, seen.ids) == ("table", "table", 4, ("patient",))
    assert seen.separator == (";" if name == "a.csv" else None)
    by_name = {column.name: column for column in seen.columns}
    assert [by_name[column].distinct for column in columns] == [4, 3, 2, 2]
    assert [by_name[column].numeric for column in columns] == [True, True, False, False]
    assert [by_name[column].identifier for column in columns] == [True, False, False, False]
    assert by_name["job"].missing == Fraction(1, 4)
    assert guess_kind(tmp_path / name) == "table"


def test_two_columns_that_repeat_are_a_table(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sex,age\n" + "f,30\nm,31\n" * 9)

    assert look(tmp_path / "a.csv").kind == "table"
