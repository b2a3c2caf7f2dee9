"""A release: a form of the original minus what is withheld."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import Nouns
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.people import Gaps, PlannedForms
from giveaway.model.data.supports import Supports
from giveaway.model.data.table import Table
from giveaway.model.data.transactions import Transactions
from giveaway.model.release.categories import ITEM, check_categories, check_items, check_kept, item_hierarchy
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.lot import Lot
from giveaway.model.release.rule import PublishedRules, Statement
from giveaway.model.release.sensitivity import Sensitivity
from giveaway.model.release.withheld import Withheld

if TYPE_CHECKING:
    from giveaway.model.question.attacker import Attacker
    from giveaway.model.question.tolerance import Tolerance
    from giveaway.model.release.earlier import Earlier

_NOTEBOOK = "giveaway.report.html.notebook"
"""The view lies above the model, and is imported by name when it is first drawn."""

Entries = Cells | Iterable[Any]
"""Entries as a user names them: records (or, to be published, columns), or pairs of a record and a column."""


class EarlierPlans(Protocol):
    """Plans of a public list that come before the one that was published."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that somebody knows of everybody for whom, and for whom alone, it is worked out what a failure tells."""

    def fail_in(self, release: "Release") -> Fraction:
        """Return how likely they fail at least, for all that somebody sees of a release."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Release:
    """The original data, inside as the truth that guesses are scored with, and what is withheld of them.

    >>> import giveaway as ga
    >>> release = ga.Release(ga.Transactions.from_lists([["a", "b"], ["a"]]))
    >>> release.withholding(ga.Withheld(items=["b"])).published.labels
    ('a',)

    Of a table, rows are published with the secrets hidden, or rules instead of rows:

    >>> people = ga.Table.from_rows([{"job": "cook", "ill": "yes"}, {"job": "cook", "ill": "no"}], sensitive="ill")
    >>> sorted(ga.Release(people, secrets=[1]).published.columns["ill"].tolist())
    [-1, 0]

    Parameters:
        original: the data: Transactions or a Table.
        withheld: what is withheld already (nothing).
        stated: the part of it that was chosen by hand, or in another run, so that nothing is known of
            the rule by which it was (all of it: only `protect` knows what it chose by its own rule).
        renamed: publish random codes instead of item labels (False).
        order: of the released rows: "shuffled", or "kept" as in the original ("shuffled").
        gaps: of a table: whether somebody in the directory whose value is missing stands "apart" from
            records that show one, or does "agree" with them ("apart").
        secrets: of a table: sensitive entries that must be hidden; records, or pairs of a record and a
            column.
        must_publish: of a table: entries that must stay; columns, or pairs of a record and a column.
        sensitive_values: of a table: the only sensitive values worth protecting (all).
        sensitive_classes: of a table: sensitive values that hurt together, for a column the classes by
            name.
        rules: of a table: the rules that are published instead of rows.
        statements: of a table: further aggregates that are published with the rules, or alone.
        sensitivity: of a table: how much it hurts when a record is recognised (the same for all).
        hierarchies: the columns of a table of which coarser labels may be published, with their hierarchies; under
            `item` the categories of items.
        earlier: the releases that were given away before, with which it is judged too.
        words: what rows and items are called in sentences, as in {"row": "basket", "item": "product"}; a
            noun, or a list of its singular and plural.
        keep: of transactions: items that must be published under their own names; set by `NeedsItems`.
        plans: set by `protect`.
        earlier_plans: set by `protect`.
        beside: set by `assess` and `protect`.
        lot: what all draws for it come from, those of an owner's file or its own; set by `protect`.
    """

    original: Transactions | Supports | Table
    withheld: Withheld
    stated: Withheld
    """The part of what is withheld of which the rule is not known by which it was chosen."""
    renamed: bool
    """Whether random codes are published instead of item labels."""
    order: Literal["kept", "shuffled"]
    """Of the released rows: as in the original, or drawn from the operating system's entropy."""
    gaps: Gaps
    """Whether somebody whose value is missing is nobody to a record that shows one, or agrees with it."""
    secrets: Cells
    """Sensitive entries that must be hidden."""
    must_publish: Cells
    """Entries that must not be hidden."""
    sensitive_values: tuple[Label, ...] | None
    """The only sensitive values worth protecting; all when None, or when empty without classes of values."""
    sensitive_classes: Mapping[str, Mapping[str, tuple[Label, ...]]]
    """Sensitive values that hurt together: for a column the classes by name."""
    rules: PublishedRules | None
    """The rules that are published instead of rows; an empty list where statements alone are."""
    statements: tuple[Statement, ...]
    """Aggregates that are published with the rules, or alone."""
    sensitivity: Sensitivity
    """How much it hurts when a record is recognised."""
    hierarchies: Mapping[str, Hierarchy]
    """The columns of which coarser labels may be published, with their hierarchies; of transactions, `item` alone."""
    earlier: tuple["Earlier", ...]
    """The releases that were given away before; with `linked` "nobody" they tell of nobody here."""
    words: Nouns
    """What rows and items are called in sentences."""
    keep: tuple[Label, ...]
    """Items that must not be withheld, nor given as their category."""
    plans: tuple[PlannedForms, ...]
    """How everybody of a directory would be shown, where what is withheld was planned on it."""
    earlier_plans: EarlierPlans | None
    """The plans that were tried first and failed by what they told of sensitive values, where there were any."""
    beside: tuple[tuple["Attacker", "Tolerance"], ...]
    """All who are or were asked about: what is withheld for one may tell another something."""

    lot: Lot
    """What all draws for it come from: asked again, the same release is drawn the same."""

    def __init__(
        self,
        original: Transactions | Supports | Table,
        withheld: Withheld = Withheld(),
        *,
        stated: Withheld | None = None,
        renamed: bool = False,
        order: Literal["kept", "shuffled"] = "shuffled",
        gaps: Gaps = "apart",
        secrets: Entries = (),
        must_publish: Entries = (),
        sensitive_values: Iterable[Label] | None = None,
        sensitive_classes: Mapping[str, Mapping[str, Iterable[Label]]] | None = None,
        rules: PublishedRules | None = None,
        statements: Iterable[Statement] = (),
        sensitivity: Sensitivity = Sensitivity(),
        hierarchies: Mapping[str, Hierarchy | Mapping[Label, Iterable[Label]]] | None = None,
        earlier: "Iterable[Earlier]" = (),
        words: Nouns | Mapping[str, str | Iterable[str]] | None = None,
        keep: Iterable[Label] = (),
        plans: Iterable[PlannedForms] = (),
        earlier_plans: EarlierPlans | None = None,
        beside: "Iterable[tuple[Attacker, Tolerance]]" = (),
        lot: Lot | None = None,
    ) -> None:
        if not isinstance(original, Transactions | Supports | Table):
            raise ScenarioError(
                f"A release is made of Transactions or a Table, not of {type(original).__name__}.",
                hint="ga.Transactions.from_lists(rows) or ga.Table.from_frame(frame) makes them.",
            )
        if order not in ("kept", "shuffled"):
            raise ScenarioError(f"order = {order!r} is unknown.", exists="kept, shuffled")
        if gaps not in ("apart", "agree"):
            raise ScenarioError(f"gaps = {gaps!r} is unknown.", exists="apart, agree")
        statements = tuple(statements)
        vars(self).update(
            original=original,
            withheld=withheld if stated is None else withheld | stated,
            stated=withheld if stated is None else stated,
            renamed=renamed,
            order=order,
            gaps=gaps,
            secrets=secrets if isinstance(secrets, Cells) else _secrets(original, secrets),
            must_publish=must_publish if isinstance(must_publish, Cells) else _marks(original, must_publish),
            sensitive_values=None if sensitive_values is None else _values(original, sensitive_values),
            sensitive_classes={
                column: {name: _values(original, values) for name, values in classes.items()}
                for column, classes in (sensitive_classes or {}).items()
            },
            rules=PublishedRules.none() if rules is None and statements else rules,
            statements=tuple(
                one.in_classes(original.classes, original.sensitive) if isinstance(original, Table) else one
                for one in statements
            ),
            sensitivity=sensitivity,
            hierarchies=_hierarchies(original, hierarchies or {}),
            earlier=tuple(earlier),
            words=Nouns.of(words),
            keep=tuple(dict.fromkeys(keep)),
            plans=tuple(plans),
            earlier_plans=earlier_plans,
            beside=tuple(beside),
            lot=lot or Lot(),
        )
        self._check_table()

    @property
    def _form(self) -> str:
        """What is published, in a few words."""
        if self.rules is not None:
            return f"{len(self.rules.rules):,} rules"
        return "codes instead of items" if self.renamed else "rows"

    def __repr__(self) -> str:
        data = repr(self.original).strip("<>")
        return f"<Release of {self._form} of {data}; {self.withheld} withheld>"

    def _repr_html_(self) -> str:
        view: str = import_module(_NOTEBOOK).release(repr(self).strip("<>"), *self._published_parts())
        return view

    def _published_parts(self) -> tuple[str, dict[str, tuple[int, int]]]:
        """Tell of what is published how much is: of each column of a table, or of the items of transactions."""
        original = self.original
        if isinstance(original, Table) and self.rules is None:
            size = len(original)
            changed = {
                name: len(self.hidden.positions(name)) + len(self.coarser.of(name)[0])
                for name in original.columns
            }
            return "Column", {name: (size - count, size) for name, count in changed.items()}
        published = self.published
        if isinstance(original, Transactions) and isinstance(published, Transactions):
            occurrences = tuple(int((data.supports).sum()) for data in (published, original))
            items = (len(published.labels), len(original.labels))
            return "Of", {"items": items, "item occurrences": (occurrences[0], occurrences[1])}
        return "", {}

    def _check_table(self) -> None:
        """Refuse what only a table can have, and marks that contradict each other."""
        for_tables = (
            self.secrets,
            self.must_publish,
            self.sensitive_values,
            self.sensitive_classes,
            self.rules,
            self.statements,
            not self.sensitivity.is_constant,
        )
        if not isinstance(self.original, Table):
            if any(for_tables):
                raise ScenarioError("Secrets, marks, rules, statements and sensitivities belong to a table.")
            check_items(self.original, self.stated)
            check_categories(self.original, self.hierarchies, self.withheld)
            check_kept(self.original, self.keep, self.withheld)
            return
        if self.keep:
            raise ScenarioError(
                "Items to keep belong to transactions, and this is a table.", hint="use must_publish."
            )
        if self.withheld.item_levels:
            raise ScenarioError("Levels of items belong to transactions.", field="item_levels")
        for column, hierarchy in self.hierarchies.items():
            hierarchy.check(column, self.original.labels[self.original.checked(column)])
        if self.original.combined and self.rules is None:
            raise ScenarioError(
                "Sensitive columns are taken together where rules are published, and here rows are.",
                hint="give rules, or leave the columns as they are.",
            )
        for column in self.secrets.columns:
            if column not in self.original.sensitive:
                raise ScenarioError(
                    f"A secret lies in the column {column}, which is not sensitive.",
                    exists=", ".join(self.original.sensitive) or "no sensitive column",
                )
        self._check_stated()
        for record, column in self.secrets & self.must_publish:
            name = self.original.record(record - 1)
            raise ScenarioError(f"The secret entry of record {name} in {column} is marked to be published.")

    def _check_stated(self) -> None:
        """Refuse entries that are stated to be withheld and to be published, and levels that their columns do not have."""
        for record, column in self.stated.cells & self.must_publish:
            name = self.original.record(record - 1) if isinstance(self.original, Table) else record
            raise ScenarioError(
                f"The entry of record {name} in {column} is withheld and marked to be published.",
                field="withheld",
            )
        for column in self.stated.levels.columns:
            depth = self.hierarchies[column].depth if column in self.hierarchies else 0
            level = int(self.stated.levels.of(column)[1].max())
            if level > depth:
                raise ScenarioError(
                    f"The column {column} has no coarser labels of level {level}.",
                    exists=f"levels 1 to {depth}" if depth else "no hierarchy",
                    field="withheld",
                )

    @property
    def withholds_by_hand(self) -> bool:
        """Whether just some entries of a column are withheld, wholly or in part, and nothing is known of why these.

        Which columns are withheld altogether, or given at one level, says nothing of anybody.
        """
        cells, levels, rows = self.stated.cells, self.stated.levels, len(self.original)
        return any(len(cells.positions(name)) < rows for name in cells.columns) or any(
            len(at) < rows or len(np.unique(level)) > 1 for at, level in map(levels.of, levels.columns)
        )

    @property
    def shows_order(self) -> bool:
        """Whether rows are published in the order of the original."""
        return self.order == "kept" and self.rules is None and not isinstance(self.original, Supports)

    @cached_property
    def alone(self) -> "Release":
        """The same release, as if nobody else were asked about."""
        if not self.beside:
            return self
        alone = replace(self, beside=())
        vars(alone)["published"] = self.published  # the same, with all that is remembered of it
        return alone

    @cached_property
    def published(self) -> Transactions | Supports | Table | PublishedRules:
        """What the attacker sees."""
        if isinstance(self.original, Transactions | Supports):
            return self.own_names if not self.categories else self._under_categories()
        if self.rules is not None:
            return self._published_rules(self.original, self.rules)
        return self.original.without(self.hidden).coarsened(self.coarser, self.hierarchies)

    def _under_categories(self) -> Transactions:
        assert isinstance(self.original, Transactions)  # noqa: S101 # only they have categories
        return self.original.without(self.withheld.items).under(self.categories)

    @cached_property
    def categories(self) -> dict[Label, Label]:
        """The items that are published under a category, and the label that stands for each."""
        of = self.hierarchies.get(ITEM)
        if isinstance(self.original, Table) or of is None:
            return {}
        shown = {item: of.label(item, level) for item, level in self.withheld.item_levels.items()}
        return {item: label for item, label in shown.items() if str(label) != str(item)}

    @cached_property
    def own_names(self) -> Transactions | Supports:
        """What is published of transactions under its own name: all but what is withheld or shown as a category."""
        assert isinstance(self.original, Transactions | Supports)  # noqa: S101 # asked of them alone
        return self.original.without((*self.withheld.items, *self.categories))

    def items_shown_as(self, label: Label) -> tuple[Label, ...]:
        """Return the items that are published under a label: the item itself, or those of a category."""
        return self._behind.get(label, (label,))

    @cached_property
    def _behind(self) -> dict[Label, tuple[Label, ...]]:
        """The items of each category that is published."""
        behind: dict[Label, list[Label]] = {}
        for item, label in self.categories.items():
            behind.setdefault(label, []).append(item)
        return {label: tuple(items) for label, items in behind.items()}

    def _published_rules(self, table: Table, rules: PublishedRules) -> PublishedRules:
        """Return the rules that are not withheld; a list that only its higher thresholds shorten is still complete."""
        withheld = self.withheld
        rules.without(withheld.rules)  # refuses a rule that is not in the list
        raised = rules.raised(table, withheld.min_support, withheld.min_confidence)
        listed = set(raised.rules)
        left = raised.without(rule for rule in withheld.rules if rule in listed)
        return left.with_scores(withheld.scores)

    @property
    def published_statements(self) -> tuple[Statement, ...]:
        """The statements that are not withheld."""
        gone = {one.key for one in self.withheld.statements}
        return tuple(one for one in self.statements if one.key not in gone)

    @cached_property
    def earlier_plans_fail(self) -> Fraction:
        """At least so likely the plans fail that were tried first, for all that this release shows; 1 where none was."""
        return Fraction(1) if self.earlier_plans is None else self.earlier_plans.fail_in(self)

    @property
    def hidden(self) -> Cells:
        """The entries that are not published: the secrets and those withheld to protect them."""
        return self.secrets | self.withheld.cells

    @property
    def coarser(self) -> Levels:
        """The entries of which a coarser label is published."""
        return self.withheld.levels.without(self.secrets)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left that the attacker could use or a reader would want."""
        published = self.published
        if isinstance(published, Transactions):
            return bool(published.is_private.all())
        if isinstance(published, Supports):
            return not published.supports.any()
        if isinstance(published, PublishedRules):
            planned = (self.rules is not None and self.rules.rules) or not self.published_statements
            return bool(planned) and not published.rules and bool(self.withheld)
        return all(bool((codes == -1).all()) for codes in published.columns.values())

    def withholding(self, more: Withheld) -> "Release":
        """Return a release that withholds more, chosen by the rule of a protector; what is chosen by hand is given to `Release`."""
        return replace(self, withheld=self.withheld | more)


def table_of(release: Release) -> Table:
    """Return the original of a release that is one of a table."""
    assert isinstance(release.original, Table)  # noqa: S101 # asked of those alone
    return release.original


def _hierarchies(
    original: Transactions | Supports | Table,
    hierarchies: Mapping[str, Hierarchy | Mapping[Label, Iterable[Label]]],
) -> dict[str, Hierarchy]:
    """Join the hierarchies that are given with the ladders of a table, of which a column has one or the other."""
    ladders = original.ladders if isinstance(original, Table) else {}
    ruled = {column: ladder.hierarchy for column, ladder in ladders.items()}
    named = {
        column: hierarchy if isinstance(hierarchy, Hierarchy) else Hierarchy(hierarchy)
        for column, hierarchy in hierarchies.items()
    }
    if not isinstance(original, Table):
        return item_hierarchy(original, named)
    both = next((column for column in named if column in ruled and named[column] != ruled[column]), None)
    if both is not None:
        raise ScenarioError(
            f"The column {both} has a hierarchy and a ladder.", hint="give one of them.", field="hierarchies"
        )
    # A column that turned out to have no role is judged by nobody, and needs no ladder.
    gone = {column for column in ruled if isinstance(original, Table) and column not in original.columns}
    return {column: hierarchy for column, hierarchy in (ruled | named).items() if column not in gone}


def _values(original: Transactions | Supports | Table, values: Iterable[Label]) -> tuple[Label, ...]:
    """Return the sensitive values, in the place of values the classes of their columns."""
    values = tuple(values)
    classed = (
        [original.classes[name] for name in original.sensitive if name in original.classes]
        if isinstance(original, Table)
        else []
    )
    if not classed:
        return values
    labels: list[Label] = []
    for value in values:
        labels += [met for classes in classed for met in classes.agreeing(str(value)) or ()] or [value]
    return tuple(dict.fromkeys(labels))


def _secrets(original: Transactions | Supports | Table, entries: Entries) -> Cells:
    """Find secret entries; a record alone stands for its entry in the only sensitive column."""
    pairs = list(entries)
    if not pairs or not isinstance(original, Table):
        return Cells() if not pairs else _not_a_table()
    bare = [entry for entry in pairs if not isinstance(entry, tuple)]
    if bare and len(original.sensitive) != 1:
        raise ScenarioError(
            "Secrets name records only, but not which of the sensitive columns.",
            exists=", ".join(original.sensitive) or "no sensitive column",
            hint="give pairs of a record and a column.",
        )
    return original.cells(
        entry if isinstance(entry, tuple) else (entry, original.sensitive[0]) for entry in pairs
    )


def _marks(original: Transactions | Supports | Table, entries: Entries) -> Cells:
    """Find entries that must be published; a column alone stands for all of its entries."""
    if isinstance(entries, str):
        raise ScenarioError(
            "must_publish is a list of columns or entries, not one text.", hint='write ["age"].'
        )
    pairs = list(entries)
    if not pairs or not isinstance(original, Table):
        return Cells() if not pairs else _not_a_table()
    columns = [original.checked(str(entry)) for entry in pairs if not isinstance(entry, tuple)]
    whole = Cells.at({column: np.arange(len(original)) for column in columns})
    return whole | original.cells(entry for entry in pairs if isinstance(entry, tuple))


def _not_a_table() -> Cells:
    raise ScenarioError("Secrets and marks belong to a table.")
