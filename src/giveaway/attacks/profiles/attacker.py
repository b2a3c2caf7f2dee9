"""The attacker who reads published rules and knows everybody's profile."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from giveaway.attacks.wording import few, listed
from giveaway.errors import ScenarioError
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.question.attacker import Attacker, named
from giveaway.model.question.fields import check_whole, check_word, described, documented
from giveaway.model.release.rule import Statement

Show = Literal[
    "chances",
    "joint_chances",
    "divergences",
    "people",
    "silence",
    "scores",
    "absences",
    "thresholds",
    "surest_rules",
]
SHOWN: tuple[Show, ...] = get_args(Show)
"""What a report shows only when it is asked for: seven lists, and two sets of curves."""


@documented
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
    small_profiles: int = described(
        "profiles that fewer people share are the small ones, of which alpha_k is the largest chance",
        default=5,
    )
    show: tuple[Show, ...] = described(
        "lists and curves that are worked out only when they are asked for: chances, joint_chances, divergences, people, "
        "silence, scores, absences; thresholds, surest_rules",
        default=(),
    )

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
        small_profiles: int = 5,
        show: Iterable[Show] = (),
        knows_method: bool = True,
    ) -> None:
        values: dict[str, Any] = {
            "columns": named(columns),
            "judges": judges,
            "whole_numbers": whole_numbers,
            "non_rules": non_rules,
            "missing_profiles": missing_profiles,
            "ranges_for": tuple(ranges_for),
            "background": tuple(background),
            "small_profiles": small_profiles,
            "show": (show,) if isinstance(show, str) else tuple(dict.fromkeys(show)),
            "knows_method": knows_method,
        }
        check_word("judges", judges, ("any", "true"))
        check_word("missing_profiles", missing_profiles, ("refuse", "drop", "value"))
        unknown = next((word for word in values["show"] if word not in SHOWN), None)
        if unknown is not None:
            raise ScenarioError(
                f"show names {unknown!r}, which is unknown.", exists=", ".join(SHOWN), field="show"
            )
        check_whole("small_profiles", small_profiles)
        vars(self).update(values)
        super().__post_init__()

    def looks_at(self, table: Table | None = None) -> tuple[str, ...]:  # noqa: ARG002 # they are named
        """Return the columns that this attacker knows."""
        return self.columns

    def knows(self) -> str:
        """Say what this attacker knows."""
        return f"the {listed(self.columns)} of every person"

    def knows_briefly(self) -> str:
        """Say the same for a heading."""
        return f"{few(self.columns)} of every person"


Way = Literal["rules", "scores", "min_support", "min_confidence", "statements"]
Preference = Literal["support", "divergence"]


@dataclass(frozen=True, kw_only=True, init=False)
class ProfilesOptions:
    """In which ways a release may be disguised, and which of several safe ones is taken.

    >>> ProfilesOptions(ways=["scores", "rules"]).ways
    ('scores', 'rules')
    """

    ways: tuple[Way, ...] = described(
        'what may be withheld: "rules" by choice, "scores" wholly or in part, what is below a higher "min_support" or '
        '"min_confidence", "statements"; of several ways the one that keeps most is taken',
        default=("rules",),
    )
    prefers: Preference = described(
        'which of several safe releases keeps most: that with the largest "support" of its rules, or that which leaves '
        'readers the smallest "divergence" from the truth',
        default="support",
    )

    def __init__(self, *, ways: Iterable[str] = ("rules",), prefers: Preference = "support") -> None:
        asked = (ways,) if isinstance(ways, str) else tuple(dict.fromkeys(ways))
        unknown = next((way for way in asked if way not in get_args(Way)), None)
        if unknown is not None or not asked:
            fact = f"ways names {unknown!r}, which is unknown." if asked else "ways names no way."
            raise ScenarioError(fact, exists=", ".join(get_args(Way)), field="ways")
        check_word("prefers", prefers, get_args(Preference))
        vars(self).update(ways=asked, prefers=prefers)
