"""Numbers of a report can be found again: the worst figure is in the list, and parts add up to what is counted."""

import pytest
from tests.browser import scenes

from giveaway.report.html.exposures import chosen
from giveaway.report.wording.words import number, percent

AT_RISK = [name for name in scenes.SCENES if name.endswith(", at risk") and "several" not in name]


@pytest.mark.parametrize("name", AT_RISK)
def test_the_worst_chance_of_each_kind_is_that_of_a_listed_exposure(name: str) -> None:
    (finding,) = scenes.answered(name).summary["findings"]
    lines = chosen(finding, None)

    assert lines
    for kind in finding["kinds"]:
        if kind["kind"] in ("identity", "attribute"):
            there = [number(one, "chance") for one in finding["exposures"] if one["kind"] == kind["kind"]]
            worst = number(kind, "worst")
            assert max(chance for chance in there if chance is not None) == pytest.approx(worst)
            assert any(percent(worst, short=True) in line.planned for line in lines)


@pytest.mark.parametrize("name", ["directory, protected", "coarser labels, protected", "levels, protected"])
def test_the_losses_of_columns_add_up_to_what_is_withheld(name: str) -> None:
    summary = scenes.answered(name).summary
    held, kept = summary["withheld"], summary["findings"][0]["kept"]

    assert sum(held["cells_by_column"].values()) == held["cells_total"]
    assert sum(held["coarser_by_column"].values()) == held["coarser_total"]
    assert kept["cells_total"] - kept["cells"] == held["cells_total"] + held["coarser_total"]
