"""How likely a sensitive value is told of each profile of people: a value, a class of values, or a close guess."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.directory.inference.reach import Reach
from giveaway.attacks.directory.inference.sensitive import Sensitive
from giveaway.attacks.directory.question import Columns
from giveaway.attacks.directory.readings.attribute_chances import GroupChances, ValueTargets
from giveaway.attacks.directory.readings.close import Close
from giveaway.attacks.directory.readings.shares import GroupValues
from giveaway.crowds.split import ProfileValuePairs, Split, ValuesHeld, Views
from giveaway.model.data.arrays import Ints
from giveaway.model.progress import telling

_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class CloseGuesses:
    """The best guess for each group of people; `chances.target` numbers the guesses, whose values are in `numbers`."""

    chances: GroupChances
    numbers: tuple[Fraction, ...]


def best_guesses(
    shares: GroupValues, numbers: Sequence[Fraction], close: Close, *, own: tuple[Ints, Ints] | None = None
) -> CloseGuesses:
    """Find for each group the number that is right for most rows.

    With `own`, groups and values of people who have one, the guess must be right for that value too.

    Each value is an interval of guesses that are right for it. Most intervals with a common point: sort their ends, starts
    before ends, and sweep. Ends are ranks of exact fractions, so that no rounding decides.
    """
    intervals = [close.around(number) for number in numbers]
    ends = sorted({end for interval in intervals for end in interval})
    rank = {end: place for place, end in enumerate(ends)}
    low = np.array([rank[begin] for begin, _ in intervals], np.int64)
    high = np.array([rank[end] for _, end in intervals], np.int64)
    if own is None:
        wanted = np.arange(shares.groups)
        first, last = np.zeros(shares.groups, np.int64), np.full(shares.groups, len(ends))
    else:
        wanted = own[0]
        first, last = (np.append(end, 0)[own[1]] for end in (low, high))
    # The own value may be shown by no row: it then begins where a guess may be best, and counts nothing.
    mine = (wanted, first, last) if own is not None else (_NONE, _NONE, _NONE)
    group, point, covered = _sweep(
        np.append(shares.group, mine[0]),
        np.append(low[shares.value], mine[1]),
        np.append(high[shares.value], mine[2]),
        np.append(shares.count, np.zeros(len(mine[0]), np.int64)),
    )
    _, at, usual = _sweep(np.zeros(len(low), np.int64), low, high, shares.totals)
    span = len(ends) + 1
    place = _best_between(group * span + point, covered, wanted * span + first, wanted * span + last)
    of_all = _best_between(at, usual, first, last)
    chances = GroupChances(
        target=np.where(place < 0, -1, np.append(point, -1)[place]),
        count=np.where(place < 0, 0, np.append(covered, 0)[place]),
        shown=shares.shown[wanted],
        hidden=shares.hidden[wanted],
        missing=shares.missing[wanted],
        usual=np.where(of_all < 0, 0, np.append(usual, 0)[of_all]),
        table=shares.total,
    )
    return CloseGuesses(chances=chances, numbers=tuple(ends))


def _sweep(group: Ints, low: Ints, high: Ints, count: Ints) -> tuple[Ints, Ints, Ints]:
    """Return for each start of an interval its group and place, and how many intervals of the group hold it."""
    span = 2 * (int(high.max(initial=0)) + 1)
    events = np.concatenate([group * span + 2 * low, group * span + 2 * high + 1])
    change = np.concatenate([count, -count])
    order = np.argsort(events, kind="stable")
    covered = np.cumsum(change[order])  # a group ends at 0, so that sums begin anew with each
    starts = np.flatnonzero(events[order] % 2 == 0)
    at = events[order][starts]
    return at // span, at % span // 2, covered[starts]


def _best_between(keys: Ints, covered: Ints, first: Ints, last: Ints) -> Ints:
    """Return where the largest number is that belongs to a key from each first to each last one; -1 where there is none."""
    return _largest_between(covered, np.searchsorted(keys, first), np.searchsorted(keys, last, side="right"))


def _largest_between(numbers: Ints, first: Ints, until: Ints) -> Ints:
    """Return where the largest number from each first place to before each last one is; -1 where there is none."""
    places = np.full(len(first), -1)
    some = np.flatnonzero(until > first)
    if not len(some):
        return places
    padded = np.append(numbers, -1)
    cuts = np.stack([first[some], until[some]], axis=1).reshape(-1)
    most = np.maximum.reduceat(padded, cuts)[::2]
    order = np.lexsort((np.arange(len(numbers)), numbers))
    keys = numbers[order] * (len(numbers) + 1) + order
    places[some] = order[np.searchsorted(keys, most * (len(numbers) + 1) + first[some])]
    return places


Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnTold:
    """What somebody who compares some columns is told of a sensitive one, for each profile of people."""

    column: Sensitive
    columns: Columns
    reach: Reach

    @property
    def shares(self) -> GroupValues:
        """What the sets of rows show."""
        return self.reach.shares

    @property
    def splits(self) -> bool:
        """Whether rows of somebody may be in several sets."""
        profile = self.reach.split.profile
        return self.reach.is_own or len(np.unique(profile)) < len(profile)

    @cached_property
    def split(self) -> Split:
        """How likely each set is that of a profile, for somebody who knows that the person has a value."""
        return having_values(self.reach.split, self.shares)

    @cached_property
    def views(self) -> Views:
        """The likeliest target of each profile, or the best guess, with its chance."""
        if self.column.close is None:
            return self.pairs.largest()
        return self._guessed(None)

    def own(self, profile: Ints, true: Ints) -> Views:
        """Return for people, given by profile and own value, the likeliest target that holds it; chance 0 without one."""
        if self.column.close is not None:
            return self._guessed((profile, true))
        chances, values = [Fraction(0)] * len(true), np.full(len(true), -1)
        for number, marks in self.column.targets.members:
            mine = np.append(marks, False)[np.maximum(true, -1)]
            which = true if number is None else np.full(len(true), number)
            pairs = self.pairs.at(profile, np.where(mine, which, -1))
            both = list(zip(np.flatnonzero(mine).tolist(), pairs[mine].tolist(), strict=True))
            for place, pair in telling("working out exact chances", both, every=1_000):
                chance = self._exact(pair)
                if chance > chances[place] or values[place] < 0:
                    chances[place], values[place] = chance, which[place]
        return Views(chances, values)

    @cached_property
    def _known(self) -> dict[int, Fraction]:
        return {}

    def _exact(self, pair: int) -> Fraction:
        """Return the chance of a pair, each worked out once."""
        if pair not in self._known:
            self._known[pair] = self.pairs.chance(pair)
        return self._known[pair]

    @cached_property
    def pairs(self) -> ProfileValuePairs:
        """The chances of all targets of all profiles."""
        return joined(self.split, self.shares, self.column.targets)

    def without_row(self) -> Flags:
        """Tell of whom no row that may be theirs shows or hides a value."""
        return ~self._some(self.shares.shown + self.shares.hidden > 0)

    def _some(self, sets: Flags) -> Flags:
        """Tell which profiles have some of the sets of rows."""
        split = self.reach.split
        some = np.zeros(len(split.sizes), np.bool_)
        some[split.profile[sets[split.form]]] = True
        return some

    @cached_property
    def rows(self) -> Ints:
        """How many rows may be somebody's, for each profile."""
        split = self.reach.split
        rows = np.zeros(len(split.sizes), np.int64)
        np.add.at(rows, split.profile, self.shares.rows[split.form])
        return rows

    def usual(self, target: int) -> Fraction:
        """Return how often a target, or a guess, is right in the whole table."""
        total = max(self.shares.total, 1)
        if self.column.close is not None:
            guess = self.guesses.numbers[target]
            right = [low <= guess <= high for low, high in map(self.column.close.around, self.column.numbers)]
            return Fraction(int(self.shares.totals[right].sum()), total)
        return Fraction(int(self.target_totals[target]), total)

    @cached_property
    def target_totals(self) -> Ints:
        """How many rows of the whole table show each target."""
        return self.column.targets.counts(self.shares).totals

    @property
    def baseline(self) -> Fraction:
        """The chance of the best guess of somebody who knows nothing of the person."""
        total = max(self.shares.total, 1)
        if self.column.close is not None:
            return Fraction(int(self.guesses.chances.usual.max(initial=0)), total)
        return Fraction(int(self.target_totals.max(initial=0)), total)

    # Guesses of numbers ------------------------------------------------------------------------------------------

    @cached_property
    def guesses(self) -> CloseGuesses:
        """The best guess in each set of rows."""
        assert self.column.close is not None  # noqa: S101 # asked for numbers only
        return best_guesses(self.shares, self.column.numbers, self.column.close)

    def _guessed(self, own: tuple[Ints, Ints] | None) -> Views:
        """Return the best guess for each profile, or for each person one that is right for their own value."""
        assert self.column.close is not None  # noqa: S101 # asked for numbers only
        split = self.split
        profile = np.arange(len(split.sizes)) if own is None else own[0]
        order = np.argsort(split.profile, kind="stable")
        starts = np.searchsorted(split.profile[order], np.arange(len(split.sizes) + 1))
        single = (starts[1:] - starts[:-1])[profile] == 1
        first = split.form[order[starts[:-1]]][profile]
        if own is None:
            guesses, line = self.guesses, first
        else:
            guesses = best_guesses(
                self.shares, self.column.numbers, self.column.close, own=(first, np.maximum(own[1], 0))
            )
            line = np.arange(len(first))
        chances, targets = [Fraction(0)] * len(profile), np.full(len(profile), -1)
        for place in range(len(profile)):
            if own is not None and own[1][place] < 0:
                continue
            if single[place]:
                chances[place] = guesses.chances.chance(int(line[place]))
                targets[place] = guesses.chances.target[line[place]]
                continue
            lines = order[starts[profile[place]] : starts[profile[place] + 1]]
            chances[place], targets[place] = self._mixed(lines, None if own is None else int(own[1][place]))
        return Views(chances, targets)

    @cached_property
    def _ranks(self) -> tuple[Ints, Ints]:
        """The places, among all ends, of the least and the largest guess that is right for each value."""
        assert self.column.close is not None  # noqa: S101 # asked for numbers only
        place = {end: rank for rank, end in enumerate(self.guesses.numbers)}
        around = [self.column.close.around(number) for number in self.column.numbers]
        return (
            np.array([place[low] for low, _ in around], np.int64),
            np.array([place[high] for _, high in around], np.int64),
        )

    def _mixed(self, lines: Ints, own: int | None) -> tuple[Fraction, int]:
        """Find one guess for somebody whose row may be in several sets, each with its part of the chance.

        Where a set shows nothing, the whole table takes its place. Whole numbers with one denominator are swept.
        """
        split, shares = self.split, self.shares
        sets: list[tuple[int, Ints, Ints, int, int]] = []
        for line in lines.tolist():
            form = int(split.form[line])
            inside = slice(shares.starts[form], shares.starts[form + 1])
            value, count = shares.value[inside], shares.count[inside]
            hidden, rows = int(shares.hidden[form]), int(shares.shown[form] + shares.hidden[form])
            if not len(value):
                value, count = np.arange(len(shares.totals)), shares.totals
                hidden, rows = 0, max(shares.total, 1)
            sets.append((int(split.members[line]), value, count, hidden, rows))
        unit = lcm(*(rows for *_, rows in sets))
        low, high = self._ranks
        first, last = (0, len(self.guesses.numbers)) if own is None else (int(low[own]), int(high[own]))
        change = {(first, 0): 0}
        base = 0
        for members, value, count, hidden, rows in sets:
            each = members * (unit // rows)
            base += each * hidden
            for one, many in zip(value.tolist(), count.tolist(), strict=True):
                begin, end = (int(low[one]), 0), (int(high[one]), 1)
                change[begin] = change.get(begin, 0) + each * many
                change[end] = change.get(end, 0) - each * many
        best, guess, covered = 0, -1, 0
        for (rank, _), step in sorted(change.items()):
            covered += step
            if covered > best and first <= rank <= last:
                best, guess = covered, rank
        size = sum(members for members, *_ in sets)
        return Fraction(best + base, unit * size), guess


def having_values(split: Split, shares: GroupValues) -> Split:
    """Weigh the sets of rows of each profile by the part of their rows that have a value.

    Somebody who has one is rarely in a set where most are missing. A profile of which no row has a value stays as it is.
    """
    rows, valued = shares.rows, shares.shown + shares.hidden
    whole = rows == valued
    several = np.bincount(split.profile)[split.profile] > 1
    touched = np.unique(split.profile[several & ~(whole & (rows > 0))[split.form]])
    if not len(touched):
        return split
    members, stays = split.members.astype(object), np.ones(len(split.form), np.bool_)
    here = np.flatnonzero(np.isin(split.profile, touched))
    for lines in np.split(here, np.flatnonzero(np.diff(split.profile[here])) + 1):
        parts = [
            Fraction(int(split.members[line]) * int(valued[form]), max(int(rows[form]), 1))
            for line, form in zip(lines.tolist(), split.form[lines].tolist(), strict=True)
        ]
        if any(parts):
            unit = lcm(*(part.denominator for part in parts))
            members[lines] = [int(part * unit) for part in parts]
            stays[lines] = [bool(part) for part in parts]
    return Split(profile=split.profile[stays], form=split.form[stays], members=members[stays])


def joined(split: Split, shares: GroupValues, targets: ValueTargets) -> ProfileValuePairs:
    """Join profiles with the targets in their sets of rows.

    Hidden entries may hold each target, so that a set with some has a line for every one; sets that show nothing are
    one set, the whole table.
    """
    counts = targets.counts(shares)
    nothing = shares.shown == 0
    veiled = ~nothing & (shares.hidden > 0)
    table = shares.groups
    wanted = np.append(np.flatnonzero(targets.single), np.arange(len(targets.single), len(targets)))
    plain = ~veiled[counts.group]
    sets = np.flatnonzero(veiled)
    dense = np.zeros((len(sets), len(targets)), np.int64)
    place = np.full(shares.groups, -1)
    place[sets] = np.arange(len(sets))
    dense[place[counts.group[~plain]], counts.value[~plain]] = counts.count[~plain]
    dense = dense[:, wanted] + shares.hidden[sets][:, None]
    held = ValuesHeld(
        form=np.concatenate([counts.group[plain], np.repeat(sets, len(wanted)), np.full(len(wanted), table)]),
        value=np.concatenate([counts.value[plain], np.tile(wanted, len(sets)), wanted]),
        rows=np.concatenate([counts.count[plain], dense.reshape(-1), counts.totals[wanted]]),
        of=np.append(np.maximum(shares.shown + shares.hidden, 1), max(shares.total, 1)),
    )
    form = np.where(nothing[split.form], table, split.form)
    return ProfileValuePairs(Split(profile=split.profile, form=form, members=split.members), held)
