"""Examples 1 and 2 of Zhu et al., in every reading of what is published."""

from fractions import Fraction
from itertools import product
from typing import Any, Literal

import pytest

import giveaway as ga
from giveaway.attacks.profiles.posterior import believed
from giveaway.attacks.profiles.question import ask

EXAMPLE_1 = [
    ("Doctorate", "Male", "50K-"),
    ("Masters", "Female", "50K-"),
    ("Doctorate", "Female", "50K+"),
    ("Bachelors", "Male", "50K-"),
    ("Masters", "Female", "50K+"),
    ("Doctorate", "Male", "50K+"),
    ("Masters", "Female", "50K+"),
    ("Doctorate", "Female", "50K+"),
    ("Masters", "Female", "50K+"),
    ("Doctorate", "Female", "50K+"),
    ("Masters", "Female", "50K+"),
    ("Doctorate", "Female", "50K+"),
]
EXAMPLE_2 = [("Doctorate", "Female", "50K+"), ("Doctorate", "Male", "50K+"), ("Masters", "Female", "50K-")]
DOCTORATE, FEMALE = {"education": "Doctorate"}, {"gender": "Female"}
FIGURE_1 = [
    ga.Rule(DOCTORATE, "50K+", support="0.42", confidence="0.83"),
    ga.Rule(DOCTORATE | FEMALE, "50K+", support="0.33", confidence="1.00"),
    ga.Rule(FEMALE, "50K+", support="0.67", confidence="0.89"),
]


def table(rows: list[tuple[str, ...]]) -> ga.Table:
    names = ("education", "gender", "salary")
    return ga.Table.from_rows([dict(zip(names, row, strict=True)) for row in rows], sensitive="salary")


def earns(release: ga.Release, *, whole_numbers: bool = True, non_rules: bool = False) -> dict[str, float]:
    """The chance of 50K+ by the initials of education and gender."""
    attacker = ga.KnowsProfiles(
        columns=["education", "gender"], whole_numbers=whole_numbers, non_rules=non_rules
    )
    belief = believed(ask(release, attacker))
    people = belief.people
    profiles = range(len(people.profiles.weights))
    names = ["".join(str(value)[0] for value in people.target(profile).values()) for profile in profiles]
    return dict(zip(names, belief.chance[:, 0].tolist(), strict=True))


def example_1(
    scores: Literal["withheld", "exact"] | int = "withheld", statements: Any = (), **published: Any
) -> ga.Release:
    terms = {"min_support": "0.3", "min_confidence": "0.8", "inclusive": False} | published
    rules = ga.PublishedRules(terms.pop("rules", FIGURE_1), scores=scores, **terms)
    return ga.Release(table(EXAMPLE_1), rules=rules, statements=statements)


def close(**wanted: float) -> Any:
    return pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("whole_numbers", [False, True])
def test_example_1_with_exact_scores(whole_numbers: bool) -> None:
    found = earns(example_1("exact"), whole_numbers=whole_numbers)
    assert found == close(DF=1, DM=0.5, MF=0.8, BM=0.5)


def test_example_1_with_exact_scores_and_the_distribution() -> None:
    found = earns(example_1("exact", distribution="published"))
    assert found == close(DF=1, DM=0.5, MF=0.8, BM=0)


def test_example_1_with_scores_withheld_and_real_numbers() -> None:
    release = example_1()
    assert earns(release, whole_numbers=False) == close(DF=0.9, DM=0.6, MF=0.72, BM=0.5)
    attacker = ga.KnowsProfiles(columns=["education", "gender"], whole_numbers=False, non_rules=False)
    belief = believed(ask(release, attacker))
    assert belief.solution.active == 3
    assert belief.claims.low.tolist() == pytest.approx([4.8, 3.6, 7.2])


def test_example_1_with_scores_withheld_and_whole_numbers() -> None:
    assert earns(example_1()) == close(DF=1, DM=0.5, MF=0.8, BM=0.5)


def as_equations(rules: list[ga.Rule], score: Literal["support", "confidence"]) -> list[ga.Statement]:
    """Take rounded scores for exact ones, which no table may agree with."""
    people = {rule: len([row for row in EXAMPLE_1 if meets(row, rule)]) for rule in rules}
    return [
        ga.Statement(
            where=dict(rule.condition),
            value=rule.value,
            share=Fraction(str(getattr(rule, score)))
            * (Fraction(12, people[rule]) if score == "support" else 1),
        )
        for rule in rules
    ]


