"""Where the fields of a scenario file stand."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from giveaway.errors import WrongQuestion

_HEADER = re.compile(r"\s*(?P<array>\[\[?)\s*(?P<name>[^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_FIELD = re.compile(r"\s*(?P<name>[\w\s.\"'-]+?)\s*=")

Steps = tuple[str, ...]


class Lines:
    r"""The lines of a scenario file by the fields that begin on them.

    >>> Lines("[[knows]]\nattack = 'items'\n[[knows]]\nat_most = 2").place("knows.1.at_most")
    'line 4'
    """

    def __init__(self, text: str) -> None:
        self._first: dict[Steps, int] = {}
        self._entries: Counter[Steps] = Counter()
        section: Steps = ()
        for number, line in enumerate(text.splitlines(), start=1):
            if header := _HEADER.match(line):
                section = self._section(_steps(header["name"]), entry=header["array"] == "[[")
                self._first.setdefault(section, number)
            elif field := _FIELD.match(line):
                self._first.setdefault((*section, *_steps(field["name"])), number)

    def _section(self, steps: Steps, *, entry: bool) -> Steps:
        """Return the section that a header opens, with the number of each entry of a list of sections."""
        opened: Steps = ()
        for step in steps[:-1]:
            opened = self._latest((*opened, step))
        opened = (*opened, steps[-1])
        self._entries[opened] += entry
        return self._latest(opened)

    def _latest(self, steps: Steps) -> Steps:
        count = self._entries[steps]
        return (*steps, str(count - 1)) if count else steps

    def place(self, where: str) -> str | None:
        """Name the line of a dotted field, or of the nearest thing around it; None if nothing of it is written."""
        steps = tuple(where.split("."))
        for length in range(len(steps), 0, -1):
            number = self._first.get(steps[:length])
            if number is not None:
                return f"line {number}"
        return None

    def same(self, where: str, written: str) -> None:
        """Find a field where another word for it is written."""
        number = self._first.get(tuple(written.split(".")))
        if number is not None:
            self._first.setdefault(tuple(where.split(".")), number)

    @contextmanager
    def with_line(self, where: str) -> Iterator[None]:
        """Tell the line of a field with what is wrong, where nothing nearer is told."""
        try:
            yield
        except WrongQuestion as error:
            line = self.place(where)
            raise type(error)(
                [replace(mistake, where=mistake.where or line) for mistake in error.mistakes]
            ) from None

    @contextmanager
    def with_lines_of(self, section: str) -> Iterator[None]:
        """Tell the lines of fields of a section with what is wrong, where mistakes say which field they are about."""
        try:
            yield
        except WrongQuestion as error:
            raise type(error)(
                [
                    mistake
                    if mistake.field is None or mistake.where
                    else replace(mistake, where=self.place(f"{section}.{mistake.field}"))
                    for mistake in error.mistakes
                ]
            ) from None


def _steps(name: str) -> Steps:
    return tuple(step.strip(" \t\"'") for step in name.split("."))
