"""The attacker who knows a few of somebody's items, and the ways to protect against them."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from giveaway.model.answer.nouns import nouns
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import check_switch, check_whole, check_word, described, documented

_WORDS = ("", "one item", "any two items", "any three items", "any four items", "any five items")


@documented
@dataclass(frozen=True, kw_only=True)
class KnowsItems(Attacker):
    """Somebody who knows up to `at_most` public items of a person's transaction (the power p of the paper).

    >>> KnowsItems(at_most=3).knows()
    'any three items of a transaction'
    """

    attack: ClassVar[str] = "items"

    at_most: int = described("how many public items of a transaction the attacker knows, at most")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("at_most", self.at_most, hint="3 is a colleague who knows three purchases.")

    def knows(self) -> str:
        """Say what this attacker knows."""
        words = (
            nouns().told(_WORDS[self.at_most])
            if self.at_most < len(_WORDS)
            else f"any {self.at_most} {nouns().items}"
        )
        return f"{words} of {nouns().a_transaction}"


@dataclass(frozen=True, kw_only=True)
class ItemsOptions:
    """How items are chosen for withholding."""

    score: Literal["minimal", "paper"] = described(
        "what an item is charged for: the minimal moles it is in, or all moles as the paper has it",
        default="minimal",
    )
    method: Literal["counts", "borders"] = described(
        "how moles and nuggets are counted: in disjoint parts, or on their borders as the paper has it, for small data",
        default="counts",
    )
    reinstate: bool = described("put back items that turn out not to be needed", default=True)
    keep_infrequent: bool = described(
        "keep items that are too rare for the need but not dangerous", default=False
    )

    prefer: Literal["names", "categories"] = described(
        "where categories are named: keep most itemsets under the items' own names, or most under names and categories",
        default="names",
    )

    def __post_init__(self) -> None:
        check_word("prefer", self.prefer, ("names", "categories"))
        check_word("score", self.score, ("minimal", "paper"))
        check_word("method", self.method, ("counts", "borders"))
        check_switch("reinstate", self.reinstate)
        check_switch("keep_infrequent", self.keep_infrequent)
