from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.attacks.attributes.cases import (
    curve,
    exposed,
    figure_2,
    hidden,
    measured,
    protected,
    table_of,
    tables,
)
from tests.oracles import attributes as oracle
from tests.oracles.attributes import Entry, Planned
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.attributes.attacker import AttributesOptions
from giveaway.attacks.attributes.hiding import best_of_all
from giveaway.attacks.attributes.hiding.best_of_all import HidingPlan
from giveaway.attacks.attributes.need import NeedsCells
from giveaway.attacks.attributes.protect import protect
from giveaway.attacks.attributes.protecting import plan, refuse
from giveaway.errors import NoSafeRelease, ScenarioError
from giveaway.model.data.arrays import alike
from giveaway.model.question.effort import Effort

quick = settings(max_examples=60)
FIGURE_2 = ga.KnowsAttributes(columns=["A", "B", "C"], knows_method=False), ga.Tolerance(attribute=0.55)
OPTIMA = {"a": 2, "b": 7, "c": 6, "d": 6, "e": 2, "f": 2, "g": 2}


@quick
@given(table=tables(rows=7, width=2), method=st.sampled_from(["auto", "cover"]))
def test_the_protected_table_is_safe_by_brute_force_and_hides_only_what_it_may(
    table: Planned, method: str
) -> None:
    try:
        found = protected(table, method=method)
    except NoSafeRelease:
        assert not oracle.safe(table)
        return
    gone = hidden(found.release, table.width)
    assert oracle.safe(table, gone)
    assert gone <= set(table.allowed())
    assert found.figures["lower_bound"] <= len(gone)
    assert found.figures["optimal"] == (found.figures["lower_bound"] == len(gone))
    again = measured(table, found.release)
    assert again.over == 0
    assert again.figures["hidden_entries"] == len(gone)


methods = st.sampled_from(["auto", "cover", "r-graph", "cr"])


def served(table: Planned, method: str) -> bool:
    """Whether a method may be asked: the R-graph is for conditions of others alone, CR for their entries."""
    places = {"r-graph": ["conditions of others"], "cr": ["conditions of others", "sensitive of others"]}
    return method not in places or (
        table.regions in [(place,) for place in places[method]] and bool(table.allowed())
    )


@pytest.mark.papers
@settings(max_examples=100)
@given(table=tables(rows=6, width=2), method=methods, exact=st.booleans())
def test_what_is_said_to_be_best_or_impossible_is_so(table: Planned, method: str, exact: bool) -> None:
    assume(len(table.allowed()) <= 12 and served(table, method))
    fewest = oracle.optimum(table)
    try:
        found = protected(table, method=method, exact=exact)
    except NoSafeRelease as refused:
        proved = refused.proved
    else:
        proved = None
    if proved is not None:
        assert fewest is None or not proved
        assert (fewest is None and proved) or method != "auto"
        return
    assert fewest is not None
    gone = len(found.release.withheld.cells)
    assert found.figures["lower_bound"] <= fewest <= gone
    assert found.figures["optimal"] == (found.figures["lower_bound"] == gone)
    assert found.figures["optimal"] or method != "auto"
    assert ("It is proved" in found.detail) == (found.figures["optimal"] and gone > 0)


@st.composite
def shared(draw: st.DrawFn) -> Planned:
    """A table with several secrets, some of them identical, and many marks."""
    rows, width = draw(st.integers(4, 6)), draw(st.integers(1, 2))
    record = st.tuples(*[st.sampled_from("aab")] * (width + 1))
    marked = draw(st.lists(st.integers(0, 2), min_size=rows * (width + 1), max_size=rows * (width + 1)))
    entries = list(product(range(rows), range(width + 1)))
    return Planned(
        records=tuple(draw(st.lists(record, min_size=rows, max_size=rows))),
        secrets=draw(st.frozensets(st.integers(0, rows - 1), min_size=2, max_size=4)),
        limit=draw(st.sampled_from([Fraction(1, 6), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)])),
        least=draw(st.sampled_from([0, 0, 1])),
        regions=oracle.letter(draw(st.sampled_from("abcdefg"))),
        marks=frozenset(entry for entry, mark in zip(entries, marked, strict=True) if mark),
    )


