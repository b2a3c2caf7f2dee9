"""How an owner writes classes and ladders: short forms and fields, checked before any data are read."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, Self, TypeVar

from giveaway.errors import Mistake, ScenarioError
from giveaway.model.classes.dates import NESTED, UNITS, Unit, span, wrong_format
from giveaway.model.classes.numbers import number, written
from giveaway.model.data.labels import near_labels
from giveaway.model.question.fields import described, settable

_QUANTILES = re.compile(r"quantiles\s+([0-9]{1,6})")
_FORMS = '[18, 40, 65], 10, "quantiles 5", "year", { prefix = 3 }'
_LADDER_FORMS = '[5, 10, 20], ["month", "year"], { prefix = [4, 3] }, "quantiles 8", "auto"'

R = TypeVar("R", bound="_Rule")


@dataclass(frozen=True, kw_only=True)
class _Rule:
    """What classes and ladders have in common: they are written as fields, and say themselves."""

    @classmethod
    def fields_of(cls, written: Mapping[Any, Any]) -> Self:
        """Make a rule of fields by their words, and refuse all that is wrong with them at once."""
        known = {name.removesuffix("_"): name for name in settable(cls)}
        wrong = [_unknown(str(word), list(known)) for word in written if word not in known]
        values = {}
        for word, value in written.items():
            if word in known:
                try:
                    values[known[word]] = _READERS[cls.__name__][word](value, word)
                except ScenarioError as error:
                    wrong += error.mistakes
        if wrong:
            raise ScenarioError(wrong)
        return cls(**values)

    def told(self) -> dict[str, Any]:
        """Return what was written, plainly: it may stand in a manifest."""
        values = {f.name.removesuffix("_"): getattr(self, f.name) for f in fields(self)}
        usual = {f.name.removesuffix("_"): f.default for f in fields(self)}
        return {word: _plain(value) for word, value in values.items() if value != usual[word]}

    def _wrong(self, names: tuple[str, ...]) -> list[Mistake]:
        """Find more than one way, or none, to make groups."""
        named = [name for name in names if getattr(self, name) not in (None, ())]
        if len(named) != 1:
            ways = f"{' and '.join(named)} are given together" if named else "no way to make groups is given"
            return [Mistake(f"Of {', '.join(names)} one is needed, and {ways}.")]
        return []

    def _wrong_format(self, format: str | None) -> list[Mistake]:
        why = None if format is None else wrong_format(format)
        return [] if why is None else [Mistake(f'format = "{format}" {why}.', hint='write "%d.%m.%Y".')]


@dataclass(frozen=True, kw_only=True)
class ClassRule(_Rule):
    """How the values of a column are put into classes.

    >>> ClassRule.of([18, 40, 65]).says(), ClassRule.of(10000).says(), ClassRule.of("year").says()
    ('cut at 18, 40 and 65', 'in steps of 10000', 'by year')
    """

    cuts: tuple[Decimal, ...] = described(
        "ascending numbers; each begins a class, both ends are open", default=()
    )
    labels: tuple[str, ...] = described(
        "with cuts: what the classes are called, one more than cuts", default=()
    )
    width: Decimal | None = described("classes of one width; a bare number says the same", default=None)
    from_: Decimal = described("with width: where a class begins", default=Decimal(0))
    quantiles: int | None = described(
        'this many classes with about equally many rows; "quantiles 5" says the same', default=None
    )
    round: Decimal | None = described(
        "with quantiles: the cuts become multiples of it; without it they have two significant digits",
        default=None,
    )
    by: Unit | None = described(
        f'dates: the {", ".join(UNITS)} in which they lie; "year" alone says the same', default=None
    )
    age_at: date | None = described("dates of birth become completed years at this day", default=None)
    format: str | None = described('of dates that are not YYYY-MM-DD, as in "%d.%m.%Y"', default=None)
    prefix: int | None = described("text: the first characters, then * for each further one", default=None)

    @classmethod
    def of(cls, written: Any) -> "ClassRule":
        """Read what is written for a column; a rule stays what it is."""
        if isinstance(written, ClassRule):
            return written
        if isinstance(written, Mapping):
            return cls.fields_of(written)
        if isinstance(written, list | tuple):
            return cls.fields_of({"cuts": written})
        if isinstance(written, str):
            return cls.fields_of(_word(written, "by", _FORMS))
        return cls.fields_of({"width": written})

    def __post_init__(self) -> None:
        wrong = self._wrong(("cuts", "width", "quantiles", "by", "prefix"))
        wrong += _falling(self.cuts) + self._wrong_format(self.format)
        if self.labels and len(self.labels) != len(self.cuts) + 1:
            wrong.append(
                Mistake(
                    f"{len(self.labels)} labels are given for {len(self.cuts)} cuts.",
                    hint="both ends are open: there is one more label than cuts.",
                )
            )
        if len(set(self.labels)) < len(self.labels):
            wrong.append(Mistake("labels names two classes the same."))
        for name, other in (("labels", "cuts"), ("round", "quantiles")):
            if getattr(self, name) and not getattr(self, other):
                wrong.append(Mistake(f"{name} is given without {other}."))
        if self.from_ and self.width is None:
            wrong.append(Mistake("from is given without width."))
        if self.format is not None and self.by is None and self.age_at is None:
            wrong.append(Mistake("format is given, and nothing is read as a date.", hint='say by = "year".'))
        if self.age_at is not None and (self.by is not None or self.prefix is not None):
            wrong.append(Mistake("age_at makes numbers.", hint="give cuts, width or quantiles with it."))
        if wrong:
            raise ScenarioError(wrong)

    @property
    def is_numeric(self) -> bool:
        """Whether values are read as numbers, or as dates that become ages."""
        return self.by is None and self.prefix is None

    @property
    def finds_cuts(self) -> bool:
        """Whether the cuts come from the data: then each may be somebody's value."""
        return self.quantiles is not None

    def says(self) -> str:
        """Say how the classes are made, without anything that was found in the data."""
        if self.prefix is not None:
            return f"by the first {'character' if self.prefix == 1 else f'{self.prefix} characters'}"
        if self.by is not None:
            return f"by {self.by}"
        age = "" if self.age_at is None else f"as age on {self.age_at}, "
        if self.cuts:
            *first, last = map(written, self.cuts)
            return f"{age}cut at {', '.join(first)}{' and ' if first else ''}{last}"
        if self.width is not None:
            start = f" from {written(self.from_)}" if self.from_ else ""
            return f"{age}in steps of {written(self.width)}{start}"
        near = "" if self.round is None else f", rounded to {written(self.round)}"
        return f"{age}in {self.quantiles} quantiles{near}"


