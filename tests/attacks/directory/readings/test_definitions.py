"""Readings of small tables against their plain definitions."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import readings as plain

import giveaway as ga
from giveaway.attacks.directory.readings import named
from giveaway.attacks.directory.readings.shares import block_shares, blocks, exceeds, largest, smallest

LABELS = {1: ("low", "all"), 2: ("low", "all"), 3: ("high", "all"), 5: ("high", "all"), 8: ("top", "all")}
tables = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", None]),
        st.sampled_from(["x", "y"]),
        st.sampled_from([1, 2, 3, 5, 8, None]),
    ),
    min_size=1,
    max_size=25,
).filter(lambda rows: any(row[2] is not None for row in rows))


def made(rows: list[tuple[str | None, str, int | None]]) -> ga.Table:
    return ga.Table.from_rows([{"job": job, "sex": sex, "points": points} for job, sex, points in rows])


@given(tables)
def test_readings_of_values(rows: list[tuple[str | None, str, int | None]]) -> None:
    found = ga.readings(made(rows), columns=["job", "sex"], sensitive="points", hierarchy=LABELS)
    known, values = [row[:2] for row in rows], [row[2] for row in rows]
    gains = plain.gains(known, values)

    assert found.alpha == plain.alpha(known, values)
    assert found.l_distinct == min(len(one) for one in plain.shares(known, values))
    assert found.l_entropy == pytest.approx(plain.entropy(known, values))
    assert found.t_equal == plain.t_equal(known, values)
    assert found.t_ordered == plain.t_ordered(known, values)
    assert found.t_hierarchical == plain.t_hierarchical(known, values, LABELS)
    assert found.beta == max(gains) - 1
    assert found.delta == pytest.approx(max(abs(log(gain)) for gain in gains))
    assert found.blank_sensitive == values.count(None)


@given(tables, st.fractions(Fraction(1, 4), Fraction(6)), st.integers(1, 4))
def test_recursive_diversity(
    rows: list[tuple[str | None, str, int | None]], factor: Fraction, least: int
) -> None:
    table = made(rows)
    shares = block_shares(
        blocks([table.columns["job"], table.columns["sex"]], len(table.weights)),
        table.columns["points"],
        table.weights,
        values=len(table.labels["points"]),
    )
    known, values = [row[:2] for row in rows], [row[2] for row in rows]
    largest_l = max((n for n in range(1, 7) if plain.is_recursive(known, values, factor, n)), default=0)

    assert named.recursive_values(shares, factor) == largest_l
    needed = named.recursive_factor(shares, least)
    if needed is None:
        assert not plain.is_recursive(known, values, Fraction(10**6), least)
    else:
        assert not plain.is_recursive(known, values, needed, least)
        assert plain.is_recursive(known, values, needed + Fraction(1, 10**6), least)


@given(
    tables,
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "d", None]), st.sampled_from(["x", "y", "z"])), max_size=20
    ),
)
def test_readings_of_crowds(
    rows: list[tuple[str | None, str, int | None]], others: list[tuple[str | None, str]]
) -> None:
    people = [{"job": "a", "sex": "x"}, *({"job": job, "sex": sex} for job, sex in others)]
    found = ga.readings(made(rows), columns=["job", "sex"], people=ga.Table.from_rows(people), limit="1/3")
    sizes = [len(block) for block in plain.blocks([row[:2] for row in rows])]
    listed = [tuple(one.values()) for one in people]
    crowd = {row[:2]: listed.count(row[:2]) for row in rows}
    chances = [Fraction(1, crowd[row[:2]]) for row in rows if crowd[row[:2]]]
    inside = [Fraction(sum(row[:2] == one for row in rows), listed.count(one)) for one in set(listed)]

    assert (found.rows, found.blocks, found.k) == (len(rows), len(sizes), min(sizes))
    assert found.prosecutor_highest == Fraction(1, min(sizes))
    assert found.prosecutor_average == Fraction(len(sizes), len(rows))
    assert found.prosecutor_at_risk == Fraction(sum(size for size in sizes if size < 3), len(rows))
    assert found.rows_without_people == len(rows) - len(chances)
    assert found.people == len(people)
    assert found.journalist_highest == max(chances, default=None)
    assert found.k_map == min((crowd[row[:2]] for row in rows if crowd[row[:2]]), default=None)
    assert found.marketer == (sum(chances) / len(chances) if chances else None)
    assert found.journalist_at_risk == (
        Fraction(sum(chance > Fraction(1, 3) for chance in chances), len(chances)) if chances else None
    )
    assert (found.presence_least, found.presence_most) == (min(inside), max(inside))
    assert found.population_uniques == sum(
        size == 1 and crowd[row] == 1 for row, size in ((r, [x[:2] for x in rows].count(r)) for r in crowd)
    )


@given(
    st.lists(st.tuples(st.integers(0, 2**40), st.integers(1, 2**40)), min_size=1, max_size=20),
    st.fractions(Fraction(0), Fraction(3), max_denominator=2**50),
)
def test_ratios_are_compared_exactly(pairs: list[tuple[int, int]], limit: Fraction) -> None:
    above, below = (np.array(part, np.int64) for part in zip(*pairs, strict=True))
    ratios = [Fraction(*pair) for pair in pairs]

    assert largest(above, below) == max(ratios)
    assert smallest(above, below) == min(ratios)
    assert exceeds(above, below, limit).tolist() == [ratio > limit for ratio in ratios]
    assert not exceeds(above, below, ratios[0])[0]


def test_distances_of_a_table_too_large_for_64_bits_are_exact() -> None:
    values = np.arange(3, dtype=np.int32)
    many = np.array([1_500_000_000, 1, 1_500_000_000])
    shares = block_shares(np.array([0, 1, 1]), values, many, values=3)
    total = 3_000_000_001
    first = Fraction(1) - Fraction(many[0].item(), total)
    assert named.t_ordered(shares) == max(
        (first + Fraction(1_500_000_000, total)) / 2,
        (Fraction(1_500_000_000, total) + abs(Fraction(1, 1_500_000_001) - Fraction(1_500_000_001, total)))
        / 2,
    )
