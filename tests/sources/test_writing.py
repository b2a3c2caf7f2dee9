"""What stands in a written release, letter by letter."""

import gzip
import json
from pathlib import Path

import pytest

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.transactions import Transactions
from giveaway.model.published import Published
from giveaway.sources import read_table, read_transactions


def released(file: Path, gone: list[str], **how: object) -> Path:
    data = read_transactions(file, **how)
    assert data.origin is not None
    folder = file.parent / "out"
    folder.mkdir(exist_ok=True)
    return data.origin.write(folder, Published(gone))


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_baskets_keep_the_order_of_items_and_emptied_lines(tmp_path: Path) -> None:
    file = written(tmp_path, "a.txt", "z a  z\tb \n\nb\n a\n")

    made = released(file, ["b"])

    assert made.name == "release.dat"
    assert made.read_text() == "z a\n\n\na\n"


def test_zipped_baskets_are_zipped_again_without_a_name_or_time_inside(tmp_path: Path) -> None:
    file = tmp_path / "a.dat.gz"
    file.write_bytes(gzip.compress(b"a b\n"))

    made = released(file, ["b"])

    assert made.name == "release.dat.gz"
    assert gzip.decompress(made.read_bytes()) == b"a\n"
    assert made.read_bytes()[3:8] == bytes(5)


def test_a_long_table_numbers_its_transactions_and_keeps_one_bare_row_of_an_emptied_one(
    tmp_path: Path,
) -> None:
    file = written(
        tmp_path, "a.csv", "who,what,price\nann,tea,1\nbob,tea,2\nann,gin,3\ncay,gin,4\ncay,gin,5\ndan,,6\n"
    )

    made = released(file, ["gin"], id="who", item="what", publish_unjudged=["price"])

    assert made.read_text() == "who,what,price\n1,tea,1\n2,tea,2\n3,,\n4,,\n"


def test_repeated_rows_of_a_long_table_stand_once(tmp_path: Path) -> None:
    file = written(tmp_path, "a.tsv", "who\twhat\nann\ttea\nann\ttea\nann\t\nbob\ttea\n")

    made = released(file, [], id="who", item="what")

    assert made.name == "release.tsv"
    assert made.read_text() == "who\twhat\n1\ttea\n2\ttea\n"


