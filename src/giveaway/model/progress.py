"""Progress and the limits of work, told to whoever watches without passing them through every function."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from giveaway.errors import BudgetExceeded

Watcher = Callable[[str, int, int | None], None]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_deadline: ContextVar[tuple[float, float] | None] = ContextVar("deadline", default=None)
_memory: ContextVar[int | None] = ContextVar("memory", default=None)

_LEAST_MEMORY = 4 << 30


def tell(stage: str, done: int, total: int | None = None) -> None:
    """Say how far a stage has come, and stop the work when the time allowed is over."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(stage, done, total)
    deadline = _deadline.get()
    if deadline is not None and time.monotonic() > deadline[0]:
        raise BudgetExceeded(
            f"Stopped after the {deadline[1]:g} seconds allowed, while {stage}.",
            hint="allow more with --seconds, or ask about a weaker attacker.",
        )


def memory() -> int:
    """Return the bytes of memory that the work may take: as told, else half of the machine's, at least 4 GB."""
    told = _memory.get()
    if told is not None:
        return told
    try:
        return max(_LEAST_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    except (AttributeError, ValueError, OSError):
        return _LEAST_MEMORY


@contextmanager
def watched(by: Watcher | None) -> Iterator[None]:
    """Send progress to a watcher."""
    token = _watcher.set(by)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def limited(*, seconds: float | None = None, memory: int | None = None) -> Iterator[None]:
    """Stop the work inside after some seconds, and refuse what would need more memory."""
    until = _deadline.get() if seconds is None else (time.monotonic() + seconds, seconds)
    first = _deadline.set(until)
    second = _memory.set(_memory.get() if memory is None else memory)
    try:
        yield
    finally:
        _deadline.reset(first)
        _memory.reset(second)
