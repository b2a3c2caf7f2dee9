"""The files of earlier releases become what their readers have, each row with the row now that is the same person's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from giveaway.errors import DataError, ScenarioError
from giveaway.model.data.alike import joinable_rows
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.data.taken_rows import TakenRows
from giveaway.model.data.texts import Texts
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.earlier import Earlier, JoinedBy, Population
from giveaway.model.release.release import Release
from giveaway.model.release.rule import PublishedRules, Statement
from giveaway.model.release.whose_rows import who_changed
from giveaway.publish import Ledger, LedgerEntry
from giveaway.publish.given_away import GivenAway, given_away
from giveaway.publish.release import hash_of_data
from giveaway.scenario.earlier.fields import EarlierFields, PopulationFields
from giveaway.scenario.earlier.identified import identified, left_records
from giveaway.scenario.fields import ReleaseFields
from giveaway.scenario.lines import Lines
from giveaway.sources.address import Address, address

_STATEMENTS = "statements.csv"
_NAMED = 5
"""How many labels an error names."""


def load_earlier(
    entries: Sequence[EarlierFields], fields: ReleaseFields, base: Path, now: Release, data: Any, lines: Lines
) -> tuple[Earlier, ...]:
    """Read what was given away before a release now, whose data are read as `fields` say."""
    earlier = []
    for place, one in enumerate(entries):
        with lines.with_line(f"earlier.{place}"), lines.with_lines_of(f"earlier.{place}"):
            earlier.append(_Loading(entry=one, fields=fields, base=base, now=now, data=data).earlier())
    return tuple(earlier)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Loading:
    """One earlier release while it is read."""

    entry: EarlierFields
    fields: ReleaseFields
    base: Path
    now: Release
    data: Any

    def earlier(self) -> Earlier:
        entry, files = self.entry, self._release
        common: dict[str, Any] = {
            "name": entry.name or files.name,
            "linked": entry.linked,
            "facts": entry.facts,
            "changes": entry.changes,
            "already": entry.already,
            "population": self._population,
            "place": entry.release,
            "file": None if self._place is not None else files.main.resolve(),
            "missing": self.fields.missing,
            "sha256": files.sha256,
            "has_manifest": files.manifest is not None,
        }
        if self.now.rules is not None:
            rules, statements = self._rules()
            people, left = self.entry.population, None
            if isinstance(people, PopulationFields) and not isinstance(people.left, int):
                left = left_records(self.base / people.left, self.now, self.fields)
            if left is not None:
                joined = self._population.joined
                common["population"] = Population(joined=joined, left=tuple(range(1, len(left) + 1)))
            return Earlier(rules, statements=statements, original=left, **common)
        original = self.now.original
        if isinstance(original, Table):
            return self._table(original, common)
        if isinstance(original, Transactions):
            return self._transactions(original, common)
        raise ScenarioError(
            "Supports are judged by themselves, without earlier releases.",
            hint="leave earlier out, or give rows.",
        )

    @cached_property
    def _place(self) -> Address | None:
        """The address at which it lives, where it is not a file."""
        entry = self.entry
        place = address(entry.release, self.base)
        if place is None and (entry.table is not None or entry.query is not None):
            raise ScenarioError(
                f'{"table" if entry.query is None else "query"} belongs to an address, and "{entry.release}" is a file.',
                hint="an address begins with duckdb:, postgres:// or sc://.",
                field="table" if entry.query is None else "query",
            )
        if place is not None and (entry.ledger is not None or not self._is_of_rows):
            raise ScenarioError(
                f"{place.shown} is an address, and only rows of a table with an id are read from there.",
                hint="export what was given away, and name that file.",
                field="release",
            )
        return place

    @property
    def _is_of_rows(self) -> bool:
        return self.now.rules is None and isinstance(self.now.original, Table)

    @cached_property
    def _release(self) -> GivenAway:
        if self._place is None:
            return given_away(self.base / self.entry.release)
        name = self.entry.table or "query"
        return GivenAway(files={name: Path(name)}, sha256=None, manifest=None, name=name)

    @property
    def _as_written(self) -> dict[str, Any]:
        """How its values stand in its file; what was made here has a separator of its own."""
        made_here = self._release.manifest is not None
        return self.fields.as_written | ({"separator": None} if made_here else {})

    @cached_property
    def _entry(self) -> LedgerEntry | None:
        """What the owner kept of it."""
        if self.entry.ledger is None or self._release.sha256 is None:
            return None
        return Ledger.read(self.base / self.entry.ledger).of(self._release.sha256)

    @property
    def _order(self) -> Any:
        """Whether its rows stand as in its data: a file that was not made here and is said to be joined by its rows does."""
        if self._release.manifest is not None:
            return self._release.stated("order")
        return "kept" if self.entry.linked == "rows" else None

    # Tables ---------------------------------------------------------------------------------------------------

    def _table(self, now: Table, common: Mapping[str, Any]) -> Earlier:
        shown = self._shown(now)
        self._check_id(shown)
        self._check_changes(shown)
        rows, joined_by = self._rows(len(shown))
        by_id = now.id is not None and (shown.id is not None or joined_by == "ledger")
        if by_id and self._entry is not None and self._entry.ids is not None:
            shown = replace(shown, id=now.id, ids=Texts.of(map(str, self._entry.ids)))
        joinable = self._joinable(now, shown)
        unjudged = now.origin.layout.others if now.origin is not None else {}
        judged = [name for name in shown.columns if name not in unjudged]
        for name in judged:
            if name in now.columns and name not in self.entry.changes:
                self._check_labels(now, name, shown.labels[name])
        kept = shown.only(judged)
        earlier = Earlier(
            kept if kept.id == shown.id else replace(kept, id=shown.id, ids=shown.ids),
            rows=None if rows is None else rows + 1,
            joined_by=joined_by,
            original=self._left_out(now, judged, lambda: earlier.row_now(self.now)[0]),
            order=self._order,
            joinable=joinable,
            **common,
        )
        if rows is None and earlier.joins_by(self.now) in ("id", "ledger"):
            self._check_population(earlier)
        return earlier

    def _shown(self, now: Table) -> Table:
        """Read the rows of an earlier release, through the connection of the data now where it is at the same address."""
        from giveaway.sources import read_table
        from giveaway.sources.elsewhere import engines
        from giveaway.sources.encoding.grouping import NOTHING_ASKED
        from giveaway.sources.encoding.roles import Roles
        from giveaway.sources.formats.format import ReadAs

        missing = tuple(dict.fromkeys((*self.fields.missing, "")))
        if self._place is None:
            shown = read_table(
                self._release.main,
                id=self.entry.id,
                **self._as_written | {"missing": missing},
            )
            return replace(shown, sensitive=tuple(name for name in now.sensitive if name in shown.columns))
        held = engines(self._place.shown).beside(now, self._place, self.entry.table, self.entry.query)
        sensitive = tuple(name for name in now.sensitive if name in held.columns)
        stated = ReadAs(id=self.entry.id, sensitive=sensitive, missing=missing)
        return held.table(Roles(), stated, NOTHING_ASKED)

    def _check_id(self, shown: Table) -> None:
        now = self.fields.id
        if now is not None and now in shown.columns:
            raise ScenarioError(
                f'{self._release.main.name} shows the column "{now}", which identifies the records now.',
                hint=f'say id = "{now}", so that rows are joined by it.',
                field="release",
            )
        if self.entry.id is not None and now is None:
            raise ScenarioError(
                f'id = "{self.entry.id}" is given, and the data now have no id to be joined with.',
                hint="say id in [release] too.",
                field="id",
            )
        if shown.id is not None and not shown.names_once:
            shown.ids_as_texts(self._release.main.name)

    def _check_changes(self, shown: Table) -> None:
        unknown = [name for name in self.entry.changes if name not in shown.columns]
        if unknown:
            raise ScenarioError(
                f'changes names "{unknown[0]}", which {self._release.main.name} does not show.',
                exists=", ".join(shown.columns),
                field="changes",
            )

    def _check_labels(self, now: Table, name: str, labels: Sequence[Label]) -> None:
        """Refuse labels of other classes or of another hierarchy than those of now: nobody could tell what both say."""
        classes, hierarchy = now.classes.get(name), self.now.hierarchies.get(name)
        if classes is None and hierarchy is None:
            return
        known = set(map(str, now.labels[name]))
        if hierarchy is not None:
            groups = (hierarchy.groups(level) for level in range(1, hierarchy.depth + 1))
            known |= {*map(str, hierarchy.of), *(str(label) for part in groups for label in part)}
        odd = [
            str(label)
            for label in labels
            if str(label) not in known and not (classes is not None and classes.is_label(str(label)))
        ]
        if odd:
            what = "classes" if classes is not None else "labels of the hierarchy"
            raise DataError(
                f'{self._release.main.name} shows {", ".join(odd[:_NAMED])} in the column "{name}", which are not {what} of '
                "the release now.",
                exists=", ".join(sorted(known)[:_NAMED]),
                hint=f'use the same {what.split(maxsplit=1)[0]} as then, or say changes = ["{name}"]: both are then taken to be known.',
                field="release",
            )

    @cached_property
    def _whole(self) -> Table:
        """The data now with all their columns, also those that are not published."""
        from giveaway.sources import read_table

        rules = self._release.stated("classes") or {}
        fields, now = self.fields, self.now.original
        published = now.columns if isinstance(now, Table) else {}
        classes = {name: rule for name, rule in rules.items() if name not in published} or None
        there = now.whole(classes, fields.decimal) if isinstance(now, Table) else None
        if there is not None:
            return there
        how: dict[str, Any] = {"table": fields.table, "query": fields.query, "decimal": fields.decimal}
        return read_table(self.data, id=fields.id, classes=classes, **fields.as_written, **how)

    def _left_out(self, now: Table, shown: Sequence[str], rows: Callable[[], Ints | None]) -> Table | None:
        """Return the true values of columns that the earlier release shows and the one now leaves out."""
        known = now.origin.layout.left_out if now.origin is not None else ()
        other = (*now.columns, *self.entry.changes)  # what changes may have been another value then
        only_then = [name for name in shown if name not in other and name in known]
        if not only_then:
            return None
        names = [name for name in only_then if name in self._whole.columns]
        return TakenRows.of(self._whole.only(names), names, rows) if names else None

    def _joinable(self, now: Table, shown: Table) -> int | None:
        """Count the rows that can be joined by all that both show; None where nothing but what is judged is in both."""
        unjudged = now.origin.layout.others if now.origin is not None else {}
        both = [name for name in shown.columns if name in unjudged and name in self._whole.columns]
        if not both:
            return None
        judged = [name for name in shown.columns if name in now.columns and name in self._whole.columns]
        rows = joinable_rows(shown, self._whole.only([*judged, *both]))
        without = joinable_rows(shown.only(judged), self._whole.only(judged)) if judged else 0
        if self.entry.linked == "people" and rows > without:
            raise ScenarioError(
                f"{rows:,} rows can be joined by {', '.join(both)}, which both releases publish unjudged.",
                hint='say linked = "rows", or leave the column out of the release now.',
                field="linked",
            )
        return rows

    # Transactions ---------------------------------------------------------------------------------------------

    def _transactions(self, now: Transactions, common: Mapping[str, Any]) -> Earlier:
        from giveaway.sources import read_transactions

        fields, renamed = self.fields, bool(self._release.stated("renamed"))
        ids = None
        if self.entry.id is not None:
            ids = identified(
                self._release.main, self.entry.id, fields, made_here=self._release.manifest is not None
            )
        # Of a file with a column for each item all other columns are named, and the id is one of them.
        beside = dict.fromkeys(
            (*fields.publish_unjudged, *([] if self.entry.id is None else [self.entry.id]))
        )
        shown = read_transactions(
            self._release.main,
            id=None if fields.item is None else (fields.id and self.entry.id) or fields.id,
            item=fields.item,
            **self._as_written,
            publish_unjudged=() if fields.item is not None else tuple(beside),
            rest="leave_out" if fields.item is not None else None,
        )
        codes = None if self._entry is None or not renamed else self._entry.codes
        if codes is not None:
            shown = shown.under({code: label for code, label in codes.items() if code in shown.code_of})
        private = {now.labels[code] for code in now.private}
        shown = replace(
            shown, private=frozenset(shown.code_of[label] for label in private if label in shown.code_of)
        )
        rows, joined_by = self._rows(len(shown)) if ids is None else (self._by_ids(ids), "id")
        return Earlier(
            shown,
            rows=None if rows is None else rows + 1,
            joined_by=joined_by,
            renamed=renamed,
            codes=None if codes is None else {label: code for code, label in codes.items()},
            same_codes=self.entry.codes == "same",
            order=self._order,
            **common,
        )

    def _by_ids(self, ids: Sequence[str]) -> Ints:
        """Return for each earlier transaction the one now that has the same id, from 0, or -1 for whoever left."""
        now = identified(self.data, self.fields.id or self.entry.id or "", self.fields)
        if len(now) != len(self.now.original):
            raise DataError(
                f"The data have {len(self.now.original):,} transactions, and {len(now):,} are identified.",
                hint="every transaction needs an id of its own.",
                field="id",
            )
        place = {one: row for row, one in enumerate(now)}
        return np.fromiter((place.get(one, -1) for one in ids), np.int64, len(ids))

    # Rules ----------------------------------------------------------------------------------------------------

    def _rules(self) -> tuple[PublishedRules, tuple[Statement, ...]]:
        from giveaway.sources import read_rules, read_statements

        table, shown = self.now.original, self._release
        assert isinstance(table, Table)  # noqa: S101 # only tables have rules
        files = dict(shown.files)
        listed = files.pop(_STATEMENTS, None)
        if shown.manifest is None and listed is None and _is_statements(shown.main):
            listed, files = shown.main, {}
        statements = () if listed is None else tuple(read_statements(listed, table))
        main = files.get(
            "rules.csv", None if shown.manifest is not None else next(iter(files.values()), None)
        )
        if main is None:
            return PublishedRules.none(), statements
        thresholds = shown.stated("rules")
        if self.entry.rules is None and thresholds is None:
            raise ScenarioError(
                f"Nothing says above which thresholds the rules of {shown.name} are.",
                hint="rules = { min_support = 0.1, min_confidence = 0.6 } in [[earlier]] tells what its readers know.",
                field="rules",
            )
        rules = read_rules(main, table)
        if self.entry.rules is not None:
            return self.entry.rules.published(rules), statements
        # A manifest never says that a list is complete; the owner's file tells whether a rule was withheld.
        complete = self._entry is not None and not self._entry.rules
        return PublishedRules(rules, **({"complete": complete} | thresholds)), statements

    # Whose row is whose ---------------------------------------------------------------------------------------

    @cached_property
    def _population(self) -> Population:
        who = self.entry.population
        if not isinstance(who, PopulationFields):
            return Population()
        return Population(joined=self._people(who.joined), left=self._people(who.left))

    def _people(self, who: str | int) -> tuple[Label, ...] | int:
        if isinstance(who, int):
            return who
        lines = (self.base / who).read_text(encoding=self.fields.encoding).splitlines()
        named = [line.strip().strip('"') for line in lines]
        if named and named[0] in (self.fields.id, self.entry.id, "row", "id"):
            named = named[1:]
        return tuple(name for name in named if name)

    def _rows(self, size: int) -> tuple[Ints | None, JoinedBy | None]:
        """Return for each row of the earlier release the row now, from 0, or -1 for whoever left; None where ids tell."""
        entry, table = self._entry, self.now.original
        has_id = isinstance(table, Table) and table.id is not None
        if entry is not None:
            _check_size(entry, size, self._release.main)
            if has_id and entry.ids is not None:
                return None, "ledger"
            then = np.arange(size) if entry.rows is None else np.array(entry.rows, np.int64) - 1
            became = self._in_order(
                size, same=entry.data is not None and entry.data == hash_of_data(self.now)
            )
            return (None, None) if became is None else (became[then], "ledger")
        if has_id and self.entry.id is not None:
            return None, "id"
        became = self._in_order(size) if self._order == "kept" else None
        return (None, None) if became is None else (became, "row number")

    def _in_order(self, size: int, *, same: bool = False) -> Ints | None:
        """Return for each row of the data then the row now where both have the same order; None where that is not known."""
        total = len(self.now.original)
        if same:
            return np.arange(size)
        people = self._population
        joined, left = self._numbers(people.joined, total, now=True), self._numbers(people.left, size)
        if joined is None or left is None:
            return None
        stayed_now = np.setdiff1d(np.arange(total), joined)
        stayed_then = np.setdiff1d(np.arange(size), left)
        if len(stayed_now) != len(stayed_then):
            return None
        became = np.full(size, -1, np.int64)
        became[stayed_then] = stayed_now
        return became

    def _numbers(self, who: tuple[Label, ...] | int, size: int, *, now: bool = False) -> Ints | None:
        """Return the rows of people, from 0; None where only their number is known."""
        if isinstance(who, int):
            return None if who else np.zeros(0, np.int64)
        table = self.now.original
        if now and isinstance(table, Table) and table.id is not None:
            return np.array([table.row(one) for one in who], np.int64)
        numbers = [int(str(one)) if str(one).isdecimal() else 0 for one in who]
        if any(not 1 <= number <= size for number in numbers):
            raise DataError(
                f"population names a row that is not there: {who[0]}.",
                exists=f"rows 1 to {size:,}",
                field="population",
            )
        return np.array(numbers, np.int64) - 1

    def _check_population(self, earlier: Earlier) -> None:
        """Refuse numbers of people who joined and left that are not those of the ids."""
        if not isinstance(self.entry.population, PopulationFields):
            return
        true = dict(zip(("joined", "left"), who_changed(self.now, earlier) or (0, 0), strict=True))
        for word, who in (("joined", self._population.joined), ("left", self._population.left)):
            number = who if isinstance(who, int) else len(who)
            if number != true[word]:
                raise DataError(
                    f"population says that {number:,} {word}, and by their ids {true[word]:,} did.",
                    hint="leave population out where ids tell who is who.",
                    field="population",
                )


def _check_size(entry: LedgerEntry, size: int, file: Path) -> None:
    known = next((len(part) for part in (entry.rows, entry.ids) if part is not None), size)
    if known != size:
        raise DataError(
            f"The ledger tells of {known:,} rows, and {file.name} has {size:,}.",
            hint="name the ledger that was kept with this release.",
            field="ledger",
        )


def _is_statements(file: Path) -> bool:
    """Tell whether a file holds statements, not rules."""
    with file.open(encoding="utf-8", errors="replace") as text:
        first = text.readline().lower()
    return "value" in first and not any(word in first for word in ("antecedents", "lhs", "rules"))
