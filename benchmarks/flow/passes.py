"""Count how often a file is read: by Python, byte by byte, and by DuckDB, scan by scan."""

import builtins
import glob
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

import duckdb

_SCAN = re.compile(r'"name": "(READ_CSV|READ_PARQUET|PARQUET_SCAN)')
_ANSWERED_BY_METADATA = "select count(*) from given"
_EXPLAINED = ("select", "create table", "copy", "insert")


@dataclass
class Passes:
    """What was read of one file while it was watched."""

    path: Path
    read: int = 0
    """Bytes that Python read."""
    opened: int = 0
    """How often Python opened it, for the whole of it or for its start."""
    scans: int = 0
    """Scans of the whole file that DuckDB's plans hold."""

    @property
    def full(self) -> float:
        """How often the file was read in full, parts counted as parts."""
        return self.scans + self.read / max(self.path.stat().st_size, 1)


@contextmanager
def watched(path: Path) -> Iterator[Passes]:
    """Count the reads of a file that happen inside."""
    passes = Passes(path.resolve())
    open_file, connect = builtins.open, duckdb.connect

    def opening(file: Any, mode: str = "r", buffering: int = -1, *rest: Any, **how: Any) -> Any:
        if mode != "rb" or not isinstance(file, str | Path) or Path(file).resolve() != passes.path:
            return open_file(file, mode, buffering, *rest, **how)
        passes.opened += 1
        counting = _Counting(file, passes)
        return io.BufferedReader(counting) if buffering else counting

    def connecting(*given: Any, **how: Any) -> Any:
        return _Connection(connect(*given, **how), passes)

    with ExitStack() as stack:
        for target, name, stand_in in (
            (builtins, "open", opening),
            (io, "open", opening),
            (duckdb, "connect", connecting),
        ):
            stack.enter_context(patch.object(target, name, stand_in))
        yield passes


class _Counting(io.FileIO):
    """A file whose bytes are counted as they are read."""

    def __init__(self, file: str | Path, passes: Passes) -> None:
        super().__init__(file)
        self._passes = passes

    def read(self, size: int | None = -1) -> bytes:
        found = super().read(-1 if size is None else size)
        self._passes.read += len(found)
        return found

    def readinto(self, buffer: Any) -> int:
        size = super().readinto(buffer)
        self._passes.read += size
        return size

    def readall(self) -> bytes:
        found = super().readall()
        self._passes.read += len(found)
        return found


class _Connection:
    """A connection of DuckDB whose scans of one file are counted before they run."""

    def __init__(self, connection: Any, passes: Passes) -> None:
        self._connection, self._passes = connection, passes
        self._viewed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def __enter__(self) -> Self:
        self._connection.__enter__()
        return self

    def __exit__(self, *failure: object) -> None:
        self._connection.__exit__(*failure)

    def execute(self, query: str, *values: Any) -> Any:
        named = glob.escape(str(self._passes.path)) in query
        if named and query.lower().startswith("create view"):
            self._viewed = True
        elif (named or self._viewed) and _may_scan(query.lower()):
            plan = str(self._connection.execute(f"EXPLAIN (FORMAT json) {query}").fetchall()[0][1])
            self._passes.scans += len(_SCAN.findall(plan))
        return self._connection.execute(query, *values)


def _may_scan(query: str) -> bool:
    return query.startswith(_EXPLAINED) and query != _ANSWERED_BY_METADATA
