"""Where data live: files next to a scenario, or addresses of databases."""

from collections.abc import Iterable
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


def inside(path: Path, folders: Iterable[Path], *, whole: bool = True) -> bool:
    """Tell whether something lies in one of several folders, once links are followed; as a whole with all that it holds."""
    roots = [folder.resolve() for folder in folders]

    def lies(one: Path) -> bool:
        real = one.resolve()
        return any(real.is_relative_to(root) for root in roots)

    try:
        held = path.rglob("*") if whole and lies(path) and path.is_dir() else ()
        return lies(path) and all(lies(one) for one in held if one.is_symlink())
    except (OSError, ValueError, RuntimeError):  # a name that no file can have, or links in a circle
        return False
