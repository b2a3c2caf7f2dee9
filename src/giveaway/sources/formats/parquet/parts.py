"""A large release in parts: a folder of Parquet files, read as one."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from giveaway.scratch import scratch_folder
from giveaway.sources.files.duckdb import engine, exact_path, literal


@contextmanager
def as_one(path: str | PathLike[str]) -> Iterator[str | PathLike[str]]:
    """Give a file as it is; for a folder of parts, one file with the rows of all of them in order, gone afterwards."""
    where = Path(path)
    parts = sorted(where.iterdir()) if where.is_dir() else []
    if not parts or any(part.suffix != ".parquet" for part in parts):
        yield path
        return
    with scratch_folder() as folder:
        whole = folder / f"{where.name}.parquet"
        with engine() as opened:
            stored = ", ".join(map(exact_path, parts))
            opened.run(
                f"COPY (SELECT * FROM read_parquet([{stored}])) TO {literal(str(whole))} (FORMAT parquet)"  # noqa: S608 # quoted
            )
        yield whole
