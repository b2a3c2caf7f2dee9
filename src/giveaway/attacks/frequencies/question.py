"""The question put about renamed items, checked: what is published, who attacks it, and which limits hold."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np

from giveaway.attacks.frequencies.attacker import Itemsets, KnowsFrequencies, Order, Several
from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.chances import LimitLine
from giveaway.attacks.frequencies.crack_graph.components import Memory
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats
from giveaway.attacks.frequencies.estimates.compliance import ordered
from giveaway.attacks.frequencies.item_counts import ItemCounts, counted
from giveaway.attacks.frequencies.view import TargetsView
from giveaway.errors import ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.data.supports import Supports
from giveaway.model.data.transactions import Transactions
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True, eq=False)
class FrequenciesQuestion:
    """What an attacker sees, and what the owner tolerates of it: single items, or people, are the targets."""

    seen: TargetsView
    tolerance: Tolerance

    @property
    def targets(self) -> int:
        """The number of items that count."""
        return len(self.seen.interesting)

    @cached_property
    def counting(self) -> Floats:
        """The chance of each item, 0 for those that do not count."""
        chances = np.zeros(self.seen.number)
        chances[self.seen.interesting] = self.seen.chances.floats[self.seen.interesting]
        return chances

    @property
    def line(self) -> LimitLine:
        """Above what a chance is over the limit; without one nothing is."""
        return LimitLine(self.tolerance.identity or Fraction(2), at=not self.seen.attacker.knows_method)

    @cached_property
    def vulnerable(self) -> Flags:
        """Which items that count have a chance over the limit; none without a limit."""
        return self._marked(self.seen.chances.over(self.line))

    @cached_property
    def perhaps_vulnerable(self) -> Flags:
        """The same with those that the margin of an estimate leaves open."""
        return self._marked(self.seen.chances.may_be_over(self.line))

    def _marked(self, reached: Flags) -> Flags:
        marked = np.zeros(self.seen.number, np.bool_)
        marked[self.seen.interesting] = reached[self.seen.interesting]
        return marked

    @property
    def order(self) -> Order:
        """Which items are believed correctly first; nobody who knows the method is taken to be right at random."""
        return "worst" if self.seen.likeliest else self.seen.attacker.order

    @cached_property
    def chosen(self) -> Ints | None:
        """The items that are believed correctly, when an order says which; None when they are drawn at random."""
        order, share = self.order, self.seen.attacker.compliance
        if order == "random" or share == 1:
            return None
        first = ordered(order, self.counting, self.seen.counts)
        return first[: ceil(share * self.seen.number)]

    @property
    def drawn(self) -> Fraction:
        """The part of the items that is believed correctly, when they are drawn at random; else 1."""
        return self.seen.attacker.compliance if self.chosen is None else Fraction(1)

    @cached_property
    def in_question(self) -> Ints:
        """The items that count and may be believed correctly."""
        here = self.seen.interesting
        return here if self.chosen is None else np.intersect1d(here, self.chosen)

    @cached_property
    def expected(self) -> Chance:
        """The expected number of items that are cracked."""
        return self.drawn * self.seen.chances.total(self.in_question)

    @property
    def average(self) -> Chance:
        """The expected share of the items that count."""
        return self.expected / max(self.targets, 1)

    @cached_property
    def number_vulnerable(self) -> int:
        """How many of the items that count and may be believed correctly have a chance over the limit."""
        return int(self.vulnerable[self.in_question].sum())

    @property
    def margin(self) -> float:
        """What to add to the expected number before judging."""
        return float(self.drawn) * self.seen.chances.margin(self.in_question)

    def share_of(self, marked: Flags) -> Fraction:
        """Return the expected share of marked items among those that count."""
        return self.drawn * Fraction(int(marked[self.in_question].sum()), max(self.targets, 1))

    @cached_property
    def judged(self) -> "JudgedNumbers":
        """What the verdict is about."""
        return self.judging(self.in_question, self.drawn)

    def judging(self, items: Ints, part: Fraction = Fraction(1)) -> "JudgedNumbers":
        """Return what is judged when some of the items that count are believed correctly, or a part of them."""
        chances, number = self.seen.chances, max(self.targets, 1)
        average = share = None
        margins = [0.0]
        if self.tolerance.average is not None:
            average = part * chances.total(items) / number
            margins.append(float(part) * chances.margin(items) / number)
        if self.tolerance.identity is not None:
            share = part * Fraction(int(self.vulnerable[items].sum()), number)
            perhaps = part * Fraction(int(self.perhaps_vulnerable[items].sum()), number)
            margins.append(float(perhaps - share))
        margin = None if chances.method == "exact" else max(margins)
        return JudgedNumbers(average=average, share=share, margin=margin)


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemQuestion(FrequenciesQuestion):
    """The same of items and their codes."""

    seen: ItemsSeen


@dataclass(frozen=True, kw_only=True)
class JudgedNumbers:
    """The numbers that are compared with the limits, where these are given; the margin serves both."""

    average: Chance | None
    share: Fraction | None
    margin: float | None

    def pairs(self, tolerance: Tolerance) -> list[tuple[Chance, Fraction]]:
        """Return each number, with its margin, and its limit."""
        limits = ((self.average, tolerance.average), (self.share, tolerance.share))
        return [
            (value + self.margin if self.margin else value, limit)
            for value, limit in limits
            if value is not None and limit is not None
        ]

    def within(self, tolerance: Tolerance) -> bool:
        """Tell whether all of them are within their limits."""
        return all(value <= limit for value, limit in self.pairs(tolerance))


def see(release: Release, attacker: KnowsFrequencies, effort: Effort) -> ItemsSeen:
    """Return what an attacker sees of a release; worked out once for the same release and attacker."""
    source, data = release.original, release.published
    if not isinstance(source, Transactions | Supports) or not isinstance(data, Transactions | Supports):
        raise ScenarioError(
            f"The attack frequencies needs {nouns().transactions}, or the supports of {nouns().items}."
        )
    _check_data(attacker, source)
    memory = source.remember("components", (attacker.belief, effort), Memory)

    def seen() -> ItemsSeen:
        original = counted(source)
        items, places = original.without(_withheld(source, data))
        _check_labels(attacker, original)
        if not items.labels:
            raise ScenarioError(
                f"No {nouns().item} is published, so there is nothing to recognise.", hint="withhold less."
            )
        return ItemsSeen(
            attacker=attacker,
            effort=effort,
            source=source,
            data=data,
            original=original,
            items=items,
            places=places,
            memory=memory,
        )

    return data.remember("seen", (attacker, effort), seen)


def _withheld(source: Transactions | Supports, data: Transactions | Supports) -> list[object]:
    return [] if source is data else [label for label in source.labels if label not in data.code_of]


def _check_data(attacker: KnowsFrequencies, source: Transactions | Supports) -> None:
    """Refuse what supports alone cannot answer."""
    if isinstance(source, Transactions):
        return
    if attacker.wants_sets:
        raise ScenarioError(
            f"Of supports only single {nouns().items} are judged, and itemsets are the targets.",
            hint=f'leave targets out, or give the {nouns().transactions} (kind = "transactions").',
        )
    if attacker.known_pairs is not None:
        raise ScenarioError(
            f"Supports do not tell which {nouns().items} occur together, and known_pairs asks for it.",
            hint=f'leave known_pairs out, or give the {nouns().transactions} (kind = "transactions").',
        )


def _check_labels(attacker: KnowsFrequencies, original: ItemCounts) -> None:
    """Refuse labels that the data do not have."""
    original.places(attacker.of_interest, "of_interest names")
    if isinstance(attacker.targets, Several):
        original.places((label for one in attacker.targets for label in one), "An itemset names")
    if isinstance(attacker.targets, Itemsets):
        original.places(attacker.targets.with_any, "with_any names")
    if attacker.known_pairs is not None:
        known = attacker.known_pairs
        for pairs in (known.pairs, known.never, known.candidate_pairs):
            original.places((label for pair in pairs for label in pair), "A known pair names")
