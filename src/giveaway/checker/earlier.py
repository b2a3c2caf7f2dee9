"""A written release joined with the files of earlier ones, read from their places: what all of them show, again a release."""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.checker.check import Opened
from giveaway.checker.files import transactions
from giveaway.checker.files.reading import rows as delimited
from giveaway.checker.files.stored import Written, layout_of, rows_of
from giveaway.checker.files.tables import HIDDEN, Shown, written_rows
from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

Ints = NDArray[np.int64]
Texts = dict[str, list[str | None]]
"""For each column the text of each row, None where it shows nothing."""

_LOOK = "@look@"
"""Between the name of a column and that of a file, in the name of a column that says whether the file shows it."""
_SEPARATORS = (",", ";", "\t", "|")


@dataclass(frozen=True, kw_only=True, eq=False)
class Joint:
    """What a release shows together with earlier ones."""

    earlier: tuple[Earlier, ...]
    opened: Opened
    proves: bool = True
    """Whether a promise is broken where it is not kept here; else nothing can be told then."""

    @property
    def names(self) -> str:
        """The earlier releases."""
        return ", ".join(one.name for one in self.earlier)


def joined(
    file: Written, release: Release, order: Ints | None, codes: Mapping[Label, str] | None
) -> Iterator[Joint]:
    """Give what a written release shows together with each earlier one, and with all, rows of one person joined.

    `order` gives the row of the original at each place of the written file. Crowds of joined rows are no larger than those
    of people who are only known to be in both. Who joined or left since must be hidden among themselves.
    """
    several = [one for one in release.earlier if one.ways]
    if not several:
        return
    if release.rules is not None or not isinstance(file, Path) or file.is_dir():
        raise unconfirmed(
            "What is learnt together with earlier releases is not checked for this kind of release."
        )
    original = release.original
    sets = [(one,) for one in several] + ([tuple(several)] if len(several) > 1 else [])
    for some in sets:
        if isinstance(original, Table):
            yield from _tables(file, release, original, order, some)
        elif isinstance(original, Transactions):
            of_rows = tuple(one for one in some if "rows" in one.ways or one.facts == "same")
            if of_rows:  # of another period, rows that nobody can join tell nothing more together
                opened = _baskets(file, release, original, order, codes, of_rows)
                yield Joint(earlier=some, opened=opened, proves=all("rows" in one.ways for one in some))


def knowing(promise: Promise, joint: Joint, *, looks: bool) -> Promise | None:
    """Return the promise against the same attacker, who also knows the earlier values of columns that change.

    With `looks`, somebody who knows the method also sees what each file shows of whom, because each was planned by what
    the people have. None where nothing that is known can be seen.
    """
    attacker = dict(promise.with_earlier or promise.attacker)
    columns = tuple(attacker.get("columns") or ())
    table = joint.opened.release.original
    if not columns or not isinstance(table, Table):
        return replace(promise, attacker=attacker)
    changed = [f"{name}@{one.name}" for one in joint.earlier for name in one.changes if name in columns]
    known = tuple(name for name in (*columns, *changed) if name in table.columns)
    if known and looks and attacker.get("knows_method"):
        known += tuple(name for name in table.columns if _LOOK in name and name.split(_LOOK)[0] in known)
    return replace(promise, attacker=attacker | {"columns": known}) if known else None


def _rows_now(one: Earlier, release: Release) -> Ints:
    rows, _ = one.row_now(release)
    if rows is None:
        raise unconfirmed(
            f"Nobody says whose rows those of {one.name} are, so that they cannot be joined again."
        )
    there = rows[rows >= 0]
    if len(np.unique(there)) < len(there):
        raise disagree(f"Two rows of {one.name} are said to be one person's.")
    return rows


# Tables ---------------------------------------------------------------------------------------------------------


