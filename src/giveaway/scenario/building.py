"""Nested values become dataclasses by the types of their fields; mistakes are collected with their lines."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, is_dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from giveaway.errors import Mistake, ScenarioError, WrongQuestion
from giveaway.model.classes.rules import ClassRule, LadderRule
from giveaway.scenario.fields import words
from giveaway.scenario.files import TEXTS, Data, Given, MayRead, look_for
from giveaway.scenario.lines import Lines
from giveaway.scenario.words import Loose

T = TypeVar("T")

_TEXT = "\0"
"""A text that no scenario holds."""


class Builder:
    """Builds values and collects what is wrong with them.

    `where` is always the dotted path of a field, as in `knows.0.columns`; the empty one is the whole scenario. Files
    are looked for in the folder `base`, or not at all when it is None.
    """

    def __init__(self, lines: Lines, base: Path | None = None, may_read: MayRead | None = None) -> None:
        self.mistakes: list[Mistake] = []
        self.unfound: list[Mistake] = []
        """Files that are not there; what names them is as it should be."""
        self.doubtful: set[str] = set()
        """The fields that are wrong."""
        self._lines = lines
        self._base = base
        self._may_read = may_read

    def wrong(self, where: str, mistake: Mistake) -> None:
        """Keep a mistake with the line it stands on."""
        self.mistakes.append(self._placed(where, mistake))
        self.doubtful.add(where)

    @contextmanager
    def collecting(self, where: str) -> Iterator[None]:
        """Keep the mistakes that a check raises."""
        try:
            yield
        except ScenarioError as error:
            for mistake in error.mistakes:
                self.wrong(where, mistake)

    def _placed(self, where: str, mistake: Mistake) -> Mistake:
        return replace(mistake, where=mistake.where or self._lines.place(where))

    def only(self, values: Mapping[str, Any], known: Iterable[str], where: str) -> None:
        """Refuse keys that do not exist."""
        known = list(known)
        for key in values:
            place = f"{where}.{key}" if where else str(key)
            if key not in known:
                close = get_close_matches(str(key), known, 1)
                hint = f"did you mean {close[0]}?" if close else None
                fact = f"{where or 'The scenario'} has no field {key}."
                self.wrong(place, Mistake(fact, ", ".join(known), hint))

    def build(self, stated: Any, kind: type[T], where: str) -> T | None:
        """Make a dataclass of a mapping; None after a mistake."""
        before = len(self.mistakes)
        value = self.sketch(stated, kind, where)
        return value if len(self.mistakes) == before else None

    def sketch(self, stated: Any, kind: type[T], where: str) -> T | None:
        """Make a dataclass of a mapping as far as it is right.

        For what is wrong or lacking there is something else; a text or a section that is wrong stays.
        """
        if not isinstance(stated, Mapping):
            self.wrong(where, Mistake(f"{where} must be a section of fields."))
            return None
        fields = words(kind)
        hints = get_type_hints(kind)
        written = {name: self._written(stated, name, field, where) for name, field in fields.items()}
        others = {field.metadata.get("also") for field in fields.values()}
        self.only({key: value for key, value in stated.items() if key not in others}, fields, where)
        choices = {f.name: _stand_ins(hints[f.name], f) for f in fields.values()}
        values: dict[str, Any] = {}
        replaced: set[str] = set()
        for name, field in fields.items():
            before = len(self.mistakes)
            word = written[name]
            if word in stated:
                values[field.name] = self._value(stated[word], hints[field.name], f"{where}.{word}")
            elif field.default is MISSING:
                self.wrong(where, Mistake(f"{where} needs {name}: {field.metadata['doc']}."))
            if len(self.mistakes) > before:
                replaced.add(field.name)
                value = values.get(field.name)
                if not isinstance(value, str) and not is_dataclass(value):
                    values.pop(field.name, None)
                    values.update((field.name, other) for other in choices[field.name][:1])
        for mistake in _refused(kind, values, choices, replaced):
            blamed = written.get((mistake.field or "").removesuffix("_"))
            self.wrong(f"{where}.{blamed}" if blamed else where, _in_words(mistake, written))
        try:
            return kind(**values)
        except (ScenarioError, TypeError):  # TypeError: nothing could stand in for a field that is needed
            return None

    def _written(self, stated: Mapping[str, Any], name: str, field: Field[Any], where: str) -> str:
        """Return the word by which a field is given: its name, or another that means the same."""
        other = field.metadata.get("also")
        if other is None or other not in stated:
            return name
        if name in stated:
            fact = f"{name} and {other} are both given."
            self.wrong(f"{where}.{other}", Mistake(fact, hint=f"they are the same: give {name}."))
            return name
        self._lines.same(f"{where}.{name}", f"{where}.{other}")
        return str(other)

    def _value(self, stated: Any, hint: Any, where: str) -> Any:
        """Convert one value by the type of its field; numbers stay as written, for the field to read exactly."""
        kinds = kinds_of(hint)
        rule = next((kind for kind in kinds if kind in (ClassRule, LadderRule)), None)
        if rule is not None:
            return self._rule(stated, rule, where)
        sections: list[Any] = [kind for kind in kinds if is_dataclass(kind)]
        choices = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
        several = next((kind for kind in kinds if get_origin(kind) is tuple), None)
        if sections and (isinstance(stated, Mapping) or not choices):
            return self.sketch(stated, sections[0], where)
        by_column = next((kind for kind in kinds if get_origin(kind) is Mapping), None)
        if by_column is not None and not (choices and isinstance(stated, str)):
            return self._by_column(stated, get_args(by_column)[1], where)
        if choices:
            return self._choice(stated, choices, sections, where)
        if several is not None and (isinstance(stated, list) or not TEXTS.intersection(kinds)):
            return self._several(stated, get_args(several)[0], where)
        return self._single(stated, kinds, where)

    def _rule(
        self, stated: Any, kind: type[ClassRule | LadderRule], where: str
    ) -> ClassRule | LadderRule | None:
        """Read classes or a ladder, which have short forms."""
        try:
            return kind.of(stated)
        except ScenarioError as error:
            for mistake in error.mistakes:
                self.wrong(where, replace(mistake, fact=f"{_last(where)}: {mistake.fact}"))
            return None

    def _single(self, stated: Any, kinds: tuple[Any, ...], where: str) -> Any:
        """Convert a value that is one text, number or switch."""
        if Hashable in kinds:
            return self._label(stated, where)
        if Fraction in kinds:
            return str(stated) if str in kinds and isinstance(stated, Decimal) else stated
        if int in kinds and isinstance(stated, int):
            return stated
        if not TEXTS.isdisjoint(kinds):
            return self._named(stated, kinds, where)
        if bool in kinds and not isinstance(stated, bool):
            self.wrong(where, Mistake(f"{_last(where)} = {stated!r} must be true or false."))
        return float(stated) if isinstance(stated, Decimal) else stated

    def _several(self, value: Any, kind: Any, where: str) -> tuple[Any, ...]:
        parts = value if isinstance(value, list) else value.parts if isinstance(value, Loose) else [value]
        return tuple(
            self._value(part, kind, f"{where}.{place}" if isinstance(part, Mapping) else where)
            for place, part in enumerate(parts)
        )

    def _choice(self, stated: Any, choices: list[str], sections: list[Any], where: str) -> Any:
        """Take one of a few words; the words true and false need no quotes."""
        word = str(stated).lower() if isinstance(stated, bool) else stated
        if word in choices:
            return word
        name = _last(where)
        forms = ["{ " + ", ".join(f"{field} = ..." for field in words(kind)) + " }" for kind in sections]
        self.wrong(where, Mistake(f"{name} = {stated!r} is unknown.", ", ".join((*choices, *forms))))
        return None

    def _by_column(self, stated: Any, kind: Any, where: str) -> Any:
        """Read columns with something for each of them: of the data a value or several, else what the type says."""
        if not isinstance(stated, Mapping):
            hint = 'write { job = "manager" }.' if kind is Hashable else "write { column = ... }."
            self.wrong(where, Mistake(f"{where} must name columns with their values.", hint=hint))
            return None
        if kind is not Hashable:
            return {column: self._value(part, kind, f"{where}.{column}") for column, part in stated.items()}
        return {
            column: tuple(self._label(part, where) for part in value)
            if isinstance(value, list)
            else self._label(value, where)
            for column, value in stated.items()
        }

    def _label(self, stated: Any, where: str) -> str:
        """Read a value of the data, which is text even where it looks like a number."""
        number = isinstance(stated, int | Decimal) and not isinstance(stated, bool)
        return str(stated) if number else self._text(stated, where)

    def _named(self, stated: Any, kinds: tuple[Any, ...], where: str) -> str:
        """Read a text, and look for the file that it names."""
        text = self._text(stated, where)
        if self._base is not None and isinstance(stated, str) and str not in kinds:
            try:
                look_for(
                    text,
                    self._base,
                    addresses=Data in kinds or Given in kinds,
                    folders=Given in kinds,
                    may_read=self._may_read,
                )
            except WrongQuestion as error:
                self.unfound += [self._placed(where, mistake) for mistake in error.mistakes]
        return text

    def _text(self, stated: Any, where: str) -> str:
        if not isinstance(stated, str):
            plain = str(stated).lower() if isinstance(stated, bool) else str(stated)
            hint = None if isinstance(stated, list | Mapping) else f'write "{plain}".'
            self.wrong(where, Mistake(f"{where} must be text, not {plain}.", hint=hint))
        return str(stated)


def _refused(
    kind: type[Any], values: dict[str, Any], choices: Mapping[str, tuple[Any, ...]], replaced: set[str]
) -> Iterator[Mistake]:
    """Give all that a dataclass is refused for: each field that is wrong is replaced, until nothing else shows.

    Whatever another choice for a replaced field would mend is not told: it may not be wrong at all.
    """
    untried = [(name, other) for name, others in choices.items() for other in others]
    while wrong := _refusal(kind, values):
        for name, other in untried:
            if name in replaced and _mends(name, wrong, _refusal(kind, {**values, name: other})):
                values[name] = other
                untried.remove((name, other))
                break
        else:
            blamed = next((m.field for m in wrong if m.field in choices and m.field not in replaced), None)
            if blamed is None:
                yield from () if replaced else wrong
                return
            yield from (mistake for mistake in wrong if mistake.field == blamed)
            replaced.add(blamed)


def _mends(name: str, before: Sequence[Mistake], after: Sequence[Mistake]) -> bool:
    """Tell whether another value of a field mends something: what is left was wrong before, or is not about the field."""
    about = {mistake for mistake in before if mistake.field == name}
    return set(after) < set(before) or (bool(about) and all(mistake.field != name for mistake in after))


def _refusal(kind: type[Any], values: Mapping[str, Any]) -> tuple[Mistake, ...]:
    try:
        kind(**values)
    except ScenarioError as error:
        return error.mistakes
    except TypeError:
        return ()
    return ()


def _stand_ins(hint: Any, field: Field[Any]) -> tuple[Any, ...]:
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


def _in_words(mistake: Mistake, written: Mapping[str, str]) -> Mistake:
    """Tell a mistake about one field by the word that the scenario has for it."""
    field = mistake.field
    if field is None or field not in written:
        return mistake
    return replace(mistake, fact=mistake.fact.replace(field, written[field], 1))


def _last(where: str) -> str:
    return where.rsplit(".", 1)[-1]
