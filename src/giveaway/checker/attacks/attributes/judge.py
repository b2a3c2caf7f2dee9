"""Judge the attack `attributes`: by rules, or by blanks where the attacker knows how they were chosen."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from giveaway.checker.attacks import inferred
from giveaway.checker.attacks.attributes import blanks, rules
from giveaway.checker.check import Check, ReadBack
from giveaway.checker.files.tables import ReleasedTable
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.checker.together.tables import Joined, WrittenTables, knowing
from giveaway.checker.together.written import SeenTogether, Some, WrittenNow, one_by_one_and_all
from giveaway.model.data.table import Table
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release


def keeps(shown: ReleasedTable, release: Release, table: Table, promise: Promise) -> bool:
    """Tell whether few enough secrets can be inferred."""
    limit = Fraction(1) if promise.tolerance.attribute is None else promise.tolerance.attribute
    if promise.attacker["knows_method"]:
        return blanks.keeps(shown, release, table, promise, limit)
    return _exposed(shown, release, table, promise, limit) <= promise.tolerance.share * len(release.secrets)


def _exposed(shown: ReleasedTable, release: Release, table: Table, promise: Promise, limit: Fraction) -> int:
    """Count the secrets that a rule gives away."""
    exposed = 0
    for sensitive in release.secrets.columns:
        columns = rules.conditions(promise.attacker, table, sensitive)
        # Li et al., section 2.2, on the rows as written.
        secrets = rules.secrets_of(release, table, columns, sensitive)
        rows = rules.rows_of(shown, columns, sensitive)
        unsafe = rules.exposed(rows, secrets, limit, promise.attacker["trusts_support_above"])
        exposed += int(secrets.counts[unsafe].sum())
    return exposed


def _keeps(opened: ReadBack, promise: Promise) -> bool:
    inferred.check(opened, promise)
    others = opened.beside(promise.attack) if opened.release.withheld else []
    if others and promise.attacker["knows_method"]:
        # What is hidden for another was chosen by columns that are seen: records must be equal in these too.
        every = tuple(dict.fromkeys(name for one in (promise.attacker, *others) for name in one["columns"]))
        promise = replace(promise, attacker={**promise.attacker, "columns": every})
    return keeps(opened.content, opened.release, opened.table, promise)


def _together(written: WrittenNow, promise: Promise) -> Iterator[SeenTogether]:
    """Give the rows joined with those of earlier releases; what is told by rows that nobody joins is not counted."""
    tables = WrittenTables(written=written)
    for one in written.release.earlier:
        if one.ways and {*written.release.secrets.columns} & {*one.changes} & {*one.columns}:
            raise unconfirmed(f"What {one.name} tells of secrets at another time is not checked.")
        if one.linked == "people" and _tells_unjoined(written.release, one, promise.attacker):
            raise unconfirmed(
                f"What {one.name} tells of hidden entries, whosever its rows are, is not checked."
            )
    for some in one_by_one_and_all([one for one in written.release.earlier if "rows" in one.ways]):
        yield SeenTogether(earlier=some, keeps=partial(_keeps_joined, tables, promise, some))


def _tells_unjoined(release: Release, one: Earlier, attacker: Mapping[str, Any]) -> bool:
    """Tell whether a file whose rows cannot be joined may tell more of a blank than those of its group have in common.

    Its group is known by what is a condition; a file that shows more of both times tells people of a group apart. Only where
    blanks are hidden among blanks does nothing depend on the values of a whole group.
    """
    table = release.original
    assert isinstance(table, Table)  # noqa: S101 # called for tables
    common = [name for name in one.columns if name in table.columns]
    by_decoys = attacker["knows_method"] and attacker["asking"] == "by value"
    if not by_decoys or attacker["asking_known"] or attacker["cells_of"] != 1:
        return any(
            name in release.withheld.cells.columns or name in release.secrets.columns for name in common
        )
    return any(
        other != name and other not in rules.conditions(attacker, table, name)
        for name in release.secrets.columns
        if name in common
        for other in common
    )


def _keeps_joined(tables: WrittenTables, promise: Promise, earlier: Some) -> bool:
    """Tell whether few enough secrets can be inferred; those that were visible before are given away, or accepted."""
    joined, release = Joined(tables, earlier), tables.written.release
    was_shown = Cells.at(
        {
            name: np.array(
                [row for row in release.secrets.positions(name).tolist() if levels[row] is not None], np.int64
            )
            for name, levels in joined.before.items()
        }
    )
    hidden, visible = release.secrets - was_shown, len(was_shown)
    if not hidden:
        raise unconfirmed("Every secret was visible in earlier releases.")
    blank = release.withheld.cells
    if promise.attacker["knows_method"] and any(
        levels[row] is not None
        for name, levels in joined.before.items()
        for row in blank.positions(name).tolist()
    ):
        raise unconfirmed("What two choices of blanks tell somebody who knows the method is not checked.")
    opened = joined.opened(hidden)
    asked = knowing(promise, opened, earlier)
    if asked is None:
        raise unconfirmed("Nothing that is known can be seen of the joined rows.")
    if not visible or all(one.already == "accept" for one in earlier):
        return _keeps(opened, asked)
    if promise.attacker["knows_method"]:
        raise unconfirmed("An entry that is a secret now was shown before.")
    limit = Fraction(1) if promise.tolerance.attribute is None else promise.tolerance.attribute
    exposed = _exposed(opened.content, opened.release, opened.table, asked, limit)
    return exposed + visible <= promise.tolerance.share * (len(hidden) + visible)


CHECK = Check(attack="attributes", form="rows", limits=("attribute",), keeps=_keeps, together=_together)
