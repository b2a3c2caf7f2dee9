"""Give items as their categories: what must be withheld is shown under a category where that is safe.

An itemset that the reader needs is kept when all its items are published under their own names. A safe release that gives
some items as categories stays safe when it withholds them instead: no combination of the other labels changes. So categories
never keep more itemsets than withholding can, and what is proved of withholding is proved of both. What they add are
coarser itemsets. By default therefore items are chosen to be withheld first, and of these as many as possible are
shown under their category. With `prefer = "categories"` names may be given up for them: whole levels, or the items in danger,
are given as categories first, and of all releases found the one is taken that keeps the most itemsets of names and categories.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from giveaway.attacks.items.attacker import ItemsOptions, KnowsItems
from giveaway.attacks.items.need import NeedsItemsets
from giveaway.attacks.items.protecting.greedy import best
from giveaway.attacks.items.question import ItemsQuestion, ask, needed
from giveaway.errors import BudgetExceeded, NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Protection
from giveaway.model.data.arrays import Ints
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.data.labels import Label
from giveaway.model.data.transactions import Transactions
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.categories import ITEM, category
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld
from giveaway.moles.remaining import LiveMoles
from giveaway.moles.search import Moles

ROUNDS = 6
"""How often single items leave their categories, before whole categories are left out."""

MOST = 5_000
"""Of more combinations over a limit, whole categories are left out at once."""

Protector = Callable[[Release], Protection]


@dataclass(frozen=True, kw_only=True)
class Judge:
    """The attacker and the limits that every release is judged by."""

    attacker: KnowsItems
    tolerance: Tolerance
    effort: Effort

    def look(self, release: Release) -> tuple[ItemsQuestion, Moles]:
        """Find what is over a limit in a release."""
        question = ask(release, self.attacker, self.tolerance)
        return question, question.moles(self.effort)

    def is_safe(self, question: ItemsQuestion, moles: Moles) -> bool:
        """Tell whether few enough transactions are exposed."""
        return moles.exposed(question.at_most) <= self.tolerance.share * question.transactions


def with_categories(
    release: Release, withhold: Protector, judge: Judge, need: NeedsItemsets | None, options: ItemsOptions
) -> Protection:
    """Withhold items, and give as their category what can be given so; or the other way round where that is preferred.

    Where no item is safe under its own name, whole levels are tried as well.
    """
    levels = list(_levels(release, judge))
    ways = [release, *(levels if options.prefer == "categories" else ())]
    plans, refusal = _plans(ways, withhold, judge)
    if not plans and refusal is not None and options.prefer == "names":
        plans, _ = _plans(levels, withhold, judge)
    if not plans:
        assert refusal is not None  # noqa: S101 # each way that leads to nothing says why
        proved = refusal.proved and not levels
        nor = " No category that was tried helps." if levels else ""
        raise NoSafeRelease(f"{refusal.reason}{nor}", helps=refusal.helps, proved=proved)
    return max(plans, key=lambda plan: _worth(plan.release, need))


def _plans(
    ways: Iterable[Release], withhold: Protector, judge: Judge
) -> tuple[list[Protection], NoSafeRelease | None]:
    """Protect each of some releases, and return those that came of it; of the rest, why the first led to nothing."""
    plans: list[Protection] = []
    refusal: NoSafeRelease | None = None
    for way in ways:
        try:
            plan = (
                Protection(release=way, detail=nouns().told("Items were given as their categories."))
                if judge.is_safe(*judge.look(way))
                else withhold(way)
            )
        except NoSafeRelease as error:
            refusal = refusal or error
            plan = _nothing(way)
        except BudgetExceeded:
            if not plans:
                raise
            continue
        shown = show_withheld(plan.release, way, judge)
        if not shown.is_empty:
            plans.append(_with_shown(plan, shown))
    return plans, refusal


def _nothing(release: Release) -> Protection:
    """Withhold every public item: a release only once some of them are shown under a category."""
    published = release.published
    assert isinstance(published, Transactions)  # noqa: S101 # of transactions alone
    public = [label for code, label in enumerate(published.labels) if not published.is_private[code]]
    items = [item for label in public for item in release.items_shown_as(label)]
    detail = f"No {nouns().item} is safe under its own name: all were withheld first."
    return Protection(release=release.withholding(Withheld(items=items)), detail=detail)


def _with_shown(plan: Protection, release: Release) -> Protection:
    """Say which of the items that were chosen to be withheld are shown all the same."""
    ledger = tuple(
        replace(line, why="category") if line.withheld in release.categories else line for line in plan.ledger
    )
    shown = len(release.categories) - len(plan.release.categories)
    sentence = f" {shown:,} of the {nouns().items} withheld are given as their category." if shown else ""
    figures = dict(plan.figures)
    if "infrequent_withheld" in figures:
        figures["infrequent_withheld"] = sum(line.why == "infrequent" for line in ledger)
    return replace(plan, release=release, ledger=ledger, figures=figures, detail=f"{plan.detail}{sentence}")


def _worth(release: Release, need: NeedsItemsets | None) -> tuple[int, int]:
    """Count the itemsets, or occurrences, that are published under names and categories, and under names alone."""
    counted = []
    for shown in (release.published, release.own_names):
        assert isinstance(shown, Transactions)  # noqa: S101 # of transactions alone
        counted.append(shown.occurrences if need is None else needed(shown, need).total)
    return counted[0], counted[1]


def _levels(release: Release, judge: Judge) -> Iterator[Release]:
    """Give all public items as their categories of a level, and only those that are in a combination over a limit."""
    hierarchy, (question, moles) = release.hierarchies[ITEM], judge.look(release)
    in_danger = {question.label(code) for code in set(moles.minimal[1].tolist())}
    public = [
        label
        for code, label in enumerate(question.published.labels)
        if not question.published.is_private[code] and code not in question.keep
    ]
    for level in range(1, hierarchy.depth + 1):
        for labels in (public, [label for label in public if label in in_danger]):
            items = [item for label in labels for item in release.items_shown_as(label)]
            joining = _joining(hierarchy, items, level)
            if joining:
                yield release.withholding(Withheld(item_levels=dict.fromkeys(joining, level)))


def show_withheld(release: Release, planned: Release, judge: Judge) -> Release:
    """Show items that are withheld beyond what was planned under their categories, level by level, while that is safe."""
    hierarchy, kept = release.hierarchies[ITEM], set(planned.withheld.items)
    for level in range(1, hierarchy.depth + 1):
        waiting = [item for item in release.withheld.items if item not in kept]
        joining = _joining(hierarchy, waiting, level)
        try:
            release = _joined(release, joining, level, judge)
        except BudgetExceeded:
            return release
    return release


def _joining(hierarchy: Hierarchy, items: Iterable[Label], level: int) -> dict[Label, Label]:
    """Return the items that have a category of a level which is not the item itself, each with its label."""
    labels = {item: category(hierarchy, item, level) for item in items}
    return {item: label for item, label in labels.items() if label is not None and str(label) != str(item)}


def _joined(release: Release, joining: Mapping[Label, Label], level: int, judge: Judge) -> Release:
    """Show as many of some withheld items as possible as their category of a level.

    Those that are part of a combination over a limit leave it again. Each round has fewer items than the one before.
    """
    left = dict(joining)
    turn = 0
    while left:
        tell(f"giving {nouns().items} as their categories", turn)
        tried = _showing(release, left, level)
        question, moles = judge.look(tried)
        if judge.is_safe(question, moles):
            return tried
        single = turn < ROUNDS and len(moles.harmful.item) <= MOST
        leaving = _in_moles(tried, question, moles, left) if single else set()
        for item in leaving or _of_worst_categories(question, moles, left):
            del left[item]
        turn += 1
    return release


def _showing(release: Release, items: Collection[Label], level: int) -> Release:
    withheld = release.withheld
    return replace(
        release,
        withheld=Withheld(
            items=[item for item in withheld.items if item not in items],
            item_levels={**withheld.item_levels, **dict.fromkeys(items, level)},
        ),
    )


def _in_moles(
    release: Release, question: ItemsQuestion, moles: Moles, left: Mapping[Label, Label]
) -> set[Label]:
    """Choose items without which each combination over a limit loses the transactions that hold it, the rarest first."""
    original = release.original
    assert isinstance(original, Transactions)  # noqa: S101 # of transactions alone
    behind = _Behind(release, question, left)
    leaving: set[Label] = set()
    offsets, codes = moles.minimal
    for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        choices = [items for items in behind.items(codes[begin:end].tolist()) if items]
        if choices and not any(items <= leaving for items in choices):
            leaving |= min(
                choices, key=lambda items: sum(int(original.supports[original.code_of[x]]) for x in items)
            )
    return leaving


def _of_worst_categories(question: ItemsQuestion, moles: Moles, left: Mapping[Label, Label]) -> set[Label]:
    """Choose whole categories until no combination over a limit is left that has one; all where none has."""
    published = question.published
    live = LiveMoles(*moles.minimal, len(published.labels))
    is_new = np.zeros(len(published.labels), np.bool_)
    is_new[[published.code_of[label] for label in set(left.values())]] = True
    gone: set[Label] = set()
    while (charged := np.where(is_new, live.counts, 0)).any():
        code = best(charged, published.supports, published.supports)
        gone.add(question.label(code))
        live.withhold(code)
    return {item for item, label in left.items() if label in gone} or set(left)


class _Behind:
    """Which of some items stand behind a label in the transactions that hold a combination."""

    def __init__(self, release: Release, question: ItemsQuestion, left: Mapping[Label, Label]) -> None:
        original, published = release.original, question.published
        assert isinstance(original, Transactions)  # noqa: S101 # of transactions alone
        gone = set(release.withheld.items)
        shown = np.array(
            [
                -1 if item in gone else published.code_of[release.categories.get(item, item)]
                for item in original.labels
            ],
            np.int64,
        )[original.codes]
        rows = np.repeat(np.arange(len(original.weights)), np.diff(original.offsets))
        order = np.argsort(shown, kind="stable")
        bounds = np.searchsorted(shown[order], np.arange(len(published.labels) + 1))
        self._rows = [rows[order[a:b]] for a, b in pairwise(bounds)]
        self._items = [original.codes[order[a:b]] for a, b in pairwise(bounds)]
        self._labels, self._left = original.labels, left

    def items(self, mole: Collection[int]) -> Iterator[set[Label]]:
        """Give for each label of a combination the items behind it in the transactions that hold the combination."""
        held: Ints = min((self._rows[code] for code in mole), key=len)
        for code in mole:
            held = held[np.isin(held, self._rows[code])]
        for code in mole:
            there = np.isin(self._rows[code], held)
            items = (self._labels[item] for item in np.unique(self._items[code][there]).tolist())
            yield {item for item in items if item in self._left}
