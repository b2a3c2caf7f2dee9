"""Withhold by levels: one level for each column, so that every form is published for enough records.

The levels (`giveaway.attacks.directory.levels`) are chosen by how many people have which values. For somebody who knows the
method nothing else decides: the table itself, or with another directory its people, whether they have a record or not. All
with the same values look the same, so that nothing is drawn. For somebody who does not know it, the crowd is of people in
the directory, what is lost is counted on the records, and an attribute limit may decide too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from giveaway.attacks.directory.attacker import DirectoryOptions
from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.inference.sensitive import sensitive_columns
from giveaway.attacks.directory.levels.counting import ShareLimit
from giveaway.attacks.directory.levels.lattice import ColumnLevels, CountedRows, Lattice, Node
from giveaway.attacks.directory.levels.plan import LevelPlan, open_levels, plan_levels
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protecting.crowd import CrowdPlanner, Flags
from giveaway.attacks.directory.protecting.ledger import kept_curve, replay
from giveaway.attacks.directory.protecting.public_list import LARGER, Crowds
from giveaway.attacks.directory.protecting.universe import Universe
from giveaway.attacks.directory.question import DirectoryQuestion
from giveaway.attacks.directory.readings.shares import MISSING
from giveaway.attacks.directory.reporting.sentences import counted, records
from giveaway.attacks.wording import listed
from giveaway.crowds.forms import Vectors
from giveaway.errors import NoSafeRelease, ScenarioError
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Protection
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance


def in_levels(
    question: DirectoryQuestion,
    tolerance: Tolerance,
    need: NeedsColumns | None,
    effort: Effort,
    options: DirectoryOptions,
) -> Protection:
    """Publish one level of each column; return the release with what is known of its loss."""
    planner = LevelPlanner(question=question, tolerance=tolerance, need=need, effort=effort, options=options)
    chosen = planner.first_within(planner.planned_at)
    ledger, stages = replay(question, chosen.release, tolerance, "levels")
    return Protection(
        release=chosen.release,
        figures=_figures(chosen, again=options.again),
        curves=kept_curve(question, ledger, stages),
        ledger=ledger,
        detail=_detail(question, chosen, again=options.again),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class InLevels(Crowds):
    """A release in which columns show one level each, and the plan of that."""

    levels: LevelPlan
    columns: tuple[str, ...]
    """The columns of the plan."""
    top: Node
    """The level of each of them that is a blank."""
    suppressed: int
    """The records that show nothing of these columns because of the plan."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LevelPlanner(CrowdPlanner):
    """A question, what is tolerated and needed, and how what is lost is counted."""

    options: DirectoryOptions

    def planned_at(self, crowd: int) -> InLevels:
        """Return the release in which everybody is in a crowd of this size, by the levels that lose least."""
        if self.question.lookup.is_own or not self.question.attacker.knows_method:
            return self._on_records(crowd)
        return self._on_directory(crowd)

    def _on_records(self, crowd: int) -> InLevels:
        """Plan on the records themselves; the crowd is of people where there is another directory."""
        rows = np.where(self._withheld, HIDDEN, self._universe.codes[self._universe.of_row])[:, self._places]
        plan = self._plan(
            CountedRows(values=rows, count=np.ones(len(rows), np.int64)),
            crowd,
            people=None if self.question.lookup.is_own else self._people,
            shares=share_limits(self.question, self.tolerance.attribute),
        )
        return self._made(crowd, plan, plan.levels, plan.suppressed)

    def _on_directory(self, crowd: int) -> InLevels:
        """Plan on the people of the directory; records of values that nobody there has follow them."""
        universe, here = self._universe, np.flatnonzero(self._universe.listed[0])
        plan = self._plan(self._people, crowd)
        levels = np.zeros((len(universe.codes), len(self._places)), np.int8)
        levels[here] = plan.levels
        silent = np.zeros(len(levels), np.bool_)
        silent[here] = plan.suppressed
        others = np.flatnonzero(universe.listed[0] == 0)
        codes = universe.codes[others][:, self._places]
        levels[others], silent[others] = open_levels(
            self._lattice, self._people, plan, codes, self._needed(crowd)
        )
        chosen = self._made(crowd, plan, levels[universe.of_row], silent[universe.of_row])
        if chosen.suppressed > self.options.suppress * self.question.records:
            raise NoSafeRelease(
                f"{chosen.suppressed:,} of {records(self.question.records)} would show nothing, more than the part that suppress "
                f"allows: levels are chosen by the people of the directory, whoever has {nouns().a_record}.",
                helps=("Let more rows be suppressed, or give coarser hierarchies.",),
            )
        every = np.zeros(universe.codes.shape, np.int8)
        every[:, self._places] = levels
        plans = universe.planned(every, self._blank)
        return replace(chosen, release=replace(chosen.release, plans=(*chosen.release.plans, *plans)))

    def _plan(
        self,
        rows: CountedRows,
        crowd: int,
        people: CountedRows | None = None,
        shares: Sequence[ShareLimit] = (),
    ) -> LevelPlan:
        options = self.options
        plan = plan_levels(
            self._lattice,
            rows,
            self._needed(crowd),
            people=people,
            shares=shares,
            suppress=options.suppress,
            again=options.again,
            fills=self.question.attacker.knows_method,  # for others a row that shows nothing may be anybody's
            seconds=self.effort.seconds,
        )
        if plan is None:
            raise NoSafeRelease(
                "No choice of one level for each column is within the limits.",
                helps=("Let more rows be suppressed with suppress, or tolerate more.",),
            )
        return plan

    def _needed(self, crowd: int) -> int:
        """Return how many entries of a directory make a crowd, whoever has several of them."""
        each = self._universe.entries_each[0]
        return crowd * (1 if each is None else int(each.max(initial=1)))

    def _made(self, crowd: int, plan: LevelPlan, levels: Vectors, suppressed: Flags) -> InLevels:
        """Return the release in which rows show their levels; entries that must be published are as they are."""
        shown = np.zeros((self.question.records, len(self.question.compared)), np.int8)
        shown[:, self._places] = levels
        self._check_shown(shown)
        return InLevels(
            release=self._withholding(shown, self._blank.tolist()),
            crowd=crowd,
            plan=None,
            bounded=False,
            levels=plan,
            columns=self._columns,
            top=self._lattice.top,
            suppressed=int(suppressed.sum()),
        )

    def _check_shown(self, levels: Vectors) -> None:
        if self._shown is None:
            return
        broken = self._shown & (levels != 0) & (self._universe.codes[self._universe.of_row] != HIDDEN)
        if broken.any():
            names = [
                name for name, any_ in zip(self.question.compared, broken.any(axis=0), strict=True) if any_
            ]
            raise NoSafeRelease(
                f"{counted(int(broken.sum()), 'entries')} of {listed(names)} that must be published would be coarser "
                f"or blank: one level is chosen for all {nouns().records}.",
                helps=('Need or mark less, give the column more importance, or take method = "crowd".',),
            )

    @cached_property
    def _universe(self) -> Universe:
        directories = len(self.question.lookup.matchings)
        if directories > 1:
            raise ScenarioError(
                f"Levels are planned on one directory, and there are {directories}.",
                hint='take method = "crowd", or one attacker for each directory.',
                field="method",
            )
        return Universe.of(self.question)

    @cached_property
    def _columns(self) -> tuple[str, ...]:
        """The columns compared that the directory has: in others nobody can be looked up."""
        held = self.question.lookup.matchings[0].people.columns
        return tuple(name for name in self.question.compared if name in held)

    @cached_property
    def _places(self) -> list[int]:
        return [self.question.compared.index(name) for name in self._columns]

    @cached_property
    def _people(self) -> CountedRows:
        """The people of the directory."""
        (count,) = self._universe.listed
        here = np.flatnonzero(count)
        return CountedRows(values=self._universe.codes[here][:, self._places], count=count[here])

    @cached_property
    def _lattice(self) -> Lattice:
        importance, hierarchies = self.options.importance, self.question.release.hierarchies
        for name in importance:
            if name not in self.question.compared:
                raise ScenarioError(
                    f"importance names the column {name}, which is not compared.",
                    exists=", ".join(self.question.compared),
                    field="importance",
                )
        return Lattice.of(
            [
                ColumnLevels.of(self._universe.labels[place], hierarchies.get(name), name=name)
                for name, place in zip(self._columns, self._places, strict=True)
            ],
            max(self.question.records, *self.question.lookup.sizes),
            loss=self.options.loss,
            importance=[importance.get(name, Fraction(1)) for name in self._columns],
        )

    @cached_property
    def _blank(self) -> Vectors:
        """The level of each column compared that is a blank; none of one that the directory does not have."""
        levels = np.full(len(self.question.compared), np.iinfo(np.int8).max, np.int8)
        levels[self._places] = self._lattice.top
        return levels


