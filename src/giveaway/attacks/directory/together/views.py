"""How somebody with a directory looks at a release together with earlier ones."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.together.knowing import says
from giveaway.attacks.directory.together.newcomers import who_changed
from giveaway.attacks.directory.together.people import people_view
from giveaway.attacks.directory.together.rows import rows_view
from giveaway.attacks.together import Seen, View, not_judged
from giveaway.errors import NothingToJudge
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import sensitive_of
from giveaway.model.release.release import Release

Made = Callable[[Release, KnowsDirectory, Tolerance, Sequence[Earlier]], View]

_WAYS: dict[Seen, Made] = {"rows": rows_view, "people": people_view}


def views(release: Release, attacker: KnowsDirectory, tolerance: Tolerance) -> tuple[View, ...]:
    """Return the views with each earlier release and with all of them, and of those who joined or left since one.

    Beside others who are asked about, somebody who knows the method is taken to know all that they compare. That bounds
    whose a row is, and not what is told of somebody: those who know more may be told less.
    """
    asked = attacker
    if attacker.knows_method:
        attacker = attacker.with_columns_of(
            one for one, _ in release.beside if isinstance(one, KnowsDirectory) and attacker.columns
        )
    if attacker is not asked and tolerance.attribute is not None:
        raise NothingToJudge(
            "What is withheld was chosen for several attackers, and what that tells of sensitive values together with earlier "
            "releases is not worked out.",
            hint="ask about one attacker, who knows all these columns.",
        )
    return tuple(_views(release.alone, attacker, tolerance))


def _views(release: Release, attacker: KnowsDirectory, tolerance: Tolerance) -> Iterator[View]:
    if tolerance.attribute is not None and _in_both_ways(release):
        every, why = (
            list(release.earlier),
            "Rows of some earlier releases can be joined, and those of others may not",
        )
        error = NothingToJudge(
            f"{why}: what that tells of values at some time is not worked out.",
            hint='say linked = "rows" of all that can be joined, or "people" of all.',
        )
        yield not_judged(release, attacker, [one.name for one in every], "people", says(every), error)
    for linked, way in _WAYS.items():
        these = [one for one in release.earlier if linked in one.ways]
        for some in _sets(these, every=linked == "people" and tolerance.attribute is not None):
            try:
                yield way(release, attacker, tolerance, some)
            except NothingToJudge as error:
                yield not_judged(release, attacker, [one.name for one in some], linked, says(some), error)
    for one in release.earlier:
        if one.ways:
            yield from who_changed(release, attacker, one)


def _in_both_ways(release: Release) -> bool:
    """Tell whether sensitive values change, and one earlier release may be joined row by row while another is not."""
    table, linked = release.original, [one for one in release.earlier if one.ways]
    hurts = {*(table.sensitive if isinstance(table, Table) else ())}
    hurts |= {name for one in linked for name in sensitive_of(one)}
    changes = hurts.intersection(name for one in linked for name in one.changes)
    pairs = permutations(linked, 2)
    return bool(changes) and any("rows" in one.ways and "people" in other.ways for one, other in pairs)


def _sets(these: Sequence[Earlier], *, every: bool) -> Iterator[tuple[Earlier, ...]]:
    """Give the earlier releases one by one and all together; with `every` each choice of them.

    Crowds only get smaller with one more release, and so do groups of joined rows; what is believed of people whose rows
    cannot be joined may also get weaker.
    """
    sizes = range(1, len(these) + 1) if every else dict.fromkeys((1, len(these)))
    for size in sizes:
        yield from combinations(these, size) if size else ()
