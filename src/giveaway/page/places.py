"""Where data live: files next to a scenario, or addresses of databases."""

from pathlib import Path

_DUCKDB = "duckdb:"


def is_address(data: str) -> bool:
    """Tell whether data live in a database or on a cluster."""
    return data.startswith(_DUCKDB) or "://" in data


def placed(base: Path, data: str) -> str:
    """Return where data are, seen from anywhere; files are named from a folder."""
    file = file_of(base, data)
    if file is None:
        return data
    return f"{_DUCKDB}{file}" if data.startswith(_DUCKDB) else str(file)


def file_of(base: Path, data: str) -> Path | None:
    """Return the file that holds data; None where a server does."""
    if is_address(data) and not data.startswith(_DUCKDB):
        return None
    return base / data.removeprefix(_DUCKDB)