@dataclass(frozen=True, kw_only=True)
class LadderRule(_Rule):
    """How the values or classes of a column become coarser, level by level.

    >>> LadderRule.of([5, 10, 20]).width == (5, 10, 20), LadderRule.of([4, 3]).prefix, LadderRule.of("auto").auto
    (True, (4, 3), True)
    """

    width: tuple[Decimal, ...] = described("widths, each a multiple of the one before", default=())
    from_: Decimal = described("with width: where a class begins", default=Decimal(0))
    cuts: tuple[Decimal, ...] = described(
        "cuts of the finest level; then neighbours are joined in pairs", default=()
    )
    quantiles: int | None = described(
        "this many classes at the finest level; then neighbours are joined in pairs", default=None
    )
    by: tuple[Unit, ...] = described("dates: units, the finest first", default=())
    format: str | None = described('of dates that are not YYYY-MM-DD, as in "%d.%m.%Y"', default=None)
    prefix: tuple[int, ...] = described(
        "text: how many characters are left at each level, falling", default=()
    )
    auto: bool = described("what fits the values", default=False)

    @classmethod
    def of(cls, written: Any) -> "LadderRule":
        """Read what is written for a column; a list is of widths, of falling prefixes, or of units."""
        if isinstance(written, LadderRule):
            return written
        if written == "auto":
            return cls(auto=True)
        if isinstance(written, str):
            return cls.fields_of(_word(written, "by", _LADDER_FORMS))
        if isinstance(written, Mapping):
            return cls.fields_of(written)
        listed = list(written) if isinstance(written, list | tuple) else [written]
        if listed and all(isinstance(part, str) and number(part) is None for part in listed):
            return cls.fields_of({"by": listed})
        falls = len(listed) > 1 and all(isinstance(part, int) for part in listed) and listed[0] > listed[1]
        return cls.fields_of({"prefix" if falls else "width": listed})

    def __post_init__(self) -> None:
        wrong = [] if self.auto else self._wrong(("width", "cuts", "quantiles", "by", "prefix"))
        wrong += _falling(self.cuts) + self._wrong_format(self.format)
        for fine, coarse in pairwise(self.width):
            if coarse <= fine or Fraction(coarse) % Fraction(fine):
                wrong.append(
                    Mistake(
                        f"The width {written(coarse)} is not a multiple of {written(fine)}.",
                        hint="levels nest: each width divides the next one.",
                    )
                )
        if any(fine not in NESTED or coarse not in NESTED for fine, coarse in pairwise(self.by)):
            wrong.append(Mistake("Weeks are parts of no other unit.", hint='write "week" alone.'))
        elif any(NESTED.index(fine) >= NESTED.index(coarse) for fine, coarse in pairwise(self.by)):
            wrong.append(Mistake("The units do not become coarser.", ", ".join(NESTED)))
        if any(coarse >= fine for fine, coarse in pairwise(self.prefix)):
            wrong.append(Mistake("The prefixes do not become shorter.", hint="write [4, 3, 2]."))
        if self.from_ and not self.width:
            wrong.append(Mistake("from is given without width."))
        if self.format is not None and not (self.by or self.auto):
            wrong.append(
                Mistake("format is given, and nothing is read as a date.", hint='say by = ["year"].')
            )
        if wrong:
            raise ScenarioError(wrong)


