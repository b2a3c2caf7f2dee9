"""JSON lines, read as transactions or as a table."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.arrays import Codes
from giveaway.model.data.labels import Label
from giveaway.model.data.origin import Others, Shape
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.sources.encoding.coded import Gather, Numbering, gathered, transactions
from giveaway.sources.encoding.counted import NO, YES, not_one_hot
from giveaway.sources.encoding.looks_like import MOST, looked_at
from giveaway.sources.encoding.roles import Roles, check_names
from giveaway.sources.files.jsonl_text import are_plain, items_of, records_of, text_of, values_of
from giveaway.sources.files.stored import StoredFile
from giveaway.sources.files.write_jsonl import (
    JsonFile,
    in_blocks,
    kinds_of,
    line_of,
    long_codes,
    missing_as_none,
)
from giveaway.sources.frames.building import long_transactions, refuse_missing, table


def read_jsonl_transactions(
    file: StoredFile, roles: Roles, *, id: str | None, item: str | None, missing: tuple[str, ...]
) -> Transactions:
    """Read a file of lists, of objects with a list, of long rows or of one-hot rows."""
    sha256 = file.sha256()
    _, first = next(values_of(file))
    bare = isinstance(first, list)
    shape: Shape = (
        "lists" if bare or (item is not None and id is None) else "long" if id is not None else "one-hot"
    )
    if bare and (item is not None or roles.leave_out or roles.publish_unjudged or roles.rest):
        raise ScenarioError(
            f'"{file.name}" holds lists without columns.', hint="leave id, item and columns out."
        )
    columns = [] if bare else _columns(file)
    if not bare:
        roles = roles.settled(columns, [id, item], rest_are_items=shape == "one-hot")
    origin = JsonFile(
        file=file,
        sha256=sha256,
        shape=shape,
        id=id,
        item=item,
        missing=missing,
        leave_out=roles.leave_out,
        others=_others(file, roles),
        columns=tuple(columns),
    )
    if id is not None and item is not None:
        whose, what, labels, kinds = long_codes(file, id, item, missing)
        origin = replace(origin, plain=_whole(item, kinds))
        return transactions(long_transactions(whose, what), labels, roles, origin)
    numbering = Numbering()
    if shape == "one-hot":
        no_items = {*roles.leave_out, *roles.publish_unjudged}
        items = [name for name in columns if name not in no_items]
        marks: dict[tuple[str, bool], Any] = {}
        merged = _gathered(_held(file, items, marks), numbering)
        return transactions(merged, list(numbering), roles, replace(origin, marks=marks), items)
    found: set[type] = set()
    merged = _gathered(_listed(file, item, missing, found), numbering)
    return transactions(merged, list(numbering), roles, replace(origin, plain=_whole(item, found)))


def _whole(item: str | None, kinds: set[type]) -> frozenset[str | None]:
    """Return the column of the items if it holds whole numbers alone, which are then written as such."""
    return frozenset([item] if kinds <= {int} else [])


def read_jsonl_table(
    file: StoredFile,
    *,
    sensitive: tuple[str, ...],
    id: str | None,
    missing: tuple[str, ...],
    roles: Roles,
) -> Table:
    """Read a table of objects; a column that an object lacks is missing there."""
    sha256 = file.sha256()
    columns = _columns(file)
    check_names([*sensitive, *roles.columns(id)], columns)
    judged = [name for name in columns if name not in (id, *roles.leave_out, *roles.publish_unjudged)]
    numberings: dict[str, Numbering] = {name: Numbering() for name in judged}
    parts: dict[str, list[Codes]] = {name: [np.zeros(0, np.int32)] for name in judged}
    kinds: dict[str, set[type]] = {name: set() for name in judged}
    ids: list[Label] = []
    for block in in_blocks(records_of(file)):
        for name in judged:
            texts = [text_of(record.get(name), missing, line_of(file, line)) for line, record in block]
            parts[name].append(numberings[name].codes(texts))
            kinds[name].update(kinds_of((record.get(name) for _, record in block), texts))
        if id is not None:
            ids.extend(text_of(record.get(id), missing, line_of(file, line)) for line, record in block)
    refuse_missing(np.array([-1 if value is None else 0 for value in ids], np.int32), id)
    coded = {name: missing_as_none(np.concatenate(parts[name]), numberings[name]) for name in judged}
    count = sum(1 for _ in values_of(file)) if not judged else len(next(iter(coded.values()))[0])
    origin = JsonFile(
        file=file,
        sha256=sha256,
        shape="table",
        id=id,
        missing=missing,
        leave_out=roles.leave_out,
        others=_others(file, roles),
        columns=tuple(columns),
        plain=frozenset(name for name in judged if are_plain(kinds[name], map(str, coded[name][1]))),
    )
    return table(coded, count, sensitive=sensitive, id=id, ids=tuple(ids), origin=origin, rest=roles.rest)


def _others(file: StoredFile, roles: Roles) -> Others:
    if not roles.publish_unjudged:
        return {}
    first = [record for _, record in islice(records_of(file), MOST)]
    return looked_at({name: [record.get(name) for record in first] for name in roles.publish_unjudged})


def _gathered(lists: Iterable[list[str]], numbering: Numbering) -> Any:
    gather = Gather()
    for block in in_blocks(lists):
        gather.add(*gathered(block, numbering))
    return gather.merged()


def _listed(
    file: StoredFile, item: str | None, missing: tuple[str, ...], kinds: set[type]
) -> Iterator[list[str]]:
    for line, value in values_of(file):
        if isinstance(value, list) != (item is None):
            raise DataError(f"{line_of(file, line)} mixes lists and objects.", hint="write all lines alike.")
        given = value if item is None else value.get(item)
        yield items_of(given, missing, line_of(file, line))
        kinds.update(type(element) for element in given or [] if text_of(element, missing, "") is not None)


def _held(file: StoredFile, columns: list[str], marks: dict[tuple[str, bool], Any]) -> Iterator[list[str]]:
    """Give the items of each row; yes and no are marked in each column as they stand there first."""
    for line, record in records_of(file):
        held = []
        for name in columns:
            value = record.get(name)
            text = text_of(value, (), line_of(file, line)) or ""
            if text in YES:
                held.append(name)
            elif text not in NO:
                raise not_one_hot(name)
            marks.setdefault((name, text in YES), text if isinstance(value, str) else value)
        yield held


def _columns(file: StoredFile) -> list[str]:
    names: dict[str, None] = {}
    for _, record in records_of(file):
        names.update(dict.fromkeys(record))
    return list(names)