@sized(100)
@given(table=shared())
def test_no_release_that_is_safe_at_another_limit_hides_fewer_than_the_curve_says(table: Planned) -> None:
    if len(table.allowed()) > 7 or oracle.safe(table) or oracle.optimum(table) is None:
        return
    found = protected(table).curves
    if len(found) == 1:
        return
    cost, fewest = curve(found, "hidden"), curve(found, "lower_bounds")
    for limit, hides, least in zip(cost.x, cost.y, fewest.y, strict=True):
        best = oracle.optimum(replace(table, limit=Fraction(limit).limit_denominator(1000)))
        assert best is not None
        assert least <= best <= hides


shares = st.sampled_from(["1/4", "1/3", "1/2", "2/3"])


def within(table: Planned, share: str, gone: Collection[Entry] = ()) -> bool:
    return len(exposed(table, gone)) <= Fraction(share) * len(table.secrets)


@sized(150)
@given(table=shared(), share=shares)
def test_with_a_share_a_safe_table_is_found_whenever_there_is_one_and_otherwise_it_is_proved(
    table: Planned, share: str
) -> None:
    entries = table.allowed()
    assume(len(entries) <= 7 and not within(table, share))
    exists = any(
        within(table, share, chosen)
        for size in range(len(entries) + 1)
        for chosen in combinations(entries, size)
    )
    if not exists:
        with pytest.raises(NoSafeRelease) as refused:
            protected(table, share=Fraction(share))
        assert refused.value.proved
        return
    gone = hidden(protected(table, share=Fraction(share)).release, table.width)
    assert gone <= set(entries)
    assert within(table, share, gone)


@quick
@given(table=tables(rows=7, width=2))
def test_the_ledger_and_the_curve_follow_every_region(table: Planned) -> None:
    try:
        found = protected(table)
    except NoSafeRelease:
        return
    columns = [*(f"c{place}" for place in range(table.width)), "s"]
    gone: set[tuple[int, int]] = set()
    steps = [gone]
    for line in found.ledger:
        column, whose = str(line.withheld).split(" of ")
        more = {
            (row, place)
            for row, place in hidden(found.release, table.width)
            if columns[place] == column and (row in table.secrets) == (whose == "secrets")
        }
        assert line.lost == len(more)
        gone = gone | more
        steps.append(gone)
    assert gone == hidden(found.release, table.width)
    rules = [set(oracle.unsafe_rules(table, step)) for step in steps]
    for place, line in enumerate(found.ledger, 1):
        later = set().union(*rules[place:])
        assert line.removed == len((rules[0] & rules[place - 1]) - later)
    assert sum(line.removed for line in found.ledger) == len(rules[0])
    total = len([1 for record in table.records for value in record if value is not None])
    total -= sum(table.records[row][-1] is not None for row in table.secrets)
    kept = curve(found.curves, "kept")
    assert kept.x == tuple((total - len(step)) / max(total, 1) for step in steps)
    assert kept.y == tuple(len(exposed(table, step)) / len(table.secrets) for step in steps)


@quick
@given(table=tables(rows=8, width=2, letters="abcdefg"), share=st.sampled_from(["1/3", "1/2", "2/3"]))
def test_a_tolerated_share_leaves_some_exposed_and_hides_no_more(table: Planned, share: str) -> None:
    table = replace(table, secrets=frozenset(range(min(4, len(table.records)))))
    try:
        found = protected(table, share=Fraction(share))
    except NoSafeRelease:
        return
    gone = hidden(found.release, table.width)
    left = exposed(table, gone)
    assert len(left) <= Fraction(share) * len(table.secrets)
    assert gone <= set(table.allowed())
    if gone:
        assert found.figures["lower_bound"] is None
        assert not found.figures["optimal"]
    if left and gone:
        assert f"{len(left)} secret entr" in found.detail
    assert curve(found.curves, "kept").y[-1] == len(left) / len(table.secrets)
    with suppress(NoSafeRelease):
        assert len(gone) <= len(protected(table).release.withheld.cells)


