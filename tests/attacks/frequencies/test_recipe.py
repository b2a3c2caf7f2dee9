"""The recipes of the paper as sentences, and where a report shows them."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.cases import (
    baskets,
    counts_of_items,
    labels,
    measured,
    papers_attacker,
    supports,
)
from tests.oracles import cracks as oracle

import giveaway as ga
from giveaway.report.schema import misfits
from giveaway.report.terminal import screen

pytestmark = pytest.mark.papers

COUNTS = [5, 4, 5, 5, 3, 5]
"""BigMart of the paper, Figure 1."""

PARTLY_RIGHT = (
    "Partly right: the limit holds up to 50 % of the items, drawn at random, by the O-estimate, and up to 50 % by the chances "
    "found; up to 16.7 % if exactly the most exposed items are the ones known."
)


def told(counts: list[int], tolerance: ga.Tolerance, **known: Any) -> tuple[str, ...]:
    return measured(supports(counts), papers_attacker(**known), tolerance).recipe


def test_the_recipe_for_items_walks_from_exact_knowledge_to_how_much_may_be_right() -> None:
    assert told(COUNTS, ga.Tolerance(average="1/4"), belief=ga.Belief.around("1/24")) == (
        "Exact knowledge: of 6 items somebody who knows every frequency cracks 3, 50 % (above); you tolerate 25 %.",
        "What is believed, all of it right: by the O-estimate 3, 50 % (above), by the chances found 3, 50 % (above).",
        PARTLY_RIGHT,
    )


def test_a_step_within_the_limit_says_so() -> None:
    exact, believed = told(COUNTS, ga.Tolerance(average="1/3"), belief=ga.Belief.ignorant())

    assert exact.endswith("cracks 3, 50 % (above); you tolerate 33.3 %.")
    assert believed.endswith("by the O-estimate 1, 16.7 % (within), by the chances found 1, 16.7 % (within).")


def test_without_a_limit_on_the_average_items_at_the_limit_are_counted() -> None:
    exact, *_ = told(COUNTS, ga.Tolerance(identity="1/2", share="1/4"))

    assert (
        exact
        == "Exact knowledge: of 6 items a chance of 50 % is reached by 2, 33.3 % (above); you tolerate 25 %."
    )


@settings(max_examples=30)
@given(counts=counts_of_items, size=st.integers(1, 3))
def test_exact_knowledge_of_sets_is_that_of_lemma_3_4(counts: list[int], size: int) -> None:
    sets = list(combinations(range(len(counts)), size))
    if not sets:
        return
    targets = [tuple(labels(len(counts))[item] for item in one) for one in sets]
    tolerance = ga.Tolerance(identity="1/3", share="1/2")
    exact, *_ = measured(baskets(counts), papers_attacker(targets=targets), tolerance).recipe
    groups = [{j for j, other in enumerate(counts) if other == count} for count in counts]
    over = sum(oracle.set_chance(groups, one) >= Fraction(1, 3) for one in sets)

    assert f"is reached by {over}, " in exact
    assert ("(above)" in exact) == (Fraction(over, len(sets)) > Fraction(1, 2))


def test_a_sample_that_reaches_what_the_release_holds_up_to_is_a_reason_to_think_twice() -> None:
    rows = [[f"i{item}" for item in range(8) if place % (item + 2) == 0] for place in range(840)]
    release = ga.Release(ga.Transactions.from_lists(rows))
    finding = ga.assess(release, papers_attacker(), ga.Tolerance(average="1/10")).findings[0]

    assert finding.risk is not None
    assert finding.risk.recipe[-1].startswith(
        "Similar data: a sample of 10 % of the transactions is right about "
    )
    assert finding.risk.recipe[-1].endswith(": think twice.")


@pytest.mark.parametrize("form", ["terminal", "html"])
def test_terminal_and_report_show_the_steps(form: str, tmp_path: Any) -> None:
    rows = [["a", "b"], ["a", "b"], ["a", "c"]]
    found = ga.assess(
        ga.Release(ga.Transactions.from_lists(rows)), papers_attacker(), ga.Tolerance(average="1/10")
    )
    if form == "html":
        found.to_html(tmp_path / "report.html")
    shown = str(found) if form == "terminal" else (tmp_path / "report.html").read_text(encoding="utf-8")

    assert "recipe of the paper, step by step" in shown
    assert "Exact knowledge: of 3 items" in " ".join(shown.split())
    assert misfits(found.to_dict()) == []
    assert found.to_dict()["findings"][0]["recipe"][0].startswith("Exact knowledge")


SHOP = ["1 2 3", "1 2 3 4", "4 6", "3 4 5 6", "5 6", "6", "1 2", "1 3 4", "1 3 5", "2 4 6"]


@pytest.mark.parametrize(
    ("rows", "belief", "tolerance", "targets", "part"),
    [
        (SHOP, ga.Belief.around(0.05), ga.Tolerance(average="1/4"), "items", "0.217"),
        (SHOP, ga.Belief.around(0.05), ga.Tolerance(identity="1/2", share="1/4"), "items", "0.217"),
        (SHOP, ga.Belief.around(0.05), ga.Tolerance(identity="1/4", share="1/5"), "pairs", "0.217"),
    ],
)
def test_where_no_sample_comes_as_far_as_the_limit_the_recipe_ends_with_the_question_to_ask(
    rows: list[str], belief: ga.Belief, tolerance: ga.Tolerance, targets: Any, part: str
) -> None:
    release = ga.Release(ga.Transactions.from_lists(map(str.split, rows)))
    asked = ga.assess(release, papers_attacker(belief=belief, targets=targets), tolerance)
    risk = asked.findings[0].risk
    assert asked.verdict == "at risk"
    assert risk is not None
    assert risk.decision is not None
    assert risk.recipe[-1] == risk.decision.says
    assert dict(risk.decision.fields) == {"compliance": part}
    weaker = ga.assess(release, papers_attacker(belief=belief, targets=targets, compliance=part), tolerance)
    # What the decision promises is what asking it gives, and the promise names whom it is made against.
    assert weaker.verdict == "safe"
    measured = weaker.findings[0].risk
    assert measured is not None
    share = measured.average if tolerance.average is not None else measured.share
    assert f"safe, at {float(100 * (share or 0)):.1f}".removesuffix(".0") + " %." in risk.decision.says
    assert "is right about no more than" in str(weaker.findings[0].against)


@pytest.mark.parametrize(
    ("known", "limit"),
    [
        ({"knows_method": True}, "1/4"),  # the most exposed items may be the ones known
        ({}, "1/20"),  # a sample comes farther than the limit holds
        ({}, "1/2"),  # the limit holds for somebody who is right about all
    ],
)
def test_the_recipe_decides_nothing_where_a_sample_comes_that_far(known: Any, limit: str) -> None:
    release = ga.Release(ga.Transactions.from_lists(map(str.split, SHOP)))
    somebody = ga.KnowsFrequencies(**{"belief": ga.Belief.around(0.05), "knows_method": False} | known)
    found = ga.assess(release, somebody, ga.Tolerance(average=limit)).findings[0]
    assert found.risk is not None
    assert found.risk.decision is None
    assert found.to_dict(exposures=None)["decision"] is None


def test_logs_and_reports_name_the_decision_and_how_to_ask_it(tmp_path: Any) -> None:
    release = ga.Release(ga.Transactions.from_lists(map(str.split, SHOP)))
    found = ga.assess(release, papers_attacker(belief=ga.Belief.around(0.05)), ga.Tolerance(average="1/4"))
    log = " ".join(
        screen.render(found.to_dict(), exposures=False, quiet=False, asked="shop.dat --tolerates x").split()
    )
    page = found.to_html(tmp_path / "report.html") or (tmp_path / "report.html").read_text(encoding="utf-8")

    assert "Decision: comfortable up to 50 %; samples of your data are right about at most 21.7 %" in log
    assert "AT RISK: somebody who is right about every one of the items learns more than you" in log
    assert log.endswith("Or ask: giveaway assess shop.dat --tolerates x --set knows.0.compliance=0.217")
    assert page.index("Ask with --set knows.0.compliance=0.217") < page.index("You tolerate")


def test_nothing_is_decided_of_one_release_where_others_are_judged_with_it() -> None:
    shop = ga.Transactions.from_lists(map(str.split, SHOP))
    before = ga.Transactions.from_lists(map(str.split, [*SHOP[1:], "1 2 3"]))
    earlier = [ga.Earlier(ga.Release(before), linked="people")]
    asked = papers_attacker(belief=ga.Belief.around(0.05)), ga.Tolerance(average="1/4")
    found = ga.assess(ga.Release(shop), *asked, earlier=earlier)
    assert found.findings[0].together
    (told,) = found.to_dict()["findings"]
    assert told["safe"] is False
    assert told["decision"] is None
    assert [step for step in told["recipe"] if step.startswith("Decision")] == []
    assert told["recipe"][-1].startswith("Similar data")


def test_the_verdict_is_about_somebody_who_is_right_about_what_was_asked() -> None:
    release = ga.Release(ga.Transactions.from_lists(map(str.split, SHOP)))
    somebody = papers_attacker(belief=ga.Belief.around(0.05), compliance="0.9")
    risk = ga.assess(release, somebody, ga.Tolerance(average="1/4")).findings[0].risk
    assert risk is not None
    assert risk.decision is not None
    assert risk.decision.judged == "somebody who is right about 90 % of the items"
