"""Progress and the limits of work, told to whoever watches without passing them through every function."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain
from math import inf
from typing import TypeVar

from giveaway.errors import BudgetExceeded

T = TypeVar("T")
Watcher = Callable[[str, int, int | None], None]

_whole: ContextVar["Whole | None"] = ContextVar("whole", default=None)
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_deadline: ContextVar[tuple[float, float] | None] = ContextVar("deadline", default=None)
_memory: ContextVar[int | None] = ContextVar("memory", default=None)

_LEAST_MEMORY = 4 << 30
_MOST_ROOM = 1 << 29


class Whole:
    """Work of so many steps, which may be one step of more work; what is done of it never becomes less."""

    def __init__(self, steps: int, above: "Whole | None") -> None:
        self._steps = max(steps, 1)
        self._done = 0
        self._above = above
        self._most = 0.0
        self.name: str = above.name if above else ""

    def part(self, of_step: float) -> float:
        """Return the part of all work that is done, given the part of this step."""
        inside = (min(self._done, self._steps - 1) + min(of_step, 1.0)) / self._steps
        self._most = max(self._most, self._above.part(inside) if self._above else inside)
        return self._most

    @contextmanager
    def step(self, name: str = "") -> Iterator[None]:
        """Do one step; without a name it keeps that of the work around it."""
        before, self.name = self.name, name or self.name
        try:
            yield
        finally:
            self._done, self.name = self._done + 1, before


@contextmanager
def steps(count: int) -> Iterator[Whole]:
    """Do work of so many steps, for whoever watches."""
    whole = Whole(count, _whole.get())
    token = _whole.set(whole)
    try:
        yield whole
    finally:
        _whole.reset(token)


@contextmanager
def step(name: str) -> Iterator[None]:
    """Do one step of the work around, where its steps are known."""
    around = _whole.get()
    if around is None:
        yield
        return
    with around.step(name):
        yield


def whole() -> Whole | None:
    """Return the work that is being done, where its steps are known."""
    return _whole.get()


def is_watched() -> bool:
    """Tell whether somebody watches already."""
    return _watcher.get() is not None


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


def telling(stage: str, values: Sequence[T], *, every: int = 1) -> Iterator[T]:
    """Go through values and tell so now and then: a loop that takes long can be watched and stopped inside.

    It may be one of many in its stage, so that its length says nothing of how much there is to do.
    """

    def batches() -> Iterator[Sequence[T]]:
        for begin in range(0, len(values), every):
            tell(stage, begin)
            yield values[begin : begin + every]

    return chain.from_iterable(batches())  # so that most values are taken without a call


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
    allowed = _memory.get()
    if allowed is not None:
        return allowed
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
