"""Colour, padding and wrapping of terminal text, with lengths that do not count the colour."""

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

_CODES = {"safe": "1;34", "risk": "1;33", "open": "1;35", "over": "33", "bold": "1", "dim": "2"}
_ESCAPE = re.compile("\x1b\\[[0-9;]*m")
_WORDS = {True: ("SAFE", "✓", "safe"), False: ("AT RISK", "▲", "risk"), None: ("CANNOT JUDGE", "?", "open")}
JUDGED = {"safe": True, "at risk": False, "cannot judge": None}
"""What a verdict in words means."""
_PLAIN = str.maketrans(
    {"\u00a0": " ", "\u2013": "-", "…": "...", "\u2019": "'", "“": '"', "”": '"', "→": "->", "·": "-"}
)


@dataclass(frozen=True, kw_only=True)
class Ink:
    """How text is written on one terminal."""

    colour: bool
    unicode: bool
    width: int

    @property
    def arrow(self) -> str:
        """The arrow from what is known to what is learnt."""
        return "→" if self.unicode else "->"

    def _in(self, style: str, text: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and text else text

    def verdict(self, safe: bool | None) -> str:
        """Write the verdict with its sign."""
        word, sign, style = _WORDS[safe]
        return self._in(style, f"{sign} {word}" if self.unicode else word)

    def word(self, safe: bool | None) -> str:
        """Write the verdict without its sign."""
        word, _, style = _WORDS[safe]
        return self._in(style, word)

    def bold(self, text: str) -> str:
        """Write a heading."""
        return self._in("bold", text)

    def over(self, text: str) -> str:
        """Write a chance over the limit."""
        return self._in("over", text)

    def padded(self, text: str, wide: int) -> str:
        """Fill a text up to a width with blanks."""
        return text + " " * max(wide - shown_length(text), 0)

    def wrapped(
        self,
        text: str,
        *,
        first: str = "",
        indent: str = "",
        hang: bool = True,
        bold: bool = False,
        dim: bool = False,
    ) -> list[str]:
        """Break a text into lines that fit; `first` stands before the first line and sets the indent of the rest."""
        style = "bold" if bold else "dim" if dim else None
        start = first or indent
        rest = " " * shown_length(start) if hang else ""
        lines = _broken(
            self._spelled(text.replace("\u00a0", "\x1f")), self.width, shown_length(start), len(rest)
        )
        styled = [line.replace("\x1f", " ") for line in lines]
        if style is not None:
            styled = [self._in(style, line) for line in styled]
        return [(rest if i else start) + line for i, line in enumerate(styled)]

    def columns(self, rows: Sequence[Sequence[str]], *, over: AbstractSet[int] = frozenset()) -> list[str]:
        """Write rows as aligned columns, the first as heads; in the rows of `over` the third column is over the limit.

        A head may run on over the column next to it when that one has none.
        """
        wide = [max(shown_length(row[i]) for row in rows[1:]) for i in range(len(rows[0]))]
        for i, cell in enumerate(rows[0]):
            beside = wide[i + 1] + 2 if i + 1 < len(wide) and not rows[0][i + 1] else 0
            wide[i] = max(wide[i], shown_length(cell) - beside)
        head = ""
        for i, cell in enumerate(rows[0]):
            head = self.padded(head, 2 + sum(wide[:i]) + 2 * i) + cell if cell else head
        lines = [self._in("dim", head)]
        for place, row in enumerate(rows[1:], 1):
            cells = [self.over(cell) if place in over and i == 2 else cell for i, cell in enumerate(row)]  # noqa: PLR2004 - the chance
            lines.append(
                "  " + "  ".join(self.padded(*pair) for pair in zip(cells, wide, strict=True)).rstrip()
            )
        return lines

    def finish(self, lines: Sequence[str]) -> str:
        """Join lines; without Unicode every character that is not ASCII is written in ASCII."""
        text = "\n".join(line.rstrip() for line in lines).replace("\u00a0", " ")
        return self._spelled(text)

    def _spelled(self, text: str) -> str:
        if self.unicode:
            return text
        return text.translate(_PLAIN).encode("ascii", "backslashreplace").decode("ascii")


def shown_length(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    plain = _ESCAPE.sub("", text)
    return sum(_columns(character) for character in plain)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _broken(text: str, width: int, first: int, rest: int) -> list[str]:
    """Break a text so that each line fits next to what is before it."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        for part in _pieces(word, width - max(first, rest)):
            room = width - (rest if lines else first)
            if line and shown_length(f"{line} {part}") > room:
                lines.append(line)
                line = part
            else:
                line = f"{line} {part}" if line else part
    return [*lines, line]


def _pieces(word: str, room: int) -> list[str]:
    """Cut a word that no line can hold."""
    if shown_length(word) <= room:
        return [word]
    return textwrap.wrap(word, width=max(room // 2, 1)) or [word]
