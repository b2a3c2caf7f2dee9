"""What was withheld from one attacker by values that another compares."""

from giveaway.checker.attacks.directory.asked import compared_of
from giveaway.checker.check import ReadBack
from giveaway.checker.promise import Promise, unconfirmed
from giveaway.model.data.table import Table


def check(opened: ReadBack, promise: Promise) -> None:
    """Refuse to confirm what is not known: what hiding a value tells somebody who compares it, next to one who infers it."""
    release, table = opened.release, opened.release.original
    if not isinstance(table, Table) or not promise.attacker["knows_method"]:
        return
    compared = {name for one in opened.asked("directory") for name in compared_of(one, table)}
    inferred = {*table.sensitive} if opened.asked("attributes") else set[str]()
    for one in opened.promises:
        if one.attack == "directory" and one.attacker["knows_method"] and one.tolerance.attribute is not None:
            inferred |= {*table.sensitive}.difference(compared_of(one.attacker, table))
    for name in compared & inferred:
        if len(release.hidden.positions(name)) or len(release.coarser.of(name)[0]):
            raise unconfirmed("Entries are hidden of a column that one attacker compares and another infers.")
