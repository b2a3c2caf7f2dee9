"""Files that name secrets and marks."""

from pathlib import Path

import pytest

from giveaway.errors import DataError
from giveaway.model.data.table import Table
from giveaway.model.release.cells import Cells
from giveaway.sources import read_entries

ROWS = [{"who": f"p{number}", "age": "30", "ill": "yes", "pay": "low"} for number in range(1, 4)]
BY_ID = Table.from_rows(ROWS, sensitive="ill", id="who")
BY_ROW = Table.from_rows([{"age": row["age"], "ill": row["ill"]} for row in ROWS], sensitive="ill")
TWO = Table.from_rows(ROWS, sensitive=["ill", "pay"], id="who")


def entries(folder: Path, text: str, table: Table, *, secrets: bool = True) -> Cells:
    (folder / "list.csv").write_text(text)
    return read_entries(folder / "list.csv", table, secrets=secrets)


def test_secrets_are_named_by_id_or_row(tmp_path: Path) -> None:
    assert entries(tmp_path, "who\np1\np3\np3\n", BY_ID) == Cells([(1, "ill"), (3, "ill")])
    assert entries(tmp_path, "row,why\n2,asked\n", BY_ID) == Cells([(2, "ill")])
    assert entries(tmp_path, "row\n1\n\n3\n", BY_ROW) == Cells([(1, "ill"), (3, "ill")])


def test_the_column_is_named_where_there_are_several(tmp_path: Path) -> None:
    assert entries(tmp_path, "who;column\np1;pay\np1;ill\n", TWO) == Cells([(1, "pay"), (1, "ill")])
    with pytest.raises(DataError, match="does not name the columns needed"):
        entries(tmp_path, "who\np1\n", TWO)


def test_marks_name_any_column(tmp_path: Path) -> None:
    assert entries(tmp_path, "row,column\n2,age\n", BY_ROW, secrets=False) == Cells([(2, "age")])


def test_ids_that_are_numbers_in_python_are_found_by_their_text(tmp_path: Path) -> None:
    table = Table.from_rows([{"who": 7, "ill": "yes"}, {"who": 8, "ill": "no"}], sensitive="ill", id="who")

    assert entries(tmp_path, "who\n8\n", table) == Cells([(2, "ill")])


@pytest.mark.parametrize(
    ("text", "table", "secrets", "said"),
    [
        ("who\np9\n", BY_ID, True, "Line 2.*No record has the who 'p9'"),
        ("row\n1\n4\n", BY_ROW, True, 'Line 3.*There is no row "4".*rows 1 to 3'),
        ("row\n0\n", BY_ROW, True, 'no row "0"'),
        ("row\none\n", BY_ROW, True, 'no row "one"'),
        ("row,column\n1,age\n", BY_ROW, True, 'no sensitive column "age"'),
        ("row,column\n1,zip\n", BY_ROW, False, 'no column "zip"'),
        ("row\n1\n", BY_ROW, False, "does not name the columns needed"),
        ("name\np1\n", BY_ID, True, "who .the id. or row"),
        ("row\n", BY_ROW, True, "names no entry"),
        ("", BY_ROW, True, "is empty"),
        ("row,row\n1,2\n", BY_ROW, True, "appears twice"),
    ],
)
def test_what_does_not_fit_is_refused(
    text: str, table: Table, secrets: bool, said: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=said):
        entries(tmp_path, text, table, secrets=secrets)
