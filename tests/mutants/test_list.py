"""The list of mutants follows the code: every text occurs once in its file, and every test that must fail exists."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache

from tests.mutants.run import ROOT, Mutant, every, stale

MUTANTS = every()


@cache
def tree_of(file: str) -> str:
    """Return what a file says, whatever its layout."""
    return ast.dump(ast.parse((ROOT / file).read_text(encoding="utf-8")))


@cache
def names_in(file: str) -> set[str]:
    """Return the names of the tests of a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def wrong(mutant: Mutant) -> Iterator[str]:
    """Say what is wrong with a line of the list."""
    yield from filter(None, [stale(mutant)])
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    if ast.dump(ast.parse(text.replace(mutant.old, mutant.new))) == tree_of(mutant.file):
        yield f"{mutant.name}: changes nothing"
    if not mutant.tests:
        yield f"{mutant.name}: names no test"
    for test in mutant.tests:
        file, name = test.partition("[")[0].split("::")
        if name not in names_in(file):
            yield f"{mutant.name}: {test} is no test"


def test_every_text_occurs_once_and_all_tests_exist() -> None:
    assert [line for mutant in MUTANTS for line in wrong(mutant)] == []


def test_each_has_a_name_of_its_own_and_says_why() -> None:
    assert max(Counter(mutant.name for mutant in MUTANTS).values()) == 1
    assert all(mutant.why.endswith(".") for mutant in MUTANTS)
    assert len(MUTANTS) >= 60
