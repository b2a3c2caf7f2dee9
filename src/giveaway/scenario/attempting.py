"""Values that are made of fields of which several may be wrong, so that all that is wrong is found at once."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, is_dataclass
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from giveaway.errors import Mistake, ScenarioError
from giveaway.scenario.files import TEXTS

T = TypeVar("T")

_TEXT = "\0"
"""A text that no scenario holds."""


class Attempt(Generic[T]):
    """A dataclass in the making: a field that is in the way is replaced by another value, until nothing is."""

    def __init__(self, kind: type[T], others: Mapping[str, tuple[Any, ...]]) -> None:
        self.values: dict[str, Any] = {}
        self._kind = kind
        self._others = others
        """For each field, values that may be right."""
        self._replaced: set[str] = set()

    def replace(self, name: str) -> None:
        """Put something else in the place of a field that is known to be wrong or lacking; what stands in stays."""
        self._replaced.add(name)
        found = self.values.pop(name, None)
        if isinstance(found, str) or is_dataclass(found):
            self.values[name] = found
        elif self._others[name]:
            self.values[name] = self._others[name][0]

    def made(self) -> T | None:
        """Make the value; None where it is refused."""
        try:
            return self._kind(**self.values)
        except (ScenarioError, TypeError):  # TypeError: nothing could stand in for a field that is needed
            return None

    def refused(self) -> Iterator[tuple[str | None, Mistake]]:
        """Give all that the value is refused for, each with the field to blame, or None where that is not a single one.

        Whatever another choice for a replaced field would mend is not told: it may not be wrong at all.
        """
        spent: set[tuple[str, int]] = set()
        while wrong := self._refusal(self.values):
            found = self._mended(wrong, spent)
            if found is None:
                yield from () if self._replaced else ((None, mistake) for mistake in wrong)
                return
            name, which = found
            changed = {**self.values, name: self._others[name][which]}
            if name in self._replaced:
                spent.add(found)
            else:
                left = self._refusal(changed)
                yield from ((name, mistake) for mistake in wrong if mistake not in left)
                self._replaced.add(name)
            self.values = changed

    def _mended(self, wrong: tuple[Mistake, ...], spent: set[tuple[str, int]]) -> tuple[str, int] | None:
        """Find a field and another value for it with which some mistake is gone: first among those replaced.

        If another mistake then shows, it may come of the other value; so a field without that is blamed first, and
        else only one that the mistake is about.
        """
        about: tuple[str, int] | None = None
        for name in sorted(self.values, key=lambda name: name not in self._replaced):
            for which, other in enumerate(self._others[name]):
                if (name, which) in spent:
                    continue
                left = self._refusal({**self.values, name: other})
                if set(left) < set(wrong):
                    return name, which
                gone = [mistake for mistake in wrong if mistake not in left]
                if about is None and any(_is_about(name, mistake) for mistake in gone):
                    about = name, which
        return about

    def _refusal(self, values: Mapping[str, Any]) -> tuple[Mistake, ...]:
        try:
            self._kind(**values)
        except ScenarioError as error:
            return error.mistakes
        except TypeError:
            return ()
        return ()


def _is_about(name: str, mistake: Mistake) -> bool:
    """Tell whether a mistake is about a field: it says so, or its words name the field."""
    if mistake.field is not None:
        return mistake.field == name
    return re.search(rf"(?<!\w){re.escape(name.removesuffix('_'))}(?!\w)", mistake.fact) is not None


def candidates(hint: Any, field: Field[Any]) -> tuple[Any, ...]:
    """Return values that a field of a type may have."""
    kinds = kinds_of(hint)
    usual = () if field.default is MISSING else (field.default,)
    typical = (1,) if Fraction in kinds else tuple(value for kind in kinds for value in _of_kind(kind))
    few = any(kind is bool or get_origin(kind) is Literal for kind in kinds)
    return (*usual, *typical) if few else (*typical, *usual)


def _of_kind(kind: Any) -> tuple[Any, ...]:
    if kind is bool:
        return (True, False)
    if get_origin(kind) is Literal:
        return get_args(kind)
    if kind in (int, float):
        return (1,)
    if kind in TEXTS:
        return (_TEXT,)
    if get_origin(kind) is tuple and get_args(kind)[0] in TEXTS:
        return ((_TEXT,),)
    return ()


def kinds_of(hint: Any) -> tuple[Any, ...]:
    """Return the types that a field may have; that it may be left out is not a type."""
    if get_origin(hint) in (Union, UnionType):
        return tuple(kind for kind in get_args(hint) if kind is not NoneType)
    return (hint,)
