"""The wider use: people among records, by edges or by intervals."""

from fractions import Fraction
from math import prod
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import cracks as oracle
from tests.sizes import sized

import giveaway as ga

some_candidates = st.integers(1, 6).flatmap(
    lambda people: st.lists(st.sets(st.integers(0, people - 1), min_size=1), min_size=people, max_size=people)
)


@sized()
@given(some=some_candidates)
def test_edges_are_counted_over_all_mappings(some: list[set[int]]) -> None:
    edges = [(f"p{person}", f"p{record}") for person, few in enumerate(some) for record in few]
    if next(oracle.mappings(some), None) is None:
        with pytest.raises(ga.DataError, match=r"compete for|which record may be"):
            ga.cracks(edges=edges)
        return
    found = ga.cracks(edges=edges)

    assert found.chances == {f"p{i}": chance for i, chance in enumerate(oracle.crack_chances(some))}
    assert found.expected == sum(oracle.crack_chances(some))
    assert (found.how.method, found.how.margin) == ("exact", None)


@sized()
@given(
    people=st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6
    )
)
def test_intervals_are_counted_over_all_mappings(people: list[tuple[int, int, int]]) -> None:
    known = {f"p{i}": (value, value - below, value + above) for i, (value, below, above) in enumerate(people)}
    some = [
        {j for j, (other, _, _) in enumerate(people) if value - below <= other <= value + above}
        for value, below, above in people
    ]

    assert ga.cracks(intervals=known).chances == {
        f"p{i}": chance for i, chance in enumerate(oracle.crack_chances(some))
    }


@sized()
@given(some=some_candidates, data=st.data())
def test_a_mapping_is_as_likely_as_the_product_of_its_weights(
    some: list[set[int]], data: st.DataObject
) -> None:
    everything = list(oracle.mappings(some))
    assume(everything and set().union(*some) == {*range(len(some))})
    weights = {
        (person, record): data.draw(fractions("1/5", 5, max_denominator=5))
        for person, few in enumerate(some)
        for record in sorted(few)
    }
    found = ga.cracks(edges=[(person, record, weight) for (person, record), weight in weights.items()])
    worth = [prod(weights[pair] for pair in enumerate(one)) for one in everything]

    assert found.chances == {
        person: sum(weight for one, weight in zip(everything, worth, strict=True) if one[person] == person)
        / sum(worth)
        for person in range(len(some))
    }


@sized()
@given(some=some_candidates, average=fractions("1/20", 1, max_denominator=20))
def test_the_o_estimate_and_how_many_somebody_may_be_right_about(
    some: list[set[int]], average: Fraction
) -> None:
    assume(next(oracle.mappings(some), None) is not None)
    edges = [(person, record) for person, few in enumerate(some) for record in few]
    found, people = ga.cracks(edges=edges), len(some)

    assert found.o_estimate_plain == oracle.o_estimate(some)
    assert found.o_estimate == oracle.o_estimate(oracle.propagated(some))
    assert found.candidates == {person: len(few) for person, few in enumerate(some)}
    assert found.compliance == Fraction(sum(person in few for person, few in enumerate(some)), people)
    for by, expected in (("chances", found.expected), ("o_estimate", found.o_estimate)):
        assert found.breaking_point(average, by=by) == found.compliance * min(
            [1, *([average * people / expected] if expected else [])]
        )


COLUMNS = ("origin", "car", "age")
rows_of_people = st.lists(
    st.tuples(st.sampled_from("cg"), st.sampled_from("tf"), st.sampled_from([None, 30, 40])),
    min_size=1,
    max_size=5,
)


