"""Profiles and plans of rows of letters, for tests."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from tests.oracles.crowds import Row

from giveaway.crowds import plan as planning
from giveaway.crowds.forms import ColumnForms, CrowdProfiles
from giveaway.crowds.plan import Plan
from giveaway.model.data.arrays import Ints

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def codes_of(rows: Sequence[Row]) -> Ints:
    width = len(rows[0])
    return np.array(
        [[-1 if value is None else LETTERS.index(value) for value in row] for row in rows]
    ).reshape(-1, width)


def profiles_of(
    rows: Sequence[Row], weights: Sequence[int] | None = None, **marks: object
) -> tuple[CrowdProfiles, Ints]:
    weights = weights or [1] * len(rows[0])
    levels = [ColumnForms(values=len(LETTERS), costs=(weight,)) for weight in weights]
    return CrowdProfiles.of_rows(codes_of(rows), levels, **marks)  # type: ignore[arg-type] # as the tests say


def table_profiles(table: Mapping[str, Sequence[str]], columns: Sequence[str]) -> tuple[CrowdProfiles, Ints]:
    """Number the values of each column in their order."""
    parts = [np.unique(np.array(table[name]), return_inverse=True) for name in columns]
    levels = [ColumnForms(values=len(values)) for values, _ in parts]
    return CrowdProfiles.of_rows(np.stack([codes for _, codes in parts], axis=1), levels)


def forms_of(plan: Plan) -> dict[Row, list[Row]]:
    """Return the forms that the members of each profile carry, in letters."""
    found: dict[Row, list[Row]] = {}
    for profile, labels, members in zip(plan.profile, plan.labels, plan.members, strict=True):
        row = tuple(None if code < 0 else LETTERS[code] for code in plan.profiles.codes[profile])
        form = tuple(None if label == 0 else LETTERS[label - 1] for label in labels)
        found.setdefault(row, []).extend([form] * int(members))
    return found


def search_only(patch: pytest.MonkeyPatch) -> None:
    """Let the search do what an integer program does for small tables."""
    patch.setattr(planning, "_PROFILES", 0)
