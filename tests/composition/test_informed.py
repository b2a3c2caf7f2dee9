"""What somebody believes who knows how both releases were chosen, by all worlds and all draws."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.composition import informed as oracle
from tests.oracles.composition.tables import Columns, Row, keep, merged
from tests.oracles.crowds import deals, rows_of

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


def test_a_plan_that_counts_a_sensitive_column_tells_its_values() -> None:
    """Rows of one form and value in twos: where nothing can be shown of uuuvv, each b is believed to be u with 2/3."""
    known_of = rows_of("a a b b b")
    rule = oracle.least(2, FIRST, lambda seen, form: (form, seen[-1]))
    total, parts = Fraction(0), [Fraction(0)] * 5
    for values in product("uv", repeat=5):
        seen = [(*person, value) for person, value in zip(known_of, values, strict=True)]
        plan = rule(seen)
        if plan is None or values.count("u") != 3:
            continue
        for chance, forms in deals(seen, plan):
            if set(forms) == {(None, None)}:
                total += chance
                for person, value in enumerate(values):
                    parts[person] += chance * (value == "u")

    assert [part / total for part in parts] == [HALF, HALF, *[Fraction(2, 3)] * 3]


@settings(max_examples=20)
@given(st.lists(st.tuples(*[st.sampled_from("ab")] * 2), min_size=3, max_size=4), COLUMNS, COLUMNS, st.data())
def test_values_are_believed_as_often_as_they_stand_next_to_a_look(
    people: list[Row], first: Columns, second: Columns, data: st.DataObject
) -> None:
    """Theorem 2 for two releases whose rows are joined, both plans blind to the value: shares within pairs of forms."""
    truth = data.draw(st.lists(st.sampled_from("uv"), min_size=len(people), max_size=len(people)))
    draws = list(
        oracle.drawn_twice(
            known(people),
            (first, second),
            oracle.least(2, first),
            given_before(2, second, oracle.both_forms),
        )
    )
    if not draws:
        return
    _, _, *forms = data.draw(st.sampled_from(draws))
    seen = Counter(zip(*forms, truth, strict=True))
    looks = Counter(zip(*forms, strict=True))
    total, parts = Fraction(0), [Fraction(0)] * len(people)
    carried = [Counter[tuple[Row, Row]]() for _ in people]
    for weight, _, before, after in draws:
        assert after is not None
        if Counter(zip(before, after, strict=True)) != looks:
            continue
        for values in product("uv", repeat=len(people)):
            if Counter(zip(before, after, values, strict=True)) == seen:
                total += weight
                for person, value in enumerate(values):
                    parts[person] += weight * (value == "u")
                    carried[person][before[person], after[person]] += weight  # type: ignore[assignment]
    for person, of_person in enumerate(carried):
        shares = (
            weight / total * Fraction(seen[(*look, "u")], looks[look]) for look, weight in of_person.items()
        )
        assert parts[person] / total == sum(shares, Fraction(0))


def test_six_people_planned_at_once_when_the_choice_is_known() -> None:
    """Crowd 2: two cooks of 40 and two smiths of 30 show both, 1 and 6 nothing but what they have in common: nothing."""
    people: list[Row] = [
        (30, "cook"),
        (30, "smith"),
        (30, "smith"),
        (40, "cook"),
        (40, "cook"),
        (40, "smith"),
    ]

    found = {crowd: oracle.least_at_once(people, (FIRST, SECOND), crowd) for crowd in (2, 3)}

    assert {crowd: plan and plan[0] for crowd, plan in found.items()} == {2: 4, 3: 6}


@settings(max_examples=25)
@given(
    st.lists(st.tuples(*[st.sampled_from("ab")] * 2), min_size=3, max_size=4),
    st.sampled_from([(FIRST, SECOND), (FIRST, BOTH), (BOTH, SECOND)]),
)
def test_at_once_is_never_dearer_than_one_after_the_other(
    people: list[Row], columns: tuple[Columns, Columns]
) -> None:
    at_once = oracle.least_at_once(people, columns, 2)
    first, second = columns
    draws = oracle.drawn_twice(
        known(people), columns, oracle.least(2, first), given_before(2, second, oracle.both_forms)
    )
    for _, _, before, after in draws:
        assert at_once is not None
        assert after is not None
        cells = len(people) * (len(first) + len(second))
        blanks = cells - sum(value is not None for form in (*before, *after) for value in form)
        assert at_once[0] <= blanks
    if at_once:
        looks = Counter(pair for hand in at_once[1].values() for pair in hand)
        assert min(looks.values()) >= 2


def test_rows_of_one_form_are_no_crowd_where_a_shared_column_tells_them_apart() -> None:
    """Six people, ages and then jobs, illnesses in both: three smiths, but two rows of smith and hiv, one of them 6's."""
    people: list[Row] = [
        (30, "cook"),
        (30, "smith"),
        (30, "smith"),
        (40, "cook"),
        (40, "cook"),
        (40, "smith"),
    ]
    illnesses = set(permutations(["flu", "flu", "hiv", "flu", "ulcer", "hiv"]))
    worlds = [
        (Fraction(1), [(*person, illness) for person, illness in zip(people, world, strict=True)])
        for world in sorted(illnesses)
    ]
    everything = oracle.drawn_twice(
        worlds, (FIRST, SECOND), oracle.least(2, FIRST), oracle.least(2, SECOND, values=lambda seen: seen[0])
    )

    chances = oracle.chances_of_people(everything, beside=frozenset([2]))

    for seen, of_people in chances.items():
        rows = dict(seen[0])  # type: ignore[index] # rows of now, and those of the earlier release
        assert all(chance <= Fraction(1, rows[look]) for (_, look), chance in of_people.items())
    hiv = (None, "smith", None), (None, None, "hiv")
    jobs = {(("cook", "flu"), 2), (("cook", "ulcer"), 1), (("smith", "flu"), 1), (("smith", "hiv"), 2)}
    ages = {((30, "flu"), 2), ((30, "hiv"), 1), ((40, "flu"), 1), ((40, "ulcer"), 1), ((40, "hiv"), 1)}
    seen = (
        frozenset((((None, job, None), (None, None, ill)), many) for (job, ill), many in jobs),
        frozenset((((age, None, None), (None, None, ill)), many) for (age, ill), many in ages),
    )
    assert chances[seen][5, hiv] == HALF > Fraction(1, 3)
