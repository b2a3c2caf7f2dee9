"""What `giveaway explain` tells: attacks, from their rows and the fields of their dataclasses, and words of the glossary."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, is_dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from giveaway.attacks import ATTACKS
from giveaway.attacks.attack import Attack
from giveaway.errors import ScenarioError
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.question.limits import LIMITS
from giveaway.model.question.presets import PRESETS
from giveaway.scenario.building import kinds_of
from giveaway.scenario.earlier.fields import EarlierFields, ProtectFields
from giveaway.scenario.fields import (
    NOT_OF_RULES,
    OF_FEW_ATTACKS,
    OF_RULES,
    OF_TABLES,
    OF_TRANSACTIONS,
    ReleaseFields,
    words,
)
from giveaway.scenario.limits import tolerance_fields
from giveaway.scenario.needs import needs_fields

Fields = dict[str, Field[Any]]

_WIDTH = 88
_ABOUT_PRESETS = (
    "Limits that others have used, for [tolerates] preset = ..., --preset and ga.Tolerance.preset(...). A preset holds limits "
    "only, and says nothing of what a law asks for: the rules that we read give no number. No source with a number for "
    "attribute was found: that limit is yours to choose. Limits that you give next to a preset win."
)
_ABOUT_EARLIER = (
    "Two releases that are each safe need not be safe together. Each [[earlier]] names one that was given away before, or is "
    "planned for somebody else: every attacker is then judged on this release, and on what all of them show together, and the "
    "worse verdict stands. What is out cannot be withheld any more; protect withholds of this release. --earlier PATH[:LINKED] "
    "adds one on the command line, and the owner's file keeps what is needed to join rows later."
)
_NAMES = 16
"""The width of the names of fields, where none is longer."""

_ENTRY = re.compile(r"^(?P<words>[^\s:#|].*)\n:   (?P<text>.*(?:\n    .*)*)", re.MULTILINE)
_APART = re.compile(r", (?![^(]*\))")
_LINK = re.compile(r"\[([^]]*)]\([^)]*\)")
_NAMED = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
_NEAR = 4


def explained(name: str | None) -> str:
    """Explain one attack with all its fields, or a word of the glossary, or list the attacks."""
    if name is None:
        lines = [
            _wrapped(f"{attack.name:12} {attack.says.story}", rest=" " * 13) for attack in ATTACKS.values()
        ]
        further = [
            "giveaway explain ATTACK tells its fields and its paper.",
            "giveaway explain WORD tells a word of the papers, of the field or of ours, as in mole, alpha_max or prosecutor.",
            "giveaway explain presets tells limits that others have used.",
            "giveaway explain earlier tells how releases that were given away before are judged with this one.",
        ]
        return "\n".join([*lines, "", *further])
    if name == "presets":
        return _presets()
    if name == "earlier":
        parts = [
            _wrapped(_ABOUT_EARLIER),
            _fields("[[earlier]]", words(EarlierFields), EarlierFields),
            _fields("[protect]", words(ProtectFields), ProtectFields),
        ]
        return "\n\n".join(parts)
    if name in ATTACKS:
        return _attack(ATTACKS[name])
    text = _glossary(name)
    if text is None:
        near = _nearest(name)
        exists = f"{', '.join([*ATTACKS, 'presets', 'earlier'])}, and the words of the glossary"
        raise ScenarioError(
            f"{name} is no attack and no word of the glossary.",
            exists=exists,
            hint=f"near it are {', '.join(dict.fromkeys(near))}." if near else None,
        )
    return _wrapped(text)


def _attack(attack: Attack) -> str:
    knows, needs = attack.asks.scenario_fields or attack.attacker, needs_fields()
    sections = [
        ("The attacker", attack.says.story),
        ("What is measured", attack.says.measures),
        ("What this does not cover", "\n".join(f"- {limit}" for limit in attack.says.does_not_cover)),
        ("Missing values", attack.says.missing),
        ("The paper", attack.says.paper),
    ]
    parts = [f"{attack.name}\n{'=' * len(attack.name)}"]
    parts += [f"{title}\n{_wrapped(text, '  ')}" for title, text in sections]
    parts += filter(
        None,
        [
            _fields(f'[[knows]]  attack = "{attack.name}"', words(knows), knows),
            _fields("[release]", _of_release(attack), ReleaseFields),
            _fields(_needed_limits(attack), _of_tolerance(attack), tolerance_fields()),
            _fields("[needs]", _of_needs(attack, needs), needs),
            _fields(f"[protect.{attack.name}]", words(attack.options), attack.options),
            _fields("[effort]", words(Effort), Effort),
        ],
    )
    return "\n\n".join(parts)


def _presets() -> str:
    """Tell every preset: its numbers, the crowd, and the sentence with its source."""
    parts = [
        "\n".join(
            [
                _wrapped(
                    f"{one.name:13}{', '.join(f'{name} {limit}' for name, limit in one.limits.items())}; a crowd of {one.crowd}"
                ),
                _wrapped(f"“{one.sentence}”", " " * 13),
                _wrapped(f"{one.source} ({one.seen}, read {one.read}; certainty: {one.certainty})", " " * 13),
                *([_wrapped(one.note, " " * 13)] if one.note else []),
            ]
        )
        for one in PRESETS.values()
    ]
    return "\n\n".join([_wrapped(_ABOUT_PRESETS), *parts])


def _of_release(attack: Attack) -> Fields:
    """Return the fields of [release] that fit the data of an attack."""
    others: tuple[str, ...] = (*OF_TABLES, *(() if attack.reads.coarser else ("hierarchies", "item_levels")))
    if attack.reads.data is Table:
        others = (*OF_TRANSACTIONS, *(NOT_OF_RULES if attack.reads.published == "rules" else OF_RULES))
        others += tuple(name for name in OF_FEW_ATTACKS if name not in attack.reads.fields)
    return {name: field for name, field in words(ReleaseFields).items() if name not in others}


def _of_tolerance(attack: Attack) -> Fields:
    """Return the limits that an attack is judged by, and the part of the targets that may be above them."""
    fields = words(tolerance_fields())
    return {name: field for name, field in fields.items() if name in {*attack.limits.used, "share"}}


def _needed_limits(attack: Attack) -> str:
    """Say of which limits at least one is needed."""
    return f"[tolerates]  {' or '.join(name for name in LIMITS if name in attack.limits.used)} is needed"


def _of_needs(attack: Attack, needs: type) -> Fields:
    """Return the fields of [needs] that an attack serves."""
    served = {need.word for need in attack.needs}
    return {name: field for name, field in words(needs).items() if name in served}


def _fields(title: str, fields: Fields, kind: type) -> str:
    """List fields that a scenario may set, with their meaning and default; empty when there are none."""
    return "\n".join([title, *_rows(fields, kind, "  ")]) if fields else ""


def _rows(fields: Fields, kind: type, indent: str) -> Iterator[str]:
    hints = get_type_hints(kind)
    width = max(_NAMES, *map(len, fields))
    for name, field in fields.items():
        kinds = kinds_of(hints[field.name])
        facts = "; ".join(filter(None, [choices(kinds), _default(field.default)]))
        yield _wrapped(
            f"{name:{width}} {field.metadata['doc']} ({facts})", indent, indent + " " * (width + 1)
        )
        for part in kinds:
            inner = {tuple: get_args(part)[:1], Mapping: get_args(part)[1:]}.get(get_origin(part), (part,))[0]
            if is_dataclass(inner) and isinstance(inner, type):
                yield from _rows(words(inner), inner, indent + "  ")


def choices(kinds: tuple[Any, ...]) -> str:
    """Name the words of a field that takes nothing else."""
    *first, last = [
        f'"{word}"' for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)
    ] or [""]
    return f"{', '.join(first)} or {last}" if first and len(kinds) == 1 else ""


def _default(value: Any) -> str:
    """Say what a field is when it is left out."""
    if value is MISSING:
        return "required"
    if value is None or value == ():
        return "optional"
    if isinstance(value, bool):
        return f"default {str(value).lower()}"
    if isinstance(value, tuple):
        return "default " + ", ".join(f'"{part}"' for part in value)
    return f'default "{value}"' if isinstance(value, str) else f"default {value}"


def _wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """Break each line; what follows a dash is set in."""
    later = first if rest is None else rest
    return "\n".join(
        textwrap.fill(
            line,
            _WIDTH,
            initial_indent=first,
            subsequent_indent=f"{later}  " if line.startswith("- ") else later,
        )
        for line in text.splitlines() or [""]
    )


def _glossary(word: str) -> str | None:
    """Return what the glossary says of a word, in whichever case, with hyphens or not, singular or plural."""
    key = _key(word)
    for one in (key, key.removesuffix("s")):
        if one in _entries():
            return _entries()[one]
    return None


def _nearest(word: str) -> list[str]:
    """Return the words of the glossary that look most like another."""
    return get_close_matches(word, _listed_words(), _NEAR, 0.5)


def _key(word: str) -> str:
    return re.sub(r"[^\w']|_", "", word.casefold())


@cache
def _page() -> str:
    packaged = files("giveaway") / "glossary.md"
    here = packaged if packaged.is_file() else Path(__file__).parents[3] / "docs" / "glossary.md"
    return here.read_text(encoding="utf-8")


@cache
def _entries() -> dict[str, str]:
    """Return what is told, by the words of an entry first, and then by those that its text explains in passing."""
    told_of: dict[str, str] = {}
    in_passing: dict[str, str] = {}
    for entry in _ENTRY.finditer(_page()):
        text = _NAMED.sub(r"\1", _LINK.sub(r"\1", re.sub(r"\n    ", "\n", entry["text"])))
        whole = f"{entry['words']}\n{text}"
        for word in _APART.split(entry["words"]):
            told_of[_key(word)] = f"{told_of[_key(word)]}\n\n{whole}" if _key(word) in told_of else whole
        for word in _NAMED.findall(entry["text"]):
            in_passing.setdefault(_key(word), whole)
    return in_passing | told_of


@cache
def _listed_words() -> list[str]:
    return [word for entry in _ENTRY.finditer(_page()) for word in _APART.split(entry["words"])]
