from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.oracles import directory as oracle
from tests.sizes import sized

from giveaway.attacks.directory.candidates.agreement import exact, near


def test_labels_agree_when_they_are_equal_or_written_alike() -> None:
    found = exact([7, "7", "007", 1.0, True, "x"], ["7", 1, "a"])

    assert found.of_people.tolist() == [0, 1, 2]
    assert found.of_records.tolist() == [0, 0, -2, 1, 1, -2]
    assert exact(["7"], [7, "7"]).of_people.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [
        ("MARTHA", "MARHTA", 0.94444),
        ("DIXON", "DICKSONX", 0.76667),
        ("JELLYFISH", "SMELLYFISH", 0.89630),
        ("CRATE", "TRACE", 0.73333),
        ("tauss place", "staceplace", 0.80076),
        ("", "", 1),
        ("a", "", 0),
    ],
)
def test_known_similarities_of_jaro(one: str, other: str, similarity: float) -> None:
    exactly = oracle.jaro(one, other)
    a_little = Fraction(1, 10**6)

    assert float(exactly) == pytest.approx(similarity, abs=5e-6)
    assert near([one], [other], exactly).people.tolist() == [0]
    assert exactly == 1 or near([one], [other], exactly + a_little).people.tolist() == []


def test_a_limit_that_is_just_reached_counts_although_floats_fall_short() -> None:
    assert oracle.jaro("abcdefghij", "abcdefgxyz") == Fraction(4, 5)

    assert near(["abcdefghij"], ["abcdefgxyz"], Fraction(4, 5)).people.tolist() == [0]


@sized()
@given(
    st.lists(st.text("abc", max_size=9), min_size=1, max_size=6),
    st.lists(st.text("abc", max_size=9), min_size=1, max_size=6),
    fractions(Fraction(1, 10), 1, max_denominator=12),
)
def test_near_values_are_those_with_the_similarity_asked_for(
    records: list[str], people: list[str], at_least: Fraction
) -> None:
    found = near(records, people, at_least)

    lists = [part.tolist() for part in np.split(found.people, found.starts[1:-1])]
    assert lists == [
        [code for code, person in enumerate(people) if oracle.jaro(record, person) >= at_least]
        for record in records
    ]


def test_near_values_of_real_names_are_those_found_letter_by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = oracle.febrl()
    for column in ("surname", "address_1"):
        labels = sorted({row[column] for row in rows})
        monkeypatch.setattr("giveaway.attacks.directory.candidates.agreement._PAIRS", 3 * len(labels))
        some = labels[::60]

        found = near(some, labels, Fraction(4, 5))

        for place, record in enumerate(some):
            codes = [c for c, label in enumerate(labels) if oracle.jaro(record, label) >= Fraction(4, 5)]
            assert found.people[found.starts[place] : found.starts[place + 1]].tolist() == codes
