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
        number = {
            name: {"description": LIMITS[name].meaning, "$ref": "#/$defs/amount"},
            f"{name}_exact": {"$ref": "#/$defs/ratio"},
        }
        for part in ("tolerance", *(() if LIMITS[name].of_targets else ("finding", "together"))):
            parts[part]["properties"] |= number | parts[part]["properties"]
        for kinds in (parts["kind"]["enum"], parts["suggestion"]["properties"]["kind"]["enum"]):
            kinds.extend([] if name in kinds else [name])
    return schema


def misfits(value: Any, part: str = "summary", *, most: int = 1) -> list[Wrong]:
    """Return what does not fit a part of the schema, the first of it."""
    return list(islice(_misfits(value, {"$ref": f"#/$defs/{part}"}, ""), most))


def _misfits(value: Any, schema: Schema, where: str) -> Iterator[Wrong]:
    for word, rule in schema.items():
        misfitting = _RULES.get(word)
        if misfitting is not None:
            yield from misfitting(value, rule, where, schema)


def _ref(value: Any, rule: str, where: str, _: Schema) -> Iterator[Wrong]:
    yield from _misfits(value, summary_schema()["$defs"][rule.removeprefix("#/$defs/")], where)


def _type(value: Any, rule: str | list[str], where: str, _: Schema) -> Iterator[Wrong]:
    names = [rule] if isinstance(rule, str) else rule
    if not any(_TYPES[name](value) for name in names):
        yield where, f"is not of type {' or '.join(names)}"


def _const(value: Any, rule: Any, where: str, _: Schema) -> Iterator[Wrong]:
    yield from _enum(value, [rule], where, _)


def _enum(value: Any, rule: list[Any], where: str, _: Schema) -> Iterator[Wrong]:
    if not any(isinstance(value, bool) == isinstance(one, bool) and value == one for one in rule):
        yield where, f"is not {' or '.join(map(json.dumps, rule))}"


def _any_of(value: Any, rule: list[Schema], where: str, _: Schema) -> Iterator[Wrong]:
    misfits = []
    for one in rule:
        wrong = next(_misfits(value, one, where), None)
        if wrong is None:
            return
        misfits.append(wrong)
    yield from misfits[:1]


def _then(value: Any, rule: Schema, where: str, schema: Schema) -> Iterator[Wrong]:
    if next(_misfits(value, schema["if"], where), None) is None:
        yield from _misfits(value, rule, where)


def _required(value: Any, rule: list[str], where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, dict):
        yield from ((where, f"lacks {name}") for name in rule if name not in value)


def _properties(value: Any, rule: Mapping[str, Schema], where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, dict):
        for name, schema in rule.items():
            if name in value:
                yield from _misfits(value[name], schema, f"{where}.{name}".lstrip("."))


def _others(value: Any, rule: Schema, where: str, schema: Schema) -> Iterator[Wrong]:
    if isinstance(value, dict):
        for name in value.keys() - schema.get("properties", {}).keys():
            yield from _misfits(value[name], rule, f"{where}.{name}")


def _items(value: Any, rule: Schema, where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield from _misfits(part, rule, f"{where}.{place}")


def _minimum(value: Any, rule: float, where: str, _: Schema) -> Iterator[Wrong]:
    if _is_number(value) and value < rule:
        yield where, f"is below {rule}"


def _min_items(value: Any, rule: int, where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, list) and len(value) < rule:
        yield where, f"has {len(value)} entries, not at least {rule}"


def _max_items(value: Any, rule: int, where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, list) and len(value) > rule:
        yield where, f"has {len(value)} entries, not at most {rule}"


def _pattern(value: Any, rule: str, where: str, _: Schema) -> Iterator[Wrong]:
    if isinstance(value, str) and re.fullmatch(rule, value) is None:
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
