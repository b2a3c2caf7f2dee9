"""Plan what to withhold: choose what each record discloses, then coarser labels, then measure it again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.losses import NEAR, GroupsTally, chance_of, hurt_of
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protecting import refuse
from giveaway.attacks.directory.protecting.alike_records import Lots, Masks, lots, spread
from giveaway.attacks.directory.protecting.choose import (
    ChosenColumns,
    Curves,
    curves,
    exactly,
    exceptions,
    filled,
)
from giveaway.attacks.directory.protecting.need import check, check_room, least
from giveaway.attacks.directory.question import DirectoryQuestion, ask
from giveaway.attacks.ways import way
from giveaway.model.data.arrays import Codes, Ints, alike
from giveaway.model.data.hierarchy import Hierarchy
from giveaway.model.progress import tell
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

_SLACK = (1 + 1e-12, 1 - 1e-9, 1 - 1e-6)
"""Parts of the budget that are tried: a sum of floats may miss an exact limit by its rounding."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedValues:
    """What is withheld, and how good that is."""

    release: Release
    chosen: ChosenColumns
    cells: Cells
    levels: Levels


@dataclass(frozen=True, kw_only=True, eq=False)
class Planner:
    """A question, what is tolerated, and what is needed."""

    question: DirectoryQuestion
    tolerance: Tolerance
    need: NeedsColumns | None
    options: DirectoryOptions
    thorough: bool = False
    """Whether to search on for proofs."""

    @property
    def fills(self) -> bool:
        """Whether values are put back while the tolerance holds."""
        return self.need is None or self.need.fill

    @cached_property
    def lots(self) -> Lots:
        """The records, equal ones together."""
        return lots(self.question, self.need, thorough=self.thorough)

    @cached_property
    def floor(self) -> Ints:
        """How many values each lot must disclose."""
        return least(self.lots, self.need)

    @cached_property
    def curves(self) -> Curves:
        """The best disclosures of each record for every number of values."""
        curves = self._curves(self.lots)
        if curves.stuck > curves.allowed:
            refuse.refuse_identity(curves, self.lots, self.tolerance, self.need)
        return curves

    def _curves(self, lots: Lots) -> Curves:
        exact = not self.fills and self.need is not None and self.need.per_record is not None
        sizes = range(int(self.floor.min()), int(self.floor.max()) + 1) if exact else None
        return curves(lots, self.tolerance, self.floor, fill=self.fills, sizes=sizes)

    @cached_property
    def _mixed(self) -> list[tuple[Lots, Curves]]:
        """The same against each directory alone, and against all in equal parts, where the worst of several counts."""
        return [(lots, self._curves(lots)) for lots in self.lots.mixtures]

    def plan(self) -> PlannedValues:
        """Choose what is disclosed; a choice that rounding put over the limit is made again with a little less."""
        check(self.question, self.need)
        check_room(self.lots, self.need)
        most: int | None = None
        for slack in _SLACK:
            budget = None
            if self.tolerance.average is not None:
                budget = float(self.tolerance.average) * self.question.records * slack
            chosen = self._chosen(budget)
            # What is known of a smaller budget is not known of the limit.
            most = chosen.most if slack == _SLACK[0] else most
            planned = self._planned(replace(chosen, most=most), budget)
            tally = judged(ask(planned.release, self.question.attacker), self.tolerance)
            if budget is None or (tally.within_if_listed and not tally.near_the_limit):
                break
        return planned

    def plan_without_limits(self) -> PlannedValues:
        """Choose the least risk that serves the need, whatever it is; nothing is put back or coarser (Delta, section 3)."""
        check(self.question, self.need)
        check_room(self.lots, self.need)
        return self._withholding(self._chosen(None), Levels())

    def _chosen(self, budget: float | None) -> ChosenColumns:
        need = self.need
        if self.options.method == "minrisk":
            return self._above(way("directory", "minrisk")(self.lots, need, self.floor), budget)
        if need is not None and need.per_column is not None:
            by_columns = way("directory", "per_column")
            rules = [by_columns(lots, self.tolerance, need) for lots in (self.lots, *self.lots.mixtures)]
            return self._above(self._least(rules), budget)
        if need is not None and need.total is not None:
            return self._in_total(need.total, budget)
        chosen = self._filled(budget) if self.fills else None
        if chosen is None and not self.lots.adds_up:
            return self._above(self._against_the_worst(), budget)
        if chosen is None and not self.fills:
            chosen = exactly(self.curves, self.lots, self.floor)
            chosen = chosen if self.tally(chosen.masks).within_if_listed else None
        if chosen is None:
            refuse.refuse_average(self.curves, self.lots, self.floor, self.tolerance, need)
        return chosen

    def _filled(self, budget: float | None) -> ChosenColumns | None:
        """Disclose as many values as are within tolerance.

        Where the worst of several directories counts, the sum of the records' worst losses is more than the worst sum.
        Choices against mixtures of the directories are tried too; what they cannot disclose no choice can.
        """
        chosen = filled(self.curves, self.lots, budget)
        if budget is None or self.lots.adds_up:
            return chosen
        others = [filled(curves, lots, budget) for lots, curves in self._mixed]
        known = [other.most for other in others if other is not None and other.most is not None]
        fits = [one for one in others if one is not None and self.tally(one.masks).within_if_listed]
        fits += [] if chosen is None else [chosen]
        if not fits:
            return None
        best = max(fits, key=lambda one: _values(one.masks))
        return replace(best, proved=0, most=min(known, default=None))

    def _against_the_worst(self) -> ChosenColumns:
        """Disclose as many values of each row as it must, with the least risk in the worst directory.

        Where some rows may be over the limit of identity, those that gain most are, and the rest is chosen by mixtures.
        """
        if not exceptions(self.lots, self.tolerance):
            rule: ChosenColumns = way("directory", "worst")(self.lots, self.tolerance, self.floor)
            return rule
        every = [(self.lots, self.curves), *self._mixed]
        return self._least([exactly(curves, lots, self.floor) for lots, curves in every])

    def _least(self, rules: Sequence[ChosenColumns]) -> ChosenColumns:
        """Return the choice with the least risk; several are against mixtures, where no risk is below any of theirs."""
        first, *others = rules
        if not others:
            return first
        risk, _, best = min(
            (float(self.tally(one.masks).risk_if_listed), at, one) for at, one in enumerate(rules)
        )
        least = max((one.least for one in others if one.least is not None), default=None)
        proved = len(best.masks) if least is not None and risk <= least * (1 + NEAR) else 0
        return ChosenColumns(masks=best.masks, proved=proved, least=least, together=True)

    def _in_total(self, values: int, budget: float | None) -> ChosenColumns:
        """Serve a need of this many values in all; with `fill` as many as are within tolerance."""
        by_total = way("directory", "total")
        chosen = self._filled(budget) if self.fills else None
        if chosen is not None and _values(chosen.masks) >= values:
            return chosen
        return self._judged(self._least(by_total([(self.lots, self.curves), *self._mixed], values)))

    def _judged(self, rule: ChosenColumns) -> ChosenColumns:
        """Return a rule that was chosen otherwise, where it is within the limits."""
        tally = self.tally(rule.masks)
        if not tally.within_if_listed:
            refuse.refuse_risk(tally, proved=self._is_proved(rule))
        return rule

    def _above(self, base: ChosenColumns, budget: float | None) -> ChosenColumns:
        """Judge a rule that was chosen otherwise; with `fill` put values back while the tolerance holds."""
        self._judged(base)
        if not self.fills:
            return base
        held = self.lots.holding(base.masks)
        floor = np.bitwise_count(held.always).astype(np.int64)
        more = filled(curves(held, self.tolerance, floor, fill=True), held, budget)
        # What is best above one rule need not be best of all.
        return base if more is None else ChosenColumns(masks=more.masks, proved=0)

    def _is_proved(self, chosen: ChosenColumns) -> bool:
        """Tell whether no choice that serves the need can be within the limit of the risk."""
        limit = self.tolerance.average
        return chosen.least is not None and limit is not None and chosen.least * (1 - NEAR) > limit

    def tally(self, masks: Masks) -> GroupsTally:
        """Count what is given away when rows disclose some of their values."""
        held = self.lots.holding(masks)
        shown = spread(masks[held.first], held.width)
        values = np.where(shown, held.values, HIDDEN).astype(np.int32)
        return self.question.tally_of(self.tolerance, count=held.count, classes=held.classes, values=values)

    def _planned(self, chosen: ChosenColumns, budget: float | None) -> PlannedValues:
        """Withhold what is not chosen, with coarser labels in its place where the tolerance allows them."""
        chosen = self._listed(chosen)
        return self._withholding(
            chosen, coarsen(self.question, self.lots, chosen.masks, self.tolerance, budget)
        )

    def _withholding(self, chosen: ChosenColumns, levels: Levels) -> PlannedValues:
        """Withhold what is not chosen."""
        question, groups = self.question, self.question.groups
        shown = spread(chosen.masks, self.lots.width)
        cells = {}
        for place, name in enumerate(question.attributes):
            hidden = (groups.values[:, place] != HIDDEN)[groups.group_of] & ~shown[:, place]
            hidden[levels.of(name)[0]] = False
            cells[name] = np.flatnonzero(hidden)
        withheld = Withheld(cells=Cells.at(cells), levels=levels)
        return PlannedValues(
            release=question.release.withholding(withheld),
            chosen=chosen,
            cells=withheld.cells,
            levels=withheld.levels,
        )

    def _listed(self, chosen: ChosenColumns) -> ChosenColumns:
        """Let records that nobody agrees with disclose something else or less where they are more than half."""
        of_each = self.need is None or (self.need.total is None and self.need.per_column is None)
        tally = self.tally(chosen.masks)
        if not (of_each and tally.mostly_without):
            return chosen
        held = self.lots.holding(chosen.masks)
        nobody = np.flatnonzero(~tally.crowds.any(axis=1))
        lot_of = self.lots.lot_of[held.first]
        part = replace(
            held,
            values=np.where(spread(held.always, held.width), held.values, HIDDEN).astype(np.int32),
            always=self.lots.always[lot_of],
        )
        # A part of what is disclosed never loses more; other values may.
        for searched, places in ((self.lots, lot_of[nobody]), (part, nobody)):
            best = searched.best(None, chosen=places, somebody=True)
            size = _largest(best.losses, self.floor[lot_of[nobody]], np.bitwise_count(held.always[nobody]))
            line = np.full(len(held.values), -1)
            line[nobody[size >= 0]] = np.flatnonzero(size >= 0)
            of_row = line[held.lot_of]
            masks = np.where(of_row >= 0, best.masks[of_row, size[of_row]], chosen.masks)
            if self.tally(masks).within_if_listed:
                return ChosenColumns(masks=masks, proved=0)
        return chosen


