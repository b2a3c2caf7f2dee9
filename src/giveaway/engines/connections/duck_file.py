"""Whether a file is a DuckDB database, told by how it begins."""

import stat
from pathlib import Path

_MARK = b"DUCK"
_AT = 8
"""A checksum stands before the mark."""


def not_a_database(path: Path) -> str | None:
    """Say why a file that exists is not a DuckDB database; None where it is one."""
    if not stat.S_ISREG(path.stat().st_mode):  # asked first: reading a pipe would wait for ever
        return "is not a regular file"
    with path.open("rb") as file:
        begins = file.read(_AT + len(_MARK))
    return None if begins[_AT:] == _MARK else "is not a DuckDB database"
