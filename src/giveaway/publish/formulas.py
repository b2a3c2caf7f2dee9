"""Cells of released files that a spreadsheet would run as formulas: they are published as they are, and counted."""

import codecs
import gzip
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np

from giveaway.compiling import suited
from giveaway.publish import formula_kernels as kernels

_CHUNK = 1 << 22
_CUT = "\x1f"
_DELIMITED = (".csv", ".tsv", ".csv.gz", ".tsv.gz")


def formulas(path: Path, separator: str = ",") -> int:
    """Count the cells of a delimited file that a spreadsheet would run; other files have none.

    These begin with = + - @, a tab or a carriage return, and are neither a number nor a sign alone.
    """
    if not path.name.lower().endswith(_DELIMITED):
        return 0
    cut = separator if separator.isascii() else _CUT
    state = kernels.fresh()
    found: int = 0
    with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
        for piece in chain(_pieces(file, separator), (b"\n",)):
            count = suited(kernels.formulas, len(piece))
            found += count(np.frombuffer(piece, np.uint8), ord(cut), state)
    return found


def _pieces(file: BinaryIO | gzip.GzipFile, separator: str) -> Iterator[bytes]:
    """Give the bytes of a file; a separator of several bytes becomes one that nothing else is."""
    chunks = iter(lambda: file.read(_CHUNK), b"")
    if separator.isascii():
        yield from chunks
        return
    swapped = str.maketrans({separator: _CUT, _CUT: " "})
    for text in codecs.iterdecode(chunks, "utf-8"):
        yield text.translate(swapped).encode()
