"""When there is nothing that somebody who knows frequencies could recognise."""

from math import comb

import numpy as np

from giveaway.attacks.frequencies.attacker import Itemsets, KnowsFrequencies
from giveaway.attacks.frequencies.people.view import SeenPeople, see_people
from giveaway.attacks.frequencies.question import see
from giveaway.errors import NothingToJudge
from giveaway.model.answer.nouns import nouns
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


def refuse(release: Release, attacker: KnowsFrequencies, _: Tolerance, effort: Effort) -> None:
    """Refuse to judge data without a target; targets that are withheld are gone for a reason, and that is safe."""
    if attacker.of_people:
        _refuse_people(see_people(release, attacker, effort))
        return
    original = see(release, attacker, effort).original
    if not original.counts.any():
        raise NothingToJudge(
            f"No {nouns().item} occurs, so there is nothing to recognise.", hint="check the data."
        )
    if attacker.compliance == 0:
        raise NothingToJudge(
            "compliance = 0 is somebody who is right about nothing, against whom every release is safe.",
            hint="set compliance above 0.",
        )
    wanted = original.places(attacker.of_interest, "of_interest names")
    if len(wanted) and not original.counts[wanted].any():
        raise NothingToJudge(
            f"None of the {nouns().items} of interest occurs, so there is nothing to recognise.",
            hint=f"leave of_interest out to judge all {nouns().items}.",
        )
    sets = Itemsets(size=2) if attacker.targets == "pairs" else attacker.targets
    if not isinstance(sets, Itemsets):
        return
    if attacker.knows_method and sets.without_top:
        raise NothingToJudge(
            f"without_top leaves {nouns().items} out by how often they truly occur, which a verdict would tell somebody who knows the "
            "method.",
            hint="leave without_top out, or set knows_method = false.",
        )
    falling = np.argsort(-original.counts, kind="stable")
    left = falling[int(sets.without_top * len(falling)) :]
    if len(wanted):
        left = np.intersect1d(left, wanted)
    others = np.setdiff1d(left, original.places(sets.with_any, "with_any names"))
    if comb(len(left), sets.size) == (comb(len(others), sets.size) if sets.with_any else 0):
        raise NothingToJudge(
            f"There are 0 sets of {sets.size} {nouns().items} to recognise: {len(left):,} {nouns().items} are left to choose from.",
            hint='judge smaller sets, or targets = "items".',
        )


def _refuse_people(seen: SeenPeople) -> None:
    """Refuse to judge a table in which there is nobody to recognise."""
    if not seen.records:
        raise NothingToJudge(
            f"The table has no {nouns().record}, so there is nobody to recognise.", hint="check the data."
        )
    if not len(seen.interesting):
        raise NothingToJudge("Nobody of interest is in the table.", hint="leave of_interest out.")
