"""The recipes of the paper as a walk: exact knowledge, ranges, how much may be right, which sample reaches it, pairs.

Lakshmanan et al., Figures 8 and 25 for items, Figure 9 for sets, and Figure 15 for samples of similar data. The paper stops
at the first step within tolerance; here all steps are told.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil

import numpy as np

from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_graph import windows
from giveaway.attacks.frequencies.crack_graph.windows import Flags, Windows
from giveaway.attacks.frequencies.exact_chances.closed_forms import exact_chance
from giveaway.attacks.frequencies.itemsets.question import SetQuestion
from giveaway.attacks.frequencies.people.details import PeopleQuestion
from giveaway.attacks.frequencies.question import ItemQuestion
from giveaway.attacks.frequencies.reporting.breaking_point import Breaking
from giveaway.attacks.frequencies.reporting.figures import doubt, sizes
from giveaway.attacks.frequencies.reporting.sentences import counted, percent
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Chance, Curve, Decision
from giveaway.papers.frequencies.similar_data import curve_of, similar


def of_items(question: ItemQuestion, breaks: Breaking) -> tuple[str, ...]:
    """Tell the steps for single items; by the average where it is limited, else by the items over the limit."""
    steps = _by_average if question.tolerance.average is not None else _by_share
    partly = [partly_right(breaks)] if breaks.stated < breaks.most else []
    return (*steps(question), *partly, *_samples(question.seen, breaks.stated, breaks.most))


def of_sets(question: SetQuestion) -> tuple[str, ...]:
    """Tell the steps for sets of items."""
    seen, limit, number = question.seen, question.tolerance.share, max(question.targets.number, 1)

    def told(over: int, margin: float = 0) -> str:
        return f"{over:,}, {judged(Fraction(over, number), limit, margin)}"

    sets = counted(question.targets.number, "sets")
    first = f"Exact knowledge: of {sets} a chance of {percent(question.identity)} is {question.line.passed} by {told(_exactly_over(question))}"
    steps = [f"{first}; you tolerate {percent(limit)}."]
    if seen.attacker.belief.kind != "exact":
        margin = 0.0 if question.exact else question.margin_at(seen.number)
        steps.append(
            f"{_believed(seen)} according to the OS estimate by {told(sum(question.by_os.over))}, according to the chances found "
            f"by {told(question.number_vulnerable, margin)}."
        )
    if question.holds < question.most:
        steps.append(
            f"Partly right: the limit holds up to {percent(question.breaking_point(question.by_os.over))} of the {nouns().items}, drawn at "
            f"random, by the OS estimate, and up to {percent(question.holds)} by the chances found; whichever {nouns().items} they are, "
            f"up to at least {percent(question.worst)}."
        )
    return (*steps, *_samples(seen, question.holds, question.most))


def of_people(question: PeopleQuestion, breaks: Breaking) -> Iterator[str]:
    """Tell the steps for people in a table."""
    seen, number, limit = question.seen, max(question.targets, 1), question.tolerance.average
    if limit is not None:

        def compared(expected: Chance, margin: float = 0) -> str:
            cracks = f"{float(expected):,.1f}".removesuffix(".0")
            return f"{cracks}, {judged(expected / number, limit or Fraction(0), margin)}"

        margin = seen.chances.margin(seen.interesting) / number
        people = counted(question.targets, seen.nouns[1], seen.nouns[0])
        yield (
            f"Exact knowledge: of {people} somebody who knows all these columns recognises {compared(seen.known_exactly)}; you "
            f"tolerate {percent(limit)}."
        )
        estimate = seen.estimated(seen.interesting, propagate=True)
        chances = seen.chances.total(seen.interesting)
        yield f"What is known: by the O-estimate {compared(estimate)}, by the chances found {compared(chances, margin)}."
    if breaks.stated < breaks.most:
        yield partly_right(breaks)


def curves_of(seen: ItemsSeen, breaking: Chance) -> tuple[Curve, ...]:
    """Draw what similar data tell, where samples can be drawn."""
    drawn = similar(seen)
    return () if drawn is None else (curve_of(drawn, breaking),)


def _by_average(question: ItemQuestion) -> Iterator[str]:
    """Compare expected numbers of cracks with the average that is tolerated."""
    seen, number = question.seen, max(question.targets, 1)
    limit = question.tolerance.average or Fraction(0)

    def told(expected: Chance, margin: float = 0) -> str:
        return f"{float(expected):,.1f}".removesuffix(".0") + f", {judged(expected / number, limit, margin)}"

    def found(chances: ItemChances) -> str:
        return told(chances.total(seen.interesting), chances.margin(seen.interesting) / number)

    yield (
        f"Exact knowledge: of {counted(question.targets, 'items')} somebody who knows every frequency cracks "
        f"{told(sizes(seen)['point_valued_cracks'])}; you tolerate {percent(limit)}."
    )
    estimate = seen.estimated(seen.interesting, propagate=True)
    if seen.attacker.belief.kind != "exact" and estimate is not None:
        yield f"{_believed(seen)} by the O-estimate {told(estimate)}, by the chances found {found(seen.without_pairs)}."
    adjusted = None if seen.pairs is None else seen.adjusted(seen.interesting, propagate=True)
    if adjusted is not None:
        yield f"With the known pairs: by the O-estimate {told(adjusted)}, by the chances found {found(seen.chances)}."


def _by_share(question: ItemQuestion) -> Iterator[str]:
    """Compare the part of the items over the limit on their chance with the share that is tolerated."""
    seen, tolerance, number = question.seen, question.tolerance, max(question.targets, 1)
    identity = tolerance.identity or Fraction(1)

    def told(marked: Flags, perhaps: Flags | None = None) -> str:
        over, most = (
            int(flags[seen.interesting].sum()) for flags in (marked, marked if perhaps is None else perhaps)
        )
        return f"{over:,}, {judged(Fraction(over, number), tolerance.share, (most - over) / number)}"

    def one_in(graph: Windows) -> Flags:
        """Mark the items of which one in the number of candidates is over the limit."""
        return graph.compliant & question.line.is_below_one_in(graph.degrees)

    yield (
        f"Exact knowledge: of {counted(question.targets, 'items')} a chance of {percent(identity)} is {question.line.passed} by "
        f"{told(one_in(windows.exact(seen.items.counts).windows))}; you tolerate {percent(tolerance.share)}."
    )
    if seen.attacker.belief.kind != "exact":
        yield (
            f"{_believed(seen)} according to the O-estimate by {told(one_in(seen.believed.windows))}, according to the chances "
            f"found by {told(question.vulnerable, question.perhaps_vulnerable)}."
        )


def _believed(seen: ItemsSeen) -> str:
    return f"What is believed{'' if seen.attacker.belief.measured else ', all of it right'}:"


def partly_right(breaks: Breaking) -> str:
    """Tell how much may be right before the limit breaks."""
    return (
        f"Partly right: the limit holds up to {percent(breaks.plain)} of the {breaks.targets}, drawn at random, by the O-estimate, and up to "
        f"{percent(breaks.random)} by the chances found; up to {percent(breaks.worst)} if exactly the most exposed {breaks.targets} are the "
        "ones known."
    )


def _samples(seen: ItemsSeen, holds: Chance, most: Fraction) -> Iterator[str]:
    """Say which sample of similar data is right about more than the release holds up to."""
    drawn = similar(seen) if holds < most else None
    if drawn is None:
        return
    pairs = zip(drawn.sizes, drawn.mean, strict=True)
    size, right = next(((size, mean) for size, mean in pairs if mean > holds), (None, max(drawn.mean)))
    limit, best = f"the limit holds up to {percent(holds)}", max(drawn.most)
    if size is None:
        yield (
            f"Similar data: samples of {percent(drawn.sizes[0])} to {percent(drawn.sizes[-1])} of the {nouns().transactions} are right about "
            f"at most {percent(right)} of the {nouns().items} on average, the best one about {percent(best)}, and "
            f"{limit}{': think twice' if best > holds else ''}."
        )
    else:
        yield (
            f"Similar data: a sample of {percent(size)} of the {nouns().transactions} is right about {percent(right)} of the {nouns().items}, and "
            f"{limit}: think twice."
        )


def decision_of_items(question: ItemQuestion, breaks: Breaking) -> Decision | None:
    """Decide by what samples of similar data are right about: for single items (Figure 8, steps 8 to 10, and Figure 15)."""

    def safe_at(seen: ItemsSeen) -> Chance | None:
        judged = replace(question, seen=seen).judged
        return judged.pairs(question.tolerance)[0][0] if judged.within(question.tolerance) else None

    return _decided(question.seen, breaks.stated, breaks.most, safe_at)


def decision_of_sets(question: SetQuestion) -> Decision | None:
    """Decide by what samples of similar data are right about: for sets of items (Figure 9)."""

    def safe_at(seen: ItemsSeen) -> Chance | None:
        weaker = replace(question, seen=seen)
        share = weaker.vulnerable_share + (0 if weaker.exact else weaker.margin)
        return share if share <= question.tolerance.share else None

    return _decided(question.seen, question.holds, question.most, safe_at)


def _decided(
    seen: ItemsSeen, holds: Chance, most: Fraction, safe_at: Callable[[ItemsSeen], Chance | None]
) -> Decision | None:
    """Return what may be asked instead where no sample comes as far as the limit holds; None where one does, or it is not safe."""
    drawn = similar(seen) if holds < most and doubt(seen) is None else None
    if drawn is None or max(drawn.most) > holds or not max(drawn.mean):
        return None
    right = Fraction(ceil(1000 * max(drawn.mean)), 1000)
    measured = safe_at(replace(seen, attacker=seen.attacker.right_about(right)))
    asked = seen.attacker.compliance
    if measured is None or asked <= right:
        return None
    return Decision(
        says=(
            f"Decision: comfortable up to {percent(holds)}; samples of your data are right about at most {percent(right)} on average: with "
            f"compliance {float(right):g} it is safe, at {percent(measured)}."
        ),
        judged=f"somebody who is right about {'every one' if asked == 1 else percent(asked)} of the {nouns().items}",
        fields={"compliance": f"{float(right):g}"},
    )


def _exactly_over(question: SetQuestion) -> int:
    """Count the sets over the limit for somebody who knows every frequency (Lemma 3.4)."""
    exact = windows.exact(question.seen.items.counts).windows
    groups, over = exact.sizes.tolist(), 0
    for part in question.targets.parts:
        kinds = part.kinds(exact)
        rows = exact.classes.own[kinds.classes].tolist()
        reached = np.array([question.line.is_below(exact_chance(groups, row)) for row in rows], np.bool_)
        over += int(kinds.many[reached].sum())
    return over


def judged(share: Chance, limit: Fraction, margin: float = 0) -> str:
    """Write a share and how it compares with its limit; between the two is what a margin leaves open."""
    word = "above" if share > limit else "within" if share + margin <= limit else "too near to tell"
    return f"{percent(share)} ({word})"
