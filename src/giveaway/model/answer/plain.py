"""Plain values for the Summary: strict JSON, with exact rationals next to their floats."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from giveaway.model.exact import ratio


def plain(value: Any) -> Any:
    """Turn any value of the model into what JSON can hold."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Fraction | float):
        return _number(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return exactly({str(key): part for key, part in value.items()})
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if is_dataclass(value) and not isinstance(value, type):
        return exactly({f.name: getattr(value, f.name) for f in fields(value) if f.repr})
    return str(value)


def _number(exact: Fraction | float) -> float | str | None:
    try:
        value = float(exact)
    except OverflowError:
        value = math.inf if exact > 0 else -math.inf
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else "inf" if value > 0 else "-inf"


def exactly(values: Mapping[str, Any]) -> dict[str, Any]:
    """Make a mapping plain; next to a fraction is `<name>_exact` as `num/den`."""
    plainly: dict[str, Any] = {}
    for name, value in values.items():
        plainly[name] = plain(value)
        if isinstance(value, Fraction):
            plainly[f"{name}_exact"] = ratio(value)
    return plainly


def is_deep(value: Any, most: int) -> bool:
    """Tell whether values lie more than `most` levels inside each other.

    >>> is_deep({"a": [1]}, 2), is_deep({"a": [1]}, 1)
    (False, True)
    """
    level = [value]
    for _ in range(most + 1):
        level = [
            part
            for holder in level
            if isinstance(holder, dict | list)
            for part in (holder.values() if isinstance(holder, dict) else holder)
        ]
    return bool(level)
