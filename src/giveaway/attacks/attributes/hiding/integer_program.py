"""The cheapest entries to hide, by integer programming with rules stated as they become unsafe.

Variables say in how many records of a class which entries are hidden, and which rules are safe in another way than by
their share. A rule is safe when few enough of the records with its pattern show it, when at most `least` records show it,
or when every secret that it gave away has hidden a condition of it. Only rules seen unsafe are stated: the answer costs no
more than any safe table does, and it is the cheapest when it is safe itself.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from giveaway.attacks.attributes.hiding.alike_records import (
    Class,
    RuleGroupPairs,
    bits,
    classes,
    in_groups,
    useful_entries,
)
from giveaway.attacks.attributes.hiding.rounds import Round
from giveaway.attacks.attributes.unsafe_rules import search
from giveaway.attacks.attributes.unsafe_rules.limits import Flags, RuleLimits
from giveaway.attacks.attributes.unsafe_rules.partial_table import UNKNOWN, Hidden, PartialTable, hide
from giveaway.attacks.attributes.unsafe_rules.search import UnsafeRules
from giveaway.linear_programs import INFEASIBLE, OPTIMAL, whole
from giveaway.model.data.arrays import Codes, Ints
from giveaway.model.progress import spare

Floats = NDArray[np.float64]

NODES = 20_000
"""The most branches of one search unless told otherwise, so that runs repeat."""
_ROUNDING = 1e-6
"""The part of a bound that is taken off before it is rounded up, since the solver computes with rounded numbers."""
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


class IntegerSolution(NamedTuple):
    """What was found: in no safe table hiding costs less than `bound`."""

    hidden: Hidden | None
    """Entries to hide for a safe table; the cheapest when they cost as much as the bound."""
    bound: int
    impossible: bool
    """No safe table exists."""
    rounds: int
    """How many programs were solved."""


def solve(
    now: Round, must_hit: Flags, *, seconds: float, upper: int | None = None, nodes: int = NODES
) -> IntegerSolution:
    """Search for the safe table whose hidden entries cost least, given the rules that are unsafe now.

    `must_hit` are the rules that are hit in all safe tables in which hiding costs less than `upper`; when there are no
    such tables `upper` is the bound. The search ends after `seconds`, or when there is no more time to spare.
    """
    # State: the rules stated so far. Invariant: each of them is safe in every safe table, so that the least answer to a
    # program hides no more than any safe table. Pruning: rules that no answer made unsafe are never stated (row
    # generation); the search ends when an answer is safe itself, or as soon as the bound reaches `upper`.
    until = time.monotonic() + spare(seconds)
    stated = Stated.of(now.unsafe, must_hit)
    bound, done = 0, 0
    while time.monotonic() < until:
        stating = state(now.table, stated)
        if stating is None:
            break
        answer = _answer(stating, until=until, enough=upper, nodes=nodes)
        done += 1
        if answer.impossible:
            return IntegerSolution(
                None, bound if upper is None else upper, impossible=upper is None, rounds=done
            )
        bound = max(bound, answer.bound if upper is None else min(answer.bound, upper))
        if answer.times is None:
            break
        hidden = _hidden(stating, answer.times)
        unsafe = search.find(hide(now.table, hidden)[0])
        if not len(unsafe):
            return IntegerSolution(hidden, bound, impossible=False, rounds=done)
        more = stated.and_more(now.table, unsafe)
        if more is None:
            break
        stated = more
    return IntegerSolution(None, bound, impossible=False, rounds=done)


class _Answer(NamedTuple):
    times: Ints | None
    bound: int
    impossible: bool


def _answer(stating: IntegerProgram, *, until: float, enough: int | None, nodes: int) -> _Answer:
    """Solve a program, first without whole numbers: a search that is cut short may know no bound."""
    relaxed = _solved(stating, integers=False, until=until, nodes=nodes)
    if relaxed.status == INFEASIBLE:
        return _Answer(None, 0, impossible=True)
    bound = _up(relaxed.fun) if relaxed.status == OPTIMAL else 0
    if enough is not None and bound >= enough:
        return _Answer(None, bound, impossible=False)
    whole_numbers = _solved(stating, integers=True, until=until, nodes=nodes)
    if whole_numbers.status == INFEASIBLE:
        return _Answer(None, bound, impossible=True)
    if whole_numbers.mip_dual_bound is not None:
        bound = max(bound, _up(whole_numbers.mip_dual_bound))
    times = (
        None if whole_numbers.x is None else np.rint(whole_numbers.x[: len(stating.moves)]).astype(np.int64)
    )
    return _Answer(times, bound, impossible=False)


def _solved(stating: IntegerProgram, *, integers: bool, until: float, nodes: int) -> Any:
    from scipy.optimize import Bounds, LinearConstraint
    from scipy.sparse import csr_array

    shape = len(stating.at_least), len(stating.cost)
    rows = csr_array((stating.factor, (stating.row, stating.column)), shape=shape)
    return whole(
        "searching for the fewest entries to hide",
        stating.cost,
        integrality=np.full(shape[1], int(integers)),
        bounds=Bounds(stating.low, stating.high),
        constraints=LinearConstraint(rows, stating.at_least, np.inf),
        nodes=nodes,
        seconds=until - time.monotonic(),
    )


def _up(bound: float) -> int:
    return max(0, ceil(bound - _ROUNDING * max(1.0, bound))) if isfinite(bound) else 0


def _hidden(stating: IntegerProgram, times: Ints) -> Hidden:
    moves = {move: many for move, many in zip(stating.moves, times.tolist(), strict=True) if many}
    return Hidden.of(in_groups(moves, stating.classes))


@dataclass(frozen=True, kw_only=True, eq=False)
class Stated:
    """Rules with their counts in a table, and the groups that show them or are attacked with them."""

    mask: Ints
    codes: Codes
    value: Codes
    showing: Ints
    matching: Ints
    own: RuleGroupPairs
    forced: Flags
    """The rules that must be hit, whatever records show them."""

    @classmethod
    def of(cls, rules: UnsafeRules, forced: Flags) -> "Stated":
        """State the unsafe rules of a table."""
        shown = RuleGroupPairs.of(rules.relevant_starts, rules.relevant)
        shown = shown.where(~forced[shown.rule])
        attacked = RuleGroupPairs.of(rules.secret_starts, rules.secrets)
        return cls(
            mask=rules.mask,
            codes=rules.codes,
            value=rules.value,
            showing=rules.showing,
            matching=rules.matching,
            own=shown.and_more(attacked),
            forced=forced,
        )

    def and_more(self, table: PartialTable, rules: UnsafeRules) -> "Stated | None":
        """State rules as well that are unsafe after hiding in the table; None when all are stated already."""
        known = {_key(self, rule) for rule in range(len(self.mask))}
        new = [rule for rule in range(len(rules)) if _key(rules, rule) not in known]
        if not new:
            return None
        has = [_has(table.conditions, rules.codes[rule], int(rules.mask[rule])) for rule in new]
        shows = [has_it & (table.value == rules.value[rule]) for rule, has_it in zip(new, has, strict=True)]
        attacked = [
            has_it & (table.truth == rules.value[rule]) for rule, has_it in zip(new, has, strict=True)
        ]
        own = [np.flatnonzero(one | other) for one, other in zip(shows, attacked, strict=True)]
        place = np.arange(len(self.mask), len(self.mask) + len(new))
        return Stated(
            mask=np.concatenate([self.mask, rules.mask[new]]),
            codes=np.concatenate([self.codes, rules.codes[new]]),
            value=np.concatenate([self.value, rules.value[new]]),
            showing=np.append(self.showing, [table.count[some].sum() for some in shows]),
            matching=np.append(self.matching, [table.count[some].sum() for some in has]),
            own=self.own.and_more(
                RuleGroupPairs(np.repeat(place, [len(groups) for groups in own]), np.concatenate(own))
            ),
            forced=np.append(self.forced, np.zeros(len(new), bool)),
        )


def matched(table: PartialTable, stated: Stated, groups: Ints) -> RuleGroupPairs:
    """Return the rules that some groups have the pattern of, but neither show nor are attacked with.

    Rules that must be hit are left out: it does not matter how many records have their patterns.
    """
    conditions = np.asfortranarray(table.conditions[groups])
    own = np.maximum(table.value[groups], table.truth[groups])
    rules = np.flatnonzero(~stated.forced)
    groups_of = [
        groups[_has(conditions, stated.codes[rule], int(stated.mask[rule])) & (own != stated.value[rule])]
        for rule in rules
    ]
    rule = np.repeat(rules, [len(some) for some in groups_of])
    return RuleGroupPairs(rule, np.concatenate([np.zeros(0, np.int64), *groups_of]))


def _key(rules: Stated | UnsafeRules, rule: int) -> tuple[int, bytes]:
    return int(rules.value[rule]), rules.codes[rule].tobytes()


def _has(conditions: Codes, codes: Codes, mask: int) -> Flags:
    """Tell which records have a pattern."""
    has = np.ones(len(conditions), bool)
    for entry in bits(mask):
        place = entry.bit_length() - 1
        has &= conditions[:, place] == codes[place]
    return has


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