@pytest.mark.parametrize("affordable", [0, plan.AFFORDABLE])
def test_a_share_leaves_the_costliest_secret_exposed_and_hides_only_what_the_other_needs(
    monkeypatch: pytest.MonkeyPatch, affordable: int
) -> None:
    monkeypatch.setattr(plan, "AFFORDABLE", affordable)
    table = table_of([*["a s"] * 7, *["b t"] * 3, "b u"], "AS", sensitive="S")
    release = ga.Release(table, secrets=[1, 8])
    asked = ga.KnowsAttributes(columns=["A"], knows_method=False)
    everybody = ga.protect(release, asked, ga.Tolerance(attribute="2/5"))
    half = ga.protect(release, asked, ga.Tolerance(attribute="2/5", share="1/2"))
    assert sorted(row for row, _ in everybody.withheld.cells) == [2, 3, 4, 5, 9]
    assert sorted(row for row, _ in half.withheld.cells) == [9]
    assert half.findings[0].risk.figures["exposed_records"] == 1


@pytest.mark.parametrize(("affordable", "hidden_entries"), [(0, 12), (plan.AFFORDABLE, 8)])
def test_a_share_is_used_for_those_whom_nothing_hidden_for_others_protects(
    monkeypatch: pytest.MonkeyPatch, affordable: int, hidden_entries: int
) -> None:
    """The first secret costs most, but what three others need protects it as well: the last is the one to leave out."""
    monkeypatch.setattr(plan, "AFFORDABLE", affordable)
    secret = ["a 1 s", *["a 2 s"] * 3, "b 3 t"]
    table = table_of([*secret, *["a 4 s"] * 16, *["b 5 t"] * 6], "ABS", sensitive="S")
    release = ga.Release(table, secrets=[1, 2, 3, 4, 5])
    asked = ga.KnowsAttributes(columns=["A", "B"], knows_method=False)

    one = ga.protect(release, asked, ga.Tolerance(attribute="2/5", share="1/5"))

    assert len(ga.protect(release, asked, ga.Tolerance(attribute="2/5")).withheld.cells) == 12
    assert len(one.withheld.cells) == hidden_entries
    assert one.findings[0].risk.figures["exposed_records"] == (hidden_entries == 8)


@settings(max_examples=40)
@given(table=tables(rows=8, width=2), data=st.data())
def test_the_order_of_rows_decides_only_between_identical_records(
    table: Planned, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(table.records))))
    place_of = {row: place for place, row in enumerate(order)}
    other = replace(
        table,
        records=tuple(table.records[row] for row in order),
        secrets=frozenset(place_of[row] for row in table.secrets),
        marks=frozenset((place_of[row], column) for row, column in table.marks if row in place_of),
    )

    def outcome(of: Planned) -> object:
        try:
            found = protected(of)
        except NoSafeRelease as refused:
            return refused.proved
        gone = hidden(found.release, of.width)
        return sorted(map(str, oracle.published(of, gone))), found.ledger, found.curves, found.figures

    assert outcome(table) == outcome(other)


@pytest.mark.parametrize("letter", sorted(OPTIMA))
def test_figure_2_costs_the_optimum_of_each_subcase(letter: str) -> None:
    safer = ga.protect(figure_2(), *FIGURE_2, need=ga.NeedsCells(hideable=letter))
    found = safer.findings[0].protection
    assert safer.verdict == "safe"
    assert len(safer.withheld.cells) == OPTIMA[letter]
    assert found is not None
    assert (found.figures["lower_bound"], found.figures["optimal"]) == (OPTIMA[letter], True)
    assumes = "assumes that nobody knows" in found.detail
    assert assumes == any("assumes that nobody knows" in reason for reason in safer.findings[0].reasons)
    assert assumes == any(row in (1, 5) for row, _ in safer.withheld.cells)


def test_figure_2_hides_the_first_of_alike_records() -> None:
    safer = ga.protect(figure_2(), *FIGURE_2)
    assert 2 in [row for row, _ in safer.withheld.cells]
    assert 3 not in [row for row, _ in safer.withheld.cells]
    assert [(line.withheld, line.removed, line.lost) for line in safer.findings[0].protection.ledger] == [
        ("S of others", 9, 2)
    ]


@pytest.mark.papers
@pytest.mark.parametrize("heuristic", ["max descendant", "random max", "random"])
def test_the_r_graph_protects_by_conditions_of_others(heuristic: str) -> None:
    options = {"method": "r-graph", "heuristic": heuristic}
    need = ga.NeedsCells(hideable="conditions of others")
    safer = ga.protect(figure_2(), *FIGURE_2, need=need, attributes=options)
    assert safer.verdict == "safe"
    assert len(safer.withheld.cells) == 7
    assert {line.why for line in safer.findings[0].protection.ledger} == {"r-graph"}
    with pytest.raises(ScenarioError, match="cover"):
        ga.protect(figure_2(), *FIGURE_2, attributes=options)


