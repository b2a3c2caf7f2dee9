from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import attributes as oracle
from tests.oracles import fewest_hidden as constraint_program
from tests.oracles.attributes import Planned, Record

from giveaway.attacks.attributes.hiding import best_of_all
from giveaway.attacks.attributes.hiding.best_of_all import HidingPlan, protect, show_again
from giveaway.attacks.attributes.hiding.integer_program import solve
from giveaway.attacks.attributes.hiding.lower_bound import bound
from giveaway.attacks.attributes.hiding.rounds import POLICIES, Changed, Round, rounds
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import Hidden, PartialTable, hide

LETTERS = "abcdefg"
FIGURE_2 = ["abcs", "abcs", "abcs", "ab*s", "abds", "a*ds", "*bds", "*bds", "**d*"]
VALUES, OTHERS, SECRETS = "sensitive of others", "conditions of others", "conditions of secrets"

regions = st.sampled_from([oracle.letter(name) for name in LETTERS])
small_tables = oracle.tables(rows=7, width=3, regions=regions)


def records(*rows: str) -> tuple[Record, ...]:
    """Read records of one letter a column; a star is a value of its own, a blank is missing."""
    return tuple(
        tuple(None if letter == " " else f"{row}{letter}" if letter == "*" else letter for letter in text)
        for row, text in enumerate(rows)
    )


def figure_2(name: str) -> Planned:
    return Planned(
        records=records(*FIGURE_2),
        secrets=frozenset({0, 4}),
        limit=Fraction("0.55"),
        regions=oracle.letter(name),
    )


def planned(table: Planned, method: str = "auto") -> HidingPlan:
    encoded, _ = oracle.encoded(table)
    return protect(encoded, method=method, seconds=20)  # type: ignore[arg-type]


def hidden_in(table: Planned, plan: HidingPlan) -> list[oracle.Entry]:
    assert plan.hidden is not None
    return oracle.entries(plan.hidden, oracle.encoded(table)[1])


@pytest.mark.parametrize(("name", "fewest"), list(zip(LETTERS, [2, 7, 6, 6, 2, 2, 2], strict=True)))
def test_figure_2_needs_as_many_entries_as_known_for_each_subcase(name: str, fewest: int) -> None:
    plan = planned(figure_2(name))

    assert (plan.entries, plan.lower_bound, plan.optimal) == (fewest, fewest, True)
    assert oracle.safe(figure_2(name), hidden_in(figure_2(name), plan))
    assert planned(figure_2(name), "cover").entries == fewest


@settings(max_examples=150)
@given(table=small_tables, method=st.sampled_from(["auto", "cover"]))
def test_what_is_hidden_makes_the_table_safe_and_may_be_hidden(table: Planned, method: str) -> None:
    plan = planned(table, method)

    if plan.hidden is not None:
        entries = hidden_in(table, plan)
        assert oracle.safe(table, entries)
        assert set(entries) <= set(table.allowed())
        assert len(set(entries)) == plan.entries >= plan.lower_bound
    if plan.impossible:
        assert plan.hidden is None
        assert not oracle.safe(table)


@settings(max_examples=60)
@given(table=oracle.tables(rows=6, width=2, regions=regions))
def test_no_fewer_entries_make_a_small_table_safe(table: Planned) -> None:
    plan = planned(table)

    assume(plan.entries <= 4)
    sizes = range(plan.entries if plan.hidden else min(4, len(table.allowed())))
    assert plan.settled
    assert not any(
        oracle.safe(table, tried) for size in sizes for tried in combinations(table.allowed(), size)
    )


@pytest.mark.papers
@pytest.mark.parametrize("name", LETTERS)
@pytest.mark.parametrize("marked", [0.0, 0.15])
def test_the_integer_program_agrees_with_constraint_programming(name: str, marked: float) -> None:
    pytest.importorskip("ortools")
    rng = np.random.default_rng(11)
    for width, rows in [(2, 24), (3, 16), (4, 24)] * 5:
        drawn = oracle.drawn(rng, rows=rows, width=width, regions=oracle.letter(name), marked=marked)
        table = replace(drawn, secrets=frozenset(rng.choice(rows, 6, replace=False).tolist()))
        encoded, _ = oracle.encoded(table)
        plan, known = planned(table), constraint_program.solve(encoded, seconds=20)

        assert plan.impossible == known.impossible
        assert plan.optimal == known.proved
        assert plan.entries == (known.hidden.entries if known.hidden else 0)


@settings(max_examples=100)
@given(table=small_tables)
def test_the_bound_by_counting_holds_and_greedy_is_not_far_from_it(table: Planned) -> None:
    greedy, exact = planned(table, "cover"), planned(table)

    assert greedy.lower_bound <= exact.lower_bound
    if greedy.hidden is not None:
        assert exact.entries <= greedy.entries <= 2 * exact.entries


