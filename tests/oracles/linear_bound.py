"""What every plan of crowds costs at least, by a linear program."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from giveaway.crowds.bounds import _LARGEST, _carriers, _largest, _least, _rare, lower_bound
from giveaway.crowds.forms import CrowdProfiles
from giveaway.crowds.state import Space
from giveaway.linear_programs import OPTIMAL, linear
from giveaway.model.data.arrays import Ints

_DEPTH = 2
"""The forms of a linear program have up to this many of the lowest costs."""
_VARIABLES = 60_000
_PARTS = 1 << 16
"""Prices of a linear program are rounded to these parts, so that its bound is computed in whole numbers."""


def better_bound(profiles: CrowdProfiles, crowd: int) -> Fraction:
    """Return a lower bound from a linear program, which is dearer to compute, and never below `lower_bound`.

    Variables: members f(p, x) of rare profiles in the forms x of the cheapest vectors, members g(p) in any other form,
    who pay at least what `lower_bound` says of those, y(x) for whether x is open, and l(x) others who carry x.
    Constraints: sum over x of f(p, x) + g(p) = n_p; f(p, x) <= n_p y(x); sum over p of f(p, x) + l(x) >= k y(x).
    The solver works in floats, so its answer is not used, only its prices of the constraints: rounded, any prices give
    a bound (weak duality), which is computed in whole numbers.

    """
    space = Space(profiles, crowd)
    first = lower_bound(profiles, crowd)
    can_be_written = space.same_need and _largest(space) * profiles.rows * _PARTS < _LARGEST
    program = _program(space) if can_be_written else None
    if program is None:
        return first
    prices = program.solved()
    return first if prices is None else max(first, program.bound(*prices) / space.profiles.scale)


class _Program(NamedTuple):
    """The linear program: one line for each f(p, x), and what belongs to each rare profile and to each form."""

    crowd: int
    fixed: int
    place: Ints
    form: Ints
    price: Ints
    sizes: Ints
    elsewhere: Ints
    """What a member of each rare profile pays at least in another form, in parts."""
    others: Ints
    cheapest: Ints

    def solved(self) -> tuple[Ints, Ints, Ints] | None:
        """Return the prices of the three families of constraints, in parts; None where the solver was cut short."""
        from scipy.sparse import coo_array, vstack

        lines, rare, forms = len(self.place), len(self.sizes), len(self.others)
        width = lines + rare + 2 * forms
        every, escapes = np.arange(lines), lines + np.arange(rare)
        opens, lent = lines + rare + np.arange(forms), lines + rare + forms + np.arange(forms)
        members = self.sizes[self.place]

        def rows(parts: list[tuple[Any, Any, Any]], number: int) -> Any:
            data, row, column = (np.concatenate(one) for one in zip(*parts, strict=True))
            return coo_array((data, (row, column)), (number, width))

        one, each = np.ones(lines), np.arange(forms)
        everybody = rows([(one, self.place, every), (np.ones(rare), np.arange(rare), escapes)], rare)
        carried = rows([(one, every, every), (-members, every, opens[self.form])], lines)
        crowds = rows(
            [
                (-one, self.form, every),
                (-np.ones(forms), each, lent),
                (np.full(forms, self.crowd), each, opens),
            ],
            forms,
        )
        cost = np.concatenate([self.price, self.elsewhere / _PARTS, np.zeros(forms), self.cheapest])
        most = np.concatenate([members, self.sizes, np.ones(forms), self.others])
        answer = linear(
            "bounding what crowds cost",
            cost,
            A_ub=vstack([carried, crowds]).tocsr(),
            b_ub=np.zeros(lines + forms),
            A_eq=everybody.tocsr(),
            b_eq=self.sizes,
            bounds=np.stack([np.zeros(width), most], axis=1),
        )
        if answer.status != OPTIMAL:
            return None
        found = answer.eqlin.marginals, -answer.ineqlin.marginals[:lines], -answer.ineqlin.marginals[lines:]
        paid, link, crowd = (np.rint(part * _PARTS).astype(np.int64) for part in found)
        return paid, np.maximum(link, 0), np.maximum(crowd, 0)

    def bound(self, paid: Ints, link: Ints, crowd: Ints) -> Fraction:
        """Return the bound that prices of the constraints give: each variable takes what is least for it alone."""
        members = self.sizes[self.place]
        carried = self.price * _PARTS - paid[self.place] + link - crowd[self.form]
        opened = self.crowd * crowd
        np.subtract.at(opened, self.form, members * link)
        parts = (
            paid @ self.sizes,
            np.minimum(carried, 0) @ members,
            np.minimum(self.elsewhere - paid, 0) @ self.sizes,
            np.minimum(self.cheapest * _PARTS - crowd, 0) @ self.others,
            np.minimum(opened, 0).sum(),
        )
        return Fraction(sum(int(part) for part in parts), _PARTS) + self.fixed


def _program(space: Space) -> _Program | None:
    """Write the program of the cheapest vectors; None where nobody is rare, or it would be too large."""
    rare = _rare(space)
    costs = np.unique(space.nominal)[: _DEPTH + 1]
    inside = np.flatnonzero(space.nominal <= costs[-1])
    outside = np.flatnonzero(space.nominal > costs[-1])
    if not rare.any() or len(inside) * rare.sum() > _VARIABLES:
        return None
    place_of = np.cumsum(rare) - 1
    lines = []
    others: list[Ints] = []
    cheapest: list[Ints] = []
    for vector in inside.tolist():
        here = _carriers(space, rare, vector)
        enough = (here.all_people >= space.crowd) & (here.rare_people > 0)
        number = sum(len(part) for part in others) + np.cumsum(enough) - 1
        mine = np.flatnonzero(rare[here.people] & enough[here.form])
        lines.append((here.people[mine], number[here.form[mine]], here.price[mine]))
        others.append((here.all_people - here.rare_people)[enough])
        cheapest.append(here.cheapest[enough])
    people, form, price = (np.concatenate(part) for part in zip(*lines, strict=True))
    rest = _least(space, rare, outside.tolist())
    known = rare & (rest.among > 0)
    elsewhere = np.full(len(rare), int(space.nominal.max()) * space.crowd * _PARTS)
    elsewhere[known] = rest.paid[known] * _PARTS // rest.among[known]
    return _Program(
        crowd=space.crowd,
        fixed=int(space.base @ space.count),
        place=place_of[people],
        form=form,
        price=price,
        sizes=space.count[rare],
        elsewhere=elsewhere[rare],
        others=np.concatenate(others),
        cheapest=np.where(np.concatenate(others) > 0, np.concatenate(cheapest), 0),
    )
