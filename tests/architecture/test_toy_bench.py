"""The properties that every attack must have, run on the toy."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.architecture.toy_attack import KnowsSizes, NeedsOccurrences
from tests.architecture.toy_attack.registered import registered
from tests.bench import test_nothing_vacuous as vacuous
from tests.bench.cases import CASES, ROWS, Case
from tests.bench.test_properties import *  # noqa: F403 # its tests are collected here once more

import giveaway as ga

TOY = Case(
    rows=ROWS,
    release=lambda rows: ga.Release(ga.Transactions.from_lists(rows)),
    attacker=KnowsSizes(up_to=2),
    stronger=KnowsSizes(up_to=4),
    tolerance=ga.Tolerance(identity="1/2"),
    looser=ga.Tolerance(identity="999/1000", share="99/100"),
    need=NeedsOccurrences(least=1),
    labels=("bread", "milk", "jam", "caviar", "saffron", "insulin"),
    outcome=lambda found: found.withheld,
    exposed=("exposed_transactions", "transactions"),
    strength=("share", "up_to"),
)


@pytest.fixture(scope="module")
def case() -> Iterator[Case]:
    with registered():
        yield TOY


@pytest.mark.parametrize("ask", [ga.assess, ga.protect])
@pytest.mark.parametrize("emptied", [vacuous.no_rows, vacuous.blank_rows, vacuous.one_blank_row])
def test_data_without_values_are_never_safe(
    case: Case, emptied: Callable[[Any], Any], ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CASES, "sizes", case)
    vacuous.test_data_without_values_are_never_safe("sizes", emptied, ask)
    vacuous.test_a_release_that_withholds_everything_is_never_safe("sizes")
