"""A chance that is exactly the limit is within it, for every attack; only for the paper's attacker of codes it is over it."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import giveaway as ga
from giveaway.model.question.attacker import Attacker

HALF = ga.Tolerance(identity="1/2")
SHOP = ga.Transactions.from_lists([["a"], ["b"], ["a", "b"]])
"""a and b occur equally often, so that each code is either with a chance of 1/2."""
PEOPLE = ga.Table.from_rows([{"who": str(place), "job": job} for place, job in enumerate("aabb")], id="who")
CODES: dict[str, tuple[Any, dict[str, Any]]] = {
    "items": (SHOP, {"belief": ga.Belief.exact()}),
    "pairs": (
        ga.Transactions.from_lists([["a", "c"], ["b", "c"], ["a", "b", "c"]]),
        {"belief": ga.Belief.exact(), "targets": [["a", "c"]]},
    ),
    "people": (
        PEOPLE,
        {"belief": ga.Belief.of_people({str(place): {"job": job} for place, job in enumerate("aabb")})},
    ),
}


def asked(release: ga.Release, attackers: list[Attacker], tolerance: ga.Tolerance = HALF) -> ga.Assessment:
    return ga.assess(release, attackers, tolerance)


@pytest.mark.parametrize("name", CODES)
def test_a_chance_at_the_limit_is_within_it_for_who_knows_the_method(name: str, tmp_path: Path) -> None:
    data, about = CODES[name]
    found = asked(ga.Release(data), [ga.KnowsFrequencies(**about)])
    assert found.findings[0].risk is not None
    assert found.findings[0].risk.worst is not None
    assert found.findings[0].risk.worst.worst == Fraction(1, 2)
    assert found.verdict == "safe"
    assert "which is the limit" in " ".join(str(found).replace("\u00a0", " ").split())

    made = found.publish(tmp_path / "out", html=tmp_path / "own.html").to_dict()  # the checker agrees
    (finding,) = made["findings"]
    assert finding["breach_at_limit"] == []
    assert finding["exposures_total"] == 0
    assert "below 1 in 2" not in (tmp_path / "own.html").read_text().replace("\u00a0", " ")
    just_less = asked(
        ga.Release(data), [ga.KnowsFrequencies(**about)], ga.Tolerance(identity="499999/1000000")
    )
    assert just_less.verdict == "at risk"


@pytest.mark.parametrize("name", CODES)
def test_for_the_attacker_of_the_paper_the_limit_is_not_reached_and_that_is_said(name: str) -> None:
    data, about = CODES[name]
    found = asked(ga.Release(data), [ga.KnowsFrequencies(**about, knows_method=False)])
    assert found.verdict == "at risk"
    assert found.to_dict()["findings"][0]["breach_at_limit"] == ["identity"]
    assert "below 1 in 2" in " ".join(str(found).replace("\u00a0", " ").split())
    assert "below 1 in 2" in found.to_html().replace("\u00a0", " ")


def test_one_tolerance_means_the_same_to_several_attackers() -> None:
    both = ga.Release(SHOP)
    found = asked(both, [ga.KnowsItems(at_most=1), ga.KnowsFrequencies(belief=ga.Belief.exact())])
    assert [finding.safe for finding in found.findings] == [True, True]
    assert asked(ga.Release(PEOPLE), [ga.KnowsDirectory(columns=["job"])]).verdict == "safe"


def test_nothing_is_withheld_where_the_limit_is_met() -> None:
    assert not ga.protect(ga.Release(SHOP), ga.KnowsFrequencies(belief=ga.Belief.exact()), HALF).withheld


def test_a_limit_of_one_allows_everything_unless_it_may_not_be_reached() -> None:
    data = ga.Release(ga.Transactions.from_lists([["a"], ["a", "b"]]))
    for knows_method, verdict in ((True, "cannot judge"), (False, "at risk")):
        knows = ga.KnowsFrequencies(belief=ga.Belief.exact(), knows_method=knows_method)
        assert asked(data, [knows], ga.Tolerance(identity="1")).verdict == verdict
