"""The data of the benchmarks: a generated table of people, with as many rows as asked and at most a million kinds."""

from pathlib import Path

import duckdb

ID = "person"
SENSITIVE = "disease"
CONDITIONS = ("age", "sex", "zip", "job", "education", "marital_status", "race")
MOST_KINDS = 1_000_000
_SAMPLE = 50_000


def write(path: Path, rows: int, *, closely: bool = True) -> Path:
    """Write a table as Parquet or CSV; Parquet may be stored without packing, so that the file is large."""
    with duckdb.connect(config={"threads": "2"}) as connection:
        connection.execute(f"COPY ({_people(rows)}) TO '{path}' ({_stored(path, closely=closely)})")
    return path


def write_large(path: Path, size: int) -> int:
    """Write a table that takes that many bytes, and return its rows."""
    small = write(path.with_name(f"sample{path.suffix}"), _SAMPLE, closely=False)
    rows = -(-size * _SAMPLE // small.stat().st_size)
    small.unlink()
    write(path, rows, closely=False)
    return rows


def _stored(path: Path, *, closely: bool) -> str:
    if path.suffix == ".csv":
        return "FORMAT csv, HEADER"
    return "FORMAT parquet" + ("" if closely else ", COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 1")


def _people(rows: int) -> str:
    """Return SQL that draws each person's kind, and from it the values; half of the kinds have the disease of their job."""
    kinds = min(max(rows // 10, 1), MOST_KINDS)
    drawn = enumerate(zip(CONDITIONS, (60, 2, 50, 15, 8, 5, 5), strict=True))
    cells = ", ".join(
        f"'{name[:3]} ' || hash(kind * 16 + {place}) % {values} AS {name}" for place, (name, values) in drawn
    )
    disease = "CASE WHEN hash(kind * 16 + 9) % 2 = 0 THEN hash(kind * 16 + 3) % 15 % 12 ELSE hash(kind * 16 + 8) % 12 END"
    rows_and_kinds = f"SELECT row, (hash(row) % {kinds})::BIGINT AS kind FROM range({rows}) AS rows(row)"  # noqa: S608 # numbers
    names = f"'p' || lpad(row::VARCHAR, 9, '0') AS {ID}"
    return f"SELECT {names}, {cells}, 'disease ' || {disease} AS {SENSITIVE} FROM ({rows_and_kinds})"  # noqa: S608 # our own
