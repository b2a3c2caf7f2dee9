"""Withhold by crowds: every form is published for enough records, and who of equal people shows which is drawn.

The plan (`giveaway.crowds`) sees how many people have which values, and nothing else; so whoever knows the rule learns
no more from it than from the release. With another directory the plan is made on its people, whether they have a record
or not, and all records with the same values look the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import ceil
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.disclosed_groups import HIDDEN
from giveaway.attacks.directory.losses import GroupsTally
from giveaway.attacks.directory.measure import judged
from giveaway.attacks.directory.need import NeedsColumns
from giveaway.attacks.directory.protecting.ledger import kept_curve, replay
from giveaway.attacks.directory.protecting.need import check
from giveaway.attacks.directory.protecting.public_list import (
    LARGER,
    Crowds,
    Made,
    larger_crowds,
    listed_within,
    within_values,
)
from giveaway.attacks.directory.protecting.refuse import fewer_values, refuse_crowd, refuse_records
from giveaway.attacks.directory.protecting.universe import Universe, column_levels
from giveaway.attacks.directory.question import DirectoryQuestion, ask
from giveaway.attacks.directory.reporting.sentences import counted, records
from giveaway.crowds.bounds import lower_bound
from giveaway.crowds.draw import deal, open_forms
from giveaway.crowds.forms import CrowdProfiles, Vectors
from giveaway.crowds.plan import Plan, plan
from giveaway.crowds.some_columns import Known, bound_for_some, open_for_some, plan_for_some
from giveaway.crowds.state import Space
from giveaway.errors import Help, NoSafeRelease
from giveaway.model.answer.nouns import nouns
from giveaway.model.answer.risk import Protection
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.question.effort import Effort
from giveaway.model.question.tolerance import Tolerance
from giveaway.model.release.cells import Cells
from giveaway.model.release.levels import Levels
from giveaway.model.release.release import Release
from giveaway.model.release.withheld import Withheld

Flags = NDArray[np.bool_]

WORK, MOST_ROUNDS = 100_000, 60
"""How many profiles may be planned anew in the hope of a cheaper plan, and how often some are at most."""


def in_crowds(
    question: DirectoryQuestion, tolerance: Tolerance, need: NeedsColumns | None, effort: Effort
) -> Protection:
    """Withhold values until everybody is in a crowd; return the release with what is known of its price."""
    crowds = CrowdPlanner(question=question, tolerance=tolerance, need=need, effort=effort).planned()
    ledger, stages = replay(question, crowds.release, tolerance, "crowds")
    figures = _figures(question, crowds, tolerance)
    return Protection(
        release=crowds.release,
        figures=figures,
        curves=kept_curve(question, ledger, stages),
        ledger=ledger,
        detail=_detail(crowds, figures["price_of_secrecy"]),
        drawn=crowds.is_drawn,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class CrowdPlanner:
    """A question, what is tolerated and needed, and how much may be spent on a cheaper plan."""

    question: DirectoryQuestion
    tolerance: Tolerance
    need: NeedsColumns | None
    effort: Effort

    def planned(self) -> Crowds:
        """Find the smallest crowd that is within tolerance, and the release that it makes."""
        on_table = self.question.lookup.is_own or bool(self.question.beside)
        return self.first_within(self._of_table if on_table else self._of_directories)

    @property
    def _planned_on(self) -> DirectoryQuestion:
        """The question whose columns are planned for: beside others, those of all who are asked about."""
        return self.question.whole if self.question.beside else self.question

    @property
    def _names(self) -> tuple[str, ...]:
        return self._planned_on.compared

    def first_within(self, planned_at: Callable[[int], Made]) -> Made:
        """Plan for one crowd after the other until the release is within tolerance.

        Of identity and average only the latter asks for several. Where sensitive values are told too much of, larger
        crowds are tried, those of a public list: what is inside of a crowd must not decide whom it is made of.
        """
        check(self.question, self.need)
        smallest = self._in_smallest_crowds(planned_at)
        if within_values(self.question, smallest.release, self.tolerance):
            return smallest
        larger = larger_crowds(self.question, smallest.crowd, self._most)
        served = (self._serving(planned_at(crowd)) for crowd in larger)
        return listed_within(self.question, self.tolerance, self.effort, smallest, served)

    def _serving(self, crowds: Made) -> Made:
        self._check_need(crowds.release)
        return crowds

    @property
    def _most(self) -> int:
        """The records, or the people of the smallest directory."""
        lookup = self._planned_on.lookup
        return self.question.records if lookup.is_own else min(lookup.sizes)

    def _refuse(self, tally: GroupsTally, crowd: int) -> NoReturn:
        refuse_records(tally, crowd, needed=self._needs, earlier=bool(self.question.release.withheld))

    @property
    def _needs(self) -> bool:
        """Whether something must be published."""
        return self._shown is not None or self.need is not None

    def _in_smallest_crowds(self, planned_at: Callable[[int], Made]) -> Made:
        """Find the smallest crowd that is within the limits of identity and average."""
        rows, first = self._most, self.tolerance.smallest_crowd
        for crowd in count(first):
            if crowd > max(rows, 1):
                refuse_crowd(first, rows, needed=self._needs)
            crowds = planned_at(crowd)
            tally = judged(ask(crowds.release, self.question.attacker), self.tolerance)
            if tally.over > self.tolerance.share * tally.records:
                self._refuse(tally, crowd)
            if tally.within_if_listed and not tally.near_the_limit and self._holds_for_any_weights(tally):
                self._check_need(crowds.release)
                return crowds
            if self.tolerance.average is None:
                self._refuse(tally, crowd)
        raise AssertionError("crowds do not end")

    def _rounds(self, profiles: CrowdProfiles) -> int:
        """Return how often parts of a plan are made anew: ten times as often with the effort of a proof."""
        more = 10 if self.effort.exact else 1
        return more * min(MOST_ROUNDS, WORK // max(len(profiles.counts), 1))

    def _holds_for_any_weights(self, tally: GroupsTally) -> bool:
        """Tell whether the average is within its limit whoever has which weight: a crowd must not be chosen by that."""
        weights, limit = self.question.release.sensitivity, self.tolerance.average
        if limit is None or not (weights.records or weights.cells or weights.pairs):
            return True
        return self.question.weighing.greatest * tally.identification_if_listed <= limit

    def _crowds(
        self,
        profiles: CrowdProfiles,
        crowd: int,
        *,
        split: bool = True,
        share: Fraction = Fraction(0),
        apart: Flags | None = None,
    ) -> Plan:
        """Plan crowds in all columns, or for whoever knows some of them."""
        rounds, seed, sets = self._rounds(profiles), self.effort.seed, known_sets(self.question, crowd)
        if not sets and not self.question.beside:
            return plan(profiles, crowd, split=split, share=share, rounds=rounds, seed=seed)
        return plan_for_some(
            profiles, crowd, sets, split=split, share=share, rounds=rounds, seed=seed, apart=apart
        )

    def _of_table(self, crowd: int) -> Crowds:
        """Plan on the records themselves, and draw who shows what."""
        question, names = self.question, self._names
        table = question.original
        rows = np.stack([table.columns[name][table.record_of] for name in names], axis=1)
        levels = [column_levels(table.labels[name], question.release.hierarchies.get(name)) for name in names]
        profiles, profile_of = CrowdProfiles.of_rows(
            rows,
            levels,
            shown=self._shown,
            hidden=self._withheld,
            most_blanks=self._most_blanks(np.where(self._withheld, HIDDEN, rows)),
        )
        apart = np.zeros(len(profiles.counts), np.bool_)
        apart[profile_of[self._few_listed(crowd)]] = True
        chosen = self._crowds(profiles, crowd, share=self.tolerance.share, apart=apart)
        dealt = deal(chosen, profile_of, names, [table.labels[name] for name in names])
        return Crowds(
            release=self._withholding(dealt, [one.last for one in levels]),
            crowd=crowd,
            plan=chosen,
            profile_of=profile_of,
            bounded=not self.tolerance.share and not question.beside,
        )

    def _few_listed(self, crowd: int) -> Flags:
        """Tell which rows too few people of somebody's directory may have: beside others, they need a crowd in the table."""
        few = np.zeros(self.question.records, np.bool_)
        for one, within in self.question.beside:
            if not one.lookup.is_own:
                needed = _crowd_of(within, crowd)
                few |= (one.crowds_judged.min(axis=1) < needed)[one.groups.group_of]
        return few

    def _of_directories(self, crowd: int) -> Crowds:
        """Plan on each directory, in turn until everybody is in a crowd of each; nobody's record decides anything."""
        universe = Universe.of(self.question)
        codes, last = universe.codes, np.array([one.last for one in universe.levels], np.int8)
        always, most = self._always(len(codes)), self._most_blanks(codes)
        levels = np.zeros(codes.shape, np.int8)
        for turn in count():
            before, plans = levels.copy(), []
            for listed, each in zip(universe.listed, universe.entries_each, strict=True):
                here = np.flatnonzero(listed)
                blank = (levels == last)[here]
                profiles = CrowdProfiles(
                    codes=codes[here],
                    counts=listed[here],
                    levels=universe.levels,
                    shown=None if always is None else always[here] & ~blank,
                    hidden=blank if blank.any() else None,
                    most_blanks=None if most is None else most[here],
                    rows_each=None if each is None else each[here],
                )
                chosen = self._crowds(profiles, crowd, split=False)
                levels[here[chosen.profile]] = np.maximum(levels[here[chosen.profile]], chosen.vectors)
                others = np.flatnonzero(listed == 0)
                unlisted, of_profile = CrowdProfiles.of_rows(
                    codes[others],
                    universe.levels,
                    shown=None if always is None else always[others] & (levels[others] != last),
                    most_blanks=None if most is None else most[others],
                )
                levels[others] = np.maximum(levels[others], self._open(chosen, unlisted)[of_profile])
                plans.append(chosen)
            if len(plans) == 1 or (turn and (levels == before).all()):
                break
        self._check_marks(levels[universe.of_row] != 0)
        release = self._withholding(levels[universe.of_row], last.tolist())
        planned = replace(release, plans=(*release.plans, *universe.planned(levels, last)))
        return Crowds(release=planned, crowd=crowd, plan=plans[0] if len(plans) == 1 else None, bounded=False)

    def _open(self, chosen: Plan, unlisted: CrowdProfiles) -> Vectors:
        """Return how records are shown whose values nobody in the directory has."""
        sets = known_sets(self.question, chosen.crowd)
        return open_for_some(chosen, unlisted, sets) if sets else open_forms(chosen, unlisted)[0]

    def _check_marks(self, changed: Flags) -> None:
        """Refuse a plan that would change entries which must be published: it must not look at who has a record."""
        broken = 0 if self._shown is None else int((self._shown & changed).sum())
        if broken:
            raise NoSafeRelease(
                f"{counted(broken, 'entries')} that must be published would tell somebody from the others, and the "
                f"plan on a directory must not depend on whose {nouns().records} there are.",
                helps=(f"Mark fewer entries with must_publish, or leave these {nouns().records} out.",),
            )

    @cached_property
    def _shown(self) -> Flags | None:
        """Entries of rows that must be published: named by the owner, or of a column that is always needed."""
        marks, always = self.question.release.must_publish, self._always(self.question.records)
        entries = np.stack([marks.marks(name, self.question.records) for name in self._names], axis=1)
        entries = entries if always is None else entries | always
        entries &= ~self._withheld
        return entries if entries.any() else None

    def _always(self, rows: int) -> Flags | None:
        needed = set(self.need.always) if self.need is not None else set()
        marks = np.array([name in needed for name in self._names])
        return np.tile(marks, (rows, 1)) if marks.any() else None

    @cached_property
    def _withheld(self) -> Flags:
        """Entries of rows that are withheld already."""
        hidden = self.question.release.hidden
        return np.stack([hidden.marks(name, self.question.records) for name in self._names], axis=1)

    def _most_blanks(self, rows: Codes) -> Ints | None:
        """Return how many values of each row may be blank, where so many must be disclosed."""
        if self.need is None or self.need.per_record is None:
            return None
        most: list[Ints] = []
        for one in [one for one, _ in self.question.beside] or [self.question]:
            values: Ints = (rows[:, [self._names.index(name) for name in one.compared]] != HIDDEN).sum(axis=1)
            weighed = len(one.attributes) - len(one.compared)  # they are disclosed anyway
            most.append(np.maximum(values - max(self.need.per_record - weighed, 0), 0))
        fewest: Ints = np.minimum.reduce(most)
        return fewest

    def _withholding(self, levels: Vectors, blank: Sequence[int]) -> Release:
        """Return the release in which each row shows its levels; of each column some level is a blank."""
        question, table = self.question, self.question.original
        cells, coarser = {}, {}
        for place, name in enumerate(self._names):
            there = (table.columns[name][table.record_of] != HIDDEN) & ~self._withheld[:, place]
            level, last = levels[:, place], blank[place]
            cells[name] = np.flatnonzero(there & (level == last))
            rows = np.flatnonzero(there & (level > 0) & (level < last))
            coarser[name] = (rows, level[rows].astype(np.int64))
        return question.release.withholding(Withheld(cells=Cells.at(cells), levels=Levels.at(coarser)))

    def _check_need(self, release: Release) -> None:
        """Refuse a release that discloses too few values in all, or of a column."""
        need, after = self.need, ask(release, self.question.attacker)
        if need is None:
            return
        shown = after.disclosed_of
        if need.per_record is not None:
            values = self.question.groups.shown.sum(axis=1)[self.question.groups.group_of]
            left = after.groups.shown.sum(axis=1)[after.groups.group_of]
            short = int((left < np.minimum(need.per_record, values)).sum())
            if short:
                raise NoSafeRelease(
                    f"{records(short).capitalize()} cannot be shown as enough people are with {need.per_record} values.",
                    helps=(fewer_values(int(np.minimum(left, values).min())),),
                )
        if need.total is not None and shown.sum() < need.total:
            raise NoSafeRelease(
                f"{int(shown.sum()):,} values are left with these crowds, and {need.total:,} are needed.",
                helps=(_ask_for("needs.columns.total", int(shown.sum())),),
            )
        bare = [] if need.per_column is None else np.flatnonzero(shown < need.per_column).tolist()
        if bare and not need.clip:
            name = self.question.attributes[bare[0]]
            raise NoSafeRelease(
                f"{int(shown[bare[0]]):,} values of {name} are left with these crowds, and {need.per_column:,} are needed.",
                helps=(_ask_for("needs.columns.per_column", int(shown.min())),),
            )


