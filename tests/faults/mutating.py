"""Scenarios with mistakes of every kind, most of them still a question that can be asked."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.faults.scenarios import BASES, Scenario

Path = tuple[Any, ...]


@dataclass(frozen=True)
class Raw:
    """A value as it is written, which no Python value stands for."""

    text: str


WITHIN: dict[str, tuple[Any, ...]] = {
    "identity": ("1/2", "1/3", 0.25, "0.2", "1/7", "2/3", 0.9, 1, "1/40"),
    "attribute": ("1/2", "2/3", 0.75, "0.6", 0.9, "1/3", 0.99, 1),
    "share": (0, 0.1, "1/3", 0.5, "0.9", Raw("0.99999999999")),
    "average": (0.1, "1/3", 0.5, 0.75, "1/50", 0.99, 1, 3),
    "at_most": (1, 2, 3, 4, 9),
    "itemsets.min_support": (1, 2, 3, 5),
    "rules.min_support": ("1/5", "1/3", 0.05),
    "min_confidence": ("1/3", 0.5, 0.75, 1),
    "max_size": (1, 2, 3, 50),
    "seed": (0, 1, 7, 2**31, 2**62),
    "seconds": (20, 30.5, 1e6),
    "compliance": (1, 0, "1/2", 0.9),
    "belief": ("exact", "ignorant", {"around": 0.1}, {"around": "mean gap"}, {"around": 0}),
    "targets": ("items", "pairs", {"size": 1}, {"size": 3, "without_top": 0.2}),
    "release.order": ("kept", "shuffled"),
    "order": ("random", "worst", "best", "frequency"),
    "gaps": ("apart", "agree"),
    "judges": ("any", "true"),
    "whole_numbers": (True, False),
    "non_rules": (True, False),
    "complete": (True, False),
    "reinstate": (True, False),
    "exact": (True, False),
    "scores": ("exact", "withheld", {"digits": 1}, {"digits": 3}),
    "directory.method": ("auto", "minrisk"),
    "attributes.method": ("auto", "cover", "r-graph", "cr"),
    "hideable": ("a", "b", "c", "f", "g", "h", []),
    "needs.columns": ({"per_record": 1}, {"total": 20, "clip": True}, {}),
    "sensitivity.columns": ({"ill": 1}, {"sex": "1/2", "ill": 3}),
    "columns": (["sex"], ["job", "town"], ["sex", "job", "town"]),
    "on": (["sex"], ["town", "sex"], ["sex", "job", "town"]),
    "per_record": (0, 1, 2, 3),
    "trusts_support_above": (0, 1, 3, 100),
    "private": (["insulin"], [], ["caviar", "jam"], ["bread"]),
    "top": (1, 2, 5),
    "transactions": (12, 20, 9, 1_000_000),
    "size": (1, 2, 3),
    "jaro": (0.5, 0.8, 1),
}
"""Values that a field may have; most questions made of them can be judged."""

ODD: tuple[Any, ...] = (
    -1, 0, 1, 2, 10**30, -(10**30), 2**63, Raw("0x" + "f" * 5000), Raw("9" * 5000), 1.5, -0.5, 1e-300, 1e308,
    Raw("1e999"), Raw("1e999999999"), Raw("nan"), Raw("inf"), Raw("-inf"), True, False, "", " ", "x", "1/0", "1/3", "-1",
    "1e999999999", "9" * 5000, "²", "٣", "é\u0301", "\u202e", "a\0b", "a" * 5000, "../x", "nowhere.csv", "people.csv",
    "baskets.dat", ".", "/dev/null/x", "postgres://me:pw@host/db", "duckdb:nowhere.db", "items", "exact", [], {}, [[]], [{}],
    ["items"], [1, "a"], {"a": 1}, {"attack": "items"}, Raw("1979-05-27"), Raw("07:32:00"), Raw("[[[[[[1]]]]]]"),
)  # fmt: skip
NAMES = (
    "identity", "attribute", "share", "average", "at_most", "columns", "on", "belief", "targets", "people", "id", "prior",
    "private", "secrets", "rules", "sensitive", "kind", "renamed", "table", "query", "seed", "tolerates", "attack", "", " ",
    "é", "a.b", "Identity", "__class__", "from_", "self",
)  # fmt: skip


def mutant(random: Random) -> tuple[str, Scenario]:
    """Make a scenario of one of the bases: with other values in their range, or with something odd in it."""
    names = sorted(BASES)
    often = [3 if BASES[name]["release"]["data"] == "baskets.dat" else 1 for name in names]  # they are quick
    (name,) = random.choices(names, often)
    made = deepcopy(BASES[name])
    for _ in range(random.randint(1, 3)):
        _within(made, random)
    if random.random() < 0.5:
        for _ in range(random.choice((1, 1, 2))):
            random.choice((_odd, _odd, _drop, _rename, _add, _swap, _double))(made, random)
    return name, made


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Give the way to every part of a scenario."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for step, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, (*path, step))


def _holder(made: Any, path: Path) -> Any:
    for step in path[:-1]:
        made = made[step]
    return made


def _some(made: Scenario, random: Random) -> tuple[Any, Any] | None:
    found = list(places(made))
    if not found:
        return None
    path = random.choice(found)
    return _holder(made, path), path[-1]


def _within(made: Scenario, random: Random) -> None:
    found = [path for path in places(made) if _may_be(path)]
    if found:
        path = random.choice(found)
        _holder(made, path)[path[-1]] = deepcopy(random.choice(_may_be(path)))


def _may_be(path: Path) -> tuple[Any, ...]:
    """Return what may stand in a place: some names have another meaning in other sections."""
    longest = next((path[-length:] for length in (2, 1) if ".".join(map(str, path[-length:])) in WITHIN), ())
    return WITHIN[".".join(map(str, longest))] if longest else ()


def _odd(made: Scenario, random: Random) -> None:
    if some := _some(made, random):
        some[0][some[1]] = deepcopy(random.choice(ODD))


def _drop(made: Scenario, random: Random) -> None:
    if some := _some(made, random):
        del some[0][some[1]]


def _rename(made: Scenario, random: Random) -> None:
    some = _some(made, random)
    if some and isinstance(some[0], dict):
        some[0][random.choice(NAMES)] = some[0].pop(some[1])


def _add(made: Scenario, random: Random) -> None:
    holders = [part for part in _parts(made) if isinstance(part, dict)]
    value = (
        random.choice(ODD) if random.random() < 0.5 else random.choice(WITHIN[random.choice(sorted(WITHIN))])
    )
    random.choice(holders)[random.choice(NAMES)] = deepcopy(value)


def _swap(made: Scenario, random: Random) -> None:
    """Let two sections, or a section and one of another attack, change places."""
    other = deepcopy(random.choice(sorted(BASES.items()))[1])
    names = sorted({*made, *other})
    first, second = random.choice(names), random.choice(names)
    if random.random() < 0.5:
        made[first] = other.get(second, {})
    else:
        made[first], made[second] = made.get(second, {}), made.get(first, {})


def _double(made: Scenario, random: Random) -> None:
    lists = [part for part in _parts(made) if isinstance(part, list) and part]
    if lists:
        chosen = random.choice(lists)
        chosen.append(deepcopy(random.choice(chosen)))


def _parts(made: Scenario) -> list[Any]:
    return [made, *(_holder(made, path)[path[-1]] for path in places(made))]


def toml(made: Scenario) -> str:
    """Write a scenario."""
    lines = []
    for name, value in made.items():
        if isinstance(value, dict) and name:
            lines += [f"[{_key(name)}]", *(f"{_key(key)} = {_value(part)}" for key, part in value.items())]
        elif isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
            for part in value:
                lines += [f"[[{_key(name)}]]", *(f"{_key(key)} = {_value(one)}" for key, one in part.items())]
        else:
            lines.insert(0, f"{_key(name)} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _key(name: Any) -> str:
    return name if re.fullmatch("[a-z_]+", str(name)) else _value(str(name))


def _value(value: Any) -> str:
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(part)}" for key, part in value.items()) + "}"
    letters = (
        letter if letter.isprintable() and letter not in '"\\' else f"\\u{ord(letter):04x}"
        for letter in value
    )
    return '"' + "".join(letters) + '"'
