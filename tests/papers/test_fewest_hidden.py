from collections.abc import Collection
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import attributes as oracle
from tests.oracles import fewest_hidden as solve
from tests.oracles.fewest_hidden import relevant_rules
from tests.sizes import sized

from giveaway.papers.attributes.rgraph import attacked_rules

pytest.importorskip("ortools", reason="the extra giveaway[optimize] is not installed")

any_region = st.sampled_from("abcdefgh").map(oracle.letter)
small_tables = oracle.tables(rows=5, width=2, regions=any_region)


def solved(table: oracle.Planned, **given: Any) -> solve.ConstraintSolution:
    return solve.solve(oracle.encoded(table)[0], **given)


def planned(records: str, secrets: str, limit: Fraction, regions: str, **given: Any) -> oracle.Planned:
    """Make a table of records written as words, of which those that follow are secret."""
    words = [*records.split(), *secrets.split()]
    hidden = range(len(records.split()), len(words))
    return oracle.Planned(
        records=tuple(map(tuple, words)),
        secrets=frozenset(hidden),
        limit=limit,
        regions=oracle.letter(regions),
        **given,
    )


@given(table=oracle.tables(rows=6, width=3, regions=any_region), above=st.integers(-1, 2))
def test_the_rules_that_secrets_have_are_counted_one_by_one(table: oracle.Planned, above: int) -> None:
    encoded, _ = oracle.encoded(table)

    found = sorted((rule.showing, rule.matching) for rule in attacked_rules(encoded, above=above))

    assert found == sorted(counts for counts in oracle.attacks(table).values() if counts[0] > above)


@sized(200)
@given(table=small_tables)
def test_it_hides_as_few_entries_as_trying_all_sets_does(table: oracle.Planned) -> None:
    _, rows_of = oracle.encoded(table)
    fewest = oracle.optimum(table)

    found = solved(table)

    assert found.impossible == (fewest is None)
    if fewest is None:
        assert found.hidden is None
    else:
        assert found.hidden is not None
        hidden = oracle.entries(found.hidden, rows_of)
        assert (found.bound, found.proved, len(hidden)) == (fewest, True, fewest)
        assert len(set(hidden)) == fewest
        assert set(hidden) <= set(table.allowed())
        assert oracle.safe(table, hidden)


@settings(max_examples=100)
@given(table=small_tables)
def test_rules_left_out_stay_safe_whatever_the_answer_hides(table: oracle.Planned) -> None:
    """The number of rules considered lies between those unsafe now and those that enough records show."""
    encoded, _ = oracle.encoded(table)

    relevant = relevant_rules(encoded)

    unsafe = len(oracle.unsafe_rules(table))
    shown = [found for found in oracle.attacks(table).values() if found[0] > table.least]
    assert unsafe <= len(relevant) <= (len(shown) if unsafe else 0)


@settings(max_examples=100)
@given(table=small_tables, less=st.integers(0, 2))
def test_an_upper_limit_below_the_fewest_proves_that_there_is_nothing_below_it(
    table: oracle.Planned, less: int
) -> None:
    fewest = solved(table)
    if fewest.hidden is None or fewest.bound < less:
        return

    found = solved(table, upper=fewest.bound - less)

    if less:
        assert found[1:] == (fewest.bound - less + 1, False, False)
        assert found.hidden is None
    else:
        assert found[1:] == fewest[1:]


def test_hiding_conditions_of_others_and_secrets_together_can_be_cheaper_than_of_secrets_alone() -> None:
    """Four records show the value of three secrets with the same condition."""
    ways = {letter: solved(planned("xs xs xs xs", "xs xs xs", Fraction("0.55"), letter)) for letter in "cd"}

    assert (ways["c"].bound, ways["c"].proved) == (3, True)
    assert (ways["d"].bound, ways["d"].proved) == (1, True)


def values(rules: Collection[oracle.Rule]) -> set[str]:
    return {value for _, value in rules}


def test_hiding_conditions_for_one_value_can_expose_another() -> None:
    """Of nine records with one condition four show s and three t; there is a secret of each value."""
    in_values, in_conditions = (
        planned("xs xs xs xs xt xt xt", "xs xt", Fraction("0.35"), letter) for letter in "ab"
    )

    assert values(oracle.unsafe_rules(in_conditions)) == {"s"}
    assert values(oracle.unsafe_rules(in_conditions, [(0, 0)])) == {"s", "t"}
    assert solved(in_values)[1:3] == (1, True)
    assert solved(in_conditions)[1:3] == (3, True)


def test_hiding_a_condition_of_one_secret_can_expose_another() -> None:
    """A secret with the value t also counts among the records of the rule to s."""
    table = planned("xs xs xt xt xt", "xs xt", Fraction("0.3"), "c")

    assert values(oracle.unsafe_rules(table)) == {"t"}
    assert values(oracle.unsafe_rules(table, [(6, 0)])) == {"s"}
    assert solved(table)[1:3] == (2, True)
