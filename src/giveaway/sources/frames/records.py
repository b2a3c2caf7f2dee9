"""Records made into frames of the library that the user has."""

from typing import Any, Literal

from giveaway.errors import NotInstalled


def frame_of(records: list[dict[str, Any]], kind: Literal["pandas", "polars"]) -> Any:
    """Make a frame of records; columns are the names that occur, in the order of their first occurrence.

    Values that no column type holds, such as lists of labels, are kept as Python objects.
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = {name: [record.get(name) for record in records] for name in names}
    try:
        if kind == "pandas":
            import pandas as pd

            return pd.DataFrame(columns)
        import polars as pl

        return pl.DataFrame({name: _column(pl, name, values) for name, values in columns.items()})
    except ImportError:
        raise NotInstalled(
            f"{kind} is not installed.",
            hint=f'pip install {kind}, or with giveaway: pip install "giveaway[frames]".',
        ) from None


def _column(pl: Any, name: str, values: list[Any]) -> Any:
    try:
        return pl.Series(name, values, strict=True)
    except (TypeError, ValueError, pl.exceptions.PolarsError):
        return pl.Series(name, values, dtype=pl.Object)
