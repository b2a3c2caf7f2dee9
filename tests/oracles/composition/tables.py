"""Tables given away one after the other, by listing all ways to join their rows; slow, and simple enough to be believed.

A row has a place for every column of all releases together, None where a release blanks the column or does not have it.
A person is a row too: None in the columns of which the attacker knows nothing, such as a sensitive one.
The releases of a list hold the same people in the same order, unless a function says otherwise; who has only the
files does not know the order.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod

Value = str | int
Row = tuple[Value | None, ...]
Rows = Sequence[Row]
Columns = frozenset[int]


class Contradiction(Exception):
    """Two releases show different values of one person in one column."""


def agree(one: Row, other: Row) -> bool:
    """Two rows agree where both say something; a blank agrees with everything."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def merged(rows: Sequence[Row]) -> Row:
    """Return everything that rows of one person show."""
    if not all(agree(one, other) for one, other in combinations(rows, 2)):
        raise Contradiction
    return tuple(
        next((value for value in values if value is not None), None) for values in zip(*rows, strict=True)
    )


def shown(row: Row) -> Columns:
    return frozenset(column for column, value in enumerate(row) if value is not None)


def keep(row: Row, columns: Columns) -> Row:
    """Return the row with all other columns blank."""
    return tuple(value if column in columns else None for column, value in enumerate(row))


def changing(releases: Sequence[Rows], column: int) -> list[list[Row]]:
    """Give a column that changes a place for each release: further columns at the end, the old place empty."""
    return [
        [
            (
                *row[:column],
                None,
                *row[column + 1 :],
                *(row[column] if at == number else None for at in range(len(releases))),
            )
            for row in rows
        ]
        for number, rows in enumerate(releases)
    ]


# Crowds: how many people a row may be.


def crowd_alone(now: Rows, people: Rows, row: int) -> int:
    return sum(agree(person, now[row]) for person in people)


def crowd_of_rows(releases: Sequence[Rows], people: Rows, row: int) -> int:
    """Count the people who agree with all that the joined row shows."""
    whole = merged([rows[row] for rows in releases])
    return sum(agree(person, whole) for person in people)


def crowd_of_people(earlier: Rows, now: Rows, people: Rows, row: int) -> int:
    """Count the people who agree with the row and with an earlier row that agrees with it."""
    return sum(
        agree(person, now[row]) and any(agree(person, one) and agree(one, now[row]) for one in earlier)
        for person in people
    )


def crowd_of_people_in_all(earlier: Sequence[Rows], now: Rows, people: Rows, row: int) -> int:
    """Do the same for several earlier releases: one row of each, all of which agree with each other and with the person."""
    chains = [
        chain
        for chain in product(*earlier)
        if all(agree(one, other) for one, other in combinations([now[row], *chain], 2))
    ]
    return sum(
        agree(person, now[row]) and any(all(agree(person, one) for one in chain) for chain in chains)
        for person in people
    )


def crowd_without_join(earlier: Rows, now: Rows, people: Rows, row: int) -> int:
    """The bound where nobody knows whose earlier row it was: the smallest crowd of all earlier rows that fit the person."""
    person = people[row]
    crowds = [
        sum(agree(other, merged([one, now[row]])) for other in people)
        for one in earlier
        if agree(one, person) and agree(one, now[row])
    ]
    return min(crowds)


# Worlds: all ways to join the rows of releases that cannot be joined for certain.


Join = tuple[tuple[int, int], ...]
"""Pairs of an earlier row and a row of now that are one person's."""


def joins(earlier: Rows, now: Rows) -> Iterator[Join]:
    """Give every way to find the people of the smaller release in the larger one, rows of one person agreeing."""
    if len(earlier) > len(now):
        yield from (tuple((a, b) for b, a in join) for join in joins(now, earlier))
        return
    for chosen in permutations(range(len(now)), len(earlier)):
        if all(agree(earlier[a], now[b]) for a, b in enumerate(chosen)):
            yield tuple(enumerate(chosen))


