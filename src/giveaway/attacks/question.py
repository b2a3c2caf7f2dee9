"""One attacker with everything that is needed to measure and to protect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from giveaway.attacks import ATTACKS
from giveaway.attacks.attack import Attack
from giveaway.errors import ScenarioError
from giveaway.model.attacker import Attacker
from giveaway.model.fields import settable
from giveaway.model.need import Need
from giveaway.model.release import Release
from giveaway.model.tolerance import Tolerance


@dataclass(frozen=True, kw_only=True)
class Question:
    """One attacker with the tolerance that applies and the need that its protector serves."""

    attack: Attack
    attacker: Attacker
    tolerance: Tolerance
    need: Need | None
    options: Any


def questions(
    release: Release,
    attackers: Attacker | Sequence[Attacker],
    tolerance: Tolerance | Sequence[Tolerance],
    needs: tuple[Need, ...],
    options: Mapping[str, Mapping[str, Any]],
) -> tuple[Question, ...]:
    """Put the attackers, tolerances, needs and options of one call together, and refuse what does not fit."""
    asked = as_tuple(attackers)
    limits = as_tuple(tolerance)
    if not asked:
        raise ScenarioError("No attacker is named.", hint="for example ga.KnowsItems(at_most=3).")
    if len(limits) not in (1, len(asked)):
        raise ScenarioError(
            f"There are {len(asked)} attackers and {len(limits)} tolerances.", hint="give one, or one each."
        )
    limits = limits * len(asked) if len(limits) == 1 else limits
    made = tuple(_question(release, *pair, needs, options) for pair in zip(asked, limits, strict=True))
    used = {question.attack.name for question in made}
    for name in options.keys() - used:
        raise ScenarioError(
            f"Options for {name} are given, but no such attacker.", exists=", ".join(sorted(used))
        )
    for need in needs:
        if not any(isinstance(need, question.attack.need) for question in made):
            raise ScenarioError(f"{type(need).__name__} serves none of the attackers named.")
    return made


def _question(
    release: Release,
    attacker: Attacker,
    tolerance: Tolerance,
    needs: tuple[Need, ...],
    options: Mapping[str, Mapping[str, Any]],
) -> Question:
    attack = ATTACKS[attacker.attack]
    if not isinstance(release.original, attack.data):
        raise ScenarioError(
            f"The attack {attack.name} needs {attack.data.__name__}, the release holds a "
            f"{type(release.original).__name__}."
        )
    if all(getattr(tolerance, name) is None for name in attack.limits_used):
        raise ScenarioError(
            f"The tolerance gives no limit that the attack {attack.name} is judged by.",
            exists=", ".join(sorted(attack.limits_used)),
        )
    unknown = options.get(attack.name, {}).keys() - settable(attack.options)
    if unknown:
        raise ScenarioError(
            f"The attack {attack.name} has no option {min(unknown)}.",
            exists=", ".join(settable(attack.options)),
        )
    return Question(
        attack=attack,
        attacker=attacker,
        tolerance=tolerance,
        need=next((need for need in needs if isinstance(need, attack.need)), None),
        options=attack.options(**options.get(attack.name, {})),
    )


def as_tuple(given: Any) -> tuple[Any, ...]:
    """Take one value or several; None is none."""
    if given is None:
        return ()
    return tuple(given) if isinstance(given, list | tuple) else (given,)
