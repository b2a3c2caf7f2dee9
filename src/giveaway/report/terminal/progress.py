"""How far the work has come, in one line that is rewritten in place, or in one cell of a notebook."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import Any, TextIO

from giveaway.model.progress import left, watched, whole
from giveaway.report.terminal.ink import shown_length

_AFTER = 1.0
"""Seconds after which there is something to show."""
_EACH = 0.1
_BAR = 8
_STOPS = "  Ctrl-C stops"


class ProgressLine:
    """One line of progress; whoever prints stops it first, and what is told later starts it again."""

    def __init__(self, write: Callable[[str], None], *, unicode: bool) -> None:
        self._write = write
        self._full, self._empty = ("\u2588", "\u2591") if unicode else ("#", ".")
        self._started = time.monotonic()
        self._latest = 0.0
        self._shown = False

    def watch(self, stage: str, done: int, total: int | None) -> None:
        """Show a stage, unless the last one was shown just now."""
        now = time.monotonic()
        if now - self._started < _AFTER or now - self._latest < _EACH:
            return
        self._latest, self._shown = now, True
        self._write(self._line(stage, done, total, now - self._started))

    def stop(self) -> None:
        """Take the line away."""
        if self._shown:
            self._write("")
            self._shown = False

    def _line(self, stage: str, done: int, total: int | None, seconds: float) -> str:
        work = whole()
        of_step = done / total if total else 0.0
        part = of_step if work is None else work.part(of_step)
        full = int(part * _BAR)
        counted = f" ({done:,} of {total:,})" if total else ""
        who = f"{work.name}: " if work is not None and work.name else ""
        rest = left()
        allowed = f" of {_clock(seconds + rest)}" if rest != float("inf") else ""
        bar = self._full * full + self._empty * (_BAR - full)
        return f"{bar} {part * 100:3.0f} %  {_clock(seconds)}{allowed}  {who}{stage}{counted}"


def _clock(seconds: float) -> str:
    whole_seconds = int(seconds)
    return f"{whole_seconds // 60}:{whole_seconds % 60:02}"


def on_terminal(stream: TextIO) -> ProgressLine:
    """Make the line of a terminal."""

    def write(text: str) -> None:
        room = max(get_terminal_size((80, 24)).columns - 1, 20) - len(_STOPS)
        while shown_length(text) > room:
            text = text[:-1]
        stream.write(f"\r{text}{_STOPS if text else ''}\x1b[K")
        stream.flush()

    unicode = "utf" in (stream.encoding or "").lower()
    return ProgressLine(write, unicode=unicode)


def in_notebook() -> bool:
    """Tell whether this is a notebook, whose kernel shows what is displayed."""
    shell = sys.modules.get("IPython")
    running = None if shell is None else shell.get_ipython()
    return running is not None and hasattr(running, "kernel")


def _of_notebook() -> ProgressLine:
    """Make the line of a notebook, which is one cell of output."""
    from html import escape

    from IPython.display import HTML, display

    shown: list[Any] = []

    def write(text: str) -> None:
        drawn = HTML(f"<code>{escape(text)}</code>" if text else "")
        if shown:
            shown[0].update(drawn)
        else:
            shown.append(display(drawn, display_id=True))

    return ProgressLine(write, unicode=True)


@contextmanager
def shown(wanted: bool | None) -> Iterator[None]:
    """Show progress of the work inside where it is wanted; None is in notebooks alone."""
    notebook = in_notebook()
    if not (notebook if wanted is None else wanted):
        yield
        return
    line = _of_notebook() if notebook else on_terminal(sys.stderr)
    try:
        with watched(line.watch):
            yield
    finally:
        line.stop()
