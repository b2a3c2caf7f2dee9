"""The leaves of a decision tree as published statements."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import giveaway as ga
from giveaway.attacks.profiles.posterior import believed
from giveaway.attacks.profiles.question import ask

AGES = np.array([20, 20, 20, 30, 30, 40, 40, 40, 50, 50, 60, 60])
PAY = ["low", "low", "high", "low", "low", "high", "low", "high", "high", "high", "high", "low"]
TABLE = ga.Table.from_rows(
    [{"age": str(age), "pay": pay} for age, pay in zip(AGES, PAY, strict=True)], sensitive="pay"
)


def nothing_but(statements: list[ga.Statement]) -> ga.Release:
    return ga.Release(TABLE, statements=statements)


def test_the_belief_is_the_frequency_in_the_leaf() -> None:
    features = AGES.reshape(-1, 1)
    tree = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(features, PAY)
    statements = ga.Statement.from_tree(tree, features, TABLE)

    belief = believed(ask(nothing_but(statements), ga.KnowsProfiles(columns=["age"])))
    leaf = tree.apply(features)
    for row, profile in enumerate(belief.people.profile_of.tolist()):
        alike = [PAY[other] == "high" for other in np.flatnonzero(leaf == leaf[row])]
        assert belief.chance[profile, 0] == pytest.approx(np.mean(alike), abs=1e-7)
    assert len(statements) == 3 * 2
    assert sum(statement.count or 0 for statement in statements) == len(PAY)


def test_features_of_other_records_are_refused() -> None:
    features = AGES.reshape(-1, 1)
    tree = DecisionTreeClassifier(max_depth=1).fit(features, PAY)
    with pytest.raises(ga.ScenarioError, match="The features have 3 rows and the table has 12 records"):
        ga.Statement.from_tree(tree, features[:3], TABLE)


def test_the_default_class_of_a_classifier_speaks_of_the_records_that_no_rule_is_about() -> None:
    rules = [ga.Rule({"age": age}, pay) for age, pay in (("20", "low"), ("40", "high"), ("50", "high"))]
    said = ga.Statement.from_default("low", rules, TABLE)
    assert said.rows is not None
    assert said.rows.tolist() == [3, 4, 10, 11]
    belief = believed(ask(nothing_but([said]), ga.KnowsProfiles(columns=["age"])))
    assert belief.chance.tolist() == [[0.5, 0.5]] * len(belief.chance)
    with pytest.raises(ga.ScenarioError, match="high is not the commonest pay of the 4 records"):
        ga.Statement.from_default("high", rules, TABLE)
    with pytest.raises(ga.ScenarioError, match="of the 0 records"):
        ga.Statement.from_default("low", [ga.Rule({}, "low")], TABLE)


def test_the_default_of_three_values_can_move_a_chance() -> None:
    rows = [{"age": "1", "pay": pay} for pay in "llmh"] + [{"age": "2", "pay": "h"}] * 4
    table = ga.Table.from_rows(rows, sensitive="pay")
    rules = [ga.Rule({"age": "2"}, "h")]
    release = ga.Release(table, statements=[ga.Statement.from_default("l", rules, table)])
    belief = believed(ask(release, ga.KnowsProfiles(columns=["age"])))
    assert belief.chance[0].tolist() == pytest.approx([0.25, 0.5, 0.25])
