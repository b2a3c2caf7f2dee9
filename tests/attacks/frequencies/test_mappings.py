import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.attacks.frequencies.crack_cases import (
    Case,
    any_cases,
    array,
    candidates_of,
    compliant_cases,
    possible_cases,
)
from tests.oracles import cracks as oracle
from tests.sizes import sized

from giveaway.attacks.frequencies.crack_graph import general
from giveaway.attacks.frequencies.crack_graph import windows as graph
from giveaway.attacks.frequencies.crack_graph.mappings import (
    Violation,
    groups_of_a_mapping,
    propagated,
    usable,
)
from giveaway.attacks.frequencies.estimates.o_estimate import o_estimate


@settings(max_examples=200)
@given(case=possible_cases)
def test_what_is_left_is_what_some_mapping_uses(case: Case) -> None:
    assert candidates_of(case.usable) == oracle.used(case.candidates)


@settings(max_examples=200)
@given(case=any_cases)
def test_without_a_mapping_items_are_named_that_have_too_few_candidates(case: Case) -> None:
    found = usable(case.windows)

    assert isinstance(found, Violation) != case.possible
    if isinstance(found, Violation):
        union = set().union(*(case.candidates[i] for i in found.items.tolist()))
        inside = (found.first <= case.windows.own) & (case.windows.own <= found.last)
        assert union <= set(np.flatnonzero(inside).tolist())
        assert len(found.items) > found.slots == inside.sum()


@given(case=possible_cases)
def test_the_groups_of_a_mapping_are_filled_and_within_the_windows(case: Case) -> None:
    group = groups_of_a_mapping(case.windows)

    assert isinstance(group, np.ndarray)
    assert ((case.windows.first <= group) & (group <= case.windows.last)).all()
    assert np.bincount(group, minlength=len(case.windows.sizes)).tolist() == case.windows.sizes.tolist()


@sized(200)
@given(case=possible_cases)
def test_propagation_is_the_common_fixed_point_of_both_sides(case: Case) -> None:
    assert candidates_of(propagated(case.windows)) == oracle.propagated(case.candidates)


@given(case=compliant_cases)
def test_removing_edges_never_lowers_the_estimate(case: Case) -> None:
    plain, forced, filtered = map(o_estimate, (case.windows, propagated(case.windows), case.usable))

    assert plain <= forced <= filtered


@given(counts=st.lists(st.integers(0, 12), min_size=1, max_size=9), half_width2=st.integers(0, 9))
@example(counts=[0, 1, 2, 4, 4], half_width2=2)
def test_with_one_width_for_all_nothing_can_be_removed(counts: list[int], half_width2: int) -> None:
    windows = graph.around(array(counts), half_width2).windows
    left = usable(windows)

    assert isinstance(left, graph.Windows)
    assert candidates_of(left) == candidates_of(propagated(windows)) == candidates_of(windows)


def test_long_chains_are_followed_to_the_end() -> None:
    counts = np.arange(3_000)
    beliefs = graph.Beliefs(counts=counts, low=np.zeros_like(counts), high=2 * counts)

    for left in (propagated(beliefs.windows), usable(beliefs.windows)):
        assert isinstance(left, graph.Windows)
        assert (left.degrees == 1).all()
        assert left.compliant.all()


def test_windows_of_every_shape_in_large_numbers_keep_their_own_candidates() -> None:
    random = np.random.default_rng(3)
    counts = random.integers(0, 9_000, 2_000)
    low, high = (2 * counts + sign * random.geometric(0.05, 2_000) for sign in (-1, 1))
    windows = graph.Beliefs(counts=counts, low=low, high=high).windows
    left, forced = usable(windows), propagated(windows)
    on_graph = general.propagated(general.from_windows(windows))

    assert (forced.degrees == on_graph.degrees).all()
    assert isinstance(left, graph.Windows)
    assert left.compliant.all()
    assert forced.compliant.all()
    assert (left.degrees <= forced.degrees).all()
    assert (forced.degrees <= windows.degrees).all()
    assert len(left.pieces) > len(forced.pieces) > len(windows.pieces)
