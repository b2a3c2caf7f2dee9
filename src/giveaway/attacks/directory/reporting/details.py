"""What a report shows of the attack `directory`: the records, who agrees with them, and what would change that."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from giveaway.attacks.directory.attacker import Jaro
from giveaway.attacks.directory.breaking_point import CompareStrength, strength
from giveaway.attacks.directory.inference.tally import AttributeTally, unlimited_tally
from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.reporting import inference
from giveaway.attacks.directory.reporting.exposures import RecordExposures
from giveaway.attacks.directory.reporting.figures import figures
from giveaway.attacks.directory.reporting.told_people import Both, ToldPeople
from giveaway.attacks.wording import listed, percent
from giveaway.guests import brought
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, Details, Exposure, HoldsUpTo, How, Level, Step


class DirectoryDetails(Details):
    """The records behind a verdict, and the people who agree with them."""

    def __init__(
        self, question: DirectoryQuestion, tally: GroupsTally, guesses: AttributeTally | None, seed: int
    ) -> None:
        self._question, self._tally, self._guesses, self._seed = question, tally, guesses, seed

    @cached_property
    def _strength(self) -> CompareStrength:
        return strength(self._question, self._tally, self._guesses)

    @cached_property
    def _true(self) -> Any:
        """The attacker's own directory next to that of the estimate; None where none is named, or no guest compares them."""
        people = self._question.attacker.true_directory
        compare = None if people is None else brought("ways", "directory.true_directory")
        if people is None or compare is None:
            return None
        classes = self._question.original.classes
        return compare(question=self._question, estimate=self._tally, people=people.in_classes(classes))

    @cached_property
    def _exposures(self) -> RecordExposures:
        return RecordExposures(self._question, self._tally)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The largest chance, and the mean loss where it is limited, next to their limits."""
        guesses = self._guesses
        of_values = (
            []
            if guesses is None
            else [
                Level(kind="attribute", worst=guesses.worst, limit=guesses.limit, baseline=guesses.baseline)
            ]
        )
        limits = self._tally.tolerance
        only_values = of_values and limits.identity is None and limits.average is None
        return (*(() if only_values else _levels(self._question, self._tally)), *of_values)

    @cached_property
    def how(self) -> How:
        """How people were counted, and what the numbers rest on."""
        guesses, release = self._guesses, self._question.release
        informed = self._question.attacker.knows_method
        of_values = (
            ""
            if guesses is None
            else inference.detail(guesses, informed=informed, simulated=release.earlier_plans_fail)
        )
        simulated = guesses is not None and release.earlier_plans_fail < 1
        true = "" if self._true is None else self._true.words()
        detail = " ".join(part for part in (*_detail(self._question), true, of_values) if part)
        return How(method="simulated" if simulated else "exact", detail=detail)

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """The records, the largest loss first; where sensitive values are limited, in turn with people by chance.

        Of the two the one with the larger chance stands first.
        """
        if self._guesses is None:
            return self._exposures
        limits, people = self._tally.tolerance, self._people
        if limits.identity is None and limits.average is None:
            return people
        first, second = (people, self._exposures) if self._people_first else (self._exposures, people)
        return Both(first, second)

    @cached_property
    def _people(self) -> ToldPeople:
        assert self._guesses is not None  # noqa: S101 # asked where sensitive values are limited
        return ToldPeople(self._question, self._guesses)

    @property
    def _people_first(self) -> bool:
        """Whether the worst exposure is a person of whom a value is guessed, not a record."""
        if self._guesses is None:
            return False
        limits = self._tally.tolerance
        return (
            limits.identity is None and limits.average is None
        ) or self._people.largest > self._tally.largest

    @cached_property
    def over(self) -> int:
        """How many records are above the limit of identity, and how many people above that of sensitive values."""
        return self._tally.over + (0 if self._guesses is None else self._guesses.worst_directory.exposed)

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The numbers that the contract names."""
        true_risk = None if self._true is None else self._true.tally.risk
        guesses = self._guesses or unlimited_tally(self._question, self._tally.tolerance)
        return figures(self._question, self._tally, self._strength, true_risk) | inference.figures(guesses)

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """How many columns may be compared."""
        return self._strength.holds

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """Chances, fewer columns compared, fewer values disclosed, smaller directories, the true directory."""
        from giveaway.attacks.directory.reporting import curves

        question, tally = self._question, self._tally
        every: tuple[Curve, ...] = (
            curves.chances(tally),
            *(() if self._guesses is None else (inference.chances(self._guesses),)),
            *curves.strength(question, tally, self._strength),
        )
        # These are about people who agree and are equally likely.
        if not question.attacker.knows_method and question.own is None:
            figure_1 = brought("ways", "directory.figure_1")
            every += () if figure_1 is None else figure_1(question, tally.tolerance, self._seed)
        if self._true is not None:
            every += self._true.curves()
        return every

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """How each column narrows the people who agree with the worst record, or the records that may be somebody's."""
        return self._people.worked() if self._people_first else self._exposures.worked()

    @cached_property
    def kept(self) -> dict[str, int]:
        """How many entries are disclosed, of all that have a value."""
        question = self._question
        kept = {"cells": question.disclosed, "cells_total": question.entries}
        return kept | {"coarser": question.coarser} if question.coarser else kept

    @cached_property
    def against(self) -> str | None:
        """Whom the verdict is about, where gaps in the directory help to hide others."""
        if self._question.lookup.gaps == "apart" or self._question.attacker.knows_method:
            return None
        return "takes a missing value in the directory for any value"


