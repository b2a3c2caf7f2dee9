"""Making a plan cheaper: members sent to cheaper forms, and parts of it made anew."""

from math import inf
from time import monotonic

import numpy as np

from giveaway.crowds.forms import Flags
from giveaway.crowds.greedy import Draw, greedy
from giveaway.crowds.state import HOME, State
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import spare, tell, telling

_RUIN = (0.01, 0.12)
"""The least and the largest part of the blocks that a round of repair dissolves."""


_IDLE = 15
"""So many rounds in a row, or a tenth of all if these are more, may gain nothing; then no more are made."""


def shed(state: State) -> None:
    """Move members to cheaper open forms while crowds allow it, and dissolve blocks whose members are cheaper elsewhere."""
    while True:
        before = state.cost
        _move_down(state)
        _dissolve(state)
        state.compress()
        if state.cost == before:
            return


def _move_down(state: State) -> None:
    space = state.space
    dear = np.flatnonzero((state.members[: state.entries] > 0) & (state.price[: state.entries] > 0))
    for vector in space.each(np.argsort(space.nominal, kind="stable").tolist()):
        dear = dear[state.members[dear] > 0]
        if not len(dear):
            return
        ready = dear[state.lendable(dear) > 0]
        target, price = _targets(state, vector, ready)
        better = np.flatnonzero((target >= 0) & (price < state.price[ready]))
        saved = state.price[ready[better]] - price[better]
        for at in better[np.argsort(-saved, kind="stable")].tolist():
            entry, block = int(ready[at]), int(target[at])
            many = int(state.lendable(ready[at : at + 1])[0])
            if many and state.block_size[block] + many >= space.needs[state.profile[entry]]:
                state.move(entry, block, vector, many, int(price[at]))


def _targets(state: State, vector: int, entry: Ints) -> tuple[Ints, Ints]:
    """Return the open block that each entry could join at a vector, -1 where there is none, and its price there."""
    space = state.space
    profile = state.profile[entry]
    block = state.look_up(space.keys(vector, profile))
    closed = (state.size_of(block) == 0) | (block == state.block[entry])
    if space.profiles.is_marked:
        closed |= ~space.allows(vector, profile)
    return np.where(closed, -1, block), space.prices(vector, profile)


def _dissolve(state: State) -> None:
    """Dissolve blocks, those that save most first, if what all their members pay elsewhere is less."""
    space = state.space
    entry = np.flatnonzero(
        (state.members[: state.entries] > 0) & (state.block[: state.entries] >= state.homes)
    )
    if not len(entry):
        return
    best = np.full(len(entry), np.inf)
    to, by = np.full(len(entry), -1), np.zeros(len(entry), np.int64)
    for vector in space.each(np.argsort(space.nominal, kind="stable").tolist()):
        target, price = _targets(state, vector, entry)
        better = (target >= 0) & (price < best)
        if not space.same_need:
            better &= state.size_of(target) >= space.needs[state.profile[entry]]
        best[better], to[better], by[better] = price[better], target[better], vector
        if space.nominal[vector] >= state.price[entry].max() and np.isfinite(best).all():
            break
    block = state.block[entry]
    saved = np.bincount(
        block, weights=state.members[entry] * (state.price[entry] - best), minlength=state.blocks
    )
    order = np.argsort(-saved, kind="stable")
    by_block = np.argsort(block, kind="stable")
    bounds = np.searchsorted(block[by_block], np.arange(state.blocks + 1))
    joined: set[int] = set()
    for one in telling("planning crowds", order[: int((saved > 0).sum())].tolist(), every=1_000):
        mine = by_block[bounds[one] : bounds[one + 1]]
        if one in joined or not state.block_size[to[mine]].all():
            continue
        for at in mine.tolist():
            many = int(state.members[entry[at]])
            state.move(int(entry[at]), int(to[at]), int(by[at]), many, int(best[at]))
            joined.add(int(to[at]))


