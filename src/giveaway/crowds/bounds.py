"""What every plan costs at least."""

from fractions import Fraction

import numpy as np

from giveaway.crowds.forms import Profiles
from giveaway.crowds.state import Space
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import tell

_LARGEST = 1 << 61
"""Products beyond this do not fit into the numbers of an array."""


def lower_bound(profiles: Profiles, crowd: int) -> Fraction:
    """Return what no plan without exceptions costs less than, exactly.

    A form x whose crowd has r members that cannot stay as they are (rare ones) has at least k - r others, so each rare
    member pays its own price and a part (k - r) / r of what the cheapest of the others pays. r is at most R(x), the
    rare people who could carry x. Each rare member pays at least the least of that over all forms that k people could
    carry. Vectors whose own price is no longer below what was found are left out.

    >>> from giveaway.crowds.forms import Levels
    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [2, 1]])
    >>> lower_bound(Profiles.of_rows(rows, [Levels(values=3), Levels(values=2)])[0], 2)
    Fraction(4, 1)
    """
    space = Space(profiles, crowd)
    _, form = np.unique(profiles.keys_at(profiles.home), return_inverse=True)
    rare = np.bincount(form.reshape(-1), weights=space.count)[form.reshape(-1)] < space.needs
    every = np.arange(len(space.count))
    small = int(space.nominal.max()) * int(space.needs.max(initial=1)) ** 2 < _LARGEST
    paid = np.zeros(len(every), np.int64 if small else object)
    among = np.zeros(len(every), np.int64)  # what is paid is a fraction; 0 where nothing is known yet
    for vector in np.argsort(space.nominal, kind="stable").tolist():
        tell("bounding what crowds cost", vector, len(space.vectors))
        price = space.prices(vector, every)
        waits = rare & ((among == 0) | (price * among < paid))
        if not waits.any():
            continue
        people = space.allowed(vector, every)
        form_of = np.unique(space.keys(vector, people), return_inverse=True)[1].reshape(-1)
        all_people = np.bincount(form_of, weights=space.count[people])
        rare_people = np.bincount(form_of, weights=np.where(rare, space.count, 0)[people]).astype(np.int64)
        others = ~rare[people]
        cheapest = np.full(len(all_people), np.iinfo(np.int32).max)
        np.minimum.at(cheapest, form_of[others], price[people[others]])
        asked = np.flatnonzero(waits[people] & (all_people[form_of] >= space.needs[people]))
        one, form = people[asked], form_of[asked]
        many = np.minimum(rare_people[form], space.needs[one])
        lent = space.needs[one] - many
        total = price[one] * many + lent * np.where(lent > 0, cheapest[form], 0).astype(paid.dtype)
        better = (among[one] == 0) | (total * among[one] < paid[one] * many)
        paid[one[better]], among[one[better]] = total[better], many[better]
    return _added(space, paid, among)


def _added(space: Space, paid: Ints, among: Ints) -> Fraction:
    """Add up what everybody pays; those for whom no form was found pay nothing, since they cannot be in a crowd."""
    total = Fraction(int(space.base @ space.count))
    for many in np.unique(among[among > 0]).tolist():
        here = among == many
        total += Fraction(int((paid[here] * space.count[here]).sum()), many)
    return total / space.profiles.scale
