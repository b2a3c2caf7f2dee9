"""Definitions of tables given away twice against all worlds, and the six people by hand."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.composition import tables as oracle
from tests.oracles.composition.tables import Columns, Row
from tests.oracles.crowds import rows_of

AGE, JOB, ILLNESS = range(3)
SIX: list[Row] = [
    (30, "cook", "flu"),
    (30, "smith", "flu"),
    (30, "smith", "hiv"),
    (40, "cook", "flu"),
    (40, "cook", "ulcer"),
    (40, "smith", "hiv"),
]
PEOPLE = [oracle.keep(row, frozenset([AGE, JOB])) for row in SIX]
EARLIER = [oracle.keep(row, frozenset([AGE, ILLNESS])) for row in SIX]
NOW = [oracle.keep(row, frozenset([JOB, ILLNESS])) for row in SIX]


def parts(text: str) -> dict[str, Fraction]:
    """Read beliefs such as `flu 2/5 hiv 3/5`."""
    words = text.split()
    return {value: Fraction(part) for value, part in zip(words[::2], words[1::2], strict=True)}


@pytest.mark.parametrize(
    ("person", "crowds", "rows", "people", "register"),
    [
        (1, (1, 3, 3), "flu 1", "flu 1", "flu 1"),
        (2, (2, 3, 3), "flu 1/2 hiv 1/2", "flu 2/5 hiv 3/5", "flu 1/2 hiv 1/2"),
        (3, (2, 3, 3), "flu 1/2 hiv 1/2", "flu 2/5 hiv 3/5", "flu 1/2 hiv 1/2"),
        (4, (2, 3, 3), "flu 1/2 ulcer 1/2", "flu 2/5 ulcer 3/5", "flu 1/2 ulcer 1/2"),
        (5, (2, 2, 3), "flu 1/2 ulcer 1/2", "flu 2/5 ulcer 3/5", "flu 1/2 ulcer 1/2"),
        (6, (1, 3, 3), "hiv 1", "flu 1/4 hiv 3/4", "hiv 1"),
    ],
)
def test_six_people(person: int, crowds: tuple[int, int, int], rows: str, people: str, register: str) -> None:
    at, both = person - 1, [EARLIER, NOW]
    me = PEOPLE[at]

    assert crowds == (
        oracle.crowd_of_rows(both, PEOPLE, at),
        oracle.crowd_of_people(EARLIER, NOW, PEOPLE, at),
        oracle.crowd_alone(NOW, PEOPLE, at),
    )
    assert oracle.belief_of_rows(both, me, ILLNESS) == parts(rows)
    assert oracle.belief_of_worlds(both, me, ILLNESS) == parts(people)
    assert oracle.belief_by_counts(both, me, ILLNESS, frozenset([ILLNESS])) == parts(people)
    assert oracle.belief_of_register(both, PEOPLE, at, ILLNESS) == parts(register)


def test_six_people_alone_and_joined() -> None:
    assert len(list(oracle.joins(EARLIER, NOW))) == 12
    for rows in (EARLIER, NOW):
        assert {oracle.crowd_alone(rows, PEOPLE, at) for at in range(6)} == {3}
        assert max(max(oracle.belief_alone(rows, me, ILLNESS).values()) for me in PEOPLE) == Fraction(2, 3)
    assert oracle.joinable_rows(EARLIER, NOW, frozenset([ILLNESS])) == 1  # the ulcer


def test_six_people_protected_after_their_ages_are_out() -> None:
    ages = [oracle.keep(row, frozenset([AGE])) for row in SIX]
    job, age = frozenset([JOB]), frozenset([AGE])

    assert oracle.best_given_before(PEOPLE, ages, job, 2) == [0, 1, 1, 1, 1, 0]
    assert oracle.best_given_before(PEOPLE, ages, job, 3) == [0] * 6
    assert oracle.best_given_before(PEOPLE, ages, job, 4) is None  # already given away
    assert oracle.best_at_once(PEOPLE, [age, job], 3) == [1] * 6


def test_a_column_that_changes_is_two_columns() -> None:
    """Three people of 30, then of 31, 31 and 40: whoever knows both ages finds the third, who had a crowd of 3 before."""
    before: list[Row] = [(30,), (30,), (30,)]
    now: list[Row] = [(31,), (31,), (40,)]
    with pytest.raises(oracle.Contradiction):
        oracle.crowd_of_rows([before, now], before, 2)

    earlier, later = oracle.changing([before, now], 0)
    people = [oracle.merged(rows) for rows in zip(earlier, later, strict=True)]

    assert people == [(None, 30, 31), (None, 30, 31), (None, 30, 40)]
    assert [oracle.crowd_of_rows([earlier, later], people, row) for row in range(3)] == [2, 2, 1]


# Random tables of three known columns and a sensitive one.

KNOWN = frozenset([0, 1, 2])
SENSITIVE = 3
ROW = st.tuples(*[st.sampled_from("ab")] * 3, st.sampled_from("uvw"))
SOME = st.frozensets(st.integers(0, 3))


@st.composite
def two_releases(
    draw: st.DrawFn, *, rows: int = 5, blanks: bool = True, blank_shared: bool = False
) -> tuple[list[Row], list[Row], list[Row], Columns]:
    """Give people, two releases of them that both show the sensitive column, and the columns that both have."""
    table = draw(st.lists(ROW, min_size=2, max_size=rows))
    first, second = draw(SOME) | {SENSITIVE}, draw(SOME) | {SENSITIVE}
    shared = first & second

    def release(columns: Columns) -> list[Row]:
        kept = [draw(SOME) | (frozenset() if blank_shared else shared) if blanks else columns for _ in table]
        return [oracle.keep(row, columns & mine) for row, mine in zip(table, kept, strict=True)]

    return [oracle.keep(row, KNOWN) for row in table], release(first), release(second), shared


@settings(max_examples=60)
@given(two_releases(blank_shared=True))
def test_t1_crowds_of_rows_people_and_one_release(
    drawn: tuple[list[Row], list[Row], list[Row], Columns],
) -> None:
    people, earlier, now, _ = drawn
    for row in range(len(people)):
        rows, worlds, by_people, alone = (
            oracle.crowd_of_rows([earlier, now], people, row),
            oracle.crowd_of_worlds(earlier, now, people, row),
            oracle.crowd_of_people(earlier, now, people, row),
            oracle.crowd_alone(now, people, row),
        )
        assert 1 <= rows <= worlds <= by_people <= alone
        assert oracle.crowd_without_join(earlier, now, people, row) <= rows


@settings(max_examples=80)
@given(two_releases())
def test_the_crowd_of_people_is_that_of_all_worlds_where_shared_columns_are_never_blank(
    drawn: tuple[list[Row], list[Row], list[Row], Columns],
) -> None:
    people, earlier, now, _ = drawn
    for row in range(len(people)):
        assert oracle.crowd_of_people(earlier, now, people, row) == oracle.crowd_of_worlds(
            earlier, now, people, row
        )


def test_blanks_in_shared_columns_leave_fewer_people_than_are_counted() -> None:
    """Earlier a, b; now a, blank: the blank agrees with both earlier rows, and is b in every world."""
    people: list[Row] = [("a", "x"), ("b", "x")]
    earlier: list[Row] = [("a", None), ("b", None)]
    now: list[Row] = [("a", None), (None, "x")]

    assert oracle.crowd_of_people(earlier, now, people, 1) == 2
    assert oracle.crowd_of_worlds(earlier, now, people, 1) == 1
    assert oracle.crowd_of_rows([earlier, now], people, 1) == 1


@settings(max_examples=60)
@given(two_releases(), st.data())
def test_t2_pairs_by_blocks_and_beliefs_by_counts(
    drawn: tuple[list[Row], list[Row], list[Row], Columns], data: st.DataObject
) -> None:
    people, earlier, now, shared = drawn
    gone = data.draw(st.integers(0, len(now) - 1))
    smaller, larger = data.draw(st.permutations([earlier[gone:], now])), now
    for releases in ([earlier, now], smaller):
        chances = oracle.pair_chances(*releases)
        assert chances == oracle.pair_chances_by_blocks(*releases)
    for person in people[gone:]:
        for releases in ([earlier, now], [earlier[gone:], larger]):
            worlds = oracle.belief_of_worlds(releases, person, SENSITIVE)
            assert worlds == oracle.belief_by_counts(releases, person, SENSITIVE, shared)


@settings(max_examples=30)
@given(st.lists(ROW, min_size=2, max_size=4), SOME)
def test_t2_three_releases_with_the_same_shared_columns(table: list[Row], shared: Columns) -> None:
    """Each release shows the shared columns and its own third."""
    both = shared | {SENSITIVE}
    own = [frozenset([at]) - both for at in range(3)]
    releases = [[oracle.keep(row, both | one) for row in table] for one in own]
    for row in table:
        person = oracle.keep(row, KNOWN)
        worlds = oracle.belief_of_worlds(releases, person, SENSITIVE)
        assert worlds == oracle.belief_by_counts(releases, person, SENSITIVE, both)


def test_t3_people_may_be_surer_than_rows() -> None:
    """Of the six, 2 to 5 are believed to have their rarer illness with 3/5, and 1/2 where rows are joined."""
    for at in (1, 3):
        rows = oracle.belief_of_rows([EARLIER, NOW], PEOPLE[at], ILLNESS)
        people = oracle.belief_of_worlds([EARLIER, NOW], PEOPLE[at], ILLNESS)
        assert max(people.values()) > max(rows.values())
    rows = oracle.belief_of_rows([EARLIER, NOW], PEOPLE[5], ILLNESS)
    people = oracle.belief_of_worlds([EARLIER, NOW], PEOPLE[5], ILLNESS)
    assert max(people.values()) < max(rows.values())


@settings(max_examples=25)
@given(st.lists(ROW, min_size=2, max_size=4))
def test_who_knows_everybody_by_values(table: list[Row]) -> None:
    people = [oracle.keep(row, KNOWN) for row in table]
    columns = frozenset([0, 1]), frozenset([1, 2])
    releases = [[oracle.keep(row, some | {SENSITIVE}) for row in table] for some in columns]
    truth = [row[SENSITIVE] or "" for row in table]
    for person in range(len(table)):
        listed = oracle.belief_of_register(releases, people, person, SENSITIVE)
        assert oracle.belief_of_register_by_values(columns, people, truth, person) == listed


def test_who_knows_everybody_may_be_surer_than_rows_and_people() -> None:
    table = rows_of("cyu bzu ayu axu bxu bxv cxv azv")
    releases = [[oracle.keep(row, frozenset([column, 2])) for row in table] for column in (0, 1)]
    people = [oracle.keep(row, frozenset([0, 1])) for row in table]
    me = 4

    assert max(oracle.belief_of_rows(releases, people[me], 2).values()) == Fraction(1, 2)
    assert max(oracle.belief_by_counts(releases, people[me], 2, frozenset([2])).values()) == Fraction(6, 11)
    values = [str(row[2]) for row in table]
    register = oracle.belief_of_register_by_values((frozenset([0]), frozenset([1])), people, values, me)
    assert max(register.values()) == Fraction(2, 3)


@settings(max_examples=60)
@given(two_releases(blank_shared=True))
def test_certain_values_are_certain_in_every_world(
    drawn: tuple[list[Row], list[Row], list[Row], Columns],
) -> None:
    """Only one value that both releases leave is a proved exposure, also with blanks in shared columns."""
    people, earlier, now, _ = drawn
    for person in people:
        left = [{row[SENSITIVE] for row in rows if oracle.agree(person, row)} for rows in (earlier, now)]
        if None in left[0] | left[1]:
            continue
        both = left[0] & left[1]
        believed = oracle.belief_of_worlds([earlier, now], person, SENSITIVE)
        assert believed.keys() <= both


@settings(max_examples=60)
@given(st.lists(ROW, min_size=2, max_size=5), st.integers(0, 4), SOME)
def test_t8_newcomers_are_the_difference(table: list[Row], stayed: int, columns: Columns) -> None:
    stayed = min(stayed, len(table))
    now = [oracle.keep(row, columns) for row in table]
    earlier = now[:stayed]

    left = oracle.difference(now, earlier, columns)

    assert left == sorted(now[stayed:], key=str)
    for join in oracle.joins(earlier, now):
        equal = all(earlier[a] == now[b] for a, b in join)
        rest = [now[b] for b in range(len(now)) if b not in {b for _, b in join}]
        assert not equal or sorted(rest, key=str) == left


@settings(max_examples=60)
@given(st.lists(ROW, min_size=1, max_size=5), st.data())
def test_who_joined_and_left_by_the_size_of_the_difference(table: list[Row], data: st.DataObject) -> None:
    """Where as many rows are left over as people joined, they are theirs in every world in which rows stay as they are."""
    columns = data.draw(SOME)
    shown = [oracle.keep(row, columns) for row in table]
    when = data.draw(
        st.lists(st.sampled_from(["stayed", "joined", "left"]), min_size=len(table), max_size=len(table))
    )
    earlier = [row for row, one in zip(shown, when, strict=True) if one != "joined"]
    now = [row for row, one in zip(shown, when, strict=True) if one != "left"]
    joined = when.count("joined")

    found = oracle.difference(now, earlier, columns)

    assert len(found) <= joined
    if len(found) == joined:
        assert found == sorted(
            (row for row, one in zip(shown, when, strict=True) if one == "joined"), key=str
        )


def test_counts_are_no_beliefs_where_some_left_and_others_joined() -> None:
    """Neither release holds the people of the other: the formula of one population within the other is wrong."""
    earlier, now = rows_of("b-v a-u a-v"), rows_of("-yv -xv -xu -yu")
    person: Row = ("a", "x", None)

    found = oracle.share(
        [
            earlier[a][2]
            for join in oracle.joins_of_some(earlier, now, 2)
            for a, b in join
            if oracle.agree(person, earlier[a]) and oracle.agree(person, now[b])
        ]
    )

    assert found == {"u": Fraction(4, 7), "v": Fraction(3, 7)}
    assert oracle.belief_by_counts([earlier, now], person, 2, frozenset([2])) == {
        "u": Fraction(1, 2),
        "v": Fraction(1, 2),
    }


def test_blanks_that_change_make_the_difference_wrong() -> None:
    """Who stayed shows less now, the newcomer shows what the other showed: the row left over is not the newcomer's."""
    earlier, now = rows_of("ax"), rows_of("a- ax")
    newcomer = now[1]

    assert oracle.difference(now, earlier, frozenset([0, 1])) == [("a", None)] != [newcomer]
    assert {b for join in oracle.joins(earlier, now) for _, b in join} == {0, 1}