def meets(row: tuple[str, ...], rule: ga.Rule) -> bool:
    known = dict(zip(("education", "gender"), row, strict=False))
    return all(known[column] == value for column, value in rule.condition)


@pytest.mark.parametrize(
    ("score", "wanted"),
    [
        ("support", {"DF": 0.99, "DM": 0.54, "MF": 0.816, "BM": 0.5}),
        ("confidence", {"DF": 1, "DM": 0.49, "MF": 0.802, "BM": 0.5}),
    ],
)
def test_example_1_with_rounded_scores_taken_for_exact(score: Any, wanted: dict[str, float]) -> None:
    statements = as_equations(FIGURE_1, score)
    release = example_1(rules=[], complete=False, statements=statements)
    assert earns(release, whole_numbers=False) == close(**wanted)


def test_example_1_with_rounded_scores_and_whole_numbers_recovers_the_counts() -> None:
    release = example_1(2)
    attacker = ga.KnowsProfiles(columns=["education", "gender"], non_rules=False)
    claims = believed(ask(release, attacker)).claims
    assert claims.low.tolist() == [5, 4, 8]
    assert [min(high, many) for high, many in zip(claims.high, claims.patterns.people, strict=True)] == [
        5,
        4,
        8,
    ]
    assert earns(release) == close(DF=1, DM=0.5, MF=0.8, BM=0.5)


def test_the_printed_list_is_complete_only_when_rules_are_strictly_above_the_thresholds() -> None:
    """Masters => 50K+ has a confidence of exactly 0.8 and is not printed."""
    earns(example_1("exact"), non_rules=True)
    strict, inclusive = (
        ga.mine_rules(table(EXAMPLE_1), min_support="0.3", min_confidence="0.8", inclusive=inclusive)
        for inclusive in (False, True)
    )
    assert {(rule.condition, rule.value) for rule in strict} == {
        (rule.condition, rule.value) for rule in FIGURE_1
    }
    assert len(inclusive) == 5


def test_the_printed_list_read_with_at_least_contradicts_itself_in_two_places() -> None:
    with pytest.raises(ga.ScenarioError) as error:
        earns(example_1("exact", inclusive=True), non_rules=True)
    text = str(error.value)
    assert "the rule gender=Female => 50K+ (exactly 8 of 9 records)" in text
    assert "the absence of education=Masters" in text
    assert "=> salary=50K+ (at most 3 of 5 records)" in text
    assert text.count("records)") == 2
    assert "2 rules above its thresholds are not in it" in text


@pytest.mark.parametrize(
    ("non_rules", "whole_numbers", "third"), [(False, True, 0.5), (True, False, 0.5), (True, True, 0.0)]
)
def test_example_2_silence_decides_with_whole_numbers_only(
    non_rules: bool, whole_numbers: bool, third: float
) -> None:
    rules = ga.PublishedRules(
        [ga.Rule(DOCTORATE, "50K+")], min_support="0.6", min_confidence="0.9", scores="exact"
    )
    release = ga.Release(table(EXAMPLE_2), rules=rules)
    found = earns(release, whole_numbers=whole_numbers, non_rules=non_rules)
    assert found == close(DF=1, DM=1, MF=third)


def test_maximum_entropy_is_not_the_mean_over_all_tables_that_agree() -> None:
    """With scores withheld 36 tables of Example 1 agree; 5/6 of the women with a Masters earn 50K+ on average."""
    worlds = []
    for df, dm, mf, bm in product(range(5), range(3), range(6), range(2)):
        if df >= 4 and df + dm >= 5 and df + mf >= 8:
            worlds.append((df, dm, mf, bm))
    ways = {4: {4: 1}, 2: {1: 2, 2: 1}, 5: {4: 5, 5: 1}}
    total = sum(ways[4][df] * ways[2][dm] * ways[5][mf] for df, dm, mf, _ in worlds)
    mean = Fraction(sum(ways[4][df] * ways[2][dm] * ways[5][mf] * mf for df, dm, mf, _ in worlds), 5 * total)
    assert total == 36
    assert mean == Fraction(5, 6)
    assert earns(example_1())["MF"] == pytest.approx(0.8)
