"""Of nothing, nothing is safe: every empty question is cannot judge, with the reason and what to ask instead."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import giveaway as ga

IDENTITY, ATTRIBUTE, AVERAGE = (
    ga.Tolerance(**{name: "1/2"}) for name in ("identity", "attribute", "average")
)
LISTS = ga.Transactions.from_lists
PEOPLE = [{"who": f"p{n}", "zip": f"z{n % 2}", "job": "cook", "ill": ("no", "yes")[n % 2]} for n in range(4)]


def people(**changes: str) -> ga.Table:
    return ga.Table.from_rows([row | changes for row in PEOPLE], sensitive="ill", id="who")


def told(release: ga.Release, attacker: object, tolerance: ga.Tolerance) -> str:
    """Judge and protect; both must say that there is nothing to judge."""
    found, tried = (act(release, attacker, tolerance) for act in (ga.assess, ga.protect))
    assert (found.safe, tried.safe) == (None, None)
    assert found.findings[0].reasons == tried.findings[0].reasons
    assert not tried.withheld
    with pytest.raises(ga.NothingToJudge):
        ga.breaking_point(release, attacker, tolerance)
    fact, hint = found.findings[0].reasons
    assert hint.startswith("Hint: ")
    return f"{fact} {hint}"


def test_items_without_a_private_item_to_infer() -> None:
    for private in ([], ["x"]):
        release = ga.Release(LISTS([["a"], ["a"]], private=private, domain=["x"]))
        with pytest.raises(ga.ScenarioError, match="attribute is not judged: no item is private"):
            ga.assess(release, ga.KnowsItems(at_most=1), ATTRIBUTE)


@pytest.mark.parametrize(
    ("rows", "attacker", "said"),
    [
        ([[], []], ga.KnowsFrequencies(), "No item occurs"),
        ([], ga.KnowsFrequencies(), "No item occurs"),
        ([["a", "b"], ["a"]], ga.KnowsFrequencies(of_interest=["d1", "d2"]), "of interest occurs"),
        ([["a", "b"], ["a"]], ga.KnowsFrequencies(targets=ga.Itemsets(size=9)), "0 sets of 9"),
        ([["a", "b"]], ga.KnowsFrequencies(compliance=0), "right about nothing"),
    ],
)
def test_frequencies_without_a_target(
    rows: list[list[str]], attacker: ga.KnowsFrequencies, said: str
) -> None:
    assert said in told(ga.Release(LISTS(rows, domain=["d1", "d2"])), attacker, IDENTITY)


def test_pairs_of_a_single_item() -> None:
    assert "0 sets of 2" in told(
        ga.Release(LISTS([["a"], ["a"]])), ga.KnowsFrequencies(targets="pairs"), IDENTITY
    )


def test_an_item_of_interest_that_is_withheld_is_safe_because_it_is_withheld() -> None:
    release = ga.Release(LISTS([["a", "b"], ["a"]]), ga.Withheld(items=["a"]))
    assert ga.assess(release, ga.KnowsFrequencies(of_interest=["a"]), IDENTITY).safe


NOBODY = pd.DataFrame({"zip": pd.Series([], dtype=str), "job": pd.Series([], dtype=str)})


@pytest.mark.parametrize(
    ("release", "attacker", "tolerance", "said"),
    [
        (
            ga.Release(people(zip="", job="")),
            ga.KnowsDirectory(on=["zip", "job"]),
            IDENTITY,
            "no value in zip and job",
        ),
        (ga.Release(people()), ga.KnowsDirectory(people=NOBODY), IDENTITY, "nobody"),
        (ga.Release(people()), ga.KnowsDirectory(people=NOBODY), ga.Tolerance(identity="999/1000"), "nobody"),
        (ga.Release(people()), ga.KnowsDirectory(people=[NOBODY, NOBODY]), AVERAGE, "nobody"),
        (
            ga.Release(people(), sensitivity=ga.Sensitivity(columns={"zip": 0, "job": 0})),
            ga.KnowsDirectory(on=["zip", "job"]),
            AVERAGE,
            "weighs nothing",
        ),
        (
            ga.Release(people(), sensitivity=ga.Sensitivity(records={f"p{n}": 0 for n in range(4)})),
            ga.KnowsDirectory(on=["zip", "job"]),
            AVERAGE,
            "weighs nothing",
        ),
    ],
)
def test_a_directory_without_people_or_values(
    release: ga.Release, attacker: ga.KnowsDirectory, tolerance: ga.Tolerance, said: str
) -> None:
    assert said in told(release, attacker, tolerance)


def test_weights_of_nothing_do_not_matter_where_identity_is_judged() -> None:
    release = ga.Release(people(), sensitivity=ga.Sensitivity(columns={"zip": 0, "job": 0}))
    assert ga.assess(release, ga.KnowsDirectory(on=["zip", "job"]), IDENTITY).safe


def rules(**more: object) -> ga.PublishedRules:
    return ga.PublishedRules([], min_support="1/2", min_confidence=1, **more)


def test_profiles_without_a_rule_say_that_the_rows_were_not_judged() -> None:
    said = told(ga.Release(people(), rules=rules()), ga.KnowsProfiles(columns=["zip", "job"]), ATTRIBUTE)
    assert "0 rules" in said
    assert "rows of the table were not judged" in said
    assert "directory" in said


def test_profiles_name_the_file_whose_rows_were_not_judged(tmp_path: Path) -> None:
    file = tmp_path / "lung.csv"
    file.write_text("zip,job,ill\nz0,cook,no\nz1,cook,yes\n")
    release = ga.Release(ga.read_table(file, sensitive="ill"), rules=rules())
    said = told(release, ga.KnowsProfiles(columns=["zip", "job"]), ATTRIBUTE)
    assert "the rows of lung.csv were not judged" in said


@pytest.mark.parametrize(
    "release",
    [
        ga.Release(people(), rules=rules(distribution="published")),
        ga.Release(people(), rules=rules(), statements=[ga.Statement(value="yes", share="1/2")]),
    ],
)
def test_an_aggregate_alone_is_something_to_judge(release: ga.Release) -> None:
    assert ga.assess(release, ga.KnowsProfiles(columns=["zip", "job"]), ATTRIBUTE).safe is True


@pytest.mark.parametrize(
    ("release", "changes", "said"),
    [
        (ga.Release(people()), {}, "No entry is secret"),
        (ga.Release(people(ill=""), secrets=["p0"]), {}, "without a value"),
        (ga.Release(people(), secrets=["p0"], sensitive_values=["yes"]), {}, "ask to protect"),
        (ga.Release(people(zip="", job=""), secrets=["p0"]), {}, "no value in zip and job"),
        (
            ga.Release(people(), secrets=["p0"]),
            {"trusts_support_above": 4, "asking": "independent"},
            "more than 4 of 4 records",
        ),
    ],
)
def test_attributes_without_a_secret_or_a_rule(
    release: ga.Release, changes: dict[str, Any], said: str
) -> None:
    assert said in told(release, ga.KnowsAttributes(columns=["zip", "job"], **changes), ATTRIBUTE)