def test_the_surest_value_may_be_less_sure_and_another_one_over_the_limit() -> None:
    """What adds nothing must be asked of each value: u at 7/10 before, v at 2/3 together, up from 3/10."""
    earlier = rows_of("--u --u --u --u --u --u --u --v --v --v")
    now = rows_of("b-u b-u b-u b-u b-u b-u a-u a-v a-v b-v")
    person: Row = ("a", None, None)

    before = oracle.belief_alone(earlier, person, 2)
    together = oracle.belief_of_rows([earlier, now], person, 2)

    assert before == {"u": Fraction(7, 10), "v": Fraction(3, 10)}
    assert together == {"u": Fraction(1, 3), "v": Fraction(2, 3)}
    assert max(together.values()) < max(before.values())


def test_some_of_the_earlier_releases_may_tell_more_than_all_of_them() -> None:
    """Beliefs go up and down: with each earlier release and with all of them 3/5 at most, with the first two 9/13."""
    fitting = [
        ("u", 3, 3, 2),
        ("v", 2, 2, 3),
    ]  # of five rows of each value, how many fit the person in each column
    table: list[Row] = [
        (*("a" if at < many else "b" for many in counts), value)
        for value, *counts in fitting
        for at in range(5)
    ]
    person: Row = ("a", "a", "a", None)
    *earlier, now = ([oracle.keep(row, frozenset([column, 3])) for row in table] for column in (0, 1, 2, 3))
    shared = frozenset([3])

    def surest(*releases: list[Row]) -> Fraction:
        return max(oracle.belief_by_counts([*releases, now], person, 3, shared).values())

    assert [surest(one) for one in earlier] == [Fraction(3, 5)] * 3
    assert surest(*earlier) == Fraction(3, 5)
    assert surest(*earlier[:2]) == Fraction(9, 13)


