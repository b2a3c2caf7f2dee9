"""A release that holds nothing is never called safe, whatever the attack."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.bench.cases import CASES, Case

import giveaway as ga
from giveaway.attacks import ATTACKS

Rows = list[Any]


def no_rows(_: Rows) -> Rows:
    return []


def blank_rows(rows: Rows) -> Rows:
    return [[] if isinstance(row, list) else {**dict.fromkeys(row, ""), "who": row["who"]} for row in rows]


def one_blank_row(rows: Rows) -> Rows:
    return blank_rows(rows)[:1]


def withholding_all(release: ga.Release) -> ga.Release:
    original = release.original
    if isinstance(original, ga.Table):
        everything = ga.Withheld(
            cells=original.cells(
                (original.record(row), column) for row in range(len(original)) for column in original.columns
            ),
            rules=release.rules.rules if release.rules else (),
        )
    else:
        everything = ga.Withheld(items=original.labels)
    return release.withholding(everything)


@pytest.mark.parametrize("ask", [ga.assess, ga.protect])
@pytest.mark.parametrize("emptied", [no_rows, blank_rows, one_blank_row])
@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_data_without_values_are_never_safe(name: str, emptied: Callable[[Rows], Rows], ask: Any) -> None:
    case = CASES[name]
    for tolerance in (case.tolerance, case.looser):
        assert safe(lambda t=tolerance: ask(case.release(emptied(case.rows)), case.attacker, t)) is not True


@pytest.mark.parametrize("name", sorted(ATTACKS))
def test_a_release_that_withholds_everything_is_never_safe(name: str) -> None:
    case: Case = CASES[name]
    release = withholding_all(case.release(case.rows))
    assert safe(lambda: ga.assess(release, case.attacker, case.looser)) is not True


def test_every_attack_has_a_case() -> None:
    assert {case.attacker.attack for case in CASES.values()} == set(ATTACKS)


def safe(ask: Callable[[], ga.Assessment]) -> bool | None:
    """Return the verdict; a question that is refused has none."""
    try:
        return ask().safe
    except ga.GiveawayError:
        return None
