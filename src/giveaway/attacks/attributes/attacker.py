"""The attacker who fills in a blank by what the rest of the table says, and the ways to protect against them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, get_args

from giveaway.attacks.wording import few, listed
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.table import Table
from giveaway.model.exact import Number, fraction
from giveaway.model.question.attacker import Attacker, named
from giveaway.model.question.fields import check_switch, check_whole, check_word, described, documented

Asking = Literal["by value", "independent"]
Method = Literal["auto", "decoys", "same columns", "cover", "r-graph", "cr"]
Heuristic = Literal["max descendant", "random max", "random"]
Records = Literal["as needed", "all"]


@documented
@dataclass(frozen=True, kw_only=True, init=False)
class KnowsAttributes(Attacker):
    """Somebody who infers a hidden sensitive entry from the visible rest of the table and from where blanks are.

    >>> KnowsAttributes(columns=["sex", "education"]).knows()
    'the published sex and education of a person'
    >>> KnowsAttributes(columns=["sex", "education"], trusts_support_above=60, knows_method=False).knows()
    'the published sex and education of a person, and rules that more than 60 records support'
    >>> KnowsAttributes(columns=["sex"], uses_sensitive=True).knows()
    'the published sex of a person, and their other sensitive entries that are published'
    """

    attack: ClassVar[str] = "attributes"

    columns: tuple[str, ...] = described("the condition columns: what rules may start from")
    trusts_support_above: int = described(
        "a rule is believed when more than this many visible records support it (the paper's minsupp); it has no part in "
        'the verdict where asking is "by value"',
        default=0,
    )
    asking_known: bool = described("whether the attacker knows who asked for a blank", default=False)
    asking: Asking = described(
        'whether people may have asked because of their value ("by value"), or their values go as those of the visible '
        'rows ("independent")',
        default="by value",
    )
    cells_of: int = described(
        "records that differ in the columns are taken together into groups of at least this many, neighbours in the "
        "order of the columns; 1: only equal ones",
        default=1,
    )
    odds: Fraction = described(
        "by which factor the odds for this attacker may change when two values inside such a group change places",
        default=Fraction(1),
    )

    uses_sensitive: bool = described(
        "whether the published entries of the other sensitive columns are conditions too, for each sensitive column",
        default=False,
    )

    def __init__(
        self,
        *,
        columns: Iterable[str],
        trusts_support_above: int = 0,
        asking_known: bool = False,
        asking: Asking = "by value",
        cells_of: int = 1,
        odds: Number = 1,
        uses_sensitive: bool = False,
        knows_method: bool = True,
    ) -> None:
        vars(self).update(
            columns=named(columns),
            trusts_support_above=check_whole(
                "trusts_support_above",
                trusts_support_above,
                0,
                hint="0 is an attacker who believes every rule.",
            ),
            asking_known=asking_known,
            asking=asking,
            cells_of=check_whole(
                "cells_of", cells_of, hint=f"1 takes only equal {nouns().records} together."
            ),
            odds=fraction(odds, "odds"),
            uses_sensitive=uses_sensitive,
            knows_method=knows_method,
        )
        super().__post_init__()
        self._check()

    def _check(self) -> None:
        for name in ("asking_known", "uses_sensitive"):
            check_switch(name, getattr(self, name))
        check_word("asking", self.asking, get_args(Asking))
        if self.odds < 1:
            raise ScenarioError(
                f"odds = {self.odds} must be at least 1.",
                hint=f"1 is an attacker to whom the {nouns().records} of a group are all the same.",
                field="odds",
            )
        if self.asking_known and (self.cells_of > 1 or self.odds > 1):
            raise ScenarioError(
                "cells_of and odds are about blanks next to each other, which say nothing more where it is known who asked.",
                hint="leave them or asking_known out.",
                field="cells_of",
            )
        if self.asking_known and self.uses_sensitive:
            raise ScenarioError(
                "What other sensitive columns tell somebody who knows who asked is not worked out.",
                hint="leave uses_sensitive or asking_known out.",
                field="uses_sensitive",
            )
        if self.knows_method:
            return
        for name, plain in (("asking_known", False), ("asking", "by value"), ("cells_of", 1), ("odds", 1)):
            if getattr(self, name) != plain:
                raise ScenarioError(
                    f"{name} is about somebody who knows how giveaway chooses, and knows_method is false.",
                    hint=f"leave {name} or knows_method out.",
                    field=name,
                )

    @property
    def trusts_rules(self) -> bool:
        """Whether rules in the visible rows are what is judged, and not the blanks next to a secret alone."""
        return not self.knows_method or self.asking == "independent"

    def with_columns(self, columns: Iterable[str]) -> "KnowsAttributes":
        """Return the same attacker, who looks at other columns."""
        return replace(self, columns=tuple(columns))

    def conditions(self, table: Table, sensitive: str) -> tuple[str, ...]:
        """Return the columns from which an entry of a sensitive column may be inferred."""
        others = (name for name in table.sensitive if name != sensitive)
        return (*self.columns, *others) if self.uses_sensitive else self.columns

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:  # noqa: ARG002 # they are named
        """Return the columns that this attacker knows."""
        return self.columns

    def knows(self) -> str:
        """Say what this attacker knows."""
        return self._knows_of(f"the published {listed(self.columns)}")

    def knows_briefly(self) -> str:
        """Say the same for a heading."""
        return self._knows_of(few(self.columns, "published"))

    def _knows_of(self, columns: str) -> str:
        parts = [f"{columns} of a person"]
        if self.uses_sensitive:
            parts.append("their other sensitive entries that are published")
        if self.trusts_support_above and self.trusts_rules:
            parts.append(f"rules that {supporters(self.trusts_support_above)}")
        if self.asking_known:
            parts.append("who asked for a blank")
        return ", and ".join(parts)


def supporters(least: int) -> str:
    """Say how many records must support a rule."""
    return (
        f"more than one {nouns().record} supports"
        if least == 1
        else f"more than {least:,} {nouns().records} support"
    )


@dataclass(frozen=True, kw_only=True)
class AttributesOptions:
    """How entries are chosen for hiding."""

    method: Method = described(
        '"decoys" blanks entries of others by lot, "same columns" the same conditions in all secrets; "cover", '
        '"r-graph" and "cr" are the paper\'s, for somebody who does not know the method; "auto" is the best of those that fit',
        default="auto",
    )
    heuristic: Heuristic = described("how the R-graph chooses its next node", default="max descendant")
    records: Records = described(
        "in how many records that match a node the R-graph hides a condition: as many as its rules need, or all (ExactMatch)",
        default="as needed",
    )
    smallest_block: int = described(
        "with decoys: the fewest blank entries of a group that gets any", default=2
    )

    def __post_init__(self) -> None:
        check_word("method", self.method, get_args(Method))
        check_word("heuristic", self.heuristic, get_args(Heuristic))
        check_word("records", self.records, get_args(Records))
        check_whole(
            "smallest_block", self.smallest_block, 2, hint="a blank that stands alone is what decoys end."
        )
