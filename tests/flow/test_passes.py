"""A file is read at most three times in full from the question to the published release."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.flow.passes import Passes, watched
from tests.sizes import first

import giveaway as ga
from giveaway.model.published import Published
from giveaway.publish import write_release
from giveaway.sources.files import stored

MOST = 3
SLACK = 0.1
"""The start of a file may be looked at before it is read."""
ITEMS = [f"item{number}" for number in range(12)]
Rows = list[list[str]]


def rows(count: int = 6000) -> Rows:
    draw = Random(5)  # noqa: S311 # draws that repeat
    return [draw.sample(ITEMS[:10], draw.randint(1, 4)) for _ in range(count)] + [["item10", "item11"]]


def long_records(given: Rows) -> list[dict[str, Any]]:
    return [
        {"basket": f"b{place}", "product": item, "price": place % 7}
        for place, row in enumerate(given)
        for item in row
    ]


def flat_records(given: Rows) -> list[dict[str, Any]]:
    return [
        {"day": place % 9} | {item: int(item in row) for item in ITEMS} for place, row in enumerate(given)
    ]


def table_records(given: Rows) -> list[dict[str, Any]]:
    return [
        {"person": f"p{place}", "first": row[0], "last": row[-1], "note": f"n{place % 11}"}
        for place, row in enumerate(given)
    ]


def as_csv(file: Path, records: list[dict[str, Any]]) -> None:
    lines = [records[0].keys(), *(record.values() for record in records)]
    file.write_text("".join(",".join(map(str, line)) + "\n" for line in lines), encoding="utf-8")


def as_odd_csv(file: Path, records: list[dict[str, Any]]) -> None:
    """Blanks before the header are nothing that the engine reads as it stands."""
    as_csv(file, records)
    file.write_text(" " + file.read_text(encoding="utf-8"), encoding="utf-8")


def as_latin_csv(file: Path, records: list[dict[str, Any]]) -> None:
    as_csv(file, records)
    file.write_bytes(file.read_bytes().replace(b"item", "\xeftem".encode("latin-1")))


def as_jsonl(file: Path, records: list[Any]) -> None:
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def as_parquet(file: Path, records: list[dict[str, Any]]) -> None:
    import polars as pl

    pl.DataFrame(records).write_parquet(file)


def as_baskets(file: Path, given: Rows) -> None:
    file.write_text("".join(" ".join(row) + "\n" for row in given), encoding="utf-8")


LONG: dict[str, Any] = {"id": "basket", "item": "product", "publish_unjudged": ["price"]}
FLAT: dict[str, Any] = {"publish_unjudged": ["day"]}
LISTS: dict[str, Any] = {"item": "held", "leave_out": ["day"]}


def list_records(given: Rows) -> list[dict[str, Any]]:
    return [{"day": place % 9, "held": row} for place, row in enumerate(given)]


TRANSACTIONS: dict[str, tuple[str, Callable[[Path, Any], None], Callable[[Rows], Any], dict[str, Any]]] = {
    "baskets": ("a.dat", as_baskets, list, {}),
    "long csv": ("a.csv", as_csv, long_records, LONG),
    "odd csv": ("a.csv", as_odd_csv, long_records, LONG),
    "latin csv": ("a.csv", as_latin_csv, long_records, LONG | {"encoding": "latin-1"}),
    "one-hot csv": ("a.csv", as_csv, flat_records, FLAT),
    "long parquet": ("a.parquet", as_parquet, long_records, LONG),
    "one-hot parquet": ("a.parquet", as_parquet, flat_records, FLAT),
    "lists in parquet": ("a.parquet", as_parquet, list_records, LISTS),
    "long jsonl": ("a.jsonl", as_jsonl, long_records, LONG),
    "one-hot jsonl": ("a.jsonl", as_jsonl, flat_records, FLAT),
    "lists in jsonl": ("a.jsonl", as_jsonl, list_records, LISTS),
    "bare lists in jsonl": ("a.jsonl", as_jsonl, list, {}),
}
TABLES: dict[str, tuple[str, Callable[[Path, Any], None]]] = {
    "csv": ("a.csv", as_csv),
    "odd csv": ("a.csv", as_odd_csv),
    "parquet": ("a.parquet", as_parquet),
    "jsonl": ("a.jsonl", as_jsonl),
}


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the start of a file be a small part of it, as it is of large ones."""
    monkeypatch.setattr(stored, "CHUNK", 1 << 11)


def told(passes: Passes) -> str:
    return f"{passes.full:.2f} passes: {passes.scans} scans, {passes.read} bytes in {passes.opened} looks"


@pytest.mark.parametrize("order", first(1, ["shuffled", "kept"]))
@pytest.mark.parametrize("form", TRANSACTIONS)
def test_protecting_and_publishing_transactions_read_their_file_three_times(
    form: str, order: str, tmp_path: Path
) -> None:
    name, write, shaped, how = TRANSACTIONS[form]
    file = tmp_path / name
    write(file, shaped(rows()))

    with watched(file) as passes:
        release = ga.Release(ga.read_transactions(file, **how), order=order)
        found = ga.protect(
            release, ga.KnowsItems(at_most=1, knows_method=order == "shuffled"), ga.Tolerance(identity="1/5")
        )
        found.publish(tmp_path / "out")

    assert found.withheld.items
    assert passes.full <= MOST + SLACK, told(passes)


@pytest.mark.parametrize("order", first(1, ["shuffled", "kept"]))
@pytest.mark.parametrize("form", TABLES)
def test_reading_and_writing_a_table_read_its_file_three_times(form: str, order: str, tmp_path: Path) -> None:
    name, write = TABLES[form]
    file, folder = tmp_path / name, tmp_path / "out"
    write(file, table_records(rows()))
    folder.mkdir()

    with watched(file) as passes:
        table = ga.read_table(file, id="person", sensitive="last", publish_unjudged=["note"])
        release = ga.Release(table, order=order, secrets=table.cells([("p1", "last")]))
        write_release(release, folder)

    assert passes.full <= MOST + SLACK, told(passes)


def test_the_layout_of_a_file_is_looked_at_once(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    as_csv(file, table_records(rows()))

    with watched(file) as passes:
        table = ga.read_table(file, id="person")
        assert table.origin is not None
        table.origin.write(tmp_path, Published())

    assert passes.opened <= 2, told(passes)  # whether it is there, and the one pass that checks and hashes it
