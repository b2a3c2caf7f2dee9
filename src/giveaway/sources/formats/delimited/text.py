"""Delimited text: separators, headers, and rows that are not what they should be.

Python's csv module is the judge of what a row is. Plain files are only checked here, and hashed on the way, and
read by the engine; anything unusual is first rewritten as a plain file.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.sources.files.stored import BLANKS, LONGEST_LINE, StoredFile, TextPass, decoder_of
from giveaway.sources.formats.delimited import TSV

SEPARATORS = (",", ";", "\t", "|")
BLANK = " "
"""As a separator any number of blanks is one, and blanks around a row are none."""
UNNAMED = "unnamed"
"""What a first column without a name is called: tools for statistics write row names there."""
MOST_COLUMNS = 10_000
"""The engine takes ever longer for a column more, and does not let itself be interrupted in that."""
_SAMPLE_ROWS = 50
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LONGEST = 1 << 26
_NEWLINE, _QUOTE = 10, 34


@dataclass(frozen=True)
class Delimited:
    """A delimited file, its separator, and the names of its columns."""

    file: StoredFile
    separator: str
    header: bool
    columns: tuple[str, ...]

    @property
    def may_be_plain(self) -> bool:
        """Whether the engine may be able to read it as it is: UTF-8 text with a separator of one byte."""
        utf8 = decoder_of(self.file.encoding) is None
        return utf8 and self.separator.isascii() and self.separator != BLANK


@dataclass(frozen=True)
class Plain:
    """What the engine is told of a plain file."""

    rows: int
    longest: int
    lines_in_quotes: bool


def delimited(text: TextPass, separator: str | None, *, header: bool) -> Delimited:
    """Look at the start of a file for its separator and columns."""
    file = text.file
    if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
        raise ScenarioError(
            f"separator = {separator!r} is not one character.",
            hint='common ones are ",", ";", "|" and "\\t".',
        )
    separator = separator or (file.format is TSV and TSV.separator) or _sniffed(text)
    first = next(records(file, separator, text.start()), None)
    if first is None:
        raise DataError(f'The file "{file.name}" holds no rows.', hint="check where it was exported.")
    names = tuple(name.strip(BLANKS) for name in first[1])
    names = (names[0] or UNNAMED, *names[1:])
    if not header:
        names = tuple(f"c{number}" for number in range(1, len(names) + 1))
    check_header(file, names)
    return Delimited(file, separator, header, names)


def check_header(file: StoredFile, names: Sequence[str]) -> None:
    """Refuse columns without a name, names that appear twice, and more columns than can be worked on."""
    if len(names) > MOST_COLUMNS:
        raise DataError(
            f'"{file.name}" has {len(names):,} columns, and giveaway reads at most {MOST_COLUMNS:,}.',
            hint="leave columns out before; items are also read from a long table with one row for each item, or from "
            "baskets.",
        )
    seen: set[str] = set()
    for number, name in enumerate(names, 1):
        if not name:
            raise DataError(
                f'Column {number} of "{file.name}" has no name.',
                hint="give it one; only the first column of a text file may go without.",
            )
        if name in seen:
            raise DataError(
                f'The column name "{name}" appears twice in "{file.name}".',
                hint="give each column its own name.",
            )
        seen.add(name)


def plain(data: Delimited, text: TextPass) -> Plain | None:
    """Check a file quickly, all of it; None when it must be rewritten before the engine may read it."""
    check = _Check(data)
    if not all(check.takes(chunk) for chunk in text.chunks()):
        return None
    return check.finished()


def rewrite(data: Delimited, text: TextPass, target: Path) -> Plain:
    """Write a file again as plain comma-separated UTF-8 text without blank lines, or say what is wrong with it."""
    rows, longest, lines_in_quotes = 0, 0, False
    with target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for line, fields in records(data.file, data.separator, text.chunks()):
            if len(fields) != len(data.columns):
                raise DataError(
                    f'Line {line} of "{data.file.name}" has {len(fields)} fields instead of {len(data.columns)}, '
                    "unlike other rows.",
                    hint="put quotes around values that hold the separator, or say another one, as in "
                    'separator = ";".',
                )
            writer.writerow(fields)
            rows += 1
            longest = max(longest, sum(map(len, fields)))
            lines_in_quotes = lines_in_quotes or any("\n" in field or "\r" in field for field in fields)
    return Plain(rows - data.header, 8 * longest + 2 * len(data.columns), lines_in_quotes)


def csv_text(rows: Iterable[Sequence[str]], separator: str = ",") -> str:
    """Return rows of text, quoted where needed."""
    held, out = list(rows), io.StringIO()
    returns = any("\r" in field for row in held for field in row)
    csv.writer(
        out,
        delimiter=separator,
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL,
    ).writerows(held)
    return out.getvalue()


class _Check:
    """Looks through chunks of a file for anything that is not plain."""

    def __init__(self, data: Delimited) -> None:
        self._data = data
        self._rows = self._longest = 0
        self._lines_in_quotes = False
        self._waiting = b""
        self._returns = self._newlines = self._pairs = 0

    def takes(self, chunk: bytes) -> bool:
        """Look at a chunk; false when it is not plain."""
        if not self._rows and not self._waiting and chunk[:1] in (b"\n", b"\r", b" ", b"\t"):
            return False
        self._returns += chunk.count(b"\r")
        self._newlines += chunk.count(b"\n")
        self._pairs += (self._waiting[-1:] + chunk if chunk[:1] == b"\n" else chunk).count(b"\r\n")
        return self._lines(self._waiting + chunk)

    def finished(self) -> Plain | None:
        """Return what was found at the end of the file; None when it is not plain."""
        if self._waiting and not (self._lines(self._waiting + b"\n") and not self._waiting):
            return None
        if self._returns and not self._returns == self._pairs == self._newlines:
            return None
        return Plain(self._rows - self._data.header, self._longest, self._lines_in_quotes)

    def _lines(self, coming: bytes) -> bool:
        """Count the fields of complete lines and keep the rest waiting."""
        text = np.frombuffer(coming, np.uint8)
        cuts, newline = text == ord(self._data.separator), text == _NEWLINE
        if b'"' in coming:
            outside = (np.cumsum(text == _QUOTE, dtype=np.uint8) & 1) == 0
            self._lines_in_quotes = self._lines_in_quotes or bool((newline & ~outside).any())
            cuts, newline = cuts & outside, newline & outside
        ends = np.flatnonzero(newline)
        self._waiting = coming[ends[-1] + 1 :] if len(ends) else coming
        if not len(ends):
            return len(coming) <= _LONGEST
        starts = np.concatenate([[0], ends[:-1] + 1])
        fields = np.add.reduceat(cuts[: ends[-1] + 1], starts, dtype=np.int64) + 1
        size = np.diff(ends, prepend=-1)
        self._longest = max(self._longest, int(size.max()))
        blank = (size == 1) | ((size == len("\r\n")) & (text[np.maximum(ends - 1, 0)] == ord("\r")))
        self._rows += int(len(ends) - blank.sum())
        columns = len(self._data.columns)
        if columns == 1 and blank.any():
            return False
        return bool((blank | (fields == columns)).all())


def _sniffed(text: TextPass) -> str:
    """Return the separator that cuts the first rows into most fields, all rows into as many if possible.

    Only a file of words may have its columns cut by blanks, when nothing else cuts them.
    """
    best, most = ",", (False, 1)
    for separator in SEPARATORS:
        widths = [len(fields) for fields in sample(text, separator)]
        score = (len(set(widths)) == 1, max(widths, default=1))
        if score[1] > 1 and score > most:
            best, most = separator, score
    cut_by_nothing = most == (False, 1) and text.file.format is not None and text.file.format.words
    if cut_by_nothing and len({len(fields) for fields in sample(text, BLANK)}) == 1:
        return BLANK
    return best


def sample(text: TextPass, separator: str, most: int = _SAMPLE_ROWS) -> list[list[str]]:
    """Return the first rows as far as they can be read."""
    rows: list[list[str]] = []
    try:
        for _, fields in islice(records(text.file, separator, text.start()), most):
            rows.append(fields)  # those before the mistake are kept
    except DataError:
        return rows
    return rows


def records(file: StoredFile, separator: str, text: Iterable[bytes]) -> Iterator[tuple[int, list[str]]]:
    """Give the number of its first line and the fields of each row of a text; blank lines are not rows."""
    lines = _Lines(file, text)
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    start = 1
    with _large_fields():
        while True:
            try:
                fields = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise _misquoted(file, start, error) from None
            if separator == BLANK and lines.last.rstrip("\r\n").endswith(BLANK):
                del fields[-1]  # the blanks at the end of a line
            if lines.last.strip():
                yield start, fields
            start = reader.line_num + 1


def _misquoted(file: StoredFile, line: int, error: csv.Error) -> DataError:
    if "field limit" in str(error):
        return DataError(
            f'A value that begins in line {line} of "{file.name}" has more than {LONGEST_LINE:,} characters.',
            hint="check that quotes are closed.",
        )
    if "unexpected end" in str(error):
        return DataError(
            f'A quote opened in line {line} of "{file.name}" is never closed.',
            hint='write "" for a quote inside quotes.',
        )
    return DataError(
        f'Line {line} of "{file.name}" has a quote in the wrong place.',
        hint='quotes stand around a whole value; write "" for a quote inside.',
    )


class _Lines:
    """Lines with their ends, whatever kind they are, remembering the last one given."""

    def __init__(self, file: StoredFile, text: Iterable[bytes]) -> None:
        self.last = ""
        self._lines = self._split(file, text)

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        self.last = next(self._lines)
        return self.last

    @staticmethod
    def _split(file: StoredFile, chunks: Iterable[bytes]) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8")()
        waiting: list[str] = []
        for chunk in chunks:
            text = decoder.decode(chunk)
            if waiting and "\n" not in text and "\r" not in text:
                waiting.append(text)
                file.check_length(sum(map(len, waiting)))
                continue
            held = None
            for line in _LINE.finditer("".join([*waiting, text])):
                if held is not None:
                    yield held
                held = line.group()
            waiting = [] if held is None or held.endswith("\n") else [held]
            if held is not None and not waiting:
                yield held
        yield from waiting


@contextmanager
def _large_fields() -> Iterator[None]:
    """Let the csv module accept long fields while the rows of one file are read."""
    before = csv.field_size_limit(LONGEST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)
