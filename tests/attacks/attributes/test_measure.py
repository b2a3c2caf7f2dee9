from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.attacks.attributes.cases import (
    best_chance,
    curve,
    exposed,
    figure_2,
    measured,
    table_of,
    tables,
)
from tests.oracles import attributes as oracle
from tests.oracles.attributes import Planned

import giveaway as ga
from giveaway.attacks.attributes.measure import after, measure
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.partial_table import PartialTable
from giveaway.errors import ScenarioError
from giveaway.model.answer.risk import Exposure, HoldsUpTo, Risk
from giveaway.model.question.effort import Effort

quick = settings(max_examples=100)


@quick
@given(table=tables(rows=8, width=3))
def test_figures_equal_brute_force(table: Planned) -> None:
    risk = measured(table)
    leaking, over = oracle.unsafe_rules(table), exposed(table)
    figures = risk.figures
    assert figures["records"] == len(table.records)
    assert figures["sensitive_records"] == len(table.secrets)
    assert figures["unsafe_rules"] == len(leaking)
    assert figures["exposed_records"] == risk.over == len(over)
    assert risk.share == Fraction(len(over), len(table.secrets))
    assert figures["hidden_entries"] == figures["removal_rate"] == 0
    assert (risk.levels[0].worst, risk.levels[0].limit) == (
        max(best_chance(table, row) for row in table.secrets),
        table.limit,
    )


@quick
@given(table=tables(rows=8, width=3))
def test_leaking_rules_are_listed_worst_first_with_their_counts(table: Planned) -> None:
    listed = measured(table).figures["rules"]
    expected = {
        (frozenset((f"c{column}", one) for column, one in pattern), value): found
        for (pattern, value), found in oracle.unsafe_rules(table).items()
    }
    found = {
        (frozenset(rule["condition"].items()), rule["value"]): (rule["support"], rule["records"])
        for rule in listed
    }
    keys = [(-rule["confidence"], len(rule["condition"]), -rule["support"]) for rule in listed]
    assert keys == sorted(keys)
    assert len(listed) == len(expected)
    assert found == expected
    assert all(rule["confidence"] == Fraction(rule["support"], rule["records"]) for rule in listed)
    assert all(1 <= rule["secrets"] <= len(table.secrets) for rule in listed)


@quick
@given(table=tables(rows=8, width=3))
def test_every_secret_with_a_value_is_listed_worst_first_with_its_best_chance(table: Planned) -> None:
    listed = list(measured(table).exposures)
    secrets = {row for row in table.secrets if table.records[row][-1] is not None}
    assert {one.target: one.chance for one in listed} == {row + 1: best_chance(table, row) for row in secrets}
    assert [one.chance for one in listed] == sorted((one.chance for one in listed), reverse=True)
    shown = [record[-1] for record in oracle.published(table) if record[-1] is not None]
    for one in listed:
        assert one.value == table.records[int(str(one.target)) - 1][-1]
        assert one.baseline == (Fraction(shown.count(str(one.value)), len(shown)) if shown else 0)


@quick
@given(table=tables(rows=8, width=3), share=st.sampled_from([Fraction(0), Fraction(1, 2)]))
def test_the_breaking_point_is_the_longest_rule_within_tolerance(table: Planned, share: Fraction) -> None:
    risk = measured(table, share=share)
    counts = [len(exposed(table, longest=length)) for length in range(1, table.width + 1)]
    broken = [length for length, count in enumerate(counts, 1) if count > share * len(table.secrets)]
    if broken:
        assert risk.holds_up_to == HoldsUpTo(value=broken[0] - 1 or None, unit="columns")
    else:
        assert risk.holds_up_to == HoldsUpTo(
            value=table.width, unit="columns", at_least=True, whole_scale=True
        )
    assert risk.figures["breaking_point"] == risk.holds_up_to.value
    strength = curve(risk.curves, "strength")
    assert strength.y == tuple(count / len(table.secrets) for count in counts)
    assert strength.limit == float(share)


