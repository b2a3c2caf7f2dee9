"""How somebody with a directory looks at a release together with earlier ones."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.together.knowing import says
from giveaway.attacks.directory.together.newcomers import who_changed
from giveaway.attacks.directory.together.people import people_view
from giveaway.attacks.directory.together.rows import rows_view
from giveaway.attacks.together import Seen, View, not_judged
from giveaway.errors import NothingToJudge
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release

Made = Callable[[Release, KnowsDirectory, Tolerance, Sequence[Earlier]], View]

_WAYS: dict[Seen, Made] = {"rows": rows_view, "people": people_view}


def views(release: Release, attacker: KnowsDirectory, tolerance: Tolerance) -> tuple[View, ...]:
    """Return the views with each earlier release and with all of them, and of those who joined or left since one."""
    return tuple(_views(release, attacker, tolerance))


def _views(release: Release, attacker: KnowsDirectory, tolerance: Tolerance) -> Iterator[View]:
    for linked, made in _WAYS.items():
        these = [one for one in release.earlier if linked in one.ways]
        for some in _sets(these, every=linked == "people" and tolerance.attribute is not None):
            try:
                yield made(release, attacker, tolerance, some)
            except NothingToJudge as error:
                yield not_judged(release, attacker, [one.name for one in some], linked, says(some), error)
    for one in release.earlier:
        if one.ways:
            yield from who_changed(release, attacker, one)


def _sets(these: Sequence[Earlier], *, every: bool) -> Iterator[tuple[Earlier, ...]]:
    """Give the earlier releases one by one and all together; with `every` each choice of them.

    Crowds only get smaller with one more release, and so do groups of joined rows; what is believed of people whose rows
    cannot be joined may also get weaker.
    """
    sizes = range(1, len(these) + 1) if every else dict.fromkeys((1, len(these)))
    for size in sizes:
        yield from combinations(these, size) if size else ()
