"""The fields of a scenario file that describe the release and the need."""

from collections.abc import Iterable
from dataclasses import Field, dataclass
from typing import Any, Literal

from giveaway.errors import Mistake, ScenarioError
from giveaway.model.attacker import listed
from giveaway.model.exact import Number
from giveaway.model.fields import described, settable
from giveaway.model.labels import Label
from giveaway.model.need import Need, NeedsCells, NeedsItemsets, NeedsRules
from giveaway.model.rule import PublishedRules, Rule, Statement

LATER = {
    "release": ("table", "query", "hierarchies", "sensitivity"),
    "needs": ("columns",),
    "protect": ("directory",),
    "attack": ("directory",),
}
"""Words of the scenario grammar whose attack this version does not have."""


def words(kind: type) -> dict[str, Field[Any]]:
    """Return the fields of a dataclass by the word of the grammar; `from_` is written `from`."""
    return {name.removesuffix("_"): field for name, field in settable(kind).items()}


_SAID = {name: field.metadata["doc"] for name, field in settable(PublishedRules).items()}


@dataclass(frozen=True, kw_only=True)
class Digits:
    """Numbers rounded for publication."""

    digits: int = described("so many digits after the point")


@dataclass(frozen=True, kw_only=True)
class RulesFields:
    """What `rules` in [release] says: the list is found in the data or read from a file."""

    min_support: Number = described(_SAID["min_support"])
    min_confidence: Number = described(_SAID["min_confidence"])
    scores: Literal["withheld", "exact"] | Digits = described(_SAID["scores"], default="withheld")
    complete: bool = described(_SAID["complete"], default=True)
    distribution: Literal["withheld", "published"] = described(_SAID["distribution"], default="withheld")
    inclusive: bool = described(_SAID["inclusive"], default=True)
    from_: str | None = described("a file with the rules; found in the data when left out", default=None)

    def __post_init__(self) -> None:
        self.published(())

    def published(self, rules: Iterable[Rule]) -> PublishedRules:
        """Publish some rules as these fields say."""
        return PublishedRules(
            rules,
            min_support=self.min_support,
            min_confidence=self.min_confidence,
            scores=self.scores.digits if isinstance(self.scores, Digits) else self.scores,
            complete=self.complete,
            distribution=self.distribution,
            inclusive=self.inclusive,
        )


