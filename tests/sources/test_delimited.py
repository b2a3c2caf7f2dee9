"""Delimited text is what Python's csv module says it is, whichever way it was read."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.sizes import sized

from giveaway.errors import DataError
from giveaway.model.data.table import Table
from giveaway.sources import read_table

texts = st.text(alphabet='ab,"\n\r \t', max_size=24)


def expected(text: str) -> list[list[str]] | None:
    """Return the trimmed rows, None where the text is no table of two columns x and y."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    last = [""]

    def fed() -> Iterator[str]:
        for line in lines:
            last[0] = line
            yield f"{line}\n"

    try:
        rows = [row for row in csv.reader(fed(), strict=True, skipinitialspace=True) if last[0].strip()]
    except csv.Error:
        return None
    if not rows or any(len(row) != 2 for row in rows):
        return None
    return [[cell.strip(" \t").replace("\r\n", "\n").replace("\r", "\n") for cell in row] for row in rows]


def found(table: Table) -> list[list[str]]:
    rows = []
    for record in table.record_of.tolist():
        codes = [int(codes[record]) for codes in table.columns.values()]
        cells = [str(labels[code]) for labels, code in zip(table.labels.values(), codes, strict=True)]
        rows.append([cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells])
    return rows


@sized(40)
@given(text=texts)
def test_rows_are_those_of_the_csv_module_or_an_error(text: str) -> None:
    # The oracle refuses a blank after a closing quote, which is trimmed.
    assume(not re.search(r'(?m)"[ \t]+(,|$)', text.replace("\r", "\n")))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "a.csv"
        file.write_bytes(f"x,y\n{text}".encode())
        try:
            rows = [["x", "y"], *found(read_table(file, separator=",", missing=[]))]
        except DataError:
            rows = None

    wanted = expected(f"x,y\n{text}")
    if rows is None:
        assert wanted is None or len(wanted) == 1
    else:
        assert rows == wanted
