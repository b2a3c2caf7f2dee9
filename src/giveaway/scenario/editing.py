"""A scenario file changed field by field; its comments and its order stay."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from giveaway.errors import ScenarioError


def edit_scenario(text: str, changes: Mapping[str, Any]) -> str:
    r"""Return the text of a scenario file with some fields changed; None takes a field out.

    Fields are named as `--set` names them; sections that are missing are added. Comments and order stay.

    >>> print(edit_scenario('[tolerates]\nidentity = "1/5"  # five\n', {"tolerates.identity": "1/11"}))
    [tolerates]
    identity = "1/11"  # five
    <BLANKLINE>
    """
    import tomlkit
    from tomlkit.exceptions import ParseError

    try:
        document = tomlkit.parse(text)
    except ParseError as error:
        raise ScenarioError(f"The scenario is not TOML: {error}.") from None
    for field, value in changes.items():
        _change(document, field.split("."), field, value)
    return tomlkit.dumps(document)


def _change(values: Any, steps: Sequence[str], field: str, value: Any) -> None:
    *above, last = steps
    for step in above:
        if isinstance(values, list):
            values = values[_place(values, step, field)]
        elif step in values:
            values = values[step]
        elif value is None:
            return
        else:
            values[step] = _section(values)
            values = values[step]
        if not isinstance(values, dict | list):
            raise ScenarioError(f"{field} cannot be changed: {step} is not a section.")
    if isinstance(values, list):
        place = _place(values, last, field)
        if value is None:
            del values[place]
        else:
            values[place] = _written(value, section=True)
    elif value is None:
        values.pop(last, None)
    else:
        _set(values, last, value)


def _set(values: Any, name: str, value: Any) -> None:
    """Give a field its value; the comment on its line stays."""
    import tomlkit
    from tomlkit.items import Table

    is_entries = isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value)
    at_top = isinstance(values, tomlkit.TOMLDocument)
    written = _entries(value) if is_entries and at_top else _written(value, section=at_top)
    earlier = values.get(name)
    if hasattr(earlier, "trivia") and hasattr(written, "trivia"):
        written.trivia.comment_ws = earlier.trivia.comment_ws
        written.trivia.comment = earlier.trivia.comment
    if at_top and isinstance(earlier, list) and not written:
        del values[name]
    elif earlier is None and isinstance(values, Table) and len(values):
        # A new field goes below the last one: what comments stand after it are about what follows.
        values.value._insert_after(list(values)[-1], name, written)  # noqa: SLF001 # there is no public word for it
    else:
        values[name] = written


def _section(values: Any) -> Any:
    """Make a section: at the top one with a heading, inside others one on a line."""
    import tomlkit

    return tomlkit.table() if isinstance(values, tomlkit.TOMLDocument) else tomlkit.inline_table()


def _entries(values: Sequence[Mapping[str, Any]]) -> Any:
    """Write a list of sections, each with a heading of its own."""
    import tomlkit

    entries = tomlkit.aot()
    for value in values:
        entries.append(_written(value, section=True))
    return entries


def _written(value: Any, *, section: bool = False) -> Any:
    """Write a value; fractions and exact decimals are text, as limits may be."""
    import tomlkit

    if isinstance(value, Fraction | Decimal):
        return tomlkit.item(str(value))
    if isinstance(value, Mapping):
        table = tomlkit.table() if section else tomlkit.inline_table()
        for name, one in value.items():
            table[name] = _written(one)
        return table
    if isinstance(value, list | tuple):
        listed = tomlkit.array()
        for one in value:
            listed.append(_written(one))
        return listed
    return tomlkit.item(value)


def _place(values: Sequence[Any], step: str, field: str) -> int:
    if not (step.isascii() and step.isdigit()) or int(step) >= len(values):
        raise ScenarioError(
            f"{field} cannot be changed: there is no entry {step}.",
            exists=", ".join(map(str, range(len(values)))) or "none",
        )
    return int(step)
