"""Choose the rules to publish: the largest supports first, every choice tried out before it is made."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from giveaway.attacks.profiles.claims.claims import Claims
from giveaway.attacks.profiles.judged_people import JudgedPeople, judge
from giveaway.attacks.profiles.posterior import ProfileBelief, believe, tried
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.maximum_entropy.constraints import Floats
from giveaway.model.progress import tell

BLOCK = 32
"""How many rules are tried at once."""

AGAIN = 500
"""How many rejected rules are tried once more at the end."""

FEW = 8
"""Of at most this many rules every list is tried when the first way leads nowhere."""

SEARCHED = 1000
"""How many lists of more rules are tried then."""


@dataclass(kw_only=True, eq=False)
class Chooser:
    """A list of rules that grows as long as it is within tolerance.

    More rules can make anybody more or less exposed, so a list is never taken for safe because a part of it is.
    """

    question: ProfilesQuestion
    claims: Claims
    limit: Fraction
    allowed: Fraction
    chosen: list[int] = field(default_factory=list)
    rejected: dict[int, int] = field(default_factory=dict)
    """How many people were over the limit when a rule was rejected."""
    nearest: JudgedPeople | None = None
    """The least exposed of the single rules that were rejected."""
    solves: int = 0
    searched: bool = False
    """Whether lists were searched because adding rules one after the other led nowhere."""
    tried_all: bool = False
    """Whether every shorter list could be judged then, up to the first that is within tolerance."""
    _start: Floats | None = None

    def judged(self, rules: Sequence[int]) -> JudgedPeople:
        """Judge what somebody believes who reads some rules, and nothing into the absence of others."""
        return judge(self.question, self._believed(rules))

    def _believed(self, rules: Sequence[int], start: Floats | None = None) -> ProfileBelief:
        self.solves += 1
        tell("choosing the rules to publish", len(self.chosen), len(self.claims.rules))
        return believe(self.claims, self.claims.reading(sorted(rules)), start=start)

    def within(self, judged: JudgedPeople) -> bool:
        """Tell whether few enough people are over the limit."""
        return judged.share(self.limit) <= self.allowed

    def choose(self, order: Sequence[int]) -> None:
        """Add rules in blocks; a block that is too much is halved until it has one rule."""
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

    def has_list(self, planned: JudgedPeople) -> bool:
        """Tell whether rules are chosen that are within tolerance as they would be published.

        A list from which nothing is withheld is the plan, of which absent rules may say more.
        """
        return bool(self.chosen) and (bool(self.rejected) or self.within(planned))

    def leave_one_out(self, must: Sequence[int], planned: JudgedPeople) -> None:
        """Withhold one rule, of small support, of a list that is safe only when nothing can be made of absent rules."""
        for rule in reversed([rule for rule in self.chosen if rule not in must]):
            rest = [other for other in self.chosen if other != rule]
            if rest and self.within(self.judged(rest)):
                self.chosen = rest
                self.rejected[rule] = planned.above(self.limit)
                return

    def search(self, must: Sequence[int], planned: JudgedPeople) -> None:
        """Look for a list that is within tolerance where adding rules one after the other leads nowhere.

        Of few rules every list is tried, the largest support first; else rules are taken from the whole list one by
        one, and added to those that must be published, each time the one that leaves fewest people over the limit.
        """
        free = [rule for rule in self.claims.by_support if rule not in must]
        self.chosen, self.rejected, self._start, self.searched = [], {}, None, True
        if len(free) <= FEW:
            self._try_all(must, free, planned)
            return
        for lists in (self._shrinking(must, free), self._growing(must, free)):
            safe = next((rules for rules, judged in lists if self.within(judged)), None)
            if safe is not None:
                self.chosen = safe
                self.choose([rule for rule in free if rule not in safe])
                return

    def _try_all(self, must: Sequence[int], free: Sequence[int], planned: JudgedPeople) -> None:
        """Try every shorter list, the largest support first."""
        supports, self.tried_all = self.claims.supports, True
        lists = [part for size in range(len(free)) for part in combinations(free, size) if part or must]
        for part in sorted(lists, key=lambda part: -sum(int(supports[rule]) for rule in part)):
            judged = self.judged_or_none([*must, *part])
            self.tried_all &= judged is not None
            if judged is not None and self.within(judged):
                self.chosen = [*must, *part]
                for rule in (rule for rule in free if rule not in part):
                    also = self.judged_or_none([*self.chosen, rule])
                    above = 0 if also is None else also.above(self.limit)
                    self.rejected[rule] = above or planned.above(self.limit)
                return

    def _shrinking(
        self, must: Sequence[int], free: Sequence[int]
    ) -> Iterator[tuple[list[int], JudgedPeople]]:
        """Take rules from the whole list one by one."""
        rules = [*must, *free]
        while len(rules) > max(len(must), 1):
            rest = [[other for other in rules if other != rule] for rule in rules if rule not in must]
            best = self._least_exposed(rest)
            if best is None:
                return
            yield best
            rules = best[0]

    def _growing(self, must: Sequence[int], free: Sequence[int]) -> Iterator[tuple[list[int], JudgedPeople]]:
        """Add rules to those that must be published one by one."""
        rules = list(must)
        while len(rules) < len(must) + len(free) - 1:
            best = self._least_exposed([[*rules, rule] for rule in free if rule not in rules])
            if best is None:
                return
            yield best
            rules = best[0]

    def _least_exposed(self, lists: Sequence[list[int]]) -> tuple[list[int], JudgedPeople] | None:
        """Return the list with fewest people over the limit, then the smallest chances; None beyond the budget."""
        if self.solves + len(lists) > SEARCHED:
            return None
        judged = ((rules, self.judged_or_none(rules)) for rules in lists)
        known = [(rules, people) for rules, people in judged if people is not None]
        return min(
            known,
            key=lambda pair: (pair[1].above(self.limit), float((pair[1].number * pair[1].chance).sum())),
            default=None,
        )

    def judged_or_none(self, rules: Sequence[int]) -> JudgedPeople | None:
        """Do the same, and return None where the chances cannot be computed."""
        return tried(lambda: self.judged(rules))
