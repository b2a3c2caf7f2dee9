"""What somebody believes who knows how both releases were chosen, by listing all worlds and all draws.

The earlier rule sees the columns of the earlier release; the rule of now sees its own columns and what was shown before.
A rule is a plan: for everybody of whom it sees the same, the forms that they carry; who of them carries which is drawn.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from tests.oracles.composition.tables import Columns, Row, keep, merged, shown, subsets
from tests.oracles.crowds import deals

Seen = tuple[Row, Row]
"""What the rule of now sees of a person: the values in its columns, and what was shown before."""
Plan = Mapping[Any, Sequence[Row]]
Rule = Callable[[Sequence[Any]], Plan | None]
"""From everything that a rule sees to the forms; None where it refuses to release."""

Crowds = Callable[[Any, Row], Hashable]
"""What must be carried by a crowd when somebody of whom this is seen shows this form."""


def form_of_now(seen: Any, form: Row) -> Hashable:
    """One release for itself: rows that look the same."""
    return form


def merged_form(seen: Seen, form: Row) -> Hashable:
    """Joined rows that show the same together, whichever release shows it."""
    return merged([seen[1], form])


def both_forms(seen: Seen, form: Row) -> Hashable:
    """Joined rows that look the same in each release."""
    return seen[1], form


def least(
    crowd: int,
    columns: Columns,
    crowds: Crowds = form_of_now,
    values: Callable[[Any], Row] = lambda seen: seen,
) -> Rule:
    """The rule that blanks the fewest cells so that a crowd carries each form; the first such plan in order of values."""

    @cache
    def of_kinds(kinds: tuple[tuple[Any, int], ...]) -> Plan | None:
        hands = []
        for seen, members in kinds:
            full = keep(values(seen), columns)
            forms = [keep(full, some) for some in subsets(shown(full))]
            forms.sort(key=lambda form, full=full: (len(shown(full)) - len(shown(form)), str(form)))  # type: ignore[misc]
            hands.append(list(combinations_with_replacement(forms, members)))
        best: tuple[int, Plan] | None = None
        for chosen in product(*hands):
            carried = Counter(
                crowds(seen, form) for (seen, _), hand in zip(kinds, chosen, strict=True) for form in hand
            )
            if min(carried.values()) < crowd:
                continue
            kept = sum(len(shown(form)) for hand in chosen for form in hand)
            if best is None or kept > best[0]:
                best = kept, {seen: list(hand) for (seen, _), hand in zip(kinds, chosen, strict=True)}
        return best and best[1]

    return lambda everybody: of_kinds(tuple(sorted(Counter(everybody).items(), key=str)))


World = tuple[Fraction, Sequence[Row]]
"""Everybody's values with the attacker's belief in them."""
Draw = tuple[Fraction, Sequence[Row], tuple[Row, ...], tuple[Row, ...] | None]
"""A world with a draw: its weight, everybody's values, and what each release shows of each; None is no second release."""


def drawn_twice(
    worlds: Iterable[World], columns: tuple[Columns, Columns], earlier: Rule, now: Rule
) -> Iterator[Draw]:
    """Give every world with every draw of both releases."""
    for prior, people in worlds:
        first = [keep(person, columns[0]) for person in people]
        plan = earlier(first)
        if plan is None:
            continue
        for chance, before in deals(first, plan):
            seen = [(keep(person, columns[1]), one) for person, one in zip(people, before, strict=True)]
            second = now(seen)
            if second is None:
                yield prior * chance, people, before, None
                continue
            for more, after in deals(seen, second):  # type: ignore[arg-type] # what is seen may be anything
                yield prior * chance * more, people, before, after


Chances = dict[Hashable, dict[tuple[int, Hashable], Fraction]]
"""For everything that may be seen, the chance that a row of some look is a person's."""


def chances_of_rows(draws: Iterable[Draw]) -> Chances:
    """Rows can be joined: whose a joined row is, which looks as it does in each release."""
    return _chances(
        (weight, list(zip(before, after, strict=True)), None) for weight, _, before, after in draws if after
    )


def chances_of_people(draws: Iterable[Draw], beside: Columns = frozenset()) -> Chances:
    """Rows cannot be joined: whose a row of now is, given both releases.

    `beside` are columns that both releases show of everybody and that the attacker does not know.
    """
    every = []
    for weight, people, before, after in draws:
        if after:
            told = [keep(person, beside) for person in people]
            earlier = Counter(zip(before, told, strict=True))
            every.append((weight, list(zip(after, told, strict=True)), frozenset(earlier.items())))
    return _chances(every)


def _chances(looks: Iterable[tuple[Fraction, Sequence[Hashable], Hashable]]) -> Chances:
    total: dict[Hashable, Fraction] = {}
    parts: Chances = {}
    for weight, of_people, also in looks:
        crowds = Counter(of_people)
        seen = frozenset(crowds.items()), also
        total[seen] = total.get(seen, Fraction(0)) + weight
        here = parts.setdefault(seen, {})
        for person, look in enumerate(of_people):
            here[person, look] = here.get((person, look), Fraction(0)) + weight / crowds[look]
    return {seen: {who: part / total[seen] for who, part in here.items()} for seen, here in parts.items()}


def worst(chances: Chances) -> Fraction:
    return max(
        (chance for of_people in chances.values() for chance in of_people.values()), default=Fraction(0)
    )


# Crowds of files as they are, for somebody who knows how they were chosen.


def crowd_of_looks(releases: Sequence[Sequence[Row]], row: int) -> int:
    """Count the joined rows that look exactly as this one does in each release; a blank is like a blank only."""
    joined = list(zip(*releases, strict=True))
    return joined.count(joined[row])


def crowd_of_merged_forms(releases: Sequence[Sequence[Row]], row: int) -> int:
    """Count the joined rows that show the same together; too many where one release fills in blanks of another."""
    joined = [merged(rows) for rows in zip(*releases, strict=True)]
    return joined.count(joined[row])


def crowd_of_people(now: Sequence[Row], row: int) -> int:
    """Rows that cannot be joined: count the rows of now that are equal in all that is compared or shared."""
    return list(now).count(now[row])


def chances_as_observed(
    people: Sequence[Row], releases: Sequence[Sequence[Row]]
) -> dict[tuple[int, int], Fraction]:
    """Return how likely each joined row is each person's for somebody who knows everybody and every plan.

    The worlds are all ways to give the joined rows to people of which each kind of people has as many of each look as is true.
    """
    joined = list(zip(*releases, strict=True))
    truth = Counter(zip(people, joined, strict=True))
    found: Counter[tuple[int, int]] = Counter()
    worlds = 0
    for owners in permutations(range(len(people))):
        if Counter((people[owner], look) for owner, look in zip(owners, joined, strict=True)) == truth:
            worlds += 1
            found.update(enumerate(owners))
    return {pair: Fraction(many, worlds) for pair, many in found.items()}
