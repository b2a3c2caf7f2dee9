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


@dataclass(frozen=True, kw_only=True)
class Nouns:
    """The nouns of rows and items, each in the singular and the plural; None is our own.

    >>> Nouns.of({"row": "basket", "item": ["person", "people"]}).told("No transaction holds an item.")
    'No basket holds a person.'
    """

    row: tuple[str, str] | None = None
    item_: tuple[str, str] | None = None

    @classmethod
    def of(cls, given: "Nouns | Mapping[str, Any] | None") -> "Nouns":
        """Read nouns: for `row` and `item` the singular, or a list of singular and plural."""
        if isinstance(given, Nouns):
            return given
        unknown = [name for name in given or {} if name not in ("row", "item")]
        if unknown:
            raise ScenarioError(f"words has no field {unknown[0]}.", exists="row, item", field="words")
        found = {name: _both(name, value) for name, value in (given or {}).items() if value is not None}
        return cls(row=found.get("row"), item_=found.get("item"))

    def to_dict(self) -> dict[str, list[str]]:
        """Return the nouns that are not our own, as `of` reads them."""
        return {
            name: list(noun) for name, noun in (("row", self.row), ("item", self.item_)) if noun is not None
        }

    @property
    def transaction(self) -> str:
        """A row of transactions."""
        return self._noun("transaction")

    @property
    def transactions(self) -> str:
        """Rows of transactions."""
        return self._noun("transactions")

    @property
    def record(self) -> str:
        """A row of a table."""
        return self._noun("record")

    @property
    def records(self) -> str:
        """Rows of a table."""
        return self._noun("records")

    @property
    def item(self) -> str:
        """Something that transactions hold."""
        return self._noun("item")

    @property
    def items(self) -> str:
        """Several of these."""
        return self._noun("items")

    @property
    def a_transaction(self) -> str:
        """The noun with its article."""
        return _with_article(self.transaction)

    @property
    def a_record(self) -> str:
        """The noun with its article."""
        return _with_article(self.record)

    @property
    def an_item(self) -> str:
        """The noun with its article."""
        return _with_article(self.item)

    @property
    def A_transaction(self) -> str:  # noqa: N802 # it begins a sentence
        """The noun with its article at the beginning of a sentence."""
        return _capital(self.a_transaction)

    @property
    def A_record(self) -> str:  # noqa: N802
        """The noun with its article at the beginning of a sentence."""
        return _capital(self.a_record)

    @property
    def An_item(self) -> str:  # noqa: N802
        """The noun with its article at the beginning of a sentence."""
        return _capital(self.an_item)

    def told(self, text: str) -> str:
        """Put the nouns into a sentence of ours that holds no value of the data."""
        return text if self == _OUR_OWN else _OURS.sub(self._instead, text)

    def singular(self, plural: str) -> str | None:
        """Return the singular of one of these nouns; None for any other word."""
        return next((one for one, many in filter(None, (self.row, self.item_)) if many == plural), None)

    def _instead(self, found: re.Match[str]) -> str:
        article, ours = found.groups()
        noun = self._noun(ours.lower())
        if article:
            return _capital(_with_article(noun)) if article[0] == "A" else _with_article(noun)
        return _capital(noun) if ours[0].isupper() else noun

    def _noun(self, ours: str) -> str:
        given = self.item_ if ours.startswith("item") else self.row
        return ours if given is None else given[ours.endswith("s")]


def _both(name: str, given: Any) -> tuple[str, str]:
    parts = [given] if isinstance(given, str) else list(given)
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
def speaking_of(given: Nouns | Mapping[str, Any] | None) -> Iterator[None]:
    """Make sentences with some nouns; a Summary has them as it wrote them."""
    before = _CURRENT.set(Nouns.of(given))
    try:
        yield
    finally:
        _CURRENT.reset(before)
