"""What fitting rows tell, row by row and person by person."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import readings as plain
from tests.oracles.attribute_risk import (
    attribute_risk,
    baseline,
    high,
    if_unsure,
    likeliest,
    low,
    rows_fitting,
    target_risks,
    true_ones,
)
from tests.oracles.partial_knowledge import over_for_some_columns, smallest_crowds

from giveaway.attacks.directory.candidates.agreement import ExactKeys, exact
from giveaway.attacks.directory.inference import reach
from giveaway.attacks.directory.inference.reach import FittingRows, fitting_shares
from giveaway.attacks.directory.inference.told import best_guesses
from giveaway.attacks.directory.levels.lattice import CountedRows
from giveaway.attacks.directory.readings.attribute_chances import ValueTargets
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.directory.readings.shares import GroupValues, counted
from giveaway.model.data.arrays import Codes

VALUES = ("flu", "cold", "lung", "breast")
CODE = {value: code for code, value in enumerate(VALUES)} | {None: -1, plain.HIDDEN: -2}
HALF = Fraction(1, 2)

profile = st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 3)
released = st.lists(
    st.tuples(profile, st.sampled_from([*VALUES, None, plain.HIDDEN])), min_size=1, max_size=14
)
known = st.lists(profile, min_size=1, max_size=8, unique=True)


def coded(rows: list[Any]) -> Codes:
    return np.array(
        [[-1 if value is None else "abc".index(value) for value in row] for row in rows], np.int32
    ).reshape(-1, 3)


def shares_of(rows: list[Any], people: list[Any], gaps: Any = "agree") -> GroupValues:
    released_rows = FittingRows.of(
        coded([row for row, _ in rows]),
        np.array([CODE[value] for _, value in rows], np.int32),
        np.ones(len(rows), np.int64),
        different=len(VALUES),
    )
    return fitting_shares(released_rows, coded(people), gaps=gaps)


@given(released, known, st.sampled_from([4_000_000, 3]))
def test_chances_are_those_of_the_rows_that_fit(rows: list[Any], people: list[Any], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reach, "_MOST", most)
        shares = shares_of(rows, people)
    values = [value for _, value in rows]
    classes = {"cancer": [CODE["lung"], CODE["breast"]]}
    targets = ValueTargets.of(len(VALUES), [0, 2, 3], classes)
    sets = [{"flu"}, {"lung"}, {"breast"}, {"lung", "breast"}]
    count = np.arange(1, len(people) + 1)
    chances = likeliest(shares, targets)
    each = []
    for number, person in enumerate(people):
        fitting = [place for place, (row, _) in enumerate(rows) if plain.fits(row, person)]
        each.append([plain.chance(fitting, values, target, values) for target in sets])
        assert chances.chance(number) == max(each[-1])
        assert rows_fitting(chances)[number] == len(fitting)
        assert low(chances, number) <= high(chances, number)

    risk = attribute_risk(chances, count, HALF)
    worst = [max(one) for one in each]
    assert risk.people == int(count.sum())
    assert risk.exposed_people == sum(n for n, one in zip(count.tolist(), worst, strict=True) if one > HALF)
    assert risk.people_certain == sum(n for n, one in zip(count.tolist(), worst, strict=True) if one == 1)
    assert risk.worst_attribute == max(worst)
    for place, target in enumerate(target_risks(shares, targets, count, HALF)):
        of_target = [one[place] for one in each]
        whole = [value for value in values if value in VALUES]
        assert target.worst == max(of_target)
        assert target.exposed == sum(
            n for n, one in zip(count.tolist(), of_target, strict=True) if one > HALF
        )
        assert target.baseline == Fraction(sum(value in sets[place] for value in whole), max(len(whole), 1))

    own = [VALUES[number % 4] for number in range(len(people))]
    true = true_ones(shares, targets, np.arange(len(people)), np.array([CODE[value] for value in own]))
    for number, value in enumerate(own):
        mine = [one for one, target in zip(each[number], sets, strict=True) if value in target]
        assert true.chance(number) == max(mine, default=Fraction(0))


@given(released, known)
def test_with_gaps_apart_who_has_a_gap_fits_blanks_only(rows: list[Any], people: list[Any]) -> None:
    shares = shares_of(rows, people, gaps="apart")
    for number, person in enumerate(people):
        fitting = [
            row for row, _ in rows if all(a is None or a == b for a, b in zip(row, person, strict=True))
        ]
        assert shares.rows[number] == len(fitting)


LEVELS = {"a": ("ab", "*"), "b": ("ab", "*"), "c": ("c+", "*")}


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "ab", "c+", "*", None]), st.sampled_from([*VALUES, None])),
        min_size=1,
        max_size=10,
    ),
    st.lists(st.sampled_from(["a", "b", "c", "d", None]), min_size=1, max_size=5, unique=True),
)
def test_labels_cover_the_values_of_people(rows: list[Any], people: list[Any]) -> None:
    published = ("a", "b")
    at = {"a": (0, 0), "b": (1, 0), "ab": (0, 1), "c+": (1, 1), "*": (0, 2), None: (-1, 0)}
    of_people = np.array([0, 0, 1, -2], np.int32)
    levels = (
        exact(published, ("a", "b", "c", "d")),
        ExactKeys(np.arange(2, dtype=np.int32), of_people),
        ExactKeys(np.array([-1], np.int32), np.zeros(4, np.int32)),
    )
    shares = fitting_shares(
        FittingRows.of(
            np.array([[at[label][0]] for label, _ in rows], np.int32),
            np.array([CODE[value] for _, value in rows], np.int32),
            np.ones(len(rows), np.int64),
            different=len(VALUES),
            levels=np.array([[at[label][1]] for label, _ in rows], np.int8),
        ),
        np.array([[-1 if value is None else "abcd".index(value)] for value in people], np.int32),
        [levels],
    )
    for number, person in enumerate(people):
        assert shares.rows[number] == sum(
            plain.fits(
                (label,), (person,), lambda label, value: label in (value, *LEVELS.get(str(value), ("*",)))
            )
            for label, _ in rows
        )


@given(
    st.lists(st.lists(st.integers(-20, 60), min_size=1, max_size=8), min_size=1, max_size=4),
    fractions(Fraction(0), Fraction(2), max_denominator=7),
)
def test_the_best_guess_is_right_for_most(groups: list[list[int]], near: Fraction) -> None:
    numbers = sorted({number for group in groups for number in group})
    rows = [(group, numbers.index(number)) for group, members in enumerate(groups) for number in members]
    group, value = (np.array(part, np.int64) for part in zip(*rows, strict=True))
    totals = np.bincount(value, minlength=len(numbers))
    shares = counted(group, value, np.ones(len(rows), np.int64), groups=len(groups), totals=totals)
    found = best_guesses(shares, list(map(Fraction, numbers)), Close(f"{100 * near} %"))
    true = best_guesses(shares, list(map(Fraction, numbers)), Close(f"{100 * near} %"), own=(group, value))
    for number, members in enumerate(groups):
        assert found.chances.count[number] == plain.best_guess(list(map(Fraction, members)), near)
        guess = found.numbers[found.chances.target[number]]
        assert sum(abs(guess - one) <= near * abs(one) for one in members) == found.chances.count[number]
    for place, (number, code) in enumerate(rows):
        members = list(map(Fraction, groups[number]))
        assert true.chances.count[place] == plain.best_guess(members, near, Fraction(numbers[code]))
    everybody = [Fraction(number) for group in groups for number in group]
    assert baseline(found.chances) == Fraction(plain.best_guess(everybody, near), len(everybody))


@given(released, known, st.integers(0, 3))
def test_partial_knowledge_tries_every_set(rows: list[Any], people: list[Any], at_most: int) -> None:
    ours = CountedRows(values=coded([row for row, _ in rows]), count=np.ones(len(rows), np.int64))
    theirs = CountedRows(values=coded(people), count=np.arange(1, len(people) + 1))
    sensitive = np.array([CODE[value] for _, value in rows], np.int32)
    values = [value for _, value in rows]
    sets = list(plain.sets_of(3, at_most))

    def crowd(row: Any, listed: list[tuple[Any, int]]) -> int:
        return min(
            sum(n for one, n in listed if plain.complete(one, chosen) == plain.complete(row, chosen))
            for chosen in sets
            if plain.complete(row, chosen) is not None
        )

    alone = [(row, 1) for row, _ in rows]
    register = list(zip(people, range(1, len(people) + 1), strict=True))
    assert smallest_crowds(ours, at_most).tolist() == [crowd(row, alone) for row, _ in rows]
    assert smallest_crowds(ours, at_most, theirs).tolist() == [crowd(row, register) for row, _ in rows]
    told = over_for_some_columns(ours, sensitive, ValueTargets.of(len(VALUES)), HALF, at_most, theirs)
    for number, person in enumerate(people):
        chances = [
            plain.chance(
                [
                    n
                    for n, (row, _) in enumerate(rows)
                    if plain.complete(row, chosen) == plain.complete(person, chosen)
                ],
                values,
                {target},
                values,
            )
            for chosen in sets
            if plain.complete(person, chosen) is not None
            for target in VALUES
        ]
        assert told[number] == (max(chances) > HALF)


def test_one_by_one_is_not_all_at_once() -> None:
    rows = [(("a", None, None), "flu"), ((None, "a", None), "cold"), ((None, "a", None), "cold")]
    people = [("a", "b", None), ("a", "a", None), ("b", "a", None)]
    chances = likeliest(shares_of(rows, people), ValueTargets.of(len(VALUES)))

    assert [chances.chance(number) for number in range(3)] == [1, Fraction(2, 3), 1]


def test_hiding_by_value_and_hiding_altogether() -> None:
    rows = [(("a", None, None), "flu"), (("a", None, None), plain.HIDDEN), (("b", None, None), plain.HIDDEN)]
    chances = likeliest(
        shares_of(rows, [("a", "a", "a"), ("b", "b", "b"), ("c", "c", "c")]), ValueTargets.of(len(VALUES))
    )
    risk = attribute_risk(chances, np.array([1, 10, 100]), HALF)

    assert [chances.chance(number) for number in range(3)] == [1, 1, 1]
    assert (low(chances, 0), high(chances, 0)) == (HALF, 1)
    assert (risk.people_without_row, risk.people_all_hidden, risk.min_rows) == (100, 10, 1)


def test_whoever_is_not_sure_of_membership_believes_less() -> None:
    rows = [(("a", None, None), "flu"), (("b", None, None), "cold")]
    chances = likeliest(shares_of(rows, [("a", "a", "a"), ("b", "b", "b")]), ValueTargets.of(len(VALUES)))

    assert if_unsure(chances, rows_fitting(chances), np.array([4, 3])) == Fraction(1, 3)


def test_judging_true_values_needs_them() -> None:
    chances = likeliest(
        shares_of([(("a", None, None), "flu")], [("a", "a", "a")]), ValueTargets.of(len(VALUES))
    )
    with pytest.raises(ValueError, match="own values"):
        attribute_risk(chances, np.ones(1, np.int64), HALF, judges="true")