def _largest(losses: np.ndarray, least: Ints, most: np.ndarray) -> Ints:
    """Return the largest number of values between two that has a finite loss in each line, -1 where none has."""
    sizes = np.arange(losses.shape[1])
    fits = np.isfinite(losses) & (sizes >= least[:, None]) & (sizes <= most[:, None])
    largest: Ints = np.where(fits, sizes, -1).max(axis=1)
    return largest


def _values(masks: Masks) -> int:
    return int(np.bitwise_count(masks).sum())


@dataclass(kw_only=True, eq=False)
class _RowsState:
    """What each kind of row discloses, while labels are added."""

    question: DirectoryQuestion
    tolerance: Tolerance
    group: Ints
    """The group of each kind."""
    values: Codes
    levels: NDArray[np.int8]
    count: Ints
    loss: np.ndarray
    over: NDArray[np.bool_]
    """The kinds that are over the limit of identity, as is tolerated."""
    left: float
    """What may still be lost, in all."""

    def add(self, column: int, hierarchy: Hierarchy, level: int) -> None:
        """Disclose one level of one column where nothing finer is and the tolerance holds."""
        codes = _at_level(self.question, column, hierarchy, level)[self.group]
        places = np.flatnonzero((self.values[:, column] == HIDDEN) & (codes != HIDDEN))
        if not len(places):
            return
        before = self.values[places, column], self.levels[places, column]
        self.values[places, column], self.levels[places, column] = codes[places], level
        fits, loss = self.judged(places)
        finite = np.isfinite(loss)
        more = np.zeros(len(places))
        more[finite] = (loss[finite] - self.loss[places[finite]]) * self.count[places[finite]]
        fits = (fits | self.over[places]) & finite
        order = np.lexsort((np.arange(len(places)), more))
        order = order[fits[order]]
        order = order[: int(np.searchsorted(np.cumsum(more[order]), self.left, "right"))]
        taken = np.zeros(len(places), np.bool_)
        taken[order] = True
        self.left -= float(more[taken].sum())
        self.loss[places[taken]] = loss[taken]
        back = places[~taken]
        self.values[back, column], self.levels[back, column] = before[0][~taken], before[1][~taken]

    def judged(self, places: Ints) -> tuple[NDArray[np.bool_], np.ndarray]:
        """Tell which kinds are within the limit of identity, and their losses as if listed."""
        question = self.question
        crowds = question.lookup.crowds(self.values[places], self.levels[places])
        kinds, first = alike(list(crowds.T))
        prior = question.attacker.prior
        chances = [chance_of(line, prior, listed=True) for line in crowds[first].tolist()]
        limit = Fraction(1) if self.tolerance.identity is None else self.tolerance.identity
        fits = np.array([chance <= limit for chance in chances], np.bool_)[kinds]
        classes = question.groups.classes[self.group[places]]
        phis = question.weighing.phis(classes, self.values[places] != HIDDEN)
        lost = [hurt_of(line, prior, phis.wrong, listed=True) for line in crowds[first].tolist()]
        return fits, phis.floats * np.array([float(part) for part in lost])[kinds]


