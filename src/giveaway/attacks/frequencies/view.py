"""What an attacker sees, whether it is codes of items or records of people."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from giveaway.attacks.frequencies.attacker import KnowsFrequencies
from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Floats
from giveaway.attacks.frequencies.estimates.o_estimate import reciprocal_sum
from giveaway.model.answer.risk import Chance
from giveaway.model.data.arrays import Ints
from giveaway.model.question.effort import Effort


@dataclass(frozen=True, kw_only=True, eq=False)
class TargetsView(ABC):
    """Targets, how many codes may stand for each, and how likely each is cracked."""

    attacker: KnowsFrequencies
    effort: Effort

    @property
    @abstractmethod
    def nouns(self) -> tuple[str, str]:
        """What the targets are called: one of them, and several."""

    @property
    @abstractmethod
    def number(self) -> int:
        """The number of targets, those of no interest among them."""

    @property
    @abstractmethod
    def counts(self) -> Ints:
        """How often each occurs."""

    @cached_property
    @abstractmethod
    def interesting(self) -> Ints:
        """The places of those that count."""

    @cached_property
    @abstractmethod
    def right(self) -> Flags:
        """Which of them are believed correctly."""

    @cached_property
    @abstractmethod
    def degrees(self) -> Ints:
        """How many codes may stand for each, the O of the O-estimate."""

    @cached_property
    @abstractmethod
    def chances(self) -> ItemChances:
        """How likely each is cracked: recognised from its true code, or from the likeliest one."""

    @abstractmethod
    def estimated(self, places: Ints, *, propagate: bool) -> Chance | None:
        """Return the O-estimate of some of them, with forced pairs used or without; None where beliefs contradict."""

    @property
    def likeliest(self) -> bool:
        """Whether the likeliest code of each is judged, true or not.

        To somebody who knows the method a verdict on the true codes would tell something about them.
        """
        return self.attacker.knows_method

    @cached_property
    def taken_as_right(self) -> Flags:
        """Which may be cracked: those that are believed correctly, or all where the true codes must not count."""
        return np.ones(self.number, np.bool_) if self.likeliest else self.right

    @property
    def stated(self) -> Fraction:
        """The part that is judged as believed correctly."""
        return self.attacker.compliance * Fraction(int(self.taken_as_right.sum()), max(self.number, 1))

    @property
    def compliance(self) -> Fraction:
        """The part that is believed correctly, as given or as found out."""
        return self.attacker.compliance * Fraction(int(self.right.sum()), max(self.number, 1))

    @property
    def degrees_left(self) -> Ints:
        """The same once pairs that are forced are used up, as the paper supposes throughout (Figure 5)."""
        return self.degrees

    @cached_property
    def plain(self) -> Floats:
        """The chance of each by the O-estimate: one in the number of candidates that are left."""
        return np.where(self.right, 1 / np.maximum(self.degrees_left, 1), 0.0)

    def plain_total(self, places: Ints) -> Chance:
        """Return the O-estimate of some of them, after known pairs."""
        return reciprocal_sum(self.degrees[places[self.right[places]]])
