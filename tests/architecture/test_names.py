"""The row carries what others ask: outside its folder, nothing knows an attack by its name."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import giveaway
from giveaway.attacks import ATTACKS

SOURCE = Path(giveaway.__file__).parent

HOMES = (*(f"attacks/{name}/" for name in ATTACKS), "checker/attacks/", "papers/")
"""Where attacks are known by name."""
EXCEPTED = {
    "attacks/__init__.py": "the table",
    "__init__.py": "the public names",
}
IN_PROSE = {
    "cli/options.py": "the help of --knows gives two attackers as examples, before anything is imported",
    "sources/side_files/people.py": "a hint names the class that takes frames",
}
"""Where a sentence for users names an attack."""

DATA = {"items", "attributes"}
"""Names of attacks that are words for data too, such as what the Summary withholds."""
CLASSES = {
    kind.__name__
    for attack in ATTACKS.values()
    for kind in (
        attack.attacker,
        attack.need,
        attack.options,
        attack.asks.scenario_fields,
        attack.asks.need_fields,
    )
    if kind is not None
}
PROSE = re.compile(
    rf"""attack\s*=\s*["']({"|".join(ATTACKS)})["']|\b({"|".join(ATTACKS)}):\w+=|\b({"|".join(CLASSES)})\b"""
)


def modules() -> list[str]:
    """Return every module that must know no attack."""
    found = (path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))
    return sorted(name for name in found if not name.startswith(HOMES) and name not in EXCEPTED)


@cache
def tree_of(name: str) -> ast.Module:
    """Return what a module says."""
    return ast.parse((SOURCE / name).read_text(encoding="utf-8"))


def docstrings(tree: ast.AST) -> set[ast.AST]:
    """Return the texts that stand alone: docstrings, and what is said of a field or a constant."""
    alone = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    return {node for node in alone if _text(node) is not None}


def known(tree: ast.Module) -> Iterator[str]:
    """Give every place where a module knows an attack."""
    told = docstrings(tree)
    for node in ast.walk(tree):
        yield from (f"{node.lineno}: {said}" for said in _known(node) if node not in told)  # type: ignore[attr-defined]