@quick
@given(table=tables(rows=8, width=2))
def test_the_curves_of_chances_and_limits_count_secrets(table: Planned) -> None:
    risk = measured(table)
    chances = [best_chance(table, row) for row in table.secrets if table.records[row][-1] is not None]
    edges = sorted({*(Fraction(place, 20) for place in range(21)), table.limit})
    assert curve(risk.curves, "chances").y == tuple(
        sum(low < chance <= high or (low == chance == 0) for chance in chances)
        for low, high in pairwise(edges)
    )
    limits = curve(risk.curves, "limits")
    exact = edges[1:]
    assert limits.x == tuple(map(float, exact))
    assert limits.y == tuple(sum(chance > limit for chance in chances) for limit in exact)


@quick
@given(table=tables(rows=8, width=2))
def test_the_visible_confidence_leaves_hidden_values_out_of_the_count(table: Planned) -> None:
    seen = oracle.published(table)
    ratios = []
    for (pattern, _), (showing, _) in oracle.attacks(table).items():
        visible = sum(oracle.has(record, pattern) and record[-1] is not None for record in seen)
        if showing > table.least:
            ratios.append(Fraction(showing, visible))
    assert measured(table).figures["worst_visible_confidence"] == max(ratios, default=None)


@settings(max_examples=60)
@given(table=tables(rows=8, width=2), data=st.data())
def test_the_order_of_rows_does_not_matter(table: Planned, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(table.records))))
    place_of = {row: place for place, row in enumerate(order)}
    other = Planned(
        records=tuple(table.records[row] for row in order),
        secrets=frozenset(place_of[row] for row in table.secrets),
        limit=table.limit,
        least=table.least,
    )
    one, another = measured(table), measured(other)
    assert one.figures == another.figures
    assert one.curves == another.curves
    assert one.worked == another.worked
    assert [(a.chance, a.because) for a in one.exposures] == [
        (b.chance, b.because) for b in another.exposures
    ]


def teachers(**more: object) -> ga.Release:
    rows = [*["Masters Prof f teacher"] * 4, *["Masters Prof m cook"] * 2, *["School Clerk f cook"] * 2]
    table = table_of(rows, ["education", "job", "sex", "work"], sensitive="work")
    return ga.Release(table, secrets=[1], **more)


def asked(release: ga.Release, limit: object = 0.4, least: int = 0, **more: object) -> Risk:
    attacker = ga.KnowsAttributes(
        columns=["education", "job"], trusts_support_above=least, knows_method=False
    )
    return measure(release, attacker, ga.Tolerance(attribute=limit, **more), None, Effort())


def test_sentences_say_why_with_counts() -> None:
    risk = asked(teachers())
    (one,) = risk.exposures
    assert one.because == "50 % (3 of 6) of the records with education Masters have work teacher."
    assert (one.target, one.value, one.chance, one.baseline) == (1, "teacher", Fraction(1, 2), Fraction(3, 7))
    assert risk.reasons == (
        "1 of 1 secret entry can be inferred from the other columns.",
        (
            "work teacher is shown by 42.9 % of the visible entries: somebody who leaves blank entries out of the count "
            "guesses it without any rule."
        ),
    )


@pytest.mark.parametrize(
    ("width", "which"), [(3, "this column-0, column-1 and column-2"), (4, "the same 4 columns")]
)
def test_a_long_rule_is_told_by_its_columns(width: int, which: str) -> None:
    columns, long = [f"column-{place}" for place in range(width)], "v" * 60
    others = [[*[long] * place, "other", *[long] * (width - place - 1), "no"] for place in range(width)]
    rows = [" ".join(row) for row in [[*[long] * width, "yes"]] * 2 + others]
    release = ga.Release(table_of(rows, [*columns, "ill"], sensitive="ill"), secrets=[1])
    attacker = ga.KnowsAttributes(columns=columns, knows_method=False)
    risk = measure(release, attacker, ga.Tolerance(attribute=0.1), None, Effort())
    assert risk.exposures[0].because == f"50 % (1 of 2) of the records with {which} have ill yes."
    assert risk.figures["rules"][0]["condition"] == dict.fromkeys(columns, long)


def test_the_worked_example_narrows_the_crowd_step_by_step() -> None:
    rows = ["a x s", "a x s", "a x s", "a y t", "a y t", "b x t", "b x t", "b x t"]
    release = ga.Release(table_of(rows, "pqS", sensitive="S"), secrets=[1])
    risk = measure(
        release,
        ga.KnowsAttributes(columns=["p", "q"], knows_method=False),
        ga.Tolerance(attribute=0.5),
        None,
        Effort(),
    )
    assert [(step.label, step.count) for step in risk.worked] == [
        ("all records", 8),
        ("with q x", 6),
        ("with q x and p a", 3),
        ("of them with S s", 2),
    ]


