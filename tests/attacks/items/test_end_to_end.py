"""From random baskets to released files: what must hold for every release that is published."""

import tempfile
from fractions import Fraction
from pathlib import Path

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import items as oracle
from tests.sizes import sized

import giveaway as ga

PRIVATE = ["s", "t"]
Rows = list[list[str]]


def about_something(rows: Rows) -> bool:
    """Whether some item is public and some private, so that both limits are judged."""
    held = {item for row in rows for item in row}
    return bool(held.intersection(PRIVATE) and held.difference(PRIVATE))


baskets = st.lists(
    st.sets(st.sampled_from("abcdefst"), max_size=6).map(sorted), min_size=4, max_size=14
).filter(about_something)
questions = st.tuples(
    st.sampled_from(["1/2", "1/3"]),
    st.sampled_from(["1/2", "2/3", "1"]),
    st.integers(1, 3),
    st.integers(1, 3),
)
switches = st.fixed_dictionaries(
    {
        "score": st.sampled_from(["minimal", "paper"]),
        "reinstate": st.booleans(),
        "keep_infrequent": st.booleans(),
    }
)


def release_of(rows: Rows) -> ga.Release:
    held = {item for row in rows for item in row}
    return ga.Release(ga.Transactions.from_lists(rows, private=[item for item in PRIVATE if item in held]))


def limits(rows: Rows, identity: Fraction | str, attribute: Fraction | str) -> ga.Tolerance:
    """A limit on private items is one only where there are any."""
    held = any(item in PRIVATE for row in rows for item in row)
    return ga.Tolerance(identity=identity, attribute=attribute if held else None)


def protected(rows: Rows, question: tuple[str, str, int, int], switches: dict[str, object]) -> ga.Assessment:
    identity, attribute, at_most, min_support = question
    try:
        return ga.protect(
            release_of(rows),
            ga.KnowsItems(at_most=at_most),
            limits(rows, identity, attribute),
            need=ga.NeedsItemsets(min_support=min_support),
            items=switches,
        )
    except ga.NoSafeRelease:
        assume(False)  # the example has no release to look at
        raise


@sized(60)
@given(baskets, questions, switches)
def test_what_is_published_is_coherent_and_keeps_every_support(
    rows: Rows, question: tuple[str, str, int, int], switches: dict[str, object]
) -> None:
    safer = protected(rows, question, switches)
    with tempfile.TemporaryDirectory() as folder:
        safer.publish(Path(folder) / "out")
        released = [
            set(line.split()) for line in (Path(folder) / "out" / "release.dat").read_text().splitlines()
        ]
    crowd, limit = int(1 / Fraction(question[0])), Fraction(question[1])

    assert len(released) == len(rows)
    assert oracle.coherent(released, PRIVATE, limit, crowd, question[2])
    before, after = oracle.nuggets(rows, 1), oracle.nuggets(released, 1)
    assert all(before[itemset] == support for itemset, support in after.items())
    withheld = set(safer.withheld.items)
    assert {itemset for itemset in before if not itemset & withheld} == set(after)


@settings(max_examples=40)
@given(baskets, questions)
def test_protecting_the_released_rows_withholds_only_what_is_too_rare_for_the_need(
    rows: Rows, question: tuple[str, str, int, int]
) -> None:
    safer = protected(rows, question, {})
    again = ga.protect(
        release_of(safer.released()),
        ga.KnowsItems(at_most=question[2]),
        limits(safer.released(), question[0], question[1]),
        need=ga.NeedsItemsets(min_support=question[3]),
    )

    assert again.withheld.items == ()


@settings(max_examples=60)
@given(baskets, questions)
def test_a_stricter_limit_or_a_stronger_attacker_never_finds_fewer_moles(
    rows: Rows, question: tuple[str, str, int, int]
) -> None:
    identity, attribute, at_most, _ = question

    def found(at_most: int, identity: Fraction, attribute: Fraction) -> tuple[int, int]:
        tolerance = limits(rows, identity, attribute)
        figures = (
            ga.assess(release_of(rows), ga.KnowsItems(at_most=at_most), tolerance).findings[0].risk.figures
        )
        return figures["moles"], figures["exposed_transactions"]

    now = found(at_most, Fraction(identity), Fraction(attribute))
    for stricter in (
        found(at_most + 1, Fraction(identity), Fraction(attribute)),
        found(at_most, Fraction(identity) * Fraction(2, 3), Fraction(attribute)),
        found(at_most, Fraction(identity), Fraction(attribute) * Fraction(2, 3)),
    ):
        assert stricter[0] >= now[0]
        assert stricter[1] >= now[1]


@settings(max_examples=40)
@given(baskets, questions)
def test_names_that_keep_their_order_change_nothing(rows: Rows, question: tuple[str, str, int, int]) -> None:
    renamed = [[f"item-{item}" for item in row] for row in rows]
    private = [f"item-{item}" for item in PRIVATE if any(item in row for row in rows)]
    asked = (
        ga.KnowsItems(at_most=question[2]),
        limits(rows, question[0], question[1]),
    )
    one = ga.assess(release_of(rows), *asked)
    other = ga.assess(ga.Release(ga.Transactions.from_lists(renamed, private=private)), *asked)

    assert one.findings[0].risk.figures == other.findings[0].risk.figures
