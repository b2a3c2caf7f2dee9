"""Files are read alike wherever their chunks and blocks end."""

from pathlib import Path

import pytest
from tests.sources.forms import FORMS, held

from giveaway.model.published import Published
from giveaway.sources import read_table, read_transactions
from giveaway.sources.encoding import coded
from giveaway.sources.files import stored, write_records

TEXT = 'id,item\r\n1,"b,\r\nx"\r\n1,\xe4\r\n\r\n2,"q""r"\r\n2,\N{SNOWMAN}\r\n3,\r\n1,\xe4\r\n'
ROWS = [["\xe4", "\N{SNOWMAN}x", "long-label"], [], ["\xe4"], ["b", "a", "\xe4"], [], ["\xe4"]]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64])
def test_chunks_of_any_size_give_the_same_rows(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_bytes(TEXT.encode())
    names = ("baskets", "zipped baskets", "list jsonl", "long jsonl", "lists", "long polars", "list pandas")
    expected = held(read_transactions(tmp_path / "a.csv", id="id", item="item"))

    monkeypatch.setattr(stored, "CHUNK", size)
    monkeypatch.setattr(coded, "BLOCK", size)
    monkeypatch.setattr(write_records, "BLOCK", size)

    assert held(read_transactions(tmp_path / "a.csv", id="id", item="item")) == expected
    for name in names:
        data = FORMS[name](tmp_path, ROWS)
        assert held(data) == [
            (frozenset(ROWS[0]), 1),
            (frozenset(), 2),
            ({"\xe4"}, 2),
            ({"a", "b", "\xe4"}, 1),
        ], name
    baskets = FORMS["baskets"](tmp_path, ROWS)
    assert baskets.origin is not None
    assert baskets.origin.write(tmp_path, Published(["b"])).read_text("utf-8").splitlines() == [
        " ".join(item for item in row if item != "b") for row in ROWS
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize(
    ("text", "rows"),
    [("x,y\n1,2\n\n3,4", 2), ("x,y\r\n1,2\r\n3,4\r\n", 2), ('x,y\n"a\nb",2\n3,""\n', 2), ("x\n\n1\n", 1)],
)
def test_rows_of_a_table_are_counted_alike(
    size: int, text: str, rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode())
    monkeypatch.setattr(stored, "CHUNK", size)

    assert len(read_table(tmp_path / "a.csv")) == rows
