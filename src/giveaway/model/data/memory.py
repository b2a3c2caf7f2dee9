"""Data on which the latest results are kept that were worked out from them."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

T = TypeVar("T")


class Remembering:
    """The base of data with a place for results: measuring the same release twice then costs once.

    The results belong to the attacks, which the model does not know, so they are kept by name.
    """

    @cached_property
    def _remembered(self) -> dict[str, tuple[Hashable, Any]]:
        """The latest result of each name, with what it was worked out from besides the data."""
        return {}

    def remember(self, what: str, key: Hashable, work: Callable[[], T]) -> T:
        """Return what was worked out before from these data and the same `given`; only the latest is kept."""
        known = self._remembered.get(what)
        if known is None or known[0] != key:
            known = self._remembered[what] = (key, work())
        result: T = known[1]
        return result
