"""Delimited and Parquet files, read by the engine."""

from collections.abc import Sequence

from giveaway.model.labels import Label
from giveaway.model.origin import Shape
from giveaway.model.table import Table
from giveaway.model.transactions import Transactions
from giveaway.sources import counted
from giveaway.sources.coded import transactions
from giveaway.sources.engine_origin import EngineFile
from giveaway.sources.files import StoredFile
from giveaway.sources.relation import delimited_layout, relation
from giveaway.sources.roles import Roles, check_names


def read_transactions_file(
    file: StoredFile,
    roles: Roles,
    *,
    id: str | None,
    item: str | None,
    separator: str | None,
    header: bool,
    missing: tuple[str, ...],
) -> Transactions:
    """Read a long, list or one-hot file, as `id` and `item` say."""
    shape: Shape = "long" if id is not None else "lists" if item is not None else "one-hot"
    origin = _origin(file, shape, separator, header=header, id=id, item=item, missing=missing, roles=roles)
    columns: list[Label] = []
    with relation(file, separator, header=header) as given:
        roles.check_columns(given.columns, [id, item], rest_are_items=shape == "one-hot")
        if id is not None and item is not None:
            merged, labels = counted.long_rows(given, id, item, missing)
        elif item is not None:
            merged, labels = counted.list_rows(given, item, missing)
        else:
            no_items = {*roles.publish_unjudged, *roles.leave_out}
            merged, labels = counted.one_hot_rows(given, [c for c in given.columns if c not in no_items])
            columns = labels
    return transactions(merged, labels, roles, origin, columns)


def read_table_file(
    file: StoredFile,
    *,
    sensitive: tuple[str, ...],
    id: str | None,
    separator: str | None,
    header: bool,
    missing: tuple[str, ...],
    roles: Roles,
) -> Table:
    """Read a table; its identifier is no column of it."""
    origin = _origin(file, "table", separator, header=header, id=id, item=None, missing=missing, roles=roles)
    with relation(file, separator, header=header) as given:
        check_names([*sensitive, *roles.columns(id)], given.columns)
        ids: Sequence[Label] = () if id is None else counted.ids(given, id, missing)
        judged = [
            column
            for column in given.columns
            if column not in (id, *roles.leave_out, *roles.publish_unjudged)
        ]
        columns, labels, weights, record_of = counted.table_rows(given, judged, missing)
    return Table(
        columns=columns,
        labels=labels,
        weights=weights,
        record_of=record_of,
        sensitive=sensitive,
        id=id,
        ids=ids,
        origin=origin,
    )


def _origin(
    file: StoredFile,
    shape: Shape,
    separator: str | None,
    *,
    header: bool,
    id: str | None,
    item: str | None,
    missing: tuple[str, ...],
    roles: Roles,
) -> EngineFile:
    cut = "," if file.format == "parquet" else delimited_layout(file, separator, header=header)[0]
    return EngineFile(
        file=file,
        sha256=file.sha256(),
        shape=shape,
        separator=cut,
        header=header,
        id=id,
        item=item,
        missing=missing,
        leave_out=roles.leave_out,
        others=roles.publish_unjudged,
    )
