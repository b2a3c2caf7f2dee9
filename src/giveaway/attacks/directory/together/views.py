"""How somebody with a directory looks at a release together with earlier ones."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from giveaway.attacks.directory.attacker import KnowsDirectory
from giveaway.attacks.directory.question import ask
from giveaway.attacks.directory.together.knowing import changed, compared, says
from giveaway.attacks.directory.together.people import people_view
from giveaway.attacks.directory.together.rows import rows_view
from giveaway.attacks.together import Seen, View, not_judged
from giveaway.errors import NothingToJudge
from giveaway.model.data.alike import multiset_difference
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.joined import alone, join_rows, sensitive_of, some_rows
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.whose_rows import who_changed as changes
from giveaway.model.release.withheld import Withheld

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


Somebody = Ints | int
"""The rows of those who are in one release alone, or how many they are where only that is known."""


def who_changed(release: Release, attacker: KnowsDirectory, one: Earlier) -> Iterator[View]:
    """Give the views of those who joined since an earlier release, and of those who left.

    No row need be joined for it. Whoever takes the rows of one release away from those of the other is left with the rows
    of those who are in one of them alone, in the columns that both show; and with their whole rows where nobody else has a
    row that looks the same in these columns. They are judged as a release of their own.
    """
    now, before = release.original, one.shown
    assert isinstance(now, Table) and isinstance(before, Table)  # noqa: S101, PT018 # rows of tables
    if changes(release, one) == (0, 0):
        return
    rows = one.row_now(release)[0]
    joined, left = _who(now, before, one, rows)
    says = f"Among those who joined since {one.name}", f"Among those who left since {one.name}"
    try:
        if rows is None:
            _check_numbers(now, before, one, joined, left)
        if _many(joined):
            _check_plans(release)
            yield _joined(release, attacker, one, joined, says[0])
    except NothingToJudge as error:
        yield not_judged(release, attacker, [one.name], "joined", says[0], error)
    try:
        if _many(left):
            _check_plans(release)
            _check_chosen(release, before, attacker, one)
            yield _left(release, attacker, one, left, says[1])
    except NothingToJudge as error:
        yield not_judged(release, attacker, [one.name], "left", says[1], error)


def _check_numbers(now: Table, before: Table, one: Earlier, joined: Somebody, left: Somebody) -> None:
    if len(now) - _many(joined) != len(before) - _many(left):
        raise NothingToJudge(
            f"{one.name} has {len(before):,} rows and the release now {len(now):,}: it is not said who joined and left.",
            hint="say who with population, or whose row is whose with a ledger, an id or rows.",
        )


def _check_plans(release: Release) -> None:
    if release.earlier_plans is not None:
        raise NothingToJudge(
            "How large the crowds are was decided by what smaller ones told of sensitive values, and what this tells of those "
            "who joined or left is not worked out.",
            hint="leave out the limit of attribute.",
        )


def _check_chosen(release: Release, before: Table, attacker: KnowsDirectory, one: Earlier) -> None:
    """Refuse rows of those who left from which something was withheld, it may be by columns that are seen and not compared."""
    known = compared(attacker, before, [one])
    sensitive = {*sensitive_of(one), *release.original.sensitive}  # type: ignore[union-attr] # a table
    others = [name for name in before.columns if name not in known and name not in sensitive]
    withheld = [name for name in known if name in release.hierarchies or (before.columns[name] < 0).any()]
    if attacker.knows_method and withheld and others:
        raise NothingToJudge(
            f"{one.name} leaves out some of {withheld[0]}, and may have chosen by {others[0]}: what that tells of those who left "
            "is not worked out.",
            hint=f"let this attacker know {others[0]} too.",
        )


def _who(now: Table, before: Table, one: Earlier, rows: Ints | None) -> tuple[Somebody, Somebody]:
    if rows is not None:
        return np.setdiff1d(np.arange(len(now)), rows[rows >= 0]), np.flatnonzero(rows < 0)
    return _rows(now, one.population.joined), _rows(before, one.population.left)


def _rows(table: Table, who: tuple[Label, ...] | int) -> Somebody:
    return who if isinstance(who, int) else np.array(sorted(table.row(record) for record in who), np.int64)


def _many(somebody: Somebody) -> int:
    return somebody if isinstance(somebody, int) else len(somebody)


def _joined(release: Release, attacker: KnowsDirectory, one: Earlier, joined: Somebody, says: str) -> View:
    now, before = release.published, one.shown
    assert isinstance(now, Table) and isinstance(before, Table)  # noqa: S101, PT018 # rows of tables
    if isinstance(joined, int):
        rows = _by_difference(now, before, one, joined)
        return _view(_as_shown(release, rows), attacker, one, "joined", says)
    seen = _told_apart(release, now, joined, _common(now, one))

    def back(protected: Release) -> Release:
        cells = protected.withheld.cells - seen.withheld.cells
        levels = protected.withheld.levels
        coarser = {name: levels.of(name) for name in levels.columns}
        return release.withholding(
            Withheld(
                cells=Cells.at({name: joined[cells.positions(name)] for name in cells.columns}),
                levels=Levels.at({name: (joined[at], level) for name, (at, level) in coarser.items()}),
            )
        )

    return replace(_view(seen, attacker, one, "joined", says), back=back)


def _left(release: Release, attacker: KnowsDirectory, one: Earlier, left: Somebody, says: str) -> View:
    now, before = release.published, one.shown
    assert isinstance(now, Table) and isinstance(before, Table)  # noqa: S101, PT018 # rows of tables
    if isinstance(left, int):
        rows = _by_difference(before, now, one, left)
        return _view(_as_shown(release, rows), attacker, one, "left", says)
    nobody = np.full(len(before), -1)
    whole = alone(one, nobody, join_rows(release, []))
    published = whole.published
    assert isinstance(published, Table)  # noqa: S101 # as it was
    names = [f"{name}@{one.name}" if name in one.changes else name for name in before.columns]
    seen = _told_apart(whole, published, left, [name for name in names if name in now.columns])
    return replace(_view(seen, attacker, one, "left", says), before=whole)


def _as_shown(release: Release, rows: Table) -> Release:
    """Return the release of rows as they are shown."""
    if release.sensitivity.by_record:
        raise NothingToJudge(
            "Records have weights, and whose rows are told by difference is not known.",
            hint="say who with population, or whose row is whose with a ledger, an id or rows.",
        )
    return Release(
        rows,
        order=release.order,
        gaps=release.gaps,
        sensitive_values=release.sensitive_values,
        sensitive_classes={
            name: of for name, of in release.sensitive_classes.items() if name in rows.columns
        },
        sensitivity=release.sensitivity,
    )


def _common(table: Table, one: Earlier) -> list[str]:
    """Return the columns in which the rows of two releases can be compared."""
    return [name for name in table.columns if name in one.columns and name not in one.changes]


def _told_apart(release: Release, shown: Table, rows: Ints, common: Sequence[str]) -> Release:
    """Return the release of some rows; of those that look like others in the common columns, with these columns alone."""
    kind = alike([np.zeros(len(shown), np.int32), *(_codes(shown, name) for name in common)])[0]
    every, mine = np.bincount(kind), np.bincount(kind[rows], minlength=int(kind.max()) + 1)
    mixed = np.flatnonzero((every > mine)[kind[rows]])
    others = [name for name in shown.columns if name not in common]
    part = some_rows(replace(release, earlier=()), rows)
    return part.withholding(Withheld(cells=Cells.at(dict.fromkeys(others, mixed))))


def _codes(table: Table, name: str) -> Codes:
    return table.columns[name][table.record_of]


def _by_difference(first: Table, second: Table, one: Earlier, many: int) -> Table:
    rows = multiset_difference(
        first.only(_common(first, one)), second.only([n for n in second.columns if n in _common(first, one)])
    )
    if len(rows) != many:
        raise NothingToJudge(
            f"{many:,} are said to be in one of {one.name} and the release now alone, and {len(rows):,} rows are: values "
            "changed, or more is blank in one of them.",
            hint="name who with population, or whose row is whose with a ledger, an id or rows.",
        )
    return rows


def _view(release: Release, attacker: KnowsDirectory, one: Earlier, linked: str, says: str) -> View:
    table = release.original
    assert isinstance(table, Table)  # noqa: S101 # rows of tables
    knows = changed(attacker, columns=compared(attacker, table, [one]))
    if not knows.columns:
        raise NothingToJudge(
            f"{says} no column is compared.", hint="name a column that both releases have in columns."
        )
    question = ask(release, knows)
    crowds = question.crowds.min(axis=1)
    return View(
        releases=(one.name,),
        linked="joined" if linked == "joined" else "left",
        release=release,
        attacker=knows,
        back=None,
        accepts=one.already == "accept",
        figures={"people": len(table), "alone": int(question.groups.count[crowds == 1].sum())},
        says=says,
    )
