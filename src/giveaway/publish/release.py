"""What is drawn for a release, how it is written with it, and what every reader can count of it."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giveaway.errors import NotWritten, ScenarioError
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.origin import Origin
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.published import Coarser, Published
from giveaway.model.release.lot import Lot, lots
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld
from giveaway.publish.rows import RowNumbers, rows_of

Renaming = Mapping[Label, str]

_RULES = "giveaway.sources.side_files.rule_lists"
"""What writes rules; publishing knows no reader, and imports it by name."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """What was drawn for one release from the operating system's entropy; only its owner can undo it."""

    codes: Renaming | None = None
    """The code of each published item; None when labels are published."""
    order: Ints | None = None
    """The number, from 0, of the original row at each place of the release; None when there is no new order."""
    of: str | None = None
    """The hash of the data and of what is withheld of them; None where the data have none."""
    data: str | None = None
    """The hash of the data alone."""
    withheld: Withheld = field(default_factory=Withheld)
    """What is withheld: whose entries they are may have been drawn."""
    scenario: Mapping[str, Any] | None = None
    """The scenario file that was asked about, where one was; it is told to its owner alone."""
    ids: Sequence[Label] | None = None
    """The identifier of each row of the original; None where rows have none."""
    marks: RowNumbers = field(default_factory=RowNumbers)
    """By which the same rows are known again in other data."""
    lot: Lot | None = None
    """What decided what is withheld, where that was drawn."""


def draw(release: Release) -> Drawn:
    """Draw the codes and the order of a release, anew with each call."""
    has_rows = isinstance(release.original, Transactions | Table) and release.rules is None
    return Drawn(
        codes=_codes(release),
        order=draw_order(release),
        of=hash_of_release(release),
        data=hash_of_data(release),
        withheld=release.withheld,
        ids=release.original.ids
        if isinstance(release.original, Table) and has_rows and release.original.id
        else None,
        marks=rows_of(release.original),
        lot=release.lot,
    )


def draw_order(release: Release) -> Ints | None:
    """Draw the order of the rows of a release; None where they are not shuffled."""
    has_rows = isinstance(release.original, Transactions | Table) and release.rules is None
    if not has_rows or release.order != "shuffled":
        return None
    keys = np.frombuffer(lots("order").randbytes(8 * len(release.original)), np.uint64)
    return np.argsort(keys, kind="stable").astype(np.int64)


def hash_of_data(release: Release) -> str | None:
    """Return a hash that only the same rows in the same order have, of the same people; None where nobody can tell.

    Rows that an engine holds and counts are known by what it says of them.
    """
    marks, origin = rows_of(release.original), release.original.origin
    if marks.rows is not None:
        return hashlib.sha256(
            marks.rows.tobytes() + (b"" if marks.ids is None else marks.ids.tobytes())
        ).hexdigest()
    return None if origin is None else origin.sha256


def hash_of_release(release: Release) -> str | None:
    """Return a hash that only the same data have from which the same is withheld, in the same form."""
    data, origin = hash_of_data(release), release.original.origin
    if data is None:
        return None
    form = None if origin is None else (origin.sha256, origin.layout)
    digest = hashlib.sha256(repr((data, form, release.order, release.renamed)).encode())
    withheld = release.withheld
    digest.update(repr((sorted(map(str, withheld.items)), withheld.rules)).encode())
    if release.categories:
        shown = sorted((str(item), str(label)) for item, label in release.categories.items())
        digest.update(repr(shown).encode())
    if release.rules is not None:
        terms = (withheld.scores, withheld.min_support, withheld.min_confidence)
        digest.update(repr((terms, list(map(str, withheld.statements)))).encode())
    if isinstance(release.original, Table):
        digest.update(repr([(name, one.rows) for name, one in release.original.classes.items()]).encode())
    for column in release.hidden.columns:
        digest.update(repr(column).encode() + release.hidden.positions(column).tobytes())
    for column, (rows, texts) in coarser_texts(release).items():
        digest.update(repr((column, texts.tolist())).encode() + rows.tobytes())
    return digest.hexdigest()


def _codes(release: Release) -> Renaming | None:
    if not release.renamed or not isinstance(release.published, Transactions):
        return None
    labels = list(release.published.labels)
    lots("codes").shuffle(labels)
    return {label: str(number) for number, label in enumerate(labels, start=1)}


def write_release(release: Release, place: Path, drawn: Drawn | None = None) -> Path:
    """Write the release in the form of its original, or the rules that are published instead of rows.

    What is drawn for it is forgotten unless it is given. Returns the file that the release is; what else is published
    is next to it.
    """
    if release.rules is not None:
        rules: Path = import_module(_RULES).write_rules(release, place)
        return rules
    origin = release.original.origin
    if origin is None:
        raise NotWritten("These data were built by hand and have no form to be written in.")
    _refuse_empty_values(release, origin)
    drawn = drawn or draw(release)
    published = Published(
        release.withheld.items,
        renaming=_written_as(release, drawn.codes),
        order=drawn.order,
        cells=release.hidden,
        levels=coarser_texts(release),
    )
    return origin.write(place, published)


def _written_as(release: Release, codes: Renaming | None) -> Renaming | None:
    """Return what is written for each item: its code, its category or its name; None where all have their names."""
    original, categories = release.original, release.categories
    if not isinstance(original, Transactions) or not categories:
        return codes
    gone = set(release.withheld.items)
    shown = {item: categories.get(item, item) for item in original.labels if item not in gone}
    if codes is not None:
        return {item: codes[label] for item, label in shown.items()}
    return {item: str(label) for item, label in (*((one, one) for one in original.domain), *shown.items())}


def coarser_texts(release: Release) -> Coarser:
    """Return what is written into the entries that are published coarser; without a value there is nothing to write."""
    table = release.original
    coarser: dict[str, tuple[Ints, NDArray[np.object_]]] = {}
    if not isinstance(table, Table):
        return coarser
    for column in release.coarser.columns:
        rows, levels = release.coarser.of(column)
        codes, labels = table.columns[column][table.record_of[rows]], table.labels[column]
        there = codes >= 0
        pairs, which = np.unique(levels[there] * len(labels) + codes[there], return_inverse=True)
        of = release.hierarchies[column]
        texts = [str(of.label(labels[pair % len(labels)], pair // len(labels))) for pair in pairs.tolist()]
        coarser[column] = rows[there], np.array(texts, np.object_)[which]
    return coarser


def _refuse_empty_values(release: Release, origin: Origin) -> None:
    """Refuse to write hidden and missing entries where an empty field is a value of its own."""
    table = release.original
    if not isinstance(table, Table) or origin.layout.nothing is None:
        return
    for column, codes in table.columns.items():
        if "" in table.labels[column] and (column in release.hidden.columns or (codes < 0).any()):
            raise ScenarioError(
                "A hidden or missing entry is written as an empty field, "
                f"and an empty field is a value of {column}.",
                hint='add "" to missing.',
            )
