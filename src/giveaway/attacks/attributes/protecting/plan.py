"""Plan what to hide: for every sensitive column, in rounds, until no more secrets are exposed than tolerated."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from giveaway.attacks.attributes.attacker import AttributesOptions
from giveaway.attacks.attributes.exposed_secrets import SecretsTally
from giveaway.attacks.attributes.hiding.best_of_all import HidingPlan
from giveaway.attacks.attributes.protecting.refuse import refuse
from giveaway.attacks.attributes.question import AttributesQuestion
from giveaway.attacks.attributes.sensitive_column import SensitiveColumn
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.attacks.ways import way
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell
from giveaway.model.question.effort import Effort
from giveaway.model.release.cells import Cells
from giveaway.model.release.release import Release

FINISH = 60.0
"""A safety stop, in seconds, of the search for a better choice; it is limited by its work."""

ALL_NODES = (1 << 31) - 1
"""More branches than any search has time for."""

AFFORDABLE = 2_000_000
"""The most patterns, counted group by group, of a table for which more than one plan is made."""

STEPS = range(-4, 5)
"""The limits around the stated one for which it is counted what hiding would cost, in steps of 5 %."""

TRIES = 6
"""How often it is tried to leave more secrets exposed, or fewer, where some may be."""

CHOICES = 200
"""How many choices of the secrets that stay exposed are tried when the first leads nowhere."""

_VALUES = ("sensitive of others",)

Group = tuple[int, int]
"""The place of a sensitive column and one of its groups."""


@dataclass(frozen=True, kw_only=True)
class PlannedEntries:
    """The entries to hide, the release without them, and what is known of their number."""

    cells: Cells
    cost: int
    """How much the entries count together: as many as they are, without weights."""
    release: Release
    lower_bound: int | None
    """In no safe release the hidden entries count less; None when secrets may stay exposed, since others might be chosen,
    and where what is hidden for one sensitive column is a condition of another."""
    rounds: int
    exposed: int
    """The number of secrets that stay exposed."""
    stopped: bool
    """Whether the safety stop ended a search."""

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved that no safe release hides fewer, or entries of less weight."""
        return self.cost == self.lower_bound


@dataclass(frozen=True, kw_only=True)
class _Failed:
    """No entries were found that protect all secrets but those left out; proved when there are none."""

    proved: bool


def plan(question: AttributesQuestion, effort: Effort, options: AttributesOptions) -> PlannedEntries:
    """Hide entries until a new count finds no more exposed secrets than tolerated.

    Where some may be exposed, those that cost most to protect are left out: as many as may be exposed for certain, and
    on a table of affordable size as many more as turn out to be protected by what is hidden for the others.
    """
    costly = _costliest(question) if question.allowed else []
    sure = _certain(question, costly)
    best = _attempt(question, _whole(question, costly[:sure]), effort, options)
    if isinstance(best, _Failed):
        best = _sparing_others(question, costly, effort, options) if question.allowed else best
        if isinstance(best, _Failed):
            refuse(question, proved=best.proved)
        return best
    low, high = sure, len(costly) + 1
    for done in range(TRIES if _is_affordable(question) else 0):
        if high - low <= 1:
            break
        tell("choosing whom to protect", done, TRIES)
        middle = (low + high) // 2
        attempt = _attempt(question, _whole(question, costly[:middle]), effort, options)
        if isinstance(attempt, _Failed):
            high = middle
        else:
            low = middle
            best = attempt if attempt.cost < best.cost else best
    return best


def _sparing_others(
    question: AttributesQuestion, costly: Sequence[Group], effort: Effort, options: AttributesOptions
) -> PlannedEntries | _Failed:
    """Try to leave other secrets exposed than those that seem to cost most.

    Sparing more secrets never makes it harder to protect the rest, so only choices of as many as may be exposed are
    tried. When for each of them it is proved that the rest cannot be protected, there is no safe release.
    """
    if not _is_affordable(question):
        return _Failed(proved=False)
    proved = True
    for done, spared in enumerate(_choices(question, costly)):
        tell("choosing whom to protect", done)
        if done == CHOICES:
            return _Failed(proved=False)
        attempt = _attempt(question, _rows(question, spared), effort, options)
        if isinstance(attempt, PlannedEntries):
            return attempt
        proved &= attempt.proved
    return _Failed(proved=proved)


