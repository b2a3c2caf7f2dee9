"""Judge who is recognised among the rows of a written table: match all people with all rows again, person by person.

Rows that look the same to everybody are one kind, and so are people of whom the same is known. Mappings are counted by giving
people rows one after the other; what that leaves is how many rows of each kind are still free.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from giveaway.checker.attacks.frequencies.beliefs import BelievedItems, Item
from giveaway.checker.attacks.frequencies.chances import Between, kept
from giveaway.checker.attacks.frequencies.itemsets import over_limit
from giveaway.checker.check import ReadBack
from giveaway.checker.files.tables import HIDDEN, ReleasedTable, visible
from giveaway.checker.promise import Promise, disagree, unconfirmed
from giveaway.model.data.labels import Label
from giveaway.model.data.table import Table
from giveaway.model.exact import fraction
from giveaway.model.progress import tell

WORK = 2_000_000
"""Steps that counting the mappings of one component may take."""

_MOST_KINDS = 20_000_000

Free = tuple[int, ...]
"""How many rows of each kind have nobody yet."""


@dataclass(frozen=True)
class _Matching:
    """How many people and rows there are of each kind, and which kinds of rows may be whose."""

    people: Sequence[int]
    rows: Sequence[int]
    may_be: Sequence[frozenset[int]]
    real: Sequence[bool]
    """Whether a kind of rows stands in the file; having no row is a kind too."""
    weight: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """How many times a kind of people counts with a kind of rows; once where nothing is said."""


def keeps_people(opened: ReadBack, promise: Promise) -> bool:
    """Tell whether no more people are recognised in the written table than was promised; raise where that cannot be told."""
    table, attacker, tolerance = opened.release.original, promise.attacker, promise.tolerance
    if not isinstance(table, Table) or table.id is None:
        raise disagree("The people of the table have no names, by which something could be known of them.")
    named = [str(person) for person in table.ids]
    known = {str(person): dict(knowledge) for person, knowledge in attacker["belief"].given}
    everybody = [*named, *(person for person in known if person not in set(named))]
    chances = _chances(
        opened, table, [known.get(person, {}) for person in everybody], attacker["knows_method"]
    )
    wanted = {str(person) for person in attacker["of_interest"]} or set(named)
    counts = [chances[place] for place, person in enumerate(named) if person in wanted]
    if not counts:
        raise unconfirmed("Nobody of whom something was promised is in the table.")
    judged = []
    if tolerance.average is not None:
        total = Between(*(sum((getattr(one, end) for one in counts), Fraction(0)) for end in ("low", "high")))
        judged.append((Between(total.low / len(counts), total.high / len(counts)), tolerance.average))
    if tolerance.identity is not None:
        over = over_limit(tolerance.identity, attacker)
        many = (sum(over(getattr(one, end)) for one in counts) for end in ("low", "high"))
        judged.append((Between(*(Fraction(number, len(counts)) for number in many)), tolerance.share))
    return kept(judged, "How many people are recognised")


def _chances(
    opened: ReadBack, table: Table, known: Sequence[Mapping[str, Any]], likeliest: bool
) -> list[Between]:
    """Return how likely each person is told from their row, or from the likeliest one."""
    shown: ReleasedTable = opened.content
    columns = sorted({column for one in known for column in one})
    people: dict[tuple[tuple[str, Any], ...], int] = {}
    of_person = [people.setdefault(tuple(sorted(one.items())), len(people)) for one in known]
    seen = shown.codes[:, [shown.columns.index(column) for column in columns]]
    if len(people) * len(seen) > _MOST_KINDS:
        raise unconfirmed("Too many people and rows would have to be matched to check it.")
    fits = [
        [
            {code for code, label in enumerate(table.labels[column]) if _fits(dict(one).get(column), label)}
            | {HIDDEN}
            for column in columns
        ]
        for one in people
    ]
    kinds: dict[frozenset[int], int] = {}
    of_values: dict[tuple[int, ...], int] = {}
    many: Counter[int] = Counter()
    for values, count in zip(map(tuple, seen.tolist()), shown.counts.tolist(), strict=True):
        who = frozenset(
            kind
            for kind, allowed in enumerate(fits)
            if all(value in some for value, some in zip(values, allowed, strict=True))
        )
        of_values[values] = kinds.setdefault(who, len(kinds))
        many[of_values[values]] += count
    real = set(many)
    absent = len(known) - len(table)
    if absent:
        many[kinds.setdefault(frozenset(range(len(people))), len(kinds))] += absent
    may_be = [frozenset(row for who, row in kinds.items() if kind in who) for kind in range(len(people))]
    matching = _Matching(
        people=[Counter(of_person)[kind] for kind in range(len(people))],
        rows=[many[kind] for kind in range(len(kinds))],
        may_be=may_be,
        real=[kind in real for kind in range(len(kinds))],
    )
    rows = np.arange(len(table))
    shown_of = [visible(table, opened.release, column, rows) for column in columns]
    own = [of_values[values] for values in zip(*(codes.tolist() for codes in shown_of), strict=True)]
    solved = _solved(matching)
    chances = []
    for place, kind in enumerate(of_person):
        edges = solved[kind]
        if likeliest:
            options = [edges[row] for row in edges if matching.real[row]]
            ends = (
                max((getattr(one, end) for one in options), default=Fraction(0)) for end in ("low", "high")
            )
            chances.append(Between(*ends))
        else:
            nowhere = Between.exactly(Fraction(0))
            chances.append(edges.get(own[place], nowhere) if place < len(own) else nowhere)
    return chances


def _fits(known: Any, label: Label) -> bool:
    """Tell whether a value agrees with what is known: nothing, some values, or a range with two ends."""
    if known is None:
        return True
    if hasattr(known, "values"):
        return any(str(value) == str(label) for value in known.values)
    low, high = known
    return bool(low <= fraction(label, "a value") <= high)


def weighed_items(known: BelievedItems, belief: Any, total: int) -> list[Between]:
    """Return how likely each item is told from its code where parts of ranges have weights: codes are rows, items people."""
    parts = dict(belief.weighed)
    groups = sorted({item.count for item in known.items})

    def weight(item: Item, count: int) -> Fraction:
        if not item.low <= 2 * count <= item.high:
            return Fraction(0)
        share = Fraction(count, total)
        worths = [worth for low, high, worth in parts.get(item.label, ()) if low <= share <= high]
        return max(worths) if worths else Fraction(item.label not in parts)

    of_item = [tuple(weight(item, count) for count in groups) for item in known.items]
    kinds = sorted(set(of_item))
    common = lcm(*(value.denominator for kind in kinds for value in kind))
    matching = _Matching(
        people=[of_item.count(kind) for kind in kinds],
        rows=[sum(item.count == count for item in known.items) for count in groups],
        may_be=[frozenset(at for at, value in enumerate(kind) if value) for kind in kinds],
        real=[True] * len(groups),
        weight={
            (number, at): int(value * common)
            for number, kind in enumerate(kinds)
            for at, value in enumerate(kind)
            if value
        },
    )
    solved, chances = _solved(matching), []
    for item, kind in zip(known.items, of_item, strict=True):
        edges = solved[kinds.index(kind)]
        if known.likeliest:
            ends = (max(getattr(one, end) for one in edges.values()) for end in ("low", "high"))
            chances.append(Between(*ends))
        else:
            chances.append(edges.get(groups.index(item.count), Between.exactly(Fraction(0))))
    return chances


def _solved(matching: _Matching) -> list[dict[int, Between]]:
    """Return for each kind of people how likely one of them has one row of each kind, exactly or within bounds."""
    solved: list[dict[int, Between]] = [{} for _ in matching.people]
    for number, (people, rows) in enumerate(_components(matching)):
        tell("checking the written files", number, len(matching.people))
        if sum(matching.people[kind] for kind in people) != sum(matching.rows[kind] for kind in rows):
            raise disagree("No mapping agrees with what is known, so that nothing can be promised.")
        exact = _counted(matching, people, rows)
        for kind in people:
            for row in matching.may_be[kind]:
                # No two equal rows, and no two people of whom the same is known, can share a chance of 1.
                most = Fraction(1, max(matching.people[kind], matching.rows[row]))
                solved[kind][row] = (
                    Between(Fraction(0), most)
                    if exact is None
                    else Between.exactly(exact[kind].get(row, Fraction(0)))
                )
    return solved


def _components(matching: _Matching) -> Iterator[tuple[list[int], list[int]]]:
    """Give kinds of people and rows that have to do with each other."""
    owners: dict[int, list[int]] = {}
    for kind, allowed in enumerate(matching.may_be):
        for row in allowed:
            owners.setdefault(row, []).append(kind)
    if len(owners) < len(matching.rows):
        raise disagree("A row is nobody's, so that what is known contradicts itself.")
    left = set(range(len(matching.people)))
    while left:
        people, rows, waiting = set[int](), set[int](), [min(left)]
        while waiting:
            kind = waiting.pop()
            if kind in people:
                continue
            people.add(kind)
            for row in matching.may_be[kind] - rows:
                rows.add(row)
                waiting += owners[row]
        left -= people
        yield sorted(people), sorted(rows)


def _counted(
    matching: _Matching, people: Sequence[int], rows: Sequence[int]
) -> dict[int, dict[int, Fraction]] | None:
    """Count mappings by giving people rows one after the other; None where that takes too many steps."""
    place = {row: number for number, row in enumerate(rows)}
    may_be = {kind: [place[row] for row in sorted(matching.may_be[kind])] for kind in people}
    # Who may have few rows comes first, and next to others who may have the same.
    order = sorted(people, key=lambda kind: (len(may_be[kind]), may_be[kind]))
    one_by_one = [kind for kind in order for _ in range(matching.people[kind])]
    ahead: list[Counter[Free]] = [Counter({tuple(matching.rows[row] for row in rows): 1})]
    work = 0
    for kind in one_by_one:
        after: Counter[Free] = Counter()
        for free, ways in ahead[-1].items():
            for at, taken in _steps(free, may_be[kind]):
                after[taken] += ways * free[at] * matching.weight.get((kind, rows[at]), 1)
            work += len(may_be[kind])
            if work > WORK:
                return None
        ahead.append(after)
    total = ahead[-1][(0,) * len(rows)]
    if not total:
        raise disagree("No mapping agrees with what is known, so that nothing can be promised.")
    exact: dict[int, dict[int, Fraction]] = {}
    behind = Counter({(0,) * len(rows): 1})
    for step in range(len(one_by_one) - 1, -1, -1):
        kind, before, sums = one_by_one[step], Counter[Free](), Counter[int]()
        for free, ways in ahead[step].items():
            for at, taken in _steps(free, may_be[kind]):
                further = free[at] * behind[taken] * matching.weight.get((kind, rows[at]), 1)
                before[free] += further
                sums[at] += ways * further
        # One certain row of a kind is as likely as any other.
        exact[kind] = {rows[at]: Fraction(ways, total * matching.rows[rows[at]]) for at, ways in sums.items()}
        behind = before
    return exact


def _steps(free: Free, may_be: Sequence[int]) -> Iterator[tuple[int, Free]]:
    """Give the kinds of rows that somebody may take one of, and what is free then."""
    for at in may_be:
        if free[at]:
            yield at, (*free[:at], free[at] - 1, *free[at + 1 :])
