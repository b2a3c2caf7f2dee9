"""Releases written in another format than the data came in: the same rows, judged as they were written."""

import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import giveaway as ga
from giveaway.errors import CheckFailed
from giveaway.sources.formats import FORMATS

ROWS = [
    ("20", "f", "x, y"),
    ("20", "f", ""),
    ("30", "m", 'say "no"'),
    ("30", "m", "two\nlines"),
    ("40", "f", "7"),
]
KINDS = ("csv", "tsv", "parquet", "jsonl")
ASKED = ga.KnowsDirectory(columns=["age", "sex"]), ga.Tolerance(identity="1/2")


def table(folder: Path, kind: str) -> ga.Table:
    file = folder / f"people.{kind}"
    names = ("age", "sex", "note")
    if kind in ("csv", "tsv"):
        with file.open("w", newline="") as out:
            csv.writer(out, delimiter="\t" if kind == "tsv" else ",").writerows([names, *ROWS])
    elif kind == "jsonl":
        lines = [dict(zip(names, row, strict=True)) | {"age": int(row[0])} for row in ROWS]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    else:
        pl = pytest.importorskip("polars")
        pl.DataFrame(ROWS, schema=names, orient="row").with_columns(
            pl.col("age").cast(pl.Int64)
        ).write_parquet(file)
    return ga.read_table(file, sensitive="note")


def rows_of(file: Path) -> Counter[tuple[str | None, ...]]:
    return Counter(tuple(None if cell in (None, "") else str(cell) for cell in row) for row in _read(file))


def _read(file: Path) -> Iterator[Any]:
    if file.suffix == ".parquet":
        import duckdb

        yield from duckdb.sql(f"SELECT * FROM read_parquet('{file}')").fetchall()  # noqa: S608 # our own
    elif file.suffix == ".jsonl":
        yield from (json.loads(line).values() for line in file.read_text().splitlines())
    else:
        with file.open(newline="") as found:
            lines = csv.reader(found, delimiter="\t" if file.suffix == ".tsv" else ",")
            next(lines)
            yield from lines


@pytest.mark.parametrize("given", KINDS)
@pytest.mark.parametrize("format", KINDS)
def test_a_table_is_written_in_every_format_and_judged_there(tmp_path: Path, given: str, format: str) -> None:
    made = ga.protect(ga.Release(table(tmp_path, given)), *ASKED)

    written = made.publish(tmp_path / "out", format=format).written

    assert [part.file for part in written] == [f"release.{format}"]
    own = made.publish(tmp_path / "own").written
    assert rows_of(tmp_path / "out" / written[0].file) == rows_of(tmp_path / "own" / own[0].file)
    assert sum(rows_of(tmp_path / "out" / written[0].file).values()) == len(ROWS)


LONG = {"id": "transaction", "item": "item"}
BASKETS = [["a", "b"], ["a", "b"], [], ["a"], ["c"], ["a", "b"]]


@pytest.mark.parametrize("given", ["dat", "dat.gz", "jsonl"])
@pytest.mark.parametrize("format", ["csv", "tsv", "parquet", "jsonl", "dat"])
@pytest.mark.parametrize("renamed", [True, False])
def test_baskets_are_written_in_every_format(tmp_path: Path, given: str, format: str, renamed: bool) -> None:
    file = tmp_path / f"shop.{given}"
    lines = [json.dumps(row) if given == "jsonl" else " ".join(row) for row in BASKETS]
    file.write_bytes((gzip.compress if given.endswith("gz") else bytes)(("\n".join(lines) + "\n").encode()))
    release = ga.Release(ga.read_transactions(file), renamed=renamed)
    made = ga.protect(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/2"))

    written = made.publish(tmp_path / "out", format=format).written

    name = f"release.{format}{'.gz' if given == f'{format}.gz' else ''}"
    assert [part.file for part in written] == [name]
    again = ga.read_transactions(
        tmp_path / "out" / name,
        **{"csv": LONG, "tsv": LONG, "parquet": {"item": "items"}}.get(format, {}),
    )
    assert len(again) == len(BASKETS)
    assert sorted(again.supports.tolist()) == [3, 4]


def test_what_was_written_in_another_format_is_what_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = FORMATS["jsonl"]
    work = row.work()
    assert work.write is not None
    honest = work.write
    shorter = replace(
        work, write=lambda target, names, rows, layout: honest(target, names, [*rows][1:], layout)
    )
    monkeypatch.setitem(FORMATS, "jsonl", replace(row, work=lambda: shorter))
    made = ga.protect(ga.Release(table(tmp_path, "csv")), *ASKED)

    with pytest.raises(CheckFailed):
        made.publish(tmp_path / "out", format="jsonl")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("format", "says"),
    [
        ("xlsx", "format = 'xlsx' is unknown.*csv, tsv, parquet, jsonl, dat"),
        ("dat", "are not written as dat.*csv"),
    ],
)
def test_formats_that_do_not_fit_are_refused(tmp_path: Path, format: str, says: str) -> None:
    made = ga.protect(ga.Release(table(tmp_path, "csv")), *ASKED)

    with pytest.raises(ga.ScenarioError, match=says):
        made.publish(tmp_path / "out", format=format)
    with pytest.raises(ga.ScenarioError, match="format is of files"):
        made.publish(tmp_path / "out", format="csv", to="duckdb:x.duckdb", table="t")
    assert not (tmp_path / "out").exists()


def test_an_item_with_a_blank_is_no_word(tmp_path: Path) -> None:
    release = ga.Release(ga.Transactions.from_lists([["oat milk"], ["oat milk"]]))
    made = ga.protect(release, ga.KnowsItems(at_most=1), ga.Tolerance(identity="1/2"))

    with pytest.raises(ga.ScenarioError, match="has a blank in it"):
        made.publish(tmp_path / "out", format="dat")


def test_frames_too(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"age": [1, 1, 2, 2], "pay": [1.5, 2.0, 1.5, 1e20]})
    made = ga.protect(
        ga.Release(ga.Table.from_frame(frame, sensitive="pay")), ga.KnowsDirectory(columns=["age"]), ASKED[1]
    )

    for form in KINDS:
        assert made.publish(tmp_path / form, format=form).written[0].file == f"release.{form}"