def joins_of_some(earlier: Rows, now: Rows, stayed: int) -> Iterator[Join]:
    """Do the same where people left and others joined: every way to find so many people in both."""
    for before in combinations(range(len(earlier)), stayed):
        for after in permutations(range(len(now)), stayed):
            if all(agree(earlier[a], now[b]) for a, b in zip(before, after, strict=True)):
                yield tuple(zip(before, after, strict=True))


def joins_of_all(releases: Sequence[Rows]) -> Iterator[list[tuple[int, ...]]]:
    """Do the same for any number of releases of the same people: the rows of each person, one of each release."""
    first, *others = releases
    orders = [range(len(first))]
    for chosen in product(*(permutations(range(len(rows))) for rows in others)):
        people = list(zip(*orders, *chosen, strict=True))
        if all(
            agree(releases[i][one[i]], releases[j][one[j]])
            for one in people
            for i, j in combinations(range(len(releases)), 2)
        ):
            yield people


def pair_chances(earlier: Rows, now: Rows) -> dict[tuple[int, int], Fraction]:
    """Return how likely one target, known to be in both and anybody else, has each pair of rows: all worlds weigh the same."""
    found = Counter(pair for join in joins(earlier, now) for pair in join)
    return {pair: Fraction(many, found.total()) for pair, many in found.items()}


def pair_chances_by_blocks(earlier: Rows, now: Rows) -> dict[tuple[int, int], Fraction]:
    """T2: one over the larger number of rows in the block, where rows agree exactly if they are in one block."""
    weights = {}
    for a, b in product(range(len(earlier)), range(len(now))):
        if agree(earlier[a], now[b]):
            before = sum(agree(one, now[b]) for one in earlier)
            after = sum(agree(earlier[a], one) for one in now)
            weights[a, b] = Fraction(1, max(before, after))
    return {pair: weight / sum(weights.values()) for pair, weight in weights.items()}


def crowd_of_worlds(earlier: Rows, now: Rows, people: Rows, row: int) -> int:
    """Count the people whose row it is in some world: joined with an earlier row, both of which the person agrees with."""
    partners = {a for join in joins(earlier, now) for a, b in join if b == row}
    return sum(
        agree(person, now[row]) and any(agree(person, earlier[a]) for a in partners) for person in people
    )


# Beliefs: what a sensitive column of a person is taken to be.


def share(values: Sequence[Value | None]) -> dict[Value, Fraction]:
    counted = Counter(value for value in values if value is not None)
    return {value: Fraction(many, counted.total()) for value, many in counted.items()}


def belief_alone(rows: Rows, person: Row, column: int) -> dict[Value, Fraction]:
    return share([row[column] for row in rows if agree(person, row)])


def belief_of_rows(releases: Sequence[Rows], person: Row, column: int) -> dict[Value, Fraction]:
    """The share of each value among the joined rows that fit."""
    joined = [merged(rows) for rows in zip(*releases, strict=True)]
    return belief_alone(joined, person, column)


def belief_of_worlds(releases: Sequence[Rows], person: Row, column: int) -> dict[Value, Fraction]:
    """The same over all worlds: a join, and who of the joined people is the target, who fits in every release."""
    if len({len(rows) for rows in releases}) == 1:
        every = (
            merged([rows[at] for rows, at in zip(releases, one, strict=True)])
            for join in joins_of_all(releases)
            for one in join
        )
    else:
        earlier, now = releases
        every = (merged([earlier[a], now[b]]) for join in joins(earlier, now) for a, b in join)
    return share([row[column] for row in every if agree(person, row)])


