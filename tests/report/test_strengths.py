"""How far the limits hold is said by what was tried, and nothing else."""

from typing import Any

import pytest
from tests.report import samples
from tests.report.reading import Page

import giveaway as ga
from giveaway.report.html import document, notebook
from giveaway.report.terminal import compare, screen
from giveaway.report.wording import strengths

BESIDE = "It holds up to 19.5 % if the most exposed items are the ones known."


def finding(value: float | None, unit: str, **more: Any) -> samples.Summary:
    point = {"value": value, "unit": unit, "at_least": False, "whole_scale": False, "beside": None} | more
    return samples.finding_after(holds_up_to=point, attack="frequencies" if "right" in unit else "directory")


def everywhere(made: samples.Summary) -> dict[str, str]:
    """Return the text of every view."""
    texts = {
        "owner": Page(document.render(made)).text,
        "public": Page(document.render(made, edition="public")).text,
        "notebook": Page(notebook.render(made)).text,
        "terminal": " ".join(screen.render(made, exposures=True, quiet=False).split()),
    }
    return {name: text.replace("\u00a0", " ") for name, text in texts.items()}


def protected(found: samples.Summary) -> samples.Summary:
    made = samples.protected()
    made["findings"] = [found]
    return made


@pytest.mark.parametrize(
    ("found", "holds", "head", "small"),
    [
        (finding(4, "columns", at_least=True, whole_scale=True), "all 4 columns",
         "even if all 4 columns are known", "Nobody can be stronger in this way."),
        (finding(1, "columns", at_least=True, whole_scale=True), "the only column",
         "even if the only column is known", "Nobody can be stronger in this way."),
        (finding(6, "items", at_least=True), "at least 6 items",
         "with up to 6 items known", "More was not tried."),
        (finding(1.0, "share right", at_least=True), "right about everything",
         "even if the attacker is right about everything", "Nobody can be stronger in this way."),
        (finding(0.446, "share right", beside=BESIDE), "right about 44.6 % of the items",
         "the attacker is right about more than 44.6 % of the items", f"Beyond that the limit is passed. {BESIDE}"),
        (finding(None, "columns"), "not even one column",
         "one column is known", "Even the weakest attacker of this kind is over the limit."),
    ],
)  # fmt: skip
def test_where_it_breaks_is_said_by_what_was_tried(
    found: samples.Summary, holds: str, head: str, small: str
) -> None:
    breaks = strengths.breaks(found)

    assert breaks is not None
    assert strengths.holds(found).replace("\u00a0", " ") == holds
    assert breaks.head.replace("\u00a0", " ") == head
    assert breaks.small.replace("\u00a0", " ") == small


def test_all_items_of_a_transaction_are_the_end_of_that_scale() -> None:
    point = {"value": 5, "unit": "items", "at_least": True, "whole_scale": True}

    assert strengths.holds(samples.finding_after(holds_up_to=point)) == "all items of a transaction"


@pytest.mark.parametrize("more", [{"at_least": True}, {"at_least": True, "whole_scale": True}])
def test_nothing_tried_is_not_a_fact(more: dict[str, bool]) -> None:
    texts = everywhere(protected(finding(0, "rules", **more)))

    for text in texts.values():
        assert "0 rules" not in text
        assert "It breaks" not in text
        assert "breaks " not in text


@pytest.mark.parametrize("unit", ["columns", "share right"])
def test_no_view_says_if_at_all(unit: str) -> None:
    made = protected(finding(1.0 if "right" in unit else 4, unit, at_least=True, whole_scale=True))

    for text in everywhere(made).values():
        assert "if at all" not in text
        assert "at least 100 %" not in text
        assert "at least 4" not in text


def test_another_reading_of_the_strength_is_a_second_line_in_every_view() -> None:
    made = samples.two_attackers()
    made["findings"][1]["holds_up_to"] |= {"value": 0.446, "beside": BESIDE}

    for name, text in everywhere(made).items():
        if name == "public":
            assert "44.6 %" not in text, "it was measured"
            continue
        assert "44.6 %" in text
        assert BESIDE in text
    assert "19.5 %" in compare.render({"a": samples.two_attackers(), "b": made})


def test_a_protected_table_is_said_to_hold_for_all_columns() -> None:
    people = [{"sex": "fm"[n % 2], "ill": "xy"[n % 3 == 0]} for n in range(12)]
    release = ga.Release(ga.Table.from_rows(people, sensitive="ill"), secrets=[1])
    found = ga.assess(
        release, ga.KnowsAttributes(columns=["sex"], knows_method=False), ga.Tolerance(attribute="999/1000")
    )

    assert found.findings[0].risk is not None
    assert found.findings[0].risk.holds_up_to.whole_scale
    assert "Holds up to the only column." in " ".join(str(found).split())


def test_what_is_lost_with_a_rule_is_people() -> None:
    made = samples.protected()
    made["findings"] = [samples.finding_after(attack="profiles")]
    rule = "age=old => pay=high"
    made["findings"][0]["ledger"] = [
        {"withheld": rule, "why": "greedy", "removed": 9, "lost": 191, "unit": "people"}
    ]
    made["findings"][0]["kept"] = {"rules": 7, "rules_total": 13}
    made["withheld"] = {"items": [], "cells": [], "cells_total": 0, "rules": [{}] * 6}
    text = Page(document.render(made)).text

    assert "The largest loss is age old → pay high: 191 people support it." in text
    assert "the number next to each counts the people who support it." in text
    assert "191 rules" not in text


def test_an_older_ledger_that_does_not_say_what_it_counts_gives_no_noun() -> None:
    made = samples.protected()
    for line in made["findings"][0]["ledger"]:
        del line["unit"]
    text = Page(document.render(made)).text

    assert "The largest loss" not in text
    assert "the number next to each" not in text


def test_an_average_is_not_called_the_worst() -> None:
    made = samples.two_attackers()
    text = everywhere(made)["owner"]

    assert "16.6 % on average," in text
    assert "16.6 % at worst" not in text


def test_counts_that_differ_say_which_is_which() -> None:
    text = everywhere(samples.at_risk())["owner"]

    assert (
        "5,412 combinations are over one of the limits; 4,542 of them contain no smaller one that is over a limit."
        in text
    )


def test_the_cost_of_one_of_several_attackers_is_called_its_own() -> None:
    assert (
        "Only what was withheld for this attacker is counted" in everywhere(samples.two_attackers())["owner"]
    )
    assert "Only what was withheld for this attacker" not in everywhere(samples.protected())["owner"]
