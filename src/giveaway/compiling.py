"""Kernels: loops that are plain Python where there is little to do, and compiled where there is much.

Compiling a kernel takes seconds, and even a compiled one takes the better part of a second to load, in which plain
Python does the whole work of a small question. So the first steps of each kernel are taken as they are written, and
all further ones compiled. Both compute the same, to the last bit; which of them runs decides about the time only.
"""

import sys
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from giveaway.model.progress import tell

Function = TypeVar("Function", bound=Callable[..., Any])

STEPS = 300_000
"""How many steps of a kernel plain Python takes in less time than it takes to load numba, or to compile the kernel."""

QUICK = 30_000
"""The same where numba is loaded and has the machine code of the kernel on the disk."""

DONE, PAUSED = range(2)
"""How a search ends a run: its kernel may have further words, such as one for an array that is full."""

_taken: Counter[str] = Counter()
"""The steps that each kernel took as plain Python so far."""


def kernel(function: Function) -> Function:
    """Mark a function as a kernel, which can be compiled; called as it is, it is plain Python.

    It may call kernels, and must keep to what numba compiles.
    """
    function.is_kernel = True  # type: ignore[attr-defined] # a mark on a function
    return function


def compiled(function: Function) -> Function:
    """Return a kernel compiled; this happens when it is called, unless its machine code is on the disk already."""
    twin: Function = _compiled(function.__module__)[function.__name__]
    return twin


@cache
def _compiled(module: str) -> dict[str, Any]:
    """Return the names of a module with compiled kernels in them, so that these call each other compiled."""
    names = dict(vars(sys.modules[module]))
    for name, value in names.items():
        if not getattr(value, "is_kernel", False):
            continue
        if value.__module__ == module:
            twin = FunctionType(value.__code__, names, name, value.__defaults__, value.__closure__)
            twin.__module__, twin.__qualname__ = module, value.__qualname__
            names[name] = native(twin)
        else:
            names[name] = _compiled(value.__module__)[value.__name__]
    return names


def native(function: Function) -> Function:
    """Compile a function when it is first called, once: its machine code is kept on the disk.

    Where no folder can be written to, it is compiled in every process, and a warning says so once.
    """
    njit = _numba()
    try:
        twin: Any = njit(cache=True)(function)
    except RuntimeError:  # numba finds no place for the machine code
        _without_cache()
        twin = njit(function)
    else:
        _forget_strangers(twin)
    kernel: Function = twin
    return kernel


def _forget_strangers(twin: Any) -> None:
    """Forget machine code of another version where it speaks of classes that are gone: numba would fail on reading it."""
    kept = twin._cache  # noqa: SLF001 - numba asks for its index too late to be asked politely
    try:
        kept._cache_file._load_index()  # noqa: SLF001
    except Exception:  # noqa: BLE001 - whatever stands there, it is compiled anew
        kept.flush()


@cache
def _numba() -> Any:
    """Load numba, and tell whoever watches when it compiles."""
    from numba import njit
    from numba.core import event

    class Telling(event.Listener):  # type: ignore[misc] # numba is not typed
        def on_start(self, _: Any) -> None:
            tell("compiling, once for all later runs", 0)

        def on_end(self, _: Any) -> None:
            pass

    event.register("numba:compile", Telling())
    return njit


@cache
def _without_cache() -> None:
    warnings.warn(
        "Compiled code cannot be kept, because no folder for it can be written to: it is compiled anew in each run. "
        "Hint: name a folder in NUMBA_CACHE_DIR.",
        RuntimeWarning,
        stacklevel=2,
    )


def suited(function: Function, steps: float) -> Function:
    """Return a kernel in the form that suits a call of this many steps, after all the calls before it."""
    if steps > _left(function):
        return compiled(function)
    _taken[_name(function)] += int(steps)
    return function


class Search:
    """A depth-first search that pauses, so that progress is told and limits are kept, and goes on where it paused.

    The kernel keeps its place in arrays alone: `state` for numbers, further ones for what waits at each depth. So it
    can return after any step, and a call with the same arrays goes on, compiled or not, as if nothing had happened.
    `state[work]` counts its steps; its last argument is the number of steps after which it pauses.
    """

    def __init__(
        self,
        function: Callable[..., int | np.int64],
        state: NDArray[np.int64],
        work: int,
        *,
        block: int,
        least: int,
    ) -> None:
        """Prepare a search that pauses after every `block` steps and takes at least `least` in all."""
        self._function, self._state, self._place, self._block = function, state, work, block
        self._plain = least <= _left(function)

    @property
    def work(self) -> int:
        """How many steps were taken."""
        return int(self._state[self._place])

    def go_on(self, *arguments: Any, most: int | None = None) -> int:
        """Go on for a block of steps, but at most `most` in all; return what the kernel says."""
        until = self.work + self._block if most is None else min(self.work + self._block, most)
        status = PAUSED
        if self._plain:
            before = self.work
            status = int(self._function(*arguments, min(until, before + _left(self._function))))
            _taken[_name(self._function)] += self.work - before
            self._plain = _left(self._function) > 0
        if status == PAUSED and self.work < until:
            status = int(compiled(self._function)(*arguments, until))
        return status


def _left(function: Callable[..., Any]) -> int:
    """Return how many more steps plain Python should take of a kernel."""
    few = QUICK if "numba" in sys.modules and _is_on_disk(function) else STEPS
    return max(min(few, STEPS) - _taken[_name(function)], 0)


@cache
def _is_on_disk(function: Callable[..., Any]) -> bool:
    """Tell whether a kernel was compiled before, now or at another time."""
    twin: Any = compiled(function)
    name = f"{function.__name__}-{function.__code__.co_firstlineno}"
    return any(Path(twin.stats.cache_path).glob(f"*{name}.*.nbi"))


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
