"""Telling that memory ran out, in whatever words a library says it."""

import errno
import traceback

from giveaway.errors import Mistake

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