def _known(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for name in (f"{module}{alias.name}" for alias in node.names):
            if re.match(rf"giveaway\.(checker\.)?attacks\.({'|'.join(ATTACKS)})\b", name, re.IGNORECASE):
                yield f"imports {name}"
        yield from (alias.name for alias in node.names if alias.name in CLASSES)
    elif isinstance(node, ast.Attribute):
        if node.attr in CLASSES or (node.attr in ATTACKS and _last(node.value) == "attacks"):
            yield f"attribute {node.attr}"
    elif isinstance(node, ast.Name) and node.id in CLASSES:
        yield f"name {node.id}"
    elif isinstance(node, ast.Constant) and node.value in set(ATTACKS) - DATA:
        yield f"text {node.value}"
    elif isinstance(node, ast.Compare | ast.Subscript | ast.Call | ast.Dict | ast.keyword | ast.Match):
        yield from _named(node)


def _named(node: ast.AST) -> Iterator[str]:
    """Give names that are words for data too, where they stand in the place of an attack's name."""
    if isinstance(node, ast.Compare | ast.Match):
        parts = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
        if parts & DATA and "attack" in (whole := ast.unparse(node)):
            yield f"compares {whole.splitlines()[0]}"
    elif isinstance(node, ast.Subscript):
        if _text(node.slice) in DATA and _of_attacks(node.value):
            yield f"looks up {ast.unparse(node)}"
    elif isinstance(node, ast.Call):
        yield from _called(node)
    elif isinstance(node, ast.Dict):
        pairs = [(_text(key), _text(value)) for key, value in zip(node.keys, node.values, strict=True)]
        keys = {key for key, _ in pairs if key is not None}
        if keys and keys <= set(ATTACKS):
            yield f"a table of {sorted(keys)}"
        yield from (f"names {value}" for key, value in pairs if key == "attack" and value in DATA)
    elif isinstance(node, ast.keyword) and node.arg == "attack" and _text(node.value) in DATA:
        yield f"names {ast.unparse(node)}"


def _called(node: ast.Call) -> Iterator[str]:
    of = node.func.value if isinstance(node.func, ast.Attribute) else None
    if of is not None and any(_text(word) in DATA for word in node.args) and _of_attacks(of):
        yield f"looks up {ast.unparse(node)}"
    asks = isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr", "isinstance")
    if asks and node.args and re.search(r"\battackers?\b", ast.unparse(node.args[0])):
        yield f"asks {ast.unparse(node)}"


def _of_attacks(node: ast.AST) -> bool:
    return re.fullmatch(r"_?(attacks?|checks?|knows)", _last(node), re.IGNORECASE) is not None


def _last(node: ast.AST) -> str:
    return ast.unparse(node).rsplit(".", 1)[-1]


def _text(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def prose(tree: ast.Module) -> Iterator[str]:
    """Give the texts that name an attack inside a longer sentence."""
    told = docstrings(tree)
    for node in ast.walk(tree):
        if node not in told and (text := _text(node)) is not None and (found := PROSE.search(text)):
            yield f"{node.lineno}: {found[0]}"  # type: ignore[attr-defined] # texts have lines


def test_no_module_knows_an_attack() -> None:
    trees = {name: tree_of(name) for name in modules()}

    knowing = {name: list(known(tree)) for name, tree in trees.items()}
    assert {name: places for name, places in knowing.items() if places} == {}
    assert {name for name, tree in trees.items() if any(prose(tree))} <= IN_PROSE.keys()


def test_no_template_knows_an_attack() -> None:
    named = re.compile(rf"""["']({"|".join(ATTACKS)})["']""")

    assert [path.name for path in SOURCE.rglob("*.jinja") if named.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("module", [*EXCEPTED, *IN_PROSE])
def test_an_exception_is_still_needed(module: str) -> None:
    tree = tree_of(module)

    assert list(known(tree)) or list(prose(tree))


@pytest.mark.parametrize(
    "code",
    [
        "from giveaway.attacks.items.attacker import KnowsItems",
        "from giveaway.attacks import items",
        "import giveaway.checker.attacks.profiles",
        "def f():\n    from giveaway.attacks.directory import measure",
        "kind is NeedsColumns",
        "model.KnowsDirectory(columns=['a'])",
        "'on' if attacker.attack == 'directory' else 'columns'",
        "attack == 'items'",
        "if finding['attack'] in ('items', 'x'): pass",
        "from giveaway.attacks import ITEMS",
        "ATTACKS['items']",
        "giveaway.attacks.directory",
        "KNOWS.get('attributes')",
        "{'items': 1, 'attributes': 2}",
        "{'attack': 'items'}",
        "f(attack='items')",
        "match attack:\n    case 'items': pass",
        "getattr(attacker, 'directories', ())",
        "hasattr(one.attacker, 'on')",
        "isinstance(attacker, Fields)",
        "x = 'frequencies'",
        "x = 'attack = \"items\"'",
        "x = '--knows items:at_most=3'",
    ],
)
def test_whoever_knows_an_attack_is_found(code: str) -> None:
    tree = ast.parse(code)

    assert [*known(tree), *prose(tree)]


@pytest.mark.parametrize(
    "code",
    [
        '"""The attack `items`."""',
        "withheld['items']",
        "summary.get('items')",
        "counted(3, 'items')",
        "release.withheld.items",
        "ATTACKS.items()",
        "self.profiles",
        "for name, value in found.items(): pass",
        "{'kind': 'supports', 'items': 3}",
        "noun == 'items'",
        "getattr(tolerance, name)",
    ],
)
def test_a_word_for_data_is_not_taken_for_an_attack(code: str) -> None:
    tree = ast.parse(code)

    assert [*known(tree), *prose(tree)] == []


def test_the_name_of_a_class_is_used_once() -> None:
    where: dict[str, list[str]] = {}
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(tree_of(name)):
            if isinstance(node, ast.ClassDef):
                where.setdefault(node.name, []).append(name)

    assert {name: places for name, places in where.items() if len(places) > 1} == {}


PRONOUNS = {"found", "given", "made", "said", "told"}
"""What a value is called by whoever does not say what it holds."""


def test_a_value_is_called_by_what_it_holds() -> None:
    places = [
        f"{path.relative_to(SOURCE).as_posix()}:{node.lineno}"
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in PRONOUNS)
        or (isinstance(node, ast.arg) and node.arg in PRONOUNS)
    ]

    assert places == []
