"""Saved Summaries, read back and checked."""

import json
from pathlib import Path
from typing import Any

from giveaway.errors import DataError

_SCHEMAS = (1, 2)
_NEEDED = ("verdict", "data", "findings", "withheld")


def read(path: Path) -> dict[str, Any]:
    """Read a Summary that was saved as JSON."""
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise DataError(
            f"{path} is no JSON.", hint="save one with giveaway assess ... --json FILE."
        ) from None
    if not isinstance(summary, dict) or summary.get("schema") not in _SCHEMAS:
        raise DataError(
            f"{path} is not an assessment that this version can read.",
            hint=f"it needs schema {' or '.join(map(str, _SCHEMAS))}.",
        )
    if any(key not in summary for key in _NEEDED):
        raise DataError(f"{path} holds no assessment, only its errors.", hint="there is nothing to draw.")
    return summary
