"""`ga.readings` for users of pandas, polars and tables."""

from fractions import Fraction
from typing import Any

import pandas as pd
import polars as pl
import pytest

import giveaway as ga
from giveaway.model.data.hierarchy import Hierarchy

CLINIC = {
    "age": ["30-39", "30-39", "40-49", "40-49", "40-49"],
    "sex": ["f", "f", "m", "m", None],
    "illness": ["flu", "cold", "flu", None, "cold"],
    "weight": [60, 70, 80, 90, 70],
}
FRAMES = [
    pd.DataFrame(CLINIC),
    pl.DataFrame(CLINIC),
    pl.LazyFrame(CLINIC),
    pl.DataFrame(CLINIC).to_arrow(),
    ga.Table.from_frame(pl.DataFrame(CLINIC)),
]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: type(frame).__module__.split(".")[0])
def test_every_kind_of_table_gives_the_same_readings(frame: Any) -> None:
    found = ga.readings(frame, columns=["age", "sex"], sensitive="illness")

    assert (found.rows, found.blocks, found.k, found.blank_sensitive) == (5, 3, 1, 1)
    assert (found.alpha, found.t_equal, found.t_ordered) == (1, Fraction(1, 2), None)
    assert found == ga.readings(FRAMES[0], columns=["age", "sex"], sensitive="illness")


def test_all_other_columns_are_compared_unless_some_are_named() -> None:
    assert ga.readings(FRAMES[0], sensitive="illness").blocks == 5
    assert ga.readings(FRAMES[0], columns="age").blocks == 2


def test_numbers_are_ordered_by_value_also_where_they_are_text() -> None:
    numbers = ga.readings(FRAMES[0], columns=["sex"], sensitive="weight")
    texts = ga.readings(FRAMES[0].astype({"weight": str}), columns=["sex"], sensitive="weight")

    assert numbers.t_ordered is not None
    assert numbers.as_dict() == texts.as_dict()


def test_a_hierarchy_is_one_of_labels_or_a_mapping() -> None:
    lines = {"flu": ("virus", "*"), "cold": ("virus", "*")}
    found = ga.readings(FRAMES[0], columns=["age"], sensitive="illness", hierarchy=lines)

    assert found == ga.readings(FRAMES[0], columns=["age"], sensitive="illness", hierarchy=Hierarchy(lines))
    assert found.t_hierarchical == 0  # both are viruses in every block


def test_the_height_of_a_hierarchy_does_not_depend_on_the_values_that_occur() -> None:
    lines = {"flu": ("airborne",), "cold": ("airborne",), "tetanus": ("wound",)}
    found = ga.readings(
        pd.DataFrame({"age": [30, 40], "illness": ["flu", "cold"]}),
        columns=["age"],
        sensitive="illness",
        hierarchy=lines,
    )

    assert found.t_hierarchical == Fraction(1, 4)  # half of it moves, and halfway up


def test_the_names_are_attributes_keys_and_lines() -> None:
    found = ga.readings(FRAMES[0], columns=["age"], sensitive="illness", people=FRAMES[1], limit="1/2")
    names = list(found.as_dict())

    assert {"k", "k_map", "marketer", "l_distinct", "t_equal"} <= set(names)
    assert set(names) <= set(dir(found))
    assert [getattr(found, name) for name in names] == list(found.as_dict().values())
    lines = repr(found).splitlines()
    assert [line.rstrip().rsplit("  ", 1)[0].strip().replace(" ", "_") for line in lines] == names
    assert len({len(line) for line in lines}) == 1
    with pytest.raises(AttributeError, match="There is no reading 'kk'"):
        _ = found.kk


def test_readings_are_frozen() -> None:
    found = ga.readings(FRAMES[0], columns=["age"])
    with pytest.raises(AttributeError):
        found.k = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"columns": ["agee"]}, 'There is no column "agee"'),
        ({"columns": []}, "columns is empty"),
        ({"columns": ["age", "illness"], "sensitive": "illness"}, "illness"),
        ({"columns": ["age"], "sensitive": "ill"}, 'There is no column "ill"'),
        ({"columns": ["age"], "hierarchy": {"a": ["b"]}}, "without a sensitive column"),
        ({"columns": ["age"], "sensitive": "illness", "hierarchy": {"flu": ["virus"]}}, "have no line"),
        ({"columns": ["age", "sex"], "people": pl.DataFrame({"age": ["30-39"]})}, 'no column "sex"'),
        ({"columns": ["age"], "limit": "much"}, "limit"),
    ],
)
@pytest.mark.parametrize("frame", [FRAMES[0], FRAMES[-1]], ids=["frame", "table"])
def test_what_cannot_be_read_is_refused(frame: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ga.ScenarioError, match=said):
        ga.readings(frame, **options)


@pytest.mark.parametrize("rows", [0, 2])
def test_nothing_to_read_is_an_error(rows: int) -> None:
    empty = pl.DataFrame(
        {"age": ["30"] * rows, "illness": [None] * rows}, schema={"age": pl.String, "illness": pl.String}
    )
    with pytest.raises(ga.DataError, match="no records" if rows == 0 else "missing"):
        ga.readings(empty, columns=["age"], sensitive="illness")


def test_people_of_one_id_count_once_in_a_block() -> None:
    people = ga.Table.from_rows(
        [
            {"who": 1, "age": "30-39"},
            {"who": 1, "age": "30-39"},
            {"who": 1, "age": "40-49"},
            {"who": 2, "age": "40-49"},
        ],
        id="who",
    )
    found = ga.readings(FRAMES[0], columns=["age"], people=people)

    assert (found.people, found.k_map, found.journalist_highest) == (2, 1, 1)
    assert found.presence_most == 2
    assert found.journalist_average == Fraction(2 * 1 * 2 + 3, 2 * 5)
