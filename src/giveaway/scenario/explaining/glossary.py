"""The words of the glossary, which the documentation has as a page, looked up one by one."""

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path

_ENTRY = re.compile(r"^(?P<words>[^\s:#|].*)\n:   (?P<text>.*(?:\n    .*)*)", re.MULTILINE)
_APART = re.compile(r", (?![^(]*\))")
_LINK = re.compile(r"\[([^]]*)]\([^)]*\)")
_NAMED = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
_NEAR = 4


def told(word: str) -> str | None:
    """Return what the glossary says of a word, in whichever case, with hyphens or not, singular or plural."""
    key = _key(word)
    for one in (key, key.removesuffix("s")):
        if one in _entries():
            return _entries()[one]
    return None


def nearest(word: str) -> list[str]:
    """Return the words of the glossary that look most like another."""
    return get_close_matches(word, _words(), _NEAR, 0.5)


def _key(word: str) -> str:
    return re.sub(r"[^\w']|_", "", word.casefold())


@cache
def _page() -> str:
    packaged = files("giveaway") / "glossary.md"
    here = packaged if packaged.is_file() else Path(__file__).parents[4] / "docs" / "glossary.md"
    return here.read_text(encoding="utf-8")


@cache
def _entries() -> dict[str, str]:
    """Return what is told, by the words of an entry first, and then by those that its text explains in passing."""
    told_of: dict[str, str] = {}
    in_passing: dict[str, str] = {}
    for entry in _ENTRY.finditer(_page()):
        text = _NAMED.sub(r"\1", _LINK.sub(r"\1", re.sub(r"\n    ", "\n", entry["text"])))
        whole = f"{entry['words']}\n{text}"
        for word in _APART.split(entry["words"]):
            told_of[_key(word)] = f"{told_of[_key(word)]}\n\n{whole}" if _key(word) in told_of else whole
        for word in _NAMED.findall(entry["text"]):
            in_passing.setdefault(_key(word), whole)
    return in_passing | told_of


@cache
def _words() -> list[str]:
    return [word for entry in _ENTRY.finditer(_page()) for word in _APART.split(entry["words"])]