def coarsen(
    question: DirectoryQuestion, lots: Lots, masks: Masks, tolerance: Tolerance, budget: float | None
) -> Levels:
    """Add to what rows disclose, column by column, the finest labels that are within tolerance, the cheapest first."""
    hierarchies = question.release.hierarchies
    columns = [place for place, name in enumerate(question.attributes) if name in hierarchies]
    if not columns:
        return Levels()
    kind_of, row = alike([question.groups.group_of, np.unique(masks, return_inverse=True)[1].reshape(-1)])
    group = question.groups.group_of[row]
    shown = spread(masks[row], lots.width)
    state = _RowsState(
        question=question,
        tolerance=tolerance,
        group=group,
        values=np.where(shown, question.groups.values[group], HIDDEN).astype(np.int32),
        levels=np.zeros(shown.shape, np.int8),
        count=np.bincount(kind_of),
        loss=np.zeros(len(row)),
        over=np.zeros(len(row), np.bool_),
        left=np.inf,
    )
    fits, state.loss = state.judged(np.arange(len(row)))
    state.over = ~fits
    if budget is not None:
        state.left = budget - float(state.loss @ state.count)
    levels = {}
    for done, column in enumerate(columns):
        tell("looking for coarser labels", done, len(columns))
        hierarchy = hierarchies[question.attributes[column]]
        for level in range(1, hierarchy.depth + 1):
            state.add(column, hierarchy, level)
        rows = np.flatnonzero(state.levels[kind_of, column] > 0)
        levels[question.attributes[column]] = (rows, state.levels[kind_of[rows], column].astype(np.int64))
    return Levels.at(levels)


def _at_level(question: DirectoryQuestion, column: int, hierarchy: Hierarchy, level: int) -> Codes:
    """Return the label of a level that each group may disclose in a column, -1 where that is too fine or unknown."""
    groups, labels = question.groups, question.original.labels[question.attributes[column]]
    values, levels = groups.values[:, column], groups.levels[:, column]
    wanted = hierarchy.codes(labels, level)
    codes = np.full(len(values), HIDDEN, np.int32)
    for now in np.unique(levels[values != HIDDEN]).tolist():
        if now > level:
            continue
        own = np.arange(len(labels)) if now == 0 else hierarchy.codes(labels, now)
        becomes = np.full(int(own.max(initial=-1)) + 1, HIDDEN, np.int32)
        becomes[own] = wanted
        here = (levels == now) & (values != HIDDEN)
        codes[here] = becomes[values[here]]
    return codes
