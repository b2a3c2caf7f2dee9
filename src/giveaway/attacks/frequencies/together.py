"""Somebody who kept earlier releases: one that names its items tells how often they occur; codes drawn anew tell nothing more."""

from dataclasses import replace
from functools import partial

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.belief import Belief
from giveaway.attacks.together import View, with_files_of
from giveaway.errors import NothingToJudge
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release


def views(release: Release, attacker: KnowsFrequencies, _: Tolerance) -> tuple[View, ...]:
    """Return the release as somebody sees it who takes an earlier one with names for a sample.

    Each release has codes of its own: without a belief about how frequencies change, two of them factorise, and of the same
    data both say the same. Whether people are in both does not matter to frequencies.
    """
    if attacker.of_people:
        raise NothingToJudge(
            "What is known of people is not judged together with earlier releases.",
            hint="ask about the table with the attack directory, which is.",
        )
    return tuple(_sampled(release, one, attacker) for one in release.earlier if not one.renamed)


def _sampled(release: Release, one: Earlier, attacker: KnowsFrequencies) -> View:
    if not isinstance(one.shown, Transactions):
        raise NothingToJudge(
            f"{one.name} holds no transactions, and so no frequencies of items.",
            hint="leave it out of earlier.",
        )
    return View(
        releases=(one.name,),
        linked="people",
        release=replace(release, earlier=()),
        attacker=replace(attacker, belief=Belief.from_sample(one.shown)),
        back=partial(_back, release),
        accepts=one.already == "accept",
        figures={"sample": len(one.shown)},
        says=f"{with_files_of([one.name])} as a sample",
    )


def _back(release: Release, view: Release) -> Release:
    return replace(view, earlier=release.earlier)
