"""What an attack is, told from its row in the table and the fields of its dataclasses."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, is_dataclass
from fractions import Fraction
from typing import Any, get_args, get_origin, get_type_hints

from giveaway.attacks import ATTACKS
from giveaway.attacks.attack import Attack
from giveaway.errors import ScenarioError
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.scenario.attempting import kinds_of
from giveaway.scenario.fields import (
    OF_FEW_ATTACKS,
    OF_ROWS,
    OF_RULES,
    OF_TABLES,
    OF_TRANSACTIONS,
    ReleaseFields,
    words,
)
from giveaway.scenario.needs import needs_fields

Fields = dict[str, Field[Any]]

_WIDTH = 88


def explained(name: str | None) -> str:
    """Explain one attack with all its fields, or list the attacks."""
    if name is None:
        lines = [_wrapped(f"{attack.name:12} {attack.story}", rest=" " * 13) for attack in ATTACKS.values()]
        return "\n".join([*lines, "", "giveaway explain ATTACK tells its fields and its paper."])
    if name not in ATTACKS:
        raise ScenarioError(f"The attack {name} does not exist.", exists=", ".join(ATTACKS))
    return _attack(ATTACKS[name])


def _attack(attack: Attack) -> str:
    knows, needs = attack.scenario_fields or attack.attacker, needs_fields()
    sections = [
        ("The attacker", attack.story),
        ("What is measured", attack.measures),
        ("What this does not cover", "\n".join(f"- {limit}" for limit in attack.does_not_cover)),
        ("Missing values", attack.missing),
        ("The paper", attack.paper),
    ]
    told = [f"{attack.name}\n{'=' * len(attack.name)}"]
    told += [f"{title}\n{_wrapped(text, '  ')}" for title, text in sections]
    told += filter(
        None,
        [
            _fields(f'[[knows]]  attack = "{attack.name}"', words(knows), knows),
            _fields("[release]", _of_release(attack), ReleaseFields),
            _fields("[tolerates]", words(Tolerance), Tolerance),
            _fields("[needs]", _of_needs(attack, needs), needs),
            _fields(f"[protect.{attack.name}]", words(attack.options), attack.options),
            _fields("[effort]", words(Effort), Effort),
        ],
    )
    return "\n\n".join(told)


def _of_release(attack: Attack) -> Fields:
    """Return the fields of [release] that fit the data of an attack."""
    others: tuple[str, ...] = OF_TABLES
    if attack.data is Table:
        others = (*OF_TRANSACTIONS, *(OF_ROWS if attack.reads == "rules" else OF_RULES))
        others += tuple(name for name in OF_FEW_ATTACKS if name not in attack.release_fields)
    return {name: field for name, field in words(ReleaseFields).items() if name not in others}


def _of_needs(attack: Attack, needs: type) -> Fields:
    """Return the field of [needs] that an attack serves."""
    return {name: field for name, field in words(needs).items() if name == attack.need.word}


def _fields(title: str, fields: Fields, kind: type) -> str:
    """List fields that a scenario may set, with their meaning and default; empty when there are none."""
    return "\n".join([title, *_rows(fields, kind, "  ")]) if fields else ""


def _rows(fields: Fields, kind: type, indent: str) -> Iterator[str]:
    hints = get_type_hints(kind)
    for name, field in fields.items():
        default = "required" if field.default is MISSING else f"default {_default(field.default)}"
        told = f"{name:16} {field.metadata['doc']} ({default})"
        yield _wrapped(told, indent, indent + " " * 17)
        for part in kinds_of(hints[field.name]):
            inner = {tuple: get_args(part)[:1], Mapping: get_args(part)[1:]}.get(get_origin(part), (part,))[0]
            if is_dataclass(inner) and isinstance(inner, type):
                yield from _rows(words(inner), inner, indent + "  ")


def _default(value: Any) -> str:
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(f'"{part}"' for part in value)
    return (
        f'"{value}"'
        if isinstance(value, str)
        else str(Fraction(value) if isinstance(value, Fraction) else value)
    )


def _wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    lines = text.splitlines() or [""]
    return "\n".join(
        textwrap.fill(line, _WIDTH, initial_indent=first, subsequent_indent=rest or first) for line in lines
    )
