"""Somebody who kept earlier releases: one that names its items tells how often they occur; codes drawn anew tell nothing more.

Codes that are used again tell how often the same item occurs in each release.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.belief import Belief
from giveaway.attacks.frequencies.together.same_codes import measure_again
from giveaway.attacks.together import View, with_files_of
from giveaway.errors import NothingToJudge
from giveaway.model.answer.risk import Risk
from giveaway.model.data.labels import Label
from giveaway.model.data.supports import Supports
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.earlier import Earlier
from giveaway.model.release.release import Release

_MOST = 4
"""How many releases with the same codes are looked at in all choices of them."""


def views(release: Release, attacker: KnowsFrequencies, _: Tolerance) -> tuple[View, ...]:
    """Return the release as somebody sees it who takes an earlier one with names for a sample, or reads codes used again.

    Codes drawn anew: without a belief about how frequencies change, two releases factorise, and of the same data both say
    the same. With the same codes one more release can lower a chance too, so that every choice of them is judged. Whether
    people are in both does not matter to frequencies.
    """
    if attacker.of_people:
        raise NothingToJudge(
            "What is known of people is not judged together with earlier releases.",
            hint="ask about the table with the attack directory, which is.",
        )
    again = [one for one in release.earlier if one.same_codes]
    if len(again) > _MOST:
        raise NothingToJudge(
            f"{len(again)} earlier releases have the same codes, and every choice of them tells something else.",
            hint=f"name at most {_MOST}.",
        )
    sets = (some for size in range(1, len(again) + 1) for some in combinations(again, size))
    return (
        *(_sampled(release, one, attacker) for one in release.earlier if not one.renamed),
        *(_again(release, some, attacker) for some in sets),
    )


def _baskets(one: Earlier) -> Transactions:
    if not isinstance(one.shown, Transactions):
        raise NothingToJudge(
            f"{one.name} holds no transactions, and so no frequencies of items.",
            hint="leave it out of earlier.",
        )
    return one.shown


def _again(release: Release, earlier: Sequence[Earlier], attacker: KnowsFrequencies) -> View:
    """Look at codes that are used again; what is withheld now of items whose codes are out would not hide them."""
    reasons = {
        "known pairs": attacker.known_pairs is not None,
        "sets of items": attacker.wants_sets,
        "weights": attacker.belief.weighs,
    }
    for what, stated in reasons.items():
        if stated:
            raise NothingToJudge(
                f"Codes that are used again are not judged with {what}.",
                hint='publish codes drawn anew, with codes = "other".',
            )
    first, *others = map(_baskets, earlier)
    now, before = replace(release, earlier=()), Release(first, renamed=True)

    def measured(seen: Release, tolerance: Tolerance, effort: Effort) -> Risk:
        return measure_again(
            attacker, others if seen is before else (first, *others), seen, tolerance, effort
        )

    names = [one.name for one in earlier]
    return View(
        releases=tuple(names),
        linked="people",
        release=now,
        attacker=attacker,
        back=None,
        before=before,
        measured=measured,
        accepts=all(one.already == "accept" for one in earlier),
        figures={"same_codes": len(_labels(now).intersection(*(one.labels for one in (first, *others))))},
        says=f"{with_files_of(names)}, whose codes are used again",
    )


def _labels(release: Release) -> set[Label]:
    data = release.published
    return set(data.labels) if isinstance(data, Transactions | Supports) else set()


def _sampled(release: Release, one: Earlier, attacker: KnowsFrequencies) -> View:
    sample = _baskets(one)
    return View(
        releases=(one.name,),
        linked="people",
        release=replace(release, earlier=()),
        attacker=replace(attacker, belief=Belief.from_sample(sample)),
        back=partial(_back, release),
        accepts=one.already == "accept",
        figures={"sample": len(sample)},
        says=f"{with_files_of([one.name])} as a sample",
    )


def _back(release: Release, view: Release) -> Release:
    return replace(view, earlier=release.earlier)