def _ask_for(field: str, values: int) -> Help:
    return Help(f"Ask for {values:,} with {field}.", {field: values})


def _figures(question: DirectoryQuestion, crowds: Crowds, tolerance: Tolerance) -> dict[str, Any]:
    """Say what the crowds cost, next to what they cost at least and to what hiding the least would cost.

    What is withheld already costs nothing more. A bound holds for the crowd that the limit asks for, whatever an average
    asks in addition; exceptions and other directories have none.
    """
    figures: dict[str, Any] = dict.fromkeys(("lent", "price_of_secrecy", "lower_bound", "gap"))
    plan, crowd = crowds.plan, tolerance.smallest_crowd
    if plan is None:
        return figures
    figures["lent"] = plan.lent
    if not crowds.bounded or tolerance.identity is None:
        return figures
    profiles = plan.profiles
    before = Fraction(int(profiles.prices_at(profiles.home) @ profiles.counts), profiles.scale)
    cost = plan.cost - before
    proved = plan.optimal and plan.crowd == crowd
    sets = known_sets(question, crowd)
    if proved:
        least = cost
    elif sets:
        least = bound_for_some(profiles, crowd, sets)
    else:
        least = lower_bound(profiles, crowd) - before
    figures["gap"] = float((cost - least) / cost) if cost else 0.0
    if profiles.scale == 1:  # without coarser labels what it costs are blanks
        figures["lower_bound"] = question.entries - question.disclosed + ceil(least)
    if tolerance.average is None and not sets and (alone := least_alone(profiles, crowd)):
        figures["price_of_secrecy"] = float(cost / alone)
    return figures


