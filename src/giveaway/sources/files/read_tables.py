"""Delimited and Parquet files, read by the engine."""

from collections.abc import Sequence
from dataclasses import replace

from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.layout import Shape
from giveaway.sources.encoding import counted
from giveaway.sources.encoding.coded import transactions
from giveaway.sources.encoding.grouping import Grouping, labels_of
from giveaway.sources.encoding.looks_like import MOST, looked_at
from giveaway.sources.encoding.roles import Roles, check_names
from giveaway.sources.files.as_relation import Relation, classed, opened, value_counts
from giveaway.sources.files.columns import first_values
from giveaway.sources.files.stored import StoredFile
from giveaway.sources.files.write_tables import EngineFile
from giveaway.sources.formats.format import ReadAs
from giveaway.sources.frames.building import table


def read_transactions_file(file: StoredFile, roles: Roles, stated: ReadAs) -> Transactions:
    """Read a long, list or one-hot file, as `stated.id` and `item` say."""
    item, missing, shape = stated.item, stated.missing, stated.shape
    columns: list[Label] = []
    with opened(file, stated.separator, header=stated.header) as source:
        roles = roles.settled(source.columns, [stated.id, item], rest_are_items=shape == "one-hot")
        loaded = source.load(roles.leave_out)
        origin = _origin(loaded, shape, stated, roles)
        if stated.id is not None and item is not None:
            merged, labels = counted.long_rows(loaded, stated.id, item, missing)
        elif item is not None:
            merged, labels = counted.list_rows(loaded, item, missing)
        else:
            no_items = {*roles.publish_unjudged, *roles.leave_out}
            merged, labels = counted.one_hot_rows(loaded, [c for c in loaded.columns if c not in no_items])
            columns = labels
    return transactions(merged, labels, roles, origin, columns)


def read_table_file(file: StoredFile, roles: Roles, stated: ReadAs, groups: Grouping) -> Table:
    """Read a table; its identifier is not a column of it."""
    missing = stated.missing
    with opened(file, stated.separator, header=stated.header) as source:
        check_names([*stated.sensitive, *roles.columns(stated.id)], source.columns)
        loaded = source.load(roles.leave_out)
        origin = _origin(loaded, "table", stated, roles)
        ids: Sequence[Label] = () if stated.id is None else counted.ids(loaded, stated.id, missing)
        judged = [
            column
            for column in loaded.columns
            if column not in (stated.id, *roles.leave_out, *roles.publish_unjudged)
        ]
        groups.check(loaded.columns, judged)
        fixed = {
            column: groups.fixed(column, value_counts(loaded, column, missing), missing)
            for column in groups.classes
        }
        first = _first_rows(loaded, [*groups.classes, *roles.publish_unjudged], missing) if fixed else {}
        others = {**origin.others, **groups.undone(first, roles.publish_unjudged)}
        origin = replace(origin, classes=labels_of(fixed), others=others)
        loaded = classed(loaded, origin.classes, missing)
        records = counted.table_rows(loaded, judged, missing)
    return table(records, roles, stated, groups, ids=ids, origin=origin, classes=fixed)


def _first_rows(
    loaded: Relation, columns: Sequence[str], missing: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return what stands in the first rows of some columns."""
    cells = ", ".join(loaded.present(column, missing) for column in columns)
    rows = loaded.engine.run(f"SELECT {cells} FROM given ORDER BY n LIMIT {MOST}")  # noqa: S608 # quoted
    return dict(zip(columns, zip(*rows, strict=True), strict=True))


def _origin(loaded: Relation, shape: Shape, stated: ReadAs, roles: Roles) -> EngineFile:
    """Note how a file was read, what it held, and what becomes of columns that are not judged."""
    first = {column: first_values(loaded, column, stated.missing) for column in roles.publish_unjudged}
    return EngineFile(
        file=loaded.file,
        sha256=loaded.sha256,
        how=loaded.how,
        contents=loaded.contents(),
        shape=shape,
        stated=replace(stated, separator="," if loaded.how is None else loaded.how.data.separator),
        leave_out=roles.leave_out,
        others=looked_at(first),
    )
