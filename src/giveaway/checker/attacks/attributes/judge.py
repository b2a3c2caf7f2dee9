"""Judge the attack `attributes`: by rules, or by blanks where the attacker knows how they were chosen."""

from fractions import Fraction

from giveaway.checker.attacks.attributes import blanks, rules
from giveaway.checker.check import Check, Opened
from giveaway.checker.files.tables import Shown
from giveaway.checker.promise import Promise
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


CHECK = Check(attack="attributes", form="rows", limits=("attribute",), keeps=_keeps, joins=True)
