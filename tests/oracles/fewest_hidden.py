"""The fewest entries to hide, by constraint programming, wherever entries may be hidden (CP-SAT of OR-Tools).

It shares nothing with the integer program of the attack but the table, and looks at all rules before it starts. Whatever
satisfies the constraints is a safe table: each relevant rule is shown by a small enough part of the records with its
pattern, or by few enough records, or no secret is attacked with it any more. Some safe table that hides the fewest entries
satisfies them too, because only what is not better is left out.

State: the relevant rules. They begin with the unsafe ones and grow until nothing changes.

Invariant: a rule is left out only when it stays safe even if all records that could leave its pattern, by a move against
a relevant rule, leave it at once while all that show it stay. So a table is safe when its relevant rules are.

Pruning: entries that help against no relevant rule are never hidden, and where the sensitive entry of a record may be
hidden no condition is that costs as much (Li et al., Lemma 1, record by record). A set of entries is left out when another
one, no dearer, serves at least the same rules and harms no more. Records that do the same to every rule are one class, of
which only the number of records matters that make each move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable
from giveaway.model.data.arrays import Ints

if TYPE_CHECKING:
    from giveaway.papers.attributes.rgraph import AttackedRule


@dataclass(frozen=True, kw_only=True)
class Move:
    """A set of entries hidden together in one record, and what that does to the rules."""

    mask: int
    served: frozenset[int]
    """The rules that the record no longer shows or, when it is secret, is no longer attacked with."""
    unmatched: frozenset[int]
    """The rules whose pattern the record no longer has."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Exchangeable:
    """Groups whose records do the same to every rule when the same entries are hidden."""

    groups: Ints
    counts: Ints
    secret: bool
    moves: tuple[Move, ...]


def relevant_rules(table: PartialTable) -> "list[AttackedRule]":
    """Return the rules that are unsafe or that moves against relevant rules can make unsafe; none when all are safe.

    A move is worth making only for what it does to a rule that the record itself shows or is attacked with. It takes
    records away from the patterns of other rules and so can expose them; all rules left out stay safe whatever is done.
    """
    from giveaway.papers.attributes.rgraph import attacked_rules

    rules = [*attacked_rules(table, above=table.least)]
    relevant = [_is_unsafe(table, rule.showing, rule.matching) for rule in rules]
    grows = any(relevant)
    while grows:
        useful = useful_entries(table, [rule for rule, chosen in zip(rules, relevant, strict=True) if chosen])
        grows = False
        for place, rule in enumerate(rules):
            if not relevant[place] and _can_become_unsafe(table, rule, useful):
                relevant[place] = grows = True
    return [rule for rule, chosen in zip(rules, relevant, strict=True) if chosen]


def _is_unsafe(table: PartialTable, showing: int, matching: int) -> bool:
    limit = table.limit
    return showing > table.least and limit.denominator * showing > limit.numerator * matching


def _can_become_unsafe(table: PartialTable, rule: "AttackedRule", useful: Ints) -> bool:
    others = rule.groups[table.value[rule.groups] != rule.value]
    leaving = others[(useful[others] & rule.mask) != 0]
    return _is_unsafe(table, rule.showing, rule.matching - int(table.count[leaving].sum()))


def useful_entries(table: PartialTable, rules: "Sequence[AttackedRule]") -> Ints:
    """Return the entries of each group whose hiding can help against the rules, as a bitmask."""
    useful = np.zeros(len(table.count), np.int64)
    for rule in rules:
        own = _own(table, rule)
        useful[own] |= table.may[own] & (rule.mask | table.sensitive_bit)
    return table.worth_considering(useful)


def _own(table: PartialTable, rule: "AttackedRule") -> Ints:
    """Return the groups that show the rule and the secrets that are attacked with it."""
    groups = rule.groups
    return groups[(table.value[groups] == rule.value) | (table.truth[groups] == rule.value)]


