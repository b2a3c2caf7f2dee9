"""The least cost of a small table, by an integer program over all forms of its members."""

from typing import Any, NamedTuple

import numpy as np

from giveaway.crowds.state import Space
from giveaway.linear_programs import OPTIMAL, whole
from giveaway.model.data.arrays import Ints

_PROFILES = 40
_CHOICES = 2_000
_NODES = 2_000


class Carried(NamedTuple):
    """How many members of a profile carry the form that they have at a vector: one line for each."""

    profile: Ints
    vector: Ints
    members: Ints
    optimal: bool


def least(space: Space, *, split: bool) -> Carried | None:
    """Return a plan of the least cost for everybody; None where the table is not small, or none was found.

    Variables: members f(p, x) of p that carry x, in steps of n_p where profiles are not split, and y(x), 1 where x is
    open. Constraints: sum over x of f(p, x) = n_p; f(p, x) <= n_p y(x); sum over p of f(p, x) >= k y(x).
    """
    if len(space.count) > _PROFILES or not space.same_need:
        return None
    profile, vector, price, form = _choices(space)
    many, forms = len(profile), int(form.max(initial=-1)) + 1
    if not many or many > _CHOICES or len(np.unique(profile)) < len(space.count):
        return None
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.sparse import coo_array

    count = space.count[profile]
    step = np.ones(many, np.int64) if split else count
    every, opens = np.arange(many), many + form

    def rows(data: Any, row: Any, column: Any, number: int) -> Any:
        return coo_array(
            (np.concatenate(data), (np.concatenate(row), np.concatenate(column))), (number, many + forms)
        )

    everybody = rows([step], [profile], [every], len(space.count))
    is_open = rows([step, -count], [every, every], [every, opens], many)
    crowds = rows(
        [step, np.full(forms, -space.crowd)],
        [form, np.arange(forms)],
        [every, many + np.arange(forms)],
        forms,
    )
    answer = whole(
        "planning crowds",
        np.concatenate([price * step, np.zeros(forms)]),
        nodes=_NODES,
        integrality=np.ones(many + forms),
        bounds=Bounds(0, np.concatenate([count // step, np.ones(forms)])),
        constraints=[
            LinearConstraint(everybody, space.count, space.count),
            LinearConstraint(is_open, -np.inf, 0),
            LinearConstraint(crowds, 0, np.inf),
        ],
    )
    if answer.x is None:
        return None
    members: Ints = np.rint(answer.x[:many]).astype(np.int64) * step
    carried = np.bincount(form, weights=members)
    placed = np.bincount(profile, weights=members)
    if (
        (members < 0).any()
        or (placed != space.count).any()
        or ((carried > 0) & (carried < space.crowd)).any()
    ):
        return None
    used = members > 0
    return Carried(profile[used], vector[used], members[used], answer.status == OPTIMAL)


def _choices(space: Space) -> tuple[Ints, Ints, Ints, Ints]:
    """Return profile, vector, price and form of whatever could be carried: each form at the first vector that gives it."""
    parts = []
    for vector in range(len(space.vectors)):
        here = space.allowed(vector, np.arange(len(space.count)))
        parts.append((here, np.full(len(here), vector), space.prices(vector, here), space.keys(vector, here)))
    profile, number, price, keys = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    forms, form = np.unique(keys, return_inverse=True)
    form = form.reshape(-1)
    people = np.zeros(len(forms), np.int64)
    _, first = np.unique(profile * len(forms) + form, return_index=True)
    np.add.at(people, form[first], space.count[profile[first]])
    first = first[people[form[first]] >= space.crowd]
    _, form = np.unique(form[first], return_inverse=True)
    return profile[first], number[first], price[first], form.reshape(-1)
