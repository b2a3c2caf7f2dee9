"""Several releases of the same people that are planned at once, for recipients who may collude.

What one release shows of a person the others may show too: joined rows show no more of it. So of each person one set of
columns is shown, each release its part of it, and the set is best that is worth most in all releases, of those in which
enough people agree. Records do not depend on each other: trying all sets finds the optimum.

For somebody who knows the method, crowds are planned on the joined rows, and each release shows its part of the form: rows
of one form look the same in every release.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.attacker import DirectoryOptions, KnowsDirectory
from giveaway.attacks.directory.protect import protect
from giveaway.attacks.directory.question import ask
from giveaway.attacks.directory.together.knowing import changed, compared
from giveaway.attacks.directory.together.rows import JoinedView
from giveaway.errors import NoSafeRelease, NothingToJudge
from giveaway.model.data.arrays import Codes, alike
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import JoinedRows, join_rows
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

MOST_COLUMNS = 16
"""The most columns of which all sets are tried."""
MOST_RECIPIENTS = 10
"""The most recipients of whom all sets are judged."""


def plan_at_once(
    releases: Mapping[str, Release],
    attacker: KnowsDirectory,
    tolerance: Tolerance,
    effort: Effort | None = None,
) -> dict[str, Release]:
    """Withhold little from several releases, row i of each the same person, so that they are safe together.

    It is the least for an attacker who does not know the method. Attackers compare equal values of everybody in the table.
    """
    _check(releases, attacker, tolerance)
    joined, earlier = _joined(releases)
    joined = replace(joined, release=replace(joined.release, must_publish=Cells()))
    table = joined.release.original
    assert isinstance(table, Table)  # noqa: S101 # rows of tables
    columns = compared(attacker, table, earlier)
    if len(columns) > MOST_COLUMNS:
        raise NothingToJudge(
            f"{len(columns)} columns are compared, and all their sets are tried for at most {MOST_COLUMNS}.",
            hint="compare fewer columns, or protect one release after the other.",
        )
    if attacker.knows_method:
        knows = changed(attacker, columns=columns)
        options = DirectoryOptions()
        cells = protect(
            joined.release, knows, tolerance, None, effort or Effort(), options
        ).release.withheld.cells
        hidden = {name: cells.positions(name) for name in columns}
    else:
        codes = {name: table.columns[name][table.record_of] for name in columns}
        weights = {name: sum(name in _columns(one) for one in releases.values()) for name in columns}
        shown = _best(codes, weights, tolerance.smallest_crowd)
        hidden = {name: np.flatnonzero(~marks) for name, marks in shown.items()}
    return {
        name: one.withholding(
            Withheld(
                cells=Cells.at({column: rows for column, rows in hidden.items() if column in _columns(one)})
            )
        )
        for name, one in releases.items()
    }


def people_below(
    releases: Mapping[str, Release], attacker: KnowsDirectory, tolerance: Tolerance
) -> dict[tuple[str, ...], tuple[int, int]]:
    """Count for each set of recipients who may collude the people over the limit of identity, and those who are alone.

    Row i of each release is the same person.
    """
    if len(releases) > MOST_RECIPIENTS:
        raise NothingToJudge(
            f"{len(releases)} recipients are named, and all sets of at most {MOST_RECIPIENTS} are judged.",
            hint="name fewer recipients.",
        )
    found = {}
    for size in range(1, len(releases) + 1):
        for some in combinations(releases, size):
            joined, _ = _joined({name: releases[name] for name in some})
            seen = JoinedView(joined=joined, asked=attacker, tolerance=tolerance)
            seen.check()
            question = ask(seen.release, seen.attacker)
            crowds, count = question.crowds.min(axis=1), question.groups.count
            found[some] = (
                int(count[crowds < tolerance.smallest_crowd].sum()),
                int(count[crowds == 1].sum()),
            )
    return found


def _check(releases: Mapping[str, Release], attacker: KnowsDirectory, tolerance: Tolerance) -> None:
    reasons = {
        "another directory": bool(attacker.directories),
        "values that need only be similar": bool(attacker.match),
        "at_most": attacker.at_most is not None,
        "other limits than identity": tolerance.identity is None
        or bool(tolerance.given - {"identity", "share"})
        or bool(tolerance.share),
        "coarser labels": any(one.hierarchies for one in releases.values()),
        "missing values that agree": any(one.gaps == "agree" for one in releases.values()),
        "entries that must be published": any(one.must_publish for one in releases.values()),
        "releases that withhold something already": any(
            one.hidden or one.coarser for one in releases.values()
        ),
    }
    for what, given in reasons.items():
        if given:
            raise NothingToJudge(
                f"Releases are not planned at once for {what}.",
                hint="protect one after the other, with the others as earlier releases.",
            )


def _columns(release: Release) -> Mapping[str, Codes]:
    assert isinstance(release.original, Table)  # noqa: S101 # rows of tables
    return release.original.columns


def _joined(releases: Mapping[str, Release]) -> tuple[JoinedRows, list[Earlier]]:
    """Join the rows of releases, row by row."""
    first, *others = releases.items()
    sizes = {len(one.original) for one in releases.values()}
    if len(sizes) > 1:
        raise NothingToJudge(
            "The releases have different numbers of rows.", hint="row i of each must be the same person."
        )
    rows = np.arange(sizes.pop())
    earlier = [Earlier(one, name=name, linked="rows", rows=rows + 1) for name, one in others]
    return join_rows(first[1], [(one, rows) for one in earlier]), earlier


def _best(codes: Mapping[str, Codes], weights: Mapping[str, int], crowd: int) -> dict[str, NDArray[np.bool_]]:
    """Return for each column which rows show it: of the sets with enough people the one that is worth most."""
    kind, first = alike(list(codes.values()))
    people = np.bincount(kind)
    shown = {name: np.zeros(len(first), np.bool_) for name in codes}
    open_ = np.ones(len(first), np.bool_)
    for some in _by_worth(weights):
        own = [codes[name][first] for name in some]
        whole = np.all([np.ones(len(first), np.bool_), *(one >= 0 for one in own)], axis=0)
        of = alike([np.zeros(len(first), np.int32), *own])[0]
        enough = np.bincount(of, weights=people)[of] >= crowd
        # A row that misses a value shows the others by a smaller set, which is worth as much.
        here = open_ & enough & whole
        for name in some:
            shown[name] |= here
        open_ &= ~here
        if not open_.any():
            return {name: marks[kind] for name, marks in shown.items()}
    raise NoSafeRelease(
        f"There are fewer than {crowd} people.", helps=("Tolerate smaller crowds.",), proved=True
    )


def _by_worth(weights: Mapping[str, int]) -> Iterator[Sequence[str]]:
    """Give all sets of columns, those that are worth most first, the largest first among equals."""
    names = list(weights)
    every = (some for size in range(len(names), -1, -1) for some in combinations(names, size))
    return iter(sorted(every, key=lambda some: -sum(weights[name] for name in some)))
