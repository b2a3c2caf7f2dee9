"""A first look guesses what a file holds and counts it correctly."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.sources.forms import FORMS

from giveaway.errors import DataError
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


@pytest.mark.parametrize(
    ("values", "gaps"),
    [
        (["30", "31", "NA"], ("", "NA")),
        (["x", "k.A.", "n/a"], ("", "k.A.", "n/a")),
        (["a", "b", "?"], ("", "?")),
        (["+", "-"], ("",)),
        (["NA", "NA"], ("",)),
        (["a", "b", "none"], ("",)),
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_words_that_mark_gaps_are_known_next_to_other_values(
    name: str, values: list[str], gaps: tuple[str, ...], tmp_path: Path
) -> None:
    rows = [{"n": str(number), "v": value} for number, value in enumerate(values * 2)]
    if name == "a.csv":
        (tmp_path / name).write_text("\n".join(["n,v", *(f"{row['n']},{row['v']}" for row in rows)]))
    else:
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)))

    seen = look(tmp_path / name)

    assert seen.missing == gaps
    column = next(column for column in seen.columns if column.name == "v")
    assert column.distinct == len(set(values) - set(gaps))
    assert column.missing == Fraction(sum(value in gaps for value in values), len(values))


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_numbers_with_commas_and_running_numbers_are_told(name: str, tmp_path: Path) -> None:
    rows = [{"row": str(n), "back": str(5 - n), "weight": f"{n},5", "high": str(n + 7)} for n in range(6)]
    if name == "a.csv":
        (tmp_path / name).write_text(
            "\n".join(";".join(row) for row in [rows[0], *(r.values() for r in rows)])
        )
    else:
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)))

    seen = {column.name: column for column in look(tmp_path / name, kind="table").columns}

    assert [seen[column].running for column in rows[0]] == [True, True, False, False]
    assert [seen[column].commas for column in rows[0]] == [False, False, True, False]
    assert [seen[column].numeric for column in rows[0]] == [True, True, False, True]


def test_what_values_look_like_is_told_of_the_first_that_are_there(tmp_path: Path) -> None:
    rows = [f"{n},,f" for n in range(50)] + [f"{n},p{n}@example.org,m" for n in range(50)]
    (tmp_path / "a.csv").write_text("\n".join(["n,contact,sex", *rows]))

    assert [column.looks for column in look(tmp_path / "a.csv").columns] == [
        None,
        "e-mail addresses",
        None,
    ]


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16"),
        ("cp1252", "cp1252"),
        ("latin-1", "cp1252"),
    ],
)
def test_the_encoding_of_a_text_is_guessed(encoding: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("größe,sex\ngroß,f\nübel,m\ngroß,m\n".encode(encoding))

    seen = look(tmp_path / "a.csv")

    assert (seen.encoding, seen.encoding_guessed) == (found, found == "cp1252")
    assert seen.columns[0].name == "größe"


def test_bytes_that_no_windows_text_has_are_read_as_latin_1(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a,b\n\x81,1\n\xe4,2\n")

    assert look(tmp_path / "a.csv").encoding == "latin-1"


TABLES_OF_WORDS = {
    "header over numbers": ("id age city\n1 30 Bath\n2 31 Cork\n3 30 Ayr\n", " ", True),
    "semicolons": ("id;city\nx;New York\ny;Bath\n", ";", True),
    "semicolons without header": ("x;a\ny;b\nx;a\n", ";", False),
    "tabs": ("name\tage\nann\t30\nbob\t31\n", "\t", True),
    "decimal numbers": ("".join(f"{n % 3} {n % 2} {n % 4}.50\n" for n in range(12)), " ", False),
    "most words once": ("".join(f"u{n} v{n} w\n" for n in range(12)), " ", False),
}


@pytest.mark.parametrize("case", TABLES_OF_WORDS)
@pytest.mark.parametrize("ending", ["txt", "dat"])
def test_words_in_columns_are_not_taken_for_baskets(case: str, ending: str, tmp_path: Path) -> None:
    text, separator, header = TABLES_OF_WORDS[case]
    path = tmp_path / f"a.{ending}"
    path.write_text(text)

    seen = look(path)

    assert (seen.shape, seen.separator, seen.header) == ("table", separator, header)
    assert seen.rows == text.count("\n") - header
    assert seen.because is not None
    assert seen.because in seen.says
    with pytest.raises(DataError, match=r'cannot be guessed .* kind = "table"'):
        guess_kind(path)
    assert look(path, kind="transactions").shape == "baskets"


@pytest.mark.parametrize(
    "text",
    [
        "bread milk\nbread jam tea\n",
        "bread milk\nmilk jam\ntea bread\n",
        "1 2 3\n1 2 4\n2 3 4\n" * 9,
        "bread milk\njam tea\n",
        "bread\nmilk\njam\n",
        "a,b c\na d e\n",
        "".join(f"i{n % 7} j{n % 5} k{n % 3}\n" for n in range(99)),
    ],
)
def test_baskets_are_baskets(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)

    assert guess_kind(tmp_path / "a.txt") == "transactions"
    assert look(tmp_path / "a.txt").shape == "baskets"


def test_a_kind_that_is_asked_for_wins(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("basket,item\n1,tea\n1,gin\n2,tea\n")
    (tmp_path / "b.csv").write_text("when,who,what\nmo,ann,tea\ntu,bob,gin\nmo,ann,tea\n")
    (tmp_path / "c.csv").write_text("item\ntea\ngin\n")

    assert look(tmp_path / "a.csv", kind="table").shape == "table"
    seen = look(tmp_path / "b.csv", kind="transactions")
    assert (seen.shape, seen.ids, seen.item_columns) == ("long", ("when",), ("who",))
    with pytest.raises(DataError, match="one column"):
        look(tmp_path / "c.csv", kind="transactions")