def _tables(
    file: Path, release: Release, table: Table, order: Ints | None, earlier: tuple[Earlier, ...]
) -> Iterator[Joint]:
    if release.hierarchies or release.withheld.levels:
        raise unconfirmed("Coarser labels are not checked together with earlier releases.")
    size = len(table)
    places = np.arange(size) if order is None else order
    written = written_rows(file, release, table)
    if written.shape[0] != size:
        raise disagree(f"{file.name} does not have the rows of the original.")
    shown: Texts = {}
    truth: Texts = {}
    for at, name in enumerate(table.columns):
        labels = [str(label) for label in table.labels[name]]
        cells: list[str | None] = [None] * size
        for place, code in zip(places.tolist(), written[:, at].tolist(), strict=True):
            cells[place] = None if code == HIDDEN else labels[code]
        shown[name] = cells
        true = table.columns[name][table.record_of].tolist()
        truth[name] = [None if code == HIDDEN else labels[code] for code in true]
    names = list(table.columns)
    now = {name: truth[name].copy() for name in names}, {name: shown[name].copy() for name in names}
    looks: Texts = {}
    for one in earlier:
        rows, then = _rows_now(one, release), _read_table(one)
        if len(earlier) == 1:
            stayed = set(rows.tolist())
            yield from _apart(
                release, table, *now, [row for row in range(size) if row not in stayed], earlier
            )
            yield from _apart(release, table, then, then, np.flatnonzero(rows < 0).tolist(), earlier)
        for name, texts in then.items():
            here = f"{name}@{one.name}" if name in one.changes else name
            looks[f"{here}{_LOOK}{one.name}"] = _look(texts, rows, size)
            if here not in truth:
                truth[here], shown[here] = _known(one, name, rows, size), [None] * size
            _lay(one, here, texts, rows, truth[here], shown[here])
    looks |= {f"{name}{_LOOK}": _look(texts, np.arange(size), size) for name, texts in now[1].items()}
    secrets = release.secrets
    if any(
        shown[name][row] is not None for name in secrets.columns for row in secrets.positions(name).tolist()
    ):
        raise unconfirmed("An entry that is a secret now was shown before.")
    joinable = all("rows" in one.ways for one in earlier)
    opened = _opened(release, table, truth | looks, shown | looks, earlier)
    yield Joint(earlier=earlier, opened=opened, proves=joinable)


def _look(texts: Sequence[str | None], rows: Ints, size: int) -> list[str | None]:
    """Say of each row whether a file shows a column of it, or does not have it."""
    found: list[str | None] = ["absent"] * size
    for row, text in zip(rows.tolist(), texts, strict=True):
        if row >= 0:
            found[row] = "blank" if text is None else "shown"
    return found


def _apart(
    release: Release,
    table: Table,
    truth: Texts,
    shown: Texts,
    rows: Sequence[int],
    earlier: tuple[Earlier, ...],
) -> Iterator[Joint]:
    """Give the rows of those who are in one release alone, as a release of their own: they may be told from the others."""
    if not rows:
        return
    if not release.sensitivity.is_constant or release.secrets:
        raise unconfirmed(
            f"Who joined or left since {earlier[0].name} is not checked with secrets or weights."
        )

    def some(part: Texts) -> Texts:
        return {name: [texts[row] for row in rows] for name, texts in part.items()}

    alone = replace(table, id=None, ids=())
    yield Joint(
        earlier=earlier, opened=_opened(release, alone, some(truth), some(shown), earlier), proves=False
    )


def _known(one: Earlier, name: str, rows: Ints, size: int) -> list[str | None]:
    """Return the true values of a column that only an earlier release shows, as far as its data tell them."""
    found: list[str | None] = [None] * size
    original = one.original
    if isinstance(original, Table) and name in original.columns:
        labels = original.labels[name]
        codes = original.columns[name][original.record_of].tolist()
        for row, code in zip(rows.tolist(), codes, strict=True):
            if row >= 0 and code != HIDDEN:
                found[row] = str(labels[code])
    return found


def _lay(
    one: Earlier,
    name: str,
    texts: Sequence[str | None],
    rows: Ints,
    truth: list[str | None],
    shown: list[str | None],
) -> None:
    """Lay what an earlier release shows onto the rows of the same people; it must be true of them."""
    if len(texts) != len(rows):
        raise disagree(f"The file of {one.name} does not have the rows that are said to be joined.")
    for row, text in zip(rows.tolist(), texts, strict=True):
        if row < 0 or text is None:
            continue
        if truth[row] is None:
            truth[row] = text
        if truth[row] != text:
            raise disagree(
                f"{one.name} shows a value of {name} that is not true of the person it is joined with."
            )
        shown[row] = text


def _opened(release: Release, table: Table, truth: Texts, shown: Texts, earlier: Sequence[Earlier]) -> Opened:
    """Make a release of joined rows, and what they show."""
    names = tuple(truth)
    labels = {name: tuple(sorted({text for text in truth[name] if text is not None})) for name in names}
    code = {name: {text: at for at, text in enumerate(labels[name])} | {None: HIDDEN} for name in names}
    full = np.array([[code[name][text] for text in truth[name]] for name in names], np.int32).T
    seen = np.array([[code[name][text] for text in shown[name]] for name in names], np.int32).T
    distinct, record = np.unique(full, axis=0, return_inverse=True)
    record = record.reshape(-1)
    kept = [*table.sensitive]
    for one in earlier:
        kept += [f"{name}@{one.name}" for name in table.sensitive if name in one.changes]
    joined_table = Table(
        columns={name: np.ascontiguousarray(distinct[:, at]) for at, name in enumerate(names)},
        labels=labels,
        weights=np.bincount(record, minlength=len(distinct)).astype(np.int64),
        record_of=record,
        sensitive=tuple(name for name in kept if name in names),
        id=table.id,
        ids=table.ids,
    )
    hidden = {
        name: np.flatnonzero((full[:, at] != HIDDEN) & (seen[:, at] == HIDDEN))
        for at, name in enumerate(names)
    }
    made = replace(
        release,
        original=joined_table,
        withheld=Withheld(cells=Cells.at(hidden) - release.secrets),
        must_publish=Cells(),
        earlier=(),
    )
    lines, counts = np.unique(seen, axis=0, return_counts=True)
    content = Shown(columns=names, codes=lines, counts=counts.astype(np.int64), spelled={})
    return Opened(form="rows", content=content, release=made, codes=None)


