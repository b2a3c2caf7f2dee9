"""Rule lists given away twice against all tables that agree with them."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.composition import lists as oracle

FLU = ["flu", "none"]


def test_two_lists() -> None:
    """Ten people; the rule is listed at .8 and not at .9: exactly 8 have it."""
    truth = ["flu"] * 8 + ["none"] * 2
    ten = [range(10)]
    first = oracle.listed(truth, ten, ["flu"], Fraction(0), Fraction("0.8"))
    second = oracle.listed(truth, ten, ["flu"], Fraction(0), Fraction("0.9"))

    assert [(one.least, one.most) for one in first + second] == [(8, 10), (0, 8)]
    assert oracle.possible(10, FLU, first, range(10), "flu") == {8, 9, 10}
    assert oracle.possible(10, FLU, second, range(10), "flu") == set(range(9))
    assert oracle.possible(10, FLU, first + second, range(10), "flu") == {8}


def test_a_newcomer() -> None:
    """6 of 9 nurses have flu, then 7 of 10: the tenth has it."""
    truth = ["flu"] * 6 + ["none"] * 3 + ["flu"]
    low = Fraction("0.5")
    nurses = [range(10)]
    before = oracle.listed(truth, nurses, FLU, Fraction(0), low, people=range(9), scores=True)
    now = oracle.listed(truth, nurses, FLU, Fraction(0), low, scores=True)

    assert oracle.certain(10, FLU, now) == {}
    assert oracle.certain(10, FLU, before + now) == {9: "flu"}
    unknown = oracle.widened(
        [oracle.Count(frozenset(range(10)), one.value, one.least, one.most) for one in before], 1
    )
    assert oracle.certain(10, FLU, unknown + now) == {}


def test_withheld_scores_do_not_tell_the_newcomer() -> None:
    truth = ["flu"] * 6 + ["none"] * 3 + ["flu"]
    low = Fraction("0.5")
    before = oracle.listed(truth, [range(10)], FLU, Fraction(0), low, people=range(9))
    now = oracle.listed(truth, [range(10)], FLU, Fraction(0), low)

    assert oracle.certain(10, FLU, before + now) == {}


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(FLU), min_size=4, max_size=6),
    st.lists(st.sampled_from(["0.3", "0.5", "0.7", "0.9"]), min_size=2, max_size=2),
    st.data(),
)
def test_more_lists_leave_fewer_worlds(truth: list[str], levels: list[str], data: st.DataObject) -> None:
    """The truth is always left, what is certain stays certain, and the order of lists does not matter."""
    people = len(truth)
    groups = data.draw(
        st.lists(st.frozensets(st.integers(0, people - 1), min_size=1), min_size=1, max_size=3)
    )
    stayed = data.draw(st.frozensets(st.integers(0, people - 1), min_size=1))
    first = oracle.listed(truth, groups, FLU, Fraction(0), Fraction(levels[0]), people=stayed)
    second = oracle.listed(truth, groups, FLU, Fraction(0), Fraction(levels[1]))
    both = set(oracle.worlds(people, FLU, first + second))

    assert tuple(truth) in both
    assert both == set(oracle.worlds(people, FLU, second + first)) <= set(oracle.worlds(people, FLU, second))
    assert oracle.certain(people, FLU, second).items() <= oracle.certain(people, FLU, first + second).items()


@settings(max_examples=40)
@given(st.lists(st.sampled_from(FLU), min_size=3, max_size=6), st.data())
def test_widened_bounds_are_true_of_those_who_are_here_now(truth: list[str], data: st.DataObject) -> None:
    """An earlier list spoke of others too: with its bounds widened by joiners and leavers it is true of now."""
    people = len(truth)
    stayed, left = (data.draw(st.frozensets(st.integers(0, people - 1))) for _ in range(2))
    earlier = stayed | left
    now = frozenset(range(people)) - (left - stayed)
    if not earlier or not now:
        return
    changed = len(earlier ^ now)
    before = oracle.listed(truth, [range(people)], FLU, Fraction(0), Fraction(1, 2), people=earlier)
    for count in oracle.widened(before, changed):
        assert oracle.Count(now, count.value, count.least, count.most).holds(truth)
