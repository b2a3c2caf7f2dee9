"""What takes long: `make test` tries a part of it, `make test-long` all."""

import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import settings

ALL = os.environ.get("GIVEAWAY_CASES") == "all"
SHARE = 4
"""Which part of the examples of a long property `make test` draws: one in so many."""

long = pytest.mark.long
"""Marks what `make test` leaves to `make test-long`."""


def part(examples: int) -> int:
    """Tell how many of the examples of a long property are drawn: of the first few all, which are the simplest."""
    return examples if ALL else max(examples // SHARE, min(examples, 5))


def sized(examples: int = 100, **how: Any) -> Callable[[Any], Any]:
    """Give a property so many examples, which together take long."""
    return lambda test: pytest.mark.sized(settings(max_examples=part(examples), **how)(test))


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """Leave all but the first cases of a parametrised test to `make test-long`."""
    every = list(cases)
    later = (case if isinstance(case, tuple) else (case,) for case in every[count:])
    return [*every[:count], *(pytest.param(*case, marks=long) for case in later)]