@sized()
@given(rows=rows_of_people, data=st.data(), as_table=st.booleans())
def test_a_table_is_matched_with_what_is_known_of_its_people(
    rows: list[tuple[str, str, int | None]], data: st.DataObject, as_table: bool
) -> None:
    names = [f"p{place}" for place in range(len(rows))]
    table = ga.Table.from_rows(
        [
            {"name": name, **dict(zip(COLUMNS, row, strict=True))}
            for name, row in zip(names, rows, strict=True)
        ],
        id="name",
    )
    stated = {
        name: data.draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "origin": st.just(row[0]),
                    "car": st.sampled_from(["t", "f"]),
                    "age": st.just((25, 35)),
                },
            )
        )
        for name, row in zip(names, rows, strict=True)
    }

    def fits(known: dict[str, Any], row: tuple[str, str, int | None]) -> bool:
        origin, car, age = row
        return (
            known.get("origin", origin) == origin
            and known.get("car", car) == car
            and ("age" not in known or age is None or 25 <= age <= 35)
        )

    some = [{j for j, row in enumerate(rows) if fits(stated[name], row)} for name in names]
    assume(next(oracle.mappings(some), None) is not None)
    known: Any = stated
    if as_table:
        entries = [
            {"name": name, **dict.fromkeys(COLUMNS), **one, **({"age": "25..35"} if "age" in one else {})}
            for name, one in stated.items()
        ]
        known = ga.Table.from_rows(entries, id="name")
    found = ga.cracks(table=table, knows=known)

    assert found.chances == dict(zip(names, oracle.crack_chances(some), strict=True))
    assert found.o_estimate_plain == oracle.o_estimate(some)


def test_section_8_1_a_relation_and_what_is_known_of_john_mary_and_bob() -> None:
    rows = [
        ("John", "Chinese", "Toyota", 41),
        ("Mary", "Greek", "Fiat", 33),
        ("Bob", "Chinese", "Toyota", 34),
    ]
    columns = ("name", "origin", "car", "age")
    relation = ga.Table.from_rows([dict(zip(columns, row, strict=True)) for row in rows], id="name")
    known = {"John": {"origin": "Chinese", "car": "Toyota"}, "Mary": {"age": (30, 35)}}
    found = ga.cracks(table=relation, knows=known)

    assert found.candidates == {"John": 2, "Mary": 2, "Bob": 3}
    assert found.chances == {"John": Fraction(2, 3), "Mary": Fraction(2, 3), "Bob": Fraction(1, 3)}
    assert found.o_estimate_plain == Fraction(4, 3)


def test_weights_that_take_too_much_work_are_refused() -> None:
    edges = [(i, (i + step) % 60, 1 + step) for i in range(60) for step in (0, 1, 7, 11, 23, 31)]
    with pytest.raises(ga.BudgetExceeded, match="not equally likely"):
        ga.cracks(edges=edges)


def test_who_is_who_is_estimated_when_it_cannot_be_counted() -> None:
    edges = [(i, (i + step) % 60) for i in range(60) for step in (0, 1, 7, 11, 23, 31)]
    found = ga.cracks(edges=edges)

    assert found.how.method == "estimate"
    # Six candidates each: one in their number is more than 5 %.
    assert found.how.margin == pytest.approx(float(found.expected) / 6)
    assert 5 < float(found.expected) < 20


def test_exact_ends_of_ranges_are_inside() -> None:
    found = ga.cracks(intervals={"a": ("0.1", "0.1", "0.3"), "b": ("0.3", "0.1", "0.3")})

    assert found.expected == Fraction(1)


PEOPLE = ga.Table.from_rows([{"name": "p0", "car": "t"}], id="name")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "one of them"),
        ({"edges": [], "intervals": {}}, "one of them"),
        ({"edges": []}, "No edge"),
        ({"edges": ["ab"]}, "not a pair"),
        ({"edges": [("a", "b")]}, "which record may be"),
        ({"edges": [("a", "a", 0)]}, "above 0"),
        ({"edges": [("a", "a", 2), ("a", "a", 3)]}, "listed twice"),
        ({"table": PEOPLE}, "belong together"),
        ({"table": PEOPLE, "knows": {"p9": {}}}, "not in the table"),
        ({"table": PEOPLE, "knows": {"p0": {"job": "x"}}}, "job"),
        ({"table": PEOPLE, "knows": {"p0": {"car": (1, 2, 3)}}}, "not a range"),
        ({"table": ga.Table.from_rows([{"car": "t"}]), "knows": {}}, "names nobody"),
        ({"edges": [("a", "a"), ("b", "a"), ("c", "c"), ("c", "b")]}, "a and b compete for 1 record"),
        ({"intervals": {}}, "No person"),
        ({"intervals": {"a": (1, 2)}}, "lower and an upper end"),
        ({"intervals": {"a": (1, 3, 2)}}, "which is lower"),
        ({"intervals": {"a": (1, 2, 3), "b": (2, 2, 2)}}, "compete for 1 record"),
    ],
)
def test_bad_questions_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(ga.WrongQuestion, match=said):
        ga.cracks(**given)