def exchangeable(table: PartialTable, rules: "Sequence[AttackedRule]") -> list[Exchangeable]:
    """Put the groups with useful entries into classes, in the order of their first groups."""
    useful = useful_entries(table, rules)
    matched = _by_group([rule.groups for rule in rules], useful)
    owned = _by_group([_own(table, rule) for rule in rules], useful)
    classes: dict[tuple[bool, int, bytes, bytes], list[int]] = {}
    for group in np.flatnonzero(useful).tolist():
        secret = bool(table.truth[group] != UNKNOWN)
        key = (secret, int(useful[group]), matched[group].tobytes(), owned[group].tobytes())
        classes.setdefault(key, []).append(group)
    masks = np.array([rule.mask for rule in rules], np.int64)
    kinds = []
    for (secret, entries, _, _), groups in classes.items():
        first = groups[0]
        moves = _moves(table, entries, masks, matched[first], owned[first], secret=secret)
        members = np.array(groups, np.int64)
        kinds.append(Exchangeable(groups=members, counts=table.count[members], secret=secret, moves=moves))
    return kinds


def _by_group(groups: Sequence[Ints], useful: Ints) -> dict[int, Ints]:
    """Return the rules of each group with useful entries, given the groups of each rule."""
    rule = np.repeat(np.arange(len(groups)), [len(some) for some in groups])
    group = np.concatenate([np.zeros(0, np.int64), *groups])
    kept = useful[group] != 0
    rule, group = rule[kept], group[kept]
    order = np.argsort(group, kind="stable")
    distinct, first = np.unique(group[order], return_index=True)
    return dict(zip(distinct.tolist(), np.split(rule[order], first)[1:], strict=True))


def _moves(
    table: PartialTable, entries: int, masks: Ints, matched: Ints, owned: Ints, *, secret: bool
) -> tuple[Move, ...]:
    """Return the sets of entries for which no cheaper or equal set does as much good and no more harm."""
    value = entries & table.sensitive_bit
    sets = np.append(_subsets(entries & ~value), [value] if value else []).astype(np.int64)
    served = (sets[:, None] & (masks[owned] | value)) != 0
    unmatched = (sets[:, None] & masks[matched]) != 0
    harmed = unmatched if secret else unmatched & ~np.isin(matched, owned)
    chosen: list[int] = []
    for place in sorted(range(len(sets)), key=lambda one: table.cost(int(sets[one]))):
        if served[place].any() and not _is_dominated(place, chosen, served, harmed):
            chosen.append(place)
    return tuple(
        Move(
            mask=int(sets[place]),
            served=frozenset(owned[served[place]].tolist()),
            unmatched=frozenset(matched[unmatched[place]].tolist()),
        )
        for place in chosen
    )


def _subsets(entries: int) -> Ints:
    """Return every non-empty subset of a bitmask, in ascending order."""
    bits = [1 << bit for bit in range(entries.bit_length()) if entries >> bit & 1]
    sets = np.zeros(1, np.int64)
    for bit in bits:
        sets = np.concatenate([sets, sets | bit])
    return sets[1:]


def _is_dominated(
    place: int, chosen: Sequence[int], served: NDArray[np.bool_], harmed: NDArray[np.bool_]
) -> bool:
    """Tell whether one of the chosen sets, all of them no dearer, is at least as good."""
    as_good = (served[chosen] >= served[place]).all(axis=1)
    no_worse = (harmed[chosen] <= harmed[place]).all(axis=1)
    return bool((as_good & no_worse).any())


class ConstraintSolution(NamedTuple):
    """What the search found: in no safe table hiding costs less than `bound`; `proved` when `hidden` costs that."""

    hidden: Hidden | None
    bound: int
    proved: bool
    impossible: bool
    """No safe table exists."""


