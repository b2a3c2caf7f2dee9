"""Transactions that an engine holds as a long table: items are counted there, rows come when they are needed."""

from collections.abc import Sequence

from giveaway.engines.baskets import held_transactions
from giveaway.engines.counting import first_looked_at, refuse_ids
from giveaway.engines.held import HeldRows
from giveaway.engines.tables import without_id
from giveaway.errors import ScenarioError
from giveaway.model.data.transactions import Transactions
from giveaway.sources.encoding.roles import Roles


def read_engine_transactions(
    held: HeldRows, roles: Roles, *, id: str | None, item: str | None, missing: Sequence[str] = ("",)
) -> Transactions:
    """Count the items of a long table, one row for each (transaction, item)."""
    from giveaway.engines.writing import EngineOrigin

    if id is None:
        raise without_id(held)
    if item is None:
        raise ScenarioError(
            f"{held.name} needs item: transactions in a database are a long table.",
            hint="say item = the column that names the items; a query can make such a table of others.",
        )
    roles = roles.settled(held.columns, [id, item])
    refuse_ids(held, id, missing, repeated=True)
    origin = EngineOrigin(
        held=held,
        fingerprint=held.backend.fingerprint(held.frame),
        shape="long",
        id=id,
        item=item,
        missing=tuple(missing),
        leave_out=roles.leave_out,
        others=first_looked_at(held, roles.publish_unjudged),
    )
    return held_transactions(held, id=id, item=item, missing=missing, roles=roles, origin=origin)
