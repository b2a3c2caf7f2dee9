"""The least hiding of entries as an integer program: its numbers and rows.

The first numbers say in how many records of a class which entries are hidden, the others which rules are safe in
another way than by their share.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.hiding.alike_records import Class, bits, classes, useful_entries
from giveaway.attacks.attributes.hiding.integer_program.stated_rules import Stated, matched
from giveaway.attacks.attributes.unsafe_rules.limits import Flags, RuleLimits
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, PartialTable
from giveaway.model.data.arrays import Ints

Floats = NDArray[np.float64]

_MOST_PAIRS = 200_000_000
"""The most pairs of a rule and a group that are compared; larger jobs are not stated."""
_MOST_CONDITIONS = 10
"""The most conditions of which all sets are looked at."""
_MOST_MOVES = 20_000

Move = tuple[int, int]
"""A class and the entries hidden in records of it, as a bitmask."""

_BY_VALUE, _BY_CONDITION, _SAVED, _AWAY = range(4)
"""What a move does to a rule: a record no longer shows it, or shows it no longer and leaves the pattern, or is no
longer given away by it, or leaves the pattern without having shown it."""


@dataclass(frozen=True, kw_only=True, eq=False)
class IntegerProgram:
    """Whole numbers from `low` to `high` of the least cost, with rows of at least `at_least`."""

    classes: list[Class]
    moves: list[Move]
    cost: Floats
    low: Floats
    high: Floats
    row: Ints
    column: Ints
    factor: Floats
    at_least: Floats


def state(table: PartialTable, stated: Stated) -> IntegerProgram | None:
    """State that rules must be safe; None when that takes too many numbers or comparisons."""
    useful = useful_entries(table, stated.mask, stated.own)
    by_condition = np.flatnonzero((useful & (table.sensitive_bit - 1)) != 0)
    too_wide = np.bitwise_count(useful).max(initial=0) > _MOST_CONDITIONS
    if too_wide or len(by_condition) * len(stated.mask) > _MOST_PAIRS:
        return None
    kinds = classes(table, stated.mask, useful, stated.own, matched(table, stated, by_condition))
    most = table.price(table.sensitive_bit)
    moves = [
        (place, mask)
        for place, one in enumerate(kinds)
        for mask in worth_hiding(one, stated.mask)
        if mask == one.value or not one.value or table.cost(mask) < most
    ]
    if len(moves) > _MOST_MOVES:
        return None
    return _Statement(table, stated, kinds, moves, _can_hit(table, stated, useful)).program()


def worth_hiding(one: Class, masks: Ints) -> list[int]:
    """Return the sets of entries worth hiding: showing any entry of them again gives an own rule its record back.

    The sensitive entry is hidden alone or not at all.
    """
    entries = bits(one.useful & ~one.value)
    sets = np.zeros(1, np.int64)
    for entry in entries:
        sets = np.concatenate([sets, sets | entry])
    hits = (sets[:, None] & np.unique(masks[one.own])) != 0
    number = np.arange(len(sets))
    worth = number > 0
    for place in range(len(entries)):
        has = (number >> place & 1) == 1
        worth[has] &= (hits[has] != hits[number[has] ^ (1 << place)]).any(axis=1)
    return [*sets[worth].tolist(), *bits(one.value)]


def _can_hit(table: PartialTable, stated: Stated, useful: Ints) -> Flags:
    """Tell of which rules every secret that they give away may hide a condition."""
    attacked = table.truth[stated.own.group] != UNKNOWN
    missed = attacked & ((useful[stated.own.group] & stated.mask[stated.own.rule]) == 0)
    can_hit = np.ones(len(stated.mask), bool)
    can_hit[stated.own.rule[missed]] = False
    return can_hit


class _Effects(NamedTuple):
    """What moves do to rules."""

    rule: Ints
    move: Ints
    kind: Ints


def _effects(stated: Stated, kinds: Sequence[Class], moves: Sequence[Move]) -> _Effects:
    chunks: list[tuple[Ints, int, int]] = [(np.zeros(0, np.int64), 0, 0)]
    for move, (place, mask) in enumerate(moves):
        one = kinds[place]
        own = one.own[(stated.mask[one.own] & mask) != 0]
        away = one.matched[(stated.mask[one.matched] & mask) != 0]
        if mask == one.value:
            chunks.append((one.own, move, _BY_VALUE))
        elif one.secret:
            chunks += [(own, move, _SAVED), (np.append(own, away), move, _AWAY)]
        else:
            chunks += [(own, move, _BY_CONDITION), (away, move, _AWAY)]
    sizes = [len(rules) for rules, _, _ in chunks]
    return _Effects(
        np.concatenate([rules for rules, _, _ in chunks]),
        np.repeat([move for _, move, _ in chunks], sizes),
        np.repeat([kind for _, _, kind in chunks], sizes),
    )


class _Rows(NamedTuple):
    """Rows of one kind, counted from 0."""

    row: Ints
    column: Ints
    factor: Floats
    at_least: Floats


class _Statement:
    """The parts of which the rows are made."""

    def __init__(
        self, table: PartialTable, stated: Stated, kinds: list[Class], moves: list[Move], can_hit: Flags
    ) -> None:
        self.table, self.limits = table, RuleLimits.of_table(table)
        self.stated, self.kinds, self.moves = stated, kinds, moves
        self.effects = _effects(stated, kinds, moves)
        self.class_of = np.array([place for place, _ in moves], np.int64)
        self.count = np.array([one.count for one in kinds], np.int64)
        records = self._records()
        self.does = records > 0
        self.plain = ~can_hit & ~self.does[_AWAY] & ~(self.does[_BY_VALUE] & self.does[_BY_CONDITION])
        self.away = records[_AWAY]
        staying = stated.matching - records[_BY_CONDITION] - self.away
        # Where enough records stay, a rule that few show is within its share anyway.
        by_few = self.limits.of * self.limits.least > self.limits.above * staying
        self.few = np.flatnonzero(~self.plain & by_few & (stated.showing > self.limits.least))
        self.hit = np.flatnonzero(can_hit)
        self.few_number = len(moves) + np.arange(len(self.few))
        self.hit_number = len(moves) + len(self.few) + np.arange(len(self.hit))

    def _records(self) -> Ints:
        """Return to how many records each thing can be done, kinds by rules."""
        rule, move, kind = self.effects
        records = np.zeros((4, len(self.stated.mask)), np.int64)
        once = np.unique(np.stack([kind, rule, self.class_of[move]]), axis=1)
        np.add.at(records, (once[0], once[1]), self.count[once[2]])
        return records

    def program(self) -> IntegerProgram:
        """Put the rows together."""
        parts = [self._rule_rows(), self._few_rows(), self._saved_rows(), self._class_rows()]
        before = np.cumsum([0, *(len(part.at_least) for part in parts)]).tolist()
        ways = len(self.few) + len(self.hit)
        return IntegerProgram(
            classes=self.kinds,
            moves=self.moves,
            cost=np.array([self.table.cost(mask) for _, mask in self.moves] + [0] * ways, float),
            low=np.append(np.zeros(len(self.moves) + len(self.few)), self.stated.forced[self.hit]),
            high=np.append(self.count[self.class_of], np.ones(ways)),
            row=np.concatenate([part.row + more for part, more in zip(parts, before, strict=False)]),
            column=np.concatenate([part.column for part in parts]),
            factor=np.concatenate([part.factor for part in parts]),
            at_least=np.concatenate([part.at_least for part in parts]),
        )

    def _rule_rows(self) -> _Rows:
        """Bring each rule within its share, unless it is safe in another way.

        The row of a rule to which all moves do the same good counts the records needed; any other counts by how many
        records the rule is above its share, which it is by at most all that can leave the pattern.
        """
        limits, showing, matching = self.limits, self.stated.showing, self.stated.matching
        share = limits.above / limits.of
        needed = np.where(
            self.does[_BY_VALUE],
            limits.values_needed(showing, matching),
            limits.records_needed(showing, matching),
        )
        above = (limits.of * showing - limits.above * matching) / limits.of
        rule, move, kind = self.effects
        factor = np.array([1.0, 1.0 - share, 0.0, -share])[kind]
        safe = np.append(self.few, self.hit)
        return _Rows(
            np.append(rule, safe),
            np.concatenate([move, self.few_number, self.hit_number]),
            np.append(np.where(self.plain[rule], 1.0, factor), (above + share * self.away)[safe]),
            np.where(self.plain, needed, above),
        )

    def _few_rows(self) -> _Rows:
        """A rule is shown by few when all but `least` records show it no longer."""
        place = np.full(len(self.stated.mask), -1, np.int64)
        place[self.few] = np.arange(len(self.few))
        rule, move, kind = self.effects
        unshown = (kind <= _BY_CONDITION) & (place[rule] >= 0)
        return _Rows(
            np.append(place[rule[unshown]], np.arange(len(self.few))),
            np.append(move[unshown], self.few_number),
            np.append(np.ones(int(unshown.sum())), self.limits.least - self.stated.showing[self.few]),
            np.zeros(len(self.few)),
        )

    def _saved_rows(self) -> _Rows:
        """A rule is hit when in each class that it gave away all records are saved."""
        number = np.full(len(self.stated.mask), -1, np.int64)
        number[self.hit] = self.hit_number
        rule, move, kind = self.effects
        saves = (kind == _SAVED) & (number[rule] >= 0)
        pairs, row = np.unique(
            np.stack([rule[saves], self.class_of[move[saves]]]), axis=1, return_inverse=True
        )
        return _Rows(
            np.append(row, np.arange(pairs.shape[1])),
            np.append(move[saves], number[pairs[0]]),
            np.append(np.ones(len(row)), -self.count[pairs[1]]),
            np.zeros(pairs.shape[1]),
        )

    def _class_rows(self) -> _Rows:
        """No more records of a class have entries hidden than it has."""
        moves = np.arange(len(self.moves))
        return _Rows(self.class_of, moves, -np.ones(len(moves)), -self.count.astype(float))