def solve(table: PartialTable, *, seconds: float = 60, upper: int | None = None) -> ConstraintSolution:
    """Search for the safe table whose hidden entries cost least, among those where they cost at most `upper`."""
    problem = _problem(table)
    if problem.is_safe:
        return ConstraintSolution(Hidden.of([]), 0, proved=True, impossible=False)
    problem.model.minimize(problem.cost)
    if upper is not None:
        problem.model.add(problem.cost <= upper)
    solver, status = problem.search(seconds)
    if status == "INFEASIBLE":
        bound = 0 if upper is None else upper + 1
        return ConstraintSolution(None, bound, proved=False, impossible=upper is None)
    hidden = problem.hidden(solver) if status in {"OPTIMAL", "FEASIBLE"} else None
    bound = max(0, round(solver.best_objective_bound))
    return ConstraintSolution(hidden, bound, proved=status == "OPTIMAL", impossible=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Problem:
    """The constraints, and the number of records for each move of each class, in the solver's terms."""

    table: PartialTable
    model: Any
    classes: Sequence[Exchangeable]
    times: Sequence[Sequence[Any]]
    is_safe: bool

    @property
    def cost(self) -> Any:
        """What the hidden entries cost."""
        return sum(
            self.table.cost(move.mask) * times
            for one, variables in zip(self.classes, self.times, strict=True)
            for move, times in zip(one.moves, variables, strict=True)
        )

    def search(self, seconds: float) -> tuple[Any, str]:
        """Run the solver; return it and how it ended."""
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.linearization_level = 2
        status = solver.solve(self.model)
        ends = (name for name in ("OPTIMAL", "FEASIBLE", "INFEASIBLE") if status == getattr(cp_model, name))
        return solver, next(ends, "UNKNOWN")

    def hidden(self, solver: Any) -> Hidden:
        """Read the answer of the solver, hiding in the first groups of a class first."""
        moves = []
        for one, variables in zip(self.classes, self.times, strict=True):
            free = one.counts.tolist()
            place = 0
            for move, variable in zip(one.moves, variables, strict=True):
                left = solver.value(variable)
                while left:
                    taken = min(left, free[place])
                    if taken:
                        moves.append((int(one.groups[place]), move.mask, taken))
                    free[place] -= taken
                    left -= taken
                    place += not free[place]
        return Hidden.of(moves)


def _problem(table: PartialTable) -> _Problem:
    """State that each rule is not attacked any more, or shown by few enough records, or by a small enough part."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    rules = relevant_rules(table)
    classes = exchangeable(table, rules)
    times = [[model.new_int_var(0, int(one.counts.sum()), "") for _ in one.moves] for one in classes]
    unmatched: list[list[Any]] = [[] for _ in rules]
    unshown: list[list[Any]] = [[] for _ in rules]
    unattacked: list[list[Any]] = [[] for _ in rules]
    for one, variables in zip(classes, times, strict=True):
        model.add(sum(variables) <= int(one.counts.sum()))
        for move, variable in zip(one.moves, variables, strict=True):
            for place in move.unmatched:
                unmatched[place].append(variable)
            for place in move.served:
                (unattacked if one.secret else unshown)[place].append(variable)
    for rule, fewer, less, saved in zip(rules, unmatched, unshown, unattacked, strict=True):
        _make_safe(model, table, rule, fewer, less, saved)
    return _Problem(table=table, model=model, classes=classes, times=times, is_safe=not rules)


def _make_safe(
    model: Any,
    table: PartialTable,
    rule: "AttackedRule",
    unmatched: Sequence[Any],
    unshown: Sequence[Any],
    unattacked: Sequence[Any],
) -> None:
    """Add the ways in which a rule becomes safe, of which one must be taken.

    Given are the numbers of records that no longer have its pattern, no longer show it, and are no longer attacked
    with it. While no other record loses the pattern it is known how many must stop showing it; else no fewer must.
    """
    from giveaway.papers.attributes.rgraph import min_hide

    part, whole, least = table.limit.numerator, table.limit.denominator, table.least
    losing, silent = ({variable.index for variable in variables} for variables in (unmatched, unshown))
    if silent <= losing:
        need = min_hide(rule.showing, rule.matching, table.limit, least)
    else:
        need = max(0, rule.showing - max(least, part * rule.matching // whole))
    ways = [sum(unshown) >= need]
    if losing and losing != silent:
        showing = rule.showing - sum(unshown)
        ways = [whole * showing <= part * (rule.matching - sum(unmatched)), showing <= least]
    if unattacked:
        secrets = int(table.count[rule.groups][table.truth[rule.groups] == rule.value].sum())
        ways.append(sum(unattacked) >= secrets)
        # Where one of two numbers is reached their parts add up to one: a bound for the linear relaxation.
        model.add(secrets * sum(unshown) + need * sum(unattacked) >= need * secrets)
    else:
        model.add(sum(unshown) >= need)
    if len(ways) > 1:
        taken = [model.new_bool_var("") for _ in ways]
        for way, literal in zip(ways, taken, strict=True):
            model.add(way).only_enforce_if(literal)
        model.add_bool_or(taken)