def _read_table(one: Earlier) -> Texts:
    """Read the file of an earlier release by itself; of one that has none, what is known of it."""
    shown = one.shown
    assert isinstance(shown, Table)  # noqa: S101 # the release now is one
    if one.file is None:
        found = {name: codes[shown.record_of].tolist() for name, codes in shown.columns.items()}
        return {
            name: [None if code == HIDDEN else str(shown.labels[name][code]) for code in codes]
            for name, codes in found.items()
        }
    names, rows = _records(one, tuple(shown.columns))
    places = [names.index(name) for name in shown.columns]
    blank = {"", *one.missing}
    return {
        name: [None if (text := row[place].strip(" \t")) in blank else text for row in rows]
        for name, place in zip(shown.columns, places, strict=True)
    }


def _records(one: Earlier, wanted: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Read the columns and rows of a file."""
    file = one.file
    assert file is not None  # noqa: S101 # asked of files
    ending = Path(file.name.removesuffix(".gz")).suffix
    if ending == ".parquet":
        found = list(rows_of(file))
        return (found[0][0] if found else list(wanted)), [
            ["" if c is None else str(c) for c in row] for _, row in found
        ]
    if ending == ".jsonl":
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return list(wanted), [["" if line.get(n) is None else str(line[n]) for n in wanted] for line in lines]
    for separator in _SEPARATORS:
        try:
            header, *rest = list(delimited(file, separator))
        except (ValueError, csv.Error, UnicodeDecodeError):
            continue
        header = [name.strip(" \t\ufeff") for name in header]
        if set(wanted) <= set(header) and all(len(row) == len(header) for row in rest):
            return header, rest
    raise unconfirmed(f"The file of {one.name} could not be read again.")


# Transactions ---------------------------------------------------------------------------------------------------


def _baskets(
    file: Path,
    release: Release,
    original: Transactions,
    order: Ints | None,
    codes: Mapping[Label, str] | None,
    earlier: Sequence[Earlier],
) -> Opened:
    """Join transactions: items of another period are other items."""
    if codes is not None or release.categories:
        raise unconfirmed("Codes and categories are not checked together with earlier releases.")
    layout = layout_of(file, original.origin)
    size = len(original)
    places = (np.arange(size) if order is None else order).tolist()
    rows: list[set[str]] = [set() for _ in range(size)]
    for place, basket in zip(places, transactions.read(file, layout), strict=True):
        rows[place] |= basket
    private = {str(original.labels[code]) for code in original.private}
    hidden = set(private)
    for one in earlier:
        names = None if one.codes is None else {code: str(label) for label, code in one.codes.items()}
        left: list[set[str]] = []
        for now, basket in zip(_rows_now(one, release).tolist(), _read_baskets(one, layout), strict=True):
            items = basket if names is None else {names.get(item, item) for item in basket}
            called = items if one.facts == "same" else {f"{item}@{one.name}" for item in items}
            hidden |= {f"{item}@{one.name}" for item in items if item in private and one.facts == "other"}
            if now < 0:
                left.append(set(called))
            else:
                rows[now] |= called
        rows += left
    content = Counter(frozenset(row) for row in rows)
    labels = tuple(sorted({item for row in content for item in row}))
    nothing = np.zeros(0, np.int64)
    made = Transactions(
        offsets=np.zeros(1, np.int64),
        codes=nothing.astype(np.int32),
        weights=nothing,
        labels=labels,
        private=frozenset(at for at, item in enumerate(labels) if item in hidden),
    )
    return Opened(
        form="transactions", content=content, release=replace(release, original=made, earlier=()), codes=None
    )


def _read_baskets(one: Earlier, layout: Any) -> Iterator[frozenset[str]]:
    if one.file is not None:
        yield from transactions.read(one.file, layout)
        return
    shown = one.shown
    if not isinstance(shown, Transactions) or shown.record_of is None:
        raise unconfirmed(f"The rows of {one.name} are not known one by one.")
    for record in shown.record_of.tolist():
        held = shown.codes[shown.offsets[record] : shown.offsets[record + 1]].tolist()
        yield frozenset(str(shown.labels[code]) for code in held)
