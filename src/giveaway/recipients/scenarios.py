"""The questions of several recipients: what each asks must be the same, but for the columns of its own release."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from giveaway.errors import Mistake, ScenarioError
from giveaway.model.question.attacker import Attacker
from giveaway.model.question.tolerance import Tolerance


class RecipientAsks(Protocol):
    """What a scenario asks of a release."""

    @property
    def attackers(self) -> tuple[Attacker, ...]:
        """Who looks at it."""

    @property
    def tolerances(self) -> tuple[Tolerance, ...]:
        """What is tolerated of each."""

    @property
    def needs(self) -> tuple[Any, ...]:
        """What its readers need."""

    @property
    def options(self) -> Mapping[str, Mapping[str, Any]]:
        """How what is withheld is chosen."""


def joined(scenarios: Mapping[str, RecipientAsks]) -> tuple[tuple[Attacker, ...], tuple[Tolerance, ...]]:
    """Return the attackers of all scenarios, who know the columns of each of them, and what is tolerated.

    The scenarios may name other columns, of those that their own releases show; whatever else differs is refused.
    """
    (first, one), *others = scenarios.items()
    mistakes = [
        Mistake(
            f"{first} and {name} differ in {what}.",
            hint="say the same in both, or protect one after the other.",
        )
        for name, other in others
        for what in _differences(one, other)
    ]
    if mistakes:
        raise ScenarioError(mistakes)
    every = zip(*(scenario.attackers for scenario in scenarios.values()), strict=True)
    return tuple(mine.with_columns_of(theirs) for mine, *theirs in every), one.tolerances


def _differences(one: RecipientAsks, other: RecipientAsks) -> list[str]:
    """Name what two scenarios ask differently."""
    many = len(one.attackers)
    if many != len(other.attackers):
        return [f"how many attackers they ask about, {many} and {len(other.attackers)}"]
    names = []
    for number in range(many):
        names += [
            f"{what} of {'the attacker' if many == 1 else f'attacker {number + 1}'}"
            for what in (
                *_unlike(one.attackers[number], other.attackers[number]),
                *_unequal(one.tolerances[number], other.tolerances[number]),
            )
        ]
    names += ["[needs]"] if one.needs != other.needs else []
    return names + (["[protect]"] if one.options != other.options else [])


def _unlike(mine: Attacker, theirs: Attacker) -> Sequence[str]:
    if mine.attack != theirs.attack:
        return ["the attack"]
    return mine.differences(theirs)


def _unequal(mine: Tolerance, theirs: Tolerance) -> Sequence[str]:
    names = sorted(mine.given | theirs.given)
    return [f"the limit {name}" for name in names if getattr(mine, name) != getattr(theirs, name)]
