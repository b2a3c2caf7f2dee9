"""What several releases prove to somebody who knows the compared values of everybody, not of one person alone.

The rows of a release that show the same can only be of people whom they fit: of a block of people, at least so many have a
value as rows with it fit nobody outside, and at most as many as rows with it that fit somebody inside. Values that such
counts rule out nobody has; where one is left, that is proved. What is only likely is not looked at.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from giveaway.checker.attacks.directory.people_in_both import RowsApart, sensitive_then
from giveaway.checker.grouping import Flags, Ints
from giveaway.checker.promise import Promise
from giveaway.checker.together.reading import Texts
from giveaway.checker.together.tables import WrittenTables
from giveaway.checker.together.written import SeenTogether, Some

Kind = tuple[str | None, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Count:
    """Of some profiles, how many people have one of some kinds of values."""

    members: Ints
    kinds: Flags
    least: int
    most: int


def proved(apart: RowsApart, column: str) -> list[str | None]:
    """Return for each profile the only value of a column that its people may have; None where there are several."""
    facts = [name for name in dict.fromkeys((*apart.shared, column)) if name not in apart.known]
    whole = next(one for one in apart.releases if column in one)
    kinds = sorted({*zip(*(whole[name] for name in facts), strict=True)})
    counts = [count for one in apart.releases for count in _counts(apart, one, facts, kinds)]
    possible = _possible(np.array(list(Counter(apart.profiles).values())), counts, len(kinds))
    at = facts.index(column)
    left = [{kinds[kind][at] for kind in np.flatnonzero(line).tolist()} for line in possible]
    return [next(iter(values)) if len(values) == 1 else None for values in left]


def seen(tables: WrittenTables, promise: Promise, earlier: Some, apart: RowsApart) -> Iterator[SeenTogether]:
    """Give what is proved of people who are in all of some releases; that is more than somebody knows of one person alone."""
    limit = promise.tolerance.attribute
    if limit is None or limit == 1:
        return
    over = list(_over(tables, earlier, apart))
    few = len({row for row, _, _ in over}) <= promise.tolerance.share * len(tables.table)
    yield SeenTogether(
        earlier=earlier,
        keeps=lambda: few,
        proves=False,
        adds_nothing=partial(_were_certain, apart, over) if len(earlier) == 1 else None,
    )


def _over(tables: WrittenTables, earlier: Some, apart: RowsApart) -> Iterator[tuple[int, str, str]]:
    """Give the rows of people with a sensitive column and the value that is proved, now or in an earlier file."""
    wanted = {str(value) for value in tables.written.release.sensitive_values or ()}
    then = [
        f"{name}@{one.name}"
        for one in earlier
        for name in one.changes
        if name in {*tables.table.sensitive, *sensitive_then(one)} & {*one.columns}
    ]
    for name in (*tables.table.sensitive, *then):
        if name in apart.known:
            continue
        values = proved(apart, name)
        for row, profile in enumerate(apart.profiles):
            value = values[apart.number_of[profile]]
            if value is not None and (not wanted or value in wanted):
                yield row, name, value


def _were_certain(apart: RowsApart, over: list[tuple[int, str, str]]) -> bool:
    """Tell whether the earlier release alone left no other value."""
    names = {name for _, name, _ in over}
    if not names <= {*apart.releases[1]}:
        return False
    before = {name: apart.beliefs_before(name) for name in names}
    return all([*before[name][apart.number_of[apart.profiles[row]]]] == [value] for row, name, value in over)


def _counts(apart: RowsApart, release: Texts, facts: list[str], kinds: list[Kind]) -> Iterator[_Count]:
    """Give what a release tells of each block of people, by all its compared columns and by those that some row shows."""
    here = [at for at, name in enumerate(apart.known) if name in release]
    there = [at for at, name in enumerate(facts) if name in release]
    size = len(next(iter(release.values())))
    rows: Counter[tuple[tuple[tuple[int, str], ...], Kind]] = Counter()
    for row in range(size):
        texts = ((at, release[apart.known[at]][row]) for at in here)
        shown = tuple((at, text) for at, text in texts if text is not None)
        rows[shown, tuple(release[facts[at]][row] for at in there)] += 1
    shown_sets = {tuple(at for at, _ in shown) for shown, _ in rows}
    for columns in {tuple(here), *shown_sets}:
        blocks: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, profile in enumerate(apart.number_of):
            blocks[tuple(profile[at] for at in columns)].append(number)
        # Rows by what they show of the columns of the blocks: those that show all of them fit one block alone.
        by_shown: dict[tuple[int, ...], dict[tuple[str, ...], Counter[Kind]]]
        by_shown = defaultdict(lambda: defaultdict(Counter))
        for (shown, kind), many in rows.items():
            common = tuple((at, text) for at, text in shown if at in columns)
            by_shown[tuple(at for at, _ in common)][tuple(text for _, text in common)][kind] += many
        for key, members in blocks.items():
            own = dict(zip(columns, key, strict=True))
            least, most = Counter[Kind](), Counter[Kind]()
            for some, held in by_shown.items():
                many_of = held.get(tuple(own[at] for at in some), Counter())
                most.update(many_of)
                least.update(many_of if some == columns else {})
            for kind in {tuple(one[at] for at in there) for one in kinds}:
                same = [tuple(one[at] for at in there) == kind for one in kinds]
                yield _Count(
                    members=np.array(members), kinds=np.array(same), least=least[kind], most=most[kind]
                )


def _possible(people: Ints, counts: list[_Count], kinds: int) -> Flags:
    """Tell which kinds of values the people of each profile may have, ruling out until nothing changes."""
    possible = np.ones((len(people), kinds), np.bool_)
    before = -1
    while before != possible.sum():
        before = int(possible.sum())
        for count in counts:
            here = possible[count.members]
            may, must = here[:, count.kinds].any(axis=1), ~here[:, ~count.kinds].any(axis=1)
            if count.least == people[count.members[may]].sum():
                possible[np.ix_(count.members[may], ~count.kinds)] = False
            if count.most == people[count.members[must]].sum():
                possible[np.ix_(count.members[~must], count.kinds)] = False
    return possible
