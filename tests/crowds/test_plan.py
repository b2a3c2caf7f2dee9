"""The plan against all plans of tiny tables, and what it must not depend on."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.crowds.building import LETTERS, forms_of, profiles_of, search_only
from tests.drawing import fractions
from tests.oracles import crowds as oracle
from tests.oracles.crowds import Mask, Row
from tests.oracles.linear_bound import better_bound
from tests.sizes import sized

from giveaway.crowds import forms, state
from giveaway.crowds.bounds import lower_bound
from giveaway.crowds.forms import ColumnForms, CrowdProfiles
from giveaway.crowds.plan import Plan, plan
from giveaway.errors import DataError, ScenarioError


def tables(letters: str = "ab-", most: int = 5) -> st.SearchStrategy[list[Row]]:
    """Tables of two or three columns, with values missing where `letters` has -."""
    value = st.sampled_from([None if letter == "-" else letter for letter in letters])
    return st.integers(2, 3).flatmap(
        lambda width: st.lists(st.tuples(*[value] * width), min_size=2, max_size=most if width == 2 else 4)
    )


def check(found: Plan, crowd: int) -> None:
    """Count again: everybody has a form, and every form a crowd."""
    carried = forms_of(found)
    everybody = [form for hand in carried.values() for form in hand]
    assert all(everybody.count(form) >= crowd for form in everybody)
    assert (found.split.sizes == found.profiles.counts).all()
    for row, hand in carried.items():
        assert all(shown in (value, None) for form in hand for value, shown in zip(row, form, strict=True))


@sized(150)
@given(tables("abc-"), st.integers(2, 3), st.lists(st.integers(0, 3), min_size=3, max_size=3), st.booleans())
def test_a_small_table_costs_the_least_and_the_search_is_not_below_it(
    rows: list[Row], crowd: int, weights: list[int], split: bool
) -> None:
    weights = weights[: len(rows[0])]
    profiles, _ = profiles_of(rows, weights)
    least = oracle.least_cost(rows, crowd, oracle.by_masks(weights), split=split)

    exact = plan(profiles, crowd, split=split)
    with pytest.MonkeyPatch.context() as patch:
        search_only(patch)
        searched = plan(profiles, crowd, split=split, rounds=5)

    if least is None:
        assert exact.below == searched.below == len(rows)
        return
    check(exact, crowd)
    check(searched, crowd)
    assert exact.cost == least <= searched.cost
    assert lower_bound(profiles, crowd) <= better_bound(profiles, crowd) <= least
    assert not searched.optimal or searched.cost == least
    if not split:
        assert len(searched.profile) == len(profiles.counts)


def test_the_search_is_near_the_least_on_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    search_only(monkeypatch)
    draw = np.random.default_rng(3)
    searched = least = 0
    for _ in range(40):
        letters = draw.integers(0, 3, (5, 2))
        rows = [tuple(LETTERS[value] for value in row) for row in letters.tolist()]
        searched += plan(profiles_of(rows)[0], 2, rounds=5).blanks
        least += oracle.least_cost(rows, 2) or 0

    assert searched <= 1.02 * least


@sized(80)
@given(tables("ab-", most=6), st.data())
def test_marks_are_kept_and_part_of_the_profile(rows: list[Row], data: st.DataObject) -> None:
    width = len(rows[0])
    marks = st.lists(st.sampled_from(" sh"), min_size=width, max_size=width).map(tuple)
    marked = data.draw(st.lists(marks, min_size=len(rows), max_size=len(rows)))
    shown, hidden = (np.array([[one == word for one in row] for row in marked]) for word in "sh")
    most = data.draw(st.none() | st.integers(1, width))
    profiles, profile_of = profiles_of(rows, shown=shown, hidden=hidden, most_blanks=most)

    def allowed(row: Row, mask: Mask) -> bool:
        """Marks are further columns, which are always shown; a missing value is blank anyway."""
        entries = [
            one for one in zip(row[:width], row[width:], mask[:width], strict=True) if one[0] is not None
        ]
        fits = all(blank == (mark == "h") or mark == " " for _, mark, blank in entries)
        chosen = sum(blank and mark == " " for _, mark, blank in entries)
        return fits and (most is None or chosen <= most) and not any(mask[width:])

    def options(row: Row) -> list[tuple[Row, int]]:
        found = oracle.by_masks(allowed=allowed)(row)
        return [(form[:width], cost) for form, cost in found]

    together = [(*row, *mark) for row, mark in zip(rows, marked, strict=True)]
    least = oracle.least_cost(together, 2, options)
    exact = plan(profiles, 2)
    with pytest.MonkeyPatch.context() as patch:
        search_only(patch)
        searched = plan(profiles, 2, rounds=3)
        patch.setattr(state, "_REMEMBERED", 0)
        again = plan(profiles, 2, rounds=3)

    assert (again.profile.tolist(), again.vectors.tolist()) == (
        searched.profile.tolist(),
        searched.vectors.tolist(),
    )
    for found in (exact, searched):
        blank = found.vectors == 1
        missing = profiles.codes[found.profile] < 0
        assert not (blank & profiles.shown[found.profile] & ~missing).any()
        assert (blank | missing | ~profiles.hidden[found.profile]).all()
        assert least is None or found.below or found.cost >= least
    if least is None:
        assert exact.below
        assert searched.below
    else:
        assert (exact.cost, exact.below) == (least, 0)
        assert lower_bound(profiles, 2) <= better_bound(profiles, 2) <= least
    assert (np.bincount(profile_of) == profiles.counts).all()


@settings(max_examples=80)
@given(tables("abc", most=6), fractions(0, 1, max_denominator=6))
def test_a_share_of_the_rows_may_stay_below(rows: list[Row], share: Fraction) -> None:
    profiles, _ = profiles_of(rows)
    alone = int(share * len(rows))
    least = oracle.least_cost(rows, 2, alone=alone)

    with pytest.MonkeyPatch.context() as patch:
        search_only(patch)
        found, without = (plan(profiles, 2, share=part) for part in (share, Fraction(0)))

    assert found.below <= alone
    assert least <= found.cost <= without.cost


def test_a_share_saves_most_where_it_is_dearest(monkeypatch: pytest.MonkeyPatch) -> None:
    search_only(monkeypatch)
    rows = oracle.rows_of("aa aa aa ab bc cd ee ee ee")
    profiles, _ = profiles_of(rows)

    costs = [int(plan(profiles, 3, share=Fraction(many, 9)).cost) for many in range(4)]

    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == 0 < costs[0]


@settings(max_examples=60)
@given(tables("abc-", most=6), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_rows_does_not_matter(rows: list[Row], random: st.DataObject, small: bool) -> None:
    turned = list(rows)
    random.shuffle(turned)
    with pytest.MonkeyPatch.context() as patch:
        if not small:
            search_only(patch)
        one, other = (plan(profiles_of(each)[0], 2, rounds=3, seed=7) for each in (rows, turned))

    assert forms_of(one) == forms_of(other)


def test_the_order_of_rows_of_a_larger_table_does_not_matter() -> None:
    draw = np.random.default_rng(5)
    rows = draw.geometric(0.4, (400, 4)).clip(max=6) - 1
    levels = [ColumnForms(values=6)] * 4
    plans = [
        plan(CrowdProfiles.of_rows(draw.permutation(rows), levels)[0], 5, rounds=5, seed=2) for _ in range(2)
    ]

    assert plans[0].labels.tolist() == plans[1].labels.tolist()
    assert plans[0].members.tolist() == plans[1].members.tolist()
    assert plans[0].cost <= plan(CrowdProfiles.of_rows(rows, levels)[0], 5).cost


def test_a_large_profile_lends_members_where_that_is_cheapest() -> None:
    rows = oracle.rows_of("aa aa aa ab")
    profiles, _ = profiles_of(rows)

    found = plan(profiles, 2)

    assert (found.blanks, found.lent) == (2, 1)
    assert plan(profiles, 2, split=False).blanks == 4
    assert forms_of(found)["a", "a"].count(("a", None)) == 1


@sized(100)
@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 2)), min_size=1, max_size=5), st.integers(2, 3))
def test_coarser_labels_are_used_where_they_cost_less(rows: list[tuple[int, int]], crowd: int) -> None:
    ages = ColumnForms(values=4, coarser=((0, 0, 1, 1),), costs=(1, 3))
    towns = ColumnForms(values=3, coarser=((0, 0, 1),), costs=(2, 2))
    profiles, _ = CrowdProfiles.of_rows(np.array(rows), [ages, towns])
    named = [tuple(None if code < 0 else str(code) for code in row) for row in rows]
    coarser = {"0": "0-1", "1": "0-1", "2": "2-3", "3": "2-3"}

    def options(row: Row) -> list[tuple[Row, int]]:
        age, town = row
        ways = [
            [(age, 0), (coarser.get(age or ""), 1), (None, 3)],
            [(town, 0), ("2" if town == "2" else "0-1", 0 if town == "2" else 2), (None, 2)],
        ]
        every = [way if value is not None else [(None, 0)] for way, value in zip(ways, row, strict=True)]
        return [((one, two), first + second) for (one, first), (two, second) in product(*every)]

    found = plan(profiles, crowd)

    least = oracle.least_cost(named, crowd, options)
    assert found.below == (len(rows) if least is None else 0)
    if least is not None:
        assert found.cost == least
        assert lower_bound(profiles, crowd) <= better_bound(profiles, crowd) <= least


@settings(max_examples=60)
@given(tables("abc-"), st.integers(0, 2**32))
def test_keys_tell_forms_apart_however_long_they_are(rows: list[Row], seed: int) -> None:
    profiles, _ = profiles_of(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forms, "_LARGEST_KEY", 1 << 20)
        patch.setattr(forms, "_WORDS", seed)
        wide, _ = profiles_of(rows)
        assert plan(wide, 2).cost == plan(profiles, 2).cost
        for vector in state.vectors(profiles.levels):
            levels = np.tile(vector, (len(profiles.codes), 1))
            labels = list(map(tuple, profiles.labels_of(np.arange(len(levels)), levels).tolist()))
            for keys in (profiles.keys_at(levels).tolist(), wide.keys_at(levels).tolist()):
                assert len(set(zip(keys, labels, strict=True))) == len(set(keys)) == len(set(labels))


def test_many_columns_get_some_of_the_vectors_and_still_a_plan() -> None:
    draw = np.random.default_rng(1)
    rows = draw.geometric(0.7, (42, 30)).clip(max=3) - 1
    levels = [ColumnForms(values=3)] * 30
    profiles, _ = CrowdProfiles.of_rows(rows, levels)

    tried = state.vectors(levels)
    found = plan(profiles, 3)

    assert len(tried) <= state.MOST
    assert len(np.unique(tried, axis=0)) == len(tried)
    assert found.split.smallest_crowd >= 3
    assert found.blanks < 30 * 42


def test_an_empty_table_needs_no_plan() -> None:
    profiles, _ = CrowdProfiles.of_rows(np.zeros((0, 2), np.int64), [ColumnForms(values=2)] * 2)

    found = plan(profiles, 5)

    assert (found.blanks, found.below, found.split.smallest_crowd) == (0, 0, 0)
    assert lower_bound(profiles, 5) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: plan(profiles_of(oracle.rows_of("aa ab"))[0], 0),
        lambda: plan(profiles_of(oracle.rows_of("aa ab"))[0], 2, share=Fraction(3, 2)),
        lambda: ColumnForms(values=2, costs=(2, 1), coarser=((0, 0),)),
        lambda: ColumnForms(values=2, costs=(1, 2)),
        lambda: profiles_of(oracle.rows_of("aa"), shown=np.ones((1, 2), bool), hidden=np.ones((1, 2), bool)),
    ],
)
def test_what_cannot_be_meant_is_refused(wrong: object) -> None:
    with pytest.raises(ScenarioError):
        wrong()


@pytest.mark.parametrize("rows", [np.array([[2]]), np.array([[-2]]), np.array([[0, 0]])])
def test_codes_must_be_of_the_columns(rows: np.ndarray) -> None:
    with pytest.raises(DataError):
        CrowdProfiles.of_rows(rows, [ColumnForms(values=2)])
