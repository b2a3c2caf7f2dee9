"""Exposures of the attack `frequencies` on sets of items, put into words when looked at."""

from functools import cached_property, partial
from math import isqrt

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.exact_chances.closed_forms import ignorant_chance
from giveaway.attacks.frequencies.itemsets.chances import SolvedSets, chance_of
from giveaway.attacks.frequencies.itemsets.question import SetQuestion
from giveaway.attacks.frequencies.question import see
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.frequencies.reporting.exposures import Recognised
from giveaway.model.answer.risk import Chance, Exposure, Listed, Step
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.release.release import Release


class SetExposures(Listed):
    """One exposure for each set, by falling chance; sets of the same kind in item order."""

    def __init__(self, question: SetQuestion) -> None:
        self._question = question
        self._seen = question.seen

    @cached_property
    def _order(self) -> tuple[Ints, Ints, Ints]:
        """The size and the kind of the sets in their order, and how many sets come before each kind."""
        solved = self._question.solved
        part = np.concatenate(
            [np.zeros(0, np.int64), *(np.full(len(s.kinds.many), i) for i, s in enumerate(solved))]
        )
        kind = np.concatenate([np.zeros(0, np.int64), *(np.arange(len(s.kinds.many)) for s in solved)])
        chance = np.concatenate([np.zeros(0), *(s.chances.floats for s in solved)])
        many = np.concatenate([np.zeros(0, np.int64), *(s.kinds.many for s in solved)])
        order = np.lexsort((kind, part, -chance))
        return part[order], kind[order], np.concatenate([[0], np.cumsum(many[order])])

    def __len__(self) -> int:
        return self._question.targets.number

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        part, kind, before = self._order
        at = int(np.searchsorted(before, place, side="right")) - 1
        solved = self._question.solved[int(part[at])]
        members = _members(solved, int(kind[at]), place - int(before[at]))
        return self._exposure(members, solved.chances.by_kind[int(kind[at])])

    def _exposure(self, members: list[int], chance: Chance) -> Exposure:
        seen = self._seen
        candidates = [int(seen.degrees[member]) for member in members]
        alone = sentences.listed([f"{number:,}" for number in candidates])
        sure = "Cracked with certainty. " if chance == 1 else ""
        labels = tuple(seen.items.labels[member] for member in members)
        return Recognised(
            target=labels,
            kind="identity",
            chance=chance,
            baseline=ignorant_chance(seen.number, len(members)),
            because=f"{sure}Alone, {alone} codes may stand for them.",
            again=partial(_again, seen, labels),
        )

    def worked(self) -> tuple[Step, ...]:
        """Show how many codes may stand for each member of the worst exposed set."""
        if not len(self):
            return ()
        target = self[0].target
        labels = target if isinstance(target, tuple) else (target,)
        places = self._seen.items.place_of
        return (
            Step(label="codes in the release", count=self._seen.number),
            *(
                Step(
                    label=f"codes that may be {sentences.named(label)}",
                    count=int(self._seen.degrees[places[label]]),
                )
                for label in labels
            ),
        )


def _again(seen: ItemsSeen, labels: tuple[Label, ...], release: Release) -> Chance:
    now = see(release, seen.attacker, seen.effort)
    return chance_of(now, [now.items.place_of[label] for label in labels])


def _members(solved: SolvedSets, kind: int, number: int) -> list[int]:
    """Return the members of one set of a kind, by its number among them."""
    if solved.sets.rows is not None:
        row = int(np.flatnonzero(solved.kinds.of == kind)[number])
        return [int(member) for member in solved.sets.rows[row]]
    chosen = solved.sets.chosen
    one, other = (chosen[solved.class_of[chosen] == c] for c in solved.kinds.classes[kind].tolist())
    if solved.kinds.classes[kind][0] != solved.kinds.classes[kind][1]:
        return sorted((int(one[number // len(other)]), int(other[number % len(other)])))
    # The pairs of one class in the order (0, 1), (0, 2), (1, 2), (0, 3), ...
    high = (1 + isqrt(1 + 8 * number)) // 2
    return [int(one[number - high * (high - 1) // 2]), int(one[high])]
