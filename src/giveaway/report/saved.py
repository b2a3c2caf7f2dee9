"""Saved Summaries, read back and checked: nothing is drawn that giveaway cannot have written."""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from giveaway.errors import DataError
from giveaway.model.answer.plain import is_deep
from giveaway.model.paths import shown, special, unusable
from giveaway.report import colluding
from giveaway.report.agreeing import contradictions
from giveaway.report.schema import misfits

_SCHEMAS = (1, 2)
_DEEPEST = 30
_DIGITS = 300
_HINT = "save one with giveaway assess ... --json FILE."


def read(path: Path) -> dict[str, Any]:
    """Read a Summary that was saved as JSON, and refuse one that does not fit its schema or contradicts itself."""
    summary = read_any(path)
    if "recipients" in summary:
        raise DataError(
            f"{path} is of releases for several recipients, not of one.",
            hint="giveaway report draws it alone.",
        )
    return summary


def read_any(path: Path) -> dict[str, Any]:
    """Read a Summary, or the answer for several recipients, which has `recipients`."""
    summary = _loaded(path)
    if not isinstance(summary, dict) or summary.get("schema") not in _SCHEMAS:
        raise DataError(
            f"{path} is not an assessment that this version can read.",
            hint=f"it needs schema {' or '.join(map(str, _SCHEMAS))}.",
        )
    if "errors" in summary:
        raise DataError(f"{path} holds no assessment, only its errors.", hint="there is nothing to draw.")
    several = "recipients" in summary
    for where, what in misfits(summary, "recipients" if several else "summary"):
        raise DataError(f"{path} is not an assessment: {where or 'it'} {what}.", hint=_HINT)
    for wrong in colluding.contradictions(summary) if several else contradictions(summary):
        raise DataError(f"{path} contradicts itself: {wrong}.", hint="assess the release again.")
    return summary


@contextmanager
def drawing(*paths: Path) -> Iterator[None]:
    """Refuse Summaries whose figures, which the schema leaves to each attack, are not what they must be."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        named = " or ".join(map(str, paths))
        raise DataError(f"{named} holds figures that giveaway does not write.", hint=_HINT) from None


def _loaded(path: Path) -> Any:
    """Read strict JSON of a sensible depth."""
    why, kind = unusable(path), special(path)
    if why is not None:
        raise DataError(f"{shown(path)} cannot be read: {why}.", hint="name another file.")
    if kind is not None:
        raise DataError(f"{path} is {kind}, not a file.", hint=_HINT)
    try:
        value = json.loads(
            path.read_text(encoding="utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_refused,
            parse_float=_finite,
            parse_int=_sensible,
        )
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
    except RecursionError:
        raise _too_deep(path) from None
    except ValueError:
        raise DataError(f"{path} is not JSON as giveaway writes it.", hint=_HINT) from None
    if is_deep(value, _DEEPEST):
        raise _too_deep(path)
    return value


def _too_deep(path: Path) -> DataError:
    return DataError(f"{path} is not an assessment: its parts are too deep inside each other.", hint=_HINT)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise ValueError("a key appears twice")
    return unique


def _refused(word: str) -> NoReturn:
    raise ValueError(word)


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def _sensible(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError("too many digits")
    return int(text)
