"""Hostile files get one clear error, and odd but legal ones are read correctly."""

import csv
import gzip
import os
from pathlib import Path

import pytest
from tests.sources.forms import delimited, held

from giveaway.errors import BudgetExceeded, DataError, ScenarioError
from giveaway.model.progress import limited
from giveaway.model.published import Published
from giveaway.sources import read_table, read_transactions

LONG = {"id": "id", "item": "item"}


def made(folder: Path, name: str, content: bytes) -> Path:
    file = folder / name
    file.write_bytes(content)
    return file


def error_of(file: Path, **how: object) -> str:
    with pytest.raises(DataError) as caught:
        read_transactions(file, **how)
    message = str(caught.value)
    assert len(caught.value.mistakes) == 1
    assert "\n" not in message
    assert "Hint:" in message
    return message


# Baskets ---------------------------------------------------------------------------------------------------------


def test_every_line_counts_blank_ones_too_and_a_trailing_newline_does_not(tmp_path: Path) -> None:
    with_end = read_transactions(made(tmp_path, "a.dat", b"a b\n\n \t\na\n\n"))
    without_end = read_transactions(made(tmp_path, "b.dat", b"a b\n\n \t\na\n\nb"))

    assert (len(with_end), len(without_end)) == (5, 6)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_ends_of_all_systems_are_line_ends(end: bytes, tmp_path: Path) -> None:
    read = read_transactions(made(tmp_path, "a.dat", b"a b" + end + end + b"b a" + end))

    assert held(read) == [({"a", "b"}, 2), (set(), 1)]


def test_a_byte_order_mark_is_no_part_of_the_first_item(tmp_path: Path) -> None:
    assert read_transactions(made(tmp_path, "a.dat", b"\xef\xbb\xbfa b\n")).labels == ("a", "b")


def test_repeated_items_of_a_line_count_once(tmp_path: Path) -> None:
    assert held(read_transactions(made(tmp_path, "a.dat", b"b a b b\n"))) == [({"a", "b"}, 1)]


def test_labels_stay_text_and_whole_numbers_sort_by_value_before_other_text(tmp_path: Path) -> None:
    read = read_transactions(made(tmp_path, "a.dat", b"b 10 9 007 7 -2 a 1.5\n"))

    assert read.labels == ("-2", "007", "7", "9", "10", "1.5", "a", "b")


def test_wrong_encoding_names_the_line_and_a_hint(tmp_path: Path) -> None:
    file = made(tmp_path, "a.dat", b"a b\nc\n" + "k\xe4se\n".encode("latin-1"))

    assert 'Line 3 of "a.dat" is not utf-8 text. Hint: ' in error_of(file)
    assert 'encoding = "latin-1"' in error_of(file)
    assert "k\xe4se" in read_transactions(file, encoding="latin-1").labels


def test_text_in_two_bytes_a_letter_is_read_when_told_so(tmp_path: Path) -> None:
    file = made(tmp_path, "a.dat", "x \N{SNOWMAN}\n\ny\n".encode("utf-16"))

    assert held(read_transactions(file, encoding="utf-16")) == [
        ({"x", "\N{SNOWMAN}"}, 1),
        (set(), 1),
        ({"y"}, 1),
    ]


def test_a_letter_cut_off_at_the_end_is_an_encoding_error(tmp_path: Path) -> None:
    assert "Line 2" in error_of(made(tmp_path, "a.dat", b"a\nb\xc3"))


def test_an_unknown_encoding_is_an_error_of_the_question(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match='encoding = "klingon" is not known'):
        read_transactions(made(tmp_path, "a.dat", b"a\n"), encoding="klingon")


@pytest.mark.parametrize("byte", [b"\x00", b"\x1b", b"\x0c", b"\x7f"])
def test_control_characters_in_baskets_are_refused_with_their_line(byte: bytes, tmp_path: Path) -> None:
    assert 'Line 2 of "a.dat" holds control characters' in error_of(
        made(tmp_path, "a.dat", b"a\nb" + byte + b"c\n")
    )