def decimal_sign(sign: str) -> str:
    """Return the sign before the decimals of a number, or refuse it."""
    if sign not in (".", ","):
        raise ScenarioError(f"decimal = {sign!r} is unknown.", exists='".", ","', field="decimal")
    return sign


def not_judged(column: str, field: str) -> Mistake:
    """Make the mistake of classes or a ladder for a column that nobody judges."""
    return Mistake(
        f'Column "{column}" has {field} and is not judged.',
        hint="they are for columns that are judged: not the id, not left out, not published unjudged.",
        field=field,
    )


def rules_of(by_column: Mapping[str, Any] | None, kind: type[R], name: str) -> dict[str, R]:
    """Read what is written for each column, and refuse all that is wrong at once."""
    if not isinstance(by_column or {}, Mapping):
        raise ScenarioError(
            f"{name} must name columns.", hint=f"write {name} = {{ age = [18, 65] }}.", field=name
        )
    rules: dict[str, R] = {}
    wrong: list[Mistake] = []
    for column, part in (by_column or {}).items():
        try:
            rules[column] = kind.of(part)  # type: ignore[attr-defined] # both rules have it
        except ScenarioError as error:
            wrong += [
                replace(one, fact=f"{name} of {column}: {one.fact}", field=name) for one in error.mistakes
            ]
    if wrong:
        raise ScenarioError(wrong)
    return rules


def _word(text: str, unit: str, forms: str) -> dict[str, Any]:
    """Read a text that stands alone: quantiles, a unit, or a number."""
    match = _QUANTILES.fullmatch(text.strip())
    if match is not None:
        return {"quantiles": int(match[1])}
    if number(text) is not None:
        return {"width": text}
    if text not in UNITS:
        raise ScenarioError(
            f'"{text}" is not understood.', exists=f"{', '.join(UNITS)}", hint=f"write {forms}.", field=None
        )
    return {unit: text}


