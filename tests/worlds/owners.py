"""What owners do with what is true of people: ask, and publish what is safe, by the public surface alone."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from tests.worlds.worlds import Carried, Form, Record, World

import giveaway as ga
from giveaway.model.data.table import Table

Owner = Callable[[World], Sequence[Form] | None]
Row = Callable[[Record], Mapping[str, Any]]
"""What a person's row holds."""
Attackers = Callable[[World], Sequence[Any]]

NAMES = "ABC"
QUIET = ga.Effort(progress=False)


def register(world: World, columns: str) -> ga.Table:
    """Return a register of all people, with some columns."""
    people = [{"who": str(at), **dict(zip(NAMES, one, strict=False))} for at, one in enumerate(world)]
    return ga.Table.from_rows([{name: one[name] for name in ("who", *columns)} for one in people], id="who")


def row(columns: str) -> Row:
    """Let rows hold the first places of records."""
    return lambda record: dict(zip(columns, record, strict=False))


def table(
    world: Sequence[Record],
    holds: Row,
    sensitive: str = "",
    marks: Callable[[Record], str] = lambda _: "",
    secret: Callable[[Record], bool] = lambda _: False,
    hierarchies: Mapping[str, Any] | None = None,
) -> ga.Release:
    """Make a release of rows; `marks` names the columns of which an entry must be published."""
    rows = [holds(record) for record in world]
    present = {name: {one[name] for one in rows} for name in hierarchies or {}}
    return ga.Release(
        ga.Table.from_rows(rows, sensitive=[sensitive] if sensitive else []),
        must_publish=[(at + 1, name) for at, record in enumerate(world) for name in marks(record)],
        secrets=[at + 1 for at, record in enumerate(world) if secret(record)],
        hierarchies={
            name: {value: labels[value] for value in present[name]}
            for name, labels in (hierarchies or {}).items()
        },
    )


def shown(release: ga.Release) -> list[Form]:
    """Return what is published of each row, in the order of the original."""
    published = release.published
    assert isinstance(published, Table)
    columns = [
        [None if code < 0 else published.labels[name][code] for code in codes[published.record_of].tolist()]
        for name, codes in published.columns.items()
    ]
    return list(zip(*columns, strict=True))


def bought(release: ga.Release, baskets: Sequence[Sequence[str]]) -> list[Form]:
    """Return what is published of each basket."""
    return [frozenset(basket) - {*release.withheld.items} for basket in baskets]


def safe(*asked: Any, tries: int = 1, **more: Any) -> ga.Assessment | None:
    """Protect, and return what is safe; None where it is not, or where there is nothing safe however often it is tried."""
    for _ in range(tries):
        try:
            made = ga.protect(*asked, effort=QUIET, **more)
        except ga.NoSafeRelease:
            continue
        return made if made.verdict == "safe" else None
    return None


def one_table(
    attackers: Attackers,
    tolerance: Any,
    columns: str = NAMES,
    *,
    tries: int = 1,
    assessed: bool = False,
    options: Mapping[str, Any] | None = None,
    **form: Any,
) -> Owner:
    """Publish one table when it is safe; with `assessed` only as it is."""

    def publish(world: World) -> Sequence[Form] | None:
        release = table(world, row(columns), **form)
        asked = attackers(world)
        if assessed:
            plain = ga.assess(release, asked, tolerance, effort=QUIET, **(options or {}))
            return shown(release) if plain.verdict == "safe" else None
        made = safe(release, asked, tolerance, tries=tries, **(options or {}))
        return shown(made.release) if made else None

    return publish


def some_of_a_register(attackers: Attackers, tolerance: Any, columns: str = "AB") -> Owner:
    """Publish the records of the people whose last place says so, of a register of all."""

    def publish(world: World) -> Sequence[Form] | None:
        inside = [at for at, record in enumerate(world) if record[-1]]
        if not inside:
            return None
        release = table([world[at] for at in inside], row(columns))
        made = safe(release, attackers(world), tolerance)
        forms = dict(zip(inside, shown(made.release), strict=True)) if made else {}
        return [forms.get(at) for at in range(len(world))] if made else None

    return publish


