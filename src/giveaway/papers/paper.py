"""One row of the table of papers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from giveaway.attacks.attack import Attack
from giveaway.papers.study import Study


@dataclass(frozen=True, kw_only=True)
class Explorer:
    """Something of the paper that is looked at and not judged: what it is, and what finds it, `says` among it."""

    says: str
    finds: Callable[..., Mapping[str, Any]]
    """Given release, attacker, tolerance and need, and its options by name."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What each of its options is."""
    lists: frozenset[str] = frozenset()
    """Which of its options are lists."""
    judged: bool = False
    """Whether it is about limits."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """What of the paper behind an attack can be run again, and what of it can be looked at; its own code is imported when used."""

    number: str
    """How `giveaway reproduce` calls it."""
    attack: Attack
    studies: Callable[[], Sequence[Study]]
    """Its examples, tables and figures."""
    explores: Mapping[str, Explorer] = field(default_factory=dict)
    """What `giveaway explore` shows, by name."""
