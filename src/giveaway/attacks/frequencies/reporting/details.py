"""What a report shows of renamed items: the largest chances, the figures of the paper, and how far the limits hold."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.question import FrequenciesQuestion, ItemQuestion
from giveaway.attacks.frequencies.reporting import curves, sentences
from giveaway.attacks.frequencies.reporting.breaking_point import Breaking, breaking
from giveaway.attacks.frequencies.reporting.exposures import ItemExposures
from giveaway.attacks.frequencies.reporting.figures import kept, short, sizes
from giveaway.guests import brought
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Curve, Decision, Details, HoldsUpTo, How, Level, Step


class CrackDetails(Details):
    """Details whose worst chance is that of a single target, even where only the average is limited."""

    @cached_property
    def _largest(self) -> Chance:
        return self.exposures[0].chance if len(self.exposures) else Fraction(0)

    @cached_property
    def worst(self) -> Level | None:
        """The largest chance, next to that of a blind guess."""
        limit = next((level.limit for level in self.levels if level.kind == "identity"), Fraction(1))
        return Level(kind="identity", worst=self._largest, limit=limit, baseline=self.levels[0].baseline)


class OneByOne(CrackDetails):
    """Details of single targets: items, or people."""

    _question: FrequenciesQuestion
    _any_one: str
    """How somebody who knows the method is judged."""

    @cached_property
    def how(self) -> How:
        """How the chances were found, and what is added before judging."""
        chances, likeliest = self._question.seen.chances, self._question.seen.likeliest
        return How(
            method=chances.method,
            detail=f"{chances.detail}{nouns().told(self._any_one) if likeliest else ''}{_part_right(self._question)}",
            margin=self._question.judged.margin,
        )

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The largest chance and the average, next to their limits."""
        question, tolerance = self._question, self._question.tolerance
        guess, levels = Fraction(1, question.seen.number), []
        if tolerance.identity is not None:
            levels.append(
                Level(kind="identity", worst=self._largest, limit=tolerance.identity, baseline=guess)
            )
        if tolerance.average is not None:
            levels.append(
                Level(kind="average", worst=question.average, limit=tolerance.average, baseline=guess)
            )
        return tuple(levels)

    @cached_property
    def over(self) -> int:
        """How many of them have a chance over the limit."""
        return self._question.number_vulnerable

    @cached_property
    def _breaking(self) -> Breaking:
        return breaking(self._question)

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """The share of them that may be believed correctly."""
        return self._breaking.holds

    @cached_property
    def _cracks(self) -> dict[str, Any]:
        """The figures of those that count, and of how many may be believed correctly."""
        question, breaks, targets = self._question, self._breaking, self._question.in_question

        def part(value: Chance | None) -> Chance | None:
            return None if value is None else short(question.drawn * value)

        return {
            "o_estimate": part(question.seen.estimated(targets, propagate=True)),
            "o_estimate_plain": part(question.seen.estimated(targets, propagate=False)),
            "expected_cracks": short(question.expected),
            "expected_fraction": short(question.average),
            "breaking_point": short(breaks.plain),
            "breaking_point_exact_risk": short(breaks.random),
            "breaking_point_worst": breaks.worst,
            "breaking_point_best": breaks.best,
        }


class OfItems(CrackDetails):
    """Details of items or itemsets."""

    def __init__(self, seen: ItemsSeen) -> None:
        self._seen = seen
        self._paper: Any = brought("ways", "frequencies.recipe")
        """Tells the steps of the paper's recipe, where the guest is there."""

    @cached_property
    def kept(self) -> Mapping[str, int]:
        """The item occurrences that are left."""
        return kept(self._seen)

    @cached_property
    def against(self) -> str | None:
        """Whom a promise is made against where somebody may be right about more items."""
        part = self._seen.attacker.compliance
        return (
            None
            if part == 1
            else f"is right about no more than {sentences.percent(part)} of the {nouns().items}"
        )


class ItemDetails(OneByOne, OfItems):
    """The chances of single items behind a verdict."""

    _question: ItemQuestion
    _any_one = sentences.ANY_CODE

    def __init__(self, question: ItemQuestion) -> None:
        super().__init__(question.seen)
        self._question = question

    @cached_property
    def exposures(self) -> ItemExposures:
        """The items that count, by falling chance."""
        return ItemExposures(self._question)

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """The numbers that the contract names."""
        question, seen = self._question, self._seen
        figures = sizes(seen) | self._cracks
        if seen.contradiction is not None:
            figures["breaking_point_exact_risk"] = None
        for name, propagate in (("adjusted_o_estimate", True), ("adjusted_o_estimate_plain", False)):
            if seen.pairs is not None:
                value = seen.adjusted(question.in_question, propagate=propagate)
                figures[name] = None if value is None else short(question.drawn * value)
        return figures

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The chances of items, what is lost as more is believed correctly, and what similar data tell."""
        return (
            curves.chances(self._question),
            *curves.strength(self._question, self._breaking),
            *curves.adjusted(self._question),
            *(self._paper.curves_of(self._seen, self._breaking.stated) if self._paper else ()),
        )

    @cached_property
    def recipe(self) -> tuple[str, ...]:
        """The steps of the paper's recipe for items."""
        decided = [self.decision.says] if self.decision else []
        return (*self._paper.of_items(self._question, self._breaking), *decided) if self._paper else ()

    @cached_property
    def decision(self) -> Decision | None:
        """The question to ask instead, by what samples of similar data are right about."""
        decision: Decision | None = None
        if self._paper is not None:
            decision = self._paper.decision_of_items(self._question, self._breaking)
        return decision

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """How the codes for the worst exposed item become fewer."""
        return self.exposures.worked()


def _part_right(question: FrequenciesQuestion) -> str:
    attacker = question.seen.attacker
    if attacker.compliance == 1:
        return ""
    part = sentences.percent(attacker.compliance)
    if question.chosen is None:
        return f" {part} of the {nouns().items}, drawn at random, are believed correctly, so that this part of all cracks is expected."
    which = {"worst": "most exposed", "best": "least exposed", "frequency": "least frequent"}[question.order]
    return f" The {part} {which} {nouns().items} are believed correctly; no other is recognised."
