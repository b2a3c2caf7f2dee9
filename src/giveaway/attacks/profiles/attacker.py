"""The attacker who reads published rules and knows everybody's profile."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from giveaway.attacks.wording import listed
from giveaway.errors import ScenarioError
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.question.attacker import Attacker, named
from giveaway.model.question.fields import described
from giveaway.model.release.rule import Statement


@dataclass(frozen=True, kw_only=True, init=False)
class KnowsProfiles(Attacker):
    """Somebody who knows the profile (the quasi-identifiers) of every person and reads the published rules.

    >>> KnowsProfiles(columns=["age", "sex"]).knows()
    'the age and sex of every person'
    """

    attack: ClassVar[str] = "profiles"

    columns: tuple[str, ...] = described("the columns that the attacker knows of every person")
    judges: Literal["any", "true"] = described(
        "whether the chance of any sensitive value is judged, or that of each person's true one",
        default="any",
    )
    whole_numbers: bool = described(
        "reason with whole counts, as somebody who knows the number of records; false is the paper's way",
        default=True,
    )
    non_rules: bool = described("use that a rule is absent; only with a complete list", default=True)
    missing_profiles: Literal["refuse", "drop", "value"] = described(
        "what to do with records that miss a value of their profile: refuse, drop them from those judged, or take it as "
        "a value",
        default="refuse",
    )
    ranges_for: tuple[Label, ...] = described(
        "records (ids, else row numbers) whose certain range is computed too", default=()
    )
    background: tuple[Statement, ...] = described("what else the attacker believes", default=())

    def __init__(
        self,
        *,
        columns: Iterable[str],
        judges: Literal["any", "true"] = "any",
        whole_numbers: bool = True,
        non_rules: bool = True,
        missing_profiles: Literal["refuse", "drop", "value"] = "refuse",
        ranges_for: Iterable[Label] = (),
        background: Iterable[Statement] = (),
        knows_method: bool = True,
    ) -> None:
        values = {
            "columns": named(columns),
            "judges": judges,
            "whole_numbers": whole_numbers,
            "non_rules": non_rules,
            "missing_profiles": missing_profiles,
            "ranges_for": tuple(ranges_for),
            "background": tuple(background),
            "knows_method": knows_method,
        }
        for name, words in (("judges", ("any", "true")), ("missing_profiles", ("refuse", "drop", "value"))):
            if values[name] not in words:
                raise ScenarioError(f"{name} = {values[name]!r} is unknown.", exists=", ".join(words))
        for name, value in values.items():
            object.__setattr__(self, name, value)
        super().__post_init__()

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:  # noqa: ARG002 # they are named
        """Return the columns that this attacker knows."""
        return self.columns

    def knows(self) -> str:
        """Say what this attacker knows."""
        return f"the {listed(self.columns)} of every person"

    @property
    def knows_size(self) -> bool:
        """Whether the bounds are those of somebody who knows the number of people."""
        return self.whole_numbers


@dataclass(frozen=True, kw_only=True)
class ProfilesOptions:
    """How rules are chosen for withholding: there is one way."""
