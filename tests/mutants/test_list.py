"""The list of mutants follows the code: every text occurs once in its file, and every test that must fail exists."""

import ast
from collections import Counter
from functools import cache

import pytest
from tests.mutants.run import ROOT, Mutant, every, stale

MUTANTS = every()


@cache
def names_in(file: str) -> set[str]:
    """Return the names of the tests of a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
def test_its_text_occurs_once_and_its_tests_exist(mutant: Mutant) -> None:
    assert not stale(mutant)
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert ast.dump(ast.parse(text.replace(mutant.old, mutant.new))) != ast.dump(ast.parse(text))
    assert mutant.tests
    for test in mutant.tests:
        file, name = test.partition("[")[0].split("::")
        assert name in names_in(file), test


def test_each_has_a_name_of_its_own_and_says_why() -> None:
    assert max(Counter(mutant.name for mutant in MUTANTS).values()) == 1
    assert all(mutant.why.endswith(".") for mutant in MUTANTS)
    assert len(MUTANTS) >= 60
