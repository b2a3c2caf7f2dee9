"""Cells of released files that a spreadsheet would run as formulas: they are published as they are, and counted."""

import csv
import gzip
import re
import sys
from itertools import chain
from pathlib import Path

_DELIMITED = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_RUN = re.compile(r"[=@\t\r]|[+-](?!\Z|[.,]*[0-9][0-9.,]*([eE][+-]?[0-9]+)?\Z)")


def formulas(path: Path, separator: str = ",") -> int:
    """Count the cells of a delimited file that a spreadsheet would run; other files have none.

    These begin with = + - @, a tab or a carriage return, and are neither a number nor a sign alone.
    """
    if not path.name.lower().endswith(_DELIMITED):
        return 0
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    csv.field_size_limit(sys.maxsize)
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        cells = chain.from_iterable(csv.reader(file, delimiter=separator))
        return sum(cell[:1] in "=+-@\t\r" and _RUN.match(cell) is not None for cell in cells)
