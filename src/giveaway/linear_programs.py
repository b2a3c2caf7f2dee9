"""Programs put to HiGHS, which gets no more time than is left: `status` tells an answer cut short from a best one."""

from math import inf
from typing import Any

from giveaway.model.progress import left, spare, tell

OPTIMAL, INFEASIBLE = 0, 2
"""How a solver ends when it is not cut short."""


def linear(stage: str, cost: Any, *, method: str = "highs", options: Any = None, **limits: Any) -> Any:
    """Solve a linear program whose answer is needed, so that all the time left is for it."""
    from scipy.optimize import linprog

    tell(stage, 0)
    answer = linprog(cost, method=method, options={**(options or {}), **_limit(left())}, **limits)
    tell(stage, 1)
    return answer


def whole(stage: str, cost: Any, *, nodes: int, seconds: float = inf, **program: Any) -> Any:
    """Search for whole numbers as far as the nodes, the seconds and the time to spare allow.

    `x` is None where nothing was found, and `mip_dual_bound` is what no answer is below.
    """
    from scipy.optimize import milp

    tell(stage, 0)
    options = {"node_limit": nodes, "mip_rel_gap": 0.0, **_limit(spare(seconds))}
    return milp(cost, options=options, **program)


def _limit(seconds: float) -> dict[str, float]:
    """Return the option of the solver, which has no word for infinite time."""
    return {} if seconds == inf else {"time_limit": max(0.0, seconds)}
