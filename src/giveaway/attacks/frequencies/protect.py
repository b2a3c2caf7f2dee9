"""Withhold items until somebody who knows frequencies recognises no more of the rest than tolerated.

This is ours: the paper tells how safe a release is, and not how to make one safer.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from giveaway.attacks.frequencies.attacker import FrequenciesOptions, KnowsFrequencies
from giveaway.attacks.frequencies.attacker_view import ItemsSeen
from giveaway.attacks.frequencies.crack_graph.windows import Flags
from giveaway.attacks.frequencies.people.protect import protect_people
from giveaway.attacks.frequencies.protecting.choose import ChosenItems, choose
from giveaway.attacks.frequencies.protecting.fewest import can_be_perfected, least_withheld, perfected
from giveaway.attacks.frequencies.protecting.tried_release import Trial, Trials
from giveaway.attacks.frequencies.question import see
from giveaway.attacks.frequencies.reporting import sentences
from giveaway.attacks.wording import listed
from giveaway.errors import Help, NoSafeRelease, Setting
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Curve, LedgerLine, Protection
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort
from giveaway.model.question.need import Need
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

POINTS = 20
"""How many points the curve of what is kept has at most."""

_DIGITS = 10_000
_FEW = 5
"""How many items are named in a refusal."""


def protect(
    release: Release,
    attacker: KnowsFrequencies,
    tolerance: Tolerance,
    need: Need | None,  # noqa: ARG001 - all attacks are protected against in the same way, and this one serves no need
    effort: Effort,
    options: FrequenciesOptions,  # noqa: ARG001 - there is one way
) -> Protection:
    """Withhold as few items as the search finds, or entries of a table, so that the rest is within tolerance.

    Withheld items are gone from both sides: the attacker is told which they are. The half-widths of beliefs stay those
    of the original data. What the missing codes tell somebody who knows the method is not counted.
    """
    if attacker.of_people:
        return protect_people(release, attacker, tolerance, effort)
    seen = see(release, attacker, effort)
    trials = Trials(release, seen, tolerance)
    planned = trials.without(())
    keep = np.zeros(seen.number, np.bool_)
    keep[[seen.items.place_of[item] for item in release.keep]] = True
    may_go = np.flatnonzero((seen.items.counts > 0) & ~keep)
    least = least_withheld(planned)
    chosen = choose(trials, may_go, keep)
    order = chosen.order
    if chosen.trial is not None and can_be_perfected(planned):
        better = perfected(planned, order, keep)
        order, least = better.order, max(better.least, least or 0)
    labels = [seen.items.labels[place] for place in order]
    safer = release.withholding(Withheld(items=labels))
    if chosen.trial is None or safer.is_empty:
        # All that may go can go where something that must be kept stays.
        impossible = len(may_go) + bool(keep.any())
        looser = _looser(chosen.nearest)
        if looser and not _leads_to_a_release(release, seen, tolerance, looser, keep):
            looser = {}
        raise _refused(trials, seen, chosen, keep, looser, proved=least is not None and least >= impossible)
    return Protection(
        release=safer,
        figures={} if least is None else {"lower_bound": least, "optimal": len(labels) == least},
        curves=(_kept(trials, seen, order),),
        ledger=_ledger(seen, planned, order),
        detail=_detail(labels, least, blindly=seen.likeliest, keeps=bool(release.keep)),
    )


def _detail(labels: Sequence[object], least: int | None, *, blindly: bool, keeps: bool) -> str:
    after = (
        "chosen by what is believed and not by their codes, until the rest was within your limits."
        if blindly
        else f"all was measured again in between, and {nouns().items} that may stay were put back."
    )
    text = (
        f"The search for {nouns().items} to withhold is our own, not the paper's: the {nouns().items} whose absence protects the rest most were "
        f"withheld one after the other, {after}"
    )
    if not least:
        return text
    kept = " that keeps what you need" if keeps else ""
    if len(labels) == least:
        return f"{text} It is proved that no safe release{kept} withholds fewer {nouns().items} than these {least:,}."
    return f"{text} No safe release{kept} withholds fewer than {sentences.counted(least, 'items')}."


def _ledger(seen: ItemsSeen, planned: Trial, order: Sequence[int]) -> tuple[LedgerLine, ...]:
    """Tell what each item cost, and how many targets that were at the limit it was part of."""
    ended = np.where(planned.at_limit, 1, 0) if planned.sets is None else planned.sets.in_sets
    return tuple(
        LedgerLine(
            withheld=seen.items.labels[place],
            why="greedy",
            removed=int(ended[place]),
            lost=int(seen.items.counts[place]),
            unit=f"{nouns().item} occurrences",
        )
        for place in order
    )


def _kept(trials: Trials, seen: ItemsSeen, order: Sequence[int]) -> Curve:
    """Show after some steps of withholding what is kept, and what is recognised of it."""
    steps = np.unique(np.linspace(0, len(order), min(len(order), POINTS) + 1).astype(np.int64)).tolist()
    lost = np.concatenate([[0], np.cumsum(seen.items.counts[list(order)])])
    x, y = [], []
    by_average = False
    for number, step in enumerate(steps):
        tell("counting what withholding costs", number, len(steps))
        trial = trials.without(order[:step])
        by_average = trial.tolerance.average is not None and trial.sets is None
        x.append((seen.data.occurrences - int(lost[step])) / max(seen.source.occurrences, 1))
        y.append(float(trial.average if by_average else trial.share))
    limit = trial.tolerance.average if by_average else trial.tolerance.share
    what = "share expected to be recognised" if by_average else "share at the limit"
    return Curve(
        name="kept",
        x_label=f"share of {nouns().item} occurrences kept",
        y_label=what,
        x=tuple(x),
        y=tuple(y),
        says=f"Withholding {sentences.counted(len(order), 'items')} keeps {sentences.percent(x[-1])} of the {nouns().item} "
        f"occurrences; {what}: {sentences.percent(y[0])} before, {sentences.percent(y[-1])} after.",
        limit=None if limit is None else float(limit),
    )


def _looser(nearest: Trial) -> dict[str, Fraction]:
    """Return the limits with which a release is safe that was found on the way."""
    limits = {}
    if not nearest.average_within:
        limits["average"] = _rounded_up(nearest.average)
    if not nearest.share_within and _rounded_up(nearest.share) < 1:
        limits["share"] = _rounded_up(nearest.share)
    return limits


def _leads_to_a_release(
    release: Release, seen: ItemsSeen, tolerance: Tolerance, looser: Mapping[str, Fraction], keep: Flags
) -> bool:
    """Tell whether a release is found with looser limits: with them the search goes another way."""
    limits = {name: getattr(tolerance, name) for name in tolerance.given} | dict(looser)
    may_go = np.flatnonzero((seen.items.counts > 0) & ~keep)
    chosen = choose(Trials(release, seen, Tolerance(**limits)), may_go, keep)
    return chosen.trial is not None and len(chosen.order) < len(may_go) + bool(keep.any())


def _refused(
    trials: Trials,
    seen: ItemsSeen,
    chosen: ChosenItems,
    keep: Flags,
    looser: Mapping[str, Fraction],
    *,
    proved: bool,
) -> NoSafeRelease:
    """Say that every item that may go would have to, and with which limits not.

    Where items must be kept, it is tried whether it helps to let those go that are still recognised too often.
    """
    nearest = chosen.nearest
    change: dict[str, Setting] = {f"tolerates.{name}": str(limit) for name, limit in looser.items()}
    says = " and ".join(f"{name}={value}" for name, value in change.items())
    helps = [Help(f"The smallest change found that helps: {says}.", change)] if change else []
    reason = (
        f"Every {nouns().item} would have to be withheld: whatever is kept is recognised more often than you tolerate."
        if proved
        else f"Withholding one {nouns().item} after the other did not bring the rest within your limits."
    )
    if keep.any():
        in_the_way = nearest.kept[nearest.at_limit & keep[nearest.kept]]
        in_the_way = in_the_way if len(in_the_way) else np.flatnonzero(keep)
        some = [repr(seen.items.labels[place]) for place in in_the_way[:_FEW]]
        more = len(in_the_way) - len(some)
        items = listed([*some, f"{more:,} more"] if more else some)
        must = f"{nouns().told('Item' if len(in_the_way) == 1 else 'Items')} {items} must be kept"
        reason = (
            f"{must}, and with that more is recognised than you tolerate, whatever else is withheld."
            if proved
            else f"{must}, and withholding others one after the other did not bring the rest within your limits."
        )
        helps += _letting_go(trials, seen, keep, in_the_way, items)
    return NoSafeRelease(reason, helps=helps, proved=proved)


def _letting_go(trials: Trials, seen: ItemsSeen, keep: Flags, in_the_way: Ints, items: str) -> list[Help]:
    """Say that a release is found when some of the items to keep may go too, where one is."""
    rest = keep.copy()
    rest[in_the_way] = False
    may_go = np.flatnonzero((seen.items.counts > 0) & ~rest)
    chosen = choose(trials, may_go, rest)
    if chosen.trial is None or len(chosen.order) == np.count_nonzero(seen.items.counts):
        return []
    left = [str(seen.items.labels[place]) for place in np.flatnonzero(rest)]
    change: dict[str, Setting] = {"needs.items.keep": left} if left else {"needs.items": None}
    return [Help(f"If {items} may be withheld, a safe release is found.", change)]


def _rounded_up(value: Fraction | float) -> Fraction:
    return Fraction(ceil(Fraction(value) * _DIGITS), _DIGITS)
