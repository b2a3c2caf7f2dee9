"""Exposures of the attack `frequencies`: items by how likely they are cracked, put into words when looked at."""

from collections.abc import Callable
from dataclasses import InitVar, dataclass
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.question import FrequenciesQuestion, ItemQuestion, see
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.model.answer.risk import Chance, Exposure, Listed, Step
from giveaway.model.data.arrays import Ints
from giveaway.model.data.labels import Label
from giveaway.model.release.release import Release


@dataclass(frozen=True, kw_only=True)
class Recognised(Exposure):
    """An exposed item, set or person that remembers how to be looked up in a release that withholds more."""

    again: InitVar[Callable[[Release], Chance]]

    def __post_init__(self, again: Callable[[Release], Chance]) -> None:
        object.__setattr__(self, "_again", again)

    def chance_in(self, release: Release) -> Chance:
        """Return the chance of the same target in another release."""
        chance: Chance = vars(self)["_again"](release)
        return chance


class OneByOneExposures(Listed):
    """One exposure for each target that counts and may be believed correctly, by falling chance, then in their order."""

    def __init__(self, question: FrequenciesQuestion) -> None:
        self._question = question

    @cached_property
    def order(self) -> Ints:
        """Their places, the most exposed first."""
        places = self._question.in_question
        return places[np.lexsort((places, -self._question.seen.chances.floats[places]))]

    def __len__(self) -> int:
        return len(self.order)


class ItemExposures(OneByOneExposures):
    """The exposures of items."""

    _question: ItemQuestion

    def at(self, place: int) -> Exposure:
        """Make the exposure at a place."""
        seen, item = self._question.seen, int(self.order[place])
        chance = seen.chances.of(item)
        return Recognised(
            target=seen.items.labels[item],
            kind="identity",
            chance=chance,
            baseline=Fraction(1, seen.number),
            because=sentences.because(
                chance,
                int(seen.degrees[item]),
                believed=seen.attacker.belief.kind,
                half_width=seen.half_width,
                where=seen.where,
                right=bool(seen.right[item]) or (chance > 0 and not seen.likeliest),
                sure=self._question.drawn == 1,
                likeliest=seen.likeliest,
            ),
            again=partial(_again, seen, seen.items.labels[item]),
        )

    def worked(self) -> tuple[Step, ...]:
        """Show step by step how the codes that may stand for the worst exposed item become fewer."""
        if not len(self):
            return ()
        seen, item = self._question.seen, int(self.order[0])
        by_frequency = int(seen.believed.windows.degrees[item])
        steps = [
            Step(label="codes in the release", count=seen.number),
            Step(label="about as frequent as that", count=by_frequency),
        ]
        if int(seen.degrees[item]) < by_frequency:
            steps.append(Step(label=seen.narrowed, count=int(seen.degrees[item])))
        if seen.chances.of(item) == 1 and steps[-1].count > 1:
            steps.append(Step(label="codes left when the others have theirs", count=1))
        return tuple(steps)


def _again(seen: ItemsSeen, item: Label, release: Release) -> Chance:
    now = see(release, seen.attacker, seen.effort)
    return now.chances.of(now.items.place_of[item])
