"""What rows and items are called in sentences: as the owner calls them, where a release says so.

A sentence asks for a noun when it is made, so that labels of the data are never touched. Who makes sentences about a
release says first, with `speaking_of`, which nouns it has.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from giveaway.errors import ScenarioError

_NOUN = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_LONGEST = 40
_OURS = re.compile(r"(?<![\w.-])(?:(an?|An?) )?([Tt]ransactions?|[Rr]ecords?|[Ii]tems?)(?![\w=])")


class _Word:
    """An attribute of nouns: what stands for a word of ours, or for a word with its article."""

    def __init__(self, ours: str) -> None:
        self._ours = ours

    def __get__(self, words: "Nouns | None", kind: type) -> str:
        return self._ours if words is None else words.told(self._ours)


@dataclass(frozen=True, kw_only=True)
class Nouns:
    """The nouns of rows and items, each in the singular and the plural; None is our own.

    >>> Nouns.of({"row": "basket", "item": ["person", "people"]}).told("No transaction holds an item.")
    'No basket holds a person.'
    """

    row: tuple[str, str] | None = None
    item_: tuple[str, str] | None = None

    @classmethod
    def of(cls, words: "Nouns | Mapping[str, Any] | None") -> "Nouns":
        """Read nouns: for `row` and `item` the singular, or a list of singular and plural."""
        if isinstance(words, Nouns):
            return words
        unknown = [name for name in words or {} if name not in ("row", "item")]
        if unknown:
            raise ScenarioError(f"words has no field {unknown[0]}.", exists="row, item", field="words")
        named = {name: _both(name, value) for name, value in (words or {}).items() if value is not None}
        return cls(row=named.get("row"), item_=named.get("item"))

    def to_dict(self) -> dict[str, list[str]]:
        """Return the nouns that are not our own, as `of` reads them."""
        return {
            name: list(noun) for name, noun in (("row", self.row), ("item", self.item_)) if noun is not None
        }

    transaction = _Word("transaction")
    """A row of transactions."""
    transactions = _Word("transactions")
    """Rows of transactions."""
    record = _Word("record")
    """A row of a table."""
    records = _Word("records")
    """Rows of a table."""
    item = _Word("item")
    """Something that transactions hold."""
    items = _Word("items")
    """Several of these."""
    a_transaction = _Word("a transaction")
    """The noun with its article."""
    a_record = _Word("a record")
    """The noun with its article."""
    an_item = _Word("an item")
    """The noun with its article."""
    A_record = _Word("A record")
    """The noun with its article at the beginning of a sentence."""

    def told(self, text: str) -> str:
        """Put the nouns into a sentence of ours that holds no value of the data."""
        return text if self == _OUR_OWN else _OURS.sub(self._instead, text)

    def singular(self, plural: str) -> str | None:
        """Return the singular of one of these nouns; None for any other word."""
        return next((one for one, many in filter(None, (self.row, self.item_)) if many == plural), None)

    def _instead(self, match: re.Match[str]) -> str:
        article, ours = match.groups()
        noun = self._noun(ours.lower())
        if article:
            return _capital(_with_article(noun)) if article[0] == "A" else _with_article(noun)
        return _capital(noun) if ours[0].isupper() else noun

    def _noun(self, ours: str) -> str:
        theirs = self.item_ if ours.startswith("item") else self.row
        return ours if theirs is None else theirs[ours.endswith("s")]


def _both(name: str, written: Any) -> tuple[str, str]:
    parts = [written] if isinstance(written, str) else list(written)
    if len(parts) not in (1, 2):
        raise ScenarioError(
            f"words.{name} must be a noun, or its singular and plural.",
            hint='as in ["person", "people"].',
            field=name,
        )
    for part in parts:
        if not isinstance(part, str) or len(part) > _LONGEST or not _NOUN.fullmatch(part):
            raise ScenarioError(
                f"words.{name} = {part!r} is not a noun.", hint='write row = "basket".', field=name
            )
    return parts[0], parts[1] if len(parts) == 2 else _plural(parts[0])  # noqa: PLR2004 # singular and plural


def _plural(noun: str) -> str:
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|z|ch|sh)$", noun) else f"{noun}s"


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_OUR_OWN = Nouns()
_CURRENT: ContextVar[Nouns | None] = ContextVar("nouns", default=None)


def nouns() -> Nouns:
    """Return the nouns of what is spoken of now."""
    return _CURRENT.get() or _OUR_OWN


@contextmanager
def speaking_of(words: Nouns | Mapping[str, Any] | None) -> Iterator[None]:
    """Make sentences with some nouns; a Summary has them as it wrote them."""
    before = _CURRENT.set(Nouns.of(words))
    try:
        yield
    finally:
        _CURRENT.reset(before)
