"""Codes judged together with earlier releases: one with names is a sample, one with codes of its own tells nothing more."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import giveaway as ga

ROWS = st.lists(st.frozensets(st.sampled_from("abcd"), min_size=1), min_size=3, max_size=8)
LIMIT = ga.Tolerance(average="1/2")


def baskets(rows: list[frozenset[str]]) -> ga.Transactions:
    return ga.Transactions.from_lists(rows)


@settings(max_examples=40, deadline=None)
@given(ROWS, ROWS)
def test_names_of_another_period_are_a_sample(now: list[frozenset[str]], last: list[frozenset[str]]) -> None:
    release = ga.Release(baskets(now), renamed=True)
    knows = ga.KnowsFrequencies(belief=ga.Belief.ignorant())
    before = ga.Earlier(baskets(last), name="2025", linked="people")
    found = ga.assess(release, knows, LIMIT, earlier=before).findings[0]
    assume(found.risk is not None)
    (seen,) = found.together
    sample = ga.KnowsFrequencies(belief=ga.Belief.from_sample(baskets(last)))
    expected = ga.assess(release, sample, LIMIT).findings[0]
    assert (seen.safe, seen.risk and seen.risk.average) == (
        expected.safe,
        expected.risk and expected.risk.average,
    )


def test_codes_of_their_own_tell_nothing_more() -> None:
    rows = [frozenset("ab"), frozenset("abc"), frozenset("cd")]
    release = ga.Release(baskets(rows), renamed=True)
    before = ga.Earlier(ga.Release(baskets(rows[:2]), renamed=True), name="2025")
    found = ga.assess(release, ga.KnowsFrequencies(), LIMIT, earlier=before).findings[0]
    assert found.together == ()
    assert found.risk is not None


def test_people_of_a_table_are_not_judged_together() -> None:
    rows = [{"name": name, "age": age} for name, age in (("ann", 30), ("bob", 40), ("eve", 30))]
    table = ga.Table.from_rows(rows, id="name")
    knows = ga.KnowsFrequencies(belief=ga.Belief.of_people({"ann": {"age": 30}, "bob": {"age": 40}}))
    before = ga.Earlier(table, name="2025")
    found = ga.assess(ga.Release(table), knows, LIMIT, earlier=before)
    assert found.verdict == "at risk", "as it is alone"
    assert not found.findings[0].is_measured