def test_long_json_lines_are_numbered_likewise(tmp_path: Path) -> None:
    lines = [
        {"who": "ann", "what": "tea", "n": 1.50},
        {"who": "bob", "what": "gin", "n": [2]},
        {"who": "ann", "what": None, "n": 3},
    ]
    file = written(tmp_path, "a.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    made = released(file, ["gin"], id="who", item="what", publish_unjudged=["n"])

    assert [json.loads(line) for line in made.read_text().splitlines()] == [
        {"who": 1, "what": "tea", "n": 1.5},
        {"who": 2, "what": None, "n": None},
        {"who": 1, "what": None, "n": 3},
    ]


def test_one_hot_columns_of_withheld_items_are_gone_and_rows_of_zeros_stay(tmp_path: Path) -> None:
    file = written(
        tmp_path, "a.csv", "day|tea|gin|rum|name\nmon|1|0|0|ann\ntue|0|true|0|bob\nwed|0|0|0|cay\n"
    )

    made = released(file, ["gin"], publish_unjudged=["day"], leave_out=["name"])

    assert made.read_text() == "day|tea|rum\nmon|1|0\ntue|0|0\nwed|0|0\n"


def test_one_hot_columns_without_names_get_names_in_the_release(tmp_path: Path) -> None:
    file = written(tmp_path, "a.csv", "1,0,1\n0,1,1\n")

    data = read_transactions(file, header=False)
    assert data.origin is not None

    assert data.labels == ("c1", "c2", "c3")
    assert data.origin.write(tmp_path, Published(["c2"])).read_text() == "c1,c3\n1,1\n0,1\n"
    assert data.origin.layout.header


def test_a_long_table_without_header_stays_without(tmp_path: Path) -> None:
    file = written(tmp_path, "a.csv", "ann;tea\nbob;gin\n")

    assert released(file, ["gin"], header=False, id="c1", item="c2").read_text() == "1;tea\n2;\n"


def test_lists_in_parquet_lose_withheld_missing_and_repeated_items_only(tmp_path: Path) -> None:
    import polars as pl

    frame = pl.DataFrame({"day": [1, 2, 3], "items": [["b", "a", "b", None, ""], None, ["c"]]})
    frame.write_parquet(tmp_path / "a.parquet")

    made = released(tmp_path / "a.parquet", ["c"], item="items", publish_unjudged=["day"])

    assert pl.read_parquet(made).to_dict(as_series=False) == {"day": [1, 2, 3], "items": [["b", "a"], [], []]}


def test_whole_numbers_in_parquet_stay_numbers(tmp_path: Path) -> None:
    import polars as pl

    pl.DataFrame({"id": [5, 5, 9], "item": [3, 4, 4], "x": [0.5, None, 2.0]}).write_parquet(
        tmp_path / "a.parquet"
    )

    made = released(tmp_path / "a.parquet", ["3"], id="id", item="item", publish_unjudged=["x"])

    frame = pl.read_parquet(made)
    assert frame.schema["item"] == pl.Int64
    assert frame.rows() == [(1, 4, None), (2, 4, 2.0)]


def test_a_table_is_written_without_its_identifier_and_what_is_left_out(tmp_path: Path) -> None:
    file = written(tmp_path, "a.csv", 'id,name,age,job\n7,ann,30,"a,b"\n8,bob,,"say ""x"""\n')

    data = read_table(file, id="id", leave_out=["name"])
    assert data.origin is not None

    assert data.origin.write(tmp_path, Published()).read_text() == 'age,job\n30,"a,b"\n,"say ""x"""\n'


@pytest.mark.parametrize(
    ("name", "text"), [("a.dat", "a\n"), ("a.csv", "a,b\n1,0\n"), ("a.jsonl", '["a"]\n')]
)
def test_a_file_that_changed_since_it_was_read_is_not_released(name: str, text: str, tmp_path: Path) -> None:
    data = read_transactions(written(tmp_path, name, text))
    assert data.origin is not None
    written(tmp_path, name, text + text)
    folder = tmp_path / "out"
    folder.mkdir()

    with pytest.raises(DataError, match="has changed since it was read"):
        data.origin.write(folder, Published())
    assert list(folder.iterdir()) == []


def test_the_checksum_is_that_of_the_stored_bytes(tmp_path: Path) -> None:
    import hashlib

    file = tmp_path / "a.dat.gz"
    file.write_bytes(gzip.compress(b"a\n"))
    origin = read_transactions(file).origin

    assert origin is not None
    assert origin.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


def test_files_have_no_form_in_memory(tmp_path: Path) -> None:
    origin = read_transactions(written(tmp_path, "a.dat", "a\n")).origin

    assert origin is not None
    with pytest.raises(ScenarioError, match="not from a frame"):
        origin.native(Published())


def test_lists_come_back_with_the_same_labels_and_containers() -> None:
    rows = [["b", 1, "b"], {"a"}, (), frozenset({2.5})]
    data = Transactions.from_lists(rows)
    assert data.origin is not None
    rows[0].append("later")

    assert data.origin.native(Published([1])) == [["b", "b"], {"a"}, (), frozenset({2.5})]


def test_lists_of_words_are_written_as_baskets_and_others_as_json(tmp_path: Path) -> None:
    words = Transactions.from_lists([["a", 7], []]).origin
    others = Transactions.from_lists([["two words", 7, 1.5, ("t", 1)], []]).origin
    twins = Transactions.from_lists([["7", 7]]).origin

    assert words is not None
    assert others is not None
    assert twins is not None
    assert words.write(tmp_path, Published()).read_text() == "a 7\n\n"
    assert others.write(tmp_path, Published()).read_text() == '["two words", 7, 1.5, "(\'t\', 1)"]\n[]\n'
    assert twins.layout.format == "jsonl"


def test_a_row_that_is_one_text_is_refused() -> None:
    with pytest.raises(DataError, match="Transaction 2 is str, not a list of labels"):
        Transactions.from_lists([["a"], "bread"])


def test_a_label_that_cannot_be_one_is_refused() -> None:
    with pytest.raises(DataError, match="A label"):
        Transactions.from_lists([[None]])
    with pytest.raises(DataError, match="A label"):
        Transactions.from_lists([[["nested"]]])
