"""Every limit that is given is judged by somebody, and nothing else is listed as promised."""

import json
from pathlib import Path

import pytest

import giveaway as ga
from giveaway.scenario.reading import understand

PEOPLE = ga.Table.from_rows([{"zip": "z", "ill": ("no", "yes")[n % 2]} for n in range(6)], sensitive="ill")
SECRET = ga.Release(PEOPLE, secrets=[1])
BARE = ga.Release(ga.Table.from_rows([{"zip": "z", "ill": ("no", "yes")[n % 2]} for n in range(6)]))
LOOKS_UP, INFERS = ga.KnowsDirectory(on=["zip"]), ga.KnowsAttributes(columns=["zip"])
RULES = ga.Release(
    PEOPLE,
    rules=ga.PublishedRules(
        ga.mine_rules(PEOPLE, min_support="1/2", min_confidence="1/2"),
        min_support="1/2",
        min_confidence="1/2",
    ),
)
READS = ga.KnowsProfiles(columns=["zip"])
BASKETS = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a", "b"]]))
PRIVATE = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a"], ["a"]], private=["b"]))
COUNTS, PAIRS = ga.KnowsFrequencies(), ga.KnowsFrequencies(targets="pairs")
SEES = ga.KnowsItems(at_most=1)


@pytest.mark.parametrize(
    ("release", "attacker", "limits", "unused"),
    [
        (BARE, LOOKS_UP, {"identity": "1/2", "attribute": "1/2"}, ["attribute = 1/2", "no sensitive column"]),
        (RULES, READS, {"identity": "1/5", "attribute": "3/5"}, ["identity = 1/5"]),
        (RULES, READS, {"attribute": "3/5", "average": "1/5"}, ["average = 1/5"]),
        (SECRET, INFERS, {"attribute": "1/2", "identity": "1/5"}, ["identity = 1/5"]),
        (BASKETS, SEES, {"identity": "1/2", "average": "1/2"}, ["average = 1/2"]),
        (BASKETS, SEES, {"identity": "1/2", "attribute": "1/2"}, ["attribute = 1/2", "no item is private"]),
        (BASKETS, COUNTS, {"identity": "1/2", "attribute": "1/2"}, ["attribute = 1/2"]),
        (BASKETS, PAIRS, {"identity": "1/2", "average": "1/2"}, ["average = 1/2", "sets of items"]),
        (BASKETS, COUNTS, {"average": "1/2", "share": "1/10"}, ["share = 1/10", "neither is judged"]),
        (SECRET, LOOKS_UP, {"average": "1/2", "share": "1/10"}, ["share = 1/10", "neither is judged"]),
        (
            BARE,
            LOOKS_UP,
            {"average": "1/2", "attribute": "1/3", "share": "1/10"},
            ["attribute = 1/3", "share = 1/10"],
        ),
    ],
)
def test_a_limit_that_nobody_is_judged_by_is_refused(
    release: ga.Release, attacker: object, limits: dict[str, str], unused: list[str]
) -> None:
    for given in (ga.Tolerance(**limits), [ga.Tolerance(**limits)]):
        for ask in (ga.assess, ga.protect):
            with pytest.raises(ga.ScenarioError) as caught:
                ask(release, attacker, given)
            assert all(said in str(caught.value) for said in unused)


def test_a_limit_that_all_attackers_share_may_serve_one_of_them() -> None:
    both = ga.Tolerance(identity="1/2", attribute="1/2")
    found = ga.assess(SECRET, [LOOKS_UP, INFERS], both)
    assert [finding.to_dict(exposures=0)["tolerance"] for finding in found.findings] == [
        {"attribute": 0.5, "attribute_exact": "1/2", "identity": 0.5, "identity_exact": "1/2"},
        {"attribute": 0.5, "attribute_exact": "1/2"},
    ]
    with pytest.raises(ga.ScenarioError, match="identity = 1/2"):
        ga.assess(SECRET, [LOOKS_UP, INFERS], [ga.Tolerance(attribute="1/2"), both])


def test_a_share_counts_where_a_chance_is_limited_beside_an_average() -> None:
    found = ga.assess(BASKETS, COUNTS, ga.Tolerance(identity="9/10", average="9/10", share="1/10"))
    assert set(found.findings[0].limits()) == {
        "identity", "identity_exact", "average", "average_exact", "share", "share_exact",
    }  # fmt: skip