def _figures(chosen: InLevels, *, again: bool) -> dict[str, Any]:
    """Say which levels were chosen and what they lose, next to the least that one level for each column loses."""
    plan = chosen.levels
    single = not again
    return {
        **dict.fromkeys(("lent", "price_of_secrecy", "lower_bound")),
        "nodes": [dict(zip(chosen.columns, node, strict=True)) for node in plan.nodes],
        "suppressed": chosen.suppressed,
        "loss": float(plan.loss),
        "loss_bound": float(plan.bound) if single else None,
        "nodes_counted": plan.counted,
        "gap": (float((plan.loss - plan.bound) / plan.loss) if plan.loss else 0.0) if single else None,
    }


def _detail(question: DirectoryQuestion, chosen: InLevels, *, again: bool) -> str:
    """Say which levels were chosen, by what, and what is proved of the choice."""
    if not chosen.release.withheld.cells and not chosen.release.withheld.levels:
        return "Nothing needed to be withheld."
    plan, first = chosen.levels, dict(zip(chosen.columns, chosen.levels.nodes[0], strict=True))
    top = dict(zip(chosen.columns, chosen.top, strict=True))
    whole = [name for name, level in first.items() if level == 0]
    blank = [name for name, level in first.items() if level == top[name]]
    coarser = [f"{name} at level {level}" for name, level in first.items() if 0 < level < top[name]]
    shown = [f"{listed(whole)} as {'it is' if len(whole) == 1 else 'they are'}"] if whole else []
    shown += coarser + ([f"nothing of {listed(blank)}"] if blank else [])
    sentences = [f"Records show {listed(shown)}."]
    if len(plan.nodes) > 1:
        more = counted(len(plan.nodes) - 1, "further choices")
        sentences.append(f"Those that would show nothing then have {more} of levels.")
    if chosen.suppressed:
        sentences.append(
            f"{records(chosen.suppressed).capitalize()} show{'s' * (chosen.suppressed == 1)} nothing of these columns."
        )
    if question.attacker.knows_method:
        whose = nouns().records if question.lookup.is_own else "people of the directory"
        sentences.append(f"The levels were chosen by how many {whose} have which values, and nothing else.")
        sentences += [LARGER] if chosen.release.earlier_plans_fail < 1 else []
    if not plan.proved:
        sentences.append(
            f"No choice of one level for each column loses less than {float(plan.bound):.4g}; this loses {float(plan.loss):.4g}."
        )
    elif again:
        sentences.append("The first choice of levels is proved best, the further ones are not.")
    else:
        sentences.append("It is proved that no other choice of one level for each column loses less.")
    return " ".join(sentences)


def share_limits(question: DirectoryQuestion, limit: Fraction | None) -> list[ShareLimit]:
    """Return the limit on what the rows of a block tell of each sensitive column; none where the choice must not see it.

    What is inside a block may decide against somebody who does not know the method. Close guesses are left to the judge.
    """
    if limit is None or question.attacker.knows_method:
        return []
    return [
        ShareLimit(
            sensitive=np.maximum(column.shown, MISSING)[question.lines.rows()],
            targets=column.targets,
            limit=limit,
        )
        for column in sensitive_columns(question)
        if column.close is None
    ]
