"""The fewest entries to hide, by constraint programming, wherever entries may be hidden.

State: for each class of interchangeable records and each move, in how many of its records the move is made.

Invariant: whatever satisfies the constraints is a safe table: each relevant rule is shown by a small enough part of the
records with its pattern, or by few enough records, or no secret is attacked with it any more. Some safe table that
hides the fewest entries satisfies them too, because `moves` leaves out only what is not better.

Pruning: that of the solver, which learns from conflicts and bounds by linear relaxation (CP-SAT of OR-Tools). Rows that
every safe table obeys are added for the relaxation: how many records must stop showing a rule, alone or together with
the secrets that are saved from it. Li et al., Section 5, for the number of records (`min_hide`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from giveaway.attacks.attributes.hiding.constraint_program.moves import (
    Exchangeable,
    exchangeable,
    relevant_rules,
)
from giveaway.attacks.attributes.rgraph.graph import min_hide
from giveaway.attacks.attributes.rgraph.rules import AttackedRule
from giveaway.attacks.attributes.unsafe_rules.partial_table import Hidden, PartialTable
from giveaway.errors import ScenarioError
from giveaway.model.progress import spare, tell

WORK = 10.0
"""Units of deterministic work of the solver, roughly seconds; the search repeats exactly up to them."""

PAIRS = 50_000_000
"""The most pairs of a rule and a group with its pattern; larger jobs are not tried."""

SIZE = 2_000_000
"""The most pairs of a move and a rule; larger jobs are not tried."""

_LARGEST = 1 << 52
"""The largest number in a constraint, far from the overflow of the solver."""


class ConstraintSolution(NamedTuple):
    """What the search found: in no safe table hiding costs less than `bound`; `proved` when `hidden` costs that."""

    hidden: Hidden | None
    bound: int
    proved: bool
    impossible: bool
    """No safe table exists."""


def solve(
    table: PartialTable, *, seconds: float, upper: int | None = None, seed: int = 0, work: float = WORK
) -> ConstraintSolution:
    """Search for the safe table whose hidden entries cost least, among those where they cost at most `upper`.

    `work` limits the search by its own count of work, so that runs repeat; `seconds` is a safety stop. A job too large
    to be tried is answered without a table and with the bound 0.
    """
    problem = _problem(table)
    if problem is None:
        return ConstraintSolution(None, 0, proved=False, impossible=False)
    if problem.is_safe:
        return ConstraintSolution(Hidden.of([]), 0, proved=True, impossible=False)
    problem.model.minimize(problem.cost)
    if upper is not None:
        problem.model.add(problem.cost <= upper)
    tell("searching for the fewest entries to hide", 0)
    solver, status = problem.search(seconds=seconds, seed=seed, work=work)
    tell("searching for the fewest entries to hide", 1)
    if status == "INFEASIBLE":
        return ConstraintSolution(
            None, 0 if upper is None else upper + 1, proved=False, impossible=upper is None
        )
    hidden = problem.hidden(solver) if status in {"OPTIMAL", "FEASIBLE"} else None
    return ConstraintSolution(
        hidden, max(0, round(solver.best_objective_bound)), proved=status == "OPTIMAL", impossible=False
    )


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

    def search(self, *, seconds: float, seed: int, work: float) -> tuple[Any, str]:
        """Run the solver so that it repeats; return it and how it ended."""
        cp_model = _cp_model()
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed
        solver.parameters.max_deterministic_time = work
        solver.parameters.max_time_in_seconds = max(0.0, spare(seconds))
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


def _problem(table: PartialTable) -> _Problem | None:
    """State that each rule is not attacked any more, or shown by few enough records, or by a small enough part.

    None when the job is too large to be tried.
    """
    cp_model = _cp_model()
    model = cp_model.CpModel()
    if table.limit.denominator * int(table.count.sum()) > _LARGEST:
        return None
    rules = relevant_rules(table, most=PAIRS)
    if rules is None:
        return None
    classes = exchangeable(table, rules, most=SIZE)
    if classes is None:
        return None
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
    rule: AttackedRule,
    unmatched: Sequence[Any],
    unshown: Sequence[Any],
    unattacked: Sequence[Any],
) -> None:
    """Add the ways in which a rule becomes safe, of which one must be taken.

    Given are the numbers of records that no longer have its pattern, no longer show it, and are no longer attacked
    with it. While no other record loses the pattern it is known how many must stop showing it; else no fewer must.
    """
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


def _cp_model() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise ScenarioError(
            "The search for the fewest entries to hide needs ortools, which is not installed.",
            hint='pip install "giveaway[optimize]", or leave exact = false.',
        ) from None
    return cp_model