@pytest.mark.parametrize("name", ["a.dat", "a.csv", "a.jsonl", "a.tsv.gz"])
def test_an_empty_file_is_refused(name: str, tmp_path: Path) -> None:
    content = gzip.compress(b"") if name.endswith(".gz") else b""

    assert "is empty" in error_of(made(tmp_path, name, content), **(LONG if "dat" not in name else {}))


def test_a_missing_file_is_told_with_names_like_it(tmp_path: Path) -> None:
    made(tmp_path, "baskets.dat", b"a\n")

    message = error_of(tmp_path / "basket.dat")

    assert "There is no file" in message
    assert 'It has: "baskets.dat".' in message


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert "is a folder" in error_of(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_told(tmp_path: Path) -> None:
    file = made(tmp_path, "a.dat", b"a\n")
    file.chmod(0)

    assert "cannot be opened" in error_of(file)


def test_truncated_and_false_gzip_are_told_apart(tmp_path: Path) -> None:
    whole = gzip.compress(os.urandom(20_000).hex().encode())

    assert "cut off" in error_of(made(tmp_path, "a.dat.gz", whole[:-9000]))
    assert "damaged or not compressed" in error_of(made(tmp_path, "b.dat.gz", b"plain text"))
    assert "compressed with gzip" in error_of(made(tmp_path, "c.dat", whole))


def test_a_huge_line_and_a_huge_item_are_read(tmp_path: Path) -> None:
    words = [f"item{number}" for number in range(80_000)]
    file = made(tmp_path, "a.dat", (" ".join(words) + "\n" + "x" * 9_000_000 + "\n").encode())

    read = read_transactions(file)

    assert (len(read), len(read.labels)) == (2, 80_001)


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    assert "tells no format" in error_of(made(tmp_path, "a.xlsx", b"a\n"))
    assert "save the sheet as CSV" in error_of(made(tmp_path, "b.xlsx", b"a\n"))
    assert "read_spss" in error_of(made(tmp_path, "b.sav", b"a\n"))
    assert "read_spss" not in error_of(made(tmp_path, "b.unknown", b"a\n"))


def test_the_time_limit_stops_reading(tmp_path: Path) -> None:
    with pytest.raises(BudgetExceeded), limited(seconds=-1):
        read_transactions(made(tmp_path, "a.dat", b"a\n"))


def test_the_time_limit_interrupts_the_engine(tmp_path: Path) -> None:
    rows = "".join(f"{number},item{number % 977}\n" for number in range(400_000))
    file = made(tmp_path, "a.csv", b"id,item\n" + rows.encode())

    with pytest.raises(BudgetExceeded), limited(seconds=0.05):
        read_transactions(file, **LONG)


# Delimited text --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id,item\n1,a\n2\n", 'Line 3 of "a.csv" has 1 fields instead of 2'),
        (b"id,item\n1,a\n2,b,c\n", 'Line 3 of "a.csv" has 3 fields instead of 2'),
        (b"id,item\n1,a,\n", 'Line 2 of "a.csv" has 3 fields instead of 2'),
        (b'id,item\n1,a\n2,"b\n3,c\n', 'A quote opened in line 3 of "a.csv" is never closed'),
        (b'id,item\n1,"a"b\n', 'Line 2 of "a.csv" has a quote in the wrong place'),
        (b"id,item\n1,a\n2,\xff\n", 'Line 3 of "a.csv" is not utf-8 text'),
        (b"id,item\n1,a\x00b\n", 'Line 2 of "a.csv" holds control characters'),
        (b"id,id\n1,2\n", 'The column name "id" appears twice in "a.csv"'),
        (b"id, id \n1,2\n", 'The column name "id" appears twice in "a.csv"'),
        (b"id,\n1,2\n", 'Column 2 of "a.csv" has no name'),
        (b"\n\n", 'The file "a.csv" holds no rows'),
        (b"id,item\n", 'The file "a.csv" has columns but no rows'),
        (b"id,item\n1,a\n,b\n", 'Row 2 of "a.csv" has no value in the column "id"'),
    ],
)
def test_a_broken_delimited_file_gets_one_clear_error(content: bytes, message: str, tmp_path: Path) -> None:
    assert message in error_of(made(tmp_path, "a.csv", content), **LONG)