def known_sets(question: DirectoryQuestion, crowd: int) -> list[Known]:
    """Return the sets of columns that somebody may know, where these are not all columns together; else none.

    Each comes with the crowd that whoever knows it must not be able to divide; beside others, these are the sets of all.
    """
    if not question.beside:
        sets = [(columns, crowd) for columns in question.column_sets(exactly=True)]
        return sets if len(sets) > 1 else []
    place = {name: at for at, name in enumerate(question.planned_by)}
    return [
        (tuple(sorted(place[one.compared[at]] for at in columns)), _crowd_of(within, crowd))
        for one, within in question.beside
        if one.lookup.is_own
        for columns in one.column_sets(exactly=True)
    ]


def _crowd_of(within: Tolerance, crowd: int) -> int:
    """Return the crowd that somebody's limits ask for; by an average alone, the one that is planned for."""
    return crowd if within.identity is None and within.average is not None else within.smallest_crowd


def least_alone(profiles: CrowdProfiles, crowd: int) -> Fraction:
    """Return what it costs to let enough people agree with each record, one record at a time: the paper's least.

    For each record the cheapest levels are taken at which enough people could look like it, whether they do or not.

    >>> from giveaway.crowds.forms import ColumnForms
    >>> rows = np.array([[0, 0], [0, 1], [1, 1]])
    >>> least_alone(CrowdProfiles.of_rows(rows, [ColumnForms(values=2)] * 2)[0], 2)
    Fraction(3, 1)
    """
    space = Space(profiles, crowd)
    every = np.arange(len(space.count))
    paid = np.full(len(every), -1)
    for number in np.argsort(space.nominal, kind="stable").tolist():
        people = space.allowed(number, every)
        form = np.unique(space.keys(number, people), return_inverse=True)[1].reshape(-1)
        enough = np.bincount(form, weights=space.count[people])[form] >= space.needs[people]
        price = space.prices(number, people)
        better = enough & ((paid[people] < 0) | (price < paid[people]))
        paid[people[better]] = price[better]
        if (paid >= 0).all() and space.nominal[number] >= paid.max():
            break
    return Fraction(int(np.maximum(paid, 0) @ space.count), profiles.scale)


def _detail(crowds: Crowds, price: float | None) -> str:
    """Say how values were chosen, and what is proved of the choice."""
    if not crowds.release.withheld.cells and not crowds.release.withheld.levels:
        return "Nothing needed to be withheld."
    sentences = ["What to disclose was planned by how many people have which values, and nothing else."]
    sentences += [LARGER] if crowds.release.earlier_plans_fail < 1 else []
    if crowds.plan is not None and crowds.bounded:
        if crowds.plan.optimal:
            sentences.append("It is proved that no such plan withholds less.")
        else:
            sentences.append("It is not proved that no such plan withholds less.")
    if price is not None and price > 1:
        more = f"{100 * (price - 1):.2g} %"
        sentences.append(f"This withholds {more} more than hiding the least would; the least can be undone.")
    return " ".join(sentences)