def test_where_nothing_may_be_hidden_there_is_no_safe_release() -> None:
    with pytest.raises(NoSafeRelease, match="nothing may be hidden") as refused:
        ga.protect(figure_2(), *FIGURE_2, need=ga.NeedsCells(hideable=[]))
    assert refused.value.proved
    assert refused.value.helps == (
        "The release is safe as it is from tolerates.attribute=5/7 on.",
        (
            'Or allow more to be hidden: needs.cells.hideable can also hold "sensitive of others", '
            '"conditions of others" and "conditions of secrets".'
        ),
    )
    assert ga.assess(figure_2(), FIGURE_2[0], ga.Tolerance(attribute="5/7")).safe


def test_marks_in_the_way_are_named() -> None:
    table = table_of(["a s", "a s", "a s", "b s", "b t"], "AS", sensitive="S")
    marks = [(2, "S"), (3, "S"), (4, "S")]
    asked = ga.KnowsAttributes(columns=["A"], knows_method=False), ga.Tolerance(attribute="1/2")
    with pytest.raises(NoSafeRelease, match="Marked to be published, and in the way") as refused:
        ga.protect(ga.Release(table, secrets=[1], must_publish=marks), *asked)
    assert refused.value.proved
    assert "S of record 2" in refused.value.reason
    assert "record 4" not in refused.value.reason
    safer = ga.protect(ga.Release(table, secrets=[1], must_publish=marks[1:]), *asked)
    assert list(safer.withheld.cells) == [(2, "S")]


def test_a_whole_column_may_be_marked() -> None:
    release = figure_2(must_publish=["B"])
    with pytest.raises(NoSafeRelease, match="in the way: B of record") as refused:
        ga.protect(release, *FIGURE_2, need=ga.NeedsCells(hideable="conditions of others"))
    assert refused.value.proved
    safer = ga.protect(release, *FIGURE_2, need=ga.NeedsCells(hideable="g"))
    assert safer.withheld.cells.columns == ("S",)


def test_several_columns_are_protected_together() -> None:
    rows = ["a x s 1", *["a x s 1"] * 3, "a y t 2", *["b y t 2"] * 4, "b x s 1"]
    table = table_of(rows, ["p", "q", "S", "T"], sensitive=["S", "T"])
    release = ga.Release(table, secrets=[(1, "S"), (6, "T"), (2, "T")])
    asked = ga.KnowsAttributes(columns=["p", "q"], knows_method=False), ga.Tolerance(attribute="1/2")
    for letter in "abcdefg":
        safer = ga.protect(release, *asked, need=ga.NeedsCells(hideable=letter))
        figures = safer.findings[0].protection.figures
        assert safer.verdict == "safe"
        assert figures["lower_bound"] <= len(safer.withheld.cells)
    values = ga.protect(release, *asked)
    alone = [
        len(ga.protect(ga.Release(table, secrets=some), *asked).withheld.cells)
        for some in ([(1, "S")], [(2, "T"), (6, "T")])
    ]
    assert len(values.withheld.cells) == sum(alone)
    assert values.findings[0].protection.figures["optimal"]


