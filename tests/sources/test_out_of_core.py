"""Files larger than the memory allowed are counted and written by putting aside what does not fit."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sizes import first, long, sized

from giveaway.errors import DataError
from giveaway.model.data.labels import in_order
from giveaway.model.data.table import Table
from giveaway.model.data.texts import Texts
from giveaway.model.progress import limited, watched
from giveaway.model.published import Published
from giveaway.model.release.cells import Cells
from giveaway.sources import read_table, read_transactions
from giveaway.sources.files import duckdb as module
from giveaway.sources.files.duckdb import engine
from giveaway.sources.files.stored import StoredFile

ROWS = 100_000
LITTLE = 64 << 20
SHOWN = ("town", "age", "illness")
TABLE = f"""
    SELECT 'person ' || n AS person, repeat(md5((n % {ROWS // 2})::VARCHAR), 10) AS town, hash(n % 97) % 7 AS age,
    CASE WHEN n % 11 = 0 THEN '' ELSE chr(97 + (n % 5)::INTEGER) END AS illness FROM range({ROWS}) AS rows(n)
"""  # noqa: S608 # our own
BASKETS = f"""
    SELECT repeat(md5((n % {ROWS // 2})::VARCHAR), 10) AS basket,
    CASE WHEN n % 13 = 0 THEN '' ELSE 'product ' || hash(n) % 40 END AS product FROM range({ROWS}) AS rows(n)
"""  # noqa: S608 # our own


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    with duckdb.connect() as connection:
        for name, query in (("table", TABLE), ("baskets", BASKETS)):
            connection.execute(
                f"COPY ({query}) TO '{folder}/{name}.parquet' (FORMAT parquet, ROW_GROUP_SIZE 20480)"
            )
            connection.execute(f"COPY (FROM '{folder}/{name}.parquet') TO '{folder}/{name}.csv'")
    return folder


@contextmanager
def little_memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Allow little memory, and note how many bytes the engine put aside after each step."""
    aside = [0]
    watch = module.DuckDBEngine._watched

    def watching(self: module.DuckDBEngine, *given: Any) -> Any:
        found = watch(self, *given)
        aside.append(sum(path.stat().st_size for path in self.folder.rglob("*.tmp")))
        return found

    monkeypatch.setattr(module.DuckDBEngine, "_watched", watching)
    with limited(memory=LITTLE):
        yield aside


def plain(table: Table) -> tuple[Any, ...]:
    columns = {name: codes.tolist() for name, codes in table.columns.items()}
    return columns, table.labels, table.weights.tolist(), table.record_of.tolist(), tuple(table.ids)


@pytest.mark.parametrize("ending", first(1, ["csv", "parquet"]))
def test_a_table_is_the_same_with_little_memory(
    files: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    how = {"sensitive": "illness", "id": "person"}
    whole = read_table(files / f"table.{ending}", **how)
    with little_memory(monkeypatch) as aside:
        small = read_table(files / f"table.{ending}", **how)

    assert max(aside) > 1 << 20
    assert plain(small) == plain(whole)
    assert (len(small), len(small.weights)) == (ROWS, int(small.record_of.max()) + 1)
    assert isinstance(small.ids, Texts)
    assert small.record_of.dtype == np.int32


@pytest.mark.parametrize("ending", first(1, ["csv", "parquet"]))
def test_long_transactions_are_the_same_with_little_memory(
    files: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    how = {"id": "basket", "item": "product"}
    whole = read_transactions(files / f"baskets.{ending}", **how)
    with little_memory(monkeypatch) as aside:
        small = read_transactions(files / f"baskets.{ending}", **how)

    assert max(aside) > 1 << 20 or ending == "parquet"  # of which only the counts are held, and they fit
    assert len(whole) == ROWS // 2
    assert small.labels == whole.labels
    for name in ("offsets", "codes", "weights"):
        assert np.array_equal(getattr(small, name), getattr(whole, name)), name


@pytest.mark.parametrize("ending", first(1, ["csv", "parquet"]))
def test_the_release_of_a_table_is_the_same_with_little_memory(
    files: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ending: str
) -> None:
    name = f"table.{ending}"
    table = read_table(files / name, sensitive="illness", id="person")
    hidden = Cells.at({"illness": np.arange(0, ROWS, 7), "town": np.array([ROWS - 1])})
    (tmp_path / "whole").mkdir()
    assert table.origin is not None
    whole = table.origin.write(tmp_path / "whole", Published(cells=hidden))
    with little_memory(monkeypatch):
        small = table.origin.write(tmp_path, Published(cells=hidden))

    assert [cells_of(small, name) for name in SHOWN] == [cells_of(whole, name) for name in SHOWN]
    illnesses = enumerate(cells_of(files / name, "illness"))
    assert cells_of(small, "illness") == [None if row % 7 == 0 else illness for row, illness in illnesses]
    assert cells_of(small, "town") == [*cells_of(files / name, "town")[:-1], None]


def cells_of(file: Path, column: str) -> list[str | None]:
    found = duckdb.sql(f"SELECT nullif(CAST({column} AS VARCHAR), '') FROM '{file}'").fetchall()  # noqa: S608 # our own
    return [value for (value,) in found]


@long
def test_a_shuffled_release_has_the_same_rows_in_another_order(files: Path, tmp_path: Path) -> None:
    table = read_table(files / "table.parquet", sensitive="illness", id="person")
    hidden = Cells.at({"illness": np.arange(0, ROWS, 7)})
    (tmp_path / "kept").mkdir()
    assert table.origin is not None
    kept = table.origin.write(tmp_path / "kept", Published(cells=hidden))
    mixed = table.origin.write(tmp_path, Published(cells=hidden, order=np.arange(ROWS)[::-1]))

    before, after = (
        list(zip(cells_of(f, "town"), cells_of(f, "illness"), strict=True)) for f in (kept, mixed)
    )
    assert before[::-1] == after


def test_the_release_of_long_transactions_is_the_same_with_little_memory(
    files: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    baskets = read_transactions(files / "baskets.csv", id="basket", item="product")
    (tmp_path / "whole").mkdir()
    assert baskets.origin is not None
    whole = baskets.origin.write(tmp_path / "whole", Published(["product 7"]))
    with little_memory(monkeypatch) as aside:
        small = baskets.origin.write(tmp_path, Published(["product 7"]))

    assert max(aside) > 1 << 20
    assert small.read_bytes() == whole.read_bytes()
    with small.open(newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    assert {number for number, _ in rows} == {str(number) for number in range(1, len(baskets) + 1)}
    assert len({tuple(row) for row in rows}) == len(rows)
    assert {product for _, product in rows} == {*baskets.labels, ""} - {"product 7"}


def test_a_full_disk_is_one_clear_error(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(module._SETTINGS, "max_temp_directory_size", "1MB")
    with little_memory(monkeypatch), pytest.raises(DataError, match="disk became full") as caught:
        read_table(files / "table.csv", id="person")

    assert "person " not in str(caught.value)


def test_too_little_memory_is_one_clear_error(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LEAST_MEMORY", 1 << 20)
    with limited(memory=1), pytest.raises(DataError, match="needs more memory than allowed"):
        read_table(files / "table.parquet", id="person")


@pytest.mark.parametrize("ending", first(1, ["csv", "parquet"]))
def test_progress_counts_the_rows(files: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", 1 << 14)
    told: list[tuple[int, int | None]] = []
    with watched(lambda _, done, total: told.append((done, total))):
        read_table(files / f"table.{ending}", id="person")

    assert (ROWS, ROWS) in told
    assert len({done for done, total in told if total == ROWS}) > 3


@long
def test_parts_are_the_same_without_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer() -> tuple[list[int], list[str]]:
        with engine() as opened:
            parts = list(opened.parts("SELECT n, 'zoë ' || n AS text FROM range(300000) AS rows(n)", 300_000))
        assert len(parts) > 1
        return [number for part in parts for number in part[0].tolist()], [*Texts.joined(p[1] for p in parts)]

    with_arrow = answer()
    monkeypatch.setattr(module, "find_spec", lambda _: None)

    assert answer() == with_arrow
    assert with_arrow[1][299_999] == "zoë 299999"


texts = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8"), max_size=3),
    st.from_regex(r"-?0{0,2}[0-9]{0,3}", fullmatch=True),
    st.sampled_from(
        ["9" * 40, "-" + "9" * 40, "1" + "0" * 40, "7" * 4000, "7" * 4001, "٣", "1\n", "--1", "+1"]
    ),
)


@sized(25)
@given(labels=st.lists(texts, max_size=40))
def test_the_engine_sorts_labels_as_everybody_does(labels: list[str]) -> None:
    with engine() as opened:
        opened.put("given", {"label": labels})

        assert opened.labels("found", "label", "given") == in_order(labels)
        assert opened.run("SELECT label FROM found ORDER BY code") == [(label,) for label in in_order(labels)]


@settings(max_examples=25)
@given(words=st.lists(st.text(alphabet=st.sampled_from(" \t\x01\n!aé\u00a0"), max_size=5), max_size=40))
def test_the_engine_trims_blanks_and_nothing_else(words: list[str]) -> None:
    with engine() as opened:
        opened.put("given", {"label": [*words, None], "code": np.arange(len(words) + 1)})
        found = opened.run(f"SELECT {module.trimmed('label')} FROM given ORDER BY code")  # noqa: S608 # our own

    assert found == [*((word.strip(" \t"),) for word in words), (None,)]


def test_a_parquet_file_may_have_a_column_named_like_the_number_of_a_row(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    duckdb.sql(f"COPY (SELECT 'x' || n AS file_row_number, n % 2 AS b FROM range(9) AS rows(n)) TO '{file}'")  # noqa: S608 # our own

    table = read_table(file, id="file_row_number")

    assert table.ids == tuple(f"x{n}" for n in range(9))
    assert table.record_of.tolist() == [0, 1] * 4 + [0]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (duckdb.IOException("IO Error: Could not write file: No space left on device"), "disk became full"),
        (duckdb.IOException("IO Error: something else"), "cannot be read"),
    ],
)
def test_errors_of_the_disk_are_told_apart(error: Exception, told: str) -> None:
    with pytest.raises(DataError, match=told), module.told_as_data_errors(StoredFile(Path("a.csv"))):
        raise error


@pytest.mark.parametrize("size", [1, 2, 1000])
def test_what_is_put_into_the_engine_is_what_comes_back(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", size)
    texts = ["a", None, "", "null", " 1.50 ", 'say "no"', "two\nlines\r\t", "a\x00b", "\N{SNOWMAN}\\", "\x7f"]
    numbers, flags = np.arange(len(texts)) - 3, np.arange(len(texts)) % 3 == 0
    with engine() as asked:
        asked.put("put", {"t": texts, "o": np.array(texts, object), "n": numbers, "b": flags})
        asked.put("empty", {"t": []})

        assert asked.run("SELECT * FROM put") == list(
            zip(texts, texts, numbers.tolist(), flags.tolist(), strict=True)
        )
        assert asked.run("SELECT * FROM empty") == []
