"""Blanks with decoys given away twice, to somebody who knows how they are drawn: every world, every draw."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import floor

import pytest
from tests.oracles import blanks as oracle
from tests.oracles.blanks import Rows, Values

HALF = Fraction(1, 2)
Again = Callable[[Values, Rows, Rows], Mapping[Rows, Fraction]]
"""The blanks of a second release, given the values, who asked and the blanks of the first."""


def decoys(values: Values, asked: Rows, limit: Fraction, may: Rows, kinds: int) -> list[int] | None:
    """The rule: the fewest blanks of which no value is more than the limit, decoys from the value with most rows left."""
    have = oracle.counts(values, may | asked, kinds)
    secret = oracle.counts(values, asked, kinds)
    for size in range(len(asked), len(values) + 1):
        cap = floor(limit * size)
        if all(one <= cap for one in secret) and sum(min(one, cap) for one in have) >= size:
            found = [0] * kinds
            for _ in range(size - len(asked)):
                open_ = [
                    value for value in range(kinds) if secret[value] + found[value] < min(cap, have[value])
                ]
                found[max(open_, key=lambda value: have[value] - secret[value] - found[value])] += 1
            return found
    return None


def drawn(
    values: Values, asked: Rows, limit: Fraction, kinds: int, may: Rows | None = None
) -> dict[Rows, Fraction]:
    """Return every choice of blanks with its chance; only some rows may be blank in addition."""
    rows = frozenset(range(len(values)))
    free = rows if may is None else may
    numbers = decoys(values, asked, limit, free, kinds)
    if numbers is None:
        return {}
    chosen = [one for one in oracle.drawn(values, asked, numbers) if one <= free | asked]
    return dict.fromkeys(chosen, Fraction(1, len(chosen)))


Seen = tuple[Rows, Rows, tuple[tuple[int, int], ...]]


def joint(
    rows: int, kinds: int, limit: Fraction, again: Again, weight: Callable[[Values, Rows], Fraction]
) -> Iterator[tuple[Seen, dict[tuple[int, int], Fraction]]]:
    """Give everything that may be seen with the chances of values of the rows that are blank in both."""
    found: dict[Seen, dict[tuple[int, int], Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    total: dict[Seen, Fraction] = defaultdict(Fraction)
    for values, asked in oracle.everybody(rows, kinds):
        prior = weight(values, asked)
        for first, chance in drawn(values, asked, limit, kinds).items():
            for second, more in again(values, asked, first).items():
                hidden = first & second
                visible = tuple((row, value) for row, value in enumerate(values) if row not in hidden)
                seen = first, second, visible
                total[seen] += prior * chance * more
                for row in hidden:
                    found[seen][row, values[row]] += prior * chance * more
    for seen, parts in found.items():
        if total[seen]:
            yield seen, {key: part / total[seen] for key, part in parts.items()}


def one_asks(values: Values, asked: Rows) -> Fraction:
    return Fraction(len(asked) == 1)


def teachers_ask(values: Values, asked: Rows) -> Fraction:
    """Asking goes with the value."""
    return Fraction(9 if all(values[row] == 0 for row in asked) else 1)


@pytest.mark.parametrize("weight", [one_asks, teachers_ask])
def test_two_draws_tell_more_than_one(weight: Callable[[Values, Rows], Fraction]) -> None:
    """Other decoys the second time: the secret is blank in both, alone, and its value is certain."""

    def once_more(values: Values, asked: Rows, first: Rows) -> Mapping[Rows, Fraction]:
        return drawn(values, asked, HALF, 2)

    worst = max(max(chances.values()) for _, chances in joint(4, 2, HALF, once_more, weight))

    assert worst == 1


@pytest.mark.parametrize(("rows", "kinds"), [(4, 2), (5, 2), (4, 3)])
@pytest.mark.parametrize("weight", [one_asks, teachers_ask])
@pytest.mark.parametrize("limit", [HALF, Fraction(2, 3)])
def test_decoys_from_what_is_blank_before(
    rows: int, kinds: int, limit: Fraction, weight: Callable[[Values, Rows], Fraction]
) -> None:
    """Entries that were visible must be published: then nothing is told that the first release did not tell."""

    def given_before(values: Values, asked: Rows, first: Rows) -> Mapping[Rows, Fraction]:
        return drawn(values, asked, limit, kinds, may=first)

    worst = max(max(chances.values()) for _, chances in joint(rows, kinds, limit, given_before, weight))

    assert worst <= limit


@pytest.mark.parametrize("weight", [one_asks, teachers_ask])
def test_a_second_draw_that_is_judged_by_what_is_blank_in_both(
    weight: Callable[[Values, Rows], Fraction],
) -> None:
    """Published only where no value is too large a part of what both leave blank: the limit holds."""

    def judged(values: Values, asked: Rows, first: Rows) -> Mapping[Rows, Fraction]:
        every = drawn(values, asked, HALF, 2)
        return {
            second: chance
            for second, chance in every.items()
            if max(oracle.counts(values, first & second, 2)) <= HALF * len(first & second)
        }

    found = list(joint(5, 2, HALF, judged, weight))

    assert found
    assert max(max(chances.values()) for _, chances in found) <= HALF
