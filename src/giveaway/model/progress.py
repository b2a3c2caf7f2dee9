"""Progress and the limits of work, told to whoever watches without passing them through every function."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

from giveaway.errors import BudgetExceeded

Watcher = Callable[[str, int, int | None], None]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_deadline: ContextVar[tuple[float, float] | None] = ContextVar("deadline", default=None)
_memory: ContextVar[int | None] = ContextVar("memory", default=None)

_LEAST_MEMORY = 4 << 30
_MOST_ROOM = 1 << 29


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


def left() -> float:
    """Return the seconds that are left of those allowed, infinite where none are set: what a solver may take."""
    deadline = _deadline.get()
    return inf if deadline is None else max(0.0, deadline[0] - time.monotonic())


def spare(most: float) -> float:
    """Return the seconds that a search for something better may take: half of what is left, at most `most`.

    The other half is for judging what was found.
    """
    return min(most, left() / 2)


def memory() -> int:
    """Return the bytes of memory that the work may take: as told, else half of the machine's, at least 4 GB."""
    told = _memory.get()
    if told is not None:
        return told
    try:
        return max(_LEAST_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
    except (AttributeError, ValueError, OSError):
        return _LEAST_MEMORY


def room() -> int:
    """Return the bytes that a table of everything may take where there is another way: half a gigabyte at most."""
    return min(_MOST_ROOM, memory() // 4)


@contextmanager
def watched(by: Watcher | None) -> Iterator[None]:
    """Send progress to a watcher."""
    token = _watcher.set(by)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def followed(by: Watcher | None) -> Iterator[None]:
    """Send progress to a watcher, if there is one; else to whoever watches already."""
    with watched(by or _watcher.get()):
        yield


def stop_after(seconds: float) -> None:
    """Stop the work after some seconds, from here to the end of the limits around it; never later than they say."""
    until = (time.monotonic() + seconds, seconds)
    _deadline.set(min(_deadline.get() or until, until))


@contextmanager
def limited(*, seconds: float | None = None, memory: int | None = None) -> Iterator[None]:
    """Stop the work inside after some seconds, and refuse what would need more memory.

    Limits inside limits never allow more time than those around them.
    """
    first = _deadline.set(_deadline.get())
    if seconds is not None:
        stop_after(seconds)
    second = _memory.set(_memory.get() if memory is None else memory)
    try:
        yield
    finally:
        _deadline.reset(first)
        _memory.reset(second)