@dataclass(frozen=True, kw_only=True)
class Two:
    """A table with two sensitive columns, by brute force: each is a table of the oracle."""

    rows: list[tuple[str | None, ...]]
    secrets: tuple[frozenset[int], ...]
    letter: str
    marks: frozenset[tuple[int, str]]
    columns: ClassVar[list[str]] = ["p", "q", "S", "T"]

    @property
    def release(self) -> ga.Release:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        secret = [
            (row + 1, name) for name, own in zip("ST", self.secrets, strict=True) for row in sorted(own)
        ]
        marks = [(row + 1, name) for row, name in self.marks if (row + 1, name) not in secret]
        return ga.Release(ga.Table.from_rows(rows, sensitive=["S", "T"]), secrets=secret, must_publish=marks)

    def may_hide(self) -> list[tuple[int, str]]:
        regions = NeedsCells(hideable=self.letter).hideable
        anybody = self.secrets[0] | self.secrets[1]
        return [
            (row, name)
            for (row, record), (place, name) in product(enumerate(self.rows), enumerate(self.columns))
            if record[place] is not None
            and (row, name) not in self.marks
            and (name in "pq" or row not in self.secrets["ST".index(name)])
            and ("sensitive" if name in "ST" else "conditions")
            + (" of secrets" if name in "pq" and row in anybody else " of others")
            in regions
        ]

    def exposed(self, gone: Collection[tuple[int, str]]) -> int:
        total = 0
        for place, (name, own) in enumerate(zip("ST", self.secrets, strict=True)):
            records = tuple((*row[:2], row[2 + place]) for row in self.rows)
            one = Planned(records=records, secrets=own, limit=Fraction(1, 2))
            seen = [(row, ["p", "q", name].index(at)) for row, at in gone if at in ("p", "q", name)]
            total += len(exposed(one, seen))
        return total

    def fewest(self, share: Fraction) -> int | None:
        allowed = share * sum(map(len, self.secrets))
        entries = self.may_hide()
        for size in range(len(entries) + 1):
            if any(self.exposed(chosen) <= allowed for chosen in combinations(entries, size)):
                return size
        return None


two_columns = st.builds(
    Two,
    rows=st.lists(st.tuples(*[st.sampled_from(["a", "a", "b", None])] * 4), min_size=3, max_size=6),
    secrets=st.tuples(*[st.frozensets(st.integers(0, 2), min_size=1)] * 2),
    letter=st.sampled_from("abcdefgh"),
    marks=st.frozensets(st.tuples(st.integers(0, 2), st.sampled_from("pqST")), max_size=6),
)


@sized(120)
@given(table=two_columns, share=st.sampled_from(["0", "0", "1/3", "1/2"]), exact=st.booleans())
def test_of_several_columns_what_is_released_is_safe_and_what_is_proved_is_so(
    table: Two, share: str, exact: bool
) -> None:
    entries = table.may_hide()
    assume(len(entries) <= 9)
    fewest = table.fewest(Fraction(share))
    asked = (
        ga.KnowsAttributes(columns=["p", "q"], knows_method=False),
        ga.Tolerance(attribute="1/2", share=share),
    )
    need, effort = NeedsCells(hideable=table.letter), Effort(exact=exact)
    try:
        found = protect(table.release, *asked, need, effort, AttributesOptions())
    except NoSafeRelease as refused:
        proved = refused.proved
    else:
        proved = None
    if proved is not None:
        assert fewest is None or not proved
        return
    gone = [(row - 1, name) for row, name in found.release.withheld.cells]
    assert set(gone) <= set(entries)
    assert table.exposed(gone) <= Fraction(share) * sum(map(len, table.secrets))
    assert fewest is not None
    bound = found.figures["lower_bound"]
    assert bound is None or bound <= fewest <= len(gone)
    assert found.figures["optimal"] == (bound == len(gone))


def test_conditions_of_a_record_with_any_secret_are_conditions_of_secrets() -> None:
    rows = ["a s 1", "a s 1", "a s 2", "b t 2"]
    table = table_of(rows, ["p", "S", "T"], sensitive=["S", "T"])
    release = ga.Release(table, secrets=[(1, "S"), (2, "T")], must_publish=[(3, "p")])
    asked = ga.KnowsAttributes(columns=["p"], knows_method=False), ga.Tolerance(attribute="1/2")
    with pytest.raises(NoSafeRelease):
        ga.protect(release, *asked, need=ga.NeedsCells(hideable="conditions of others"))
    safer = ga.protect(release, *asked, need=ga.NeedsCells(hideable="conditions of secrets"))
    assert list(safer.withheld.cells) in ([(1, "p")], [(2, "p")])


def test_what_was_withheld_before_stays_and_counts() -> None:
    release = figure_2().withholding(ga.Withheld(cells=[(2, "S")]))
    found = protect(release, *FIGURE_2, None, Effort(), AttributesOptions())
    assert (2, "S") in found.release.withheld.cells
    assert len(found.release.withheld.cells) == 2
    assert found.figures["lower_bound"] == 2
    assert curve(found.curves, "kept").x == (33 / 34, 32 / 34)


