"""Baskets, one transaction a line, read, looked at and written; words that something else cuts are a table."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data import arrays
from giveaway.model.data.arrays import Codes, Ints, lengths
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Layout
from giveaway.model.published import Published
from giveaway.sources.encoding.coded import Gather, Merged, transactions
from giveaway.sources.encoding.looks_like import looks_like
from giveaway.sources.encoding.order import in_order
from giveaway.sources.encoding.roles import Roles
from giveaway.sources.files.first_look import Look, look_at_columns, top
from giveaway.sources.files.read_tables import read_table_file, read_transactions_file
from giveaway.sources.files.record_values import lines_of
from giveaway.sources.files.stored import BLANKS, FromFile, StoredFile, TextPass, opened, passed_again
from giveaway.sources.formats.baskets import LINES
from giveaway.sources.formats.delimited.text import BLANK, SEPARATORS, sample
from giveaway.sources.formats.delimited.work import COLUMNS
from giveaway.sources.formats.format import FormatWork, Kind, LookFor, ReadAs, Rows

_PIECE = 1 << 18
"""Bytes that are split at once, since tokens take several times the memory of their text."""
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r"))
_NO_CONTROLS = bytes(set(range(256)) - set(_CONTROLS))
_SAMPLE = 200
_ENOUGH_ROWS = 10
_MOSTLY = Fraction(1, 2)
_NUMBER = re.compile(r"[-+]?[0-9]+([.,][0-9]+)?")
_DECIMAL = re.compile(r"[-+]?[0-9]+[.,][0-9]+")
_SURE_CUTS = tuple(cut for cut in SEPARATORS if cut != "\t")

Lines = Sequence[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class BasketFile(FromFile):
    """A basket file that was read; its release is written from it again, in UTF-8 and with single blanks.

    Blanks become single ones because their number could distinguish rows.
    """

    words: tuple[str, ...]
    """All items of the file, by which they are known before it is read again."""

    @property
    def layout(self) -> Layout:
        """How the release stands in its file."""
        return replace(LINES, compressed=self.file.compressed)

    def write(self, folder: Path, published: Published) -> Path:
        """Write the data without the withheld items as `release.dat` in `folder`."""
        target = folder / ("release.dat.gz" if self.file.compressed else "release.dat")
        with opened(target) as out, passed_again(self.file, self.sha256) as text:
            for part in self._written(text, published, folder):
                out.write(part)
        return target

    def _written(self, text: TextPass, published: Published, folder: Path) -> Iterator[bytes]:
        """Give the lines of a release in parts."""
        lines = _sorted(text, published, self.words) if published.sorts_items else _spelled(text, published)
        return lines if published.order is None else in_order(lines, published.order, folder)


def _spelled(text: TextPass, published: Published) -> Iterator[bytes]:
    """Give the lines without what is withheld, the items of each in their order."""
    vocabulary = _Vocabulary()
    kept = np.zeros(0, np.bool_)
    for lines in _lines(text):
        for offsets, codes in vocabulary.tokenize(lines):
            if len(kept) < vocabulary.size:
                kept = np.array([word not in published.without for word in vocabulary.words()], np.bool_)
            yield vocabulary.spell(offsets, codes, kept)


def _sorted(text: TextPass, published: Published, words: Sequence[str]) -> Iterator[bytes]:
    """Give the lines with what is published of each, in an order of their own: that in which the words are numbered."""
    names = {word: name for word in words if (name := published.name(word)) is not None}
    shown = sorted(names, key=lambda word: published.key(names[word]))
    vocabulary, spelling = _Vocabulary(), _Vocabulary()
    vocabulary.number(shown)
    spelled = {name: number for number, name in enumerate(dict.fromkeys(names[word] for word in shown))}
    spelling.number(list(map(str, spelled)))
    number = np.array([spelled[names[word]] for word in shown], np.int32)
    everything = np.ones(len(spelled), np.bool_)
    for lines in _lines(text):
        for offsets, codes in vocabulary.tokenize(lines):
            dropped = np.arange(vocabulary.size) >= len(shown)
            starts, left = arrays.drop(offsets, codes, dropped)
            yield spelling.spell(*arrays.ascending(starts, number[left]), everything)


def _counted(text: TextPass) -> tuple[list[str], Merged]:
    """Return the items of a basket file in the order of their occurrence, and its distinct rows."""
    vocabulary = _Vocabulary()
    gather = Gather()
    for lines in _lines(text):
        for offsets, codes in vocabulary.tokenize(lines):
            gather.add(offsets, codes)
    return vocabulary.words(), gather.merged()


def _lines(text: TextPass) -> Iterator[bytes]:
    """Give chunks of complete lines that end in a newline each."""
    file = text.file
    waiting: list[bytes] = []
    cut = False
    done = 0
    for part in text.chunks():
        chunk = b"\r" + part if cut else part
        cut = chunk.endswith(b"\r")
        chunk = chunk[:-1] if cut else chunk
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        _no_controls(file, chunk, done)
        done += chunk.count(b"\n")
        end = chunk.rfind(b"\n") + 1
        if end:
            yield b"".join([*waiting, chunk[:end]])
            waiting = [chunk[end:]]
        else:
            waiting.append(chunk)
            file.check_length(sum(map(len, waiting)))
    last = b"".join(waiting)
    if last or cut:
        yield last + b"\n"


def _no_controls(file: StoredFile, chunk: bytes, before: int) -> None:
    controls = chunk.translate(None, _NO_CONTROLS)
    if controls:
        raise file.binary(before + 1 + chunk.count(b"\n", 0, chunk.find(controls[:1])))


class _Vocabulary:
    """The tokens of a text, numbered as they appear, and spelled again."""

    def __init__(self) -> None:
        self._numbers: defaultdict[bytes, int] = defaultdict(count().__next__)

    @property
    def size(self) -> int:
        """How many tokens are known."""
        return len(self._numbers)

    def tokenize(self, lines: bytes) -> Iterator[tuple[Ints, Codes]]:
        """Number the tokens of complete lines; each line keeps the order of its tokens, repeated ones once."""
        sizes, codes = [np.zeros(1, np.int64)], list[Codes]()
        start = 0
        while start < len(lines):
            end = lines.find(b"\n", start + _PIECE) + 1 or len(lines)
            rows = [dict.fromkeys(line.split()) for line in lines[start : end - 1].split(b"\n")]
            sizes.append(np.fromiter(map(len, rows), np.int64, len(rows)))
            tokens = chain.from_iterable(rows)
            codes.append(np.fromiter(map(self._numbers.__getitem__, tokens), np.int32, int(sizes[-1].sum())))
            start = end
        yield np.cumsum(np.concatenate(sizes)), np.concatenate(codes)

    def number(self, words: Sequence[str]) -> None:
        """Number words before any line is seen, in the order in which they are given."""
        for word in words:
            _ = self._numbers[word.encode()]

    def words(self) -> list[str]:
        """Return the tokens as text, by number."""
        return [word.decode() for word in self._numbers]

    def spell(self, offsets: Ints, codes: Codes, kept: NDArray[np.bool_]) -> bytes:
        """Write lines of tokens again, separated by single blanks, without those not kept."""
        spelling = np.array([*(word + b" " for word in self._numbers), b"\n"], object)
        offsets, codes = arrays.drop(offsets, codes, ~kept)
        codes = np.insert(codes, offsets[1:], self.size)
        return b"".join(spelling[codes].tolist()).replace(b" \n", b"\n")


def _transactions(file: StoredFile, roles: Roles, stated: ReadAs) -> Transactions:
    if stated.columns:
        return read_transactions_file(file, roles, stated)
    if roles.leave_out or roles.publish_unjudged or roles.rest:
        raise ScenarioError(
            f'"{file.name}" has no columns to leave out or to publish.',
            hint="every word of it is an item.",
        )
    text = TextPass(file)
    words, merged = _counted(text)
    return transactions(merged, words, roles, BasketFile(file=file, sha256=text.sha256, words=tuple(words)))


def _look(file: StoredFile, asked: LookFor) -> Look:
    if asked.separator is not None:
        return look_at_columns(file, asked)
    seems = None if asked.kind == "transactions" else _tabular(file)
    if seems is not None:
        as_table = replace(asked, kind="table", separator=seems.separator, header=seems.header)
        return replace(look_at_columns(file, as_table), because=seems.because)
    return look_at_columns(file, asked) if asked.kind == "table" else _look_at_baskets(file)


def _look_at_baskets(file: StoredFile) -> Look:
    words, (offsets, codes, weights, _) = _counted(TextPass(file))
    size = lengths(offsets)
    supports = np.bincount(codes, weights=np.repeat(weights, size), minlength=len(words))
    return Look(
        name=file.name,
        shape="baskets",
        encoding=file.encoding,
        rows=int(weights.sum()),
        items=len(words),
        frequent=top({word: int(count) for word, count in zip(words, supports.tolist(), strict=True)}),
        longest=int(size.max(initial=0)),
    )


def _kind(file: StoredFile) -> Kind:
    seems = _tabular(file)
    if seems is not None:
        raise DataError(
            f'It cannot be guessed whether "{file.name}" holds baskets or a table: {seems.because}.',
            hint='say kind = "table", or kind = "transactions" if each line is a basket of items; '
            "without a scenario file --set release.kind=table.",
        )
    return "transactions"


@dataclass(frozen=True, kw_only=True)
class _Tabular:
    """Why the words of a file seem to be the entries of a table, and how it is read as one."""

    separator: str
    header: bool
    because: str


def _tabular(file: StoredFile) -> _Tabular | None:
    """Tell whether a file of words seems to be a table: as many words in each line, and more that baskets have not."""
    text = TextPass(file)
    for separator in (*SEPARATORS, BLANK):
        rows = sample(text, separator, _SAMPLE)
        width = len(rows[0]) if rows else 0
        if width > 1 and len(rows) > 1 and all(len(row) == width for row in rows):
            header = _is_header(rows)
            because = _because(rows, separator, header=header)
            if because is not None:
                return _Tabular(separator=separator, header=header, because=because)
    return None


def _because(rows: Lines, separator: str, *, header: bool) -> str | None:
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


def _is_header(rows: Lines) -> bool:
    """Tell whether the first row names columns: different words without a number, none of which occurs again."""
    first = list(rows[0])
    later = {word for row in rows[1:] for word in row}
    named = len(set(first)) == len(first) and not any(map(_NUMBER.fullmatch, first))
    return named and all(first[1:]) and later.isdisjoint(filter(None, first))


def _columns(rows: Lines) -> list[tuple[str, ...]]:
    return list(zip(*rows, strict=True))


def _measured(column: Sequence[str]) -> bool:
    """Tell whether a column holds numbers or dates and nothing else."""
    return _all(_NUMBER, column) or looks_like(column) == "dates"


def _all(pattern: re.Pattern[str], column: Sequence[str]) -> bool:
    return all(map(pattern.fullmatch, column))


def _rows(file: Path, layout: Layout) -> tuple[list[str], Rows]:
    del layout
    return [], (([word.decode() for word in line.split()],) for line in lines_of(file))


def _write_lists(target: Path, lists: Iterable[list[str]]) -> None:
    with opened(target) as out:
        out.writelines(" ".join(map(_word, items)).encode() + b"\n" for items in lists)


def _word(item: str) -> str:
    if not item or len(item.split()) != 1 or item.strip(BLANKS) != item:
        raise ScenarioError(
            f"The item {item!r} has a blank in it, which separates items in a dat file.",
            hint="write another format.",
        )
    return item


WORK = FormatWork(
    transactions=_transactions,
    table=read_table_file,
    look=_look,
    kind=_kind,
    columns=COLUMNS,
    rows=_rows,
    write_lists=_write_lists,
)