@settings(max_examples=100)
@given(table=small_tables, policy=st.sampled_from(list(POLICIES)))
def test_every_policy_ends_in_a_safe_table_or_nowhere(table: Planned, policy: str) -> None:
    encoded, _ = oracle.encoded(table)

    done = rounds(Changed.nothing_in(encoded), search.find(encoded), policy)

    if done is not None:
        shown = show_again(encoded, done.changed)
        before, after = done.changed.hidden_in(encoded), shown.hidden_in(encoded)
        assert len(search.find(shown.table)) == 0
        assert len(search.find(hide(encoded, after)[0])) == 0
        assert after.entries <= before.entries


def exposed(table: PartialTable) -> Round:
    return Round(table=table, unsafe=search.find(table))


@settings(max_examples=60)
@given(table=small_tables)
def test_the_program_alone_finds_the_fewest_without_help_of_a_greedy_plan(table: Planned) -> None:
    encoded, _ = oracle.encoded(table)
    now = exposed(encoded)
    assume(len(now.unsafe) > 0 and not now.is_lost)

    solved = solve(now, bound(now).must_hit(None), seconds=20)

    plan = planned(table)
    assert solved.impossible == plan.impossible
    assert (solved.hidden is None) == (plan.hidden is None)
    assert solved.hidden is None or solved.hidden.entries == plan.entries == solved.bound


def test_several_values_expose_each_other_when_conditions_are_hidden() -> None:
    """Three entries instead of one: what is hidden of a record with one value raises the share of the other."""
    table = Planned(
        records=records("xs", "xt", "xs", "xs", "xs", "xt", "xt"),
        secrets=frozenset({0, 1}),
        limit=Fraction("0.3"),
        regions=(OTHERS,),
    )

    assert planned(table).entries == planned(table, "cover").entries == 3
    assert planned(replace(table, regions=(VALUES,))).entries == 1


def test_hiding_a_condition_of_one_secret_can_expose_another() -> None:
    """Hiding the first condition leaves the other secret with 3 of 5 records; hiding the second is enough."""
    table = Planned(
        records=records("xys", "xzs", "xys", "xys", "x1s", "x2t", "3yt", "4yt"),
        secrets=frozenset({0, 1}),
        limit=Fraction("0.5"),
        regions=(SECRETS,),
    )

    assert oracle.safe(table, [(0, 1)])
    assert set(oracle.unsafe_rules(table, [(0, 0)])) == {(frozenset({(0, "x")}), "s")}
    assert planned(table).entries == 1


def test_conditions_of_others_can_be_cheaper_than_those_of_secrets() -> None:
    table = Planned(
        records=records(*["xs"] * 7), secrets=frozenset({0, 1, 2}), limit=Fraction("0.55"), regions=(SECRETS,)
    )

    assert planned(table).entries == 3
    assert planned(replace(table, regions=(SECRETS, OTHERS))).entries == 1


def test_where_the_sensitive_entry_must_stay_conditions_of_that_record_are_hidden() -> None:
    """With the sensitive entries alone there is no safe table (a), with conditions two entries are enough (g)."""
    rows = range(1, 4)
    table = Planned(
        records=records("xs", "xs", "xs", "xs", "x*"),
        secrets=frozenset({0}),
        limit=Fraction(1, 3),
        marks=frozenset((row, 1) for row in rows),
        regions=(VALUES,),
    )

    alone = planned(table)
    assert (alone.hidden, alone.impossible) == (None, True)
    assert planned(replace(table, regions=(VALUES, OTHERS))).entries == 2


def test_support_makes_a_rule_safe_as_well() -> None:
    table = Planned(
        records=records("xs", "xs", "xs", "xs"),
        secrets=frozenset({0}),
        limit=Fraction(1, 2),
        regions=(OTHERS,),
    )

    assert [planned(replace(table, least=least)).entries for least in range(4)] == [2, 2, 1, 0]


def test_missing_entries_match_nothing_and_cost_nothing() -> None:
    table = Planned(
        records=records("xys", " ys", "xys", " y ", "x s"),
        secrets=frozenset({0}),
        limit=Fraction(1, 2),
        regions=(SECRETS,),
    )
    encoded, _ = oracle.encoded(replace(table, records=records("  s", "xys")))

    assert planned(table).entries == 1
    assert protect(encoded, seconds=1).method == "nothing to hide"


def test_a_safe_table_is_left_as_it_is() -> None:
    plan = planned(replace(figure_2("a"), limit=Fraction(1)))

    assert (plan.entries, plan.optimal, plan.rounds, plan.method) == (0, True, 0, "nothing to hide")