def test_figure_2_is_measured_as_the_paper_says() -> None:
    risk = measure(
        figure_2(),
        ga.KnowsAttributes(columns=["A", "B", "C"], knows_method=False),
        ga.Tolerance(attribute=0.55),
        None,
        Effort(),
    )
    assert risk.figures["unsafe_rules"] == 9
    assert risk.figures["exposed_records"] == 2
    assert risk.figures["worst_visible_confidence"] == 1
    assert {
        "".join(rule["condition"].values()): (rule["support"], rule["records"])
        for rule in risk.figures["rules"]
    } == {
        "abc": (2, 3), "ab": (3, 5), "ac": (2, 3), "bc": (2, 3), "bd": (2, 3),
        "a": (4, 6), "b": (5, 7), "c": (2, 3), "d": (3, 5),
    }  # fmt: skip
    assert risk.kept == {"cells": 34, "cells_total": 34}


def test_a_verdict_needs_one_search_and_what_only_a_report_shows_is_worked_out_once_when_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searches = []

    def recorded(name: str) -> None:
        honest = getattr(search, name)

        def searching(table: PartialTable) -> object:
            searches.append(name)
            return honest(table)

        monkeypatch.setattr(search, name, searching)

    recorded("best")
    recorded("find")
    risk = asked(teachers())
    assert (risk.share, searches) == (1, ["best"])
    assert risk.figures["unsafe_rules"] == 3
    assert risk.figures is risk.figures
    assert searches == ["best", "find"]


def test_a_rule_is_believed_from_more_than_the_stated_support_on() -> None:
    assert asked(teachers(), least=2).over == 1
    untrusted = asked(teachers(), least=3)
    assert untrusted.over == 0
    assert untrusted.exposures[0].chance == 0
    assert untrusted.exposures[0].because == "No rule that more than 3 records support leads to work teacher."
    assert untrusted.worked == ()


def test_a_chance_that_is_exactly_the_limit_is_within_it() -> None:
    assert asked(teachers(), limit="1/2").over == 0
    assert asked(teachers(), limit="49999999999999999999/100000000000000000000").over == 1


def test_secrets_without_a_value_count_and_are_safe() -> None:
    table = table_of(["a ?", "a s", "a s", "? s"], ["p", "S"], sensitive="S")
    release = ga.Release(table, secrets=[1, 2, 4])
    risk = measure(
        release,
        ga.KnowsAttributes(columns=["p"], knows_method=False),
        ga.Tolerance(attribute=0.3),
        None,
        Effort(),
    )
    assert risk.figures["sensitive_records"] == 3
    assert risk.share == Fraction(1, 3)
    assert {one.target: one.chance for one in risk.exposures} == {2: Fraction(1, 3), 4: 0}
    assert "1 secret entry without a value counted as safe: there is nothing to infer." in risk.reasons


def test_only_values_worth_protecting_are_attacked() -> None:
    table = table_of(["a hiv", "a hiv", "b flu", "b flu"], ["p", "S"], sensitive="S")
    release = ga.Release(table, secrets=[1, 3], sensitive_values=["hiv"])
    risk = measure(
        release,
        ga.KnowsAttributes(columns=["p"], knows_method=False),
        ga.Tolerance(attribute=0.3),
        None,
        Effort(),
    )
    assert [one.target for one in risk.exposures] == [1]
    assert risk.figures["exposed_records"] == 1
    assert "1 secret entry with a value that you do not ask to protect counted as safe." in risk.reasons


def test_several_sensitive_columns_are_attacked_one_by_one() -> None:
    rows = ["a x 1", "a x 1", "a y 1", "b y 2"]
    table = table_of(rows, ["p", "ill", "paid"], sensitive=["ill", "paid"])
    release = ga.Release(table, secrets=[(1, "ill"), (3, "paid")])
    risk = measure(
        release,
        ga.KnowsAttributes(columns=["p"], knows_method=False),
        ga.Tolerance(attribute=0.5),
        None,
        Effort(),
    )
    assert [(one.target, one.value, one.chance) for one in risk.exposures] == [
        (3, "1", Fraction(2, 3)),
        (1, "x", Fraction(1, 3)),
    ]
    assert risk.exposures[0].because == "66.7 % (2 of 3) of the records with p a have paid 1."
    assert risk.share == Fraction(1, 2)
    assert risk.kept == {"cells": 10, "cells_total": 10}


