"""Crowds at the lowest price first: a form for everybody who cannot stay as they are."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.crowds.state import Space, State
from giveaway.model.data.arrays import Ints

Draw = np.random.Generator
Floats = NDArray[np.float64]

_TAUS = 80
"""At most this many prices are tried one after the other."""
_REBATE = 0.3
"""A group is looked at when filling it up is affordable at this part of what lent members cost: blocks spare some for less."""
_LATER = 1.5
"""A group that cannot be filled up is looked at again when prices have risen by this."""


def prices_tried(space: Space) -> Floats:
    """Return the prices for a free member that greedy tries, rising: a vector's cost times crowd / members in need."""
    costs = np.unique(space.nominal[space.nominal > 0]).astype(np.float64)
    sizes = np.arange(1, space.crowd + 1)
    prices = np.unique((costs[:, None] * space.crowd / sizes).round(9))
    if len(prices) > _TAUS:
        at = np.unique(np.geomspace(1, len(prices), _TAUS).round().astype(np.int64)) - 1
        prices = np.unique(np.concatenate([prices[at], costs[-1:] * space.crowd]))
    return prices


def greedy(state: State, draw: Draw | None = None) -> None:
    """Give all free members a form, at the lowest price for one of them first.

    The least cost is hard to find (Meyerson, Williams: On the complexity of optimal k-anonymity, 2004), so this is not
    a search for it. With `draw`, the order of equally dear vectors and the prices are disturbed, so that another plan
    comes out.
    """
    # State: who is free, and which forms are open (`State`); `asked`, the price from which a vector is worth a look.
    # Invariant: every open form has its crowd, and nobody pays more than the price tried for a free member of a group,
    #   except in the last step, in which whole blocks join those who are left.
    # Pruning: groups of free members only shrink, so a vector is looked at again only from the lowest price at which
    #   one of its groups was to be had.
    space = state.space
    order = _in_order(state, draw)
    asked = np.zeros(len(space.vectors))
    for tau in prices_tried(space).tolist():
        if not state.free.any():
            break
        limit = tau if draw is None else tau * float(draw.uniform(0.85, 1.15))
        for vector in space.each(order):
            if space.nominal[vector] > tau:
                break
            if asked[vector] <= limit:
                asked[vector] = _visit(state, vector, limit)
    _take_over(state)


def _in_order(state: State, draw: Draw | None) -> list[int]:
    """Return the vectors by cost, among equals the one that makes crowds of most free members first."""
    space = state.space
    if draw is not None:
        second = draw.random(len(space.vectors))
    else:
        second = np.array([-_in_crowds(state, vector) for vector in space.each(range(len(space.vectors)))])
    order: list[int] = np.lexsort((np.arange(len(second)), second, space.nominal)).tolist()
    return order


def _in_crowds(state: State, vector: int) -> int:
    """Return how many free members are alike to enough others at a vector."""
    space = state.space
    profile = space.allowed(vector, np.flatnonzero(state.free))
    if not len(profile):
        return 0
    _, again = np.unique(space.keys(vector, profile), return_inverse=True)
    members = np.bincount(again.reshape(-1), weights=state.free[profile])
    return int(members[members >= space.crowd].sum())


def _visit(state: State, vector: int, tau: float) -> float:
    """Place the free members that a vector puts into open or large groups, and small groups that are worth the filling.

    Returns the lowest price at which one of the groups that are left may be had.
    """
    space = state.space
    profile = space.allowed(vector, np.flatnonzero(state.free))
    if not len(profile):
        return np.inf
    keys = space.keys(vector, profile)
    order = np.argsort(keys, kind="stable")
    profile, keys = profile[order], keys[order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    group_of = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(keys))))
    forms, free = keys[starts], state.free[profile]
    price = space.prices(vector, profile)
    members = np.add.reduceat(free, starts)
    paid = np.add.reduceat(free * price, starts)
    need = (
        np.full(len(starts), space.crowd)
        if space.same_need
        else np.maximum.reduceat(space.needs[profile], starts)
    )
    block = state.look_up(forms)
    ready = members + state.size_of(block) >= need
    if ready.any():
        taken = np.flatnonzero(ready[group_of])
        block[ready] = state.opened(forms[ready], block[ready])
        state.place(profile[taken], block[group_of[taken]], vector, free[taken], price[taken])
        state.free[profile[taken]] = 0
    price_asked = (paid + (need - members) * int(space.nominal[vector]) * _REBATE) / members
    price_asked[ready] = np.inf
    wanted = np.flatnonzero(price_asked <= tau)
    if len(wanted):
        groups = _Groups(vector, tau, profile, price, starts, forms, members, paid, need, wanted)
        price_asked[wanted] = _fill(state, groups)
    return float(price_asked.min())