def two_tables(
    earlier: Row,
    now: Row,
    attackers: Attackers,
    tolerance: Any,
    *,
    linked: Any = "rows",
    changes: Sequence[str] = (),
    sensitive: str = "",
    before: Sequence[Any] = (),
) -> Owner:
    """Publish a table after another of the same people, which was protected from those `before`, or published as it is."""

    def publish(world: World) -> Sequence[Form] | None:
        first = table(world, earlier, sensitive if sensitive in earlier(world[0]) else "")
        if before:
            kept = safe(first, before, tolerance)
            if kept is None:
                return None
            first = kept.release
        rows = range(1, len(world) + 1)
        out = ga.Earlier(first, name="2025", linked=linked, rows=rows, changes=changes)
        release = table(world, now, sensitive if sensitive in now(world[0]) else "")
        made = safe(release, attackers(world), tolerance, earlier=out)
        return list(zip(shown(first), shown(made.release), strict=True)) if made else None

    return publish


def at_once(rows: Mapping[str, Row], attackers: Attackers, tolerance: Any, sensitive: str = "") -> Owner:
    """Publish tables of the same people for recipients who may collude, planned at once."""

    def publish(world: World) -> Sequence[Form] | None:
        releases = {
            name: table(world, holds, sensitive if sensitive in holds(world[0]) else "")
            for name, holds in rows.items()
        }
        try:
            made = ga.protect_together(releases, attackers(world), tolerance, effort=QUIET)
        except ga.NoSafeRelease:
            return None
        files = [shown(one.release) for one in made.assessments.values()]
        return list(zip(*files, strict=True)) if made.verdict == "safe" else None

    return publish


def baskets(world: World, places: Sequence[int], always: Sequence[str] = ()) -> list[list[str]]:
    """Return what everybody bought: the items at some places, where there is one, and what all buy."""
    return [[*always, *(record[at] for at in places if record[at] != "-")] for record in world]


def _is_asked(private: Sequence[str], lists: Sequence[Sequence[str]]) -> bool:
    """Tell whether there is something to ask: what is private was bought, and something that is not."""
    items = {item for basket in lists for item in basket}
    return {*private} < items


def one_shop(attackers: Sequence[Any], tolerance: Any, private: Sequence[str], **options: Any) -> Owner:
    """Publish baskets."""

    def publish(world: World) -> Sequence[Form] | None:
        lists = baskets(world, range(len(world[0])))
        if not _is_asked(private, lists):
            return None
        release = ga.Release(ga.Transactions.from_lists(lists, private=private))
        made = safe(release, attackers, tolerance, **options)
        return bought(made.release, lists) if made else None

    return publish


def two_shops(
    first: tuple[Sequence[int], Sequence[str]],
    then: tuple[Sequence[int], Sequence[str]],
    attackers: Sequence[Any],
    tolerance: Any,
    private: Sequence[str],
    *,
    linked: Any = "rows",
) -> Owner:
    """Publish baskets of two periods, one after the other, or planned at once."""

    def publish(world: World) -> Sequence[Form] | None:
        lists = [baskets(world, *first), baskets(world, *then)]
        if not all(_is_asked(private, one) for one in lists):
            return None
        old, new = (ga.Release(ga.Transactions.from_lists(one, private=private)) for one in lists)
        if linked == "at once":
            try:
                made = ga.protect_together(
                    {"2025": old, "2026": new}, attackers, tolerance, effort=QUIET, facts="other"
                )
            except ga.NoSafeRelease:
                return None
            both = [one.release for one in made.assessments.values()] if made.verdict == "safe" else []
        else:
            rows = range(1, len(world) + 1)
            out = ga.Earlier(old, name="2025", linked=linked, rows=rows)
            found = safe(new, attackers, tolerance, earlier=out)
            both = [old, found.release] if found else []
        return [*zip(*map(bought, both, lists), strict=True)] if both else None

    return publish


def unjoined(carried: Carried) -> Hashable:
    """Return what everybody sees of two files whose rows cannot be joined."""
    files: tuple[Counter[Form], Counter[Form]] = Counter(), Counter()
    for (_, form), many in carried.items():
        assert isinstance(form, tuple)
        for file, part in zip(files, form, strict=True):
            file[part] += many
    return tuple(frozenset(file.items()) for file in files)