def like_each_other(state: State, draw: Draw) -> Flags:
    """Choose some blocks that are like each other, around one that is likelier to be dear; homes are left out."""
    gone = np.zeros(state.blocks, np.bool_)
    entry = np.flatnonzero(state.members[: state.entries] * state.price[: state.entries])
    entry = entry[state.block[entry] >= state.homes]
    if not len(entry):
        return gone
    paid = state.members[entry] * state.price[entry]
    codes = state.space.profiles.codes
    middle = codes[state.profile[draw.choice(entry, p=paid / paid.sum())]]
    like = (codes[state.profile[entry]] == middle).sum(axis=1)
    likest = np.full(state.blocks, -1)
    np.maximum.at(likest, state.block[entry], like)
    blocks = np.flatnonzero(likest >= 0)
    order = np.argsort(-likest[blocks] - draw.random(len(blocks)) * draw.integers(1, 3), kind="stable")
    chosen = max(2, int(len(blocks) * draw.uniform(*_RUIN)))
    gone[blocks[order[:chosen]]] = True
    return gone


def release(state: State, gone: Flags) -> None:
    """Free the members of blocks; those with a home that is still open go there."""
    entry = np.flatnonzero(state.members[: state.entries])
    entry = entry[gone[state.block[entry]]]
    profile, members = state.profile[entry], state.members[entry]
    home = state.home_of[profile]
    back = (state.size_of(home) > 0) & ~gone[home]
    state.members[entry] = 0
    state.block_size[: state.blocks][gone] = 0
    np.add.at(state.free, profile[~back], members[~back])
    state.place(profile[back], home[back], HOME, members[back], np.zeros(int(back.sum()), np.int64))
    state.compress()


def excepted(state: State, many: int) -> None:
    """Let up to `many` members have no crowd: those without a form first, then those that save most by it.

    First whole blocks, the dearest for each member that is then without a crowd: those lent to them go home. Then
    entries that leave a block which has enough others.
    """
    many -= state.left
    if many <= 0:
        return
    entry = np.flatnonzero(state.members[: state.entries])
    entry = entry[state.block[entry] >= state.homes]
    block, members = state.block[entry], state.members[entry]
    rare = state.size_of(state.home_of[state.profile[entry]]) == 0
    paid = np.bincount(block, weights=members * state.price[entry], minlength=state.blocks)
    bare = np.bincount(block[rare], weights=members[rare], minlength=state.blocks)
    gone = np.zeros(state.blocks, np.bool_)
    for one in np.argsort(-paid / np.maximum(bare, 1), kind="stable").tolist():
        if paid[one] and bare[one] <= many:
            gone[one] = True
            many -= int(bare[one])
    waiting = state.free.copy()
    release(state, gone)
    state.alone += state.free - waiting
    state.free = waiting
    leaving = np.flatnonzero(state.price[: state.entries] * state.members[: state.entries])
    leaving = leaving[state.size_of(state.home_of[state.profile[leaving]]) == 0]
    for one in leaving[np.argsort(-state.price[leaving], kind="stable")].tolist():
        block_of, number = int(state.block[one]), int(state.members[one])
        if number <= min(many, int(state.block_size[block_of] - state.block_need[block_of])):
            state.alone[state.profile[one]] += number
            state.block_size[block_of] -= number
            state.members[one] = 0
            many -= number
    shed(state)


def repaired(state: State, rounds: int, draw: Draw) -> State:
    """Dissolve and rebuild parts of a plan, and keep what is not worse, until rounds gain nothing or time gets short.

    Schrimpf, Schneider, Stamm-Wilbrandt, Dueck: Record breaking optimization results using the ruin and recreate
    principle, 2000.
    """
    best, until = state, monotonic() + spare(inf)
    idle, most_idle = 0, max(_IDLE, rounds // 10)
    for done in range(rounds):
        tell("planning crowds", done, rounds)
        if not best.cost or idle == most_idle or monotonic() > until:
            break
        trial = best.copy()
        release(trial, like_each_other(trial, draw))
        greedy(trial, draw)
        shed(trial)
        idle += 1
        if trial.left <= best.left and trial.cost <= best.cost:
            idle = idle if trial.left == best.left and trial.cost == best.cost else 0
            best = trial
    return best