class _Groups(NamedTuple):
    """The groups of free members at a vector; those in `wanted` are small ones that may be filled up."""

    vector: int
    tau: float
    profile: Ints
    price: Ints
    starts: Ints
    forms: Ints
    members: Ints
    paid: Ints
    need: Ints
    wanted: Ints


def _fill(state: State, groups: _Groups) -> Floats:
    """Fill groups up with members that blocks can spare, the cheapest first, where a free member pays at most tau.

    Returns the price at which to ask again about each of them.
    """
    space = state.space
    entry = np.flatnonzero(state.members[: state.entries])
    entry = entry[state.lendable(entry) > 0]
    if space.profiles.is_marked:
        entry = entry[space.allows(groups.vector, state.profile[entry])]
    if not len(entry):
        return np.full(len(groups.wanted), groups.tau * _LATER)
    forms = groups.forms[groups.wanted]
    keys = space.keys(groups.vector, state.profile[entry])
    place = np.minimum(np.searchsorted(forms, keys), len(forms) - 1)
    hit = forms[place] == keys
    entry, place = entry[hit], place[hit]
    each = space.prices(groups.vector, state.profile[entry]) - state.price[entry]
    order = np.lexsort((entry, each, place))
    entry, place, each = entry[order], place[order], each[order]
    bounds = np.searchsorted(place, np.arange(len(forms) + 1))
    price = _lowest_price(state, groups, entry, place, each, bounds)
    for one in np.argsort(price, kind="stable").tolist():
        if price[one] > groups.tau:
            break
        at = slice(bounds[one], bounds[one + 1])
        _fill_one(state, groups, int(groups.wanted[one]), entry[at].tolist(), each[at].tolist())
    return np.minimum(price, groups.tau * _LATER)


def _lowest_price(
    state: State, groups: _Groups, entry: Ints, place: Ints, each: Ints, bounds: Ints
) -> Floats:
    """Return what a free member of each group pays if no other group takes what blocks can spare."""
    spare = state.lendable(entry)
    before = np.append(0, np.cumsum(spare))
    before = before[:-1] - before[bounds[:-1]][place]
    missing = (groups.need - groups.members)[groups.wanted]
    taken = np.clip(missing[place] - before, 0, spare)
    if not state.split:
        taken = np.where(taken > 0, spare, 0)
    many = len(groups.wanted)
    number = np.bincount(place, weights=taken, minlength=many)
    paid = groups.paid[groups.wanted] + np.bincount(place, weights=taken * each, minlength=many)
    return np.where(number >= missing, paid / groups.members[groups.wanted], np.inf)


