"""Who joined and who left, told by difference."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.composition import tables as oracle

import giveaway as ga
from giveaway.attacks.directory.question import ask
from giveaway.attacks.together import View
from giveaway.finding import Finding

OLD = [("x", "1"), ("x", "1"), ("x", "2"), ("y", "2"), ("y", "2")]


def table(rows: Sequence[tuple[str, ...]], names: str = "ab") -> ga.Table:
    return ga.Table.from_rows([dict(zip(names, row, strict=True)) for row in rows])


def found(
    old: Sequence[tuple[str, ...]],
    new: Sequence[tuple[str, ...]],
    crowd: int,
    *,
    names: str = "ab",
    **said: Any,
) -> Finding:
    knows = ga.KnowsDirectory(knows_method=False)
    before = ga.Earlier(table(old), name="2025", **said)
    return ga.assess(
        ga.Release(table(new, names)), knows, ga.Tolerance(identity=Fraction(1, crowd)), earlier=before
    ).findings[0]


def of(finding: Finding, linked: str) -> View:
    return next(one.view for one in finding.together if one.view.linked == linked)


def crowds(view: View) -> list[int]:
    question = ask(view.release, view.attacker)
    listed: list[int] = question.crowds.min(axis=1)[question.groups.group_of].tolist()
    return listed


@pytest.mark.parametrize(
    "said",
    [
        {"linked": "rows", "rows": [1, 2, 3, 4, 5]},
        {"linked": "people", "population": ga.Population(joined=(6, 7, 8))},
        {"linked": "people", "population": ga.Population(joined=3)},
    ],
)
def test_who_joined_is_judged_among_those_who_joined(said: dict[str, Any]) -> None:
    finding = found(OLD, [*OLD, ("x", "1"), ("y", "2"), ("y", "2")], 2, **said)
    view = of(finding, "joined")
    assert sorted(crowds(view)) == [1, 2, 2]
    assert view.figures == {"people": 3, "alone": 1}
    assert finding.safe is False
    judged = next(one for one in finding.together if one.view is view)
    assert judged.risk is not None
    assert judged.risk.over == 1
    assert judged.reasons == ("For 1 of 3 records, fewer than 2 people fit.",)


def test_who_left_is_judged_among_those_who_left() -> None:
    finding = found(OLD, OLD[1:4], 2, linked="rows", rows=[0, 1, 2, 3, 0])
    assert crowds(of(finding, "left")) == [1, 1]
    assert finding.safe is False
    by_number = found(OLD, OLD[1:4], 2, linked="people", population=ga.Population(left=2))
    assert sorted(crowds(of(by_number, "left"))) == [1, 1]


def test_nobody_joined_and_nobody_left() -> None:
    finding = found(OLD, OLD, 2, linked="rows", rows=range(1, 6))
    assert [one.view.linked for one in finding.together] == ["rows"]


def test_other_columns_of_who_joined_are_known_only_where_nobody_else_looks_like_them() -> None:
    new = [*((*row, "p") for row in OLD), ("x", "1", "q"), ("z", "1", "p"), ("z", "1", "q")]
    view = of(found(OLD, new, 2, names="abc", linked="rows", rows=range(1, 6)), "joined")
    shown = view.release.published
    assert isinstance(shown, ga.Table)
    assert [shown.columns["c"][record] >= 0 for record in shown.record_of] == [False, True, True]
    assert crowds(view) == [1, 1, 1]


def test_numbers_that_do_not_add_up_cannot_be_judged() -> None:
    finding = found(OLD, OLD[:4], 2, linked="people")
    assert any("it is not said who joined and left" in reason for reason in finding.reasons)
    other = found(OLD, [*OLD[:4], ("z", "9")], 2, linked="people", population=ga.Population(joined=2, left=2))
    assert any("rows are: values" in reason for reason in other.reasons)
    assert {one.safe for one in other.together} == {None}


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from("12")), min_size=1, max_size=4),
    st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from("12")), min_size=1, max_size=4),
)
def test_newcomers_are_the_difference(old: list[tuple[str, str]], joined: list[tuple[str, str]]) -> None:
    new = [*old, *joined]
    rows = oracle.difference(new, old, frozenset({0, 1}))
    counted = sorted(rows.count(row) for row in rows)
    every: list[dict[str, Any]] = [
        {"linked": "people", "population": ga.Population(joined=len(joined))},
        {"linked": "rows", "rows": range(1, len(old) + 1)},
    ]
    for said in every:
        assert sorted(crowds(of(found(old, new, 2, **said), "joined"))) == counted


def test_who_joined_can_be_protected() -> None:
    new = [*OLD, ("x", "1"), ("y", "2"), ("y", "2"), ("y", "1")]
    knows, limits = ga.KnowsDirectory(knows_method=False), ga.Tolerance(identity="1/2")
    before = ga.Earlier(table(OLD), name="2025", linked="rows", rows=range(1, 6), already="accept")
    protected = ga.protect(ga.Release(table(new)), knows, limits, earlier=before)
    assert protected.verdict == "safe"
    assert {row for row, _ in protected.release.withheld.cells} <= {3, 6, 9}
