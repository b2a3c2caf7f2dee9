"""Telling that memory ran out, in whatever words a library says it."""

import errno
import os
import traceback
from importlib.util import find_spec

from giveaway.errors import BudgetExceeded, Mistake

NOT_ENOUGH = Mistake(
    "The work needs more memory than this process may have.",
    hint="raise its limit or use a larger machine, ask about a weaker attacker, or about part of the data.",
)
_WORDS = (
    "can't start new thread",
    "cannot allocate memory",
    "failed to map segment",
    "out of memory",
    "bad_alloc",
    "unable to allocate",
)
"""Threads, shared libraries and engines have no error of their own for it."""


LEAST = 512 << 20
"""Below this, libraries of numbers wait for ever for memory while they are loaded."""
_LITTLE = 2 << 30


def prepare() -> None:
    """Refuse to begin with too little memory, and let libraries of numbers take less where there is little."""
    if find_spec("resource") is None:  # there is no such limit on Windows
        return
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed == resource.RLIM_INFINITY or allowed >= _LITTLE:
        return
    if allowed < LEAST:
        raise BudgetExceeded(
            f"This process may have {allowed >> 20} MB of memory, and giveaway needs {LEAST >> 20} MB to begin.",
            hint="raise the limit (ulimit -v).",
        )
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread reserves memory of its own


def lacks_memory(error: BaseException | None) -> bool:
    """Tell whether an error, or one that it came of, says that memory ran out; free what its frames hold."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:  # errors may be the reason of each other
        seen.add(id(error))
        traceback.clear_frames(error.__traceback__)
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        if any(word in str(error).lower() for word in _WORDS):
            return True
        error = error.__cause__ or error.__context__
    return False
