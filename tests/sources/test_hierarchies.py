"""Hierarchies and weights from files, and what is wrong with a line of them."""

import math
from fractions import Fraction
from pathlib import Path

import pytest
from tests.oracles.shared import SHARED

import giveaway as ga
from giveaway.sources.side_files.hierarchies import read_hierarchy
from giveaway.sources.side_files.weights import read_weights

AGES = "23;20-29;young;*\n28;20-29;young;*\n61;60-69;old;*\n"


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_a_hierarchy_is_read_whatever_separates_its_labels(tmp_path: Path, separator: str) -> None:
    (tmp_path / "age.csv").write_text(AGES.replace(";", separator))

    ages = read_hierarchy(tmp_path / "age.csv")

    assert ages.depth == 2
    assert (ages.label("28", 1), ages.label("61", 2)) == ("20-29", "old")


def test_labels_may_stay_the_same_and_blanks_around_them_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text('f ; f;*\n"m;w"; "m;w";*\n')

    assert read_hierarchy(tmp_path / "sex.csv").of == {"f": ("f",), "m;w": ("m;w",)}


def test_labels_that_say_nothing_are_hiding(tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("f;*\nm;*\n")

    assert read_hierarchy(tmp_path / "sex.csv").depth == 0


@pytest.mark.parametrize(("column", "groups"), [("age", [20, 10, 5]), ("education", [5, 3]), ("sex", [])])
def test_the_hierarchies_of_arx_are_read(column: str, groups: list[int]) -> None:
    path = SHARED / "adult" / "arx" / f"adult_hierarchy_{column}.csv"
    if not path.exists():
        pytest.skip("the hierarchies of ARX are not at hand")

    found = read_hierarchy(path)

    assert [len(found.groups(level + 1)) for level in range(found.depth)] == groups


WRONG_LINES = {
    "23;20-29;*\n28;20-29\n": 'Line 2 of "age.csv": It has 1 coarser labels, unlike the first line, which has 2.',
    "23;20-29\n23;20-29\n": 'Line 2 of "age.csv": The value "23" appears twice.',
    "23;20-29\n28;\n": 'Line 2 of "age.csv": It has an empty label.',
    "23;a;x\n28;a;y\n": '"age.csv": The label "a" of level 1 of a hierarchy belongs to two labels of level 2.',
    "23;23\n28;23\n": '"age.csv": The label "23" of level 1 of a hierarchy stands for other values at a finer level.',
    "1;*;*\n2;x;*\n3;y;z\n": '"age.csv": The label "*" of level 2 of a hierarchy stands for other values at a finer level.',
    "23\n28\n": '"age.csv" has no coarser labels.',
    "": '"age.csv" is empty',
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG_LINES)
def test_a_wrong_line_of_a_hierarchy_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "age.csv").write_text(text)

    with pytest.raises(ga.DataError) as caught:
        read_hierarchy(tmp_path / "age.csv")

    assert WRONG_LINES[text] in str(caught.value)
    assert len(caught.value.mistakes) == 1


# Weights --------------------------------------------------------------------------------------------------------

ROWS = [{"id": "a", "age": "1", "hiv": "no"}, {"id": "b", "age": "2", "hiv": "yes"}]


@pytest.fixture
def table() -> ga.Table:
    return ga.Table.from_rows(ROWS, id="id")


def test_weights_of_records_and_columns_multiply(tmp_path: Path, table: ga.Table) -> None:
    (tmp_path / "w.csv").write_text("id,weight\na,1/3\nb,inf\n")

    found = read_weights(table, columns={"age": 3, "hiv": 0}, records=tmp_path / "w.csv")

    assert found.records == {"a": Fraction(1, 3), "b": math.inf}
    assert found.weight("a", "age") == 1
    assert found.weight("b", "hiv") == 0


def test_weights_of_entries_may_be_left_empty(tmp_path: Path, table: ga.Table) -> None:
    (tmp_path / "w.csv").write_text("row;hiv;age\n1;;2\n2;inf;0.5\n")
    (tmp_path / "p.csv").write_text("id,first,second,weight\nb,hiv,age,4\n")

    found = read_weights(table, cells=tmp_path / "w.csv", pairs=tmp_path / "p.csv", form="multiplicative")

    assert found.cells == {"a": {"age": 2}, "b": {"hiv": math.inf, "age": Fraction(1, 2)}}
    assert found.pairs == {"b": {("age", "hiv"): 4}}
    assert found.form == "multiplicative"


def test_records_without_id_are_named_by_their_rows(tmp_path: Path) -> None:
    table = ga.Table.from_rows([{"age": "1"}, {"age": "2"}])
    (tmp_path / "w.csv").write_text("row,weight\n2,7\n")

    assert read_weights(table, records=tmp_path / "w.csv").records == {2: 7}


def test_ids_that_are_numbers_are_found(tmp_path: Path) -> None:
    table = ga.Table.from_rows([{"id": 7, "age": "1"}], id="id")
    (tmp_path / "w.csv").write_text("id,weight\n7,2\n")

    assert read_weights(table, records=tmp_path / "w.csv").records == {7: 2}


WRONG_WEIGHTS = {
    "unknown record": ("records", "id,weight\nz,1\n", "Line 2 of \"w.csv\": No record has the id 'z'"),
    "unknown row": ("records", "row,weight\n3,1\n", 'There is no row "3". It has: rows 1 to 2.'),
    "negative": ("records", "id,weight\na,-1\n", 'Line 2 of "w.csv": The weight of record a is -1, below 0'),
    "no number": ("records", "id,weight\na,much\n", "not a finite number"),
    "no weight": ("records", "id,weight\na,\n", "not a finite number"),
    "repeated": ("records", "id,weight\na,1\nb,1\na,2\n", 'Line 4 of "w.csv": The record a appears twice'),
    "no lines": ("records", "id,weight\n", "gives no weight"),
    "no header": ("records", "a,1\n", "does not name the columns needed"),
    "unknown column": ("cells", "id,age,pay\na,1,2\n", 'There is no column "pay"'),
    "negative entry": ("cells", "id,age\na,-2\n", "The weight of age is -2, below 0"),
    "repeated record": ("cells", "id,age\na,1\na,1\n", "The record a appears twice"),
    "unknown first": ("pairs", "id,first,second,weight\na,pay,age,1\n", 'There is no column "pay"'),
    "twice the same": ("pairs", "id,first,second,weight\na,age,age,1\n", "It names age twice"),
    "pair twice": ("pairs", "id,first,second,weight\na,age,hiv,1\na,hiv,age,1\n", "pair age and hiv of this record appears twice"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG_WEIGHTS)
def test_wrong_weights_are_refused_with_one_error(tmp_path: Path, table: ga.Table, wrong: str) -> None:
    field, text, said = WRONG_WEIGHTS[wrong]
    (tmp_path / "w.csv").write_text(text)

    with pytest.raises(ga.WrongQuestion) as caught:
        read_weights(table, **{field: tmp_path / "w.csv"})  # type: ignore[arg-type] # given by name

    assert len(caught.value.mistakes) == 1
    assert said in str(caught.value)


def test_a_weight_for_an_unknown_column_is_refused(table: ga.Table) -> None:
    with pytest.raises(ga.ScenarioError, match=r'There is no column "hvi"\..*did you mean "hiv"'):
        read_weights(table, columns={"hvi": 1})
