"""Measure how many sets of renamed items somebody recognises (Definition 2.1 and Figure 9 of the paper)."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, comb
from typing import Any

import numpy as np

from giveaway.attacks.frequencies.attacker_view import Seen
from giveaway.attacks.frequencies.breaking_point import holding
from giveaway.attacks.frequencies.chances import Method
from giveaway.attacks.frequencies.exact_chances.closed_forms import exact_chance, exact_expected
from giveaway.attacks.frequencies.itemsets.exposures import SetExposures
from giveaway.attacks.frequencies.itemsets.question import SetQuestion
from giveaway.attacks.frequencies.itemsets.targets import SomeSets, targets
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.frequencies.reporting.curves import BINS, POINTS, histogram, similar_data
from giveaway.attacks.frequencies.reporting.figures import (
    CrackRisk,
    contradictions,
    doubt,
    kept,
    short,
    sizes,
)
from giveaway.attacks.frequencies.reporting.similar_data import similar
from giveaway.errors import ScenarioError
from giveaway.model.answer.risk import Chance, Curve, How, Level, Mark, Risk
from giveaway.model.question.tolerance import Tolerance


def measure_sets(seen: Seen, tolerance: Tolerance) -> Risk:
    """Find the share of sets whose chance is at least the limit."""
    question = set_question(seen, tolerance)
    numbers = question.counted(question.vulnerable)
    exposures = SetExposures(question)
    worst = exposures[0].chance if len(exposures) else Fraction(0)
    sizes_of = [part.size for part in question.targets.parts]
    guess = Fraction(1, comb(seen.number, min(sizes_of, default=1)))
    plain = question.breaking_point(question.by_os.over)
    return CrackRisk(
        levels=(Level(kind="identity", worst=worst, limit=question.identity, baseline=guess),),
        share=question.share(numbers, question.right),
        over=sum(numbers),
        exposures=exposures,
        how=_how(question),
        figures=sizes(seen) | _figures(question, numbers, plain),
        holds_up_to=holding(question.holds, most=question.most, at_worst=question.worst, bound=True),
        curves=(_chances(question, numbers), _strength(question, numbers), *_similar(question)),
        worked=exposures.worked(),
        kept=kept(seen),
        reasons=(*contradictions(seen), *_reasons(question, numbers)),
        doubt=doubt(seen),
        largest=worst,
    )


def set_question(seen: Seen, tolerance: Tolerance) -> SetQuestion:
    """Put the question together, and refuse what is not defined for sets."""
    if tolerance.identity is None:
        raise ScenarioError(
            "Itemsets are judged by identity and share, and identity is not given.",
            hint='identity = "1/2", share = "1/10": at most a tenth of the sets may be cracked with a chance of 1/2.',
        )
    attacker = seen.attacker
    if attacker.compliance != 1 and attacker.order != "random":
        raise ScenarioError(
            f'order = "{attacker.order}" is for items, and itemsets are the targets.',
            hint="leave order out, which draws the items at random.",
        )
    return SetQuestion(seen=seen, tolerance=tolerance, identity=tolerance.identity, targets=targets(seen))


def _how(question: SetQuestion) -> How:
    methods: list[Method] = [part.chances.method for part in question.solved]
    method: Method = next((word for word in methods if word != "exact"), "exact")
    details = dict.fromkeys(part.chances.detail for part in question.solved if part.chances.method == method)
    said = " ".join(details) or "There is no set to judge."
    if question.targets.drawn:
        method = "simulated" if method == "exact" else method
        said += f" {question.targets.number:,} sets were drawn at random; 95 % interval."
    if question.seen.attacker.compliance != 1:
        right = sentences.counted(question.right, "item", "items")
        said += (
            f" {right}, drawn at random, are believed rightly; a set is vulnerable when all its items are."
        )
    return How(method=method, detail=said, margin=None if method == "exact" else question.margin)


def _figures(question: SetQuestion, numbers: Sequence[int], plain: Fraction) -> dict[str, Any]:
    seen, everything = question.seen, np.arange(question.seen.number)
    right = question.right
    return {
        "point_valued_cracks": short(_known_exactly(question)),
        "o_estimate": short(seen.estimated(everything, propagate=True)),
        "o_estimate_plain": short(seen.estimated(everything, propagate=False)),
        "targets": question.targets.number,
        "vulnerable_share": question.share(numbers, right),
        "os_vulnerable_share": question.share(question.by_os.over, right),
        "mean_probability": short(question.mean),
        "os_mean": question.by_os.mean,
        "os2_mean": question.by_os.mean2,
        "breaking_point": plain,
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


def _chances(question: SetQuestion, numbers: Sequence[int]) -> Curve:
    values = [chance for part in question.solved for chance in part.chances.by_kind]
    many = [number for part in question.solved for number in part.kinds.many.tolist()]
    sets = sentences.counted(question.targets.number, "set", "sets")
    return Curve(
        name="chances",
        x_label="chance that the set is recognised",
        y_label="sets",
        x=tuple((place + 1) / BINS for place in range(BINS)),
        y=histogram(values, many),
        says=f"{sum(numbers):,} of {sets} reach the limit of {sentences.percent(question.identity)}.",
        limit=float(question.identity),
    )


def _strength(question: SetQuestion, numbers: Sequence[int]) -> Curve:
    """Show the vulnerable share as more items, drawn at random, are believed rightly."""
    items = question.seen.number
    shares = sorted(
        {*(Fraction(step, POINTS) for step in range(POINTS + 1)), question.seen.attacker.compliance}
    )
    breaks = question.holds
    marks = [Mark(x=float(breaks), label=f"holds up to {sentences.percent(breaks)}")]
    if question.seen.compliance < 1:
        marks.append(Mark(x=float(question.seen.compliance), label="stated"))
    return Curve(
        name="strength",
        x_label="items the attacker is right about",
        y_label="share of sets at the limit",
        x=tuple(map(float, shares)),
        y=tuple(float(question.share(numbers, ceil(share * items))) for share in shares),
        says=f"Items believed rightly, drawn at random: the release holds up to {sentences.percent(breaks)}. Whichever they are, "
        f"it holds up to at least {sentences.percent(question.worst)}.",
        limit=float(question.tolerance.share),
        marks=tuple(marks),
    )


def _similar(question: SetQuestion) -> tuple[Curve, ...]:
    drawn = similar(question.seen)
    return () if drawn is None else (similar_data(drawn, question.holds),)


def _reasons(question: SetQuestion, numbers: Sequence[int]) -> tuple[str, ...]:
    share = question.share(numbers, question.right)
    if share <= question.tolerance.share:
        return ()
    sets = sentences.counted(question.targets.number, "set", "sets")
    vulnerable = f"{sum(numbers):,} of {sets} can be cracked with a chance of {sentences.percent(question.identity)} or more"
    return (f"{vulnerable}; you tolerate {sentences.percent(question.tolerance.share)} of them.",)