@pytest.mark.parametrize(
    "content",
    [
        b"id,item\n1,a\n1,b\n2,a\n",
        b"id,item\r\n1,a\r\n1,b\r\n2,a\r\n",
        b"id,item\r\n1,a\n1,b\r\n2,a",
        b"id,item\r1,a\r1,b\r2,a\r",
        b"\xef\xbb\xbfid,item\n1,a\n1,b\n2,a\n",
        b"\n  \nid,item\n\n1,a\n   \n1,b\n2,a\n\n",
        b'id , item\n1, a\n 1,"b" \n2,a\t\n',
        b'"id","item"\n"1","a"\n"1","b"\n"2","a"\n',
        b"id;item\n1;a\n1;b\n2;a\n",
        b"id|item\n1|a\n1|b\n2|a\n",
        b"id\titem\n1\ta\n1\tb\n2\ta\n",
    ],
)
def test_odd_but_legal_delimited_files_are_read_alike(content: bytes, tmp_path: Path) -> None:
    read = read_transactions(made(tmp_path, "a.csv", content), **LONG)

    assert held(read) == [({"a", "b"}, 1), ({"a"}, 1)]


def test_labels_with_separators_quotes_newlines_and_formulas_survive_a_round_trip(tmp_path: Path) -> None:
    labels = [
        "x,y",
        'say "hi"',
        "two\nlines",
        "cr\rhere",
        "=cmd|' /C calc'!A0",
        "\N{SNOWMAN}",
        "';--",
        "a  b",
        "{}",
        "%s",
    ]
    rows = [("id", "item"), *((number // 3, label) for number, label in enumerate(labels))]
    file = made(tmp_path, "a.csv", delimited(rows).encode())

    data = read_transactions(file, **LONG)
    assert data.origin is not None
    again = read_transactions(data.origin.write(tmp_path, Published(["x,y"])), **LONG)

    assert set(data.labels) == set(labels)
    assert held(again) == held(data.without(["x,y"]))


def test_column_names_with_quotes_blanks_and_letters_of_both_cases_are_columns(tmp_path: Path) -> None:
    names = ['the "id"', "Item; DROP TABLE given", "item", "ITEM", "\N{SNOWMAN}'s"]
    file = made(
        tmp_path,
        "a'b [1]*.csv",
        delimited([names, ["1", "a", "p", "q", "r"], ["1", "b", "p", "q", "r"]]).encode(),
    )

    data = read_transactions(file, id=names[0], item=names[1], publish_unjudged=names[2:])
    assert data.origin is not None
    with data.origin.write(tmp_path, Published(["a"])).open(newline="") as written:
        rows = list(csv.reader(written))

    assert rows == [names, ["1", "b", "p", "q", "r"]]


def test_a_name_that_is_a_pattern_reads_that_file_alone(tmp_path: Path) -> None:
    made(tmp_path, "axb.csv", b"id,item\n1,other\n")
    file = made(tmp_path, "a*b.csv", b"id,item\n1,mine\n")

    assert read_transactions(file, **LONG).labels == ("mine",)


def test_a_folder_name_with_an_equals_sign_adds_no_column(tmp_path: Path) -> None:
    folder = tmp_path / "year=2020"
    folder.mkdir()

    assert list(read_table(made(folder, "a.csv", b"x,y\n1,2\n")).columns) == ["x", "y"]


def test_huge_fields_are_read_whether_quoted_or_not(tmp_path: Path) -> None:
    huge = "x" * 3_000_000
    for number, field in enumerate((huge, f'"{huge}"', f'"{huge}\n"')):
        read = read_transactions(made(tmp_path, f"{number}.csv", f"id,item\n1,{field}\n".encode()), **LONG)
        assert [len(str(label)) >= 3_000_000 for label in read.labels] == [True]


def test_a_delimited_file_in_another_encoding_is_read(tmp_path: Path) -> None:
    file = made(tmp_path, "a.csv", "id,item\n1,k\xe4se\n".encode("cp1252"))

    assert read_transactions(file, encoding="cp1252", **LONG).labels == ("k\xe4se",)


def test_a_single_column_keeps_quoted_empty_values_and_skips_blank_lines(tmp_path: Path) -> None:
    assert len(read_table(made(tmp_path, "a.csv", b'x\na\n\n""\nb\n\n'))) == 3


@pytest.mark.parametrize("separator", ["", ",,", '"', "\n"])
def test_a_separator_is_one_character(separator: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="is not one character"):
        read_transactions(made(tmp_path, "a.csv", b"id,item\n1,a\n"), separator=separator, **LONG)


@pytest.mark.parametrize("value", ["2", "yes", "", "0.5", "-1"])
def test_quantities_and_words_are_no_one_hot_values(value: str, tmp_path: Path) -> None:
    file = made(tmp_path, "a.csv", f"bread,milk\n1,0\n0,{value}\n".encode())

    assert 'Column "milk" has 1 values other than 0, 1, true and false' in error_of(file)


# Parquet and JSON lines ------------------------------------------------------------------------------------------


def test_a_damaged_parquet_file_is_told_without_its_content(tmp_path: Path) -> None:
    message = error_of(made(tmp_path, "a.parquet", b"PAR1 secret value PAR1"), **LONG)

    assert "cannot be read as parquet" in message
    assert "secret" not in message


def test_parquet_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    columns = [pa.array([1]), pa.array(["x"])]
    parquet.write_table(pa.table(columns, names=["id", "id"]), tmp_path / "a.parquet")
    parquet.write_table(pa.table(columns, names=["id", "ID"]), tmp_path / "b.parquet")

    assert 'The column name "id" appears twice' in error_of(tmp_path / "a.parquet", **LONG)
    assert "differ in case only" in error_of(tmp_path / "b.parquet", **LONG)


def test_numbers_in_parquet_become_text(tmp_path: Path) -> None:
    import polars as pl

    pl.DataFrame({"id": [3, 3, 9], "item": [10, 9, 9]}).write_parquet(tmp_path / "a.parquet")

    assert read_transactions(tmp_path / "a.parquet", **LONG).labels == ("9", "10")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'["a"]\n{"b": 1}\n', "mixes lists and objects"),
        (b'["a"]\n["b"\n', "Line 2 of"),
        (b'["a"]\n7\n', "neither an object nor a list"),
        (b'["a"]\n[["b"]]\n', "holds a list or an object where one value is expected"),
        (b'["a", NaN]\n', "is not JSON"),
        (b"[" * 200_000, "is not JSON"),
        (b'{"id": 1, "id": 2}\n', 'The column name "id" appears twice in line 1'),
        (b'{"bread": 2, "milk": 1}\n', 'Column "bread" has values other than 0, 1, true and false'),
    ],
)
def test_broken_json_lines_get_one_clear_error(content: bytes, message: str, tmp_path: Path) -> None:
    assert message in error_of(made(tmp_path, "a.jsonl", content))


def test_json_numbers_and_truth_values_are_labels_as_written(tmp_path: Path) -> None:
    data = read_transactions(made(tmp_path, "a.jsonl", b'[7, 7.50, true, "7"]\n\n[1e5, "true"]\n'))
    assert data.origin is not None

    again = read_transactions(data.origin.write(tmp_path, Published()))

    assert data.labels == ("7", "1e5", "7.50", "true")
    assert held(again) == held(data)