@settings(max_examples=60)
@given(two_releases(blank_shared=True), st.data())
def test_t9_replay_shows_nothing_new(
    drawn: tuple[list[Row], list[Row], list[Row], Columns], data: st.DataObject
) -> None:
    people, earlier, _, _ = drawn
    again = [oracle.keep(row, data.draw(SOME)) for row in earlier]
    for row, person in enumerate(people):
        assert oracle.crowd_of_rows([earlier, again], people, row) == oracle.crowd_alone(earlier, people, row)
        assert oracle.belief_of_rows([earlier, again], person, SENSITIVE) == oracle.belief_alone(
            earlier, person, SENSITIVE
        )


@settings(max_examples=60)
@given(two_releases(blank_shared=True), st.integers(1, 3))
def test_given_before_is_the_best_of_all_releases(
    drawn: tuple[list[Row], list[Row], list[Row], Columns], crowd: int
) -> None:
    """Rows chosen one by one are the best of all choices for everybody at once, two people being enough to see it."""
    people, earlier, _, _ = drawn
    best = oracle.best_given_before(people, earlier, frozenset([0, 1]), crowd)
    every = oracle.subsets(frozenset([0, 1]))

    def together(chosen: Sequence[Columns]) -> bool:
        now = [oracle.keep(person, some) for person, some in zip(people, chosen, strict=True)]
        return all(oracle.crowd_of_rows([earlier, now], people, row) >= crowd for row in range(len(people)))

    nothing = [frozenset[int]()] * len(people)
    if best is None:
        assert not together(nothing)
        return
    for at in range(len(people)):
        for some in every:
            chosen = [*nothing[:at], some, *nothing[at + 1 :]]
            assert not together(chosen) or len(some) <= best[at]


