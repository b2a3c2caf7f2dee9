"""What an attack is, told from its row in the table and the fields of its dataclasses."""

import textwrap
from dataclasses import MISSING
from fractions import Fraction
from typing import Any

from giveaway.attacks import ATTACKS
from giveaway.attacks.attack import Attack
from giveaway.errors import ScenarioError
from giveaway.model.effort import Effort
from giveaway.model.fields import settable
from giveaway.model.tolerance import Tolerance
from giveaway.scenario.fields import LATER, ReleaseFields

_WIDTH = 88


def explained(name: str | None) -> str:
    """Explain one attack with all its fields, or list the attacks."""
    if name is None:
        lines = [f"{attack.name:12} {attack.story}" for attack in ATTACKS.values()]
        return "\n".join(
            [*map(_wrapped, lines), "", "giveaway explain ATTACK tells its fields and its paper."]
        )
    if name not in ATTACKS:
        known = "is not in this version" if name in LATER["attack"] else "does not exist"
        raise ScenarioError(f"The attack {name} {known}.", exists=", ".join(ATTACKS))
    return _attack(ATTACKS[name])


def _attack(attack: Attack) -> str:
    sections = [
        ("The attacker", attack.story),
        ("What is measured", attack.measures),
        ("What this does not cover", "\n".join(f"- {limit}" for limit in attack.does_not_cover)),
        ("Missing values", attack.missing),
        ("The paper", attack.paper),
    ]
    told = [f"{attack.name}\n{'=' * len(attack.name)}"]
    told += [f"{title}\n{_wrapped(text, '  ')}" for title, text in sections]
    told += [
        _fields(f'[[knows]]  attack = "{attack.name}"', attack.attacker),
        _fields("[release]", ReleaseFields),
        _fields("[tolerates]", Tolerance),
        _fields("[needs]", attack.need),
        _fields(f"[protect.{attack.name}]", attack.options),
        _fields("[effort]", Effort),
    ]
    return "\n\n".join(told)


def _fields(title: str, kind: type) -> str:
    """List the fields that a scenario may set, with their meaning and default."""
    rows = [title]
    for name, field in settable(kind).items():
        default = "required" if field.default is MISSING else f"default {_default(field.default)}"
        rows.append(_wrapped(f"{name:16} {field.metadata['doc']} ({default})", "  ", " " * 19))
    return "\n".join(rows)


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
