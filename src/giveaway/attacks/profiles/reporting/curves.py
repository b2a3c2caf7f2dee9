"""Chart data of the attack `profiles`: chances of people, and what they become with fewer or other rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Literal

import numpy as np

from giveaway.attacks.profiles.claims.claims import ClaimTerms
from giveaway.attacks.profiles.judged_people import NEAR, JudgedPeople, judge
from giveaway.attacks.profiles.posterior import ProfileBelief, believe, tried
from giveaway.attacks.profiles.question import ProfilesQuestion
from giveaway.attacks.profiles.reporting.figures import affordable, judged_profiles, overall
from giveaway.attacks.profiles.reporting.sentences import percent
from giveaway.attacks.wording import counted
from giveaway.model.answer.bins import bin_ends
from giveaway.model.answer.risk import Curve, HoldsUpTo, Mark
from giveaway.model.progress import tell
from giveaway.model.release.rule import PublishedRules

POINTS = 9
"""How many numbers of rules are tried."""

STEPS = 13
"""How many numbers of the surest rules are tried."""

FEW = 500
CHANCES = 500_000
"""The divergence of other lists is drawn for at most this many rules, and this many chances of a profile and a value."""

CONFIDENCES = tuple(Fraction(n, 20) for n in (2, 4, 6, 8, 10, 12, 14, 16, 18, 19, 20))
SUPPORTS = tuple(Fraction(n, 4) for n in (4, 5, 6, 8, 12, 20))
"""Multiples of the published minimum support."""


def chances(judged: JudgedPeople, limit: Fraction) -> Curve:
    """Count people by their chance, in bins of 5 %."""
    ends = np.array(bin_ends(limit), np.float64)
    place = np.searchsorted(ends + NEAR, judged.chance)
    per_bin = np.zeros(len(ends), np.int64)
    np.add.at(per_bin, np.minimum(place, len(ends) - 1), judged.number)
    return Curve(
        name="chances",
        x_label="chance of inferring a sensitive value",
        y_label="people",
        x=tuple(ends.tolist()),
        y=tuple(float(number) for number in per_bin),
        says=f"{judged.above(limit):,} of {counted(judged.people, 'people')} are over the limit of "
        f"{percent(limit)}.",
        limit=float(limit),
    )


@dataclass(frozen=True, kw_only=True)
class RulesReadStrength:
    """The share of people above the limit for numbers of rules read, the largest supports first."""

    rules: tuple[int, ...]
    share: tuple[Fraction, ...]
    holds: HoldsUpTo


def strengths(
    question: ProfilesQuestion,
    belief: ProfileBelief,
    judged: JudgedPeople,
    limit: Fraction,
    allowed: Fraction,
) -> RulesReadStrength:
    """Read more and more of the rules, from none to all; the last reading is the release as it is."""
    claims, order = belief.claims, belief.claims.by_support
    many = POINTS if affordable(question) else 2
    numbers = np.unique(np.linspace(0, len(order), many).round().astype(np.int64)).tolist()
    share: dict[int, Fraction | None] = {}

    def within(number: int) -> bool:
        tell("reading more and more rules", len(share), len(numbers))
        read = tried(partial(believe, claims, claims.reading(order[:number])))
        share[number] = None if read is None else judge(question, read).share(limit)
        return _within(share[number], allowed)

    for number in numbers[:-1]:
        within(number)
    share[len(order)] = judged.share(limit)
    broken = next((number for number in numbers if not _within(share[number], allowed)), None)
    holds = max((number for number in numbers if broken is None or number < broken), default=None)
    while affordable(question) and broken is not None and holds is not None and broken - holds > 1:
        middle = (holds + broken) // 2
        holds, broken = (middle, broken) if within(middle) else (holds, middle)
    known = [(number, part) for number, part in sorted(share.items()) if part is not None]
    unknown = broken is None or share[broken] is None
    return RulesReadStrength(
        rules=tuple(number for number, _ in known),
        share=tuple(part for _, part in known),
        holds=HoldsUpTo(value=holds, unit="rules", at_least=unknown, whole_scale=broken is None),
    )


def _within(share: Fraction | None, allowed: Fraction) -> bool:
    return share is not None and share <= allowed


def strength(read: RulesReadStrength, people: int, allowed: Fraction) -> Curve:
    """Show the share of people above the limit as more rules are read."""
    value = read.holds.value
    words = "breaks without any rule" if value is None else f"holds up to {counted(int(value), 'rules')}"
    if read.holds.at_least:
        words = "holds for every number of rules tried"
    return Curve(
        name="strength",
        x_label="rules read, those of large support first",
        y_label="share of people above the limit",
        x=tuple(map(float, read.rules)),
        y=tuple(map(float, read.share)),
        says=f"All {counted(read.rules[-1], 'rules')} expose {int(read.share[-1] * people):,} of "
        f"{counted(people, 'people')}; the release {words}.",
        limit=float(allowed),
        marks=() if value is None or read.holds.at_least else (Mark(x=float(value), label=words),),
    )


def divergence(question: ProfilesQuestion) -> tuple[Curve, ...]:
    """Show how far from the truth other thresholds would leave the attacker, for a complete list.

    Lists of many rules are drawn only when it is asked for.
    Zhu et al., Figures 5(a), 5(b), 6 and 7(b).
    """
    published = question.published
    chances = len(question.judged) * question.people.domain.size
    cheap = len(published.rules) <= FEW and chances <= CHANCES
    if not published.complete or not published.rules or not (cheap or "thresholds" in question.attacker.show):
        return ()
    confidences = [published.min_confidence]
    confidences += [limit for limit in CONFIDENCES if limit > published.min_confidence]
    supports = [limit for factor in SUPPORTS if 0 < (limit := factor * published.min_support) <= 1]
    by_confidence = [_above(question, replace(published, min_confidence=limit)) for limit in confidences]
    by_support = [_above(question, replace(published, min_support=limit)) for limit in supports]
    exact = _divergences(question, by_confidence, scores="exact", silence=False)
    withheld = _divergences(question, by_confidence, scores="withheld", silence=False)
    first = Curve(
        name="divergence_by_confidence",
        x_label="minimum confidence",
        y_label="overall divergence",
        x=tuple(map(float, confidences)),
        y=exact,
        says="With exact scores a lower threshold lists more rules, and these bring the attacker nearer to the truth, "
        "which is at a divergence of 0.",
    )
    curves = [
        first,
        replace(
            first,
            name="divergence_withheld",
            y=withheld,
            says=f"With the scores withheld the divergence is {withheld[0]:.4f} instead of {exact[0]:.4f}.",
            beside=first.name,
        ),
    ]
    if question.attacker.non_rules:
        silent = _divergences(question, by_confidence, scores="withheld", silence=True)
        before, after = f"{withheld[0]:.4f}", f"{silent[0]:.4f}"
        says = "What is not listed tells nothing more."
        if before != after:
            says = f"What is not listed changes the divergence from {before} to {after}."
        curves.append(replace(first, name="divergence_with_silence", y=silent, says=says, beside=first.name))
    if len(supports) > 1:
        curves.append(
            replace(
                first,
                name="divergence_by_support",
                x_label="minimum support",
                x=tuple(map(float, supports)),
                y=_divergences(question, by_support, scores="exact", silence=False),
                says="The same for the minimum support, with exact scores.",
            )
        )
    return tuple(curve for curve in curves if np.isfinite(curve.y).all())


def surest_rules(question: ProfilesQuestion) -> tuple[Curve, ...]:
    """Show how near to the truth the first T rules by confidence bring the attacker, with exact scores, if it is asked for.

    Zhu et al., Figure 5(c). Of rules of the same confidence, those of larger support come first.
    """
    if "surest_rules" not in question.attacker.show:
        return ()
    claims = question.claimed(replace(question.published, scores="exact"), silence=False)
    people = claims.patterns.people[claims.rule_rows]
    order = sorted(
        claims.by_support, key=lambda rule: -Fraction(int(claims.supports[rule]), int(people[rule]))
    )
    numbers = np.unique(np.linspace(0, len(order), STEPS).round().astype(np.int64)).tolist()
    profiles = judged_profiles(question)
    divergences, start = [], None
    for done, number in enumerate(numbers):
        tell("reading the surest rules", done, len(numbers))
        read = believe(claims, claims.reading(sorted(order[:number])), start=start)
        start = read.multipliers()
        divergences.append(overall(profiles, read.solution.chance))
    curve = Curve(
        name="divergence_by_rules",
        x_label="rules read, those of large confidence first",
        y_label="overall divergence",
        x=tuple(map(float, numbers)),
        y=tuple(divergences),
        says=f"With exact scores the divergence goes from {divergences[0]:.4f} without any rule to "
        f"{divergences[-1]:.4f} with {counted(numbers[-1], 'rules')}.",
    )
    return (curve,) if np.isfinite(curve.y).all() else ()


def _above(question: ProfilesQuestion, published: PublishedRules) -> PublishedRules:
    """Keep the rules that are above the thresholds of a list."""
    terms = ClaimTerms(published=published, records=question.people.records, whole=True)
    claims = question.claims
    patterns, part = claims.patterns, claims.rule_rows
    counts = zip(claims.rules, patterns.holding[part].tolist(), patterns.people[part].tolist(), strict=True)
    return replace(
        published, rules=tuple(rule for rule, holding, many in counts if holding >= terms.least(many))
    )


def _divergences(
    question: ProfilesQuestion,
    lists: Sequence[PublishedRules],
    *,
    scores: Literal["exact", "withheld"],
    silence: bool,
) -> tuple[float, ...]:
    profiles = judged_profiles(question)
    divergences = []
    for done, published in enumerate(lists):
        tell("trying other thresholds", done, len(lists))
        claims = question.claimed(replace(published, scores=scores), silence=silence)
        divergences.append(overall(profiles, believe(claims).solution.chance))
    return tuple(divergences)