def _unknown(word: str, known: list[str]) -> Mistake:
    near = near_labels(word, known, most=1)
    return Mistake(
        f"There is no field {word}.", ", ".join(known), f"did you mean {near[0]}?" if near else None
    )


def _falling(cuts: tuple[Decimal, ...]) -> list[Mistake]:
    return [
        Mistake(f"The cut {written(high)} is not above {written(low)}.", hint="cuts ascend.")
        for low, high in pairwise(cuts)
        if high <= low
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Decimal):
        return int(written(value)) if "." not in written(value) else written(value)
    return value.isoformat() if isinstance(value, date) else value


# How the fields are read ----------------------------------------------------------------------------------------


def _decimal(value: Any, word: str) -> Decimal:
    plain = isinstance(value, Decimal | int | float | str) and not isinstance(value, bool)
    exact = number(str(value)) if plain else None
    if exact is None:
        raise ScenarioError(f"{word} = {value!r} is not a number.", hint='write 0.5 or "0.5".', field=word)
    return exact


def _above_zero(value: Any, word: str) -> Decimal:
    exact = _decimal(value, word)
    if exact <= 0:
        raise ScenarioError(f"{word} = {value} must be above 0.", field=word)
    return exact


def _count(value: Any, word: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ScenarioError(f"{word} = {value!r} is not a whole number above 0.", field=word)
    return value


def _parts(value: Any, word: str) -> int:
    if _count(value, word) == 1:
        raise ScenarioError(
            "quantiles = 1 would put everything into one class.", hint="write 2 or more.", field="quantiles"
        )
    return int(value)


def _day(value: Any, word: str) -> date:
    if isinstance(value, datetime):
        return value.date()
    day = value if isinstance(value, date) else None
    read = span(value) if isinstance(value, str) else None
    if read is not None and read.first == read.last:
        day = read.first
    if day is None:
        raise ScenarioError(
            f"{word} = {value!r} is not a day.", hint=f'write {word} = "2026-01-01".', field=word
        )
    return day


def _unit(value: Any, word: str) -> Unit:
    if value not in UNITS:
        raise ScenarioError(
            f"{word} = {value!r} is not a unit of dates.", exists=", ".join(UNITS), field=word
        )
    unit: Unit = value
    return unit


def _text(value: Any, word: str) -> str:
    if not isinstance(value, str) or not value:
        raise ScenarioError(f"{word} = {value!r} must be a text.", field=word)
    return value


def _switch(value: Any, word: str) -> bool:
    if value is not True:
        raise ScenarioError(f"{word} = {value!r} can only be true.", field=word)
    return True


def _one_or_several(read: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """Return a reader of lists of what another reads; all that is wrong in a list is refused at once."""

    def several(value: Any, word: str) -> tuple[Any, ...]:
        parts: list[Any] = []
        wrong: list[Mistake] = []
        for part in value if isinstance(value, list | tuple) else [value]:
            try:
                parts.append(read(part, word))
            except ScenarioError as error:
                wrong += error.mistakes
        if wrong or not parts:
            raise ScenarioError(wrong or [Mistake(f"{word} is an empty list.")])
        return tuple(parts)

    return several


_READERS: Mapping[str, Mapping[str, Callable[[Any, str], Any]]] = {
    "ClassRule": {
        "cuts": _one_or_several(_decimal),
        "labels": _one_or_several(_text),
        "width": _above_zero,
        "from": _decimal,
        "quantiles": _parts,
        "round": _above_zero,
        "by": _unit,
        "age_at": _day,
        "format": _text,
        "prefix": _count,
    },
    "LadderRule": {
        "width": _one_or_several(_above_zero),
        "from": _decimal,
        "cuts": _one_or_several(_decimal),
        "quantiles": _parts,
        "by": _one_or_several(_unit),
        "format": _text,
        "prefix": _one_or_several(_count),
        "auto": _switch,
    },
}