def _levels(question: DirectoryQuestion, tally: GroupsTally) -> tuple[Level, ...]:
    # Without the release somebody can take any person of the directory.
    guess = question.guess()
    tolerance = tally.tolerance
    levels = [Level(kind="identity", worst=tally.largest, limit=tolerance.identity, baseline=guess)]
    if tolerance.average is not None:
        constant = question.weighing.form == "constant"
        levels.append(
            Level(
                kind="average" if constant else "loss",
                worst=tally.risk,
                limit=tolerance.average,
                baseline=guess if constant else None,
            )
        )
    return tuple(levels)


def _detail(question: DirectoryQuestion) -> list[str]:
    """Say how the numbers were found, and what they rest on."""
    sentences = _informed(question) if question.attacker.knows_method else _agreeing(question)
    if not question.weighing.is_exact:
        sentences.append("Multiplicative sensitivities are computed in floats, to nine digits.")
    if len(question.lookup.matchings) > 1:
        sentences.append(
            "The risk is the mean over the directories by their prior (Bayes)."
            if question.attacker.prior
            else "The risk is that in the worst of the directories."
        )
    return sentences


_BY_LOT = "Where people with the same values show different forms, it is drawn by lot who shows which."
_ALL_THE_SAME = "What people would show does not depend on who has a record, and people with the same values show the same."
_AT_MOST = (
    "So everybody who knows no more of people than these columns, and all about the method, has at most one chance in "
    "this many, whether they look for a record or for a person."
)


def _informed(question: DirectoryQuestion) -> list[str]:
    """Say how the people were counted whom somebody cannot distinguish who knows the method."""
    if question.lookup.is_own:
        like = f"The {nouns().records} were counted that look exactly like each one in the columns compared"
    else:
        like = f"The people of the directory were counted whose {nouns().record} would look exactly like each one"
    chosen = _BY_LOT if question.lookup.is_own else _ALL_THE_SAME
    sentences = [f"{like}; a blank matches blanks only.", nouns().told(chosen), nouns().told(_AT_MOST)]
    if question.attacker.match:
        sentences.append("Similar values do not add to these crowds.")
    return sentences


def _agreeing(question: DirectoryQuestion) -> list[str]:
    """Say how the people were counted who agree with a record."""
    gaps = "every" if question.lookup.gaps == "agree" else "no"
    parts = [f"The people who agree with each {nouns().record} were counted, each person once."]
    parts.append(
        f"A blank of {nouns().a_record} agrees with everybody, a missing value in the directory with {gaps} value that is shown."
    )
    similar = [name for name, how in question.attacker.match.items() if isinstance(how, Jaro)]
    near = [name for name in question.attacker.match if name not in similar]
    if similar:
        parts.append(
            f"Values of {listed(similar)} agree where their Jaro similarity is large enough, others where they are equal."
        )
    if near:
        parts.append(
            f"Values of {listed(near)} agree where they differ by at most what was stated: more people agree than with "
            "somebody who knows them exactly."
        )
    if question.attacker.likelihood is not None:
        parts.append(
            f"Of the people who agree, somebody takes each as often as their {question.attacker.likelihood} is of all "
            "theirs together; the chance is that of the record's own person, who always agrees."
        )
    if question.weighing.wrong:
        parts.append(
            f"Whoever takes a wrong person for the one of {nouns().a_record} hurts {percent(question.weighing.wrong)} as much as "
            "whoever is right; where nobody agrees, nobody is taken."
        )
    conditions = brought("ways", "directory.theorem1")
    return parts if conditions is None else [*parts, conditions(question)]
