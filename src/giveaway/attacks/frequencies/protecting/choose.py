"""Choose the items to withhold: those that most relieve the rest, then back with those that were not needed.

This is ours; the paper only measures. Against somebody who knows the method, the choice is made by what is believed and by
the codes that there are, never by which code is whose: nothing is tried that is not done, and nothing put back. What is
withheld then depends on no code but those that go with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from giveaway.attacks.frequencies.chances import ItemChances
from giveaway.attacks.frequencies.crack_chances import cracked
from giveaway.attacks.frequencies.crack_graph.windows import Beliefs, Flags, Floats
from giveaway.attacks.frequencies.protecting.tried_release import Trial, Trials
from giveaway.model.answer.nouns import nouns
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

MOST_TRIALS = 400
FEWER_TRIALS = 60
"""Releases that are tried when items are put back, at most; fewer where each takes long."""

MOST_TRIED = 50
"""Items whose withholding is tried when an estimate says that none helps."""

SMALL = 12
"""Items of a component up to which what withholding helps is counted."""

_ROUNDING = 1e-9
_LARGE = 200
_ROUNDS = 8


@dataclass(frozen=True, kw_only=True)
class ChosenItems:
    """Items to withhold in their order, and the release that is left; `nearest` is the one nearest to safe if none is."""

    order: list[int]
    trial: Trial | None
    nearest: Trial


def choose(trials: Trials, may_go: Ints, keep: Flags) -> ChosenItems:
    """Withhold items of `may_go`, the most relieving first, until the rest is within tolerance; then put back.

    Items in `keep` are none of them, and it is no secret which these are.
    Components are independent: from each one item goes at a time, or a part of those at the limit when there are very
    many, so that what is left is measured again in between.
    """
    order: list[int] = []
    trial = nearest = trials.without(order)
    blindly = trial.seen.likeliest
    free = np.zeros(trial.seen.number, np.bool_)
    free[may_go] = True
    while not trial.within:
        tell("choosing what to withhold", len(order), len(may_go))
        left = (free | blindly)[trial.kept] & ~keep[trial.kept]
        some_stay = left.sum() + keep.any()
        going = _next(trial, left)
        if trial.share_within and not 0 < len(going) < some_stay:
            going = _most_relieving(trial, left) if blindly else _tried(trials, order, trial, left)
        if not 0 < len(going) < some_stay or not free[trial.kept[going]].all():
            return ChosenItems(order=order, trial=None, nearest=nearest)
        order += trial.kept[going].tolist()
        trial = trials.without(order)
        nearest = min(nearest, trial, key=_distance)
    return (
        ChosenItems(order=order, trial=trial, nearest=trial) if blindly else _put_back(trials, order, trial)
    )


def _distance(trial: Trial) -> float:
    """Say how far a release is from the limits."""
    tolerance = trial.tolerance
    distance = 0.0 if trial.share_within else float(trial.share - tolerance.share)
    if not trial.average_within and tolerance.average is not None:
        distance += float(trial.average - tolerance.average)
    return distance


def _next(trial: Trial, left: np.ndarray) -> Ints:
    """Return the items to withhold next, as places among those left, the most exposed first."""
    if not trial.share_within:
        return _at_limit(trial, left)
    return _above_average(trial, left)


def _at_limit(trial: Trial, left: np.ndarray) -> Ints:
    """Take the most exposed item at the limit out of each component, or a part of very many; all if all are at it."""
    wanted = np.flatnonzero(trial.at_limit & left)
    order = wanted[_by_exposure(trial, wanted)]
    if trial.sets is not None or trial.seen.pairs is not None:
        return order[: max(1, len(order) // _LARGE)]
    component = trial.component_of
    sizes = np.bincount(component)
    at_limit = np.bincount(component[order], minlength=len(sizes))
    quota = np.where(at_limit == sizes, at_limit, np.where(at_limit > _LARGE, at_limit // _ROUNDS, 1))
    return order[_rank_within(component[order]) < quota[component[order]]]


def _rank_within(groups: Ints) -> Ints:
    """Return for each entry how many of its group stand before it."""
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    return rank


def _above_average(trial: Trial, left: np.ndarray) -> Ints:
    """Take items, one of a component, or whole components that bring the average down most for each item withheld."""
    limit = float(trial.tolerance.average or 0)
    component = trial.component_of
    counts = trial.items.counting > 0
    relief = _relief(trial)
    members = np.bincount(component)
    whole = np.bincount(component, trial.items.counting) / np.maximum(members, 1)
    stuck = np.bincount(component[~left], minlength=len(members)) > 0
    single = np.where(left & (counts | (relief > 0)), relief, -np.inf)
    best = np.full(len(members), -np.inf)
    np.maximum.at(best, component, single)
    rest = _excess(trial)
    going: list[int] = []
    for piece in np.argsort(-np.maximum(best, np.where(stuck, -np.inf, whole)), kind="stable").tolist():
        as_a_whole = not stuck[piece] and whole[piece] >= best[piece]
        gain = whole[piece] if as_a_whole else best[piece]
        if rest <= 0 or gain <= limit:
            break
        here = np.flatnonzero(component == piece)
        some = here if as_a_whole else here[[int(np.argmax(single[here]))]]
        going += some.tolist()
        rest -= len(some) * (gain - limit)
    return np.array(going, np.int64)


def _excess(trial: Trial) -> float:
    """Return by how many cracks the average is above its limit."""
    limit = float(trial.tolerance.average or 0)
    return float(trial.items.expected) + trial.items.margin - limit * trial.items.targets


def _tried(trials: Trials, order: Sequence[int], trial: Trial, left: np.ndarray) -> Ints:
    """Take the item whose withholding really helps most, of those that should; none when none helps."""
    places = np.flatnonzero(left)
    places = places[np.argsort(-_relief(trial)[places], kind="stable")][:MOST_TRIED]
    best, least = np.zeros(0, np.int64), _excess(trial)
    for number, place in enumerate(places.tolist()):
        tell("trying what to withhold", number, len(places))
        now = _excess(trials.without([*order, int(trial.kept[place])]))
        if now < least - _ROUNDING:
            best, least = np.array([place]), now
    return best


def _most_relieving(trial: Trial, left: Flags) -> Ints:
    """Take the item that should relieve the others most; none when none may go."""
    return np.array([int(np.argmax(np.where(left, _relief(trial), -np.inf)))] if left.any() else [], np.int64)


def _relief(trial: Trial) -> Floats:
    """Estimate by how much the expected cracks fall when an item goes: its own chance, less what others gain by it.

    Others who have it as a candidate lose one of their candidates. Where the true codes must not count, what they gain is
    the mean over the codes that it may be.
    """
    seen, counting = trial.seen, trial.items.counting
    windows = seen.windows
    more = np.where(windows.degrees > 1, counting / np.maximum(windows.degrees - 1, 1), 0.0)
    groups = len(windows.sizes)
    there = windows.last >= windows.first
    change = np.bincount(windows.first[there], more[there], groups + 1)
    change -= np.bincount(windows.last[there] + 1, more[there], groups + 1)
    if seen.likeliest:
        upto = np.concatenate([[0.0], np.cumsum(np.cumsum(change)[:groups] * windows.sizes)])
        whole = upto[windows.last + 1] - upto[windows.first]
        return np.where(there, counting + more - whole / np.maximum(windows.degrees, 1), counting)
    burden = np.cumsum(change)[windows.own]
    relief = counting - (burden - np.where(windows.compliant, more, 0.0))
    if seen.pairs is None and seen.right.all():
        _count_small_ones(trial, relief)
    return relief


def _count_small_ones(trial: Trial, relief: Floats) -> None:
    """Put in the true relief of items in small components."""
    seen, beliefs = trial.seen, trial.seen.beliefs
    sizes = np.bincount(trial.component_of)
    order = np.argsort(trial.component_of, kind="stable")
    ends = np.cumsum(sizes)
    for piece in np.flatnonzero((sizes > 1) & (sizes <= SMALL)).tolist():
        members = order[ends[piece] - sizes[piece] : ends[piece]]
        before = trial.items.counting[members].sum()
        for place, item in enumerate(members.tolist()):
            others = np.delete(members, place)
            rest = Beliefs(counts=beliefs.counts[others], low=beliefs.low[others], high=beliefs.high[others])
            chances = cracked(rest, seen.effort, seen.memory, seen.places[others])
            if isinstance(chances, ItemChances):
                counts = np.isin(others, seen.interesting)
                relief[item] = before - float(chances.floats[counts].sum())


def _by_exposure(trial: Trial, places: Ints) -> Ints:
    """Order items by falling exposure, then rarer ones first, by what is believed or in truth, then in item order."""
    windows, falling = trial.seen.windows, -np.round(trial.exposure[places], 12)
    if trial.seen.likeliest:
        return np.lexsort((places, windows.last[places], windows.first[places], falling))
    return np.lexsort((places, trial.seen.items.counts[places], falling))


def _put_back(trials: Trials, order: Sequence[int], trial: Trial) -> ChosenItems:
    """Put items back, the last ones first, as long as the rest stays within tolerance: all of a part, or its halves."""
    kept, tried = list(order), 0
    waiting = [list(order)]
    most = MOST_TRIALS if trial.sets is None and trial.seen.pairs is None else FEWER_TRIALS
    while waiting and tried < most:
        tell(f"putting {nouns().items} back", tried, most)
        part = waiting.pop()
        without = [item for item in kept if item not in set(part)]
        tried += 1
        fuller = trials.without(without)
        if without != kept and fuller.within:
            kept, trial = without, fuller
        elif len(part) > 1:
            half = len(part) // 2
            waiting += [part[:half], part[half:]]
    return ChosenItems(order=kept, trial=trial, nearest=trial)
