"""What a report shows of the attack `profiles`: the most exposed people, the numbers of the paper, and how far the limit holds."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.attacks.profiles.judged_people import JudgedPeople, at_limit
from giveaway.attacks.profiles.posterior import ProfileBelief, tried, unlisted
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.attacks.profiles.reporting import curves, sentences
from giveaway.attacks.profiles.reporting.exposures import ProfileExposures, alone
from giveaway.attacks.profiles.reporting.figures import OtherForms, figures
from giveaway.attacks.profiles.reporting.lists import ChanceLists
from giveaway.attacks.wording import counted
from giveaway.maximum_entropy.linear_programs import certain_range
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, Details, Exposure, HoldsUpTo, How, Level, Step
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.progress import tell


class ProfilesDetails(Details):
    """The people behind a verdict."""

    def __init__(
        self,
        question: ProfilesQuestion,
        belief: ProfileBelief,
        judged: JudgedPeople,
        *,
        limit: Fraction,
        allowed: Fraction,
        ranges_for: Sequence[tuple[Label, int]],
        supports: Ints,
        statements: tuple[int, int],
    ) -> None:
        """Keep what was measured.

        `allowed` is the share of people who may be above the limit, `ranges_for` are records with their rows, and
        `supports` tells for each rule, withheld or not, how many records it holds for; `statements` counts those published and withheld.
        """
        self._question, self._belief, self._judged = question, belief, judged
        self._limit, self._allowed, self._ranges_for = limit, allowed, ranges_for
        self._supports, self._statements = supports, statements

    @cached_property
    def _exposures(self) -> ProfileExposures:
        return ProfileExposures(self._question, self._belief, self._judged, self._limit)

    @cached_property
    def _others(self) -> OtherForms:
        return OtherForms(self._question, self._belief)

    @cached_property
    def _lists(self) -> ChanceLists:
        return ChanceLists(self._question, self._belief, self._others)

    @cached_property
    def _strength(self) -> curves.RulesReadStrength:
        return curves.strengths(self._question, self._belief, self._judged, self._limit, self._allowed)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The worst chance next to the limit and to what could be guessed without the release."""
        worst = int(np.argmax(self._judged.worst))
        level = Level(
            kind="attribute",
            worst=at_limit(self._judged.largest, self._limit),
            limit=self._limit,
            baseline=alone(self._question, int(self._judged.answer[worst])),
        )
        return (level,)

    @cached_property
    def how(self) -> How:
        """How the chances were found, and what they are not."""
        return How(
            method="exact", detail=_detail(self._question, self._belief), numerics=_numerics(self._belief)
        )

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """The judged profiles, the worst first."""
        return self._exposures

    @cached_property
    def over(self) -> int:
        """How many profiles have somebody above the limit."""
        return self._judged.profiles_above(self._limit)

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The numbers that the contract names."""
        numbers = figures(self._question, self._belief, self._judged, self._limit, self._others)
        ranges = _ranges(self._question, self._belief, self._ranges_for)
        return numbers | {"explained": self._exposures.explained(), "ranges": ranges} | self._lists.asked()

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """How many rules may be read."""
        return self._strength.holds

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The chances of people, their share above the limit as more rules are read, and what other thresholds tell."""
        return (
            curves.chances(self._judged, self._limit),
            curves.strength(self._strength, self._question.judged_people, self._allowed),
            *(tried(lambda: curves.divergence(self._question)) or ()),
            *curves.surest_rules(self._question),
            *self._lists.curves(),
        )

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """How the rules narrow down who the worst person is, and what is believed then."""
        return self._exposures.worked()

    @cached_property
    def kept(self) -> dict[str, int]:
        """The rules that are published, the records that they hold for, and the statements, each with its total."""
        now = self._belief.claims.supports
        rules = {
            "rules": len(now),
            "rules_total": len(self._supports),
            "rules_support": int(now.sum()),
            "rules_support_total": int(self._supports.sum()),
        }
        published, all_said = self._statements[0], sum(self._statements)
        statements = {"statements": published, "statements_total": all_said}
        return (rules if len(self._supports) or not all_said else {}) | (statements if all_said else {})

    @cached_property
    def against(self) -> str | None:
        """Whom the verdict is about: what the choice of rules tells is not counted for anybody."""
        only_statements = not len(self._supports) and any(self._statements)
        published = "statements that are published" if only_statements else "rules that are listed"
        return sentences.AGAINST.format(published=published) if self._question.attacker.knows_method else None


def _ranges(
    question: ProfilesQuestion, belief: ProfileBelief, ranges_for: Sequence[tuple[Label, int]]
) -> list[dict[str, Any]]:
    """Find for the records asked about what is certain of each judged value, next to the chance believed."""
    ranges = []
    known, rows = question.people, belief.claims.rows(belief.rows)
    answers = np.flatnonzero(question.only).tolist()
    for done, (record, row) in enumerate(ranges_for):
        tell("finding what is certain", done, len(ranges_for))
        profile = int(known.profile_of[row])
        for answer in answers:
            low, high = certain_range(
                known.profiles.weights,
                known.domain.size,
                rows,
                profile,
                np.flatnonzero(known.domain.answers[answer]),
                start=belief.solution.multipliers,
            )
            chance = float(belief.chance[profile, answer])
            value = known.domain.named(answer)[1]
            ranges.append({"record": record, "value": value, "low": low, "high": high, "chance": chance})
    return ranges


def _numerics(belief: ProfileBelief) -> str:
    """Say how the maximum was found, and how near."""
    solution = belief.solution
    return (
        f"{solution.detail[0].upper()}{solution.detail[1:]}: gap {solution.gap:.0e}, largest violation "
        f"{solution.violation:.0e} of the {nouns().records}. ranges_for tells what is certain of {nouns().a_record}."
    )


def _detail(question: ProfilesQuestion, belief: ProfileBelief) -> str:
    """Say how the chances were found, and what they are not."""
    text = (
        "Of all beliefs that agree with what is published, the most even one was worked out: the one of maximum entropy. "
        "It is a reasoned guess of a careful reader, not a proof."
    )
    more = len(unlisted(belief.claims)) if question.silence_tells else 0
    if more:
        verb = "is" if more == 1 else "are"
        text += f" {counted(more, 'rules')} above the thresholds {verb} not in the list, although it is said to be complete."
    return text
