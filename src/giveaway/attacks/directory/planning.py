"""Plan what to withhold: choose what each record discloses, then coarser labels, then measure it again."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from giveaway.attacks.directory import refusing
from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.choosing import Chosen, Curves, curves, exactly, filled, in_total
from giveaway.attacks.directory.coarsening import coarsen
from giveaway.attacks.directory.grouping import HIDDEN
from giveaway.attacks.directory.lots import Lots, Masks, lots, spread
from giveaway.attacks.directory.means import NEAR
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.needs import check, least
from giveaway.attacks.directory.question import Question, ask
from giveaway.attacks.directory.rules import by_columns, by_minrisk, by_worst
from giveaway.attacks.directory.tally import Tally
from giveaway.model.cells import Cells
from giveaway.model.levels import Levels
from giveaway.model.need import NeedsColumns
from giveaway.model.release import Release
from giveaway.model.rows import Ints
from giveaway.model.tolerance import Tolerance
from giveaway.model.withheld import Withheld

_SLACK = (1 + 1e-12, 1 - 1e-9, 1 - 1e-6)
"""Parts of the budget that are tried: a sum of floats may miss an exact limit by its rounding."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Planned:
    """What is withheld, and how good that is."""

    release: Release
    chosen: Chosen
    cells: Cells
    levels: Levels


