"""The JSON schema of Summaries, and the small part of JSON Schema that it is written in."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

from giveaway.model.question.limits import LIMITS

Schema = Mapping[str, Any]
Wrong = tuple[str, str]
"""Where something is wrong, as in findings.0.safe, and what."""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "number": _is_number,
}


def summary_schema() -> dict[str, Any]:
    """Read the schema that is shipped with the package; limits that others added to the table have their part in it."""
    return _with_limits((*LIMITS,))


@cache
def _with_limits(names: tuple[str, ...]) -> dict[str, Any]:
    """Put limits into their places in the schema: what is stated, what is measured, and what was tried nearby."""
    text = (files("giveaway.report") / "summary.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    parts = schema["$defs"]
    for name in names:
        number = {name: {"$ref": "#/$defs/amount"}, f"{name}_exact": {"$ref": "#/$defs/ratio"}}
        for part in ("tolerance", *(() if LIMITS[name].of_targets else ("finding", "together"))):
            parts[part]["properties"] |= number
        for kinds in (parts["kind"]["enum"], parts["suggestion"]["properties"]["kind"]["enum"]):
            kinds.extend([] if name in kinds else [name])
    return schema


def misfits(value: Any, part: str = "summary", *, most: int = 1) -> list[Wrong]:
    """Return what does not fit a part of the schema, the first of it."""
    return list(islice(_misfits(value, {"$ref": f"#/$defs/{part}"}, ""), most))


def _misfits(value: Any, schema: Schema, where: str) -> Iterator[Wrong]:
    for word, said in schema.items():
        rule = _RULES.get(word)
        if rule is not None:
            yield from rule(value, said, where, schema)


def _ref(value: Any, said: str, where: str, _: Schema) -> Iterator[Wrong]:
    yield from _misfits(value, summary_schema()["$defs"][said.removeprefix("#/$defs/")], where)


def _type(value: Any, said: str | list[str], where: str, _: Schema) -> Iterator[Wrong]:
    names = [said] if isinstance(said, str) else said
    if not any(_TYPES[name](value) for name in names):
        yield where, f"is not of type {' or '.join(names)}"


def _const(value: Any, said: Any, where: str, _: Schema) -> Iterator[Wrong]:
    yield from _enum(value, [said], where, _)


def _enum(value: Any, said: list[Any], where: str, _: Schema) -> Iterator[Wrong]:
    if not any(isinstance(value, bool) == isinstance(one, bool) and value == one for one in said):
        yield where, f"is not {' or '.join(map(json.dumps, said))}"


def _any_of(value: Any, said: list[Schema], where: str, _: Schema) -> Iterator[Wrong]:
    found = []
    for one in said:
        wrong = next(_misfits(value, one, where), None)
        if wrong is None:
            return
        found.append(wrong)
    yield from found[:1]


def _then(value: Any, said: Schema, where: str, schema: Schema) -> Iterator[Wrong]:
    if next(_misfits(value, schema["if"], where), None) is None:
        yield from _misfits(value, said, where)


def _required(value: Any, said: list[str], where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, dict):
        yield from ((where, f"lacks {name}") for name in said if name not in value)


def _properties(value: Any, said: Mapping[str, Schema], where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, dict):
        for name, schema in said.items():
            if name in value:
                yield from _misfits(value[name], schema, f"{where}.{name}".lstrip("."))


def _others(value: Any, said: Schema, where: str, schema: Schema) -> Iterator[Wrong]:
    if isinstance(value, dict):
        for name in value.keys() - schema.get("properties", {}).keys():
            yield from _misfits(value[name], said, f"{where}.{name}")


def _items(value: Any, said: Schema, where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield from _misfits(part, said, f"{where}.{place}")


def _minimum(value: Any, said: float, where: str, _: Schema) -> Iterator[Wrong]:
    if _is_number(value) and value < said:
        yield where, f"is below {said}"


def _min_items(value: Any, said: int, where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, list) and len(value) < said:
        yield where, f"has {len(value)} entries, not at least {said}"


def _max_items(value: Any, said: int, where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, list) and len(value) > said:
        yield where, f"has {len(value)} entries, not at most {said}"


def _pattern(value: Any, said: str, where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, str) and re.fullmatch(said, value) is None:
        yield where, "is not a text of the form that it must have"


_RULES: dict[str, Callable[[Any, Any, str, Schema], Iterator[Wrong]]] = {
    "$ref": _ref,
    "type": _type,
    "const": _const,
    "enum": _enum,
    "anyOf": _any_of,
    "then": _then,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _others,
    "items": _items,
    "minimum": _minimum,
    "minItems": _min_items,
    "maxItems": _max_items,
    "pattern": _pattern,
}
