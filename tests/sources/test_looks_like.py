"""What the values of a column look like."""

import pytest

from giveaway.sources.encoding.looks_like import MOST, looks_like


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        (["ann@example.org", "b.c+d@mail.example.co.uk"], "e-mail addresses"),
        (["Ann <ann@example.org>", "none"], "e-mail addresses"),
        (["-"] * 8 + ["a@b.de"], "e-mail addresses"),
        (["+49 170 1234567", "0171/7654321", "(030) 123 456 78", "+33 1 23 45 67 89"], "phone numbers"),
        (["555-1234", "555-9876"], "phone numbers"),
        (["01701234567", "01719876543"], "phone numbers"),
        (["+491701234567"], "phone numbers"),
        (["4111 1111 1111 1111", "DE89370400440532013000"], "long numbers"),
        (["123456789", "987654321"], "long numbers"),
        (["0000012345", "0000012346"], "long numbers"),
        (["2020-01-31", "1999-12-01"], "dates"),
        (["31.12.1999", "1.2.20"], "dates"),
        (["12/31/1999", "2/1/2020"], "dates"),
        (["20200131", "20191201"], "dates"),
        (["2020-01-31 10:15:00", "2020-01-31T10:15:00Z"], "dates"),
        (["3 Mar 2020", "March 3, 2020", "03-OCT-1992"], "dates"),
        (["patient called twice because of pain", "ok", "asks for a letter to the school"], "free text"),
        (["first line\nsecond line", "ok"], "free text"),
    ],
)
def test_shapes_that_stand_out(values: list[str], shape: str) -> None:
    assert looks_like(values) == shape


@pytest.mark.parametrize(
    "values",
    [
        [],
        ["", " "],
        ["red", "blue", "light green"],
        ["1", "2", "33"],
        ["1234567.89", "-1234567.5", "1.234.567", "1,234,567.25"],
        ["0.123456789", "1e-07", "12345,678"],
        ["12345", "01099"],
        ["12345-6789", "99999-0001"],
        ["1990-1999", "2000-2009"],
        ["192.168.100.200"],
        ["New York", "Los Angeles", "San Diego"],
        ["J45.0", "E11", "I10"],
        ["<=50K", ">50K"],
    ],
)
def test_ordinary_columns_do_not_stand_out(values: list[str]) -> None:
    assert looks_like(values) is None


NAMES = ["Ann", "Bob", "Éva", "Dan", "Eve", "Flo", "Guy", "Ida", "Jan", "Kim"]


@pytest.mark.parametrize("form", ["{} Meier", "Meier, {}", "{} van Öhlen", "{} K. Meier", "Dr. {} Meier"])
def test_ten_first_and_last_names_are_names(form: str) -> None:
    assert looks_like([form.format(name) for name in NAMES]) == "names"


def test_what_repeats_often_is_a_category() -> None:
    answers = [f"I agree with the statement number {n}" for n in range(12)]
    assert looks_like(answers) == "free text"
    assert looks_like(answers * 3) is None
    people = [f"{name} Meier" for name in NAMES]
    assert looks_like(people * 3) is None


def test_repeated_addresses_are_addresses() -> None:
    assert looks_like(["a@b.de"] * 50) == "e-mail addresses"


def test_only_the_first_values_are_looked_at_and_gaps_do_not_count() -> None:
    late = [""] * 5_000 + ["red", "blue"] * (MOST // 2) + [f"p{n}@example.org" for n in range(5_000)]
    assert looks_like(late) is None
    assert looks_like([""] * 5_000 + ["a@b.de"]) == "e-mail addresses"