def _choices(question: AttributesQuestion, costly: Sequence[Group]) -> Iterator[dict[Group, int]]:
    """Give every choice of as many secrets as may be exposed: how many of each group, the costliest groups first."""
    secret = [
        (which, int(group))
        for which, column in enumerate(question.sensitive_columns)
        for group in column.table.secrets
    ]
    groups = [*costly, *(group for group in secret if group not in costly)]
    sizes = [_size(question, group) for group in groups]

    def chosen(place: int, left: int) -> Iterator[dict[Group, int]]:
        if left == 0 or place == len(groups):
            yield {}
            return
        beyond = sum(sizes[place + 1 :])
        for many in range(min(left, sizes[place]), max(left - beyond, 0) - 1, -1):
            for rest in chosen(place + 1, left - many):
                yield {groups[place]: many, **rest}

    return chosen(0, min(question.allowed, sum(sizes)))


def other_limits(question: AttributesQuestion, planned: PlannedEntries) -> list[tuple[Fraction, int, int]]:
    """Count what greedy covering hides at other limits, and a number that no safe release goes below.

    Only for tables of affordable size, and where one limit is one problem: everybody is protected, and the columns do
    not depend on each other.
    """
    from giveaway.attacks.attributes.hiding import best_of_all

    apart = len(question.sensitive_columns) == 1 or question.hideable == _VALUES
    if planned.lower_bound is None or not planned.cells or not apart or not _is_affordable(question):
        return []
    costs = [(question.limit, planned.cost, planned.lower_bound)]
    grid = [question.limit + Fraction(step, 20) for step in STEPS if step]
    for done, limit in enumerate(limit for limit in grid if 0 < limit <= 1):
        tell("trying other limits", done, len(grid))
        plans = [
            best_of_all.protect(replace(column.table, limit=limit), method="cover", seconds=FINISH)
            for column in question.sensitive_columns
        ]
        if all(one.hidden is not None for one in plans):
            cost, bound = sum(one.cost for one in plans), sum(one.lower_bound for one in plans)
            costs.append((limit, cost, bound))
    return costs


def _is_affordable(question: AttributesQuestion) -> bool:
    patterns = (len(column.table.count) << column.table.width for column in question.sensitive_columns)
    return sum(patterns) <= AFFORDABLE


def _attempt(
    question: AttributesQuestion, left_out: Cells, effort: Effort, options: AttributesOptions
) -> PlannedEntries | _Failed:
    """Hide for each column until all secrets but some are protected, and look at all columns again.

    Hiding conditions for one column takes records from the rules of another.
    """
    now, cells, rounds, bound, stopped = question, Cells(), 0, 0, False
    while (exposed := SecretsTally(question=now).exposed) > now.allowed:
        plans = [
            _plan(column, left_out.positions(column.name), effort, options)
            for column in now.sensitive_columns
        ]
        more = Cells()
        for column, one in zip(now.sensitive_columns, plans, strict=True):
            if one.hidden is None:
                return _Failed(proved=one.impossible and now is question and question.are_columns_apart)
            more |= column.cells(one.hidden)
        if not more:
            return _Failed(proved=False)
        bound = _bound(question, plans) if now is question else bound
        rounds += sum(one.rounds for one in plans)
        stopped |= any(one.stopped for one in plans)
        cells |= more
        now = now.withholding(more)
    return PlannedEntries(
        cells=cells,
        cost=question.cost(cells),
        release=now.release,
        lower_bound=None if (question.allowed or not question.are_columns_apart) and cells else bound,
        rounds=rounds,
        exposed=exposed,
        stopped=stopped,
    )


