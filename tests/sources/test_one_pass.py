"""A text is hashed while it is read, its start can be looked at before, and a file that changes is noticed."""

import gzip
import hashlib
import os
from pathlib import Path

import pytest

from giveaway.errors import DataError
from giveaway.model.published import Published
from giveaway.sources import read_table, read_transactions
from giveaway.sources.files import stored
from giveaway.sources.files.stored import StoredFile, TextPass, passed_again
from giveaway.sources.formats.delimited import work as loading

TEXT = "one two\nthree \xe4\n" * 50


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StoredFile:
    monkeypatch.setattr(stored, "CHUNK", 64)
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    return StoredFile(tmp_path / "a.txt")


def test_the_start_can_be_looked_at_as_often_as_needed_before_the_text_is_read_once(file: StoredFile) -> None:
    text = TextPass(file)

    assert next(text.start()) == next(text.start()) == TEXT.encode()[:64]
    assert b"".join(text.start()) == TEXT.encode()
    assert b"".join(text.chunks()) == TEXT.encode()
    assert list(text.chunks()) == []


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_the_checksum_of_the_stored_bytes_is_known_at_the_end_and_not_before(
    ending: str, file: StoredFile
) -> None:
    given = file.path.with_name(f"a.txt{ending}")
    given.write_bytes(gzip.compress(TEXT.encode()) if ending else TEXT.encode())
    text = TextPass(StoredFile(given))
    list(text.start())

    with pytest.raises(RuntimeError, match="end"):
        _ = text.sha256
    list(text.chunks())
    assert text.sha256 == hashlib.sha256(given.read_bytes()).hexdigest()


def test_what_cannot_be_read_fails_however_often_it_was_looked_at(file: StoredFile) -> None:
    file.path.write_bytes(TEXT.encode() + b"\0")
    text = TextPass(file)

    for look in (text.start, text.start, text.chunks):
        with pytest.raises(DataError, match="control characters"):
            list(look())


@pytest.mark.parametrize("change", ["removed", "longer", "other letters", "no text"])
def test_a_text_that_is_read_again_must_be_the_same(change: str, file: StoredFile) -> None:
    sha256 = hashlib.sha256(file.path.read_bytes()).hexdigest()
    with passed_again(file, sha256) as text:
        assert b"".join(text.chunks()) == TEXT.encode()

    if change == "removed":
        file.path.unlink()
    else:
        changes = {"longer": TEXT + "x", "other letters": TEXT.replace("two", "owt"), "no text": TEXT + "\0"}
        file.path.write_text(changes[change], encoding="utf-8")
    with (
        pytest.raises(DataError, match="has changed since it was read"),
        passed_again(file, sha256) as text,
    ):
        list(text.chunks())


def written(file: Path, columns: dict[str, list[str]]) -> None:
    import polars as pl

    frame = pl.DataFrame(columns)
    if file.suffix == ".csv":
        frame.write_csv(file)
    elif file.suffix == ".jsonl":
        frame.write_ndjson(file)
    else:
        frame.write_parquet(file)


COLUMNS = {"id": ["1", "2", "3"], "age": ["30", "40", "50"], "note": ["x", "y", "z"]}
CHANGES = {
    "a value": {"age": ["30", "41", "50"]},
    "a value that nobody judges": {"note": ["x", "y", "zz"]},
    "the order": {name: [*values[1:], values[0]] for name, values in COLUMNS.items()},
    "a further row": {name: [*values, values[0]] for name, values in COLUMNS.items()},
    "the name of a column": {"age": [], "years": ["30", "40", "50"]},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.jsonl"])
def test_a_table_whose_file_has_changed_is_not_released(name: str, change: str, tmp_path: Path) -> None:
    written(tmp_path / name, COLUMNS)
    table = read_table(tmp_path / name, id="id", publish_unjudged=["note"])
    folder = tmp_path / "out"
    folder.mkdir()
    assert table.origin is not None

    written(tmp_path / name, {name: values for name, values in (COLUMNS | CHANGES[change]).items() if values})
    with pytest.raises(DataError, match="has changed since it was read"):
        table.origin.write(folder, Published())
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.jsonl"])
def test_a_file_that_was_only_touched_is_released(name: str, tmp_path: Path) -> None:
    written(tmp_path / name, COLUMNS)
    table = read_table(tmp_path / name, id="id", publish_unjudged=["note"])
    assert table.origin is not None

    os.utime(tmp_path / name, (1, 1))
    assert table.origin.write(tmp_path, Published()).exists()


def test_a_table_that_must_be_rewritten_is_compared_too(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(" id,age\n1,30\n2,40\n", encoding="utf-8")
    table = read_table(file, id="id")
    assert table.origin is not None
    assert table.origin.write(tmp_path, Published()).read_text() == "age\n30\n40\n"

    file.write_text(" id,age\n1,30\n2,41\n", encoding="utf-8")
    with pytest.raises(DataError, match="has changed since it was read"):
        table.origin.write(tmp_path, Published())


def test_a_file_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id,item\n1,a\n2,b\n", encoding="utf-8")
    load = loading._load_delimited

    def disturbed(*given: object) -> object:
        found = load(*given)
        file.write_text("id,item\n1,a\n2,b\n3,c\n", encoding="utf-8")
        return found

    monkeypatch.setattr(loading, "_load_delimited", disturbed)
    with pytest.raises(DataError, match="changed while it was read"):
        read_transactions(file, id="id", item="item")
