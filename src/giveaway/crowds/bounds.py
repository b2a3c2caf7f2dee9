"""What every plan costs at least."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from giveaway.crowds.forms import CrowdProfiles, Flags
from giveaway.crowds.state import Space
from giveaway.model.data.arrays import Ints

_LARGEST = 1 << 61
"""Products beyond this do not fit into the numbers of an array."""
_NOBODY = np.iinfo(np.int32).max


def lower_bound(profiles: CrowdProfiles, crowd: int, can_stay: Flags | None = None) -> Fraction:
    """Return what no plan without exceptions costs less than, exactly.

    A form x whose crowd has r members that cannot stay as they are (rare ones) has at least k - r others, so each rare
    member pays its own price and a part (k - r) / r of what the cheapest of the others pays. r is at most R(x), the
    rare people who could carry x. Each rare member pays at least the least of that over all forms that k people could
    carry. Vectors whose own price is not below what is known already are left out. `can_stay` marks profiles that need
    no crowd as they are.

    >>> from giveaway.crowds.forms import ColumnForms
    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [2, 1]])
    >>> lower_bound(CrowdProfiles.of_rows(rows, [ColumnForms(values=3), ColumnForms(values=2)])[0], 2)
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


def _least(space: Space, rare: Flags, tried: Sequence[int]) -> _Least:
    """Return what each rare member pays at least, if it carries a form of one of some vectors."""
    every = np.arange(len(space.count))
    paid = np.zeros(len(every), np.int64 if _largest(space) < _LARGEST else object)
    among = np.zeros(len(every), np.int64)
    for vector in space.each(tried, "bounding what crowds cost", len(space.vectors)):
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
