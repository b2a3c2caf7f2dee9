"""What is wrong with a question, as text for the terminal."""

import re
import textwrap
from collections.abc import Sequence

from giveaway.errors import Mistake
from giveaway.masking import masked

_LONGEST = 300
_LONG = re.compile(rf"\S{{{_LONGEST + 1},}}")


def render(mistakes: Sequence[Mistake], *, heading: str, width: int | None = None) -> str:
    """Show mistakes together: the fact, what there is, a hint, and where it stands; within a width if one is given."""
    lines = _lines(mistakes, heading)
    return "\n".join(lines if width is None else [_fitted(line, width) for line in lines])


def _fitted(line: str, width: int) -> str:
    """Break a line between words, below where it begins."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(
        line, max(width, 40), subsequent_indent=indent or "  ", break_long_words=False, break_on_hyphens=False
    )


def _lines(mistakes: Sequence[Mistake], heading: str) -> list[str]:
    if len(mistakes) == 1 and mistakes[0].where is None:
        lines = [f"{heading}: {_clean(mistakes[0].fact)}"]
        return lines + [f"  {line}" for line in _rest(mistakes[0])]
    count = "1 mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
    lines = [f"{heading}: {count}."]
    margin = max(9, *(len(mistake.where or "") + 2 for mistake in mistakes))
    for mistake in mistakes:
        lines.append(f"  {_clean(mistake.where or ''):{margin}}{_clean(mistake.fact)}")
        lines.extend(f"  {'':{margin}}{line}" for line in _rest(mistake))
    return lines


def _rest(mistake: Mistake) -> list[str]:
    parts = [("it has", mistake.exists), ("hint", mistake.hint)]
    return [f"{name}: {_clean(text)}" for name, text in parts if text]


def _clean(text: str) -> str:
    """Keep passwords, and control characters and endless words of hostile labels, off the terminal."""
    short = _LONG.sub(lambda word: f"{word[0][:_LONGEST]}…", masked(text))
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in short)
