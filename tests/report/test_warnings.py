"""Whom a verdict is about, and who is known to beat it, stand next to the verdict in every view."""

import re

import pytest
from tests.report import samples
from tests.report.reading import Page
from tests.report.test_strengths import everywhere

import giveaway as ga
from giveaway.report.html import document
from giveaway.report.terminal import compare, screen

AGAINST = "Against somebody who counts blank entries as other values: "
WARNING = "Somebody who leaves blank entries out of the count finds a rule that holds for 87.9 %, above your limit of 60 %."


@pytest.mark.parametrize("view", ["owner", "notebook", "terminal"])
def test_the_verdict_begins_with_whom_it_is_about(view: str) -> None:
    text = everywhere(samples.blank_entries())[view]

    assert f"{AGAINST}safe to release, once 29 entries are withheld." in text
    assert WARNING in text


@pytest.mark.parametrize(("exposures", "quiet"), [(False, False), (True, True), (False, True)])
def test_pipe_and_quiet_say_it_too(exposures: bool, quiet: bool) -> None:
    lines = screen.render(samples.blank_entries(), exposures=exposures, quiet=quiet, unicode=False)
    text = " ".join(lines.split())

    assert text.startswith(f"SAFE 1 attributes {AGAINST}knows the published sex")
    assert f"SAFE: {AGAINST}safe to release, once 29 entries are withheld. {WARNING}" in text


def test_what_breaks_it_is_the_third_fact_of_the_first_screen() -> None:
    page = document.render(samples.blank_entries()).replace("\u00a0", " ")
    facts = re.findall(
        r'<div( class="warns")?><h2 class="fact">(.*?)</h2><p class="head"><bdi>(.*?)</bdi>', page
    )

    assert [title for _, title, _ in facts] == ["You keep", "You withhold", "It breaks"]
    assert facts[2] == (' class="warns"', "It breaks", WARNING)
    assert "not even if" not in Page(page).text


def test_of_several_attackers_each_has_its_own_warning() -> None:
    made = samples.two_attackers()
    made["findings"][1] |= {"against": "somebody in a hurry", "warning": "Somebody patient finds 90 %."}
    texts = everywhere(made)

    for view in ("owner", "notebook", "terminal"):
        assert "Attacker 2: Somebody patient finds 90 %." in texts[view]
        assert "against somebody in a hurry" in texts[view] or view == "terminal"
    assert "Safe to release, once 34 items are withheld." in texts["owner"]


def test_a_release_at_risk_is_at_risk_without_more_words() -> None:
    made = samples.blank_entries()
    made |= {"verdict": "at risk", "findings": made["before"], "before": None, "withheld": {"items": []}}

    assert "Not safe as planned: the attacker learns more than you tolerate." in everywhere(made)["owner"]


def test_a_comparison_says_what_changed_of_them() -> None:
    was = samples.blank_entries()
    was["findings"][0] |= {"against": None, "warning": None}
    text = compare.render({"a": was, "b": samples.blank_entries()}, width=400)

    (against,) = [line for line in text.splitlines() if line.startswith("  against")]
    assert against.split("  ")[-1].strip() == "somebody who counts blank entries as other values"
    assert "everybody" in against
    (known,) = [line for line in text.splitlines() if line.startswith("  known to beat it")]
    assert "nobody" in known
    assert WARNING in known


def test_the_warning_is_the_figure_of_somebody_who_leaves_blanks_out() -> None:
    rows = [{"p": "a", "ill": "s"}] * 4 + [{"p": "a", "ill": "t"}] * 2 + [{"p": "b", "ill": "u"}] * 4
    table = ga.Table.from_rows(rows, sensitive="ill")
    release = ga.Release(table, secrets=[1], withheld=ga.Withheld(cells=[(5, "ill")]))
    found = ga.assess(
        release, ga.KnowsAttributes(columns=["p"], knows_method=False), ga.Tolerance(attribute="3/5")
    )
    finding = found.to_dict()["findings"][0]

    assert found.safe
    assert finding["figures"]["worst_visible_confidence_exact"] == "3/4"
    assert finding["warning"] == (
        "Somebody who leaves blank entries out of the count finds a rule that holds for 75 %, above your limit of 60 %."
    )
    assert "not within" not in str(found)


@pytest.mark.parametrize(
    ("limit", "written"), [("3/4", None), ("7499/10000", "75 %, above your limit of 74.99 %")]
)
def test_a_figure_just_above_the_limit_does_not_look_equal_to_it(limit: str, written: str | None) -> None:
    rows = [{"p": "a", "ill": "s"}] * 4 + [{"p": "a", "ill": "t"}] * 2 + [{"p": "b", "ill": "u"}] * 4
    release = ga.Release(
        ga.Table.from_rows(rows, sensitive="ill"), secrets=[1], withheld=ga.Withheld(cells=[(5, "ill")])
    )
    found = ga.assess(
        release, ga.KnowsAttributes(columns=["p"], knows_method=False), ga.Tolerance(attribute=limit)
    )
    warning = found.to_dict()["findings"][0]["warning"]

    assert warning is None if written is None else written in warning


def test_a_frequent_value_is_a_warning_without_any_rule() -> None:
    rows = [{"p": "a", "ill": "s"}, {"p": "a", "ill": "t"}] + [{"p": "b", "ill": "s"}] * 4
    release = ga.Release(ga.Table.from_rows(rows, sensitive="ill"), secrets=[1])
    found = ga.assess(
        release, ga.KnowsAttributes(columns=["p"], knows_method=False), ga.Tolerance(attribute="1/2")
    )
    finding = found.to_dict()["findings"][0]

    assert found.safe
    assert "guesses a frequent value without any rule and is right for 80 %" in finding["warning"]
    assert " s " not in finding["warning"], "a warning names no value"
    assert finding["reasons"][0].startswith("ill s is shown by 80 % of the visible entries")
