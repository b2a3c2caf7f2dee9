"""Judge the attack `attributes`: by rules, or by blanks where the attacker knows how they were chosen."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from giveaway.checker.attacks.attributes import blanks, rules
from giveaway.checker.check import Check, Opened
from giveaway.checker.files.tables import Shown
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.checker.together.given import Given, Seen, Some, one_by_one_and_all
from giveaway.checker.together.tables import Joined, Tables, knowing
from giveaway.model.data.table import Table
from giveaway.model.release.release import Release


def keeps(shown: Shown, release: Release, table: Table, promise: Promise) -> bool:
    """Tell whether few enough secrets can be inferred."""
    limit = Fraction(1) if promise.tolerance.attribute is None else promise.tolerance.attribute
    if promise.attacker["knows_method"]:
        return blanks.keeps(shown, release, table, promise, limit)
    exposed = 0
    for sensitive in release.secrets.columns:
        columns = rules.conditions(promise.attacker, table, sensitive)
        # Li et al., section 2.2, on the rows as written.
        secrets = rules.secrets_of(release, table, columns, sensitive)
        rows = rules.rows_of(shown, columns, sensitive)
        unsafe = rules.exposed(rows, secrets, limit, promise.attacker["trusts_support_above"])
        exposed += int(secrets.counts[unsafe].sum())
    return exposed <= promise.tolerance.share * len(release.secrets)


def _keeps(opened: Opened, promise: Promise) -> bool:
    table = opened.release.original
    assert isinstance(table, Table)  # noqa: S101 # called for tables
    return keeps(opened.content, opened.release, table, promise)


def _together(given: Given, promise: Promise) -> Iterator[Seen]:
    """Give the rows joined with those of earlier releases; who cannot join them has the rules of each release, and no others."""
    tables = Tables(given=given)
    for some in one_by_one_and_all([one for one in given.release.earlier if "rows" in one.ways]):
        yield Seen(earlier=some, keeps=partial(_keeps_joined, tables, promise, some))


def _keeps_joined(tables: Tables, promise: Promise, earlier: Some) -> bool:
    joined, secrets = Joined(tables, earlier), tables.given.release.secrets
    for name in secrets.columns:
        shown = joined.before.get(name, [None] * joined.size)
        if any(shown[row] is not None for row in secrets.positions(name).tolist()):
            raise unconfirmed("An entry that is a secret now was shown before.")
    opened = joined.opened()
    asked = knowing(promise, opened, earlier)
    return asked is None or _keeps(opened, asked)


CHECK = Check(attack="attributes", form="rows", limits=("attribute",), keeps=_keeps, together=_together)
