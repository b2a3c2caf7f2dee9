"""What a report shows of sets of renamed items: the largest chances, the estimates of the paper, how far the limit holds."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import ceil, isqrt, prod
from typing import Any

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.chances import Method
from giveaway.attacks.frequencies.estimates.o_estimate import os_parts
from giveaway.attacks.frequencies.exact_chances.closed_forms import (
    exact_chance,
    exact_expected,
    ignorant_chance,
)
from giveaway.attacks.frequencies.itemsets.chances import SolvedSets, chance_of
from giveaway.attacks.frequencies.itemsets.question import SetQuestion
from giveaway.attacks.frequencies.itemsets.targets import SomeSets
from giveaway.attacks.frequencies.question import see
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.frequencies.reporting.breaking_point import holding
from giveaway.attacks.frequencies.reporting.curves import POINTS, histogram
from giveaway.attacks.frequencies.reporting.details import OfItems
from giveaway.attacks.frequencies.reporting.exposures import Recognised
from giveaway.attacks.frequencies.reporting.figures import short, sizes
from giveaway.attacks.wording import exact_percent
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import (
    Chance,
    Curve,
    Decision,
    Exposure,
    HoldsUpTo,
    How,
    Level,
    Listed,
    Listing,
    Mark,
    Step,
)
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


MOST_LISTED = 1_000
"""How many sets are listed with their OS estimate."""


class SetDetails(OfItems):
    """The chances of sets of items behind a verdict."""

    def __init__(self, question: SetQuestion) -> None:
        super().__init__(question.seen)
        self._question = question

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The largest chance next to its limit, and to that of a blind guess of the smallest sets."""
        question = self._question
        smallest = min((part.size for part in question.targets.parts), default=1)
        guess = ignorant_chance(self._seen.number, smallest)
        return (Level(kind="identity", worst=self._largest, limit=question.identity, baseline=guess),)

    @cached_property
    def how(self) -> How:
        """How the chances were found, and what is added before judging."""
        return _how(self._question)

    @cached_property
    def _exposures(self) -> SetExposures:
        return SetExposures(self._question)

    @cached_property
    def exposures(self) -> Sequence[Exposure]:
        """The sets by falling chance."""
        return self._exposures

    @cached_property
    def over(self) -> int:
        """How many sets have a chance over the limit."""
        return self._question.number_vulnerable

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """The numbers that the contract names."""
        return sizes(self._seen) | _figures(self._question)

    @cached_property
    def holds_up_to(self) -> HoldsUpTo:
        """The share of items that may be believed correctly."""
        question = self._question
        return holding(question.holds, most=question.most, at_worst=question.worst, bound=True)

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The chances of sets, the share at the limit as more is believed correctly, and what similar data tell."""
        return (
            _chances(self._question),
            _strength(self._question),
            *_means(self._question),
            *(self._paper.curves_of(self._seen, self._question.holds) if self._paper else ()),
        )

    @cached_property
    def recipe(self) -> tuple[str, ...]:
        """The steps of the paper's recipe for sets."""
        decided = [self.decision.says] if self.decision else []
        return (*self._paper.of_sets(self._question), *decided) if self._paper else ()

    @cached_property
    def decision(self) -> Decision | None:
        """The question to ask instead, by what samples of similar data are right about."""
        decision: Decision | None = self._paper.decision_of_sets(self._question) if self._paper else None
        return decision

    @cached_property
    def lists(self) -> Mapping[str, Listing]:
        """The sets with their chance and the OS estimate of the paper next to it (Figure 7), the worst first."""
        rows = [
            {"items": list(members), "chance": one.chance, "os": self._os(members)}
            for one in self._exposures[:MOST_LISTED]
            for members in [one.target if isinstance(one.target, tuple) else (one.target,)]
        ]
        title = "Sets with their chance and the OS estimate of the paper, the worst first"
        return {"sets": Listing(title=title, rows=rows, total=len(self._exposures))}

    def _os(self, members: Sequence[Any]) -> Fraction:
        graph, place_of = self._seen.of_sets, self._seen.items.place_of
        places = np.array([place_of[label] for label in members])
        inside, degree = os_parts(graph, np.sort(graph.classes.of[places])[None])
        return Fraction(prod(inside[0].tolist()), max(prod(degree[0].tolist()), 1))

    @cached_property
    def worked(self) -> tuple[Step, ...]:
        """How many codes may stand for each member of the worst exposed set."""
        return self._exposures.worked()


