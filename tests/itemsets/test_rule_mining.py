from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import profiles as oracle

import giveaway as ga
from giveaway.model.data.labels import label_key

LABELS = ["10", "9", "b"]
COLUMNS = ["job", "age", "sex"]
shares = st.sampled_from(["0", "0.1", "0.25", "1/3", "0.5", "0.6", "1"])
people = st.lists(
    st.tuples(*[st.sampled_from([*LABELS, ""])] * 3, st.sampled_from(["yes", "no", ""])),
    min_size=1,
    max_size=14,
)


def table(rows: list[tuple[str, ...]]) -> ga.Table:
    return ga.Table.from_rows(
        [dict(zip([*COLUMNS, "ill"], row, strict=True)) for row in rows], sensitive="ill"
    )


@settings(max_examples=120)
@given(rows=people, s=shares, c=shares, inclusive=st.booleans())
def test_rules_equal_brute_force(rows: list[tuple[str, ...]], s: str, c: str, inclusive: bool) -> None:
    records = [tuple(LABELS.index(value) if value else -1 for value in row[:3]) for row in rows]
    values = [["yes", "no", ""].index(row[3]) if row[3] else -1 for row in rows]
    expected = oracle.rules(records, values, Fraction(s), Fraction(c), inclusive=inclusive)
    found = ga.mine_rules(table(rows), min_support=s, min_confidence=c, inclusive=inclusive)
    assert {
        (
            frozenset((COLUMNS.index(column), LABELS.index(str(label))) for column, label in rule.condition),
            ["yes", "no"].index(str(rule.value)),
        ): (rule.support, rule.confidence)
        for rule in found
    } == expected
    assert len(found) == len(expected)
    assert all(rule.sensitive == "ill" for rule in found)
    order = [
        (-rule.support, [(name, label_key(label)) for name, label in rule.condition], label_key(rule.value))
        for rule in found
        if isinstance(rule.support, Fraction)
    ]
    assert order == sorted(order)


def test_the_order_of_rows_does_not_matter() -> None:
    rows = [("9", "b", "10", "yes"), ("9", "b", "9", "yes"), ("10", "b", "10", "no"), ("9", "9", "b", "no")]
    found = [
        ga.mine_rules(table(given), min_support=0.25, min_confidence=0.3) for given in (rows, rows[::-1])
    ]
    assert list(map(repr, found[0])) == list(map(repr, found[1]))


def test_a_rule_exactly_at_a_threshold_is_in_or_out() -> None:
    # 3 of 30 records: 0.1 * 30 is more than 3 in floating point.
    rows = [("9", "b", "10", "yes")] * 3 + [("10", "b", "10", "no")] * 27
    conditions = {
        inclusive: [
            dict(rule.condition)
            for rule in ga.mine_rules(table(rows), min_support=0.1, min_confidence=0.1, inclusive=inclusive)
            if rule.value == "yes"
        ]
        for inclusive in (True, False)
    }
    assert {"job": "9"} in conditions[True]
    assert {"age": "b"} in conditions[True]
    assert conditions[False] == []


def test_every_sensitive_column_is_taken_in_turn() -> None:
    rows = [{"sex": "f", "ill": "yes", "poor": "no"}, {"sex": "m", "ill": "no", "poor": "no"}]
    two = ga.Table.from_rows(rows, sensitive=["ill", "poor"])
    found = ga.mine_rules(two, min_support=0.5, min_confidence=1)
    assert list(map(str, found)) == [
        "sex=f => ill=yes",
        "sex=f => poor=no",
        "sex=m => ill=no",
        "sex=m => poor=no",
    ]
    only = ga.mine_rules(two, sensitive="poor", columns=["ill", "sex"], min_support=0.5, min_confidence=1)
    assert {rule.sensitive for rule in only} == {"poor"}
    assert "ill=yes, sex=f => poor=no" in map(str, only)


def test_wrong_questions_are_refused() -> None:
    rows = [("9", "b", "10", "yes")]
    limits = {"min_support": 0.1, "min_confidence": 0.5}
    for wrong, told in [
        ({"columns": ["ill"]}, "both a condition and sensitive"),
        ({"columns": ["nobody"]}, 'no column "nobody"'),
        ({"columns": "job"}, "not one text"),
        ({"columns": []}, "No column is left"),
        ({"sensitive": "nobody"}, 'no column "nobody"'),
        ({"min_support": 1.5}, "not between 0 and 1"),
        ({"min_confidence": -1}, "not between 0 and 1"),
    ]:
        with pytest.raises(ga.ScenarioError, match=told):
            ga.mine_rules(table(rows), **(limits | wrong))
    plain = ga.Table.from_rows([{"job": "cook"}])
    with pytest.raises(ga.ScenarioError, match="no sensitive column"):
        ga.mine_rules(plain, min_support=0.1, min_confidence=0.5)