@dataclass(frozen=True, kw_only=True)
class ReleaseFields:
    """The section [release]."""

    data: str = described("the file: .dat or .txt baskets, .csv, .tsv, .parquet or .jsonl, each also as .gz")
    kind: Literal["transactions", "table", "supports"] | None = described(
        "transactions, table or supports; guessed when left out", default=None
    )
    transactions: int | None = described(
        "supports: the number of transactions in which they were counted; the file has the columns item and support",
        default=None,
    )
    private: tuple[str, ...] = described("items that must not be inferred", default=())
    private_from: str | None = described("the same from a file, one item a line", default=None)
    domain: tuple[str, ...] = described(
        "items that belong to the domain although they never occur", default=()
    )
    domain_from: str | None = described("the same from a file, one item a line", default=None)
    renamed: bool = described("publish random codes instead of item labels", default=False)
    sensitive: tuple[str, ...] = described("table: the sensitive column or columns", default=())
    sensitive_values: tuple[Label, ...] = described(
        "table: the only sensitive values worth protecting; all when left out", default=()
    )
    id: str | None = described(
        "the column that identifies a record or transaction; never published", default=None
    )
    item: str | None = described(
        "transactions: the column that holds an item, or a list of them", default=None
    )
    missing: tuple[str, ...] = described("what counts as missing", default=("",))
    separator: str | None = described("between the columns; sniffed when left out", default=None)
    header: bool = described("false: columns are named c1, c2, ...", default=True)
    publish_unjudged: tuple[str, ...] = described("columns published without being judged", default=())
    leave_out: tuple[str, ...] = described("columns that are not published", default=())
    encoding: str = described("of text files", default="utf-8")
    order: Literal["kept", "shuffled"] = described("of the released rows", default="kept")
    secrets: str | None = described(
        "table: a file of sensitive entries that are hidden; its columns: the id or row, and column when several are "
        "sensitive",
        default=None,
    )
    must_publish: str | tuple[str, ...] = described(
        "table: a file of entries that must stay, with the id or row, and column; or a list of whole columns",
        default=(),
    )
    rules: RulesFields | None = described(
        "table: publish association rules, not rows; its fields follow", default=None
    )
    statements: tuple[Statement, ...] = described(
        "table: further aggregates that are published with the rules, each with these fields", default=()
    )
    statements_from: str | None = described(
        "the same from a file, such as the leaves of a decision tree", default=None
    )

    def __post_init__(self) -> None:
        wrong: list[Mistake] = []
        for first, second in (("private", "private_from"), ("domain", "domain_from")):
            if getattr(self, first) and getattr(self, second):
                wrong.append(Mistake(f"{first} and {second} are both given.", hint="give one of them."))
        if self.id is not None and self.item is None and self.kind == "transactions":
            wrong.append(Mistake("id is given without item.", hint="a long table needs both."))
        if len(set(self.domain)) < len(self.domain):
            twice = next(label for label in self.domain if self.domain.count(label) > 1)
            wrong.append(Mistake(f'domain names "{twice}" twice.', hint="name each item once."))
        wrong += self._supports() or self._other_kind() or self._other_form()
        if wrong:
            raise ScenarioError(wrong)

    def _given(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if getattr(self, name)]

    def _supports(self) -> list[Mistake]:
        """Find what is missing for supports, or does not belong to them."""
        if self.kind != "supports":
            if self.transactions is None:
                return []
            return [Mistake("transactions is given without supports.", hint='set kind = "supports".')]
        if self.transactions is None:
            return [
                Mistake(
                    "transactions is missing: supports are counted in some number of transactions.",
                    hint="transactions = 10000.",
                )
            ]
        unfit = self._given((*NOT_OF_SUPPORTS, *OF_TABLES))
        return [_misplaced(unfit, "to rows, not to supports", "leave it out.")] if unfit else []

    def _other_kind(self) -> list[Mistake]:
        """Find fields that belong to the other kind of data."""
        for_transactions, for_tables = self._given(OF_TRANSACTIONS), self._given(OF_TABLES)
        if self.kind == "table" and for_transactions:
            return [_misplaced(for_transactions, "to transactions, not to a table", "use sensitive.")]
        if for_tables and (self.kind == "transactions" or for_transactions):
            return [_misplaced(for_tables, "to a table, not to transactions", "use private.")]
        return []

    def _other_form(self) -> list[Mistake]:
        """Find fields that belong to published rows when rules are published, or the other way round."""
        if self.rules is None:
            return [
                Mistake(f"{name} is given without rules.", hint="statements are published with rules.")
                for name in self._given(OF_RULES)
            ]
        return [
            Mistake(f"{name} belongs to published rows, and rules are published instead of them.")
            for name in self._given(OF_ROWS)
        ]


NOT_OF_SUPPORTS = ("private", "private_from", "renamed", "id", "item", "publish_unjudged", "leave_out")
OF_TRANSACTIONS = ("private", "private_from", "domain", "domain_from", "renamed", "item")
OF_RULES = ("rules", "statements", "statements_from")
OF_TABLES = ("sensitive", "sensitive_values", "secrets", "must_publish", *OF_RULES)
OF_ROWS = ("secrets", "must_publish")
"""Fields of [release] that belong to one kind of data, or to one of the two forms in which a table is published."""


def _misplaced(names: list[str], where: str, hint: str) -> Mistake:
    return Mistake(f"{listed(names)} {'belongs' if len(names) == 1 else 'belong'} {where}.", hint=hint)


@dataclass(frozen=True, kw_only=True)
class KeptRules:
    """What `rules` in [needs] says."""

    must_publish: str = described(settable(NeedsRules)["must_publish"].metadata["doc"])


@dataclass(frozen=True, kw_only=True)
class NeedsFields:
    """The section [needs]."""

    itemsets: NeedsItemsets | None = described("frequent itemsets to keep", default=None)
    cells: NeedsCells | None = described("entries of a table to keep, and which may be hidden", default=None)
    rules: KeptRules | None = described("rules to keep", default=None)


NEEDS: dict[str, type[Need]] = {"itemsets": NeedsItemsets, "cells": NeedsCells, "rules": NeedsRules}
"""The need that each field of [needs] becomes."""
