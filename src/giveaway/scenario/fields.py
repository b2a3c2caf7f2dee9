"""The fields of a scenario file that describe the release and the need."""

from dataclasses import dataclass
from typing import Literal

from giveaway.errors import Mistake, ScenarioError
from giveaway.model.fields import described
from giveaway.model.need import NeedsItemsets

LATER = {
    "release": (
        "table",
        "query",
        "transactions",
        "sensitive_values",
        "hierarchies",
        "secrets",
        "must_publish",
        "rules",
        "statements",
        "sensitivity",
    ),
    "needs": ("columns", "cells", "rules"),
    "protect": ("attributes", "directory"),
    "attack": ("frequencies", "directory", "profiles", "attributes"),
}
"""Words of the scenario grammar whose attack this version does not have."""


@dataclass(frozen=True, kw_only=True)
class ReleaseFields:
    """The section [release]."""

    data: str = described("the file: .dat or .txt baskets, .csv, .tsv, .parquet or .jsonl, each also as .gz")
    kind: Literal["transactions", "table"] | None = described(
        "transactions or table; guessed when left out", default=None
    )
    private: tuple[str, ...] = described("items that must not be inferred", default=())
    private_from: str | None = described("the same from a file, one item a line", default=None)
    domain: tuple[str, ...] = described(
        "items that belong to the domain although they never occur", default=()
    )
    domain_from: str | None = described("the same from a file, one item a line", default=None)
    renamed: bool = described("publish random codes instead of item labels", default=False)
    sensitive: tuple[str, ...] = described("table: the sensitive column or columns", default=())
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

    def __post_init__(self) -> None:
        wrong: list[Mistake] = []
        for first, second in (("private", "private_from"), ("domain", "domain_from")):
            if getattr(self, first) and getattr(self, second):
                wrong.append(Mistake(f"{first} and {second} are both given.", hint="give one of them."))
        if self.id is not None and self.item is None and self.kind == "transactions":
            wrong.append(Mistake("id is given without item.", hint="a long table needs both."))
        if self.kind == "table" and (self.private or self.private_from or self.item):
            wrong.append(Mistake("private and item belong to transactions, not to a table."))
        if self.kind == "transactions" and self.sensitive:
            wrong.append(Mistake("sensitive belongs to a table, not to transactions.", hint="use private."))
        if wrong:
            raise ScenarioError(wrong)


@dataclass(frozen=True, kw_only=True)
class NeedsFields:
    """The section [needs]."""

    itemsets: NeedsItemsets | None = described(
        "frequent itemsets to keep: min_support, max_size", default=None
    )