@pytest.mark.parametrize("name", LETTERS)
def test_without_time_for_more_the_plan_is_safe_and_the_bound_holds(name: str) -> None:
    table = oracle.drawn(np.random.default_rng(5), rows=40, width=4, regions=oracle.letter(name), marked=0.0)
    encoded, _ = oracle.encoded(table)

    plan = protect(encoded, seconds=0)

    assert oracle.safe(table, hidden_in(table, plan))
    assert plan.lower_bound <= planned(table).entries <= plan.entries


def test_the_answer_repeats() -> None:
    rng = np.random.default_rng(3)
    table = oracle.drawn(rng, rows=40, width=4, regions=oracle.letter("d"), marked=0.1)

    first, second = planned(table), planned(table)

    assert hidden_in(table, first) == hidden_in(table, second)
    assert first.method == second.method


def test_counted_groups_are_hidden_in_part() -> None:
    """Ten thousand alike records: as many lose their sensitive entry as the share demands, and no more."""
    table = PartialTable(
        conditions=np.array([[0], [0], [0]], np.int32),
        value=np.array([-1, 0, 1], np.int32),
        truth=np.array([0, -1, -1], np.int32),
        count=np.array([5, 9_000, 995]),
        may=np.array([0, 2, 2]),
        limit=Fraction("0.6"),
        least=60,
    )

    plan = protect(table, seconds=20)

    assert plan.optimal
    assert plan.hidden is not None
    assert (plan.hidden.group.tolist(), plan.hidden.mask.tolist(), plan.hidden.times.tolist()) == (
        [1],
        [2],
        [3_000],
    )


def groups(*rows: tuple[int, int, int, int, int, int], limit: str) -> PartialTable:
    """Make a table of two conditions, visible value, true value, count and what may be hidden."""
    columns = np.array(rows)
    return PartialTable(
        conditions=columns[:, :2].astype(np.int32),
        value=columns[:, 2].astype(np.int32),
        truth=columns[:, 3].astype(np.int32),
        count=columns[:, 4],
        may=columns[:, 5],
        limit=Fraction(limit),
        least=0,
    )


def left_hidden(table: PartialTable, *hidden: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Hide, show again what is needless, and return the rest by group, bitmask and times."""
    shown = show_again(table, Changed.nothing_in(table).hiding(Hidden.of(hidden))).hidden_in(table)
    return list(zip(shown.group.tolist(), shown.mask.tolist(), shown.times.tolist(), strict=True))


def test_values_are_shown_again_in_as_many_records_as_the_limit_allows() -> None:
    table = groups((0, 0, -1, 0, 1, 0), (0, 1, 0, -1, 4, 4), (0, 2, 1, -1, 1, 0), limit="1/3")

    assert left_hidden(table, (1, 4, 4)) == [(1, 4, 2)]


def test_a_condition_is_shown_again_whatever_the_rules_without_it_could_bear() -> None:
    """The rule from the first condition could bear no further record, but has this one already."""
    table = groups(
        (0, 1, -1, 0, 1, 0), (0, 1, 0, -1, 1, 2), (0, 1, 1, -1, 1, 0), (0, 5, 1, -1, 1, 0), limit="1/3"
    )

    assert left_hidden(table, (1, 2, 1)) == []


def test_a_secret_that_shows_a_condition_again_counts_among_the_records_with_it() -> None:
    table = groups((0, 1, -1, 0, 1, 2), (7, 1, 0, -1, 1, 0), limit="1/2")

    assert left_hidden(table, (0, 2, 1)) == []


def test_what_later_rounds_make_needless_is_shown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets hide two conditions first, which values of others hidden afterwards make needless."""
    table = Planned(
        records=records("bba", "cba", "cba", "ca ", "ca ", "aaa", "abb", "abb"),
        secrets=frozenset({0, 2, 6}),
        limit=Fraction("0.3"),
        regions=(VALUES, SECRETS),
        marks=frozenset({(0, 0), (1, 1), (2, 0), (5, 1), (6, 0)}),
    )
    encoded, _ = oracle.encoded(table)
    done = rounds(Changed.nothing_in(encoded), search.find(encoded), "hit first")
    monkeypatch.setattr(best_of_all, "_policies", lambda _table: ("hit first",))

    assert done is not None
    assert done.changed.hidden_in(encoded).entries == 4
    assert planned(table, "cover").entries == 2


def test_the_program_knows_that_few_records_are_not_believed() -> None:
    """One entry leaves two records that show the rule; to be within the limit all three would have to go."""
    table = Planned(
        records=records(*["xs"] * 8),
        secrets=frozenset(range(5)),
        limit=Fraction("0.1"),
        least=2,
        regions=(OTHERS, SECRETS),
    )
    now = exposed(oracle.encoded(table)[0])

    solved = solve(now, bound(now).must_hit(None), seconds=20)

    assert solved.hidden is not None
    assert (solved.hidden.entries, solved.bound) == (1, 1)
