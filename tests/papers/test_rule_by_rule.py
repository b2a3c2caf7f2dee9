"""CR, the older way to hide rules one by one, against brute force."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import attributes as oracle
from tests.sizes import sized

from giveaway.errors import ScenarioError
from giveaway.papers.attributes import rule_by_rule


@sized()
@given(table=oracle.tables(rows=7, width=3, regions=st.sampled_from("abdg").map(oracle.letter)))
def test_what_is_hidden_makes_the_table_safe_and_is_allowed(table: oracle.Planned) -> None:
    encoded, rows_of = oracle.encoded(table)
    try:
        plan = rule_by_rule.protect(encoded)
    except ScenarioError:
        others = {entry for entry in table.allowed() if entry[0] not in table.secrets}
        assert not any(table.records[row][-1] for row, _ in others)
        return
    if plan.hidden is None:
        assert not oracle.safe(table)
        return
    hidden = oracle.entries(plan.hidden, rows_of)
    assert oracle.safe(table, hidden)
    assert set(hidden) <= set(table.allowed())
    assert len(set(hidden)) == plan.entries >= plan.lower_bound
    assert all(row not in table.secrets for row, _ in hidden)


def test_the_condition_that_most_records_have_goes_first() -> None:
    """By hand: of a and b, which both tell s, a is in four records and b in three, so that a goes in one of them."""
    table = oracle.Planned(
        records=(("a", "b", "s"), ("a", "b", "s"), ("a", "b", "s"), ("a", "c", "t")),
        secrets=frozenset({0}),
        limit=Fraction(1, 2),
        regions=oracle.letter("b"),
        marks=frozenset(),
    )
    encoded, rows_of = oracle.encoded(table)
    plan = rule_by_rule.protect(encoded)
    assert plan.hidden is not None
    # {a, b} has 2 of 3 and needs one record less; {b} has 2 of 3 still, and loses b in the one that shows it alone.
    assert sorted(oracle.entries(plan.hidden, rows_of)) == [(1, 0), (1, 1)]
