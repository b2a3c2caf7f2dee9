"""Every rung of the ladder says what protecting for that limit comes to, for every attack."""

from fractions import Fraction

import pytest
from tests.bench.cases import CASES

import giveaway as ga
from giveaway.report.schema import misfits
from giveaway.report.terminal import screen


@pytest.mark.parametrize("name", CASES)
def test_a_rung_is_what_protect_finds_at_its_limit(name: str) -> None:
    case = CASES[name]
    release = case.release(case.rows)
    rungs = ga.ladder(release, case.attacker, case.tolerance, need=case.need)
    stated = [rung for rung in rungs if rung.stated]
    assert {rung.limit for rung in stated} <= {
        limit
        for limit in (case.tolerance.identity, case.tolerance.attribute, case.tolerance.average)
        if limit
    }
    safer = ga.protect(release, case.attacker, case.tolerance, need=case.need)
    for rung in stated:
        assert rung.verdict == safer.verdict
        assert rung.planned == ga.assess(release, case.attacker, case.tolerance).verdict
    for rung in rungs:
        assert (rung.withheld is None) == (rung.verdict != "safe")
        assert (rung.reason is None) == (rung.verdict == "safe")


def test_stricter_limits_come_first_and_the_table_shows_them() -> None:
    release = ga.Release(ga.Transactions.from_lists([["a", "b"]] * 3 + [["a", "c"]] * 2 + [["a", "d"]]))
    attacker, tolerance = ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/3")
    rungs = ga.ladder(release, attacker, tolerance)
    assert [rung.limit for rung in rungs] == [Fraction(1, size) for size in (5, 4, 3, 2)]
    assert [rung.withheld for rung in rungs] == ["3 items", "3 items", "2 items", "1 item"]
    found = ga.assess(release, attacker, tolerance)
    object.__setattr__(found, "suggestions", rungs)
    summary = found.to_dict()
    assert not misfits(summary)
    text = screen.render(summary, exposures=False, quiet=False)
    assert "1 in 3, as stated" in text
    assert "Nothing was written." in text


def test_time_that_is_over_leaves_rungs_open() -> None:
    release = ga.Release(ga.Transactions.from_lists([["a", "b"]] * 3 + [["c"]]))
    effort = ga.Effort(seconds=1e-9)
    rungs = ga.ladder(release, ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/3"), effort=effort)
    assert {rung.verdict for rung in rungs} == {"cannot judge"}
    assert all(rung.reason for rung in rungs)
