"""Make a Summary harmless to draw: every text in it printable, on one line and of bounded length."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from giveaway.model.answer.nouns import speaking_of

Summary = Mapping[str, Any]
Finding = Mapping[str, Any]
"""What a Summary says of one attacker."""
P = ParamSpec("P")
T = TypeVar("T")

_ESCAPED = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
_LONGEST = 1_000
_LONGEST_LABEL = 90
_LONG_WORD = re.compile(r"\S{91,}")
_EXACT = re.compile(r"-?[0-9]+/[0-9]+")


def tidy(value: Any) -> Any:
    """Return a copy of a Summary, or of a part of it, with every text cleaned; numbers stay whole."""
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, Mapping):
        return {cleaned(str(key)): _part(str(key), part) for key, part in value.items()}
    if isinstance(value, Sequence):
        return [tidy(part) for part in value]
    return value


def _part(name: str, value: Any) -> Any:
    """Tidy one part of a mapping; an exact number is read, never shown, so that it must not be cut."""
    return value if name.endswith("_exact") and _EXACT.fullmatch(str(value)) else tidy(value)


def cleaned(text: str) -> str:
    """Write control characters and characters that turn the direction of writing as visible escapes.

    What is very long is cut, words as well as the whole text.
    """
    kept = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    kept = _LONG_WORD.sub(lambda word: f"{word[0][:_LONGEST_LABEL]}…", kept)
    if kept.isascii() and kept.isprintable():
        return kept
    return "".join(_visible(character) for character in kept)


def label(value: Any) -> str:
    """Write a label; a very long one is cut and says so by its last character."""
    text = cleaned(str(value))
    return text if len(text) <= _LONGEST_LABEL else f"{text[:_LONGEST_LABEL]}…"


def _visible(character: str) -> str:
    if character in _TURNING or unicodedata.category(character) in _ESCAPED:
        return character.encode("unicode_escape").decode("ascii")
    return character


def of_its_release(view: Callable[Concatenate[Summary, P], T]) -> Callable[Concatenate[Summary, P], T]:
    """Let a view of a Summary call rows and items as its release does."""

    @wraps(view)
    def drawn(summary: Summary, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with speaking_of((summary.get("data") or {}).get("words")):
            return view(summary, *args, **kwargs)

    return drawn
