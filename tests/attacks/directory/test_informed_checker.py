"""The checker and the attack count who looks exactly like a record in different ways, and agree."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.attacks.directory.test_checker import (
    COARSER,
    NAMES,
    Rows,
    directory_of,
    places,
    some_people,
    some_rows,
)
from tests.sizes import sized

import giveaway as ga
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.question import ask
from giveaway.checker.attacks.directory import judge
from giveaway.checker.check import ReadBack
from giveaway.checker.files.coarser_labels import spellings
from giveaway.checker.files.tables import ReleasedTable, visible
from giveaway.checker.promise import Promise
from giveaway.model.data.people import PlannedForms
from giveaway.model.data.table import Table


def shown_of(release: ga.Release, table: Table) -> ReleasedTable:
    """Return what a release shows, without writing it."""
    spelled, rows = spellings(release, table), np.arange(len(table))
    codes = [visible(table, release, name, rows, spelled.get(name)) for name in table.columns]
    distinct, counts = np.unique(np.stack(codes, axis=1), axis=0, return_counts=True)
    return ReleasedTable(
        columns=tuple(table.columns), codes=distinct.astype(np.int32), counts=counts, spelled=spelled
    )


def opened(release: ga.Release, table: Table) -> ReadBack:
    return ReadBack(form="rows", content=shown_of(release, table), release=release, codes=None)


@sized(1000)
@given(
    rows=some_rows,
    first=some_people,
    second=some_people,
    hidden=st.sets(places, max_size=5),
    coarse=st.dictionaries(places, st.integers(1, 2), max_size=4),
    how=st.sampled_from(["itself", "one", "worst", "bayes"]),
    planned=st.lists(st.integers(-1, 1), min_size=21, max_size=21) | st.none(),
    limit=st.sampled_from(["1/3", "1/2", "2/3"]),
    share=st.sampled_from(["0", "1/4"]),
    average=st.sampled_from([None, "1/4", "1/2"]),
)
def test_the_checker_agrees_with_the_attack(
    rows: Rows,
    first: list[tuple[str, ...]],
    second: list[tuple[str, ...]],
    hidden: set[tuple[int, int]],
    coarse: dict[tuple[int, int], int],
    how: str,
    planned: list[int] | None,
    limit: str,
    share: str,
    average: str | None,
) -> None:
    table = ga.Table.from_rows([dict(zip(NAMES, row, strict=True)) for row in rows])
    cells = [(row + 1, NAMES[at]) for row, at in hidden if row < len(rows)]
    levels = [
        (row + 1, NAMES[at], level)
        for (row, at), level in coarse.items()
        if row < len(rows) and at < 2 and rows[row][at]
    ]
    parts = {"itself": [], "one": [first], "worst": [first, second], "bayes": [first, second]}[how]
    people = [directory_of(part) for part in parts]
    plans = [
        PlannedForms(
            people=one,
            columns=NAMES,
            levels=np.resize(np.array(planned, np.int8), (len(one.alone), 3)) * np.array([1, 1, 0], np.int8),
        )
        for one in people
        if planned is not None
    ]
    release = ga.Release(
        table,
        ga.Withheld(cells=cells, levels=levels),
        hierarchies={name: {**COARSER} for name in ("a", "b")},
        plans=plans,
    )
    attacker = ga.KnowsDirectory(
        people=people or None,
        columns=NAMES,
        prior=(Fraction(1, 4), Fraction(3, 4)) if how == "bayes" else (),
    )
    tolerance = ga.Tolerance(identity=limit, share=share, average=average)
    tally = judged(ask(release, attacker), tolerance)
    within = all(
        over <= tolerance.share * tally.records and (average is None or risk <= tolerance.average)
        for over, risk in ((tally.over, tally.risk), (tally.over_if_listed, tally.risk_if_listed))
    )
    promise = Promise(attack="directory", attacker=vars(attacker), tolerance=tolerance)
    assert judge.keeps(opened(release, table), promise) is within


def keeps(release: ga.Release, attacker: ga.KnowsDirectory, **limits: Any) -> bool:
    """Judge a release without writing it."""
    table = release.original
    assert isinstance(table, Table)
    tolerance = ga.Tolerance(**limits)
    return judge.keeps(
        opened(release, table), Promise(attack="directory", attacker=vars(attacker), tolerance=tolerance)
    )


@pytest.mark.parametrize("knows_method", [True, False])
@pytest.mark.parametrize("crowd", [2, 20, 500])
def test_a_crowd_that_lacks_one_breaks_the_promise_however_large_it_is(
    crowd: int, knows_method: bool
) -> None:
    release = ga.Release(ga.Table.from_rows([{"a": "x"}] * crowd))
    attacker = ga.KnowsDirectory(columns=["a"], knows_method=knows_method)
    for limit in ("identity", "average"):
        assert keeps(release, attacker, **{limit: Fraction(1, crowd)})
        assert not keeps(release, attacker, **{limit: Fraction(1, crowd + 1)})


@pytest.mark.parametrize("knows_method", [True, False])
def test_who_is_in_no_directory_may_be_in_another_one(knows_method: bool) -> None:
    people = directory_of([("p", "x", "", ""), ("q", "x", "", "")])
    release = ga.Release(ga.Table.from_rows([{"a": "x"}, {"a": "y"}]))
    attacker = ga.KnowsDirectory(people=people, columns=["a"], knows_method=knows_method)
    assert not keeps(release, attacker, identity="1/2")
    assert not keeps(release, attacker, average="1/2")
    assert keeps(release, attacker, identity="1/2", share="1/2")
    assert keeps(release, attacker, average="3/4")


def test_of_equal_looking_records_the_one_with_the_fewest_look_alikes_counts() -> None:
    """Both records show x alone: one never had a b, as all three people might; only p would have its b withheld."""
    people = directory_of([("p", "x", "y", ""), ("q", "x", "z", ""), ("r", "x", "z", "")])
    table = ga.Table.from_rows([{"a": "x", "b": ""}, {"a": "x", "b": "y"}])
    release = ga.Release(table, ga.Withheld(cells=[(2, "b")]), stated=ga.Withheld())
    attacker = ga.KnowsDirectory(people=people, columns=["a", "b"])

    assert ga.assess(release, attacker, ga.Tolerance(identity="1/2")).verdict == "at risk"
    assert not keeps(release, attacker, identity="1/2")


def test_a_blank_is_hidden_by_rows_that_look_like_its_own_in_all_columns() -> None:
    """Two blanks share the column that is known and differ in the other, which tells by the rule who is blanked."""
    rows = [dict(zip("pq", row, strict=True)) for row in ("ax", "by", "ax", "ay", "bx", "by")]
    release = ga.Release(ga.Table.from_rows(rows), ga.Withheld(cells=[(1, "p"), (2, "p")]))
    informed, naive = (
        ga.KnowsDirectory(columns=["p", "q"], at_most=1, knows_method=knows) for knows in (True, False)
    )
    assert not keeps(release, informed, identity="1/2")
    assert keeps(release, naive, identity="1/2")
