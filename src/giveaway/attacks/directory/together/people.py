"""Rows that cannot be joined, of people who are known to be in every release.

Worlds are all ways to join the rows that respect what every release shows, with one of the joined people as the target;
all are equally likely. A row now is then of somebody who agrees with it and with some earlier row that shows the same in
the columns that all releases have. As a directory: everybody with one entry for each combination of values in these
columns that an earlier row which fits them shows.

That is exact where these columns are never blank and everybody is in every release. Elsewhere no crowd is smaller than
that of rows which can be joined, and nothing else is known; nor is it of somebody who knows the method, from whom rows
hide that are equal in all that is compared or shown by every release.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.measure import measure
from giveaway.attacks.directory.together import beliefs
from giveaway.attacks.directory.together.fitting import Fitting, fitting, truth_of
from giveaway.attacks.directory.together.knowing import changed, compared, says
from giveaway.attacks.directory.together.rows import keeps_columns, rows_view
from giveaway.attacks.directory.together.whenever import changing
from giveaway.attacks.together import View
from giveaway.errors import NothingToJudge
from giveaway.model.answer.risk import Details, HoldsUpTo, How, Risk
from giveaway.model.answer.verdict import judge
from giveaway.model.data.arrays import Ints, alike
from giveaway.model.data.people import People
from giveaway.model.data.table import Table
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import alone, join_rows
from giveaway.model.release.release import Release

Measured = Callable[[Release, Tolerance, Effort], Risk]

_HINT = 'say linked = "rows" if rows can be joined, or "nobody" if no person is in both.'


def people_view(
    release: Release, attacker: KnowsDirectory, tolerance: Tolerance, earlier: Sequence[Earlier]
) -> View:
    """Return the release as somebody sees it who knows that people are in earlier ones too, and not which row is whose."""
    _check(attacker)
    before = _before(release, attacker, earlier)
    if attacker.knows_method:
        return _alike(release, attacker, tolerance, earlier, before)
    try:
        fits = fitting(release, attacker, earlier)
    except NothingToJudge:
        if tolerance.attribute is not None:
            raise
        return _no_smaller(release, attacker, tolerance, earlier)
    people, now = _directory(fits), replace(release, earlier=())
    table = truth_of(release, earlier)
    changes = (
        {} if tolerance.attribute is None else dict(changing(table, earlier, attacker, [*fits.profiles]))
    )
    # Where a shared column is hidden, nothing is known any more.
    must = Cells.at({name: np.arange(len(release.original)) for name in fits.shared}) - release.hidden
    knows = changed(attacker, columns=fits.now, directories=(people,), people=(people.name,), at_most=None)

    def measured(seen: Release, limits: Tolerance, effort: Effort) -> Risk:
        if before is not None and seen is before.release:
            return measure(seen, before.attacker, limits, None, effort)
        if limits.attribute is None:
            return measure(seen, knows, limits, None, effort)
        return beliefs.measured(seen, knows, limits, effort, fits, changes)

    view = _view(release, knows, earlier, before, measured)
    return replace(view, release=replace(now, must_publish=now.must_publish | must))


def _view(
    release: Release,
    knows: KnowsDirectory,
    earlier: Sequence[Earlier],
    before: "_Before | None",
    measured: Measured,
) -> View:
    return View(
        releases=tuple(one.name for one in earlier),
        linked="people",
        release=replace(release, earlier=()),
        attacker=knows,
        back=lambda protected: release.withholding(protected.withheld),
        before=None if before is None else before.release,
        measured=measured,
        need=keeps_columns,
        accepts=all(one.already == "accept" for one in earlier),
        says=says(earlier),
    )


def _check(attacker: KnowsDirectory) -> None:
    reasons = {
        "another directory": bool(attacker.directories),
        "values that need only be similar": bool(attacker.match),
        "at_most": attacker.at_most is not None,
    }
    for what, holds in reasons.items():
        if holds:
            raise NothingToJudge(
                f"What releases tell whose rows cannot be joined is not worked out for {what}.", hint=_HINT
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Before:
    """An earlier release by itself, and who looks at it."""

    release: Release
    attacker: KnowsDirectory


def _before(release: Release, attacker: KnowsDirectory, earlier: Sequence[Earlier]) -> _Before | None:
    """Return what is out already; what several earlier releases tell together was judged with them."""
    if len(earlier) > 1:
        return None
    (one,) = earlier
    rows = one.row_now(release)[0]
    known = [] if rows is None else [(one, rows)]
    assert one.shown is not None  # noqa: S101 # a table
    nobody = np.full(len(one.shown), -1)
    seen = alone(one, nobody if rows is None else rows, join_rows(release, known))
    table = seen.original
    assert isinstance(table, Table)  # noqa: S101 # as it was
    columns = [name for name in compared(attacker, table, earlier) if (table.columns[name] >= 0).any()]
    if not columns:
        return None
    knows = changed(attacker, columns=tuple(columns))
    if rows is None and not attacker.knows_method:
        try:
            everybody = People.from_table(truth_of(release, earlier), columns)
        except NothingToJudge:
            return None
        knows = changed(knows, directories=(everybody,), judges="any")
    return _Before(release=seen, attacker=knows)


def _alike(
    release: Release,
    attacker: KnowsDirectory,
    tolerance: Tolerance,
    earlier: Sequence[Earlier],
    before: _Before | None,
) -> View:
    """Return the view of somebody who knows the method: rows that are equal in all that is compared or shared are alike."""
    if tolerance.attribute is not None:
        raise NothingToJudge(
            "What releases whose rows cannot be joined tell of sensitive values is not worked out for somebody who knows the "
            "method.",
            hint=f"{_HINT[:-1]}; or set knows_method = false.",
        )
    table = release.original
    assert isinstance(table, Table)  # noqa: S101 # rows of tables
    looked_at = attacker.among(table.columns).looks_at(table)
    shared = {name for one in earlier for name in one.columns if name not in one.changes}
    beside = tuple(name for name in table.columns if name in shared and name not in looked_at)
    knows = changed(attacker, columns=(*looked_at, *beside))

    def measured(seen: Release, limits: Tolerance, effort: Effort) -> Risk:
        if before is not None and seen is before.release:
            return measure(seen, before.attacker, limits, None, effort)
        return _only_if_safe(measure(seen, knows, limits, None, effort), limits)

    return replace(_view(release, knows, earlier, before, measured), bound=True)


def _no_smaller(
    release: Release, attacker: KnowsDirectory, tolerance: Tolerance, earlier: Sequence[Earlier]
) -> View:
    """Return the view of joined rows, which no crowd of rows that cannot be joined is smaller than."""
    view = rows_view(release, attacker, tolerance, earlier)

    def measured(seen: Release, limits: Tolerance, effort: Effort) -> Risk:
        risk = measure(seen, view.attacker, limits, None, effort)
        return risk if seen is view.before else _only_if_safe(risk, limits)

    return replace(view, linked="people", bound=True, measured=measured, rest=None)


def _only_if_safe(risk: Risk, limits: Tolerance) -> Risk:
    """Return a risk that is at most as large where it is within the limits; otherwise nothing is known."""
    if judge(risk, limits)[0]:
        return risk
    return Risk(
        share=None,
        doubt="Crowds are at least as large as was counted, and that is below your limit; how large they are is not known "
        f"where rows cannot be joined. Hint: {_HINT}",
        details=NotKnown(),
    )


class NotKnown(Details):
    """Nothing is known of anybody."""

    levels = ()
    exposures = ()
    over = 0
    figures: Mapping[str, Any] = MappingProxyType({})
    how = How(
        method="bound",
        detail="Rows were counted that look the same in all that is compared or shared; the crowds are no smaller.",
    )
    holds_up_to = HoldsUpTo(value=None, unit="columns compared")


def _directory(fits: Fitting) -> People:
    """Make a directory of everybody with each combination of shared values that may be theirs in every earlier release."""
    profile, signature = fits.possible()
    beside = [name for name in fits.shared if name not in fits.compared_now]
    columns = {name: fits.profiles[name][profile] for name in fits.compared_now}
    columns |= {name: fits.signatures[name][signature] for name in beside}
    entry, first = alike(list(columns.values()))
    many = np.bincount(profile, minlength=len(fits.people))
    single = many[profile] == 1
    counted = np.bincount(entry[single], weights=fits.people[profile[single]], minlength=len(first))
    person, several = _everybody(profile[~single], entry[~single], fits.people)
    return People(
        columns={name: codes[first].astype(np.int32) for name, codes in columns.items()},
        labels={name: fits.labels[name] for name in columns},
        alone=counted.astype(np.int64),
        several_person=person,
        several_entry=several,
    )


def _everybody(profile: Ints, entry: Ints, people: Ints) -> tuple[Ints, Ints]:
    """Repeat the entries of each profile for each of its people; return the number of the person, and the entry."""
    order = np.argsort(profile, kind="stable")
    profile, entry = profile[order], entry[order]
    kinds, begin, many = np.unique(profile, return_index=True, return_counts=True)
    each = np.repeat(np.arange(len(kinds)), people[kinds])
    size = many[each]
    inside = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    return np.repeat(np.arange(len(each)), size), entry[np.repeat(begin[each], size) + inside]