@dataclass(frozen=True, kw_only=True, eq=False)
class Planner:
    """A question, what is tolerated, and what is needed."""

    question: Question
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
        """The records, alike ones together."""
        return lots(self.question, self.need, thorough=self.thorough)

    @cached_property
    def floor(self) -> Ints:
        """How many values each lot must disclose."""
        return least(self.lots, self.need)

    @cached_property
    def curves(self) -> Curves:
        """The best disclosures of each record for every number of values."""
        exact = not self.fills and self.need is not None and self.need.per_record is not None
        sizes = range(int(self.floor.min()), int(self.floor.max()) + 1) if exact else None
        found = curves(self.lots, self.tolerance, self.floor, fill=self.fills, sizes=sizes)
        if found.stuck > found.allowed:
            refusing.refuse_identity(found, self.lots, self.tolerance, self.need)
        return found

    def plan(self) -> Planned:
        """Choose what is disclosed; a choice that rounding put over the limit is made again with a little less."""
        check(self.question, self.need)
        for slack in _SLACK:
            budget = None
            if self.tolerance.average is not None:
                budget = float(self.tolerance.average) * self.question.records * slack
            planned = self._planned(self._chosen(budget), budget)
            found = judged(ask(planned.release, self.question.attacker), self.tolerance)
            if found.safe or budget is None:
                break
        return planned

    def _chosen(self, budget: float | None) -> Chosen:
        need = self.need
        if self.options.method == "minrisk":
            return self._above(by_minrisk(self.lots, need, self.floor), budget)
        if need is not None and need.per_column is not None:
            return self._above(by_columns(self.lots, self.tolerance, need), budget)
        if need is not None and need.total is not None:
            return self._in_total(need.total, budget)
        several = len(self.question.lookup.matchings) > 1 and not self.question.attacker.prior
        if several and not self.fills:
            return self._above(by_worst(self.lots, self.tolerance, self.floor), budget)
        if self.fills:
            found = filled(self.curves, self.lots, budget)
        else:
            found = exactly(self.curves, self.lots, self.floor)
        if several and found is None:
            # The sum of the records' worst losses is a bound, which the worst sum may well be below.
            return self._above(by_worst(self.lots, self.tolerance, self.floor), budget)
        if found is None or not (self.fills or self.tally(found.masks).within_if_listed):
            refusing.refuse_average(self.curves, self.lots, self.floor, self.tolerance, need)
        return found

    def _in_total(self, values: int, budget: float | None) -> Chosen:
        """Serve a need of so many values in all; with `fill` as many as are within tolerance."""
        found = filled(self.curves, self.lots, budget) if self.fills else None
        if found is not None and _values(found.masks) >= values:
            return found
        best = in_total(self.curves, self.lots, values)
        if best is None:
            most = filled(self.curves, self.lots, None)
            assert most is not None  # noqa: S101 # without a budget there is always a choice
            reached = min(_values(most.masks), values - 1)
            refusing.refuse_total(values, reached, proved=most.most is not None and most.most < values)
        tally = self.tally(best.masks)
        if not tally.within_if_listed:
            refusing.refuse_risk(tally, proved=self._is_proved(best))
        return best

    def _above(self, base: Chosen, budget: float | None) -> Chosen:
        """Judge a rule that was chosen otherwise; with `fill` put values back while the tolerance holds."""
        tally = self.tally(base.masks)
        if not tally.within_if_listed:
            refusing.refuse_risk(tally, proved=self._is_proved(base))
        if not self.fills:
            return base
        held = self.lots.holding(base.masks)
        floor = np.bitwise_count(held.always).astype(np.int64)
        more = filled(curves(held, self.tolerance, floor, fill=True), held, budget)
        # What is best above one rule need not be best of all.
        return base if more is None else Chosen(masks=more.masks, proved=0)

    def _is_proved(self, chosen: Chosen) -> bool:
        """Tell whether no choice that serves the need can be within the limit of the risk."""
        limit = self.tolerance.average
        return chosen.least is not None and limit is not None and chosen.least * (1 - NEAR) > limit

    def tally(self, masks: Masks) -> Tally:
        """Count what is given away when rows disclose some of their values."""
        held = self.lots.holding(masks)
        shown = spread(masks[held.first], held.width)
        values = np.where(shown, held.values, HIDDEN).astype(np.int32)
        crowds = self.question.lookup.crowds(values, None)
        phis = self.question.weighing.phis(held.classes, values != HIDDEN)
        return Tally(
            count=held.count,
            crowds=crowds,
            phis=phis,
            prior=self.question.attacker.prior,
            tolerance=self.tolerance,
        )

    def _planned(self, chosen: Chosen, budget: float | None) -> Planned:
        """Withhold what is not chosen, with coarser labels in its place where the tolerance allows them."""
        chosen = self._listed(chosen)
        question, groups = self.question, self.question.groups
        levels = coarsen(question, self.lots, chosen.masks, self.tolerance, budget)
        shown = spread(chosen.masks, self.lots.width)
        cells = {}
        for place, name in enumerate(question.attributes):
            hidden = (groups.values[:, place] != HIDDEN)[groups.group_of] & ~shown[:, place]
            hidden[levels.of(name)[0]] = False
            cells[name] = np.flatnonzero(hidden)
        withheld = Withheld(cells=Cells.at(cells), levels=levels)
        return Planned(
            release=question.release.withholding(withheld),
            chosen=chosen,
            cells=withheld.cells,
            levels=withheld.levels,
        )

    def _listed(self, chosen: Chosen) -> Chosen:
        """Let records that nobody agrees with disclose less where they are more than half, so that somebody does."""
        of_each = self.need is None or (self.need.total is None and self.need.per_column is None)
        tally = self.tally(chosen.masks)
        if not (of_each and tally.mostly_without):
            return chosen
        held = self.lots.holding(chosen.masks)
        nobody = np.flatnonzero(~tally.crowds.any(axis=1))
        lot = self.lots.lot_of[held.first[nobody]]
        found = self.lots.best(2, chosen=lot)
        sizes, now = np.arange(self.lots.width + 1), np.bitwise_count(held.always[nobody])[:, None]
        fits = np.isfinite(found.losses) & (sizes <= now) & (sizes >= self.floor[lot][:, None])
        size = np.where(fits, sizes, -1).max(axis=1)
        line = np.full(len(held.values), -1)
        line[nobody[size >= 0]] = np.flatnonzero(size >= 0)
        of_row = line[held.lot_of]
        masks = np.where(of_row >= 0, found.masks[of_row, size[of_row]], chosen.masks)
        return Chosen(masks=masks, proved=0)


def _values(masks: Masks) -> int:
    return int(np.bitwise_count(masks).sum())
