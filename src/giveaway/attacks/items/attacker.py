"""The attacker who knows a few of somebody's items, and the ways to protect against them."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.fields import described, documented

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
        if isinstance(self.at_most, bool) or not isinstance(self.at_most, int) or self.at_most < 1:
            raise ScenarioError(
                f"at_most = {self.at_most!r} must be a whole number of at least 1.",
                hint="3 is a colleague who knows three purchases.",
                field="at_most",
            )

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
        if self.prefer not in ("names", "categories"):
            raise ScenarioError(
                f"prefer = {self.prefer!r} is unknown.", exists="names, categories", field="prefer"
            )
        if self.score not in ("minimal", "paper"):
            raise ScenarioError(f"score = {self.score!r} is unknown.", exists="minimal, paper", field="score")
        if self.method not in ("counts", "borders"):
            raise ScenarioError(
                f"method = {self.method!r} is unknown.", exists="counts, borders", field="method"
            )
        for name in ("reinstate", "keep_infrequent"):
            if not isinstance(getattr(self, name), bool):
                raise ScenarioError(f"{name} = {getattr(self, name)!r} must be true or false.", field=name)
