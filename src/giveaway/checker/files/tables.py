"""A released table compared with the original, row by row: nothing in hidden entries, coarser labels where stated."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.checker.files.classes import confirm
from giveaway.checker.files.coarser_labels import ColumnTexts, spellings
from giveaway.checker.files.reading import blocks
from giveaway.checker.files.stored import QUOTED, Value, Written, layout_of
from giveaway.checker.promise import disagree
from giveaway.errors import CheckFailed
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.layout import Layout
from giveaway.model.progress import tell
from giveaway.model.release.release import Release

Codes = NDArray[np.int32]
Ints = NDArray[np.int64]

HIDDEN = -1


@dataclass(frozen=True, kw_only=True)
class ReleasedTable:
    """The distinct rows of a released table: the codes of their values, and how often each stands in the file."""

    columns: tuple[str, ...]
    codes: Codes
    counts: Ints
    spelled: Mapping[str, ColumnTexts]
    """The columns in which some entries are coarser: their codes stand for these texts."""

    def column(self, name: str) -> Codes:
        """Return the codes of one column."""
        codes: Codes = self.codes[:, self.columns.index(name)]
        return codes


def same(file: Written, release: Release, table: Table) -> ReleasedTable:
    """Return what a release shows, once it is the original minus what is withheld."""
    confirm(table)
    columns = tuple(table.columns)
    kept = release.order == "kept" and isinstance(file, Path)
    written: Counter[bytes] = Counter()
    expected: Counter[bytes] = Counter()
    rows, spelled = 0, spellings(release, table)
    for block in _blocks(file, table, layout_of(file, table.origin), spelled):
        if rows + len(block) > len(table):
            raise disagree(f"{file.name} has more rows than the original.")
        wanted = as_shown(table, release, spelled, np.arange(rows, rows + len(block)))
        if kept:
            _compare(file, block, wanted)
        else:
            expected.update(_counted(wanted))
        written.update(_counted(block))
        rows += len(block)
        tell("checking the written files", rows, len(table))
    if rows < len(table):
        raise disagree(f"{file.name} has fewer rows than the original.")
    if not kept and written != expected:
        raise disagree(f"{file.name} is not the original minus what is withheld, in another order.")
    codes = np.frombuffer(b"".join(written), np.int32).reshape(-1, len(columns))
    counts = np.array(list(written.values()), np.int64)
    return ReleasedTable(columns=columns, codes=codes, counts=counts, spelled=spelled)


def written_rows(file: Path, release: Release, table: Table) -> Codes:
    """Return the codes of the written rows, in their order, with nothing in hidden entries."""
    blocks = list(_blocks(file, table, layout_of(file, table.origin), spellings(release, table)))
    return np.concatenate([np.empty((0, len(table.columns)), np.int32), *blocks])


def visible(
    table: Table, release: Release, column: str, rows: Ints, spelling: ColumnTexts | None = None
) -> Codes:
    """Return the codes of some ascending rows of the original in a column, with nothing in the hidden entries."""
    codes: Codes = table.columns[column][table.record_of[rows]].astype(np.int32)
    if spelling is not None:
        codes = spelling.coarsened(codes, rows, release.withheld.levels, column)
    for hidden in (release.secrets, release.withheld.cells):
        places = hidden.positions(column)
        places = places[slice(*np.searchsorted(places, (rows[0], rows[-1] + 1)))] if len(rows) else places
        codes[np.isin(rows, places, assume_unique=True)] = HIDDEN
    return codes


def as_shown(table: Table, release: Release, spelled: Mapping[str, ColumnTexts], rows: Ints) -> Codes:
    """Return the codes of some ascending rows of the original in all columns, as a release must show them."""
    shown = [visible(table, release, name, rows, spelled.get(name)) for name in table.columns]
    return np.stack(shown, axis=1) if shown else np.empty((len(rows), 0), np.int32)


def _compare(file: Written, block: Codes, wanted: Codes) -> None:
    wrong = block != wanted
    if (wrong & (wanted == HIDDEN)).any():
        raise disagree(f"{file.name} shows an entry that must be hidden or is missing.")
    if wrong.any():
        raise disagree(f"{file.name} is not the original minus what is withheld.")


def _counted(block: Codes) -> dict[bytes, int]:
    distinct, counts = np.unique(block, axis=0, return_counts=True)
    return {row.tobytes(): count for row, count in zip(distinct, counts.tolist(), strict=True)}


# Values and their codes -----------------------------------------------------------------------------------------


class _CheckedColumn(dict[Value, int]):
    """The codes of written values, found once for each; whatever has a code has one written form."""

    def __init__(self, name: str, labels: Sequence[Label], nothing: Collection[Value]) -> None:
        super().__init__()
        self._name, self._nothing = name, nothing
        self._by_label: dict[Any, int] = {label: code for code, label in enumerate(labels)}
        self._by_text = {str(label): code for code, label in enumerate(labels)}
        if len(self._by_text) < len(labels):
            raise CheckFailed(
                f"Two different values of {name} are written in the same way.",
                hint="make the values distinct as text.",
            )
        self._written: set[int] = set()

    def __missing__(self, value: Value) -> int:
        code = self._code(value)
        if code in self._written:
            what = "Missing and hidden entries have" if code == HIDDEN else "A value has"
            raise disagree(f"{what} two written forms in the column {self._name}.")
        self._written.add(code)
        self[value] = code
        return code

    def _code(self, value: Value) -> int:
        raw, text = value if isinstance(value, tuple) else (value, value)
        if text in self._by_text:
            return self._by_text[text]
        if value in self._nothing:
            return HIDDEN
        return self._by_label[raw] if raw in self._by_label else self._number(raw)

    def _number(self, raw: Any) -> int:
        """Find a number that was written in another form, such as 1.5 for the label 1.50."""
        is_number = isinstance(raw, int | float) and not isinstance(raw, bool)
        numbers = [_as_number(text) for text in self._by_text] if is_number else []
        matching = [code for code, number in enumerate(numbers) if number == raw]
        if len(matching) != 1:
            raise disagree(f"A value of the column {self._name} is not one of the original.")
        return matching[0]


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _blocks(
    file: Written, table: Table, layout: Layout, spelled: Mapping[str, ColumnTexts]
) -> Iterator[Codes]:
    """Give the codes of the judged columns, many rows at a time; there must be no others than those to be published."""
    labels = {**table.labels, **{name: spelling.labels for name, spelling in spelled.items()}}
    nothing: list[Value] = [None] if layout.nothing is None else ["", (QUOTED, "")]
    columns = {name: _CheckedColumn(name, labels[name], nothing) for name in table.columns}
    names = {*table.columns, *layout.others}
    # Columns without names are numbered, and some of them may not be published.
    numbered = None if layout.header else sorted(names, key=lambda name: int(name.removeprefix("c")))
    for part in blocks(file, layout, numbered):
        if names != set(part):
            raise disagree(f"{file.name} does not have the columns that are to be published.")
        rows = len(next(iter(part.values())))
        block = np.full((rows, len(columns)), HIDDEN, np.int32)
        for place, (name, column) in enumerate(columns.items()):
            block[:, place] = [column[value] for value in part[name]]
        yield block
