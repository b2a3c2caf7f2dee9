"""Choose the rules to publish: the largest supports first, every choice tried out before it is made."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from giveaway.algorithms.maxent_rows import Floats
from giveaway.attacks.profiles.belief import Belief, believe
from giveaway.attacks.profiles.claims import Claims
from giveaway.attacks.profiles.judging import Judged, judge
from giveaway.attacks.profiles.question import Question
from giveaway.model.progress import tell

BLOCK = 32
"""How many rules are tried at once."""

AGAIN = 500
"""How many rejected rules are tried once more at the end."""


@dataclass(kw_only=True, eq=False)
class Chooser:
    """A list of rules that grows as long as it is within tolerance.

    More rules can make anybody more or less exposed, so a list is never taken for safe because a part of it is.
    """

    question: Question
    claims: Claims
    limit: Fraction
    allowed: Fraction
    chosen: list[int] = field(default_factory=list)
    rejected: dict[int, int] = field(default_factory=dict)
    """How many people were over the limit when a rule was rejected."""
    nearest: Judged | None = None
    """The least exposed of the single rules that were rejected."""
    solves: int = 0
    _start: Floats | None = None

    def judged(self, rules: Sequence[int]) -> Judged:
        """Judge what somebody believes who reads some rules, and nothing into the absence of others."""
        return judge(self.question, self._believed(rules))

    def _believed(self, rules: Sequence[int], start: Floats | None = None) -> Belief:
        self.solves += 1
        tell("choosing the rules to publish", len(self.chosen), len(self.claims.rules))
        return believe(self.claims, self.claims.reading(sorted(rules)), start=start)

    def within(self, judged: Judged) -> bool:
        """Tell whether few enough people are over the limit."""
        return judged.share(self.limit) <= self.allowed

    def choose(self, order: Sequence[int]) -> None:
        """Add rules in blocks; a block that is too much is halved until the rules that are too much stand alone."""
        for begin in range(0, len(order), BLOCK):
            self._extend(order[begin : begin + BLOCK])
        for rule in list(self.rejected)[:AGAIN]:
            if self._fits([rule]):
                del self.rejected[rule]

    def _extend(self, block: Sequence[int]) -> None:
        if self._fits(block) or len(block) == 1:
            return
        half = len(block) // 2
        self._extend(block[:half])
        self._extend(block[half:])

    def _fits(self, block: Sequence[int]) -> bool:
        """Add rules if they are within tolerance with those chosen before; note a single rule that is not."""
        belief = self._believed([*self.chosen, *block], self._start)
        judged = judge(self.question, belief)
        if self.within(judged):
            self.chosen.extend(block)
            self._start = belief.multipliers()
            return True
        if len(block) == 1:
            self.rejected[block[0]] = judged.above(self.limit)
            if self.nearest is None or judged.share(self.limit) < self.nearest.share(self.limit):
                self.nearest = judged
        return False

    def leave_one_out(self, must: Sequence[int], planned: Judged) -> None:
        """Withhold one rule, of small support, of a list that is safe only when nothing can be made of absent rules."""
        for rule in reversed([rule for rule in self.chosen if rule not in must]):
            rest = [other for other in self.chosen if other != rule]
            if rest and self.within(self.judged(rest)):
                self.chosen = rest
                self.rejected[rule] = planned.above(self.limit)
                return
