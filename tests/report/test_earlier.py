"""Reports say what is learnt together with earlier releases, and Summaries without them are drawn as before."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import giveaway as ga
from giveaway.report.agreeing import contradictions
from giveaway.report.html import document
from giveaway.report.terminal import screen
from giveaway.report.wording.earlier import levels, none_together
from giveaway.report.wording.sentences import exposed_then

SIX = [
    {"age": 30, "job": "cook"},
    {"age": 30, "job": "smith"},
    {"age": 30, "job": "smith"},
    {"age": 40, "job": "cook"},
    {"age": 40, "job": "cook"},
    {"age": 40, "job": "smith"},
]


@pytest.fixture(scope="module")
def summary() -> dict[str, Any]:
    then, now = (ga.Table.from_rows([{name: row[name]} for row in SIX]) for name in ("age", "job"))
    before = ga.Earlier(ga.Release(then), name="2025", linked="rows", rows=range(1, 7), original=then)
    attacker = ga.KnowsDirectory(columns=["age", "job"], knows_method=False)
    return ga.assess(ga.Release(now), attacker, ga.Tolerance(identity="1/2"), earlier=before).to_dict()


def drawn(summary: dict[str, Any], **how: Any) -> str:
    return re.sub(r"\s+", " ", screen.render(summary, exposures=True, quiet=False, **how))


def test_what_is_exposed_only_together_stands_first_with_both_crowds(summary: dict[str, Any]) -> None:
    text = drawn(summary)
    assert "2025 6 rows row number" in text
    said = (
        "With the file of 2025, joined row by row, 2 records are over the limit, all of them only together."
    )
    assert said in text
    assert text.index("exposed only together with earlier releases") < text.index(
        "no exposures over the limit"
    )
    assert re.search(r"With the file of 2025: .*1 .*\. This release alone: .*3 ", text)
    assert "releases other than 2025" in text


def test_the_owners_report_has_the_releases_and_the_public_one_names_them_only(
    summary: dict[str, Any],
) -> None:
    owner = document.render(summary)
    assert "Releases before this one" in owner
    assert "2 records exposed together" in owner
    assert "Exposed only together with earlier releases" in owner
    public = document.render(summary, edition="public")
    assert "Judged together with 2025." in public
    assert "joined row by row" not in public
    assert "cook" not in public


def test_the_first_screen_tells_the_worst_of_this_release_and_all_of_them(summary: dict[str, Any]) -> None:
    (finding,) = summary["findings"]
    assert (finding["worst"], finding["together"][0]["worst"]) == (1 / 3, 1)
    assert re.search(r"1 in 2 100 % 2 records together", drawn(summary))
    owner = re.sub(r"\s+", " ", document.render(summary))
    assert "With the file of 2025, somebody who looks up record 1 finds" in owner
    assert "A worked person, with the file of 2025" in owner
    assert "From this release alone, none of the 6 records are too easy to recognise." in owner
    assert "These charts are of this release alone." in owner


def test_what_is_accepted_of_earlier_releases_is_not_told_as_the_worst(summary: dict[str, Any]) -> None:
    accepted = deepcopy(summary)
    (finding,) = accepted["findings"]
    finding["together"][0] |= {"safe": True, "already": 2}
    assert [kind["worst"] for kind in levels(finding)] == [1 / 3]
    assert [kind["worst"] for kind in levels(summary["findings"][0])] == [1]


def test_a_summary_without_earlier_releases_is_drawn(summary: dict[str, Any], tmp_path: Path) -> None:
    old = deepcopy(summary)
    del old["earlier"], old["findings"][0]["together"]
    old["verdict"], old["findings"][0]["safe"] = "safe", True
    assert "earlier" not in drawn(old)
    assert "Releases before this one" not in document.render(old)
    assert "Judged together" not in document.render(old, edition="public")
    (tmp_path / "old.json").write_text(json.dumps(old))


def test_safe_is_not_said_where_a_view_is_not(summary: dict[str, Any]) -> None:
    wrong = deepcopy(summary)
    wrong["verdict"], wrong["findings"][0]["safe"] = "safe", True
    said = list(contradictions(wrong))
    assert "attacker 1 is called safe, and is not together with earlier releases" in said


def test_nothing_is_said_to_be_within_limits_that_was_not_measured_or_is_over(
    summary: dict[str, Any],
) -> None:
    safe, unknown, some = (deepcopy(summary["findings"][0]) for _ in range(3))
    safe["together"][0] |= {"safe": True, "exposures_total": 0}
    unknown["together"][0] |= {"safe": None, "exposures_total": None}
    some["together"][0] |= {"safe": True, "exposures_total": 1}
    assert [none_together(one) for one in (safe, unknown, some)] == [True, False, False]
    assert exposed_then(summary["findings"][0], safe | {"safe": True}) == "After withholding, none is."
    assert exposed_then(summary["findings"][0], some | {"safe": True}) != "After withholding, none is."
