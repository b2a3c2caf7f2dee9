"""What somebody believes who knows how both releases were chosen, by all worlds and all draws."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.composition import informed as oracle
from tests.oracles.composition.tables import Columns, Row, keep, merged
from tests.oracles.crowds import rows_of

HALF = Fraction(1, 2)
FIRST, SECOND, BOTH = frozenset([0]), frozenset([1]), frozenset([0, 1])
COLUMNS = st.sampled_from([FIRST, SECOND, BOTH])
TABLES = st.lists(st.tuples(*[st.sampled_from("ab")] * 2), min_size=3, max_size=5)


def given_before(crowd: int, columns: Columns, crowds: oracle.Crowds) -> oracle.Rule:
    return oracle.least(crowd, columns, crowds, lambda seen: seen[0])


def known(people: Sequence[Row]) -> list[oracle.World]:
    """The attacker knows everybody's values."""
    return [(Fraction(1), people)]


def test_one_merged_form_has_several_looks() -> None:
    """Crowd 3, then crowd 2: four joined rows show a together, and the one whose a was blank before is ac for certain."""
    people = rows_of("ab aa bb ac ca ab")
    draws = list(
        oracle.drawn_twice(
            known(people),
            (BOTH, FIRST),
            oracle.least(3, BOTH),
            given_before(2, FIRST, oracle.merged_form),
        )
    )
    for _, _, before, after in draws:
        assert after is not None
        assert min(Counter(before).values()) == 3
        together = Counter(merged(rows) for rows in zip(before, after, strict=True))
        assert together == {("a", None): 4, (None, None): 2}

    chances = oracle.chances_of_rows(draws)

    assert oracle.worst(chances) == 1
    ((_, of_people),) = chances.items()
    assert of_people[3, ((None, None), ("a", None))] == 1


@settings(max_examples=40)
@given(TABLES, COLUMNS, COLUMNS, st.integers(2, 3), st.integers(2, 3))
def test_rows_that_look_the_same_in_each_release_are_a_crowd(
    people: list[Row], first: Columns, second: Columns, before: int, now: int
) -> None:
    draws = list(
        oracle.drawn_twice(
            known(people),
            (first, second),
            oracle.least(before, first),
            given_before(now, second, oracle.both_forms),
        )
    )
    assert oracle.worst(oracle.chances_of_rows(draws)) <= Fraction(1, now)
    assert oracle.worst(oracle.chances_of_people(draws)) <= Fraction(1, now)


@settings(max_examples=6)
@given(
    st.lists(st.sampled_from(list(product("ab", "ab"))), min_size=4, max_size=4), st.integers(0, 3), st.data()
)
def test_nobody_who_knows_less_is_surer(people: list[Row], some: int, data: st.DataObject) -> None:
    """The attacker knows some people and holds any belief about the others, the same for each of them."""
    values = list(product("ab", "ab"))
    belief = dict(zip(values, data.draw(st.lists(st.integers(1, 9), min_size=4, max_size=4)), strict=True))
    worlds: list[oracle.World] = []
    for others in product(values, repeat=len(people) - some):
        weight = Fraction(1)
        for other in others:
            weight *= belief[other]
        worlds.append((weight, (*people[:some], *others)))
    first, second = data.draw(COLUMNS), data.draw(COLUMNS)
    draws = list(
        oracle.drawn_twice(
            worlds, (first, second), oracle.least(2, first), given_before(2, second, oracle.both_forms)
        )
    )

    assert oracle.worst(oracle.chances_of_rows(draws)) <= HALF
    assert oracle.worst(oracle.chances_of_people(draws)) <= HALF


@settings(max_examples=60)
@given(TABLES, st.data())
def test_files_as_they_are(people: list[Row], data: st.DataObject) -> None:
    """Whatever two files show, a joined row is somebody's with at most one over the rows that look the same in each."""
    some = st.frozensets(st.integers(0, 1))
    releases = [[keep(person, data.draw(some)) for person in people] for _ in range(2)]

    chances = oracle.chances_as_observed(people, releases)

    for (row, _), chance in chances.items():
        assert chance <= Fraction(1, oracle.crowd_of_looks(releases, row))
    for row in range(len(people)):
        assert oracle.crowd_of_looks(releases, row) <= oracle.crowd_of_merged_forms(releases, row)


def test_six_people_whose_ages_are_out_have_no_safe_release() -> None:
    """At crowd 2 nobody's job can be shown when the choice is known: who shows none would be 1 or 6."""
    people: list[Row] = [
        (30, "cook"),
        (30, "smith"),
        (30, "smith"),
        (40, "cook"),
        (40, "cook"),
        (40, "smith"),
    ]
    draws = list(
        oracle.drawn_twice(
            known(people), (FIRST, SECOND), oracle.least(2, FIRST), given_before(2, SECOND, oracle.both_forms)
        )
    )

    assert [after for _, _, _, after in draws] == [((None, None),) * 6]
