"""Releases of the same people that are planned at once, for recipients who may collude.

What all of them show of a person is one row, in which each release has columns of its own: a value that one withholds and
another shows is shown. Rows that agree in all of it look the same in every release, so that for whoever knows the method and
for whoever does not the joint rows are judged and protected as any other table. A column that two releases show counts twice
there, as it does for their readers.
"""

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.together.knowing import changed
from giveaway.attacks.directory.together.rows import keeps_columns
from giveaway.attacks.together import AtOnce
from giveaway.errors import NoSafeRelease, NothingToJudge
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.same_people import ONE_BY_ONE, SamePeople, joint_rows


def at_once(
    people: SamePeople, attacker: KnowsDirectory, tolerance: Tolerance, need: NeedsColumns | None
) -> AtOnce:
    """Return what the recipients of several releases see together; attackers compare equal values of everybody in the table."""
    _check(people, attacker, tolerance)
    tables = [one.original for one in people.releases.values() if isinstance(one.original, Table)]
    known = {column for table in tables for column in attacker.looks_at(table)}
    joint = joint_rows(people, copied=known)
    names = {
        column: next(own for _, own in places)
        for column, places in joint.shown_by.items()
        if any(own in known for _, own in places)
    }
    kept = keeps_columns(need)
    always = () if kept is None else [column for column, own in names.items() if own in kept.always]

    def back(protected: Release) -> dict[str, Release]:
        if protected.earlier_plans is not None:
            raise NoSafeRelease(
                "By sensitive values only larger crowds would be safe, and what it tells several recipients that smaller ones "
                "were not is not worked out.",
                helps=("Leave out the limit of attribute, or show less of a column.",),
            )
        return joint.back(protected)

    return AtOnce(
        release=joint.release,
        attacker=changed(attacker, columns=tuple(names)),
        back=back,
        need=NeedsColumns(always=always) if always else None,
    )


def _check(people: SamePeople, attacker: KnowsDirectory, tolerance: Tolerance) -> None:
    reasons = {
        "another directory": bool(attacker.directories),
        "values that need only be similar": bool(attacker.match or attacker.within),
        "at_most": attacker.at_most is not None,
        "weights of what hurts": any(not one.sensitivity.is_constant for one in people.releases.values()),
        "a limit on the average": tolerance.average is not None,
        "missing values that agree": any(one.gaps == "agree" for one in people.releases.values()),
    }
    for what, holds in reasons.items():
        if holds:
            raise NothingToJudge(f"Releases are not planned at once with {what}.", hint=ONE_BY_ONE)
