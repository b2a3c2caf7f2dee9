from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drawing import fractions
from tests.sizes import sized

from giveaway.report.wording import words


def plain(text: str | None) -> str | None:
    return None if text is None else text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (Fraction(1, 5), "20 %"),
        (0.8873, "88.7 %"),
        (Fraction(1, 1000), "0.1 %"),
        (Fraction(1, 1001), "fewer than 1 in 1,000"),
        (Fraction(9999, 10000), "99.99 %"),
        (Fraction(9_999_999_999, 10_000_000_000), "over 99.9 %"),
        (None, "–"),  # noqa: RUF001 - the dash that stands for no number
        (float("inf"), "without bound"),
        (1.5, "150 %"),
    ],
)
def test_a_chance_is_written_with_one_decimal_and_never_rounded_to_certainty(
    value: object, written: str
) -> None:
    assert plain(words.percent(value)) == written  # type: ignore[arg-type] # None and numbers alike


def test_exactly_at_the_limit_is_written_like_the_limit() -> None:
    assert plain(words.percent(Fraction(1, 5), limit=Fraction(1, 5))) == "20 %"


@pytest.mark.parametrize(
    ("value", "written"), [(Fraction(2001, 10000), "20.01 %"), (Fraction(1999, 10000), "19.99 %")]
)
def test_decimals_are_added_until_the_side_of_the_limit_shows(value: Fraction, written: str) -> None:
    assert plain(words.percent(value, limit=Fraction(1, 5))) == written


@sized(200)
@given(st.fractions(0, 1, max_denominator=5000), fractions(Fraction(1, 60), 1, max_denominator=60))
def test_a_written_chance_lies_on_the_same_side_of_the_limit_as_the_chance(
    value: Fraction, limit: Fraction
) -> None:
    text = plain(words.percent(value, limit=limit)) or ""
    if value == limit or not text[0].isdigit():
        return
    shown = Fraction(text.removesuffix(" %")) / 100

    assert (shown > limit) == (value > limit)
    assert (shown == 1) == (value == 1)
    assert abs(shown - value) <= Fraction(1, 2000)


@pytest.mark.parametrize(
    ("kind", "limit", "written"),
    [
        ("identity", Fraction(1, 5), "1 in 5"),
        ("identity", Fraction(2, 5), "40 %, a crowd of 3"),
        ("attribute", Fraction(1, 2), "50 %"),
        ("attribute", Fraction(1, 8), "12.5 %"),
        ("attribute", Fraction(2, 3), "2/3"),
        ("attribute", 1 / 3, "1/3"),
        ("attribute", 0.123456789, "12.35 %"),
        ("average", Fraction(1, 5), "20 % on average"),
    ],
)
def test_a_limit_is_written_as_it_was_meant(kind: str, limit: words.Number, written: str) -> None:
    assert plain(words.limit_in_words(kind, limit)) == written


def test_a_chance_of_one_in_n_has_its_crowd_beside_it() -> None:
    assert plain(words.with_one_in(Fraction(1, 9))) == "11.1 % (1 in 9)"
    assert plain(words.with_one_in(Fraction(2, 9))) == "22.2 %"
    assert plain(words.with_one_in(Fraction(1, 9835))) == "1 in 9,835"


def test_counts_have_commas_and_their_noun() -> None:
    assert words.counted(2211, "transactions") == "2,211 transactions"
    assert words.counted(1, "entries") == "1 entry"
    assert words.counted(0, "items") == "0 items"
    assert words.counted(1, "more secret entries") == "1 more secret entry"


def test_exact_numbers_are_read_from_the_fraction_beside_them() -> None:
    assert words.number({"worst": 0.3333, "worst_exact": "1/3"}, "worst") == Fraction(1, 3)
    assert words.number({"worst": "inf"}, "worst") == float("inf")
    assert words.number({"worst": None, "worst_exact": None}, "worst") is None


def test_small_words() -> None:
    assert words.joined(["a"]) == "a"
    assert words.joined(["a", "b", "c"]) == "a, b and c"
    assert words.spelled(2) == "two"
    assert words.spelled(13) == "13"
    assert words.ordinal(3) == "a third"
    assert words.ordinal(12) == "number 12"
    assert words.all_of(2, "attackers") == "both attackers"
    assert words.day("2026-11-15") == "15 November 2026"
    assert words.day("yesterday") == "yesterday"


def test_a_text_that_may_begin_with_a_label_keeps_its_first_letter() -> None:
    assert words.ended("liquor is common") == "liquor is common."
    assert words.sentence("none is left") == "None is left."
