"""The attacker who fills in a blank by what the rest of the table says, and the ways to protect against them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from giveaway.attacks.wording import listed
from giveaway.errors import ScenarioError
from giveaway.model.data.table import Table
from giveaway.model.question.attacker import Attacker, named
from giveaway.model.question.fields import described


@dataclass(frozen=True, kw_only=True, init=False)
class KnowsAttributes(Attacker):
    """Somebody who infers a hidden sensitive entry by association rules over the visible rest of the table.

    >>> KnowsAttributes(columns=["sex", "education"], trusts_support_above=60).knows()
    'the published sex and education of a person, and rules that more than 60 records support'
    """

    attack: ClassVar[str] = "attributes"

    columns: tuple[str, ...] = described("the condition columns: what rules may start from")
    trusts_support_above: int = described(
        "a rule is believed when more than this many visible records support it (the paper's minsupp)",
        default=0,
    )

    def __init__(
        self, *, columns: Iterable[str], trusts_support_above: int = 0, knows_method: bool = True
    ) -> None:
        least = trusts_support_above
        if isinstance(least, bool) or not isinstance(least, int) or least < 0:
            raise ScenarioError(
                f"trusts_support_above = {least!r} must be a whole number of at least 0.",
                hint="0 is an attacker who believes every rule.",
            )
        object.__setattr__(self, "columns", named(columns))
        object.__setattr__(self, "trusts_support_above", least)
        object.__setattr__(self, "knows_method", knows_method)
        super().__post_init__()

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:  # noqa: ARG002 # they are named
        """Return the columns that this attacker knows."""
        return self.columns

    def knows(self) -> str:
        """Say what this attacker knows."""
        said = f"the published {listed(self.columns)} of a person"
        least = self.trusts_support_above
        return f"{said}, and rules that {supporters(least)}" if least else said


def supporters(least: int) -> str:
    """Say how many records must support a rule."""
    return "more than one record supports" if least == 1 else f"more than {least:,} records support"


@dataclass(frozen=True, kw_only=True)
class AttributesOptions:
    """How entries are chosen for hiding."""

    method: Literal["auto", "cover", "r-graph"] = described(
        "the best known way, greedy covering alone, or the paper's R-graph", default="auto"
    )
    heuristic: Literal["max descendant", "random max", "random"] = described(
        "how the R-graph chooses its next node", default="max descendant"
    )

    def __post_init__(self) -> None:
        choices = {
            "method": ("auto", "cover", "r-graph"),
            "heuristic": ("max descendant", "random max", "random"),
        }
        for name, words in choices.items():
            if getattr(self, name) not in words:
                raise ScenarioError(f"{name} = {getattr(self, name)!r} is unknown.", exists=", ".join(words))
