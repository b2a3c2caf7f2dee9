"""Tables whose columns are separated by blanks, and first columns without a name."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import sized

import giveaway as ga
from giveaway.errors import DataError
from giveaway.sources.files.stored import TextPass, stored
from giveaway.sources.formats.delimited.text import delimited, records, rewrite

WORD = st.text("abc01.-", min_size=1, max_size=4)
GAP = st.text(" ", min_size=1, max_size=4)


@st.composite
def between_blanks(draw: st.DrawFn) -> tuple[str, list[list[str]]]:
    """Draw a table and a text of it, with any number of blanks between and around words."""
    width = draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(WORD, min_size=width, max_size=width), min_size=1, max_size=6))
    names = [f"n{place}" for place in range(width)]
    around = st.just("") | GAP
    lines = [
        draw(around) + "".join(word + draw(GAP) for word in row[:-1]) + row[-1] + draw(around)
        for row in [names, *rows]
    ]
    return draw(st.sampled_from(["\n", "\r\n"])).join([*lines, ""]), rows


@given(between_blanks())
def test_any_number_of_blanks_is_one_separator(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[str, list[list[str]]]
) -> None:
    """Words are cut before the engine reads them: what is not plain is written again for it."""
    text, rows = drawn
    path = tmp_path_factory.mktemp("blanks") / "a.txt"
    path.write_bytes(text.encode())

    for separator in (" ", None):
        given = TextPass(stored(path))
        data = delimited(given, separator, header=True)
        assert data.separator == " "
        assert data.columns == tuple(f"n{place}" for place in range(len(rows[0])))
        assert [fields for _, fields in records(data.file, " ", given.start())][1:] == rows
        rewrite(data, given, path.with_suffix(".csv"))
        with path.with_suffix(".csv").open(newline="") as file:
            assert [*csv.reader(file)][1:] == rows


@sized(12)
@given(between_blanks())
def test_a_table_with_any_number_of_blanks_is_read(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[str, list[list[str]]]
) -> None:
    text, rows = drawn
    path = tmp_path_factory.mktemp("blanks") / "a.txt"
    path.write_bytes(text.encode())

    table = ga.read_table(path, missing=[])

    found = [
        [str(table.labels[name][table.columns[name][record]]) for name in table.columns]
        for record in table.record_of.tolist()
    ]
    assert found == rows


def test_a_quoted_entry_may_hold_blanks_or_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text('city age  job\n"New York" 30 ""\nBath  31 cook\n')

    table = ga.read_table(tmp_path / "a.txt", separator=" ")

    assert dict(table.labels) == {"city": ("Bath", "New York"), "age": ("30", "31"), "job": ("cook",)}


def test_a_release_of_words_between_blanks_shows_which_entry_is_withheld(tmp_path: Path) -> None:
    """Between blanks an entry with nothing in it could not be seen."""
    rows = ["f  30 Bath"] * 5 + ["f  31 Cork"] * 5 + ["m  30 Bath"]
    (tmp_path / "a.txt").write_text("\n".join(["sex age city", *rows]))
    people = ga.read_table(tmp_path / "a.txt", separator=" ")
    known = ga.KnowsDirectory(on=["sex", "age", "city"])

    safer = ga.protect(ga.Release(people), known, ga.Tolerance(identity="1/5"))
    safer.publish(tmp_path / "out")

    with (tmp_path / "out" / "release.csv").open(newline="") as file:
        written = list(csv.reader(file))
    assert written[0] == ["sex", "age", "city"]
    assert {len(row) for row in written} == {3}
    assert sum(row.count("") for row in written) >= 1


def test_a_first_column_without_a_name_is_called_unnamed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(',sex,age\n"1",f,30\n"2",m,31\n')

    table = ga.read_table(tmp_path / "a.csv", leave_out=["unnamed"])

    assert list(table.columns) == ["sex", "age"]


@pytest.mark.parametrize("header", ["sex,,age", "sex,age,", ",,age", ",sex,unnamed"])
def test_other_columns_need_their_own_names(header: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\n1,2,3\n")

    with pytest.raises(DataError, match=r"has no name|appears twice") as error:
        ga.read_table(tmp_path / "a.csv")

    assert "header" not in str(error.value)
