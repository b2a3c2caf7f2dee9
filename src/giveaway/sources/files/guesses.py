"""Files of words that may be tables, and text that may not be UTF-8: guesses before a file is read."""

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from giveaway.sources.encoding.looks_like import looks_like
from giveaway.sources.files.stored import StoredFile, TextPass
from giveaway.sources.formats.delimited.text import BLANK, SEPARATORS, sample

_ROWS = 200
_ENOUGH_ROWS = 10
_MOSTLY = Fraction(1, 2)
_NUMBER = re.compile(r"[-+]?[0-9]+([.,][0-9]+)?")
_DECIMAL = re.compile(r"[-+]?[0-9]+[.,][0-9]+")
_SURE_CUTS = tuple(cut for cut in SEPARATORS if cut != "\t")
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Tabular:
    """Why the words of a file seem to be the entries of a table, and how it is read as one."""

    separator: str
    header: bool
    because: str


def tabular(file: StoredFile) -> Tabular | None:
    """Tell whether a file of words seems to be a table: as many words in each line, and more that baskets have not."""
    text = TextPass(file)
    for separator in (*SEPARATORS, BLANK):
        rows = sample(text, separator, _ROWS)
        width = len(rows[0]) if rows else 0
        if width > 1 and len(rows) > 1 and all(len(row) == width for row in rows):
            header = _is_header(rows)
            because = _because(rows, separator, header=header)
            if because is not None:
                return Tabular(separator=separator, header=header, because=because)
    return None


def _because(rows: Rows, separator: str, *, header: bool) -> str | None:
    """Say what baskets have not; None when nothing is found."""
    if header and (separator in _SURE_CUTS or any(map(_measured, _columns(rows[1:])))):
        return "its first line looks like a header"
    if separator in _SURE_CUTS:
        return f'"{separator}" cuts every line into {len(rows[0])} parts'
    decimal = [number for number, column in enumerate(_columns(rows), 1) if _all(_DECIMAL, column)]
    if len(rows) >= _ENOUGH_ROWS and decimal:
        return f"word {decimal[0]} of every line is a decimal number"
    counts = Counter(word for row in rows for word in row)
    once = sum(count == 1 for count in counts.values())
    if len(rows) >= _ENOUGH_ROWS and once > _MOSTLY * counts.total():
        return f"every line has {len(rows[0])} words, and most words occur once"
    return None


def _is_header(rows: Rows) -> bool:
    """Tell whether the first row names columns: different words without a number, none of which occurs again."""
    first = list(rows[0])
    later = {word for row in rows[1:] for word in row}
    named = len(set(first)) == len(first) and not any(map(_NUMBER.fullmatch, first))
    return named and all(first[1:]) and later.isdisjoint(filter(None, first))


def _columns(rows: Rows) -> list[tuple[str, ...]]:
    return list(zip(*rows, strict=True))


def _measured(column: Sequence[str]) -> bool:
    """Tell whether a column holds numbers or dates and nothing else."""
    return _all(_NUMBER, column) or looks_like(column) == "dates"


def _all(pattern: re.Pattern[str], column: Sequence[str]) -> bool:
    return all(map(pattern.fullmatch, column))


def guessed_encoding(file: StoredFile) -> str:
    """Return the encoding in which a text can be read: UTF-8 if possible, else the likeliest of others."""
    start = next(file.chunks(), b"")
    if start.startswith(_MARKS):
        return "utf-16"
    others = ("utf-8", "cp1252")
    return next((encoding for encoding in others if _readable(file, encoding)), "latin-1")


def _readable(file: StoredFile, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for chunk in file.chunks():
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