def belief_by_counts(
    releases: Sequence[Rows], person: Row, column: int, shared: Columns
) -> dict[Value, Fraction]:
    """P(s) = n1(s) n2(s) ... / n(s)^(m-1), normalised; the sensitive column is one of the shared ones.

    n(s) counts the rows of the largest release that agree with the person in the shared columns.
    """
    largest = max(releases, key=len)
    values = {row[column] for rows in releases for row in rows} - {None}
    weights = {}
    for value in values:
        fitting = [sum(agree(person, row) and row[column] == value for row in rows) for rows in releases]
        alike = sum(agree(keep(person, shared), row) and row[column] == value for row in largest)
        if prod(fitting):
            weights[value] = Fraction(prod(fitting), alike ** (len(releases) - 1))
    return {value: weight / sum(weights.values()) for value, weight in weights.items()}


def belief_of_register(
    releases: Sequence[Rows], people: Rows, person: int, column: int
) -> dict[Value, Fraction]:
    """What is believed by somebody who knows everybody's profile: worlds also say whose the joined rows are."""
    found: Counter[Value | None] = Counter()
    for join in joins_of_all(releases):
        joined = [merged([rows[at] for rows, at in zip(releases, one, strict=True)]) for one in join]
        for owners in permutations(range(len(people))):
            if all(agree(people[owner], row) for owner, row in zip(owners, joined, strict=True)):
                found[joined[owners.index(person)][column]] += 1
    return {value: Fraction(many, found.total()) for value, many in found.items() if value is not None}


def belief_of_register_by_values(
    columns: tuple[Columns, Columns], people: Rows, truth: Sequence[Value], person: int
) -> dict[Value, Fraction]:
    """The same for releases without blanks: all ways to give people values that leave both releases as they are.

    Each way has as many joins and owners as any other, so all weigh the same.
    """

    def releases(values: Sequence[Value]) -> list[Counter[tuple[Row, Value]]]:
        return [
            Counter((keep(one, some), value) for one, value in zip(people, values, strict=True))
            for some in columns
        ]

    seen = releases(truth)
    ways = [
        values
        for values in product(sorted(set(truth), key=str), repeat=len(people))
        if releases(values) == seen
    ]
    return share([values[person] for values in ways])


def joinable_rows(earlier: Rows, now: Rows, shared: Columns) -> int:
    """Count the rows that are unique in both releases by what both show, and equal in it."""
    before, after = (Counter(keep(row, shared) for row in rows) for rows in (earlier, now))
    return sum(many == 1 and after[row] == 1 for row, many in before.items())


# Protecting.


def best_given_before(people: Rows, earlier: Rows, columns: Columns, crowd: int) -> list[int] | None:
    """Return for each person the most cells of now that can be shown given what is out; None where nothing helps.

    By fit, crowds of people do not depend on what others show, so each row is chosen for itself, trying all sets.
    """
    found = []
    for person, before in zip(people, earlier, strict=True):
        safe = [
            len(chosen)
            for chosen in subsets(columns)
            if sum(agree(other, merged([before, keep(person, chosen)])) for other in people) >= crowd
        ]
        if not safe:
            return None
        found.append(max(safe))
    return found


def best_at_once(people: Rows, columns: Sequence[Columns], crowd: int) -> list[int] | None:
    """Return for each person the most cells that several releases can show together, trying all choices for each."""
    found = []
    for person in people:
        safe = [
            sum(map(len, chosen))
            for chosen in product(*map(subsets, columns))
            if sum(agree(other, keep(person, frozenset().union(*chosen))) for other in people) >= crowd
        ]
        if not safe:
            return None
        found.append(max(safe))
    return found


def subsets(columns: Columns) -> list[Columns]:
    return [
        frozenset(some) for size in range(len(columns) + 1) for some in combinations(sorted(columns), size)
    ]


# Who joined and who left.


def difference(now: Rows, earlier: Rows, columns: Columns) -> list[Row]:
    """Return the rows of now that are left over when equal earlier rows are taken out, in the columns of both."""
    left = Counter(keep(row, columns) for row in now) - Counter(keep(row, columns) for row in earlier)
    return sorted(left.elements(), key=str)
