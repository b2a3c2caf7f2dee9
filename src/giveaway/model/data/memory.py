"""Data that remember what was worked out from them."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, eq=False)
class Remembering:
    """The base of data whose latest results are kept, so that measuring twice costs once."""

    _remembered: dict[str, tuple[Hashable, Any]] = field(default_factory=dict, init=False, repr=False)

    def remember(self, what: str, given: Hashable, work: Callable[[], T]) -> T:
        """Return what was worked out before from these data and the same `given`; only the latest is kept."""
        known = self._remembered.get(what)
        if known is None or known[0] != given:
            known = self._remembered[what] = (given, work())
        found: T = known[1]
        return found