def _fill_one(state: State, groups: _Groups, group: int, entries: list[int], each: list[int]) -> None:
    """Open a form for one group, if enough is still to be had at the price."""
    missing = int(groups.need[group] - groups.members[group])
    total = int(groups.paid[group])
    used: dict[int, int] = {}
    taken = []
    for entry, price in zip(entries, each, strict=True):
        if missing <= 0:
            break
        block = int(state.block[entry])
        spare = int(state.block_size[block] - state.block_need[block]) - used.get(block, 0)
        many = int(state.members[entry])
        if state.split:
            many = min(many, spare, missing)
        elif many > spare and many != state.block_size[block] - used.get(block, 0):
            many = 0
        if many > 0:
            taken.append((entry, many, price))
            used[block] = used.get(block, 0) + many
            missing -= many
            total += many * price
    if missing > 0 or total > groups.tau * groups.members[group]:
        return
    start = groups.starts[group]
    end = groups.starts[group + 1] if group + 1 < len(groups.starts) else len(groups.profile)
    profile = groups.profile[start:end]
    form = groups.forms[group : group + 1]
    opened = state.opened(form, state.look_up(form))
    state.place(
        profile,
        np.repeat(opened, len(profile)),
        groups.vector,
        state.free[profile],
        groups.price[start:end],
    )
    state.free[profile] = 0
    for entry, many, price in taken:
        state.move(entry, int(opened[0]), groups.vector, many, price + int(state.price[entry]))


def _take_over(state: State) -> None:
    """Let whole blocks join free members for whom nobody can be spared, the cheapest first."""
    space = state.space
    while state.free.any():
        best: tuple[float, int, Ints, list[tuple[int, int, int]], int] | None = None
        for vector in space.each(range(len(space.vectors))):
            option = _cheapest_union(state, vector)
            if option is not None and (best is None or option[0] < best[0]):
                best = (option[0], vector, *option[1:])
        if best is None:
            return
        _, vector, profile, taken, key = best
        form = np.array([key])
        block = state.opened(form, state.look_up(form))
        state.place(
            profile,
            np.repeat(block, len(profile)),
            vector,
            state.free[profile],
            space.prices(vector, profile),
        )
        state.free[profile] = 0
        for entry, many, price in taken:
            state.move(entry, int(block[0]), vector, many, price)


def _cheapest_union(state: State, vector: int) -> tuple[float, Ints, list[tuple[int, int, int]], int] | None:
    """Find the free group at a vector that is joined by others at the lowest price for each of its members.

    Blocks join with what they can spare, or as a whole where all their members look alike at the vector.
    """
    space = state.space
    free = space.allowed(vector, np.flatnonzero(state.free))
    entry = np.flatnonzero(state.members[: state.entries])
    if space.profiles.is_marked:
        entry = entry[space.allows(vector, state.profile[entry])]
    keys, others = space.keys(vector, free), space.keys(vector, state.profile[entry])
    forms, form_of = np.unique(np.concatenate([keys, others]), return_inverse=True)
    members = np.concatenate([state.free[free], state.members[entry]])
    people = np.bincount(form_of.reshape(-1), weights=members, minlength=len(forms))
    best = None
    for key in np.intersect1d(forms[people >= space.crowd], keys).tolist():
        group = free[keys == key]
        here = entry[others == key]
        own = space.prices(vector, group)
        price = space.prices(vector, state.profile[here])
        need = int(max(space.needs[group].max(), space.needs[state.profile[here]].max(initial=0)))
        missing = need - int(state.free[group].sum())
        total = int(state.free[group] @ own)
        within = np.bincount(state.block[here], weights=state.members[here], minlength=state.blocks)
        whole = within[state.block[here]] == state.block_size[state.block[here]]
        gain = price - state.price[here]
        taken: list[tuple[int, int, int]] = []
        for block in dict.fromkeys(state.block[here[np.lexsort((here, gain))]].tolist()):
            if missing <= 0:
                break
            mine = np.flatnonzero(state.block[here] == block)
            mine = mine[np.lexsort((here[mine], gain[mine]))]
            spare = int(state.surplus(np.array([block]))[0])
            if not (spare >= missing and state.split) and whole[mine[0]]:
                spare = int(state.block_size[block])
            for at in mine.tolist():
                many = int(state.members[here[at]])
                if many > spare and not state.split:
                    continue
                many = min(many, spare)
                if many > 0:
                    taken.append((int(here[at]), many, int(price[at])))
                    spare -= many
                    missing -= many
                    total += many * int(gain[at])
        each = total / int(state.free[group].sum())
        if missing <= 0 and (best is None or each < best[0]):
            best = (each, group, taken, int(key))
    return best
