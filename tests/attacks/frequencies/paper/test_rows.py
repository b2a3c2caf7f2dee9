"""Rows of the papers that had no door: OS of every set, pairs that are called pairs."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from tests.attacks.frequencies.cases import papers_attacker

import giveaway as ga
from giveaway.report.terminal import screen

CHAIN = ga.Release(ga.Transactions.from_lists([list(row) for row in ("4", "34", "234", "1234")]))
FIGURE_6B: dict[Any, tuple[float, float]] = {
    "1": (0.25, 0.5),
    "2": (0.25, 0.5),
    "3": (0.5, 1),
    "4": (0.75, 1),
}
CODES = {"1": {"1", "2"}, "2": {"1", "2"}, "3": {"2", "3", "4"}, "4": {"3", "4"}}
"""Which codes may be each item, by the frequencies 1/4, 1/2, 3/4 and 1."""


def test_os_of_every_set_is_that_of_figure_7() -> None:
    who = papers_attacker(belief=ga.Belief.intervals(FIGURE_6B), targets="pairs")
    found = ga.assess(CHAIN, who, ga.Tolerance(identity="1/2", share="1/10"))
    risk = found.findings[0].risk
    assert risk is not None
    listed = {tuple(row["items"]): row["os"] for row in risk.lists["sets"].rows}
    assert listed == {
        pair: Fraction(len(CODES[pair[0]] & set(pair)), len(CODES[pair[0]]))
        * Fraction(len(CODES[pair[1]] & set(pair)), len(CODES[pair[1]]))
        for pair in combinations("1234", 2)
    }
    log = screen.render(found.to_dict(), exposures=False, quiet=False)
    assert "10 % of the pairs may be above" in log
    assert "of the items may be above" not in log


@pytest.mark.papers
def test_the_naive_number_of_records_hides_more_and_is_safe_too() -> None:
    words = [
        "a b c s",
        "a b c s",
        "a b c s",
        "a b 1 s",
        "a b d s",
        "a 2 d s",
        "3 b d s",
        "4 b d s",
        "5 6 d 7",
    ]
    table = ga.Table.from_rows([dict(zip("ABCS", row.split(), strict=True)) for row in words], sensitive="S")
    who = ga.KnowsAttributes(columns=["A", "B", "C"], knows_method=False)
    asked = ga.Release(table, secrets=[1, 5]), who, ga.Tolerance(attribute="0.55")
    hidden = []
    for records in ("as needed", "all"):
        options = {"method": "r-graph", "records": records}
        made = ga.protect(*asked, need=ga.NeedsCells(hideable="b"), attributes=options)
        assert made.verdict == "safe"
        hidden.append(len(made.withheld.cells))
    assert hidden == [7, 9]
