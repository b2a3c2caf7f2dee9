"""What every plan costs at least."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from giveaway.crowds.forms import Flags, Profiles
from giveaway.crowds.state import Space
from giveaway.linear_programs import OPTIMAL, linear
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

_LARGEST = 1 << 61
"""Products beyond this do not fit into the numbers of an array."""
_DEPTH = 2
"""The forms of a linear program have up to this many of the lowest costs."""
_VARIABLES = 60_000
_PARTS = 1 << 16
"""Prices of a linear program are rounded to these parts, so that its bound is computed in whole numbers."""
_NOBODY = np.iinfo(np.int32).max


def lower_bound(profiles: Profiles, crowd: int, can_stay: Flags | None = None) -> Fraction:
    """Return what no plan without exceptions costs less than, exactly.

    A form x whose crowd has r members that cannot stay as they are (rare ones) has at least k - r others, so each rare
    member pays its own price and a part (k - r) / r of what the cheapest of the others pays. r is at most R(x), the
    rare people who could carry x. Each rare member pays at least the least of that over all forms that k people could
    carry. Vectors whose own price is not below what is known already are left out. `can_stay` marks profiles that need
    no crowd as they are.

    >>> from giveaway.crowds.forms import Levels
    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [2, 1]])
    >>> lower_bound(Profiles.of_rows(rows, [Levels(values=3), Levels(values=2)])[0], 2)
    Fraction(4, 1)
    """
    space = Space(profiles, crowd)
    rare = _rare(space) if can_stay is None else _rare(space) & ~can_stay
    least = _least(space, rare, np.argsort(space.nominal, kind="stable").tolist())
    return _added(space, least)


class _Least(NamedTuple):
    """The least that a member of each profile pays: a fraction, `paid` / `among`; 0 / 0 where nothing is known."""

    paid: Ints
    among: Ints


def _rare(space: Space) -> Flags:
    """Tell which profiles cannot stay as they are."""
    _, form = np.unique(space.profiles.keys_at(space.profiles.home), return_inverse=True)
    people = np.bincount(form.reshape(-1), weights=space.count)
    return people[form.reshape(-1)] < space.needs


class _Carriers(NamedTuple):
    """Who could carry the forms of a vector: `form` and `price` of each of `people`, and counts by form."""

    people: Ints
    form: Ints
    price: Ints
    all_people: Ints
    rare_people: Ints
    cheapest: Ints
    """What those pay who are not rare, at least."""


def _carriers(space: Space, rare: Flags, vector: int) -> _Carriers:
    people = space.allowed(vector, np.arange(len(space.count)))
    form = np.unique(space.keys(vector, people), return_inverse=True)[1].reshape(-1)
    price, others = space.prices(vector, people), ~rare[people]
    all_people = np.bincount(form, weights=space.count[people]).astype(np.int64)
    rare_people = np.bincount(form, weights=np.where(rare, space.count, 0)[people]).astype(np.int64)
    cheapest = np.full(len(all_people), _NOBODY)
    np.minimum.at(cheapest, form[others], price[others])
    return _Carriers(people, form, price, all_people, rare_people, cheapest)


def _least(space: Space, rare: Flags, tried: Iterable[int]) -> _Least:
    """Return what each rare member pays at least, if it carries a form of one of some vectors."""
    every = np.arange(len(space.count))
    paid = np.zeros(len(every), np.int64 if _largest(space) < _LARGEST else object)
    among = np.zeros(len(every), np.int64)
    for vector in tried:
        tell("bounding what crowds cost", vector, len(space.vectors))
        waits = rare & ((among == 0) | (space.prices(vector, every) * among < paid))
        if not waits.any():
            continue
        here = _carriers(space, rare, vector)
        asked = np.flatnonzero(waits[here.people] & (here.all_people[here.form] >= space.needs[here.people]))
        one, form = here.people[asked], here.form[asked]
        many = np.minimum(here.rare_people[form], space.needs[one])
        lent = space.needs[one] - many
        others = np.where(lent > 0, here.cheapest[form], 0).astype(paid.dtype)
        total = here.price[asked] * many + lent * others
        better = (among[one] == 0) | (total * among[one] < paid[one] * many)
        paid[one[better]], among[one[better]] = total[better], many[better]
    return _Least(paid, among)


def _largest(space: Space) -> int:
    """Return what no product of prices and crowds exceeds."""
    return int(space.nominal.max()) * int(space.needs.max(initial=1)) ** 2


def _added(space: Space, least: _Least) -> Fraction:
    """Add up what everybody pays; those for whom no form was found pay nothing, since they cannot be in a crowd."""
    total = Fraction(int(space.base @ space.count))
    for many in np.unique(least.among[least.among > 0]).tolist():
        here = least.among == many
        total += Fraction(int((least.paid[here] * space.count[here]).sum()), many)
    return total / space.profiles.scale


def better_bound(profiles: Profiles, crowd: int) -> Fraction:
    """Return a lower bound from a linear program, which is dearer to compute, and never below `lower_bound`.

    Variables: members f(p, x) of rare profiles in the forms x of the cheapest vectors, members g(p) in any other form,
    who pay at least what `lower_bound` says of those, y(x) for whether x is open, and l(x) others who carry x.
    Constraints: sum over x of f(p, x) + g(p) = n_p; f(p, x) <= n_p y(x); sum over p of f(p, x) + l(x) >= k y(x).
    The solver works in floats, so its answer is not used, only its prices of the constraints: rounded, any prices give
    a bound (weak duality), which is computed in whole numbers.

    >>> from giveaway.crowds.forms import Levels
    >>> rows = np.array([[0, 2], [1, 0], [1, 1], [1, 2], [2, 1]])
    >>> profiles, _ = Profiles.of_rows(rows, [Levels(values=3), Levels(values=3)])
    >>> lower_bound(profiles, 2) <= better_bound(profiles, 2) <= 7
    True
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