def test_manifest_and_reports_list_only_what_was_judged(tmp_path: Path) -> None:
    release = ga.Release(PEOPLE, secrets=[1])
    limits = ga.Tolerance(identity="1/5", attribute="2/3")
    safe = ga.protect(release, [LOOKS_UP, INFERS], limits).publish(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [set(one["tolerance"]) for one in manifest["attackers"]] == [
        {"identity", "identity_exact", "attribute", "attribute_exact"},
        {"attribute", "attribute_exact"},
    ]
    assert safe.verdict == "safe"


@pytest.mark.parametrize("share", ["1", "5/4", "-1/10"])
def test_a_share_of_everybody_or_more_is_refused(share: str) -> None:
    with pytest.raises(ga.ScenarioError, match="share"):
        ga.Tolerance(identity="1/2", share=share)


WEIGHED = ga.Release(PEOPLE, secrets=[1], sensitivity=ga.Sensitivity(columns={"zip": 2}))


def test_an_average_above_one_is_refused_where_it_is_a_part_and_kept_where_it_is_a_loss() -> None:
    with pytest.raises(ga.ScenarioError, match="average = 3/2 is above 1"):
        ga.assess(BASKETS, COUNTS, ga.Tolerance(average="3/2"))
    assert ga.assess(WEIGHED, LOOKS_UP, ga.Tolerance(average="3/2")).safe


ALL_LIMITS = [
    (PRIVATE, SEES, {"identity": 1}),
    (PRIVATE, SEES, {"attribute": 1}),
    (PRIVATE, SEES, {"identity": 1, "attribute": 1, "share": "1/2"}),
    (BASKETS, COUNTS, {"average": 1}),
    (SECRET, LOOKS_UP, {"identity": 1}),
    (SECRET, LOOKS_UP, {"average": 1}),
    (SECRET, LOOKS_UP, {"average": "1e300"}),
    (SECRET, LOOKS_UP, {"identity": 1, "average": 2}),
    (WEIGHED, LOOKS_UP, {"average": 2}),
    (WEIGHED, LOOKS_UP, {"average": 3, "identity": 1}),
    (RULES, READS, {"attribute": 1}),
    (RULES, READS, {"attribute": "0.99999999"}),
    (SECRET, INFERS, {"attribute": 1}),
]


@pytest.mark.parametrize(("release", "attacker", "limits"), ALL_LIMITS)
def test_limits_that_allow_everything_are_no_question(
    release: ga.Release, attacker: object, limits: dict[str, str]
) -> None:
    for ask in (ga.assess, ga.protect):
        found = ask(release, attacker, ga.Tolerance(**limits))
        assert found.verdict == "cannot judge"
        assert "allows everything" in found.findings[0].reasons[0]


def test_a_limit_that_allows_everything_is_left_out_where_another_is_judged() -> None:
    found = ga.assess(PRIVATE, SEES, ga.Tolerance(identity=1, attribute="1/2", share="1/10"))
    assert set(found.findings[0].limits()) == {"attribute", "attribute_exact", "share", "share_exact"}
    alone = ga.assess(PRIVATE, SEES, ga.Tolerance(attribute="1/2", share="1/10"))
    assert found.verdict == alone.verdict


def test_certainty_can_be_asked_for_where_chances_at_the_limit_are_breaches() -> None:
    one = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a"]]))
    paper = ga.KnowsFrequencies(belief=ga.Belief.exact(), knows_method=False)
    assert ga.assess(one, paper, ga.Tolerance(identity=1)).verdict == "at risk"


def test_nobody_to_look_up_is_no_directory() -> None:
    with pytest.raises(ga.ScenarioError, match="people is an empty list, so nobody can be looked up"):
        ga.KnowsDirectory(people=[])
    with pytest.raises(ga.ScenarioError, match="people is an empty list"):
        understand(
            {
                "release": {"data": "a.csv"},
                "tolerates": {"identity": "1/2"},
                "knows": [{"attack": "directory", "people": []}],
            },
            base=Path(),
            name="a.toml",
        )