def _plan(column: SensitiveColumn, left_out: Ints, effort: Effort, options: AttributesOptions) -> HidingPlan:
    """Choose what to hide for one column."""
    from giveaway.attacks.attributes.hiding import best_of_all

    table = _without(column, left_out)
    if options.method in ("r-graph", "cr"):
        along = {"heuristic": options.heuristic, "records": options.records, "seed": effort.seed}
        plan: HidingPlan = way("attributes", options.method)(
            table, **(along if options.method == "r-graph" else {})
        )
        return plan
    if options.method == "cover":
        return best_of_all.protect(table, method="cover", seconds=FINISH)
    if effort.exact:
        return best_of_all.protect(table, seconds=effort.seconds, nodes=ALL_NODES)
    return best_of_all.protect(table, seconds=FINISH)


def _bound(question: AttributesQuestion, plans: Sequence[HidingPlan]) -> int:
    """Join the bounds of the columns: they add up where no entry serves two columns."""
    bounds = [one.lower_bound for one in plans]
    return sum(bounds) if question.hideable == _VALUES else max(bounds)


def _costliest(question: AttributesQuestion) -> list[Group]:
    """Order the exposed secrets by what each secret of a group costs to protect, the costliest first.

    The cost is the largest number of values to hide against one of their rules.
    """
    offers = []
    for which, column in enumerate(question.sensitive_columns):
        table, rules, limit = column.table, column.unsafe, column.table.limit
        tolerated = rules.matching.astype(object) * limit.numerator // limit.denominator
        values = rules.showing - np.maximum(tolerated.astype(np.int64), table.least)
        cost = np.zeros(len(table.count), np.int64)
        np.maximum.at(cost, rules.secrets, np.repeat(values, np.diff(rules.secret_starts)))
        each = {group: Fraction(int(cost[group]), int(table.count[group])) for group in np.flatnonzero(cost)}
        offers += [(-worth, which, int(group)) for group, worth in each.items()]
    return [(which, group) for _, which, group in sorted(offers)]


def _certain(question: AttributesQuestion, costly: Sequence[Group]) -> int:
    """Return how many of the costliest groups may be left out whatever is hidden for the others."""
    sizes = [_size(question, group) for group in costly]
    return int(np.searchsorted(np.cumsum(sizes), question.allowed, side="right")) if sizes else 0


def _size(question: AttributesQuestion, group: Group) -> int:
    which, place = group
    return int(question.sensitive_columns[which].table.count[place])


def _whole(question: AttributesQuestion, groups: Sequence[Group]) -> Cells:
    """Return the secret entries of whole groups."""
    return _rows(question, {group: _size(question, group) for group in groups})


def _rows(question: AttributesQuestion, spared: Mapping[Group, int]) -> Cells:
    """Return the secret entries that are left out, given how many of each group.

    They are the last rows of their groups, because entries are hidden in the first.
    """
    rows_of = {column.name: [np.zeros(0, np.int64)] for column in question.sensitive_columns}
    for (which, group), many in spared.items():
        column = question.sensitive_columns[which]
        rows = column.rows[column.groups == group]
        rows_of[column.name].append(rows[len(rows) - many :])
    return Cells.at({column: np.sort(np.concatenate(rows)) for column, rows in rows_of.items()})


def _without(column: SensitiveColumn, left_out: Ints) -> PartialTable:
    """Return the partial table in which some secrets are not protected: groups of their own, at the end."""
    if not len(left_out):
        return column.table
    table = column.table
    gone = np.bincount(column.groups[np.isin(column.rows, left_out)], minlength=len(table.count))
    gone[table.truth == UNKNOWN] = 0
    whole, some = gone == table.count, np.flatnonzero((gone > 0) & (gone < table.count))
    unknown = np.full(len(some), UNKNOWN, np.int32)
    spared = replace(
        table.of_groups(some), value=unknown, truth=unknown, count=gone[some], may=np.zeros_like(some)
    )
    protected = replace(
        table,
        truth=np.where(whole, UNKNOWN, table.truth).astype(np.int32),
        count=np.where(whole, table.count, table.count - gone),
        may=np.where(whole, 0, table.may),
    )
    return protected.and_more(spared)