@settings(max_examples=60)
@given(st.lists(ROW, min_size=2, max_size=4), st.data())
def test_more_releases_never_raise_a_crowd_and_their_order_does_not_matter(
    table: list[Row], data: st.DataObject
) -> None:
    people = [oracle.keep(row, KNOWN) for row in table]
    first, second, now = ([oracle.keep(row, data.draw(SOME)) for row in table] for _ in range(3))
    for row in range(len(table)):
        joined = oracle.crowd_of_rows([first, second, now], people, row)
        assert joined == oracle.crowd_of_rows([second, first, now], people, row)
        assert joined <= oracle.crowd_of_rows([second, now], people, row)
        assert oracle.crowd_of_rows([now, now], people, row) == oracle.crowd_alone(now, people, row)
        unjoined = oracle.crowd_of_people_in_all([first, second], now, people, row)
        assert (
            joined
            <= unjoined
            <= min(oracle.crowd_of_people(earlier, now, people, row) for earlier in (first, second))
        )


def test_several_earlier_releases_leave_fewer_people_than_each_with_now() -> None:
    """Who has the value v: the first release says a b, the second a y, and only one person is both."""
    table = rows_of("ayu byv bxu")
    people = [oracle.keep(row, frozenset([0, 1])) for row in table]
    first, second, now = (
        [oracle.keep(row, frozenset([2, *more])) for row in table] for more in ([0], [1], [])
    )

    assert [oracle.crowd_of_people(earlier, now, people, 1) for earlier in (first, second)] == [2, 2]
    assert oracle.crowd_of_people_in_all([first, second], now, people, 1) == 1
