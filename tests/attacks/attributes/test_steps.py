"""The steps of the search for rules, by array operations and compiled: the same arrays, and which are used when."""

import sys
from importlib import import_module
from subprocess import run
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.attacks.attributes.test_unsafe_rules import KERNELS, Record, records_of, table

from giveaway.attacks.attributes.unsafe_rules import search, steps
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN
from giveaway.attacks.attributes.unsafe_rules.patterns import PatternGroups, RulePatterns

CODES = 3


def same(one: tuple[NDArray[np.integer], ...], other: tuple[NDArray[np.integer], ...]) -> None:
    assert type(one) is type(other)
    assert [array.dtype for array in one] == [array.dtype for array in other]
    assert [array.tolist() for array in one] == [array.tolist() for array in other]


@given(
    records=records_of(3),
    least=st.integers(0, 3),
    few=st.sampled_from([0, 8]),
    linear=st.sampled_from([0, 9]),
)
def test_array_operations_and_compiled_steps_give_the_same_arrays(
    records: list[Record], least: int, few: int, linear: int
) -> None:
    kernels, made = import_module(KERNELS), table(records)
    groups = PatternGroups(made.value, made.truth, made.count)
    rows, secrets = np.arange(len(records), dtype=np.int32), made.secrets.astype(np.int32)
    patterns = RulePatterns(rows, np.array([0, len(rows)]), secrets, np.array([0, len(secrets)]))
    place, shown = np.full(CODES, UNKNOWN, np.int64), np.zeros(CODES, np.int64)
    with patch.multiple(steps, _FEW_KEYS=few, _LINEAR=linear):
        for condition in range(made.width):
            column = np.ascontiguousarray(made.conditions[:, condition])
            split = [way.split(column, patterns, place) for way in (steps, kernels)]
            counted = [way.count(groups, split[0], np.int64(least), shown) for way in (steps, kernels)]
            same(*split)
            same(*counted)
            patterns = split[0]._replace(secrets=counted[0].secrets, secret_starts=counted[0].secret_starts)
    assert (place.tolist(), shown.tolist()) == ([UNKNOWN] * CODES, [0] * CODES)


def test_compiled_steps_are_loaded_for_long_searches_and_used_where_they_are_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, KERNELS, raising=False)
    assert search._steps(search.PLAIN) is steps
    assert KERNELS not in sys.modules
    assert search._steps(search.PLAIN + 1).__name__ == KERNELS
    assert search._steps(0).__name__ == KERNELS


SMALL = """
import sys
import giveaway as ga
table = ga.Table.from_rows([{"p": "a", "S": "s"}] * 4 + [{"p": "b", "S": "t"}] * 3, sensitive="S")
found = ga.assess(ga.Release(table, secrets=[1]), ga.KnowsAttributes(columns=["p"], knows_method=False), ga.Tolerance(attribute="1/2"))
print(found.verdict, found.findings[0].risk.figures["unsafe_rules"], {"numba", "scipy"} & set(sys.modules))
"""


def test_the_verdict_on_a_small_table_and_its_figures_load_no_compiler_and_no_solver() -> None:
    said = run([sys.executable, "-c", SMALL], capture_output=True, text=True, check=True).stdout
    assert said == "at risk 1 set()\n"