def test_what_is_withheld_is_not_measured_but_counts_as_not_kept() -> None:
    release = teachers().withholding(ga.Withheld(cells=[(2, "work"), (2, "job"), (1, "job"), (1, "work")]))
    risk = asked(release)
    assert risk.figures["hidden_entries"] == 3
    assert risk.figures["removal_rate"] == Fraction(3, 24)
    assert risk.kept == {"cells": 20, "cells_total": 23}
    assert risk.exposures[0].chance == Fraction(1, 3)
    assert risk.against == "counts blank entries as other values"
    assert risk.warning == (
        "Somebody who leaves blank entries out of the count finds a rule that holds for 50 %, above your limit of 40 %."
    )
    assert risk.reasons == (
        "Hiding conditions of secrets assumes that nobody knows the hidden conditions from elsewhere.",
    )


def test_an_exposure_is_followed_to_another_release() -> None:
    (one,) = asked(teachers()).exposures
    assert after(one, teachers()) == Fraction(1, 2)
    less = teachers().withholding(ga.Withheld(cells=[(2, "work")]))
    assert after(one, less) == Fraction(1, 3)
    blind = teachers().withholding(ga.Withheld(cells=[(1, "education"), (1, "job")]))
    assert after(one, blind) == 0
    assert after(Exposure(target=1, kind="attribute", chance=0.5, because=""), less) == 0.5


def test_a_tolerated_share_of_secrets_is_not_a_reason() -> None:
    table = table_of(["a s"] * 4 + ["b t"] * 3, ["p", "S"], sensitive="S")
    release = ga.Release(table, secrets=[1, 5])
    attacker = ga.KnowsAttributes(columns=["p"], knows_method=False)
    tolerance = ga.Tolerance(attribute="2/3", share="1/2")
    risk = measure(release, attacker, tolerance, None, Effort())
    assert (risk.over, risk.reasons) == (1, ())


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["education", "work"], 'sensitive column "work" is among the columns'),
        (["education", "age"], 'There is no column "age". It has: education, job, sex, work'),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns: list[str], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        measure(
            teachers(),
            ga.KnowsAttributes(columns=columns, knows_method=False),
            ga.Tolerance(attribute=0.5),
            None,
            Effort(),
        )


def test_the_identifier_is_no_condition() -> None:
    table = ga.Table.from_rows([{"id": 1, "S": "s"}, {"id": 2, "S": "s"}], sensitive="S", id="id")
    with pytest.raises(ScenarioError, match='"id" is the identifier'):
        measure(
            ga.Release(table),
            ga.KnowsAttributes(columns=["id"], knows_method=False),
            ga.Tolerance(attribute=0.5),
            None,
            Effort(),
        )


def test_a_table_without_a_sensitive_column_is_refused() -> None:
    table = ga.Table.from_rows([{"p": 1}, {"p": 2}])
    with pytest.raises(ScenarioError, match="No column of the table is sensitive"):
        measure(
            ga.Release(table),
            ga.KnowsAttributes(columns=["p"], knows_method=False),
            ga.Tolerance(attribute=0.5),
            None,
            Effort(),
        )


def test_a_release_of_rules_is_refused() -> None:
    release = teachers(rules=ga.PublishedRules(rules=[], min_support=0.1, min_confidence=0.5))
    with pytest.raises(ScenarioError, match="publishes rules only"):
        asked(release)


def test_a_sensitive_value_that_does_not_occur_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"'Teacher' does not occur\. It has: cook, teacher\."):
        asked(teachers(sensitive_values=["Teacher"]))


def test_too_many_columns_are_refused() -> None:
    columns = [f"c{place}" for place in range(61)]
    table = ga.Table.from_rows([dict.fromkeys(columns, 1) | {"S": 1}], sensitive="S")
    with pytest.raises(ScenarioError, match="61 columns, more than the 60"):
        measure(
            ga.Release(table),
            ga.KnowsAttributes(columns=columns, knows_method=False),
            ga.Tolerance(attribute=0.5),
            None,
            Effort(),
        )
