"""The fields of [[earlier]]."""

from dataclasses import dataclass
from typing import Literal

from giveaway.errors import ScenarioError
from giveaway.model.question.fields import File, described
from giveaway.model.release.as_before import Prefer
from giveaway.model.release.earlier import Facts, Linked
from giveaway.scenario.fields import RulesFields
from giveaway.scenario.files import Given


@dataclass(frozen=True, kw_only=True)
class PopulationFields:
    """Who joined and who left since."""

    joined: File | int = described(
        "how many joined since, or a file of who: the id or the row in the data now, one a line", default=0
    )
    left: File | int = described(
        "how many left since, or a file of who: the id or the row in the data then, one a line", default=0
    )

    def __post_init__(self) -> None:
        for name, who in (("joined", self.joined), ("left", self.left)):
            if isinstance(who, bool) or (isinstance(who, int) and who < 0):
                raise ScenarioError(f"{name} = {who!r} must be a number of people, or a file.", field=name)


@dataclass(frozen=True, kw_only=True)
class ProtectFields:
    """What [protect] says for all attackers."""

    prefer: Prefer = described(
        "whether as little as can be is withheld, or first what earlier releases withheld and then as little more",
        default="least",
    )


@dataclass(frozen=True, kw_only=True)
class EarlierFields:
    """An entry of [[earlier]]."""

    release: Given = described(
        "what was given away: the folder of a release or its manifest, or any file: data, rules or statements; or an address "
        "with table or query and id"
    )
    table: str | None = described("the table at an address, as in people_2025", default=None)
    query: str | None = described("instead of table: an SQL query that gives its rows", default=None)
    name: str | None = described(
        "how the report calls it, as in 2025; its folder or file when left out", default=None
    )
    linked: Linked = described(
        "whether the rows of one person can be joined, only the people are known to be the same, nobody is in both, or "
        "that is not known, when both are judged",
        default="unknown",
    )
    facts: Facts = described(
        "transactions: whether they are of another period, or the same ones with other items withheld",
        default="other",
    )
    codes: Literal["other", "same"] = described(
        "renamed items: whether codes are drawn anew, or those of this release, which its ledger tells, are used again",
        default="other",
    )
    changes: tuple[str, ...] = described(
        "table: columns whose values may differ from then to now; what somebody had counts as what they have",
        default=(),
    )
    ledger: File | None = described(
        "the owner's file of that release, which tells whose row it was and what codes stand for",
        default=None,
    )
    id: str | None = described(
        "the column of the earlier file that identifies a record or transaction as the id of the data now does",
        default=None,
    )
    population: Literal["same"] | PopulationFields = described(
        "who the earlier release was about: the same people, or who joined and left, with these fields",
        default="same",
    )
    already: Literal["refuse", "accept"] = described(
        "what it gave away by itself: protect refuses, or it is accepted and told", default="refuse"
    )
    rules: RulesFields | None = described(
        "rules without a manifest: what was said about the list, with these fields", default=None
    )

    def __post_init__(self) -> None:
        if self.id is not None and self.ledger is not None:
            raise ScenarioError(
                "id and ledger both say whose row it was.", hint="give one of them.", field="id"
            )
        if self.codes == "same" and self.ledger is None:
            raise ScenarioError(
                'codes = "same" is given, and nothing says what the codes of the release stand for.',
                hint="name the owner's file of that release as its ledger.",
                field="codes",
            )
        if self.rules is not None and self.rules.from_ is not None:
            raise ScenarioError(
                "rules names a file, and the list is in the earlier release.",
                hint="leave from out.",
                field="rules",
            )
