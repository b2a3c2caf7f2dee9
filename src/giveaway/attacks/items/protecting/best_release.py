"""The best release by integer programming: keep the items that hold no mole and as many nuggets as possible."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from giveaway.errors import ScenarioError
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import spare, tell

WORK = 60.0
"""Units of deterministic work of the solver, roughly seconds; the search repeats exactly up to them."""


@dataclass(frozen=True, kw_only=True)
class Packed:
    """A release without moles: what it keeps, and what no release can exceed.

    `value` counts the nuggets kept, `upper_bound` the most that any release keeps as far as proved; they are equal when
    the release is `optimal`.
    """

    value: int
    kept: frozenset[int]
    upper_bound: int
    optimal: bool


def best_release(
    mole_offsets: Ints,
    mole_codes: Codes,
    part_offsets: Ints,
    part_codes: Codes,
    part_weights: Ints,
    *,
    base: int,
    keep: Collection[int] = (),
    hint: Collection[int],
    seconds: float,
    seed: int,
    work: float = WORK,
) -> Packed:
    """Search for the items to keep, starting from those in `hint`, and return the better of the two.

    The parts are the public parts of the nuggets that hold no mole, with the number of nuggets of each; `base` counts
    nuggets that are kept in any case. Items in no part and no mole are not decided here. Items in `keep` stay, so that a
    mole is ended by its other items alone, of which each must have one. `work` limits the search
    by its own count of work, so that runs repeat; `seconds` is a safety stop.

    Xu et al., Definition 3, as a packing of nuggets under one clause for each minimal mole.
    """
    moles = [[code for code in mole if code not in keep] for mole in _lists(mole_offsets, mole_codes)]
    open_parts = [
        ([code for code in part if code not in keep], int(weight))
        for part, weight in zip(_lists(part_offsets, part_codes), part_weights, strict=True)
    ]
    base += sum(weight for part, weight in open_parts if not part)
    parts = [part for part, _ in open_parts if part]
    weights = [weight for part, weight in open_parts if part]
    valued = {code for part in parts for code in part}
    clauses = [mole for mole in moles if valued.issuperset(mole)]
    tell("searching for the best release", 0, None)
    chosen, bound = _solve(clauses, parts, weights, valued & set(hint), seconds, seed, work)
    tell("searching for the best release", 1, None)
    undecided = valued.union(*moles)
    safe = [
        _completed(start, undecided, moles)
        for start in (set(hint) & undecided, chosen & undecided)
        if _is_safe(start, moles)
    ]
    best = max(safe, key=lambda kept: _value(kept, parts, weights))
    value = base + _value(best, parts, weights)
    upper_bound = max(value, base + bound)
    return Packed(
        value=value, kept=best | frozenset(keep), upper_bound=upper_bound, optimal=value == upper_bound
    )


def _solve(
    clauses: Sequence[Sequence[int]],
    parts: Sequence[Sequence[int]],
    weights: Sequence[int],
    hint: Collection[int],
    seconds: float,
    seed: int,
    work: float,
) -> tuple[set[int], int]:
    """Return the items the solver keeps and its bound on the weight of the parts that can be kept."""
    cp_model = _solver()
    model = cp_model.CpModel()
    items = sorted({code for part in parts for code in part})
    keeps = {code: model.new_bool_var("") for code in items}
    for code, variable in keeps.items():
        model.add_hint(variable, code in hint)
    for clause in clauses:
        model.add_bool_or([~keeps[code] for code in clause])
    terms = []
    for part, weight in zip(parts, weights, strict=True):
        whole = keeps[part[0]]
        if len(part) > 1:
            whole = model.new_bool_var("")
            model.add_bool_and([keeps[code] for code in part]).only_enforce_if(whole)
            model.add_hint(whole, all(code in hint for code in part))
        terms.append(weight * whole)
    model.maximize(sum(terms))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_deterministic_time = work
    solver.parameters.max_time_in_seconds = max(0.0, spare(seconds))
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return set(), sum(weights)
    chosen = {code for code, variable in keeps.items() if solver.boolean_value(variable)}
    return chosen, min(sum(weights), _not_below(solver.best_objective_bound))


def _not_below(bound: float) -> int:
    """Read a whole number given as a float so that rounding never makes a bound too small."""
    return int(bound + 0.5) if bound < 1 << 52 else int(bound) + (int(bound) >> 50)


def _solver() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise ScenarioError(
            "The search for a release that is proved best needs ortools, which is not installed.",
            hint='pip install "giveaway[optimize]", or leave exact = false.',
        ) from None
    return cp_model


def _completed(kept: set[int], undecided: Collection[int], moles: Sequence[Sequence[int]]) -> frozenset[int]:
    """Add, in item order, every item that completes no mole."""
    missing = [sum(code not in kept for code in mole) for mole in moles]
    moles_of: dict[int, list[int]] = {code: [] for code in undecided}
    for place, mole in enumerate(moles):
        for code in mole:
            moles_of[code].append(place)
    complete = set(kept)
    for code in sorted(set(undecided) - kept):
        if all(missing[place] > 1 for place in moles_of[code]):
            complete.add(code)
            for place in moles_of[code]:
                missing[place] -= 1
    return frozenset(complete)


def _is_safe(kept: set[int], moles: Sequence[Sequence[int]]) -> bool:
    return not any(kept.issuperset(mole) for mole in moles)


def _value(kept: Collection[int], parts: Sequence[Sequence[int]], weights: Sequence[int]) -> int:
    items = set(kept)
    return sum(weight for part, weight in zip(parts, weights, strict=True) if items.issuperset(part))


def _lists(offsets: Ints, codes: Codes) -> list[list[int]]:
    flat = codes.tolist()
    return [flat[a:b] for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)]