def test_a_safe_release_is_left_alone() -> None:
    found = protect(figure_2(), FIGURE_2[0], ga.Tolerance(attribute=1), None, Effort(), AttributesOptions())
    assert not found.release.withheld
    assert found.figures == {"lower_bound": 0, "optimal": True, "rounds": 0}
    assert (found.ledger, found.detail) == ((), "Nothing needed to be hidden.")
    assert [one.name for one in found.curves] == ["kept"]


def test_other_limits_are_tried_and_a_stricter_one_needs_as_many() -> None:
    found = protect(figure_2(), *FIGURE_2, None, Effort(), AttributesOptions())
    cost, fewest = curve(found.curves, "hidden"), curve(found.curves, "lower_bounds")
    assert cost.x == fewest.x == (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
    assert dict(zip(cost.x, cost.y, strict=True))[0.55] == 2
    assert cost.y[-1] == fewest.y[-1] == 0
    assert list(fewest.y) == sorted(fewest.y, reverse=True)
    assert all(low <= high for low, high in zip(fewest.y, cost.y, strict=True))
    assert fewest.beside == "hidden"
    assert cost.says.startswith(
        "At your limit of 55 %, 2 entries are hidden, and no safe release hides fewer than 2;"
    )


def test_large_tables_are_planned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "AFFORDABLE", 0)
    found = protect(figure_2(), *FIGURE_2, None, Effort(), AttributesOptions())
    assert [one.name for one in found.curves] == ["kept"]
    shared = ga.Tolerance(attribute=0.55, share="1/2")
    half = protect(figure_2(), FIGURE_2[0], shared, None, Effort(), AttributesOptions())
    assert len(half.release.withheld.cells) <= 2


def test_the_exact_search_goes_on_where_a_proof_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    need, options = NeedsCells(hideable="d"), AttributesOptions()
    monkeypatch.setattr(plan, "FINISH", 0.0)
    greedy = protect(figure_2(), *FIGURE_2, need, Effort(), options)
    found = protect(figure_2(), *FIGURE_2, need, Effort(exact=True, seconds=20), options)
    assert not greedy.figures["optimal"]
    assert greedy.ledger[0].why == "greedy"
    assert found.figures["optimal"]
    assert found.ledger[0].why == "exact"
    assert len(found.release.withheld.cells) == 6 <= len(greedy.release.withheld.cells)


def test_a_search_that_finds_nothing_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        best_of_all, "protect", lambda _table, **_given: HidingPlan(hidden=None, method="none")
    )
    with pytest.raises(NoSafeRelease, match="no choice of entries was found") as refused:
        protect(figure_2(), *FIGURE_2, None, Effort(), AttributesOptions())
    assert not refused.value.proved
    assert "tolerates.attribute=5/7" in refused.value.helps[0]


def test_many_marks_in_the_way_are_counted_and_none_are_named_without_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of(["a s"] * 12, "AS", sensitive="S")
    release = ga.Release(table, secrets=[1], must_publish=[(row, "S") for row in range(2, 13)])
    asked = ga.KnowsAttributes(columns=["A"], knows_method=False), ga.Tolerance(attribute="1/2")
    with pytest.raises(NoSafeRelease, match="record 6 and 6 more"):
        ga.protect(release, *asked)

    monkeypatch.setattr(refuse, "SECONDS", 0.0)
    with pytest.raises(NoSafeRelease, match="does not prevent it") as refused:
        ga.protect(release, *asked)
    assert refused.value.proved
    assert "in the way" not in refused.value.reason


def test_the_smallest_limit_that_helps_depends_on_the_share_tolerated() -> None:
    table = table_of([*["a s"] * 4, *["b t"] * 3], "AS", sensitive="S")
    release = ga.Release(table, secrets=[1, 5])
    with pytest.raises(NoSafeRelease) as refused:
        ga.protect(
            release,
            ga.KnowsAttributes(columns=["A"], knows_method=False),
            ga.Tolerance(attribute="1/4", share="1/2"),
            need=NeedsCells(hideable="h"),
        )
    assert "tolerates.attribute=2/3" in refused.value.helps[0]


def test_rows_are_numbered_by_their_codes_however_many_codes_there_are() -> None:
    codes = [np.array([0, 1, 0, 2**30]), *[np.array([5, 2**30, 5, -1])] * 3]
    classes, first = alike([*codes, np.array([0, 2**61, 0, 2**60])])
    assert classes.tolist() == [0, 1, 0, 2]
    assert first.tolist() == [0, 1, 3]
