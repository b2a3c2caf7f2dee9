"""Two releases, or two Summaries, compared."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.alike import joinable_rows, multiset_difference
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.limits import LIMITS
from giveaway.publish import Manifest
from giveaway.releases.difference import LISTED, Difference, RowsOfBoth, ThingsOfBoth, Unknown
from giveaway.releases.entries import CHANGES, compared, levels_of
from giveaway.releases.pairing import PairedRows, paired, same_data
from giveaway.releases.stored import Named, Saved, Stored, named, of_one_kind
from giveaway.releases.summaries import compare_attackers, compare_summaries, other_limits

_OF_PAIRS = ("rows.both", "rows.joined", "rows.left")
_LEDGER = "name the owner's file with --ledger."
_SCORES = frozenset({"support", "confidence", "count", "share", "at_least", "at_most"})
"""What a line says about its rule, people or value; everything else of it says which that is."""

_FILE = ""
"""The name under which a line tells its file: no column has it."""

About = frozenset[tuple[str, Label]]
Lines = Mapping[About, Mapping[str, Label]]


def diff(old: Named, new: Named, *, ledger: str | Path | None = None, id: str | None = None) -> Difference:
    """Say what differs between two releases, or between two Summaries.

    `old` and `new` are folders of releases, manifests, or Summaries: files, the mappings that `to_dict()` returns, or
    assessments. Of releases the files are read, as long as they are those of their manifests. Rows are paired by the
    owner's files next to the folders, or `ledger`, which know the order of both; by the column `id`, in which every row has a value of its own;
    or by their numbers where both manifests say that the order was kept. Else what needs pairs is not known, and
    `unknown` says so.

    >>> import giveaway as ga
    >>> data = ga.Transactions.from_lists([["a", "b"], ["a"], ["a", "b"], ["b"]])
    >>> planned = ga.assess(ga.Release(data), ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/3"))
    >>> safer = ga.protect(ga.Release(data), ga.KnowsItems(at_most=2), ga.Tolerance(identity="1/3"))
    >>> found = ga.diff(planned, safer)
    >>> found.verdicts, found.exposures.gone, found.withheld["items"].new
    (('at risk', 'safe'), 1, 1)
    """
    key = None if ledger is None else Path(ledger)
    first, second = named(old, called="old", ledger=key), named(new, called="new", ledger=key)
    of_one_kind(first, second)
    if isinstance(first, Saved) and isinstance(second, Saved):
        if ledger is not None or id is not None:
            raise ScenarioError(
                "Summaries have no rows to be paired.",
                hint="leave --ledger and --id out, or name the releases.",
            )
        return compare_summaries(first, second)
    assert isinstance(first, Stored) and isinstance(second, Stored)  # noqa: S101, PT018 # of one kind
    if key is not None:
        _check_entries(key, (first, second))
    return _compare_releases(first, second, id)


def _check_entries(ledger: Path, releases: tuple[Stored, Stored]) -> None:
    """Refuse an owner's file that does not know a release whose rows or codes only it could tell."""
    for one in releases:
        content = one.manifest.content
        if (
            one.kept is None
            and (content.get("renamed") or not one.manifest.order_kept)
            and "rules" not in one.manifest.counts
        ):
            raise DataError(
                f"{ledger} has no entry for {one.name}.",
                hint="name the owner's file that was given when it was published.",
            )


def _compare_releases(old: Stored, new: Stored, id: str | None) -> Difference:
    before, after = ({_called(one): one for one in _findings(of.manifest)} for of in (old, new))
    known = Difference(
        compares="releases",
        names=(old.name, new.name),
        verdicts=(str(old.manifest.content["verdict"]), str(new.manifest.content["verdict"])),
        rows=RowsOfBoth(old=old.manifest.counts.get("rows"), new=new.manifest.counts.get("rows")),
        sides=(_as_summary(old.manifest), _as_summary(new.manifest)),
        attackers=compare_attackers(before, after),
        other_tolerance=other_limits(before, after),
    )
    for one in (old, new):
        if one.contents.unread is not None:
            return replace(known, unknown=(_nothing(one.name, one.contents.unread),))
    if old.contents.kind != new.contents.kind:
        why = f"One holds {_held(old)}, the other {_held(new)}."
        return replace(known, unknown=(_nothing("", why),))
    if old.contents.kind == "rules":
        _refuse_id(id)
        return _lists(known, old, new)
    ours, theirs = old.contents.rows, new.contents.rows
    if isinstance(ours, Table) and isinstance(theirs, Table):
        return _tables(known, old, new, (ours, theirs), id)
    assert isinstance(ours, Transactions) and isinstance(theirs, Transactions)  # noqa: S101, PT018 # of one kind
    _refuse_id(id)
    return _transactions(known, ours, theirs, same=same_data(old, new))


def _refuse_id(id: str | None) -> None:
    if id is not None:
        raise ScenarioError(
            "--id names a column by which the rows of tables are paired.",
            hint="leave it out: these are not tables.",
        )


def _nothing(name: str, why: str) -> Unknown:
    what = (*_OF_PAIRS, "rows.only_old", "rows.only_new", *CHANGES, "joinable_rows")
    return Unknown(what=what, why=f"{name}: {why}" if name else why)


def _held(release: Stored) -> str:
    return {"table": "a table", "transactions": "transactions", "rules": "rules"}[str(release.contents.kind)]


def _tables(
    known: Difference, old: Stored, new: Stored, tables: tuple[Table, Table], id: str | None
) -> Difference:
    before, after = tables
    if not (old.contents.named and new.contents.named) and len(before.columns) != len(after.columns):
        why = "Their columns have no names, and there are not as many in both."
        return replace(known, unknown=(_nothing("", why),))
    pairs = paired(old, new, tables, id)
    columns = ThingsOfBoth.of(list(before.columns), list(after.columns))
    more = replace(known, columns=columns, joinable_rows=joinable_rows(before, after))
    if columns.both:
        only_old, only_new = multiset_difference(before, after), multiset_difference(after, before)
        more = replace(more, rows=replace(known.rows, only_old=len(only_old), only_new=len(only_new)))
    else:
        apart = Unknown(what=("rows.only_old", "rows.only_new"), why="They have no column in common.")
        more = replace(more, unknown=(apart,), filled_in=0, hides_nothing=0, finer=0, coarser=0, changed=0)
    if isinstance(pairs, PairedRows):
        return _paired(more, (old, new), tables, pairs)
    what = (*_OF_PAIRS, *(CHANGES if columns.both else ()))
    return replace(more, unknown=(*more.unknown, Unknown(what=what, why=pairs.why, hint=pairs.hint)))


def _paired(
    difference: Difference, releases: tuple[Stored, Stored], tables: tuple[Table, Table], pairs: PairedRows
) -> Difference:
    """Add what became of the rows and entries of people in both."""
    levels = levels_of(releases[0], len(tables[0])), levels_of(releases[1], len(tables[1]))
    entries = compared(tables, pairs, levels, LISTED)
    changed = entries.total("changed")
    kept = all(one.kept is not None for one in releases)
    coarser = Unknown(
        what=("finer", "coarser"),
        why="Whether some of the values that differ are coarser labels is in the owner's file alone.",
        hint=_LEDGER,
    )
    known = kept or not changed
    return replace(
        difference,
        rows=replace(
            difference.rows,
            both=len(pairs.old),
            joined=len(tables[1]) - len(pairs.new),
            left=len(tables[0]) - len(pairs.old),
            paired_by=pairs.by,
        ),
        filled_in=entries.total("filled_in"),
        hides_nothing=entries.total("hides_nothing"),
        finer=entries.total("finer") if known else None,
        coarser=entries.total("coarser") if known else None,
        changed=changed,
        by_column=entries.by_column,
        entries=entries.listed,
        taken=() if pairs.taken is None else (pairs.taken,),
        unknown=difference.unknown if known else (*difference.unknown, coarser),
    )


def _transactions(known: Difference, before: Transactions, after: Transactions, *, same: bool) -> Difference:
    """Compare transactions: where both are of the same data, an item that only one shows is blank in the other."""
    items = ThingsOfBoth.of([str(label) for label in before.labels], [str(label) for label in after.labels])
    rows = replace(
        known.rows,
        only_old=len(multiset_difference(before, after)),
        only_new=len(multiset_difference(after, before)),
    )
    difference = replace(known, items=items, joinable_rows=joinable_rows(before, after), rows=rows)
    if not same:
        why = "Nothing says that both are of the same transactions, in which an item that is not shown was withheld."
        return replace(difference, unknown=(Unknown(what=(*_OF_PAIRS, *CHANGES), why=why, hint=_LEDGER),))
    return replace(
        difference,
        rows=replace(rows, both=len(after), joined=0, left=0, paired_by="ledger"),
        filled_in=_occurrences(after, before),
        hides_nothing=_occurrences(before, after),
        finer=0,
        coarser=0,
        changed=0,
    )


def _occurrences(shown: Transactions, other: Transactions) -> int:
    """Count the occurrences of items that the other does not show."""
    pairs = zip(shown.labels, shown.supports.tolist(), strict=True)
    return sum(support for label, support in pairs if label not in other.code_of)


def _lists(known: Difference, old: Stored, new: Stored) -> Difference:
    """Compare the lines of all lists; a line is about the same when it says the same but for its scores."""
    before, after = _lines(old.contents.lists), _lines(new.contents.lists)
    both = [about for about in before if about in after]
    scores = [(before[one].get(name), after[one].get(name)) for one in both for name in sorted(_SCORES)]
    gone, new_ones = _texts(before.keys() - after.keys()), _texts(after.keys() - before.keys())
    return replace(
        known,
        lines=ThingsOfBoth(
            both=len(both),
            gone=len(gone),
            new=len(new_ones),
            gone_listed=gone[:LISTED],
            new_listed=new_ones[:LISTED],
        ),
        filled_in=sum(first is None and second is not None for first, second in scores),
        hides_nothing=sum(first is not None and second is None for first, second in scores),
        finer=0,
        coarser=0,
        changed=sum(None not in (first, second) and first != second for first, second in scores),
        unknown=(Unknown(what=(*_OF_PAIRS, "joinable_rows"), why="Lists are published, and no rows."),),
    )


def _lines(lists: Mapping[str, Table]) -> Lines:
    lines: dict[About, dict[str, Label]] = {}
    for file, table in lists.items():
        for record in range(len(table.weights)):
            shown = {
                name: table.labels[name][codes[record]]
                for name, codes in table.columns.items()
                if codes[record] >= 0
            }
            about = {(_FILE, file), *((name, text) for name, text in shown.items() if name not in _SCORES)}
            lines.setdefault(frozenset(about), {}).update(
                {n: text for n, text in shown.items() if n in _SCORES}
            )
    return lines


def _texts(lines: Iterable[About]) -> tuple[str, ...]:
    return tuple(sorted(_text(dict(line)) for line in lines))


def _text(line: dict[str, Label]) -> str:
    """Write what a line is about: a rule with its arrow, anything else column by column."""
    if {"antecedents", "consequents"} <= line.keys():
        return f"{line['antecedents']} => {line['consequents']}"
    return ", ".join(f"{name}={value}" for name, value in sorted(line.items()) if name != _FILE)


def _called(finding: Mapping[str, Any]) -> str:
    return f"{finding['attack']} {finding['knows']}"


def _findings(manifest: Manifest) -> list[dict[str, Any]]:
    """Return the attackers of a manifest as a Summary has them, as far as it knows them."""
    return [
        {**one, "attacker": {"knows": one["knows"]}, "kinds": _kinds(one.get("tolerance") or {})}
        for one in manifest.content["attackers"]
    ]


def _kinds(tolerance: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"kind": name, "limit": limit, "limit_exact": tolerance.get(f"{name}_exact")}
        for name, limit in tolerance.items()
        if name in LIMITS
    ]


def _as_summary(manifest: Manifest) -> dict[str, Any]:
    """Return what a manifest tells in the words of a Summary, for the side-by-side table."""
    counts = manifest.counts
    size = {name: counts[name] for name in ("rows", "items", "columns") if name in counts}
    kind = "table" if "columns" in counts else "transactions"
    return {
        "giveaway": manifest.content.get("giveaway"),
        "verdict": manifest.content["verdict"],
        "data": {"kind": kind, **size},
        "findings": _findings(manifest),
        "released": {"order": manifest.content.get("order"), "renamed": manifest.content.get("renamed")},
    }