def _how(question: SetQuestion) -> How:
    methods: list[Method] = [part.chances.method for part in question.solved]
    method: Method = next((word for word in methods if word != "exact"), "exact")
    details = dict.fromkeys(part.chances.detail for part in question.solved if part.chances.method == method)
    text = " ".join(details) or "There is no set to judge."
    if question.targets.drawn:
        method = "simulated" if method == "exact" else method
        text += f" {question.targets.number:,} sets were drawn at random; 95 % interval."
    if question.seen.likeliest:
        return How(
            method=method,
            detail=f"{text} The likeliest codes of every set count, true or not, as if all {nouns().items} were believed correctly.",
            margin=None if method == "exact" else question.margin,
        )
    if question.seen.attacker.compliance != 1:
        right = sentences.counted(question.right, "items")
        text += f" {right}, drawn at random, are believed correctly; a set is vulnerable when all its {nouns().items} are."
    return How(method=method, detail=text, margin=None if method == "exact" else question.margin)


def _figures(question: SetQuestion) -> dict[str, Any]:
    seen, everything, by_os = question.seen, np.arange(question.seen.number), question.by_os
    return {
        "point_valued_cracks": short(_known_exactly(question)),
        "o_estimate": short(seen.estimated(everything, propagate=True)),
        "o_estimate_plain": short(seen.estimated(everything, propagate=False)),
        "targets": question.targets.number,
        "vulnerable_share": question.vulnerable_share,
        "os_vulnerable_share": question.share(by_os.over, question.right),
        "mean_probability": short(question.mean(question.totals, question.right)),
        "os_mean": float(question.mean(by_os.totals, question.right)),
        "os2_mean": float(question.mean(by_os.totals2, question.right)),
        "breaking_point": question.breaking_point(by_os.over),
        "breaking_point_exact_risk": question.holds,
        "breaking_point_worst": question.worst,
        "breaking_point_best": None,
    }


def _known_exactly(question: SetQuestion) -> Chance:
    """Return how many of the sets somebody cracks who knows every count (Lemmas 3.4 and 3.6)."""
    windows = question.seen.windows
    own, group_sizes = windows.own, windows.sizes.tolist()

    def expected(part: SomeSets) -> Fraction:
        if part.rows is None:
            chosen = np.bincount(own[part.chosen], minlength=len(group_sizes))
            return exact_expected(group_sizes, part.size, chosen.tolist())
        return sum((exact_chance(group_sizes, row) for row in own[part.rows].tolist()), Fraction(0))

    return sum((expected(part) for part in question.targets.parts), Fraction(0))


def _chances(question: SetQuestion) -> Curve:
    values = [chance for part in question.solved for chance in part.chances.by_kind]
    many = [number for part in question.solved for number in part.kinds.many.tolist()]
    sets = sentences.counted(question.targets.number, "sets")
    ends, per_bin = histogram(values, many, question.line)
    return Curve(
        name="chances",
        x_label="chance that the set is recognised",
        y_label="sets",
        x=ends,
        y=per_bin,
        says=f"{question.number_vulnerable:,} of {sets} {question.line.verb} the limit of {exact_percent(question.identity)}.",
        limit=float(question.identity),
    )


def _shares(question: SetQuestion) -> list[Fraction]:
    """Return the shares of items believed correctly at which curves have a point, the one that is stated among them."""
    stated = Fraction(1) if question.seen.likeliest else question.seen.attacker.compliance
    return sorted({*(Fraction(step, POINTS) for step in range(POINTS + 1)), stated})


def _means(question: SetQuestion) -> tuple[Curve, Curve]:
    """Show the mean chance, and the mean OS estimate next to it, as more items are believed correctly (Figure 17)."""
    shares, items = _shares(question), question.seen.number

    def curve(name: str, totals: Sequence[Chance], says: str, beside: str | None = None) -> Curve:
        return Curve(
            name=name,
            x_label=f"{nouns().items} the attacker is right about",
            y_label="mean chance of a set",
            x=tuple(map(float, shares)),
            y=tuple(float(question.mean(totals, ceil(share * items))) for share in shares),
            says=says,
            beside=beside,
        )

    return (
        curve(
            "mean_chance",
            question.totals,
            f"The mean chance of the sets; {nouns().items} are believed correctly at random.",
        ),
        curve("os", question.by_os.totals, "OS is the estimate of the paper.", "mean_chance"),
    )


def _strength(question: SetQuestion) -> Curve:
    """Show the vulnerable share as more items, drawn at random, are believed correctly."""
    items, numbers = question.seen.number, question.vulnerable_numbers
    shares = _shares(question)
    breaks = question.holds
    marks = [Mark(x=float(breaks), label=f"holds up to {sentences.percent(breaks)}")]
    if question.seen.compliance < 1 and not question.seen.likeliest:
        marks.append(Mark(x=float(question.seen.compliance), label="stated"))
    return Curve(
        name="strength",
        x_label=f"{nouns().items} the attacker is right about",
        y_label="share of sets at the limit",
        x=tuple(map(float, shares)),
        y=tuple(float(question.share(numbers, ceil(share * items))) for share in shares),
        says=f"{nouns().told('Items')} believed correctly, drawn at random: the release holds up to {sentences.percent(breaks)}. Whichever they are, "
        f"it holds up to at least {sentences.percent(question.worst)}.",
        limit=float(question.tolerance.share),
        marks=tuple(marks),
    )
